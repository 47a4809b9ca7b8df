"""Lucky Ladies and King's Bounty: the first two cards count 20, and one pair waits for the reader."""

from __future__ import annotations

import pytest
from shoetool.rules.round import Stage
from wager_table import box_of, lines_of, one_line, rules_for


@pytest.mark.clause("633a.6(e)(1)", "633a.7(g)(1)")
@pytest.mark.parametrize(
    ("held", "outcome"),
    [("KH QC", "any_20"), ("AH 9C", "any_20"), ("AH KC", "lost"), ("10H 9C", "lost"), ("AH AC", "lost")],
)
def test_lucky_ladies_wins_when_the_first_two_cards_count_20(held: str, outcome: str) -> None:
    line = one_line("lucky_ladies", held, "7S 10D")
    assert line.outcome == outcome
    assert line.stage is Stage.AFTER_DEAL
    assert line.clause == ("633a.7(g)" if outcome == "lost" else "633a.7(g)(1)")


def test_cards_drawn_to_20_do_not_count() -> None:
    """633a.6(e)(1): the initial two cards."""
    assert one_line("lucky_ladies", "KH 2C", "7S 10D", drawn="8C").outcome == "lost"


@pytest.mark.clause("633a.1 Matched 20")
@pytest.mark.parametrize("held", ["10H 10H", "JC JC", "QS QS", "KS KS"])
def test_matched_20_is_two_identical_cards(held: str) -> None:
    """Reading 1: alike in rank and suit."""
    assert one_line("lucky_ladies", held, "7S 10D").outcome == "matched_20"


@pytest.mark.clause("633a.1 Matched 20")
def test_the_queen_of_hearts_pair_is_no_matched_20() -> None:
    assert one_line("lucky_ladies", "QH QH", "7S 10D").outcome == "queen_of_hearts_pair"
    assert one_line("lucky_ladies", "QH QD", "7S 10D").outcome == "any_20"


@pytest.mark.clause("633a.1 Suited 20", "633a.1 Any 20")
@pytest.mark.parametrize(
    ("held", "outcome"),
    [("KC JC", "suited_20"), ("10D QD", "suited_20"), ("AS 9S", "suited_20"), ("KC KD", "any_20"), ("9S AD", "any_20")],
)
def test_suited_20_is_of_one_suit_and_any_20_of_two(held: str, outcome: str) -> None:
    """Reading 2: ace with 9 and unlike ten-counts are in; identical cards are Matched 20."""
    assert one_line("lucky_ladies", held, "7S 10D").outcome == outcome


QUEENS = [
    ("AS KD", "queen_of_hearts_pair_dealer_blackjack", "633a.7(g)(1)(ii)", 5000_00),
    ("AS 9D", "queen_of_hearts_pair", "633a.7(g)(1)(i)", 1000_00),
    ("KS AD", "queen_of_hearts_pair_dealer_blackjack", "633a.7(g)(1)(ii)", 5000_00),
    ("10S QD", "queen_of_hearts_pair", "633a.7(g)(1)(i)", 1000_00),
]


@pytest.mark.clause("633a.7(g)(1)(i)", "633a.7(g)(1)(ii)", "633a.13(c)")
@pytest.mark.parametrize(("dealer", "outcome", "clause", "won"), QUEENS)
def test_a_queen_of_hearts_pair_waits_for_the_reader(dealer: str, outcome: str, clause: str, won: int) -> None:
    line = one_line("lucky_ladies", "QH QH", dealer)
    assert (line.outcome, line.clause, line.won, line.stage) == (outcome, clause, won, Stage.AFTER_READER)


@pytest.mark.clause("633a.7(g)(1)")
@pytest.mark.parametrize("up", ["2S", "9S"])
def test_a_queen_of_hearts_pair_is_paid_at_once_when_the_dealer_cannot_have_blackjack(up: str) -> None:
    """Reading 3."""
    line = one_line("lucky_ladies", "QH QH", f"{up} AD")
    assert (line.outcome, line.stage, line.clause) == ("queen_of_hearts_pair", Stage.AFTER_DEAL, "633a.7(g)(1)")


def test_other_20s_do_not_wait() -> None:
    """633a.7(g)(1): only two queens of hearts."""
    assert one_line("lucky_ladies", "QH QS", "AS KD").stage is Stage.AFTER_DEAL
    assert one_line("lucky_ladies", "KS KS", "AS KD").stage is Stage.AFTER_DEAL


@pytest.mark.clause("633a.7(g)", "633a.7(g)(1)(i)")
def test_the_waiting_pair_comes_after_all_other_twenty_point_wagers() -> None:
    rules = rules_for("lucky_ladies")
    boxes = [
        box_of(held, {"lucky_ladies": "5.00"}, place) for place, held in ((2, "KH KC"), (5, "QH QH"), (7, "2H 3C"))
    ]
    lines = lines_of(rules, "KS 9D", *boxes)
    assert [line.position for line in lines] == [7, 2, 5]


@pytest.mark.clause("633a.6(e)(6)", "633a.7(g)(6)", "633a.13(h)")
@pytest.mark.parametrize(
    ("held", "outcome"),
    [
        ("KH KH", "suited_kings_pair"),
        ("KS KS", "king_of_spades_pair"),
        ("KS KC", "pair_of_kings"),
        ("QH QH", "suited_queens_jacks_or_10s_pair"),
        ("JC JC", "suited_queens_jacks_or_10s_pair"),
        ("10S 10S", "suited_queens_jacks_or_10s_pair"),
        ("KH QH", "suited_20"),
        ("AH 9H", "suited_20"),
        ("QH QC", "any_20"),
        ("AH 9C", "any_20"),
        ("KH 9H", "lost"),
    ],
)
def test_kings_bounty_pays_the_best_row(held: str, outcome: str) -> None:
    """Reading 4."""
    line = one_line("kings_bounty", held, "7S 10D")
    assert (line.outcome, line.stage) == (outcome, Stage.AFTER_DEAL)


KINGS = [
    ("AS KD", "king_of_spades_pair_dealer_blackjack", "633a.7(g)(6)(ii)", Stage.AFTER_READER),
    ("AS 9D", "king_of_spades_pair", "633a.7(g)(6)(i)", Stage.AFTER_READER),
    ("QS AD", "king_of_spades_pair_dealer_blackjack", "633a.7(g)(6)(ii)", Stage.AFTER_READER),
    ("9S AD", "king_of_spades_pair", "633a.7(g)(6)", Stage.AFTER_DEAL),
]


@pytest.mark.clause("633a.7(g)(6)(i)", "633a.7(g)(6)(ii)")
@pytest.mark.parametrize(("dealer", "outcome", "clause", "stage"), KINGS)
def test_a_king_of_spades_pair_waits_for_the_reader(dealer: str, outcome: str, clause: str, stage: Stage) -> None:
    line = one_line("kings_bounty", "KS KS", dealer)
    assert (line.outcome, line.clause, line.stage) == (outcome, clause, stage)


def test_the_reason_names_the_cards_the_outcome_and_the_odds() -> None:
    line = one_line("lucky_ladies", "10H 10H", "7S 10D")
    assert line.words == "first two cards 10♥ 10♥: Matched 20, pays 25 to 1 (633a.13(c))"
    assert one_line("lucky_ladies", "10H 9C", "7S 10D").words == "first two cards 10♥ 9♣: not a 20, loses"


def test_from_the_hand_the_cards_lie_face_down_until_all_are_dealt() -> None:
    """633a.12(b)(9): the remaining wagers settle once the players' cards are turned."""
    table = {"game": "from_the_hand", "decks": 1}
    assert one_line("lucky_ladies", "KH QC", "7S 10D", **table).stage is Stage.AFTER_ALL
    assert one_line("lucky_ladies", "KH QC", "AS KD", **table).stage is Stage.AFTER_READER
    assert one_line("lucky_ladies", "KH 9C", "KS 9D", **table).stage is Stage.AFTER_ALL
