"""Irregular rounds: section 14 of 633a, section 13 of 590 and 635a."""

from __future__ import annotations

import pytest
from playing import cards, clauses, hands, held, names, only, played, refused, stakes, table
from shoetool.deal import Decision, RuleError, Stake, decide, open_round, play
from shoetool.deal import Irregularity as Irr


@clauses(blackjack="633a.14(a)", free_bet="590.13(a)", spanish_21="635a.13(a) one")
def test_a_face_up_card_is_passed_over_and_the_next_one_used(game: str, clause: str) -> None:
    in_the_deal = played(game, "1=10", "2c Jh 7h 8d Ks", "1:stand", Irr("face_up", at=1))
    assert (held(in_the_deal), names(in_the_deal.dealer)) == (["2♣ 8♦"], "7♥ K♠")
    in_the_turn = played(game, "1=10", "2c 7h 8d Ks Jh 3c", "1:hit 1:stand", Irr("face_up", at=4))
    assert held(in_the_turn) == ["2♣ 8♦ 3♣"]
    at_the_dealer = played(game, "1=10", "Kc 6h 8d Ks Jh 3c", "1:stand", Irr("face_up", at=4))
    assert names(at_the_dealer.dealer) == "6♥ K♠ 3♣"
    with refused(clause, "card ? of 4"):
        played(game, "1=10", "2c 7h 8d Ks", "1:stand", Irr("face_up"))
    with refused(clause, "card 0 of 4"):
        played(game, "1=10", "2c 7h 8d Ks", "1:stand", Irr("face_up", at=-1))
    with refused(clause, "card 9 of 4"):
        played(game, "1=10", "2c 7h 8d Ks", "1:stand", Irr("face_up", at=8))


@clauses(blackjack="633a.14(a)", free_bet="590.13(a)")
def test_two_face_up_cards_do_not_void_a_round_where_no_clause_says_so(game: str, clause: str) -> None:
    """Reading 36."""
    notes = (Irr("face_up", at=1), Irr("face_up", at=2))
    round_ = played(game, "1=10", "2c Jh Qh 7h 8d Ks", "1:stand", *notes)
    assert round_.void is None and held(round_) == ["2♣ 8♦"]


@pytest.mark.clause("635a.13(a) more")
def test_a_second_face_up_card_voids_a_round_of_spanish_21() -> None:
    notes = (Irr("face_up", at=1), Irr("face_up", at=3))
    round_ = played("spanish_21", "1=10", "2c Jh 7h Qh", "", *notes)
    assert (round_.void, only(round_).end, round_.boxes[0].wager) == ("635a.13(a) more", "dead", 1000)
    with refused("635a.13(a) more", "card 5 (8♦)", "had voided the round"):
        played("spanish_21", "1=10", "2c Jh 7h Qh 8d", "", *notes)
    with refused("635a.13(a) more", "no stand, the round is void"):
        played("spanish_21", "1=10", "2c Jh 7h Qh", "1:stand", *notes)


@pytest.mark.clause("635a.13(a) more")
def test_a_third_face_up_card_was_drawn_after_the_second_had_voided_the_round() -> None:
    notes = [Irr("face_up", at=at) for at in (1, 2, 3)]
    with refused("635a.13(a) more", "card 4 (4♠)", "had voided the round"):
        played("spanish_21", "1=10", "2c Jh 9d 4s", "", *notes)


@pytest.mark.clause("635a.13(a) more")
def test_a_second_face_up_card_voids_the_round_in_a_turn_and_at_the_dealer_too() -> None:
    in_turn = (Irr("face_up", at=1), Irr("face_up", at=6))
    round_ = played("spanish_21", "1=10", "2c Jh 7h 8d Ks 3c Qh", "1:hit 1:hit", *in_turn)
    assert (round_.void, only(round_).end, held(round_)) == ("635a.13(a) more", "dead", ["2♣ 8♦ 3♣"])
    with refused("635a.13(a) more", "no stand, the round is void"):
        played("spanish_21", "1=10", "2c Jh 7h 8d Ks 3c Qh", "1:hit 1:hit 1:stand", *in_turn)
    undecided = played("spanish_21", "1=10", "2c Jh 7h 8d Ks 3c Qh", "1:hit", *in_turn)
    assert undecided.void == "635a.13(a) more"
    at_the_dealer = (Irr("face_up", at=1), Irr("face_up", at=6))
    round_ = played("spanish_21", "1=10", "2c Jh 6h 8d 2s 3c Qh", "1:stand", *at_the_dealer)
    assert (round_.void, only(round_).end) == ("635a.13(a) more", "dead")


@pytest.mark.clause("635a.13(b) one", "635a.3(a) composition")
def test_a_ten_that_is_found_is_taken_out_and_the_next_card_used() -> None:
    round_ = played("spanish_21", "1=10", "2c 10h 7h 8d Ks", "1:stand", Irr("ten_found", at=1))
    assert held(round_) == ["2♣ 8♦"]
    with refused("635a.13(b) one", "marked as a 10"):
        played("spanish_21", "1=10", "2c Jh 7h 8d Ks", "1:stand", Irr("ten_found", at=1))
    with refused("635a.3(a) composition", "card 2 is the 10♥", "no 10s"):
        played("spanish_21", "1=10", "2c 10h 7h 8d Ks", "1:stand")


@pytest.mark.clause("635a.13(b) more")
def test_a_second_ten_voids_the_round() -> None:
    """Reading 37."""
    notes = (Irr("ten_found", at=1), Irr("ten_found", at=2))
    round_ = played("spanish_21", "1=10", "2c 10h 10s", "", *notes)
    assert (round_.void, only(round_).end) == ("635a.13(b) more", "dead")


def test_the_other_chapters_know_no_ten_to_be_taken_out() -> None:
    with refused("633a.14", "ten_found"):
        played("blackjack", "1=10", "2c 10h 7h 8d Ks", "1:stand", Irr("ten_found", at=1))
    with refused("590.13", "sneeze"):
        played("free_bet", "1=10", "2c 7h 8d Ks", "1:stand", Irr("sneeze"))


@clauses(blackjack="633a.14(b)", free_bet="590.13(b)", spanish_21="635a.13(c)")
def test_an_unexposed_card_drawn_in_error_is_the_next_card(game: str, clause: str) -> None:
    for at in (0, 1, 4):
        round_ = played(game, "1=10", "2c 7h 8d Ks 3c", "1:hit 1:stand", Irr("unexposed", at=at))
        assert held(round_) == ["2♣ 8♦ 3♣"]


@clauses(
    blackjack=("633a.14(c) use", "633a.14(c) refusal"),
    free_bet="590.13(c)",
    spanish_21="635a.13(d)",
)
def test_an_exposed_card_goes_on_to_the_next_hand_and_who_refuses_it_gets_no_more(game: str, clause: str) -> None:
    """Reading 40."""
    note = Irr("exposed", at=6)
    used = played(game, "1=10 2=10", "2c 3c 7h 8d 9d Ks 5c", "1:hit 1:stand 2:stand", note)
    assert held(used, 1) == ["2♣ 8♦ 5♣"]
    passed_on = played(game, "1=10 2=10", "2c 3c 7h 8d 9d Ks 5c", "1:refuse_card 2:hit 2:stand", note)
    assert (held(passed_on, 1), held(passed_on, 2)) == (["2♣ 8♦"], ["3♣ 9♦ 5♣"])
    dealer = played(game, "1=10 2=10", "2c 3c 6h 8d 9d Ks 5c", "1:refuse_card 2:stand", note)
    assert names(dealer.dealer) == "6♥ K♠ 5♣"
    with refused(
        {"blackjack": "633a.7(i)(2)", "free_bet": "590.7(h)(2)"}.get(game, "635a.7(h)(2)"), "has stood already: no card"
    ):
        played(game, "1=10 2=10", "2c 3c 7h 8d 9d Ks 5c", "1:refuse_card 1:hit 2:stand", note)
    refusal = {"blackjack": "633a.14(c) refusal"}.get(game, clause)
    with refused(refusal, "not exposed in error"):
        played(game, "1=10", "2c 7h 8d Ks", "1:refuse_card")


@clauses(blackjack="633a.14(c) discard", free_bet="590.13(c)", spanish_21="635a.13(d)")
def test_an_exposed_card_that_all_refuse_and_the_dealer_cannot_use_is_discarded(game: str, clause: str) -> None:
    note = Irr("exposed", at=4)
    round_ = played(game, "1=10", "2c 7h 8d Ks 5c", "1:refuse_card", note)
    assert (held(round_), names(round_.dealer)) == (["2♣ 8♦"], "7♥ K♠")
    with refused(clause, "card 5 (5♣)", "no player refused it"):
        played(game, "1=10", "2c 7h 8d Ks 5c", "1:stand", note)
    for more in ((), (Irr("unexposed", at=5),)):  # nobody saw this one: it is the next card, and not discarded
        with refused(
            {"blackjack": "633a.7(m)", "free_bet": "590.7(l)"}.get(game, "635a.7(l)"), "card 6 (6♣) is left over"
        ):
            played(game, "1=10", "2c 7h 8d Ks 5c 6c", "1:refuse_card", note, *more)


@clauses(blackjack="633a.14(c) use", free_bet="590.13(c)", spanish_21="635a.13(d)")
def test_a_card_exposed_before_the_opening_deal_was_done_has_no_rule(game: str, clause: str) -> None:
    """Reading 39: the floorperson decides."""
    with refused(clause, "card 2 (7♥)", "opening deal"):
        played(game, "1=10", "2c 7h 8d Ks", "1:stand", Irr("exposed", at=1))


@clauses(blackjack="633a.14(d)", free_bet="590.13(d)", spanish_21="635a.13(e)")
def test_a_card_the_dealer_draws_by_accident_on_17_or_more_is_discarded(game: str, clause: str) -> None:
    """Reading 41: on any standing total."""
    for hole in ("Ks", "As"):
        round_ = played(game, "1=10", f"2c 7h 8d {hole} 5c", "1:stand", Irr("dealer_extra", at=4))
        assert (len(round_.dealer), names(round_.draws_discarded)) == (2, "5♣")
    with refused(clause, "card 5 (5♣)"):
        played(game, "1=10", "2c 7h 8d Ks 5c", "1:hit 1:stand", Irr("dealer_extra", at=4))
    with refused(clause, "card 5 (5♣)"):
        played(game, "1=10", "2c 6h 8d Ks 5c", "1:stand", Irr("dealer_extra", at=4))
    no_need = {"blackjack": "633a.7(n)", "free_bet": "590.7(m)", "spanish_21": "635a.7(m)"}[game]
    with refused(no_need, "16 (6♥ K♠)", "decides no wager"):
        played(game, "1=10", "Kc 6h 6d Ks Jh 5c", "1:hit", Irr("dealer_extra", at=5))


@clauses(blackjack="633a.14(e)", free_bet="590.13(e)", spanish_21="635a.13(f)")
def test_a_dealer_who_skipped_his_own_card_takes_it_after_the_players(game: str, clause: str) -> None:
    """Reading 42: of two late cards the first is the up card."""
    for choice in ("", "up"):
        missed = played(game, "1=10", "2c 8d 7h Ks", "1:stand", Irr("dealer_missed", choice=choice))
        assert (held(missed), names(missed.dealer)) == (["2♣ 8♦"], "7♥ K♠")
    hole = played(game, "1=10", "2c 7h 8d Ks", "1:stand", Irr("dealer_missed", choice="hole"))
    assert names(hole.dealer) == "7♥ K♠"
    with refused(clause, "'both' is not a choice"):
        played(game, "1=10", "2c 7h 8d Ks", "1:stand", Irr("dealer_missed", choice="both"))


@clauses(
    blackjack=("633a.14(f) burn", "633a.14(f) reshuffle"),
    free_bet="590.13(f)",
    spanish_21="635a.13(g)",
)
def test_after_too_few_cards_the_first_of_the_new_shuffle_goes_to_the_rack(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "2c 7h 8d Ks ?? 3c", "1:hit 1:stand", Irr("too_few", at=4))
    assert held(round_) == ["2♣ 8♦ 3♣"]
    dealt = played(game, "1=10", "2c 7h ?? 8d Ks", "1:stand", Irr("too_few", at=2))
    assert held(dealt) == ["2♣ 8♦"]
    with refused(clause, "card 5", "nobody needed a card"):
        played(game, "1=10", "2c 7h 8d Ks 5c", "1:stand", Irr("too_few", at=4))


@clauses(blackjack="633a.14(g) none", free_bet="590.13(g)", spanish_21="635a.13(h)")
def test_a_hand_without_cards_is_dead(game: str, clause: str) -> None:
    round_ = played(game, "1=10 2=10", "3c 7h 9d Ks", "2:stand", Irr("no_cards", position=1))
    dead = only(round_, 1)
    assert (dead.cards, dead.end, dead.stake) == ((), "dead", 1000)
    assert held(round_, 2) == ["3♣ 9♦"]
    with refused(clause, "no hand 0 at position 5"):
        played(game, "1=10", "3c 7h 9d Ks", "1:stand", Irr("no_cards", position=5))
    for number in (-1, 1, 2):
        with refused(clause, f"no hand {number} at position 1"):
            played(game, "1=10", "3c 7h 9d Ks", "1:stand", Irr("no_cards", position=1, hand=number))


@clauses(blackjack="633a.14(g) one", free_bet="590.13(g)", spanish_21="635a.13(h)")
def test_a_hand_with_one_card_may_get_its_second_after_the_others_before_the_hole_card(game: str, clause: str) -> None:
    """Reading 43."""
    second = Irr("one_card", position=1)
    round_ = played(game, "1=10 2=10", "2c 3c 7h 9d 8d Ks", "1:stand 2:stand", second)
    assert (held(round_, 1), held(round_, 2), names(round_.dealer)) == (["2♣ 8♦"], ["3♣ 9♦"], "7♥ K♠")
    first = Irr("one_card", position=1, missed=1)
    round_ = played(game, "1=10 2=10", "3c 7h 2c 9d 8d Ks", "1:stand 2:stand", first)
    assert (held(round_, 1), held(round_, 2)) == (["2♣ 8♦"], ["3♣ 9♦"])
    declined = Irr("one_card", position=1, choice="refuse")
    round_ = played(game, "1=10 2=10", "2c 3c 7h 9d Ks", "2:stand", declined)
    assert (held(round_, 1), only(round_, 1).end) == (["2♣"], "dead")


@pytest.mark.clause("633a.14(h)")
def test_a_round_from_the_wrong_side_of_a_double_shoe_stands() -> None:
    """Reading 44."""
    double = table("blackjack", shoe="double", decks=8, red_side="A")
    note = Irr("wrong_side")
    round_ = played(double, "3=10", "2s 3c 7h 8d Qs", "3:stand", note, determinant_from="A")
    assert held(round_, 3) == ["3♣ 8♦"] and round_.void is None
    with refused("633a.14(h)", "no double shoe"):
        played("blackjack", "1=10", "2c 7h 8d Ks", "1:stand", note)


@clauses(blackjack="633a.14(i)", free_bet="590.13(h)", spanish_21="635a.13(i)")
def test_a_missed_card_comes_after_all_others_or_the_hand_is_dead(game: str, clause: str) -> None:
    drawn = "2c 3c 7h 8d 9d Ks 4c 5c"
    late = played(game, "1=10 2=10", drawn, "1:late_card 2:hit 2:stand 1:stand")
    assert (held(late, 1), only(late, 1).end) == (["2♣ 8♦ 5♣"], "stand")
    assert held(late, 2) == ["3♣ 9♦ 4♣"]
    for last, end in (("Kc", "bust"), ("Jc", "bust"), ("9h", "twenty_one")):
        drawn = f"4c 3c 7h 8d 9d Ks 5c {last}"
        assert only(played(game, "1=10 2=10", drawn, "1:late_card 2:hit 2:stand"), 1).end == end
    dead = played(game, "1=10", "2c 7h 8d Ks", "1:dead_hand")
    assert (only(dead).end, only(dead).stake) == ("dead", 1000)
    with refused(clause, "waits for its late card"):
        state = open_round(table(game), stakes("1=10 2=10"), cards(drawn))
        decide(state, Decision(1, None, "late_card"))
        decide(state, Decision(1, None, "hit"))


@clauses(blackjack="633a.7(k)", free_bet="590.7(j)", spanish_21="635a.7(j)")
def test_a_hand_draws_on_after_its_late_card_and_must_say_when_it_stands(game: str, clause: str) -> None:
    drawn = "2c 3c 7h 8d 9d Ks 4c 5c 3h"
    round_ = played(game, "1=10 2=10", drawn, "1:late_card 1:hit 1:stand 2:hit 2:stand")
    assert (held(round_, 1), only(round_, 1).end) == (["2♣ 8♦ 5♣ 3♥"], "stand")
    assert held(round_, 2) == ["3♣ 9♦ 4♣"]
    with pytest.raises(RuleError, match="made no decision"):
        played(game, "1=10 2=10", "2c 3c 7h 8d 9d Ks 4c 5c", "1:late_card 2:hit 2:stand")


@pytest.mark.clause("633a.14(i)", "633a.7(k)")
def test_late_cards_of_two_players_and_a_second_missed_card_come_in_the_order_they_were_missed() -> None:
    drawn = "2c 3c 7h 8d 9d Ks 4c 5c 3h"
    chosen = "1:late_card 1:late_card 1:stand 2:late_card 2:stand"
    round_ = played("blackjack", "1=10 2=10", drawn, chosen)
    assert (held(round_, 1), held(round_, 2)) == (["2♣ 8♦ 4♣ 3♥"], ["3♣ 9♦ 5♣"])
    other = played("blackjack", "1=10 2=10", drawn, chosen, late=(1, 1, 2))  # as a history tells it
    assert (held(other, 1), held(other, 2)) == (["2♣ 8♦ 4♣ 5♣"], ["3♣ 9♦ 3♥"])


@pytest.mark.clause("633a.14(i)")
def test_words_after_late_cards_wait_for_the_order_in_which_a_history_has_the_cards() -> None:
    drawn, chosen = "2c 3c 5h 7h 8d 9d 9s Ks 4c 5c", "1:late_card 1:stand 2:late_card 2:stand 3:stand"
    for late, one, two in (((1, 2), "4♣", "5♣"), ((2, 1), "5♣", "4♣")):
        round_ = played("blackjack", "1=10 2=10 3=10", drawn, chosen, late=late)
        assert (held(round_, 1), held(round_, 2)) == ([f"2♣ 8♦ {one}"], [f"3♣ 9♦ {two}"])


@pytest.mark.clause("633a.14(i)", "633a.7(k)")
def test_words_after_a_late_card_that_never_come_in_turn_are_refused() -> None:
    """Position 2 says nothing, so that 1 does not get its late card."""
    drawn = "2c 3c 7h 8d 9d Ks 4c 5c"
    for rest in ("1:stand", "1:hit 1:stand", "1:hit 1:hit 1:stand", f"{'1:hit ' * 300}1:stand"):
        with refused("633a.14(i)", "waits for its late card"):
            played("blackjack", "1=10 2=10", drawn, f"1:late_card {rest}")


@pytest.mark.clause("633a.14(i)", "633a.11(b)")
def test_the_words_after_a_split_hand_s_late_card_come_after_the_other_hand_s() -> None:
    drawn = "8c 7h 8d Ks 2c 3c 6c 4h 2h"
    round_ = played("blackjack", "1=10", drawn, "1:split 1:late_card 1:hit 1:stand 1:hit 1:stand")
    assert held(round_, 1) == ["8♣ 2♣ 4♥ 2♥", "8♦ 3♣ 6♣"]


@pytest.mark.clause("633a.14(c) refusal", "633a.14(i)")
def test_who_refuses_a_card_on_one_hand_gets_no_late_card_on_the_other() -> None:
    note = Irr("exposed", at=6)
    round_ = played("blackjack", "1=10", "8c 7h 8d Ks 2c 3c 6c", "1:split 1:late_card 1:refuse_card", note)
    assert held(round_, 1) == ["8♣ 2♣", "8♦ 3♣"]


@pytest.mark.clause("633a.14(j)", "633a.14(j)(1)", "633a.14(j)(2)")
def test_a_reader_used_without_an_ace_or_ten_up_voids_the_round_only_if_it_leaks() -> None:
    note = Irr("reader_misused")
    assert only(played("blackjack", "1=10", "2c 7h 8d Ks", "1:stand", note)).end == "stand"
    leaking = table("blackjack", leaking_reader=True)
    round_ = played(leaking, "1=10 2=10", "2c 3c 7h Ad Kd Ks", "", note)
    assert round_.void == "633a.14(j)(1)"
    assert [only(round_, position).end for position in (1, 2)] == ["dead", "dead"]
    with refused("633a.14(j)(1)", "the round is void"):
        played(leaking, "1=10", "2c 7h 8d Ks", "1:stand", note)
    with refused("633a.7(h) eligibility", "that is not an irregularity"):
        played("blackjack", "1=10", "2c Kh 8d Ks", "1:stand", note)


@pytest.mark.clause("635a.13(j)(1)", "635a.13(j)(2)")
def test_spanish_21_voids_by_a_leaking_reader_too() -> None:
    note = Irr("reader_misused")
    round_ = played(table("spanish_21", leaking_reader=True), "1=10", "2c 7h 8d Ks", "", note)
    assert round_.void == "635a.13(j)(1)"
    assert played("spanish_21", "1=10", "2c 7h 8d Ks", "1:stand", note).void is None


@pytest.mark.clause("590.13(i)")
def test_free_bet_plays_on_whatever_the_reader() -> None:
    round_ = played(table("free_bet", leaking_reader=True), "1=10", "2c 7h 8d Ks", "1:stand", Irr("reader_misused"))
    assert round_.void is None


@clauses(blackjack="633a.14(k)", free_bet="590.13(j)", spanish_21="635a.13(k)")
def test_what_becomes_of_a_round_whose_reader_failed_is_what_a_floorperson_ruled(game: str, clause: str) -> None:
    """Reading 46: no new card is dealt at the table; of the round in progress no clause speaks."""
    voided = Irr("reader_failed", choice="voided")
    stopped = played(game, "1=10", "2c Kh 8d Ks", "", voided)
    assert (stopped.void, only(stopped).end) == (clause, "dead")
    with refused(clause, "the round is void"):
        played(game, "1=10", "2c Kh 8d Ks 3c", "", voided)
    with refused(clause, "no stand, the round is void"):
        played(game, "1=10", "2c Kh 8d Ks", "1:stand", voided)
    low = played(game, "1=10", "2c 7h 8d Ks", "", voided)
    assert low.void == clause
    repaired = played(game, "1=10", "2c Kh 8d Ks", "1:stand", Irr("reader_failed", choice="repaired"))
    assert (repaired.void, repaired.reader) == (None, "no_blackjack")
    with refused(clause, "'stopped' is not a choice here; there is repaired or voided or played_on"):
        played(game, "1=10", "2c Kh 8d Ks", "1:stand", Irr("reader_failed", choice="stopped"))


@clauses(blackjack="633a.14(k)", free_bet="590.13(j)", spanish_21="635a.13(k)")
def test_a_round_that_is_played_on_without_a_reader_meets_a_blackjack_when_it_is_turned(game: str, clause: str) -> None:
    note = Irr("reader_failed", choice="played_on")
    round_ = played(game, "1=10", "Tc Ah 5d Ks 4c".replace("T", "J"), "1:hit 1:stand", note)
    assert (round_.void, round_.reader, held(round_), only(round_).end) == (None, None, ["J♣ 5♦ 4♣"], "stand")
    low = played(game, "1=10", "2c 7h 8d Ks", "1:stand", note)
    assert (low.void, low.reader) == (None, None)


@clauses(blackjack="633a.14(k)", free_bet="590.13(j)", spanish_21="635a.13(k)")
def test_insurance_is_placed_before_the_reader_fails(game: str, clause: str) -> None:
    note = Irr("reader_failed", choice="voided")
    stopped = played(game, "1=10 2=10", "2c 3c Ah 8d 9d Ks", "2:insurance=5", note)
    assert (stopped.void, stopped.boxes[1].insurance, stopped.reader) == (clause, 5_00, None)


@clauses(blackjack="633a.14(g) none", free_bet="590.13(g)", spanish_21="635a.13(h)")
def test_a_dead_hand_has_nothing_to_insure(game: str, clause: str) -> None:
    note = Irr("no_cards", position=1)
    round_ = played(game, "1=10 2=10", "9c Ad 9d 7s", "2:insurance=5 2:stand", note)
    assert [box.insurance for box in round_.boxes] == [0, 5_00]
    with refused(clause, "position 1: insurance for a dead hand"):
        played(game, "1=10 2=10", "9c Ad 9d 7s", "1:insurance=5 2:stand", note)


@clauses(blackjack="633a.14(c) refusal", free_bet="590.13(c)", spanish_21="635a.13(d)")
def test_who_refuses_a_card_gets_none_on_his_other_boxes_either(game: str, clause: str) -> None:
    bets = [Stake(1, 10_00, player="Ann"), Stake(2, 10_00, player="Bob"), Stake(3, 10_00, player="Ann")]
    drawn = cards("9c 9h 8c 6d 7d 5s 6s Ks 4d 6h")
    made = [Decision(1, None, "refuse_card"), Decision(2, None, "hit"), Decision(2, None, "stand")]
    round_ = play(table(game), bets, drawn, made, [Irr("exposed", at=8)])
    assert [box.hands[0].end for box in round_.boxes] == ["stand", "stand", "stand"]
    with refused({"blackjack": "633a.7(i)(2)", "free_bet": "590.7(h)(2)", "spanish_21": "635a.7(h)(2)"}[game], "stood"):
        play(table(game), bets, drawn, [*made, Decision(3, None, "hit")], [Irr("exposed", at=8)])


@pytest.mark.clause("633a.14(c) refusal")
def test_who_refuses_a_card_gets_none_on_his_other_hands_either() -> None:
    note = Irr("exposed", at=5)
    round_ = played("blackjack", "1=10 2=10", "8c 3c 7h 8d 9d Ks", "1:stand 2:stand")
    assert round_.void is None
    split = played("blackjack", "1=10", "8c 7h 8d Ks 4h 5c", "1:split 1:refuse_card", note)
    assert (held(split), [hand.end for hand in hands(split, 1)]) == (["8♣ 4♥", "8♦"], ["stand", "stand"])
    with refused("633a.14(g) one", "pass 3"):
        played("blackjack", "1=10", "2c 7h 8d Ks", "1:stand", Irr("one_card", position=1, missed=3))


def test_one_card_has_one_irregularity_at_most() -> None:
    notes = (Irr("face_up", at=1), Irr("unexposed", at=1))
    with refused("633a.14(b)", "two irregularities"):
        played("blackjack", "1=10", "2c Jh 7h 8d Ks", "1:stand", *notes)
    assert cards("??") == [63]
