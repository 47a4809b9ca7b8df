"""Insurance, even money, surrender, House Money's press: what, when and how much."""

from __future__ import annotations

from fractions import Fraction

import pytest
from playing import cents, clauses, only, played, refused, table


@clauses(
    blackjack=("633a.8(a)", "633a.8(b) amount"),
    free_bet=("590.8(a)", "590.8(b) amount", "590.7(f)"),
    spanish_21=("635a.8(a)", "635a.8(b) amount"),
)
def test_insurance_needs_an_ace_up_and_is_at_most_half_the_wager(game: str, clause: str) -> None:
    drawn = "Kc Ah 8d 9s"
    assert played(game, "1=10", drawn, "1:insurance=5 1:stand").boxes[0].insurance == cents("5")
    assert played(game, "1=10", drawn, "1:insurance=0.01 1:stand").boxes[0].insurance == 1
    amount = f"{clause.split('.')[0]}.8(b) amount"
    with refused(amount, "position 1", "$5.01", "at most $5.00"):
        played(game, "1=10", drawn, "1:insurance=5.01 1:stand")
    with refused(amount, "$0.00"):
        played(game, "1=10", drawn, "1:insurance=0 1:stand")
    with refused(amount, "without an amount"):
        played(game, "1=10", drawn, "1:insurance 1:stand")
    with refused(amount, "a second insurance"):
        played(game, "1=10", drawn, "1:insurance=2 1:insurance=2 1:stand")
    with refused(clause, "with the K♥ up", "only with an ace"):
        played(game, "1=10", "Kc Kh 8d 9s", "1:insurance=5 1:stand")
    with refused(clause, "with the 9♥ up"):
        played(game, "1=10", "Kc 9h 8d 9s", "1:insurance=5 1:stand")


@clauses(blackjack="633a.8(b) amount", free_bet="590.8(b) amount", spanish_21="635a.8(b) amount")
def test_insurance_goes_up_to_the_next_chip_only_when_half_is_not_payable(game: str, clause: str) -> None:
    """Reading 71."""
    dollars = table(game, chip_unit=100)
    drawn = "Kc Ah 8d 9s"
    assert played(dollars, "1=15", drawn, "1:insurance=8 1:stand").boxes[0].insurance == cents("8")
    with refused(clause, "at most $8.00"):
        played(dollars, "1=15", drawn, "1:insurance=9 1:stand")
    with refused(clause, "at most $8.00"):
        played(dollars, "1=16", drawn, "1:insurance=9 1:stand")
    with refused(clause, "at most $7.50"):
        played(game, "1=15", drawn, "1:insurance=8 1:stand")


@clauses(blackjack="633a.8(b) timing", free_bet="590.8(b) timing", spanish_21="635a.8(b) timing")
def test_insurance_comes_before_the_hole_card_enters_the_reader(game: str, clause: str) -> None:
    with refused(clause, "after the reader"):
        played(game, "1=10 2=10", "Kc 9d Ah 8d 9c 9s", "1:stand 2:insurance=5 2:stand")
    both = played(game, "1=10 2=10", "Kc 9d Ah 8d 9c 9s", "2:insurance=5 1:insurance=3 1:stand 2:stand")
    assert [box.insurance for box in both.boxes] == [cents("3"), cents("5")]


@pytest.mark.clause("633a.8(b) amount")
def test_in_switch_each_of_the_two_wagers_may_be_insured() -> None:
    drawn = "Kc Jc Ah 8d 7d 9s"
    round_ = played("switch", "1=10", drawn, "1:insurance=10 1:stand 1:stand")
    assert round_.boxes[0].insurance == cents("10")
    with refused("633a.8(b) amount", "at most $10.00"):
        played("switch", "1=10", drawn, "1:insurance=10.50 1:stand 1:stand")


@pytest.mark.clause("633a.8(e)")
def test_even_money_is_for_a_blackjack_against_an_ace_where_it_is_offered() -> None:
    """Reading 53."""
    offering = table("blackjack", even_money=True)
    for hole in ("9s", "Ks"):
        round_ = played(offering, "1=10", f"Kc Ah Ad {hole}", "1:even_money")
        assert (only(round_).end, round_.boxes[0].even_money) == ("even_money", True)
    with refused("633a.8(e)", "not offered"):
        played("blackjack", "1=10", "Kc Ah Ad 9s", "1:even_money")
    with refused("633a.8(e)", "K♥ up"):
        played(offering, "1=10", "Kc Kh Ad 9s", "1:even_money")
    with refused("633a.8(e)", "without a Blackjack"):
        played(offering, "1=10", "Kc Ah 9d 9s", "1:even_money 1:stand")
    with refused("633a.8(e)", "without a Blackjack"):  # it is cleared by then
        played(offering, "1=10", "Kc Ah Ad 9s", "1:even_money 1:even_money")
    with refused("633a.8(e)", "after the reader"):
        played(offering, "1=10 2=10", "Kc 9c Ah Ad 8c 9s", "2:stand 1:even_money")
    with refused("633a.8(e)", "beside even money"):
        played(offering, "1=10", "Kc Ah Ad 9s", "1:even_money 1:insurance=5")
    with refused("633a.8(e)", "beside insurance"):
        played(offering, "1=10", "Kc Ah Ad 9s", "1:insurance=5 1:even_money")


@pytest.mark.parametrize("game", ["free_bet", "spanish_21"])
def test_the_other_chapters_have_no_even_money(game: str) -> None:
    with refused({"free_bet": "590.8(a)", "spanish_21": "635a.8(a)"}[game], "not offered"):
        played(table(game, even_money=True), "1=10", "Kc Ah Ad 9s", "1:even_money")


@clauses(
    blackjack=("633a.9(a) option", "633a.9(a)(1)"),
    free_bet=("590.9(a)", "590.9(a)(1)"),
    spanish_21=("635a.9(a)", "635a.9(a)(1)"),
)
def test_surrender_is_the_first_decision_on_the_first_two_cards(game: str, clause: str) -> None:
    assert only(played(game, "1=10", "Kc 9h 6d 9s", "1:surrender")).end == "surrendered"
    with refused(clause, "after a card was drawn"):
        played(game, "1=10", "2c 9h 6d 9s 3c", "1:hit 1:surrender")
    with refused(clause, "split hand"):
        played(game, "1=10", "8c 9h 8d 9s 3c 4c", "1:split 1:surrender")
    with refused(clause, "not offered"):
        played(table(game, surrender="none"), "1=10", "Kc 9h 6d 9s", "1:surrender")
    no_draw = {"blackjack": "633a.7(k)(1)", "free_bet": "590.7(j)(1)", "spanish_21": "635a.7(j)(1)"}[game]
    with refused(no_draw, "has Blackjack: no surrender"):
        played(game, "1=10", "Kc 9h Ad 9s", "1:surrender")


@clauses(
    blackjack=("633a.9(a)(2)(i)", "633a.9(a)(2)(ii)"),
    free_bet="590.9(a)(2)",
    spanish_21="635a.9(a)(2)",
)
def test_with_an_ace_or_ten_up_surrender_may_be_declared_before_or_after_the_reader(game: str, clause: str) -> None:
    """Reading 52: declared before the reader it stands against a dealer Blackjack."""
    for way in ("way_1", "way_2"):
        offering = table(game, surrender=way)
        early = played(offering, "1=10 2=10", "Kc 9c Ah 6d 8c Ks", "1:surrender")
        assert [only(early, position).end for position in (1, 2)] == ["surrendered", "dealer_blackjack"]
        late = played(offering, "1=10 2=10", "9c Kc Ah 8c 6d 9s", "1:stand 2:surrender")
        assert only(late, 2).end == "surrendered"
    with refused({"blackjack": "633a.9(a) option", "free_bet": "590.9(a)"}.get(game, "635a.9(a)"), "the hand is done"):
        played(game, "1=10", "Kc Ah Ad 9s", "1:surrender")


@clauses(blackjack="633a.9(b)", free_bet="590.9(b)", spanish_21="635a.9(b)")
def test_a_hand_may_be_insured_and_surrendered(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "Kc Ah 6d 9s", "1:insurance=5 1:surrender")
    assert (only(round_).end, round_.boxes[0].insurance) == ("surrendered", cents("5"))


@pytest.mark.clause("633a.12(b)(6)(i)")
def test_from_the_hand_surrender_double_and_split_are_open() -> None:
    for chosen, end in [("1:surrender", "surrendered"), ("1:double", "doubled")]:
        drawn = "?? Kc 9h 6d 9s" + (" 2c" if "double" in chosen else "")
        assert only(played("from_the_hand", "1=10", drawn, chosen)).end == end
    round_ = played("from_the_hand", "1=10", "?? 8c 9h 8d 9s 2c 3c", "1:split 1:stand 1:stand")
    assert len(round_.boxes[0].hands) == 2


@pytest.mark.clause("633a.12(a)(4)")
def test_switch_does_not_name_surrender() -> None:
    with refused("633a.12(a)(4)", "has no surrender"):
        played(table("switch", surrender="way_2"), "1=10", "Kc 9c 9h 6d 7d 9s", "1:surrender 1:stand")


HOUSE_MONEY = table("blackjack", "house_money")
BETS = "1=10+house_money=5"


@pytest.mark.clause("633a.7(g)(10)(ii)", "633a.7(g)(10)(ii)(C)", "633a.7(g)(10)(i)(B)")
def test_house_money_winnings_join_the_wager_before_the_turn() -> None:
    for up in ("7h", "Kh"):
        round_ = played(HOUSE_MONEY, BETS, f"8c {up} 8d Ks 3c 4c", "1:press=15 1:split 1:stand 1:stand")
        box = round_.boxes[0]
        assert (box.wager, box.pressed) == (1000, {"house_money": 1500})
        assert [hand.stake for hand in box.hands] == [2500, 2500]
    doubled = only(played(HOUSE_MONEY, BETS, "5c 7h 5d Ks 3c", "1:press=15 1:double"))
    assert (doubled.stake, doubled.double) == (2500, 2500)
    with refused("633a.7(g)(10)(ii)(C)", "must match the whole $25.00"):
        played(HOUSE_MONEY, BETS, "5c 7h 5d Ks 3c", "1:press=15 1:double=10")


@pytest.mark.clause("633a.7(g)(10)(ii)(B)")
def test_a_blackjack_may_be_pressed_too() -> None:
    hand = only(played(HOUSE_MONEY, BETS, "Kc 7h Ac Ks", "1:press=15"))
    assert (hand.end, hand.stake) == ("blackjack", 2500)


@pytest.mark.clause("633a.7(g)(10)(i)(A)", "633a.7(g)(10)(ii)")
def test_house_money_is_not_pressed_too_late_or_against_a_dealer_blackjack_or_without_the_wager() -> None:
    with refused("633a.7(g)(10)(ii)", "no House Money Wager"):
        played(HOUSE_MONEY, "1=10", "8c 7h 8d Ks", "1:press=15 1:stand")
    with refused("633a.7(g)(10)(ii)", "before the turn"):
        played(HOUSE_MONEY, BETS, "2c 7h 3d Ks 4c", "1:hit 1:press=15 1:stand")
    with refused("633a.7(g)(10)(i)(A)", "the dealer has Blackjack"):
        played(HOUSE_MONEY, BETS, "8c Kh 8d As", "1:press=15")
    with refused("633a.7(g)(10)(ii)", "added before"):
        played(HOUSE_MONEY, BETS, "8c 7h 8d Ks", "1:press=15 1:press=15 1:stand")


@pytest.mark.clause("633a.7(g)(10)(ii)(A)", "633a.7(g)(10)")
def test_house_money_adds_what_it_won_or_the_portion_that_the_table_allows() -> None:
    all_of_it = played(HOUSE_MONEY, BETS, "8c 7h 8d Ks", "1:press 1:stand")
    assert (all_of_it.boxes[0].pressed, only(all_of_it).stake) == ({"house_money": 1500}, 2500)
    half = table("blackjack", "house_money", house_money_portion=Fraction(1, 2))
    assert played(half, BETS, "8c 7h 8d Ks", "1:press 1:stand").boxes[0].pressed == {"house_money": 750}
    with refused("633a.7(g)(10)(ii)(A)", "$15.00", "at most $7.50"):
        played(half, BETS, "8c 7h 8d Ks", "1:press=15 1:stand")
    with refused("633a.7(g)(10)(ii)(A)", "$0.00"):
        played(half, BETS, "8c 7h 8d Ks", "1:press=0 1:stand")
    with refused("633a.7(g)(10)", "won nothing"):
        played(HOUSE_MONEY, BETS, "2c 7h 8d Ks", "1:press 1:stand")


@pytest.mark.clause("633a.8(e)")
def test_in_switch_even_money_is_for_the_hand_with_the_blackjack() -> None:
    offering = table("switch", even_money=True)
    drawn = "9c Kc Ah 8d Ad 9s"
    for chosen in ("1:even_money", "1.1:even_money"):
        round_ = played(offering, "1=10", drawn, f"{chosen} 1:insurance=5 1:stand")
        assert [hand.end for hand in round_.boxes[0].hands] == ["stand", "even_money"]
    with refused("633a.8(b) amount", "at most $5.00"):
        played(offering, "1=10", drawn, "1:even_money 1:insurance=5.50 1:stand")
    with refused("633a.8(e)", "beside insurance"):
        played(offering, "1=10", drawn, "1:insurance=10 1:even_money 1:stand")
    with refused("633a.8(e)", "no hand number 2"):
        played(offering, "1=10", drawn, "1.2:even_money")
    with refused("633a.12(a)(4)", "no second card to switch"):
        played(offering, "1=10", drawn, "1:even_money 1:switch")


@pytest.mark.clause("633a.8(e)")
@pytest.mark.parametrize("before", ["1:insurance=2 1.0:even_money", "1.0:even_money 1:insurance=2"])
def test_in_switch_two_even_moneys_leave_no_wager_to_insure_for_however_little(before: str) -> None:
    offering = table("switch", even_money=True)
    with refused("633a.8(e)", "beside insurance"):
        played(offering, "1=10", "Kc Kd Ac Ah Ad 9s", f"{before} 1.1:even_money")


@pytest.mark.clause("633a.7(h) result", "633a.7(g)(10)(ii)")
def test_after_a_dealer_blackjack_or_a_surrender_nothing_is_switched_or_pressed() -> None:
    with refused("633a.7(h) result", "no switch, the dealer has Blackjack"):
        played("switch", "1=10", "9c Kc Ah 8d 9d Ks", "1:switch")
    with refused("633a.7(g)(10)(ii)", "hand that is done"):
        played(HOUSE_MONEY, BETS, "8c Kh 8d 9s", "1:surrender 1:press=15")
