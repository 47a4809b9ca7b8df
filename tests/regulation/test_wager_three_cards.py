"""In Between and Three Card Poker: the player's first two cards with the dealer's up card."""

from __future__ import annotations

import pytest
from shoetool.rules.round import Stage
from wager_table import one_line


@pytest.mark.clause("633a.7(g)(3)(i)")
def test_a_7_and_a_9_win_a_one_card_spread_with_an_8() -> None:
    """The example of the text."""
    for held in ("7H 9C", "9C 7H"):
        line = one_line("in_between", held, "8S 10D", "1.00")
        assert (line.outcome, line.won, line.stage) == ("one_card_spread", 10_00, Stage.AFTER_DEAL)


@pytest.mark.clause("633a.6(e)(3)", "633a.7(g)(3)(i)", "633a.13(e)")
@pytest.mark.parametrize(
    ("held", "up", "outcome"),
    [
        ("10C KD", "JH", "two_card_spread"),
        ("10C KD", "QH", "two_card_spread"),
        ("2C 6D", "5H", "three_card_spread"),
        ("2C 7D", "3H", "all_others"),
        ("2C KD", "9H", "all_others"),
        ("7C 9D", "7H", "lost"),
        ("7C 9D", "9H", "lost"),
        ("7C 9D", "10H", "lost"),
        ("7C 8D", "7H", "lost"),
        ("7C 7D", "8H", "lost"),
        ("KC 10D", "AH", "lost"),
    ],
)
def test_the_up_card_lies_strictly_between_by_rank(held: str, up: str, outcome: str) -> None:
    """Reading 8: 10 < J < Q < K; spread is the number of ranks between the two cards."""
    assert one_line("in_between", held, f"{up} 10D").outcome == outcome


@pytest.mark.clause("633a.7(g)(3)(i)")
@pytest.mark.parametrize(
    ("ace", "held", "up", "outcome"),
    [
        ("high", "AC QD", "KH", "one_card_spread"),
        ("high", "AC 3D", "2H", "lost"),
        ("high", "KC 2D", "AH", "lost"),
        ("low", "AC 3D", "2H", "one_card_spread"),
        ("low", "AC QD", "KH", "lost"),
        ("low", "AC QD", "5H", "all_others"),
        ("low", "KC 2D", "AH", "lost"),
    ],
)
def test_the_ace_has_one_fixed_end(ace: str, held: str, up: str, outcome: str) -> None:
    """Reading 7: high, or low where the rules submission says so."""
    assert one_line("in_between", held, f"{up} 10D", in_between_ace=ace).outcome == outcome


@pytest.mark.clause("633a.7(g)(3)(ii)", "633a.1 Triple Match")
def test_three_of_one_rank_are_a_triple_match() -> None:
    line = one_line("in_between", "KC KD", "KH 10D", "1.00")
    assert (line.outcome, line.won, line.clause) == ("triple_match", 30_00, "633a.7(g)(3)(ii)")
    assert one_line("in_between", "KC QD", "JH 10D").outcome == "lost"


@pytest.mark.clause("633a.6(e)(9) hands", "633a.7(g)(8)", "633a.13(k)", "633a.1 Flush", "633a.1 Straight flush")
@pytest.mark.parametrize(
    ("held", "up", "outcome"),
    [
        ("5C 6C", "7C", "straight_flush"),
        ("7C 5C", "6C", "straight_flush"),
        ("5C 5D", "5H", "three_of_a_kind"),
        ("5C 5C", "5C", "three_of_a_kind"),
        ("5C 7D", "6H", "straight"),
        ("10C JD", "QH", "straight"),
        ("2C 9C", "KC", "flush"),
        ("5C 5C", "KC", "flush"),
        ("5C 5D", "6H", "lost"),
        ("5C 5D", "4H", "lost"),
        ("5C 6D", "8H", "lost"),
    ],
)
def test_the_up_card_makes_a_poker_hand_of_three(held: str, up: str, outcome: str) -> None:
    """Reading 14: suited trips pay once, as three-of-a-kind."""
    line = one_line("three_card_poker", held, f"{up} 10D", paytable="B")
    assert (line.outcome, line.stage) == (outcome, Stage.AFTER_DEAL)


@pytest.mark.clause("633a.6(e)(9) ranks", "633a.1 Straight")
@pytest.mark.parametrize(
    ("held", "up", "outcome"),
    [
        ("AC 2D", "3H", "straight"),
        ("3C AD", "2H", "straight"),
        ("QC KD", "AH", "straight"),
        ("KC AD", "2H", "lost"),
        ("AC 2C", "KC", "flush"),
        ("AC QC", "KC", "straight_flush"),
        ("2C AC", "3C", "straight_flush"),
    ],
)
def test_an_ace_goes_with_2_and_3_or_with_queen_and_king_and_not_round_the_corner(
    held: str, up: str, outcome: str
) -> None:
    assert one_line("three_card_poker", held, f"{up} 10D", paytable="B").outcome == outcome


def test_of_two_hands_the_reason_names_the_first() -> None:
    """Reading of 633a.12(a): the wager is decided by the cards of the first hand."""
    line = one_line("in_between", "7H 9C", "8S 10D", second="2H 3C", game="switch", switch_side_wagers="all")
    assert line.words.startswith("first two cards 7♥ 9♣ and up card 8♠: ")


def test_the_reason_names_the_up_card() -> None:
    line = one_line("in_between", "7H 9C", "8S 10D")
    assert line.words == "first two cards 7♥ 9♣ and up card 8♠: One-card spread, pays 10 to 1 (633a.13(e))"
