"""Blackjack Switch: what 633a.12(a)(5) changes for Blackjacks, switched Blackjacks and a dealer's 22."""

from __future__ import annotations

import pytest
from settle_cases import box, hand, one, paid, settled, settled_unread
from shoetool.rules.round import Box, Hand

OTHER = hand("10S 10D")


def two(first: Hand, second: Hand = OTHER) -> Box:
    return box(first, second, initial=("AH KC", "10S 10D"))


NATURAL = two(hand("AH KC", "blackjack"))
SWITCHED = two(hand("AH KC", "twenty_one", switched=True), hand("10S 9D", switched=True))


@pytest.mark.clause("633a.12(a)(5)(i)")
@pytest.mark.parametrize("dealer", ["7H 4C KD", "KH 4C 7D", "5H 5C 5D 6D"])
def test_a_blackjack_is_paid_1_to_1_against_a_21_in_more_than_two_cards(dealer: str) -> None:
    line = one(settled("switch", dealer, NATURAL), hand=1)
    assert paid(line) == ("blackjack_dealer_21", "633a.12(a)(5)(i)", 10_00)
    assert line.odds is not None and line.odds.text == "1 to 1"
    assert line.stage == "main"


@pytest.mark.clause("633a.13(a)")
@pytest.mark.parametrize(
    ("dealer", "clause"), [("9H 8C", "633a.7(p)(2)"), ("KH 9C", "633a.7(p)(2)"), ("KH 6C 7D", "633a.7(p)(1)")]
)
def test_else_it_is_paid_3_to_2(dealer: str, clause: str) -> None:
    assert paid(one(settled("switch", dealer, NATURAL), hand=1)) == ("blackjack", clause, 15_00)


@pytest.mark.clause("633a.12(a)(5)(ii)")
def test_blackjack_against_blackjack_is_returned() -> None:
    line = one(settled("switch", "AC KD", NATURAL), hand=1)
    assert paid(line) == ("blackjack_tie", "633a.12(a)(5)(ii)", 0)


@pytest.mark.clause("633a.12(a)(5)(iii)")
def test_a_switched_blackjack_counts_21_and_loses_to_a_blackjack() -> None:
    """Reading 59: it cannot follow a peek."""
    line = one(settled_unread("switch", "AC KD", SWITCHED), hand=1)
    assert paid(line) == ("switched_dealer_blackjack", "633a.12(a)(5)(iii)", -10_00)


@pytest.mark.clause("633a.12(a)(5)(iv)")
@pytest.mark.parametrize("dealer", ["7H 4C KD", "6H 6C KD"])
def test_a_switched_blackjack_is_returned_against_21_and_22(dealer: str) -> None:
    line = one(settled("switch", dealer, SWITCHED), hand=1)
    assert paid(line) == ("switched_dealer_21_or_22", "633a.12(a)(5)(iv)", 0)


@pytest.mark.clause("633a.12(a)(5)(iii)")
@pytest.mark.parametrize("dealer", ["AC KD", "7H 4C KD", "6H 6C KD"])
def test_a_21_in_three_cards_after_a_switch_is_no_blackjack_switched_to(dealer: str) -> None:
    drawn = two(hand("5H 6C KD", "twenty_one", switched=True), hand("10S 9D", switched=True))
    line = one(settled_unread("switch", dealer, drawn), hand=1)
    assert "switched" not in line.outcome and "switched" not in paid(line)[0]


def test_a_switched_blackjack_is_a_21_that_is_paid_1_to_1() -> None:
    assert paid(one(settled("switch", "9H 8C", SWITCHED), hand=1)) == ("higher", "633a.7(p)(2)", 10_00)
    assert paid(one(settled("switch", "6H 7C KD", SWITCHED), hand=1)) == ("dealer_bust", "633a.7(p)(1)", 10_00)


@pytest.mark.clause("633a.12(a)(5)(v)")
@pytest.mark.parametrize(
    "player",
    [hand("10H 2C"), hand("10H 9C"), hand("5H 6C KC", "twenty_one"), hand("AH KC", "blackjack")],
)
def test_a_dealers_22_returns_every_wager_on_21_or_less(player: Hand) -> None:
    """Reading 58: a Blackjack is held for it."""
    line = one(settled("switch", "6H 6C KD", two(player)), hand=1)
    assert paid(line) == ("dealer_22", "633a.12(a)(5)(v)", 0)


def test_a_dealers_22_returns_a_double_and_still_takes_a_hand_over_21() -> None:
    doubled = two(hand("6H 5C 9D", "doubled", double=10_00), hand("10S 6D 9D", "bust"))
    settlement = settled("switch", "6H 6C KD", doubled)
    assert paid(one(settlement, "double")) == ("dealer_22", "633a.12(a)(5)(v)", 0)
    assert paid(one(settlement, hand=2, wager="main")) == ("bust", "633a.7(p)(2)", -10_00)


@pytest.mark.clause("633a.12(a)(5)(i)", "633a.12(a)(5)(ii)", "633a.12(a)(5)(v)")
@pytest.mark.parametrize(
    ("dealer", "outcome"),
    [
        ("6H 6C KD", ("blackjack", "633a.7(p)(1)", 15_00)),
        ("6H 6C 9D", ("blackjack_dealer_21", "633a.12(a)(5)(i)", 10_00)),
        ("KH 5C 6D", ("blackjack_dealer_21", "633a.12(a)(5)(i)", 10_00)),
        ("6H 5C 9D", ("blackjack", "633a.7(p)(2)", 15_00)),
        ("KH AC", ("blackjack_tie", "633a.12(a)(5)(ii)", 0)),
    ],
)
def test_a_table_may_exempt_a_blackjack_from_the_dealers_22_and_from_nothing_else(
    dealer: str, outcome: tuple[str, str, int]
) -> None:
    """Reading 58, the other way."""
    assert paid(one(settled("switch", dealer, NATURAL, switch_hold_blackjack=False), hand=1)) == outcome
    if dealer.endswith("KD"):
        other = one(settled("switch", dealer, NATURAL, switch_hold_blackjack=False), hand=2)
        assert (other.clause, other.net) == ("633a.12(a)(5)(v)", 0)


@pytest.mark.clause("633a.12(a)(5)(iv)")
@pytest.mark.parametrize(
    ("dealer", "outcome"),
    [("6H 6C KD", ("dealer_22", "633a.12(a)(5)(v)", 0)), ("6H 6C 9D", ("tie", "633a.7(q) tie", 0))],
)
def test_an_ace_and_a_ten_that_a_split_made_are_no_blackjack_switched_to(
    dealer: str, outcome: tuple[str, str, int]
) -> None:
    halves = [
        hand("AH KC", "twenty_one", from_split=True, switched=True),
        hand("AC 7D", from_split=True, switched=True),
    ]
    other = hand("6S 3C", switched=True)
    settlement = settled("switch", dealer, box(*halves, other, initial=("AH 3C", "6S AC")))
    assert paid(one(settlement, hand=1)) == outcome


@pytest.mark.clause("633a.12(a)(1)")
def test_both_hands_are_settled_by_themselves() -> None:
    settlement = settled("switch", "9H 9C", two(hand("10H 7C"), hand("10S 9D")))
    assert [one(settlement, hand=number).net for number in (1, 2)] == [-10_00, 10_00]


@pytest.mark.clause("633a.11(d)")
def test_a_dealers_blackjack_takes_both_original_wagers_and_gives_the_split_back() -> None:
    hands = [hand("8H 9C", from_split=True), hand("8C KC", from_split=True), hand("10S 9D")]
    settlement = settled_unread("switch", "AC KD", box(*hands, initial=("8H 8C", "10S 9D")))
    assert settlement.net(1) == -20_00
