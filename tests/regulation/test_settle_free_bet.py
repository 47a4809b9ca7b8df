"""Free Bet Blackjack: lammers, the push on 22, tucked wagers; 590.7(g)-(q), 590.10-12."""

from __future__ import annotations

import pytest
from settle_cases import box, hand, one, paid, rules, settled, table_round
from shoetool.rules.round import Hand
from shoetool.settle.engine import settle
from wagers_offered import offering

FREE = hand("6H 5C 9D", "doubled", free_double=10_00)
SPLIT = (
    hand("8H 10C", from_split=True),
    hand("8C 10D", stake=0, lammer=10_00, from_split=True),
)


@pytest.mark.clause("590.7(o)(2)", "590.12(a)", "590.10(a)(1)")
def test_a_free_double_that_wins_pays_the_wager_and_as_much_for_the_lammer() -> None:
    settlement = settled("free_bet", "9H 8C", box(FREE))
    assert paid(one(settlement)) == ("higher", "590.7(o)(2)", 10_00)
    lammer = one(settlement, "lammer")
    assert paid(lammer) == ("higher", "590.7(o)(2)", 10_00)
    assert (lammer.staked, lammer.returned, lammer.won) == (0, 0, 10_00)
    assert lammer.odds is not None and lammer.odds.text == "1 to 1"


@pytest.mark.clause("590.7(o)(1)")
def test_it_wins_too_when_the_dealer_is_over_22() -> None:
    settlement = settled("free_bet", "6H 7C KD", box(FREE))
    assert paid(one(settlement)) == ("dealer_bust", "590.7(o)(1)", 10_00)
    assert paid(one(settlement, "lammer")) == ("dealer_bust", "590.7(o)(1)", 10_00)


@pytest.mark.clause("590.7(n)(1)", "590.7(o)(1)")
def test_a_dealers_22_returns_the_wager_and_takes_the_lammer() -> None:
    settlement = settled("free_bet", "6H 6C KD", box(FREE))
    assert paid(one(settlement)) == ("dealer_22", "590.7(n)(1)", 0)
    assert paid(one(settlement, "lammer")) == ("collected", "590.7(n)(1)", 0)


@pytest.mark.clause("590.7(p)")
def test_a_tie_returns_the_wager_and_takes_the_lammer() -> None:
    settlement = settled("free_bet", "KH 10C", box(FREE))
    assert paid(one(settlement)) == ("tie", "590.7(p)", 0)
    assert paid(one(settlement, "lammer")) == ("collected", "590.7(p)", 0)


@pytest.mark.clause("590.7(q)(2)")
def test_a_lower_total_loses_the_wager_and_the_lammer() -> None:
    settlement = settled("free_bet", "KH 4C 7D", box(FREE))
    assert paid(one(settlement)) == ("lower", "590.7(q)(2)", -10_00)
    assert paid(one(settlement, "lammer")) == ("collected", "590.7(q)(2)", 0)


@pytest.mark.clause("590.7(q)(1)")
@pytest.mark.parametrize("dealer", ["9H 8C", "6H 6C KD", "6H 7C KD"])
def test_a_hand_over_21_loses_whatever_the_dealer_has(dealer: str) -> None:
    """Reading 63: a dealer over 21 changes nothing."""
    line = one(settled("free_bet", dealer, box(hand("10H 6C 7D", "bust"))))
    assert paid(line) == ("bust", "590.7(q)(1)", -10_00)
    assert line.stage == "in_turn"


@pytest.mark.clause("590.10(a)(2)")
def test_a_paid_double_is_money_of_its_own() -> None:
    doubled = box(hand("7H 5C 8D", "doubled", double=6_00))
    assert settled("free_bet", "9H 8C", doubled).net(1) == 16_00
    assert settled("free_bet", "6H 6C KD", doubled).net(1) == 0
    assert settled("free_bet", "KH 4C 7D", doubled).net(1) == -16_00


@pytest.mark.clause("590.11(b)(2)(i)-(ii)", "590.11(b)(2)")
def test_a_free_split_has_the_real_wager_on_the_first_hand_and_the_lammer_on_the_second() -> None:
    won = settled("free_bet", "9H 8C", box(*SPLIT, initial=("8H 8C",)))
    assert paid(one(won, hand=1)) == ("higher", "590.7(o)(2)", 10_00)
    assert paid(one(won, "lammer", hand=2)) == ("higher", "590.7(o)(2)", 10_00)
    lost = settled("free_bet", "KH 9C", box(*SPLIT, initial=("8H 8C",)))
    assert lost.net(1) == -10_00
    assert one(lost, "lammer", hand=2).outcome == "collected"


@pytest.mark.clause("590.11(b)(1)")
def test_a_pair_of_tens_is_split_with_real_money() -> None:
    halves = [hand("KH 8C", from_split=True), hand("10C 9D", from_split=True)]
    assert settled("free_bet", "10H 9C", box(*halves, initial=("KH 10C",))).net(1) == -10_00


@pytest.mark.clause("590.10(b)")
def test_a_doubled_hand_of_a_free_split_carries_two_lammers() -> None:
    """Reading 62."""
    both = hand("8C 3D KC", "doubled", stake=0, lammer=10_00, free_double=10_00, from_split=True)
    settlement = settled("free_bet", "9H 8C", box(SPLIT[0], both, initial=("8H 8C",)))
    lammers = [line for line in settlement.lines if line.wager == "lammer"]
    assert [(line.hand, line.net) for line in lammers] == [(2, 10_00), (2, 10_00)]
    assert ["split" in line.words for line in lammers] == [True, False]
    assert settlement.net(1) == 30_00


@pytest.mark.clause("590.11(c) bust")
@pytest.mark.parametrize(("held", "end"), [("8H 6D 10C", "bust"), ("8H 6D 10C", "doubled"), ("8H 4D 10C", "bust")])
def test_the_wager_of_a_first_split_hand_over_21_is_tucked_until_the_others_are_settled(held: str, end: str) -> None:
    """However the record calls its end, and however little it is over."""
    over = hand(held, end, from_split=True)
    settlement = settled("free_bet", "9H 8C", box(over, SPLIT[1], initial=("8H 8C",)))
    line = one(settlement, hand=1)
    assert paid(line) == ("bust", "590.11(c) bust", -10_00)
    assert line.stage == "main"


@pytest.mark.clause("590.11(c) bust")
def test_or_until_they_are_over_21_as_well() -> None:
    over = hand("8H 6D 10C", "bust", from_split=True)
    other = hand("8C 6D 10C", "bust", stake=0, lammer=10_00, from_split=True)
    line = one(settled("free_bet", "9H 8C", box(over, other, initial=("8H 8C",))), hand=1)
    assert paid(line) == ("bust", "590.7(q)(1)", -10_00)


@pytest.mark.clause("590.11(c) bust")
def test_a_later_split_hand_over_21_is_not_tucked_though_it_has_a_wager() -> None:
    """Ten-count cards split with money; the clause tucks the first split hand under the original wager."""
    later = hand("KC 6D 10C", "bust", from_split=True)
    settlement = settled("free_bet", "9H 8C", box(hand("KH 9C", from_split=True), later, initial=("KH KC",)))
    line = one(settlement, hand=2)
    assert paid(line) == ("bust", "590.7(q)(1)", -10_00)
    assert line.stage == "in_turn"


@pytest.mark.clause("590.7(h)(1)", "590.12(a)")
@pytest.mark.parametrize("dealer", ["9H 8C", "KH 7C", "AH 8C", "6H 6C KD"])
def test_a_blackjack_is_paid_3_to_2_in_turn_so_that_a_22_cannot_push_it(dealer: str) -> None:
    line = one(settled("free_bet", dealer, box(hand("AH KC", "blackjack"))))
    assert paid(line) == ("blackjack", "590.7(h)(1)", 15_00)
    assert line.stage == "in_turn"


@pytest.mark.clause("590.7(g)(1)", "590.7(g)(2)")
def test_a_dealers_blackjack_returns_a_blackjack_takes_the_rest_and_every_push_22() -> None:
    side = {"push_22": 5_00}
    with_blackjack = box(hand("AH KC", "blackjack"), side=side, insurance=5_00)
    without = box(hand("9H 9C", "dealer_blackjack"), position=2, side=side)
    settlement = settle(
        table_round("free_bet", "AC KD", with_blackjack, without), offering(rules("free_bet"), "push_22")
    )
    assert paid(one(settlement)) == ("blackjack_tie", "590.7(g)(1)", 0)
    assert paid(one(settlement, position=2)) == ("dealer_blackjack", "590.7(g)(2)", -10_00)
    assert one(settlement, "insurance").net == 10_00
    assert [one(settlement, "push_22", position=position).net for position in (1, 2)] == [-5_00, -5_00]
    assert {line.stage for line in settlement.lines} == {"after_reader"}


@pytest.mark.clause("590.7(n)(1)", "590.7(n)(2)")
@pytest.mark.parametrize(("dealer", "order"), [("6H 6C KD", ["main", "push_22"]), ("9H 8C", ["push_22", "main"])])
def test_push_22_is_collected_before_the_main_wagers_and_paid_after_them(dealer: str, order: list[str]) -> None:
    played = table_round("free_bet", dealer, box(hand("10H 9C"), side={"push_22": 5_00}))
    settlement = settle(played, offering(rules("free_bet"), "push_22"))
    assert [line.wager for line in settlement.lines] == order


@pytest.mark.parametrize("one_hand", [FREE, SPLIT[1]])
def test_money_is_conserved_where_lammers_win(one_hand: Hand) -> None:
    settlement = settled("free_bet", "9H 8C", box(one_hand))
    assert settlement.tray == -settlement.net(1) < 0
