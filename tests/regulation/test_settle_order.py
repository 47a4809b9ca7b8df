"""In which order the wagers of a round are settled: 633a.7(g)-(r), 590.7(r), 635a.7(p)."""

from __future__ import annotations

import pytest
from settle_cases import box, hand, rules, settled, table_round
from shoetool.rules.round import Settlement
from shoetool.settle.engine import settle
from wagers_offered import offering


def order(settlement: Settlement) -> list[tuple[int | None, str]]:
    return [(line.position, line.wager) for line in settlement.lines]


WIN, LOSE, TIE = hand("10H 9C"), hand("10H 6C"), hand("10H 7C")


@pytest.mark.clause("633a.7(r)(1)", "590.7(r)(1)-(2)", "635a.7(p)(1)-(2)")
@pytest.mark.parametrize("game", ["blackjack", "free_bet", "spanish_21"])
def test_procedure_1_collects_all_losers_from_the_dealers_right_and_then_pays(game: str) -> None:
    boxes = [box(one, position=position) for position, one in enumerate((WIN, LOSE, TIE, LOSE), start=1)]
    settlement = settled(game, "9H 8C", *boxes, settlement_procedure=1)
    assert [line.position for line in settlement.lines] == [4, 2, 3, 1]


@pytest.mark.clause("633a.7(r)(2)", "590.7(r)(1)-(2)", "635a.7(p)(1)-(2)")
@pytest.mark.parametrize("game", ["blackjack", "free_bet", "spanish_21"])
def test_procedure_2_goes_seat_by_seat_from_the_dealers_right(game: str) -> None:
    boxes = [box(one, position=position) for position, one in enumerate((WIN, LOSE, TIE, LOSE), start=1)]
    settlement = settled(game, "9H 8C", *boxes, settlement_procedure=2)
    assert [line.position for line in settlement.lines] == [4, 3, 2, 1]


@pytest.mark.clause("633a.7(i)", "633a.7(i)(1)(i)")
def test_what_is_settled_in_turn_goes_from_the_dealers_left() -> None:
    boxes = [
        box(hand("AH KC", "blackjack"), position=1),
        box(hand("10H 6C", "surrendered"), position=2),
        box(hand("10H 6C 8D", "bust"), position=3),
        box(WIN, position=4),
    ]
    settlement = settled("blackjack", "9H 8C", *boxes)
    assert [(line.position, line.stage) for line in settlement.lines] == [
        (1, "in_turn"),
        (2, "in_turn"),
        (3, "in_turn"),
        (4, "main"),
    ]


@pytest.mark.clause("633a.7(g)", "633a.7(h) result", "633a.7(o)", "633a.8(d)")
def test_a_round_goes_from_optional_wagers_over_the_reader_and_the_turns_to_the_main_wagers() -> None:
    side = {"lucky_ladies": 5_00, "hit_and_run": 1_00}
    boxes = [
        box(hand("10H JC"), position=1, side=side, insurance=5_00),
        box(hand("9H 7C", "surrendered"), position=2),
        box(hand("AH KC", "blackjack"), position=3),
        box(hand("10H 6C 8D", "bust"), position=5, side={"lucky_ladies": 5_00}, insurance=5_00),
    ]
    table = offering(rules("blackjack", hold_blackjack=True), *side)
    settlement = settle(table_round("blackjack", "AC 7D", *boxes), table)
    assert order(settlement) == [
        (5, "lucky_ladies"),
        (1, "lucky_ladies"),
        (5, "insurance"),
        (1, "insurance"),
        (2, "main"),
        (5, "main"),
        (3, "main"),
        (1, "hit_and_run"),
        (1, "main"),
    ]
    assert [line.stage for line in settlement.lines] == [
        *("after_deal", "after_deal", "after_reader", "after_reader", "in_turn", "in_turn", "hole_card"),
        *("after_all", "main"),
    ]


@pytest.mark.clause("633a.7(h) result")
@pytest.mark.parametrize(
    ("procedure", "expected"),
    [
        (1, [(4, "main"), (2, "main"), (4, "insurance"), (1, "main")]),
        (2, [(4, "insurance"), (4, "main"), (2, "main"), (1, "main")]),
    ],
)
def test_a_dealers_blackjack_settles_what_is_left_by_the_tables_procedure(
    procedure: int, expected: list[tuple[int, str]]
) -> None:
    boxes = [
        box(hand("AH KC", "blackjack"), position=1),
        box(hand("9H 7C", "dealer_blackjack"), position=2),
        box(hand("9H 7C", "dealer_blackjack"), position=4, insurance=5_00),
    ]
    settlement = settled("blackjack", "AC KD", *boxes, settlement_procedure=procedure)
    assert order(settlement) == expected


@pytest.mark.clause("633a.7(g)(4) defer", "633a.7(g)(10)(i)(A)", "633a.7(h) result")
@pytest.mark.parametrize("procedure", [1, 2])
def test_at_a_dealers_blackjack_royal_match_and_house_money_go_before_the_main_wager(procedure: int) -> None:
    """Losers first does not change it: the Royal Match is paid before the player's main wager is settled."""
    side = {"royal_match_21": 5_00, "house_money": 5_00}
    royal = box(hand("KH QH", "dealer_blackjack"), position=1, side=side)
    table = offering(rules("blackjack", settlement_procedure=procedure), *side)
    boxes = [royal, box(hand("9H 7C", "dealer_blackjack"), position=2)]
    lines = order(settle(table_round("blackjack", "KC AD", *boxes), table))
    own = [wager for position, wager in lines if position == 1]
    assert own == ["royal_match_21", "house_money", "main"]


def test_hands_of_one_box_go_from_the_dealers_right_with_the_double_after_its_wager() -> None:
    halves = [hand("8H KC", from_split=True), hand("8C 3D 9C", "doubled", double=10_00, from_split=True)]
    settlement = settled("blackjack", "9H 8C", box(*halves, initial=("8H 8C",)), settlement_procedure=2)
    assert [(line.hand, line.wager) for line in settlement.lines] == [(2, "main"), (2, "double"), (1, "main")]
