"""Match-the-Dealer, Royal Match 21 with Crown Treasure, Bet the Set 21 and Super Match."""

from __future__ import annotations

import pytest
from shoetool.rules.round import Stage
from shoetool.rules.submission.rules import WagerOffer
from wager_table import box_of, lines_of, one_line, rules_for
from wagers_offered import offering

SPANISH = {"game": "spanish_21"}


@pytest.mark.clause("633a.6(e)(2)", "633a.7(g)(2) pay", "633a.13(d)(1)", "633a.13(d)(2)")
@pytest.mark.parametrize(("decks", "same", "other"), [(6, 11, 4), (8, 14, 3)])
def test_either_card_may_match_the_up_card(decks: int, same: int, other: int) -> None:
    for held in ("8H 5C", "5C 8H"):
        assert one_line("match_the_dealer", held, "8H 10D", "1.00", decks=decks).won == same * 100
        assert one_line("match_the_dealer", held, "8C 10D", "1.00", decks=decks).won == other * 100
    assert one_line("match_the_dealer", "5C 6C", "8H 10D", decks=decks).outcome == "lost"


@pytest.mark.clause("633a.7(g)(2) both")
def test_both_cards_that_match_are_paid() -> None:
    line = one_line("match_the_dealer", "8H 8C", "8H 10D", "1.00")
    assert (line.outcome, line.won, line.clause) == ("one_of_each", 1500, "633a.7(g)(2) both")
    assert line.odds is not None and line.odds.text == "11 to 1 and 4 to 1"
    twice = one_line("match_the_dealer", "8C 8S", "8H 10D", "1.00")
    assert twice.odds is not None and (twice.odds.text, twice.won) == ("4 to 1 twice", 800)


@pytest.mark.clause("633a.7(g)(2) tens")
def test_ten_counts_match_by_rank_and_not_by_value() -> None:
    """Reading 5: a king matches a king of any suit, and no queen."""
    assert one_line("match_the_dealer", "KH 5C", "QH 10D").outcome == "lost"
    assert one_line("match_the_dealer", "10H JC", "KH 10D").outcome == "lost"
    assert one_line("match_the_dealer", "KH 5C", "KS 10D").outcome == "different_suit"
    assert one_line("match_the_dealer", "KH 5C", "KH 10D").outcome == "same_suit"


def test_the_hole_card_matches_nothing() -> None:
    """633a.7(g)(2): the up card only; the wager is settled before the hole card is known."""
    line = one_line("match_the_dealer", "8H 5C", "10H 8H")
    assert (line.outcome, line.stage) == ("lost", Stage.AFTER_DEAL)


@pytest.mark.clause("635a.6(e)", "635a.7(f)", "635a.7(f)(1)", "635a.12(e)(1)", "635a.12(e)(2)")
@pytest.mark.parametrize(("decks", "same", "other"), [(6, 9, 4), (8, 12, 3)])
def test_spanish_21_has_its_own_odds(decks: int, same: int, other: int) -> None:
    wager = "spanish_match_the_dealer"
    line = one_line(wager, "8H 5C", "8H KD", "1.00", decks=decks, **SPANISH)
    assert (line.won, line.clause, line.stage) == (same * 100, "635a.7(f)(1)", Stage.AFTER_DEAL)
    assert one_line(wager, "8H 5C", "5D KD", "1.00", decks=decks, **SPANISH).won == other * 100
    assert one_line(wager, "KH QC", "JD KD", "1.00", decks=decks, **SPANISH).clause == "635a.7(f)"


@pytest.mark.clause("635a.7(f)(2)")
def test_in_spanish_21_both_cards_that_match_are_paid() -> None:
    line = one_line("spanish_match_the_dealer", "KH KC", "KH 9D", "1.00", **SPANISH)
    assert (line.won, line.clause) == (1300, "635a.7(f)(2)")


@pytest.mark.clause("633a.6(e)(4)", "633a.7(g)(4) pay", "633a.1 Royal Match", "633a.1 Suited Match")
@pytest.mark.parametrize(
    ("held", "outcome"),
    [
        ("KH QH", "royal_match"),
        ("QS KS", "royal_match"),
        ("KH JH", "suited_match"),
        ("2C 9C", "suited_match"),
        ("7S 7S", "suited_match"),
        ("KH KH", "suited_match"),
        ("KH QS", "lost"),
        ("7S 7C", "lost"),
    ],
)
def test_royal_match_is_king_and_queen_of_one_suit_and_suited_match_the_rest(held: str, outcome: str) -> None:
    """Reading 9: the two cards together; a suited pair is a Suited Match."""
    line = one_line("royal_match_21", held, "7S 10D")
    assert (line.outcome, line.stage) == (outcome, Stage.AFTER_DEAL)


@pytest.mark.clause("633a.7(g)(4) defer")
@pytest.mark.parametrize("up", ["KC", "QD"])
def test_a_royal_match_against_a_king_or_queen_waits_for_the_hole_card(up: str) -> None:
    line = one_line("royal_match_21", "KH QH", f"{up} 9D")
    assert (line.outcome, line.stage, line.clause) == ("royal_match", Stage.HOLE_CARD, "633a.7(g)(4) defer")
    assert one_line("royal_match_21", "KH JH", f"{up} 9D").stage is Stage.AFTER_DEAL
    assert one_line("royal_match_21", "KH QH", "JD 9D").stage is Stage.AFTER_DEAL


def test_a_waiting_royal_match_is_settled_before_the_main_wager_at_a_dealer_blackjack() -> None:
    """633a.7(g)(4): prior to settling the Blackjack Wager, which a dealer Blackjack brings forward to the reader."""
    assert one_line("royal_match_21", "KH QH", "KC AD").stage is Stage.AFTER_READER


@pytest.mark.clause("633a.1 Crown Treasure bonus", "633a.7(g)(4) bonus", "633a.13(f)(1)", "633a.13(f)(2)")
@pytest.mark.parametrize(
    ("dealer", "paid"),
    [("KH QH", True), ("QC KC", True), ("KC QD", False), ("QH JH", False), ("JH QH", False), ("KC AC", False)],
)
def test_crown_treasure_is_paid_beside_the_royal_match(dealer: str, paid: bool) -> None:
    """Reading 10: the dealer's own king and queen of one suit, which need not be the player's."""
    lines = lines_of(rules_for("royal_match_21"), dealer, box_of("KH QH", {"royal_match_21": "5.00"}))
    assert [line.wager for line in lines] == ["royal_match_21", "crown_treasure"][: 1 + paid]
    assert (lines[0].returned, lines[0].won) == (5_00, 150_00)
    if paid:
        crown = lines[1]
        assert (crown.staked, crown.returned, crown.won, crown.clause) == (0, 0, 5000_00, "633a.7(g)(4) bonus")


def test_crown_treasure_is_paid_only_where_it_is_offered() -> None:
    """633a.7(g)(4): if offered by the certificate holder."""
    rules = offering(rules_for("royal_match_21"), royal_match_21=WagerOffer("C"))
    lines = lines_of(rules, "KH QH", box_of("KH QH", {"royal_match_21": "5.00"}))
    assert [line.wager for line in lines] == ["royal_match_21"]


def test_a_suited_match_wins_no_crown_treasure() -> None:
    """633a.1 Crown Treasure bonus: player and dealer both have a Royal Match."""
    lines = lines_of(rules_for("royal_match_21"), "KH QH", box_of("KH JH", {"royal_match_21": "5.00"}))
    assert len(lines) == 1


@pytest.mark.clause("633a.6(e)(5)", "633a.7(g)(5)", "633a.1 Pair", "633a.1 Suited pair")
@pytest.mark.parametrize(
    ("held", "outcome"),
    [("7S 7S", "suited_pair"), ("7S 7C", "pair"), ("KS 10S", "lost"), ("KS KH", "pair"), ("AC AC", "suited_pair")],
)
def test_bet_the_set_goes_by_rank_and_pays_a_suited_pair_by_its_own_row(held: str, outcome: str) -> None:
    """Reading 12."""
    line = one_line("bet_the_set_21", held, "7S 10D")
    assert (line.outcome, line.stage) == (outcome, Stage.AFTER_DEAL)


@pytest.mark.clause("633a.6(e)(7)", "633a.7(g)(7)", "633a.1 Four-of-a-kind", "633a.1 Three-of-a-kind")
@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("5C 5D", "5H 5S", "four_of_a_kind"),
        ("5C 9D", "5H 9S", "two_pair"),
        ("5C 5D", "9H 9S", "two_pair"),
        ("5C 9D", "9H 9S", "three_of_a_kind"),
        ("5C 9D", "KH 9S", "pair"),
        ("KC QD", "JH 10S", "lost"),
    ],
)
def test_super_match_counts_ranks_among_the_four_cards(first: str, second: str, outcome: str) -> None:
    line = one_line("super_match", first, "7S 10D", second=second, game="switch")
    assert (line.outcome, line.stage) == (outcome, Stage.AFTER_DEAL)


@pytest.mark.clause("633a.12(a)(2)", "633a.7(g)(7)")
def test_super_match_goes_by_the_cards_as_dealt_and_not_as_switched() -> None:
    """Reading 13."""
    rules = rules_for("super_match", game="switch")
    switched = box_of("5C 9D", {"super_match": "5.00"}, second="9H 2S")
    hands = (switched.hands[0], switched.hands[1])
    after = box_of("5C 9D", {"super_match": "5.00"}, second="9H 2S", hands=hands[::-1])
    assert [line.outcome for line in lines_of(rules, "7S 10D", switched)] == ["pair"]
    assert [line.outcome for line in lines_of(rules, "7S 10D", after)] == ["pair"]
