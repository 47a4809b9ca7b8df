"""The main wager of Blackjack, from the shoe and from the hand: 633a.7(h)-(q), 633a.13(a)."""

from __future__ import annotations

import pytest
from playing import clauses, refused
from settle_cases import box, hand, one, paid, rules, settled, settled_unread, table_round
from shoetool.rules.round import Hand
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers.catalogue import title_of
from shoetool.settle.engine import settle
from wagers_offered import offering


@pytest.mark.clause("633a.7(p)(1)", "633a.13(a)")
def test_a_standing_hand_wins_even_money_when_the_dealer_is_over_21() -> None:
    line = one(settled("blackjack", "6H 10C 9S", box(hand("10H 2C"))))
    assert paid(line) == ("dealer_bust", "633a.7(p)(1)", 10_00)
    assert (line.returned, line.won, line.odds and line.odds.text) == (10_00, 10_00, "1 to 1")
    assert line.words == "12; the dealer has 25, over 21, pays 1 to 1 (633a.13(a))"


@pytest.mark.clause("633a.7(p)(2)")
@pytest.mark.parametrize(
    ("player", "outcome", "net"),
    [("10H 9C", "higher", 10_00), ("10H 7C", "lower", -10_00), ("AH 8C", "higher", 10_00), ("AH 6C", "lower", -10_00)],
)
def test_the_higher_total_wins_and_the_lower_loses(player: str, outcome: str, net: int) -> None:
    line = one(settled("blackjack", "9H 9C", box(hand(player))))
    assert paid(line) == (outcome, "633a.7(p)(2)", net)


@pytest.mark.clause("633a.7(q) tie")
@pytest.mark.parametrize("total", ["10H 7C", "AH 6C", "5H 5C 7D"])
def test_equal_totals_return_the_wager(total: str) -> None:
    line = one(settled("blackjack", "9H 8C", box(hand(total))))
    assert paid(line) == ("tie", "633a.7(q) tie", 0)
    assert (line.returned, line.won, line.odds) == (10_00, 0, None)


@pytest.mark.parametrize("ace", ["AC", "AD", "AH", "AS"])
def test_an_ace_of_any_suit_counts_11_up_to_21_and_1_above(ace: str) -> None:
    assert settled("blackjack", "9H 8C", box(hand(f"{ace} 7C"))).net(1) == 10_00
    assert settled("blackjack", "9H 8C", box(hand(f"{ace} 7C 9D"))).net(1) == 0
    assert settled("blackjack", "9H 8C", box(hand(f"{ace} 5C"))).net(1) == -10_00
    # Beside a hard 8, with which it would be mixed up if it counted 8.
    both = settled("blackjack", "9H 8C", box(hand("5C 3D")), box(hand(f"{ace} 7C"), position=2))
    assert (both.net(1), both.net(2)) == (-10_00, 10_00)


@clauses(blackjack="633a.7(m)", free_bet="590.7(l)", spanish_21="635a.7(l)")
@pytest.mark.parametrize(("dealer", "count"), [("7H 7C 7D 2S", 21), ("9H 2C KD 3S", 21), ("5H 5C 7D 4S", 17)])
def test_a_dealer_who_drew_to_a_total_that_stands_is_refused(game: str, clause: str, dealer: str, count: int) -> None:
    with refused(clause, f"the dealer had {count} and drew"):
        settled_unread(game, dealer, box(hand("KH 9C")))


def test_a_hand_over_21_loses_at_once_even_when_the_dealer_is_over_21_too() -> None:
    """Reading 54: a literal (q) would tie a 22 with a dealer's 22."""
    line = one(settled("blackjack", "6H 6C 10S", box(hand("10H 6C 6D", "bust"))))
    assert paid(line) == ("bust", "633a.7(p)(2)", -10_00)
    assert line.stage == "in_turn"


@pytest.mark.clause("633a.7(i)(1)(i)", "633a.13(a)", "633a.1 Blackjack")
@pytest.mark.parametrize("up", ["2C", "5C", "9C"])
def test_a_blackjack_against_a_2_to_9_is_paid_3_to_2_at_once(up: str) -> None:
    line = one(settled("blackjack", f"{up} 10D", box(hand("AH KC", "blackjack"))))
    assert paid(line) == ("blackjack", "633a.7(i)(1)(i)", 15_00)
    assert line.stage == "in_turn"
    assert line.odds is not None and line.odds.text == "3 to 2"


@pytest.mark.clause("633a.7(i)(1)(ii)(A)")
@pytest.mark.parametrize("up", ["AC", "KC", "10C"])
def test_against_an_ace_or_ten_a_blackjack_may_be_paid_at_once(up: str) -> None:
    line = one(settled("blackjack", f"{up} 7D", box(hand("AH KC", "blackjack"))))
    assert paid(line) == ("blackjack", "633a.7(i)(1)(ii)(A)", 15_00)
    assert line.stage == "in_turn"


@pytest.mark.clause("633a.7(i)(1)(ii)(B)")
def test_or_it_is_left_until_the_hole_card_is_revealed() -> None:
    line = one(settled("blackjack", "KC 7D", box(hand("AH KC", "blackjack")), hold_blackjack=True))
    assert paid(line) == ("blackjack", "633a.7(i)(1)(ii)(B)", 15_00)
    assert line.stage == "hole_card"


@pytest.mark.clause("633a.7(p)(3)")
def test_a_blackjack_beats_a_dealers_21_in_more_than_two_cards() -> None:
    held = settled("blackjack", "KC 4D 7H", box(hand("AH KC", "blackjack")), hold_blackjack=True)
    assert paid(one(held)) == ("blackjack_dealer_21", "633a.7(p)(3)", 15_00)
    at_once = settled("blackjack", "7C 4D KH", box(hand("AH KC", "blackjack")))
    assert at_once.net(1) == 15_00


@pytest.mark.clause("633a.7(q) tie", "633a.7(h) result")
@pytest.mark.parametrize("dealer", ["AC KD", "KC AD", "10C AD"])
def test_blackjack_against_blackjack_returns_the_wager(dealer: str) -> None:
    line = one(settled("blackjack", dealer, box(hand("AH KC", "blackjack"))))
    assert paid(line) == ("blackjack_tie", "633a.7(q) tie", 0)
    assert line.stage == "after_reader"


@pytest.mark.clause("633a.7(h) result")
def test_a_dealers_blackjack_takes_every_other_main_wager_before_a_card_is_drawn() -> None:
    settlement = settled("blackjack", "AC KD", box(hand("10H KC", "dealer_blackjack")), box(hand("5H 5C"), position=4))
    for position in (1, 4):
        line = one(settlement, position=position)
        assert paid(line) == ("dealer_blackjack", "633a.7(h) result", -10_00)
        assert line.stage == "after_reader"


@pytest.mark.clause("633a.7(q) loss")
def test_a_21_in_more_than_two_cards_loses_to_a_blackjack() -> None:
    """Without a reader the players' turns came first."""
    line = one(settled_unread("blackjack", "AC KD", box(hand("7H 7C 7D"))))
    assert paid(line) == ("long_21_dealer_blackjack", "633a.7(q) loss", -10_00)
    assert line.stage == "main"


def test_a_split_hands_two_card_21_ties_a_blackjack_by_count_when_no_reader_was_used() -> None:
    """Reading 55: only a 21 in more than two cards loses."""
    line = one(settled_unread("blackjack", "AC KD", box(hand("AH KC", from_split=True))))
    assert paid(line) == ("two_card_21_tie", "633a.7(q) tie", 0)


@pytest.mark.clause("633a.1 Blackjack")
def test_a_split_hands_two_card_21_is_no_blackjack() -> None:
    """Reading 55: it pays 1 to 1, and ties a dealer's 21."""
    split = hand("AH KC", "twenty_one", from_split=True)
    won = one(settled("blackjack", "9H 8C", box(split, split, initial=("AH AC",))), hand=1)
    assert paid(won) == ("higher", "633a.7(p)(2)", 10_00)
    tied = one(settled("blackjack", "7H 4C KD", box(split, split, initial=("AH AC",))), hand=2)
    assert paid(tied) == ("tie", "633a.7(q) tie", 0)


@pytest.mark.clause("633a.12(b)(6)(ii)", "633a.12(b)(9)")
def test_from_the_hand_settles_by_the_same_rules_and_a_busting_player_at_once() -> None:
    settlement = settled(
        "from_the_hand", "9H 8C", box(hand("10H 9C")), box(hand("10H 6C 7C", "bust"), position=2, side={})
    )
    assert paid(one(settlement)) == ("higher", "633a.7(p)(2)", 10_00)
    assert paid(one(settlement, position=2)) == ("bust", "633a.12(b)(6)(ii)", -10_00)
    assert [line.position for line in settlement.lines] == [2, 1]


def test_half_a_cent_of_a_payout_is_not_paid_and_named() -> None:
    line = one(settled("blackjack", "9H 8C", box(hand("AH KC", "blackjack", stake=5_01), wager=5_01)))
    assert line.won == 7_51
    assert line.notes == (("633a.13(a)", "1/2 of a cent of the payout cannot be paid"),)


@pytest.mark.parametrize(
    ("dealer", "held", "clause"),
    [
        ("9H 7C", hand("10H 2C"), "633a.7(m)"),
        ("9H 7C", hand("7H 7C 7D", "twenty_one"), "633a.7(m)"),
        ("9H 8C", hand("10H 2C", "bust"), "633a.7(k)"),
        ("9H 8C", hand("10H 2C", "blackjack"), "633a.7(k)(1)"),
        ("9H 8C", hand("10H 2C", "dealer_blackjack"), "633a.7(h) result"),
        ("9H 8C", hand("10H"), "633a.14(g) one"),
        ("9H 8C", hand("10H 2C", "rescued", double=10_00), "633a.10(a)"),
        ("AH 8C", hand("10H 2C", "even_money"), "633a.8(e)"),
        ("9H 8C", hand("10H AC", "even_money"), "633a.8(e)"),
        ("9H 8C", hand("10H 2C 4D", "surrendered"), "633a.9(a) option"),
    ],
)
def test_a_hand_that_no_round_can_end_with_is_refused_with_its_clause(dealer: str, held: Hand, clause: str) -> None:
    with pytest.raises(RuleError, match="position 1, hand 1") as refusal:
        settled("blackjack", dealer, box(held))
    assert refusal.value.clause == clause


def test_a_dealer_who_stopped_below_17_does_no_harm_when_no_hand_waits() -> None:
    assert settled("blackjack", "9H 5C", box(hand("10H 6C 7D", "bust"))).net(1) == -10_00


@pytest.mark.parametrize(
    ("dealer", "reader", "clause"),
    [
        ("9H", None, "633a.7(l)"),
        ("AH KC 5D", "no_blackjack", "633a.7(h) result"),
        ("KH AC 9D", "no_blackjack", "633a.7(h) result"),
        ("KH 7C", "blackjack", "633a.7(h) eligibility"),
    ],
)
def test_a_dealers_hand_that_cannot_be_is_refused(dealer: str, reader: str | None, clause: str) -> None:
    table = rules("blackjack")
    for same_total in ("KH 4C 6D", "AH 6C", "9H 8C"):  # what was settled before makes no difference
        settle(table_round("blackjack", same_total, box(hand("10H 8C"))), table)
    with pytest.raises(RuleError) as refusal:
        settle(table_round("blackjack", dealer, box(hand("10H 8C")), reader=reader), table)
    assert refusal.value.clause == clause


def test_a_round_of_another_game_is_refused() -> None:
    with pytest.raises(RuleError, match="a round of switch cannot be settled at a table of blackjack"):
        settle(table_round("switch", "9H 8C"), rules("blackjack"))


@pytest.mark.clause("633a.7(m)", "590.7(l)", "635a.7(l)")
@pytest.mark.parametrize("game", ["blackjack", "switch", "from_the_hand", "free_bet", "spanish_21"])
@pytest.mark.parametrize("dealer", ["KC 7D 4H", "AC 6D KH", "AC 6D KH 4D", "9C 9D 2H", "6C 5D 9H AD"])
def test_a_dealer_who_drew_on_17_or_more_is_not_settled(game: str, dealer: str) -> None:
    """What he drew by accident is in no hand (633a.14(d)): a total with it would pay by a card that is not his."""
    with pytest.raises(RuleError, match="and drew"):
        settled(game, dealer, box(hand("KH QC")))


@pytest.mark.clause("633a.7(n)", "590.7(m)")
@pytest.mark.parametrize(("game", "key"), [("blackjack", "hit_and_run"), ("free_bet", "push_22")])
def test_a_dealer_who_stopped_below_17_while_an_optional_wager_waits_is_not_settled(game: str, key: str) -> None:
    """Reading 21, and its other way, where the wager has lost."""
    bust = box(hand("10H 6C KD", "bust"), side={key: 1_00})
    with pytest.raises(RuleError, match=f"stopped at 15, and {title_of(key)} waits"):
        settle(table_round(game, "9C 6D", bust), offering(rules(game), key))
    literal = offering(rules(game, draw_for_side_wagers=False), key)
    assert settle(table_round(game, "9C 6D", bust), literal).net(1) == -11_00
    none = box(hand("", "dead"), initial=("",), side={key: 1_00})
    assert settle(table_round(game, "9C 6D", none), offering(rules(game), key)).net(1) == 0
