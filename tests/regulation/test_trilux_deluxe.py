"""TriLux Deluxe, 633c.11: three cards, its paytables, and the press of its winnings."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from naive_633c.trilux_deluxe import hand, trilux, winnings
from playing import cards, only, played, refused
from printed_633c import assert_printed
from shoetool.deal import RuleError, Stake
from shoetool.deal.stakes import verify_stakes
from shoetool.rules.paytable import paytable
from shoetool.rules.round import Line, Settlement, Stage
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import PRESSES, WAGERS, View
from shoetool.settle.engine import settle
from wager_table import one_line, rules_for

KEY, HOUSE = "trilux_deluxe", "house_money"
TABLE = f'game = "blackjack"\ndecks = 6\n\n[wagers.{KEY}]\nmin = 1\n'
BET = f"1=10+{KEY}=5"
RULES = rules_for(KEY)
BEFORE = rules_for(KEY, trilux_deluxe_press="before_reader")
BOTH = rules_for(KEY, HOUSE)


def settled(bets: str, drawn: str, chosen: str = "", rules: RulesSubmission = RULES) -> Settlement:
    return settle(played(rules, bets, drawn, chosen), rules)


def lines(settlement: Settlement, *wagers: str) -> list[Line]:
    return [line for line in settlement.lines if line.wager in (wagers or ("main", "double", "press"))]


def nets(settlement: Settlement) -> dict[str, list[int]]:
    """By wager, the net of each hand."""
    found: dict[str, list[int]] = {}
    for line in settlement.lines:
        found.setdefault(line.wager, []).append(line.net)
    return found


# ------------------------------------------------------------------------------------------------- the three cards
def row(first: int, second: int, up: int, rules: RulesSubmission = RULES) -> str:
    found = WAGERS[KEY].outcome(View(rules, (first, second), (up, 7)))
    return found.key if found else "lost"


def written(card: int) -> tuple[int, str]:
    return card % 13 + 1, "cdhs"[card // 13]


@pytest.mark.clause(
    *("633c.11(a)#2", "633c.11(d)(1)", "633c.11(d)(2)", "633c.11(j)(1)", "633c.11(j)(2)", "633c.11(j)(3)"),
    "633c.11(j)(4)",
)
def test_the_three_cards_are_the_hand_of_the_text() -> None:
    """Every two cards with every up card: a second opinion agrees, and the counts are those of plain reckoning."""
    seen = Counter[str]()
    for first, second in combinations_with_replacement(range(52), 2):
        for up in range(52):
            name = trilux(written(first), written(second), written(up))
            assert row(second, first, up) == name
            seen[name] += 1
    straight_flush, three = 12 * 4 * 3, 13 * 10 * 4
    assert (seen["straight_flush"], seen["three_of_a_kind"]) == (straight_flush, three)
    assert seen["straight"] == 12 * 4**3 * 3 - straight_flush
    assert seen["flush"] == 4 * 91 * 13 - straight_flush - 4 * 13  # three alike of one suit are three-of-a-kind


@pytest.mark.clause("633c.11(j)(2)")
@pytest.mark.parametrize("ace", ["both", "high", "low"])
def test_the_setting_says_which_straights_an_ace_ends(ace: str) -> None:
    rules = rules_for(KEY, trilux_deluxe_ace=ace)
    near = [card for card in range(52) if card % 13 in (0, 1, 2, 11, 12)]
    for first, second in combinations_with_replacement(near, 2):
        for up in near:
            assert row(first, second, up, rules) == trilux(written(first), written(second), written(up), ace)
    assert row(12, 0, 1, rules) == "flush"  # king, ace and 2 are no straight


@pytest.mark.clause("633c.11(h)", "633c.11(i)(1)", "633c.11(i)(2)", "633c.11(i)(3)", "633c.11(i)(4)", "633c.11(i)(5)")
def test_every_cell_of_the_paytables_is_that_of_the_text_and_the_decks_pick_one() -> None:
    assert assert_printed(11, KEY) == 12
    vectors = Path(__file__).parents[1] / "vectors" / "paytables_633c" / "11.json"
    for one in json.loads(vectors.read_text(encoding="utf-8"))["tables"]:
        for decks in one["decks"]:
            assert paytable(KEY, "", decks).name == one["paytable"]
            for name in ("straight_flush", "three_of_a_kind", "straight", "flush"):
                assert paytable(KEY, "", decks).row(name).odds.paid(100) == winnings(decks, name, 100)
    for decks in range(1, 9):
        refusals = [(one.where, one.clause) for one in judge(TABLE.replace("= 6", f"= {decks}"), "table")[1]]
        assert refusals == ([] if decks in (1, 2, 4, 6, 8) else [(f"wagers.{KEY}", "633c.11(h)")]), decks


# ------------------------------------------------------------------------------------------- the table and its wagers
@pytest.mark.clause("633c.11(a)#1", "633c.11(c)#2")
def test_it_lies_beside_a_blackjack_wager_and_is_no_more_than_twice_as_large() -> None:
    verify_stakes(RULES, [Stake(1, 10_00, {KEY: 20_00})])
    for rules, wager, side, clause, words in (
        (RULES, 10_00, 20_50, "633c.11(c)", "of $20.50, more than 2 times the main wager of $10.00"),
        (RULES, 100_00, 100_50, "633a.6(e)", "the table takes $1.00 to $100.00"),
        (RULES, 0, 5_00, "633a.6(e)", "TriLux Deluxe without a Blackjack Wager"),
        (rules_for("hit_and_run"), 10_00, 5_00, "633a.6(e)", "is not offered at this table"),
    ):
        with refused(clause, words):
            verify_stakes(rules, [Stake(1, wager, {KEY: side})])


def test_the_layout_has_an_area_for_the_wager_and_one_for_the_press() -> None:
    """633c.11(b)."""
    found = [need.what for need in needs(parse(TABLE)) if need.clause == "633c.11(b)"]
    assert found == [f"for each player an area for the TriLux Deluxe {what}" for what in ("Wager", "Press")]
    assert not any("House Money Press" in need.what for need in needs(parse(TABLE.replace(KEY, HOUSE))))


def test_one_wager_at_most_has_an_area_for_its_press() -> None:
    """A line "press" is that of one wager."""
    assert [key for key, press in PRESSES.items() if press.apart is not None] == [KEY]


@pytest.mark.clause("633c.11(d)#1", "633c.11(d)#2", "633c.11(d)(1)", "633c.11(d)(2)")
def test_it_is_settled_straight_after_the_deal_from_the_dealers_right() -> None:
    """Position 1 has 4-5 against 6, position 2 K-9: a straight pays 8 to 1."""
    found = settled(f"1=10+{KEY}=5 2=10+{KEY}=5", "4c Kc 6h 5d 9d Ks Jh", "1:stand 2:stand")
    assert [(one.position, one.net, one.clause, one.stage) for one in lines(found, KEY)] == [
        (2, -5_00, "633c.11(d)(2)", Stage.AFTER_DEAL),
        (1, 40_00, "633c.11(d)(1)", Stage.AFTER_DEAL),
    ]
    assert found.lines[0].wager == KEY and found.lines[-1].wager == "main"


@pytest.mark.clause("633c.11(d)#2", "633c.11(f)#2")
@pytest.mark.parametrize(("up", "waits"), [("AS", True), ("10S", True), ("KS", True), ("9S", False), ("2S", False)])
def test_a_winner_against_an_ace_or_ten_waits_for_the_reader_and_a_loser_does_not(up: str, waits: bool) -> None:
    """T76; a house may read (d) to the letter."""
    held = {"AS": "2S 3S", "10S": "JS 9S", "KS": "QS JS", "9S": "8S 7S", "2S": "3S 4S"}[up]
    assert one_line(KEY, held, f"{up} 5D").stage == (Stage.AFTER_READER if waits else Stage.AFTER_DEAL)
    settings = {"trilux_deluxe_press": "before_reader"}
    assert one_line(KEY, held, f"{up} 5D", **settings).stage == Stage.AFTER_DEAL
    assert one_line(KEY, "4D 9C", f"{up} 5D").stage == Stage.AFTER_DEAL


# -------------------------------------------------------------------------------------------------------- the press
@pytest.mark.clause("633c.11(e)#1", "633c.11(e)#2", "633c.11(f)#1")
@pytest.mark.parametrize("capped", [None, 12_50, 1])
@pytest.mark.parametrize(
    ("drawn", "chosen", "result", "doubled"),
    [
        ("4c 6h 5d Ks Kc 9h", "hit stand", "won", 0),
        ("4c 6h 5d Ks Kc 5h", "hit stand", "lost", 0),
        ("4c 6h 5d Ks Kc 9c", "hit hit", "lost", 0),
        ("4c 6h 5d Ks Kc 2d", "double", "won", 10_00),
        ("4c 6h 5d Ks Kc 5h", "double", "lost", 10_00),
        ("4c 6h 5d Ks", "surrender", "surrendered", 0),
        ("9c 10h 8d 9s", "stand", "lost", 0),
        ("9c 10h 8d 7s", "stand", "push", 0),
        ("Ac Qh Kd 10s", "", "blackjack", 0),
        ("Ac 5c Kc 10s", "", "blackjack", 0),
    ],
)
def test_what_a_capped_wager_comes_to(capped: int | None, drawn: str, chosen: str, result: str, doubled: int) -> None:
    """T77, T78: even money with a win, a Blackjack too; lost with a loss, returned with a push."""
    first, up, second = (written(card) for card in cards(drawn)[:3])
    won = winnings(6, trilux(first, second, up), 5_00)
    word = "1:press" if capped is None else f"1:press={capped // 100}.{capped % 100:02}"
    found = settled(BET, drawn, " ".join([word, *(f"1:{one}" for one in chosen.split())]))
    assert sum(one.net for one in lines(found)) == hand(10_00, won if capped is None else capped, doubled, result)
    assert [one.net for one in lines(found, KEY)] == [won]
    (press,) = lines(found, "press")
    assert (press.staked, press.hand) == (won if capped is None else capped, 1)
    assert (press.clause == "633c.11(f)") == (result in ("won", "blackjack"))


@pytest.mark.clause("633c.11(f)#1")
def test_a_blackjack_is_paid_3_to_2_and_the_press_beside_it_even_money() -> None:
    """T78: $10 and $50 capped come to $15 and $50."""
    found = settled(f"1=10+{KEY}=10", "Ac 5c Kc 10s", "1:press")
    assert [(one.wager, one.staked, one.won, one.odds.text if one.odds else "") for one in lines(found)] == [
        *(("main", 10_00, 15_00, "3 to 2"), ("press", 50_00, 50_00, "1 to 1")),
    ]
    assert ("633c.11(e)", "$50.00 of it was moved to the TriLux Deluxe Press") in lines(found, KEY)[0].notes


@pytest.mark.clause("633c.11(e)#1", "633c.11(e)#2")
def test_winnings_are_collected_unless_the_player_caps_with_them() -> None:
    found = settled(BET, "4c 6h 5d Ks Kc 9h", "1:hit 1:stand")
    assert nets(found) == {KEY: [40_00], "main": [10_00]}
    assert lines(found, KEY)[0].notes == ()


@pytest.mark.clause("633c.11(e)#1")
def test_no_more_is_capped_than_was_won_and_only_once_before_the_turn() -> None:
    straight = "4c 6h 5d Ks Kc 9h"
    for chosen, clause, words in (
        ("1:press=40.50 1:hit 1:stand", "633c.11(e)", "$40.50 of TriLux Deluxe added; at most $40.00"),
        ("1:press=0 1:hit 1:stand", "633c.11(e)", "$0.00 of TriLux Deluxe added; at most $40.00"),
        ("1:hit 1:press=40 1:stand", "633c.11(e)", "after the reader and before the turn"),
        ("1:press=20 1:press=20 1:hit 1:stand", "633c.11(e)", "was added before"),
        ("1:surrender 1:press", "633c.11(e)", "before the turn"),
    ):
        with refused(clause, words):
            played(RULES, BET, straight, chosen)
    with refused("633c.11(d)(2)", "the TriLux Deluxe Wager won nothing to add"):
        played(RULES, BET, "4c 6h 9d Ks Kc 9h", "1:press 1:stand")
    with refused("633c.11(e)", "no TriLux Deluxe Wager whose winnings could be added"):
        played(RULES, "1=10", "4c 6h 5d Ks Kc 9h", "1:press 1:stand")


@pytest.mark.clause("633c.11(f)#2")
def test_nothing_is_capped_against_the_dealers_blackjack() -> None:
    """T76: three kings win $75, the dealer has Blackjack: the $75 is paid and not at risk."""
    kings = "Kc Kh Kd As"
    assert nets(settled(BET, kings)) == {KEY: [75_00], "main": [-10_00]}
    with refused("633c.11(f)", "TriLux Deluxe is paid out: the dealer has Blackjack"):
        played(RULES, BET, kings, "1:press")


@pytest.mark.clause("633c.11(f)#2")
@pytest.mark.parametrize(("drawn", "won", "main"), [("Kc Kh Kd As", 75_00, -10_00), ("Ac Qh Kd As", 40_00, 0)])
def test_where_the_press_comes_first_the_dealers_blackjack_undoes_it(drawn: str, won: int, main: int) -> None:
    """The other reading of T76 comes to the same money."""
    for chosen in ("1:press", f"1:press={won // 100}"):
        found = settled(BET, drawn, chosen, BEFORE)
        assert nets(found) == {KEY: [won], "main": [main], "press": [0]}
        (press,) = lines(found, "press")
        assert (press.staked, press.returned) == (won, won)
        assert press.clause == ("633c.11(f)" if main else "633a.7(q) tie")
    with refused("633c.11(e)", "at most"):
        played(BEFORE, BET, drawn, f"1:press={won // 100}.50")
    with refused("633c.11(e)", "a hand that is done"):
        played(BEFORE, BET, "Kc Kh Kd As", "1:surrender 1:press")


@pytest.mark.clause("633c.11(g)#1")
def test_a_split_matches_the_wager_and_the_press() -> None:
    """7-7 against 7 wins $75, of which $50 is capped. K 4 makes 21 on the left, 2 makes 9 on the right, against 18."""
    sevens = "7c 7h 7d 6c Kd 4c 2s 5h"
    found = settled(BET, sevens, "1:press=50 1:split 1:hit 1:stand")
    assert nets(found) == {KEY: [75_00], "main": [-10_00, 10_00], "press": [-50_00, 50_00]}
    played(RULES, BET, sevens, "1:press=50 1:split=60 1:hit 1:stand")
    with refused("633c.11(g)", "$10.00 on the second hand, where $60.00 is asked for"):
        played(RULES, BET, sevens, "1:press=50 1:split=10 1:hit 1:stand")
    thrice = settled(BET, "7c 7h 7d 6c 7s Kd Kc Ks 5h", "1:press=50 1:split 1:split 1:stand 1:stand 1:stand")
    assert nets(thrice)["press"] == [-50_00] * 3


@pytest.mark.clause("633c.11(g)#2")
def test_a_double_is_at_most_the_blackjack_wager_or_that_and_the_press_by_the_setting() -> None:
    straight = "4c 6h 5d Ks Kc 2d"
    whole = rules_for(KEY, trilux_deluxe_double="wager_and_press")
    for rules, chosen, doubled in (
        (RULES, "double", 10_00),
        (RULES, "double=10", 10_00),
        (RULES, "double=0.50", 50),
        (whole, "double", 50_00),
        (whole, "double=50", 50_00),
        (whole, "double=10", 10_00),
    ):
        made = only(played(rules, BET, straight, f"1:press=40 1:{chosen}"))
        assert (made.stake, made.double) == (10_00, doubled)
    assert only(played(whole, BET, straight, "1:double")).double == 10_00
    for rules, more, most in ((RULES, "10.50", "10.00"), (whole, "50.50", "50.00")):
        with refused("633a.10(a)", f"a double of ${more} on a wager of ${most}"):
            played(rules, BET, straight, f"1:press=40 1:double={more}")


@pytest.mark.clause("633c.11(f)#1")
def test_half_a_cent_of_a_surrendered_press_is_not_returned() -> None:
    found = settled(BET, "4c 6h 5d Ks", "1:press=0.25 1:surrender")
    (press,) = lines(found, "press")
    assert (press.staked, press.returned, press.won) == (25, 12, 0)
    assert press.notes == ((press.clause, "half a cent of the wager cannot be returned"),)


def test_a_press_of_a_void_round_is_returned_with_the_wager() -> None:
    round_ = played(RULES, BET, "4c 6h 5d Ks Kc 9h", "1:press 1:hit 1:stand")._replace(void="633a.14(j)(1)")
    found = settle(round_, RULES)
    assert nets(found) == {KEY: [40_00], "main": [0], "press": [0]}
    assert [(one.staked, one.returned) for one in lines(found, "press")] == [(40_00, 40_00)]


def test_a_round_with_more_capped_than_was_won_is_not_settled() -> None:
    round_ = played(RULES, BET, "4c 6h 5d Ks Kc 9h", "1:press 1:hit 1:stand")
    (box,) = round_.boxes
    for pressed in ({KEY: 40_01}, {HOUSE: 1}):
        with pytest.raises(RuleError, match="were added to the main wager"):
            settle(round_._replace(boxes=(box._replace(pressed=pressed),)), RULES)


# -------------------------------------------------------------------------------- two presses at one betting position
SEVENS = f"1=10+{KEY}=5+{HOUSE}=5"


@pytest.mark.clause("633c.11(e)#2", "633c.11(f)#1", "633a.7(g)(10)(ii)(C)")
def test_two_presses_of_one_position_are_told_apart() -> None:
    """7-7 against 7 wins $75 here and $15 of House Money. A♣ K♣ against 5♣ wins $25 and $45."""
    chosen = f"1:press.{KEY}=50 1:press.{HOUSE}"
    round_ = played(BOTH, SEVENS, "7c 7h 7d 6c 5h", f"{chosen} 1:stand")
    assert round_.boxes[0].pressed == {KEY: 50_00, HOUSE: 15_00} and only(round_).stake == 25_00
    assert nets(settle(round_, BOTH)) == {HOUSE: [15_00], KEY: [75_00], "main": [-25_00], "press": [-50_00]}
    natural = settled(SEVENS, "Ac 5c Kc 10s", f"1:press.{HOUSE} 1:press.{KEY}", BOTH)
    assert nets(natural) == {HOUSE: [45_00], KEY: [25_00], "main": [82_50], "press": [25_00]}
    notes = {one.wager: [words for _, words in one.notes] for one in natural.lines if one.hand is None}
    assert notes == {
        HOUSE: ["$45.00 of it was added to the Blackjack Wager"],
        KEY: ["$25.00 of it was moved to the TriLux Deluxe Press"],
    }


@pytest.mark.clause("633c.11(e)#1")
def test_a_plain_press_beside_two_wagers_that_may_be_added_is_rejected() -> None:
    words = f"write press.{HOUSE} or press.{KEY}"
    with refused("633a.7(g)(10)(ii)", "position 1: winnings of House Money or TriLux Deluxe may be added", words):
        played(BOTH, SEVENS, "7c 7h 7d 6c 5h", "1:press 1:stand")
    for bets, clause in ((f"1=10+{KEY}=5", "633a.7(g)(10)(ii)"), (f"1=10+{HOUSE}=5", "633c.11(e)")):
        with refused(clause, "Wager whose winnings could be added"):
            played(BOTH, bets, "7c 7h 7d 6c 5h", f"1:press.{HOUSE if KEY in bets else KEY} 1:stand")
        assert len(played(BOTH, bets, "7c 7h 7d 6c 5h", "1:press 1:stand").boxes[0].pressed) == 1
    with refused("633a.7(i)(2)", "'press.upcard_luck' is not a decision"):
        played(BOTH, SEVENS, "7c 7h 7d 6c 5h", "1:press.upcard_luck 1:stand")


@pytest.mark.clause("633c.11(g)#2", "633a.7(g)(10)(ii)(C)")
def test_a_double_beside_two_presses_matches_that_of_house_money() -> None:
    whole = rules_for(KEY, HOUSE, trilux_deluxe_double="wager_and_press")
    said = f"1:press.{KEY}=50 1:press.{HOUSE}"
    drawn = "7c 7h 7d 6c 4c 5h"
    for rules, chosen, doubled in ((BOTH, "double=25", 25_00), (whole, "double=25", 25_00), (whole, "double", 75_00)):
        assert only(played(rules, SEVENS, drawn, f"{said} 1:{chosen}")).double == doubled
    for rules in (BOTH, whole):
        with refused("633a.7(g)(10)(ii)(C)", "must match the whole $25.00"):
            played(rules, SEVENS, drawn, f"{said} 1:double=24.50")
    with refused("633a.10(a)", "on a wager of $25.00"):
        played(BOTH, SEVENS, drawn, f"{said} 1:double=25.50")
