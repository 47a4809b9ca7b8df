"""Insurance, even money and surrender: 633a.8-9, 590.8-9, 635a.8-9."""

from __future__ import annotations

import pytest
from settle_cases import box, hand, one, paid, settled, settled_unread
from shoetool.rules.rule_error import RuleError

CHAPTERS = [("blackjack", "633a"), ("from_the_hand", "633a"), ("free_bet", "590"), ("spanish_21", "635a")]


@pytest.mark.clause("633a.8(a)", "633a.8(c)", "633a.13(b)", "590.8(a)", "590.8(c)", "590.12(b)", "590.7(g)(2)")
@pytest.mark.clause("635a.8(a)", "635a.8(c)", "635a.12(d)", "635a.7(g)")
@pytest.mark.parametrize(("game", "chapter"), CHAPTERS)
@pytest.mark.parametrize("hole", ["JC", "QC", "KC"])
def test_insurance_wins_2_to_1_when_the_hole_card_counts_10(game: str, chapter: str, hole: str) -> None:
    insured = box(hand("10H 9C" if game != "spanish_21" else "JH 9C", "dealer_blackjack"), insurance=5_00)
    settlement = settled(game, f"AD {hole}", insured)
    line = one(settlement, "insurance")
    assert paid(line) == ("win", f"{chapter}.8(c)", 10_00)
    assert line.odds is not None and line.odds.text == "2 to 1"
    assert line.stage == "after_reader"
    assert settlement.net(1) == 0


@pytest.mark.clause("633a.8(a)", "590.8(a)")
@pytest.mark.parametrize("game", ["blackjack", "free_bet"])
def test_a_10_in_the_hole_wins_insurance_too(game: str) -> None:
    insured = box(hand("9H 9C", "dealer_blackjack"), insurance=5_00)
    assert one(settled(game, "AD 10C", insured), "insurance").won == 10_00


@pytest.mark.clause("633a.8(d)", "590.8(d)", "635a.8(d)")
@pytest.mark.parametrize(("game", "chapter"), CHAPTERS)
def test_insurance_is_collected_right_after_the_reader_when_there_is_no_blackjack(game: str, chapter: str) -> None:
    insured = box(hand("9H 9C"), insurance=5_00)
    settlement = settled(game, "AD 6C", insured)
    line = one(settlement, "insurance")
    assert paid(line) == ("lost", f"{chapter}.8(d)", -5_00)
    assert line.stage == "after_reader"
    assert [line.wager for line in settlement.lines] == ["insurance", "main"]


@pytest.mark.clause("633a.8(a)")
def test_insurance_without_an_ace_up_is_refused() -> None:
    with pytest.raises(RuleError, match="insurance without an ace up") as refusal:
        settled("blackjack", "KD AC", box(hand("9H 9C", "dealer_blackjack"), insurance=5_00))
    assert refusal.value.clause == "633a.8(a)"


@pytest.mark.clause("633a.8(e)")
@pytest.mark.parametrize("hole", ["KC", "6C"])
def test_even_money_pays_a_blackjack_1_to_1_before_the_reader_whatever_the_hole_card(hole: str) -> None:
    paid_out = box(hand("AH KC", "even_money"), even_money=True)
    line = one(settled("blackjack", f"AD {hole}", paid_out, even_money=True))
    assert paid(line) == ("even_money", "633a.8(e)", 10_00)
    assert line.stage == "after_deal"
    assert line.odds is not None and line.odds.text == "1 to 1"


@pytest.mark.parametrize(("game", "clause"), [("free_bet", "590.8(a)"), ("spanish_21", "635a.8(a)")])
def test_even_money_is_refused_where_the_chapter_has_none(game: str, clause: str) -> None:
    with pytest.raises(RuleError) as refusal:
        settled(game, "AD KC", box(hand("AH KC", "even_money")))
    assert refusal.value.clause == clause


@pytest.mark.clause("633a.9(a)(1)", "590.9(a)(1)", "635a.9(a)(1)", "633a.9(a) option", "590.9(a)", "635a.9(a)")
@pytest.mark.parametrize(("game", "chapter"), CHAPTERS)
def test_against_a_2_to_9_half_is_collected_and_half_returned_at_once(game: str, chapter: str) -> None:
    line = one(settled(game, "9D 8C", box(hand("JH 6C", "surrendered"))))
    assert paid(line) == ("surrendered", f"{chapter}.9(a)(1)", -5_00)
    assert (line.returned, line.won, line.stage) == (5_00, 0, "in_turn")


SURRENDERS = [
    ("blackjack", "way_1", "633a.9(a)(2)(i)", "hole_card"),
    ("blackjack", "way_2", "633a.9(a)(2)(ii)", "in_turn"),
    ("from_the_hand", "way_1", "633a.9(a)(2)(i)", "hole_card"),
    ("free_bet", "way_2", "590.9(a)(2)", "in_turn"),
    ("spanish_21", "way_1", "635a.9(a)(2)", "hole_card"),
]


@pytest.mark.clause("633a.9(a)(2)(i)", "633a.9(a)(2)(ii)", "590.9(a)(2)", "635a.9(a)(2)")
@pytest.mark.parametrize(("game", "way", "clause", "stage"), SURRENDERS)
@pytest.mark.parametrize("dealer", ["AD 7C", "KD 7C"])
def test_against_an_ace_or_ten_half_is_lost_when_the_dealer_has_no_blackjack(
    game: str, way: str, clause: str, stage: str, dealer: str
) -> None:
    line = one(settled(game, dealer, box(hand("JH 6C", "surrendered")), surrender=way))
    assert paid(line) == ("surrendered", clause, -5_00)
    assert line.stage == stage


@pytest.mark.clause("633a.9(a)(2)(i)", "633a.9(a)(2)(ii)", "590.9(a)(2)", "635a.9(a)(2)")
@pytest.mark.parametrize(("game", "way", "clause", "stage"), SURRENDERS)
def test_and_the_whole_wager_when_he_has(game: str, way: str, clause: str, stage: str) -> None:
    """Reading 52: declared before the reader, which is the only way in which this can happen."""
    line = one(settled(game, "KD AC", box(hand("JH 6C", "surrendered")), surrender=way))
    assert paid(line) == ("surrendered_dealer_blackjack", clause, -10_00)
    assert line.stage == "after_reader"


def test_without_a_reader_a_surrender_to_a_blackjack_is_settled_with_the_hole_card() -> None:
    line = one(settled_unread("blackjack", "KD AC", box(hand("JH 6C", "surrendered"))))
    assert (line.outcome, line.stage) == ("surrendered_dealer_blackjack", "hole_card")


@pytest.mark.clause("633a.9(b)", "590.9(b)", "635a.9(b)")
@pytest.mark.parametrize(("game", "chapter"), CHAPTERS)
def test_insurance_and_surrender_are_settled_apart(game: str, chapter: str) -> None:
    both = box(hand("JH 6C", "surrendered"), insurance=5_00)
    lost = settled(game, "AD 7C", both)
    assert (one(lost).net, one(lost, "insurance").net) == (-5_00, -5_00)
    won = settled(game, "AD KC", both)
    assert (one(won).net, one(won, "insurance").net) == (-10_00, 10_00)


def test_half_a_cent_of_a_surrendered_wager_stays_with_the_house_and_is_named() -> None:
    line = one(settled("blackjack", "9D 8C", box(hand("JH 6C", "surrendered", stake=5_01), wager=5_01)))
    assert (line.returned, line.net) == (2_50, -2_51)
    assert line.notes == (("633a.9(a)(1)", "half a cent of the wager cannot be returned"),)


@pytest.mark.parametrize("game", ["switch"])
def test_a_surrender_is_refused_where_the_game_has_none(game: str) -> None:
    with pytest.raises(RuleError) as refusal:
        settled(game, "9D 8C", box(hand("JH 6C", "surrendered"), hand("9H 9C"), initial=("JH 6C", "9H 9C")))
    assert refusal.value.clause == "633a.12(a)(4)"


@pytest.mark.clause("633a.8(b) amount", "590.8(b) amount", "635a.8(b) amount")
@pytest.mark.parametrize(
    ("game", "clause"), [("blackjack", "633a.8(b)"), ("free_bet", "590.8(b)"), ("spanish_21", "635a.8(b)")]
)
def test_insurance_above_half_the_wager_is_not_settled(game: str, clause: str) -> None:
    """Half of $10.50 in chips of $1 is $6, of two such wagers in Switch $12."""
    odd = box(hand("10H 8C"), wager=10_50, insurance=6_00)
    assert one(settled(game, "AC 8D", odd, chip_unit=1_00), "insurance").net == -6_00
    with pytest.raises(RuleError, match=r"at most \$5\.50") as caught:
        settled(game, "AC 8D", odd)
    assert caught.value.clause == f"{clause} amount"
    two = box(hand("10H 8C"), hand("9H 9C"), wager=10_50, initial=("10H 8C", "9H 9C"), insurance=12_00)
    assert one(settled("switch", "AC 8D", two, chip_unit=1_00), "insurance").net == -12_00


@pytest.mark.clause("633a.8(e)", "633a.9(a) option")
def test_what_the_table_does_not_offer_is_not_settled() -> None:
    with pytest.raises(RuleError, match="even money, which is not offered"):
        settled("blackjack", "AC 8D", box(hand("AH KC", "even_money")))
    with pytest.raises(RuleError, match="surrendered, which is not offered"):
        settled("blackjack", "9C 8D", box(hand("10H 6C", "surrendered")), surrender="none")
    with pytest.raises(RuleError, match="a Blackjack is not surrendered"):
        settled("blackjack", "9C 8D", box(hand("AH KC", "surrendered")))
    both = box(hand("AH KC", "even_money"), insurance=5_00)
    with pytest.raises(RuleError, match=r"insurance of \$5\.00; at most \$0\.00"):
        settled("blackjack", "AC 8D", both, even_money=True)
