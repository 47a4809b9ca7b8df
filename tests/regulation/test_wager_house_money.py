"""House Money with its press, and Push 22 of Free Bet Blackjack."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from shoetool.rules.round import Hand, Line, Stage
from shoetool.rules.rule_error import RuleError
from wager_table import box_of, cards, lines_of, one_line, rules_for


@pytest.mark.clause(
    *("633a.6(e)(12)", "633a.13(n)(1)", "633a.13(n)(2)", "633a.1 Ace-king suited"),
    *("633a.1 Two-card straight", "633a.1 Two-card straight flush"),
)
@pytest.mark.parametrize(
    ("held", "outcome"),
    [
        ("AC KC", "ace_king_suited"),
        ("KS AS", "ace_king_suited"),
        ("AC KD", "two_card_straight"),
        ("AC 2D", "two_card_straight"),
        ("AC 2C", "two_card_straight_flush"),
        ("9C 10C", "two_card_straight_flush"),
        ("KD QD", "two_card_straight_flush"),
        ("7C 7D", "pair"),
        ("7C 7C", "pair"),
        ("KC 2D", "lost"),
        ("QC AC", "lost"),
        ("10C QD", "lost"),
    ],
)
def test_house_money_pays_the_best_row(held: str, outcome: str) -> None:
    """Reading 18: the ace is next to the king and to the 2; ace-king suited has its own row."""
    assert one_line("house_money", held, "7S 10D").outcome == outcome


@pytest.mark.clause("633a.1 Two-card straight")
@pytest.mark.parametrize(
    ("ace", "with_king", "with_2", "suited_2"),
    [
        ("both", "two_card_straight", "two_card_straight", "two_card_straight_flush"),
        ("high", "two_card_straight", "lost", "lost"),
        ("low", "lost", "two_card_straight", "two_card_straight_flush"),
    ],
)
def test_the_setting_says_what_the_ace_is_next_to(ace: str, with_king: str, with_2: str, suited_2: str) -> None:
    assert one_line("house_money", "AC KD", "7S 10D", house_money_ace=ace).outcome == with_king
    assert one_line("house_money", "AC 2D", "7S 10D", house_money_ace=ace).outcome == with_2
    assert one_line("house_money", "AC 2C", "7S 10D", house_money_ace=ace).outcome == suited_2
    assert one_line("house_money", "AC KC", "7S 10D", house_money_ace=ace).outcome == "ace_king_suited"


@pytest.mark.clause("633a.7(g)(10)")
@pytest.mark.parametrize("up", ["2S", "AS", "KS"])
def test_a_losing_house_money_wager_is_collected_after_the_deal(up: str) -> None:
    line = one_line("house_money", "10C QD", f"{up} 9D")
    assert (line.outcome, line.stage, line.clause) == ("lost", Stage.AFTER_DEAL, "633a.7(g)(10)")


@pytest.mark.clause("633a.7(g)(10)(i)", "633a.7(g)(10)(i)(A)", "633a.7(g)(10)(i)(B)", "633a.7(g)(10)(ii)")
@pytest.mark.parametrize(
    ("dealer", "stage", "clause"),
    [
        ("AS KD", Stage.AFTER_READER, "633a.7(g)(10)(i)(A)"),
        ("10S AD", Stage.AFTER_READER, "633a.7(g)(10)(i)(A)"),
        ("AS 9D", Stage.AFTER_READER, "633a.7(g)(10)(i)(B)"),
        ("JS 9D", Stage.AFTER_READER, "633a.7(g)(10)(i)(B)"),
        ("2S 9D", Stage.AFTER_DEAL, "633a.7(g)(10)(ii)"),
        ("9S 9D", Stage.AFTER_DEAL, "633a.7(g)(10)(ii)"),
    ],
)
def test_a_winning_house_money_wager_waits_for_the_reader(dealer: str, stage: Stage, clause: str) -> None:
    line = one_line("house_money", "7C 7D", dealer)
    assert (line.outcome, line.stage, line.clause, line.won) == ("pair", stage, clause, 15_00)


def pressed(added: int, dealer: str = "7S 10D", held: str = "7C 7D", **changes: Any) -> Line:
    rules = rules_for("house_money", **changes)
    stake = 25_00 + added
    box = box_of(held, {"house_money": "5.00"}, hands=(Hand(1, cards(held), stake),), pressed={"house_money": added})
    return lines_of(rules, dealer, box)[0]


@pytest.mark.clause("633a.7(g)(10)(ii)(A)", "633a.7(g)(10)(ii)(B)", "633a.7(g)(10)(ii)(C)")
def test_winnings_that_are_pressed_are_won_and_noted() -> None:
    """The payout is the player's; pressed into the main wager it is lost or won there."""
    line = pressed(15_00)
    assert (line.won, line.returned) == (15_00, 5_00)
    assert ("633a.7(g)(10)(ii)(A)", "$15.00 of it was added to the Blackjack Wager") in line.notes
    assert pressed(0).notes == ()
    assert pressed(0, held="7C 9D").notes == (), "a wager that lost adds nothing"
    assert pressed(45_00, held="AC KC", dealer="AS 9D").won == 45_00


@pytest.mark.clause("633a.7(g)(10)(ii)(A)")
def test_only_the_winner_that_was_pressed_is_noted_so() -> None:
    box = box_of(
        "7C 7D",
        {"house_money": "5.00", "bet_the_set_21": "5.00"},
        hands=(Hand(1, cards("7C 7D"), 40_00),),
        pressed={"house_money": 15_00},
    )
    lines = lines_of(rules_for("house_money", "bet_the_set_21"), "7S 10D", box)
    said = {line.wager: [clause for clause, _ in line.notes] for line in lines if line.won and line.hand is None}
    assert said == {"house_money": ["633a.7(g)(10)(ii)(A)"], "bet_the_set_21": []}


@pytest.mark.clause("633a.7(g)(10)(ii)(A)")
def test_no_more_is_pressed_than_the_payout_or_its_portion() -> None:
    assert pressed(7_50, house_money_portion=Fraction(1, 2)).won == 15_00
    for added, changes in ((15_01, {}), (7_51, {"house_money_portion": Fraction(1, 2)})):
        with pytest.raises(RuleError) as caught:
            pressed(added, **changes)
        assert caught.value.clause == "633a.7(g)(10)(ii)(A)"


@pytest.mark.clause("633a.7(g)(10)(i)(A)")
def test_nothing_is_pressed_against_a_dealer_blackjack_or_from_a_lost_wager() -> None:
    for held, dealer in (("7C 7D", "AS KD"), ("10C QD", "7S 10D")):
        with pytest.raises(RuleError):
            pressed(1_00, dealer=dealer, held=held)


FREE_BET = {"game": "free_bet"}


@pytest.mark.clause("590.6(e)", "590.7(n)(1)", "590.12(c)")
@pytest.mark.parametrize(
    ("dealer", "outcome"),
    [
        ("6C KC 6C", "same_suit_22"),
        ("6C KS 6C", "same_color_22"),
        ("6D KH 6D", "same_color_22"),
        ("6C KC 6D", "other_22"),
        ("2C 3C 4C 5C 8C", "same_suit_22"),
        ("2C 3C 4C 5C 8H", "other_22"),
        ("2S KC 10S", "same_color_22"),
    ],
)
def test_push_22_looks_at_every_card_of_a_dealers_22(dealer: str, outcome: str) -> None:
    """Reading 64."""
    line = one_line("push_22", "10H 8D", dealer, **FREE_BET)
    assert (line.outcome, line.clause, line.stage) == (outcome, "590.7(n)(1)", Stage.AFTER_ALL)


@pytest.mark.clause("590.7(n)(2)")
@pytest.mark.parametrize("dealer", ["6C KC 5C", "6C KC 7C", "KC 9C", "AC 5C 6C"])
def test_push_22_is_collected_when_the_dealer_has_anything_else(dealer: str) -> None:
    """An ace counts 1 where 11 would make 22."""
    line = one_line("push_22", "10H 8D", dealer, **FREE_BET)
    assert (line.outcome, line.net, line.clause, line.stage) == ("lost", -5_00, "590.7(n)(2)", Stage.MAIN)


@pytest.mark.clause("590.7(g)(1)", "590.7(g)(2)")
@pytest.mark.parametrize(("held", "clause"), [("AH KD", "590.7(g)(1)"), ("10H 8D", "590.7(g)(2)")])
def test_push_22_is_collected_at_a_dealer_blackjack(held: str, clause: str) -> None:
    line = one_line("push_22", held, "AC KC", **FREE_BET)
    assert (line.outcome, line.clause, line.stage) == ("lost", clause, Stage.AFTER_READER)


@pytest.mark.clause("590.7(h)(1)", "590.7(n)(1)")
def test_a_player_whose_blackjack_was_paid_still_has_his_push_22() -> None:
    hands = (Hand(1, cards("AH KD"), 25_00, end="blackjack"),)
    assert one_line("push_22", "AH KD", "6C KC 6D", hands=hands, **FREE_BET).outcome == "other_22"
