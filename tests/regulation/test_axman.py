"""AxMan, 633c.12: the dealer's poker hand, its wild king of diamonds, and what the player's kings multiply."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import pytest
from naive_633c.axman import ROWS, axman, times
from playing import names, played
from printed_633c import assert_printed
from shoetool.deal import RuleError, Stake
from shoetool.deal.stakes import verify_stakes
from shoetool.judge import registry_table as reg
from shoetool.model.cards import total
from shoetool.model.protocol_table import HandEnd, Role
from shoetool.rules.round import Stage
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.wagers import WAGERS, View
from shoetool.settle.engine import settle
from short_shoe import Short
from table_case import event, findings, line, seat, usual_round
from wager_table import box_of, cards, lines_of, one_line, rules_for

KEY = "axman"
TABLE = f'game = "blackjack"\ndecks = 6\n\n[wagers.{KEY}]\nmin = 1\n'
BET = f"1=10+{KEY}=5"
READINGS = [
    *product(("ace_high", "ace_low"), ("kept", "assigned"), ("rank", "card")),
    *product(("best",), ("kept",), ("rank", "card")),
]
KING_OF_DIAMONDS = 25


def table_with(five: str = "ace_high", place: str = "kept", wild: str = "rank", short: str = "wild") -> Any:
    return rules_for(KEY, axman_five=five, axman_wild_place=place, axman_wild=wild, axman_wild_short=short)


def row(rules: Any, dealer: tuple[int, ...]) -> str:
    found = WAGERS[KEY].outcome(View(rules, (8, 9), dealer))
    return found.key if found else "lost"


def written(dealer: tuple[int, ...]) -> list[tuple[int, str]]:
    return [(card % 13 + 1, "cdhs"[card // 13]) for card in dealer]


@pytest.mark.clause(
    *("633c.12(a)#2", "633c.12(f)#1", "633c.12(g)#1", "633c.12(j)#1", "633c.12(l)(3)", "633c.12(l)(5)"),
    *("633c.12(l)(8)", "633c.12(l)(9)"),
)
@pytest.mark.parametrize("short", ["wild", "king"])
def test_every_hand_of_two_to_four_cards_makes_the_row_of_the_text(short: str) -> None:
    """A second opinion agrees on all of them: each rank as a diamond, and another suit of the low and high ones."""
    rules, seen = table_with(short=short), Counter[str]()
    some = [*range(13, 26), *(39 + rank for rank in (0, 1, 9, 10, 12))]
    for count in (2, 3, 4):
        for dealer in combinations_with_replacement(some, count):
            if dealer.count(25) > 2:
                continue  # with two kings he stands
            name = axman(written(dealer), "ace_high", "kept", False, short == "king")
            assert row(rules, dealer) == name, written(dealer)
            seen[name] += 1
    assert set(seen) == {"four_of_a_kind", "three_of_a_kind", "two_pair", "jacks_or_better_pair", "lost"}


def dealer_hands() -> list[tuple[int, ...]]:
    """Every set of cards with which a dealer's hand ends, 17 or more: by ranks, in clubs but for the king of diamonds.

    More cards of a kind than a shoe has are among them.
    """
    ended, still = set[tuple[int, ...]](), {()}
    while still:
        more = {tuple(sorted((*hand, card))) for hand in still for card in (*range(13), KING_OF_DIAMONDS)}
        done = {hand for hand in more if len(hand) > 1 and total(hand)[0] >= 17}
        ended |= done
        still = more - done
    return sorted(ended)


HANDS = dealer_hands()
LONG = [hand for hand in HANDS if len(hand) > 4]


def in_suits(hand: tuple[int, ...], *suits: int) -> tuple[int, ...]:
    """The hand with these suits in turn; a king of diamonds stays one."""
    return tuple(
        card if card == KING_OF_DIAMONDS else card % 13 + 13 * suits[place % len(suits)]
        for place, card in enumerate(hand)
    )


@pytest.mark.clause(
    *("633c.12(f)#1", "633c.12(f)#2", "633c.12(h)#1", "633c.12(j)#1", "633c.12(l)(1)", "633c.12(l)(2)"),
    *("633c.12(l)(4)", "633c.12(l)(6)", "633c.12(l)(7)"),
)
def test_every_hand_of_five_cards_and_more_makes_the_row_of_the_text() -> None:
    """All that a dealer can end with, in one suit and in several; a second opinion agrees. T85, T86."""
    rules, seen = table_with(), Counter[tuple[str, bool]]()
    for number, hand in enumerate(LONG):
        for suits in ((0,), (3, 1), (1,))[: 3 if KING_OF_DIAMONDS in hand else 2]:
            dealer = in_suits(hand, *suits)
            name = axman(written(dealer), "ace_high", "kept", False, False)
            assert row(rules, dealer) == name, (number, written(dealer))
            seen[name, KING_OF_DIAMONDS in hand] += 1
    assert {name for name, wild in seen if wild} >= set(ROWS[:7]) and {name for name, _ in seen} == set(ROWS)
    natural = {hand for hand in LONG if len(hand) == 5 and KING_OF_DIAMONDS not in hand}
    assert [hand for hand in natural if row(rules, in_suits(hand, 0, 1)) == "straight"] == [(1, 2, 3, 4, 5)]  # T85


@pytest.mark.clause("633c.12(f)#2", "633c.12(j)#1")
@pytest.mark.parametrize(("five", "place", "wild"), READINGS)
def test_hands_make_the_row_of_the_text_in_each_reading(five: str, place: str, wild: str) -> None:
    """T79 to T81: hands that a dealer can end with, and suits at random; a second opinion agrees."""
    seed = f"633.12 {five} {place} {wild}"
    print("seed", seed)
    random = Random(seed)
    rules = table_with(five, place, wild)
    two = [hand for hand in LONG if hand.count(KING_OF_DIAMONDS) == 2]
    for hand in (*random.sample(LONG, 60), *random.sample(two, 2 if wild == "rank" else 0)):
        if len(hand) > 8 or (wild == "card" and hand in two):
            continue  # a second opinion on these takes long
        dealer = in_suits(hand, *random.choice(((0,), (1,), (0, 0, 0, 0, 1), (1, 1, 1, 2), (0, 1, 2, 3))))
        name = axman(written(dealer), five, place, wild == "card", False)
        assert row(rules, dealer) == name, written(dealer)


@pytest.mark.clause("633c.12(f)#2")
def test_a_wild_king_that_ranked_as_a_king_would_be_kept_as_well() -> None:
    """T81: so that this reading is no setting of the table."""
    rules = [table_with(five) for five in ("ace_high", "ace_low")]
    asked = [hand for hand in LONG if len(hand) > 5 and KING_OF_DIAMONDS in hand]
    assert len(asked) > 100
    for hand in asked:
        for one, five in zip(rules, ("ace_high", "ace_low"), strict=True):
            dealer = in_suits(hand, 0)
            assert row(one, dealer) == axman(written(dealer), five, "king", False, False), written(dealer)


def test_a_hand_is_every_row_that_it_can_be_read_as() -> None:
    """A paytable of one's own, for `odds`, may lack the better row."""

    def held(dealer: str) -> set[str]:
        view = View(table_with(), (8, 9), cards(dealer))
        return {one.key for one in WAGERS[KEY].outcomes if one.predicate(view)}

    assert held("9S 9D 5C KD") == {"three_of_a_kind", "two_pair"}
    assert held("2S 2D 3H 3C KD") == {"full_house", "three_of_a_kind", "two_pair"}
    assert held("QS QD QH") == {"three_of_a_kind", "jacks_or_better_pair"}


@pytest.mark.clause("633c.12(k)")
def test_every_cell_of_the_paytable_is_that_of_the_text() -> None:
    assert assert_printed(12, KEY) == 9


# ---------------------------------------------------------------------------------- what the text leaves open
@pytest.mark.clause("633c.12(f)#2")
def test_of_six_cards_the_five_highest_count() -> None:
    """T79, with its example, and T81."""
    held = cards("2S 3D 4H 5C 6S AD")
    assert [row(table_with(five), held) for five in ("ace_high", "ace_low", "best")] == ["lost", "straight", "straight"]
    assert row(table_with("ace_low"), cards("AS 2S 3D 4H 5C 6S")) == "straight"
    apart = cards("2C 3C 4C 5C 2C 6S")  # five clubs, and five in a row that are not the same five
    assert [row(table_with(five), apart) for five in ("ace_high", "best")] == ["straight", "flush"]
    low, clubs = cards("KD AS 5C 4H 3D 3S"), cards("KD 5C 4C 3C 2C 2C")
    kept, assigned = (table_with(place=place) for place in ("kept", "assigned"))
    assert [row(one, low) for one in (kept, assigned)] == ["straight", "jacks_or_better_pair"]  # a 2 is below the 3s
    assert [row(one, clubs) for one in (kept, assigned)] == ["straight", "flush"]  # as a 2 it is not needed
    diamonds = [row(assigned, cards(f"KD AD 5D 4D 3D {low}")) for low in ("2S", "3S")]
    assert diamonds == ["straight_flush", "flush"]  # as a 2 it is as high as the other 2, and lower than a 3
    low = cards("2S 2D 3H 4C AS 9S")
    assert row(table_with(), low) == "lost"
    assert row(table_with("ace_low"), cards("2S 2D 3H 3C 4S AS")) == "two_pair"


@pytest.mark.clause("633c.12(l)(6)", "633c.12(l)(7)")
def test_the_ace_ends_a_straight_and_does_not_lie_within_it() -> None:
    """T14. No dealer ends with the cards of the first two: see T85."""
    held = ("10S JD QH KC AS", "JS QD KH AC 2S", "AS 2D 3H 4C 5S", "10S JS QS KS AS", "JS QS KS AS 2S")
    made = [row(table_with(), cards(one)) for one in held]
    assert made == ["straight", "lost", "straight", "straight_flush", "flush"]


@pytest.mark.clause("633c.12(j)#1")
def test_a_wild_king_stays_a_diamond() -> None:
    """T80: K♦ 2♠ 3♠ 4♠ 5♠ is a straight, not a straight flush."""
    held = cards("KD 2S 3S 4S 5S")
    assert [row(table_with(wild=one), held) for one in ("rank", "card")] == ["straight", "straight_flush"]
    assert row(table_with(), cards("KD 2D 3D 4D 5D")) == "straight_flush"


@pytest.mark.clause("633c.12(g)#1", "633c.12(g)#2", "633c.12(i)")
def test_a_wild_king_pairs_a_high_card_and_loses_with_a_low_one() -> None:
    """T82."""
    assert [one_line(KEY, "9C 8C", held).net for held in ("AS KD", "QS KD", "KD 9S")] == [25_00, 25_00, -5_00]
    as_king = [row(table_with(short="king"), cards(held)) for held in ("AS KD", "KS KD", "KD KD")]
    assert as_king == ["lost", "jacks_or_better_pair", "jacks_or_better_pair"]
    assert row(table_with(short="king"), cards("KD 2S 3S 4S 5S")) == "straight"  # of five cards it is wild


@pytest.mark.clause("633c.12(j)#2", "633c.12(j)#3")
def test_the_player_s_kings_of_diamonds_multiply_the_odds() -> None:
    """T83: two pair with one king is 24 to 1. In the other reading what comes back is multiplied."""
    won = {}
    for held in ("KD 9S", "9S KD", "KD KD", "KH KS"):
        first, second = written(cards(held))
        found = one_line(KEY, held, "4S 4D 3H 3C 8S")
        assert found.won == 60_00 * times(first, second)
        won[held] = found
    assert [str(won[held].odds) for held in ("KH KS", "KD 9S", "KD KD")] == ["12 to 1", "24 to 1", "60 to 1"]
    assert "pays 12 to 1 (633c.12(k)), times 2 for the player's kings of diamonds: 24 to 1" in won["KD 9S"].words
    returned = [one_line(KEY, held, "4S 4D 3H 3C 8S", axman_multiplied="return") for held in ("KD 9S", "KD KD")]
    assert [one.won for one in returned] == [125_00, 320_00] and {one.returned for one in returned} == {5_00}
    assert one_line(KEY, "KD KD", "9S 8D").net == -5_00


@pytest.mark.clause("633c.12(e)#1", "633c.12(j)#2")
def test_each_round_and_each_position_of_a_table_goes_by_its_own_cards() -> None:
    rules = rules_for(KEY)
    boxes = [box_of(held, {KEY: "5.00"}, position=at) for at, held in ((1, "KD 9S"), (2, "KH KS"), (3, "KD KD"))]
    won = [[line.won for line in lines_of(rules, dealer, *boxes)] for dealer in ("JS JD", "10S 9D", "7S 7D 7H")]
    assert won == [[125_00, 25_00, 50_00], [0, 0, 0], [500_00, 100_00, 200_00]]  # from the dealer's right


@pytest.mark.clause("633c.12(e)#1", "633c.12(d)")
def test_he_draws_nothing_for_it_unless_the_house_reads_so() -> None:
    """T84: the player is over 21 against 10-6; the cards on the table are the hand."""
    bust = "Kc 6h 6d Ks Jh"
    stops, draws = rules_for(KEY), rules_for(KEY, axman_dealer="draws")
    round_ = played(stops, BET, bust, "1:hit")
    assert names(round_.dealer) == "6♥ K♠"
    (lost,) = [one for one in settle(round_, stops).lines if one.wager == KEY]
    assert (lost.net, lost.clause, lost.stage) == (-5_00, "633c.12(i)", Stage.AFTER_ALL)
    with pytest.raises(RuleError) as refused:
        played(draws, BET, bust, "1:hit")
    assert refused.value.clause == "633c.12(e)"
    round_ = played(draws, BET, f"{bust} Kd", "1:hit")
    (won,) = [one for one in settle(round_, draws).lines if one.wager == KEY]
    assert (won.outcome, won.won) == ("jacks_or_better_pair", 25_00)


@pytest.mark.clause("633c.12(e)#1", "633c.12(g)#2", "633c.12(h)#2", "633c.12(i)")
def test_the_bust_card_counts_and_each_line_has_its_clause() -> None:
    for dealer, stage, clause in (
        ("6S KC KH", Stage.AFTER_ALL, "633c.12(g)"),
        ("5S 5D 5H 5C", Stage.AFTER_ALL, "633c.12(g)"),
        ("4S 4D 3H 3C 8S", Stage.AFTER_ALL, "633c.12(h)"),
        ("KD AS", Stage.AFTER_READER, "633c.12(g)"),
        ("QC AS", Stage.AFTER_READER, "633c.12(i)"),
    ):
        found = one_line(KEY, "9C 8C", dealer)
        assert (found.stage, found.clause) == (stage, clause), dealer


# -------------------------------------------------------------------------------------- the table and its record
@pytest.mark.clause("633c.12(a)#3")
def test_it_is_offered_with_six_or_eight_decks() -> None:
    for decks in range(1, 9):
        refused = [(one.where, one.clause) for one in judge(TABLE.replace("= 6", f"= {decks}"), "table")[1]]
        assert refused == ([] if decks in (6, 8) else [(f"wagers.{KEY}", "633c.12(k)")]), decks
    found = {need.clause: need.what for need in needs(parse(TABLE))}
    assert found["633c.12(b)"] == "for each player an area for the AxMan Wager"


@pytest.mark.clause("633c.12(a)#1", "633c.12(c)#2")
def test_it_lies_beside_a_main_wager_within_the_limits_of_the_table() -> None:
    verify_stakes(rules_for(KEY), [Stake(1, 10_00, {KEY: 100_00})])
    for rules, wager, side in ((rules_for("hit_and_run"), 10_00, 5_00), (rules_for(KEY), 10_00, 100_50)):
        with pytest.raises(RuleError) as refused:
            verify_stakes(rules, [Stake(1, wager, {KEY: side})])
        assert refused.value.clause == "633a.6(e)"
    with pytest.raises(RuleError) as refused:
        lines_of(rules_for("hit_and_run"), "JS JD", box_of("9C 8C", {KEY: "5.00"}))
    assert refused.value.clause == "633c.12(a)"


def test_a_record_without_the_dealer_s_draw_is_found_only_where_the_house_reads_that_he_draws() -> None:
    def judged(*drawn: str, **changes: str) -> list[tuple[str, str]]:
        s = Short()
        s.start(1)
        s.opening({1: "KC"}, "7C", {1: "6D"}, "8H")
        s.give(1, "9H", Role.DRAW)
        s.end_hand(1, HandEnd.BUST)
        s.reveal()
        for card in drawn:
            s.card(Role.DEALER_DRAW, 0, card)
        s.close(15 + 9 * len(drawn))
        told = line(1, seat(1, "hit", side={KEY: "5.00"}))
        return [(one.clause, one.check) for one in findings(s, [told], rules_for(KEY, **changes))]

    assert judged() == judged("9D", axman_dealer="draws") == []
    assert judged("9D") == [("633a.7(n)", reg.BY_THE_RULES)]
    assert judged(axman_dealer="draws") == [("633c.12(e)", reg.BY_THE_RULES)]


@pytest.mark.clause("633c.12(c)#1", "633c.12(e)#2")
def test_a_record_is_held_against_the_close_of_bets_and_the_order_of_settling() -> None:
    def judged(*events: dict[str, Any]) -> list[tuple[str, str]]:
        s = Short()
        usual_round(s)
        s.end()
        seats = (seat(at, "stand", side={KEY: "5.00"}) for at in (1, 2))
        found = findings(s, [line(1, *seats, events=list(events))], rules_for(KEY))
        return [(one.clause, one.check) for one in found if "AxMan" in one.sentence]

    closed, placed = event("bets_closed", after_card=0), event("bet_placed", 1, KEY, after_card=0)
    paid = [event("settled", at, KEY, after_card=6) for at in (2, 1)]
    assert judged(placed, closed, *paid) == []
    assert judged(closed, placed, *paid) == [("633a.6(c) timing", reg.CLOSED)]
    assert judged(closed, *reversed(paid)) == [("633a.7(o)", reg.LATE)]
    assert judged(closed, *(event("settled", at, KEY, after_card=5) for at in (2, 1))) == [("633a.7(o)", reg.LATE)] * 2


def multiplied(second: str) -> Short:
    """Position 1 has K♦ and this card, position 2 none of them; the dealer has a pair of jacks."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "KD", 2: "9C"}, "JS", {1: second, 2: "9H"}, "JD")
    s.stand(1, 2)
    s.reveal()
    s.close(20)
    s.end()
    return s
