"""Doubled and split hands: 633a.10-11 and 635a.10-11; a dealer's Blackjack takes only the original wager."""

from __future__ import annotations

import pytest
from settle_cases import box, hand, one, paid, settled, settled_unread

GAMES = [("blackjack", "633a"), ("from_the_hand", "633a"), ("spanish_21", "635a")]


@pytest.mark.clause("633a.10(a)", "633a.13(a)", "635a.10(c)")
@pytest.mark.parametrize(
    ("game", "win", "clause"),
    [("blackjack", "633a.7(p)(2)", "633a.13(a)"), ("spanish_21", "635a.7(n)(2)", "635a.10(c)")],
)
def test_a_winning_double_is_paid_1_to_1_beside_the_wager(game: str, win: str, clause: str) -> None:
    settlement = settled(game, "9H 8C", box(hand("6H 5C 9D", "doubled", double=10_00)))
    assert paid(one(settlement)) == ("higher", win, 10_00)
    assert paid(one(settlement, "double")) == ("higher", clause, 10_00)
    assert settlement.net(1) == 20_00


@pytest.mark.clause("633a.10(a)", "635a.10(a) amount")
@pytest.mark.parametrize("game", ["blackjack", "spanish_21"])
def test_a_double_for_less_wins_or_loses_its_own_amount(game: str) -> None:
    less = box(hand("6H 5C 9D", "doubled", double=3_00))
    assert settled(game, "9H 8C", less).net(1) == 13_00
    assert settled(game, "7H 3C 5D 6D", less).net(1) == -13_00


def test_a_tied_double_is_returned_with_the_wager() -> None:
    settlement = settled("blackjack", "9H 8C", box(hand("6H 5C 6D", "doubled", double=10_00)))
    assert paid(one(settlement, "double")) == ("tie", "633a.7(q) tie", 0)


def test_a_doubled_hand_over_21_loses_both_wagers_at_once() -> None:
    settlement = settled("blackjack", "6H 10C 9D", box(hand("6H 6C KD", "bust", double=10_00)))
    assert [(line.wager, line.net, line.stage) for line in settlement.lines] == [
        ("main", -10_00, "in_turn"),
        ("double", -10_00, "in_turn"),
    ]


@pytest.mark.clause("633a.10(c)")
def test_a_double_that_lies_face_down_is_settled_when_it_is_turned() -> None:
    over = box(hand("6H 6C KD", "bust", double=10_00))
    line = one(settled("blackjack", "6H 10C 9D", over, double_face_down=True), "double")
    assert (line.stage, line.net) == ("main", -10_00)


@pytest.mark.clause("633a.10(b)", "635a.10(b)")
@pytest.mark.parametrize(("game", "chapter"), GAMES)
def test_a_dealers_blackjack_takes_the_wager_and_gives_the_double_back(game: str, chapter: str) -> None:
    settlement = settled_unread(game, "AC KD", box(hand("6H 5C 9D", "doubled", double=10_00)))
    assert one(settlement).net == -10_00
    double = one(settlement, "double")
    assert paid(double) == ("double_returned", f"{chapter}.10(b)", 0)
    assert double.returned == 10_00


@pytest.mark.clause("633a.11(d)", "635a.11(d)")
@pytest.mark.parametrize(("game", "chapter"), GAMES)
def test_a_dealers_blackjack_takes_one_wager_of_a_split_pair(game: str, chapter: str) -> None:
    halves = [hand(text, from_split=True) for text in ("8H KC", "8C 9D", "8D 7C")]
    settlement = settled_unread(game, "AC KD", box(*halves, initial=("8H 8C",)))
    assert one(settlement, hand=1).net == -10_00
    for number in (2, 3):
        assert paid(one(settlement, hand=number)) == ("split_returned", f"{chapter}.11(d)", 0)
    assert settlement.net(1) == -10_00


@pytest.mark.clause("633a.10(b)", "633a.11(d)")
def test_of_split_and_doubled_hands_it_takes_only_the_original_wager() -> None:
    halves = [hand("8H 3C KC", "doubled", from_split=True, double=10_00), hand("8C 9D", from_split=True)]
    assert settled_unread("blackjack", "AC KD", box(*halves, initial=("8H 8C",))).net(1) == -10_00


@pytest.mark.clause("633a.11(d)")
def test_a_split_hand_that_went_over_21_before_has_already_lost_the_one_wager() -> None:
    halves = [hand("8H 7C KC", "bust", from_split=True), hand("8C 9D", from_split=True)]
    settlement = settled_unread("blackjack", "AC KD", box(*halves, initial=("8H 8C",)))
    assert one(settlement, hand=1).outcome == "bust"
    assert paid(one(settlement, hand=2)) == ("split_returned", "633a.11(d)", 0)


@pytest.mark.clause("633a.11(a)", "635a.11(a)")
@pytest.mark.parametrize("game", ["blackjack", "spanish_21"])
def test_every_split_hand_is_settled_by_itself(game: str) -> None:
    halves = [hand("8H KC", from_split=True), hand("8C 9D", from_split=True), hand("8D 7C KH", "bust", from_split=True)]
    settlement = settled(game, "9H 8D", box(*halves, initial=("8H 8C",)))
    assert [one(settlement, hand=number).net for number in (1, 2, 3)] == [10_00, 0, -10_00]


@pytest.mark.clause("635a.10(d)")
def test_a_rescued_double_goes_back_and_the_wager_is_forfeited() -> None:
    settlement = settled("spanish_21", "9H 8D", box(hand("6H 5C 2D", "rescued", double=10_00)))
    assert paid(one(settlement)) == ("rescued", "635a.10(d)", -10_00)
    double = one(settlement, "double")
    assert paid(double) == ("rescued", "635a.10(d)", 0)
    assert (double.returned, double.stage) == (10_00, "in_turn")


@pytest.mark.clause("635a.10(c)", "635a.12(b)")
@pytest.mark.parametrize("text", ["6H 7C 8D", "7H 7H 7H", "2H 3H 4H 5H 7C", "2H 2D 2C 3H 4H 8D"])
def test_a_doubled_hand_gets_no_bonus(text: str) -> None:
    settlement = settled("spanish_21", "9H 8D", box(hand(text, "doubled", double=10_00)))
    assert paid(one(settlement)) == ("higher", "635a.7(n)(2)", 10_00)
    assert paid(one(settlement, "double")) == ("higher", "635a.10(c)", 10_00)
