"""Dead hands and void rounds give the wagers back: 633a.14, 590.13, 635a.13."""

from __future__ import annotations

import pytest
from settle_cases import box, cards, hand, one, paid, rules, settled, table_round
from shoetool.rules.round import Box, Hand
from shoetool.rules.rule_error import RuleError
from shoetool.settle.engine import settle
from wagers_offered import offering


@pytest.mark.clause("633a.14(g) none", "633a.14(g) one", "633a.14(i)", "590.13(g)", "590.13(h)")
@pytest.mark.clause("635a.13(h)", "635a.13(i)")
@pytest.mark.parametrize(
    ("game", "text", "clause"),
    [
        ("blackjack", "", "633a.14(g) none"),
        ("blackjack", "9H", "633a.14(g) one"),
        ("blackjack", "9H 3C", "633a.14(i)"),
        ("free_bet", "", "590.13(g)"),
        ("free_bet", "9H", "590.13(g)"),
        ("free_bet", "9H 3C 2D", "590.13(h)"),
        ("spanish_21", "", "635a.13(h)"),
        ("spanish_21", "9H", "635a.13(h)"),
        ("spanish_21", "9H 3C", "635a.13(i)"),
    ],
)
@pytest.mark.parametrize("dealer", ["9D 9C", "AC KD"])
def test_a_dead_hand_gets_its_wager_back(game: str, text: str, clause: str, dealer: str) -> None:
    dead = box(hand(text, "dead"), initial=(text,))
    settlement = settled(game, dealer, dead, box(hand("JH 8C"), position=2))
    line = one(settlement)
    assert paid(line) == ("dead", clause, 0)
    assert line.returned == 10_00
    assert line.stage == ("in_turn" if len(text.split()) > 1 else "after_deal")


@pytest.mark.clause("633a.14(i)")
def test_a_dead_split_hand_does_not_touch_the_other() -> None:
    halves = [hand("8H 4C", "dead", from_split=True), hand("8C KD", from_split=True)]
    assert settled("blackjack", "9D 8S", box(*halves, initial=("8H 8C",))).net(1) == 10_00


VOIDS = [
    ("blackjack", "633a.14(j)(1)"),
    ("spanish_21", "635a.13(j)(1)"),
    ("spanish_21", "635a.13(a) more"),
    ("spanish_21", "635a.13(b) more"),
]


@pytest.mark.clause("633a.14(j)(1)", "635a.13(j)(1)", "635a.13(a) more", "635a.13(b) more")
@pytest.mark.parametrize(("game", "clause"), VOIDS)
def test_a_void_round_returns_every_wager_whatever_the_cards(game: str, clause: str) -> None:
    key = "match_the_dealer" if game == "blackjack" else "spanish_match_the_dealer"
    side = {key: 5_00}
    boxes = [
        box(hand("9H 9C", "dead", double=4_00), position=1, side=side, insurance=5_00),
        box(hand("AH KC", "dead"), position=3),
        Box(5, 20_00, ((),), ()),
    ]
    settlement = settle(table_round(game, "9D", *boxes, void=clause), offering(rules(game), key))
    assert {(line.outcome, line.clause, line.net) for line in settlement.lines} == {("returned", clause, 0)}
    staked = [(line.position, line.wager, line.returned) for line in settlement.lines]
    assert sorted(staked) == [
        *((1, "double", 4_00), (1, "insurance", 5_00), (1, "main", 10_00), (1, key, 5_00)),
        *((3, "main", 10_00), (5, "main", 20_00)),
    ]
    assert (list(settlement.nets), settlement.tray, settlement.house) == ([0] * 8, 0, 0)


def test_a_void_round_of_switch_before_a_card_returns_both_wagers() -> None:
    boxes = [Box(2, 10_00, ((), ()), ())]
    settlement = settle(table_round("switch", "", *boxes, void="633a.14(j)(1)"), rules("switch"))
    assert [(line.hand, line.returned) for line in settlement.lines] == [(1, 10_00), (2, 10_00)]


@pytest.mark.clause("633a.14(c) refusal")
@pytest.mark.parametrize("game", ["blackjack", "switch", "from_the_hand", "free_bet", "spanish_21"])
@pytest.mark.parametrize(("dealer", "result"), [("6H KC 9D", 1), ("9H 8C", -1)])
def test_the_second_hand_of_a_split_stands_on_one_card_after_its_player_refused_the_next(
    game: str, dealer: str, result: int
) -> None:
    """The text gives him no more cards, and his wager still meets the dealer's total."""
    hands = [hand("8H 5D", from_split=True), hand("8C", from_split=True)]
    line = one(settled(game, dealer, box(*hands, initial=("8H 8C",))), hand=2)
    assert line.net == 10_00 * result
    assert line.words.startswith("8")


@pytest.mark.parametrize("one_card", [hand("8C", "twenty_one", from_split=True), hand("8C")])
def test_no_other_hand_stands_on_one_card(one_card: Hand) -> None:
    with pytest.raises(RuleError, match="fewer than two cards"):
        settled("blackjack", "9H 8C", box(hand("8H 5D", from_split=True), one_card, initial=("8H 8C",)))


def test_a_card_the_dealer_drew_by_accident_changes_nothing() -> None:
    """633a.14(d): it is not among the dealer's cards."""
    played = table_round("blackjack", "9H 8C", box(hand("10H 8C")), draws_discarded=cards("4D"))
    assert one(settle(played, rules("blackjack"))).outcome == "higher"


def test_a_hand_without_money_has_no_line() -> None:
    """A record without wagers: procedure alone."""
    settlement = settled("blackjack", "9H 8C", box(Hand(1, cards("10H 8C"), 0), wager=0))
    assert (settlement.lines, settlement.net(1)) == ((), 0)


@pytest.mark.parametrize(
    ("game", "of_double", "of_split"),
    [
        ("blackjack", "633a.10(a)", "633a.11(a)"),
        ("switch", "633a.10(a)", "633a.11(a)"),
        ("from_the_hand", "633a.10(a)", "633a.11(a)"),
        ("spanish_21", "635a.10(a)", "635a.11(a)"),
    ],
)
@pytest.mark.parametrize("end", ["stand", "bust", "dead"])
def test_a_lammer_is_refused_where_there_is_none(game: str, of_double: str, of_split: str, end: str) -> None:
    text = "9H 5C KD" if end == "bust" else "9H 5C 3D"
    initial = ("9H 5C", "9H 8C") if game == "switch" else None
    for field, clause in (("free_double", of_double), ("lammer", of_split)):
        hands = box(hand(text, end, **{field: 10_00}), initial=initial)
        with pytest.raises(RuleError, match="lammer, which only Free Bet Blackjack has") as refused:
            settled(game, "9D 8S", hands)
        assert refused.value.clause.startswith(clause), refused.value.clause


@pytest.mark.clause("633a.14(j)(1)")
def test_a_wager_that_is_returned_comes_from_where_it_was_placed() -> None:
    """An electronic wager never was in the tray."""
    table = offering(rules("blackjack"), "lucky_ladies", "bad_beat")
    side = {"lucky_ladies": 5_00, "bad_beat": 1_00}
    found = settle(table_round("blackjack", "AC", box(hand("10H 6C"), side=side), void="633a.14(j)(1)"), table)
    assert [(one(found, key).source, one(found, key).net) for key in side] == [("tray", 0), ("house", 0)]
