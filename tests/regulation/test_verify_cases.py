"""Every check with every verdict that it can give: one short history each, and exactly that finding.

The last test compares the cases with the registry, so a check without a case fails.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shoetool.model.protocol_table import FaultCode, Finish, Game, HandEnd, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, CHECKS, HANDLED
from shoetool.verify import registry as reg
from short_shoe import NONE, RACK, SEGREGATED, TABLE, Short, face

Case = Callable[[], Short]
CASES: list[tuple[str, str, Case]] = []


def case(check: str, verdict: str) -> Callable[[Case], Case]:
    def note(function: Case) -> Case:
        CASES.append((check, verdict, function))
        return function

    return note


# ---------------------------------------------------------------------------------------------- equipment and cards
@case(reg.DOUBLE_DECKS, BREACH)
def odd_decks_in_a_double_shoe() -> Short:
    s = Short(kind=ShoeKind.DOUBLE, decks=5, opened=False)
    s.open()
    s.load(0, 104, burn=False)
    s.load(1, 104, burn=False)
    s.end()
    return s


@case(reg.SPANISH_DECKS, BREACH)
def spanish_21_from_four_decks() -> Short:
    s = Short(game=Game.SPANISH_21, decks=4)
    s.end()
    return s


@case(reg.POSITIONS, BREACH)
def free_bet_with_a_seventh_position() -> Short:
    s = Short(game=Game.FREE_BET)
    s.start(1, 7)
    s.opening({1: "10C", 7: "9C"}, "7C", {1: "8C", 7: "KD"}, "KH")
    s.stand(1, 7)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.FULL_BATCH, BREACH)
def a_short_batch_is_loaded() -> Short:
    s = Short(opened=False)
    s.open()
    s.load(0, 311)
    s.end()
    return s


@case(reg.COMPOSITION, BREACH)
def a_second_copy_from_one_deck() -> Short:
    s = Short(decks=1)
    s.start(1)
    s.opening({1: "10C"}, "7C", {1: "8C"}, "KH")
    s.stand(1)
    s.reveal()
    s.close()
    s.start(1)
    s.opening({1: "10D"}, "7D", {1: "8C"}, "QH")
    s.irr(Irr.EXTRA_CARD, detail=face("8C"))
    s.stand(1)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.BACKS, BREACH)
def a_card_of_another_batch() -> Short:
    s = Short()
    s.usual()
    s.add("fault", FaultCode.FOREIGN_BATCH, 0, 9)
    s.irr(Irr.FOREIGN_BATCH, detail=9)
    s.card(Role.STOPPED, TABLE, "4D", batch=9)
    s.add("cleared", FaultCode.FOREIGN_BATCH, 3)
    s.finish_usual()
    s.end()
    return s


@case(reg.COVER_CARDS, BREACH)
def a_second_cover_card_on_one_side_of_a_double_shoe() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.add("cover_card", 0, 1, NONE, 1)
    s.irr(Irr.SECOND_COVER_CARD)
    s.end()
    return s


@case(reg.COVER_CARDS, CANNOT_TELL)
def a_second_cover_card_in_a_single_shoe() -> Short:
    s = Short()
    s.add("cover_card", 0, 1, NONE, 1)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    return s


# ------------------------------------------------------------------------------------------------------ cover card
def nearly_dealt(behind: int, **more: int) -> Short:
    s = Short(decks=1, **more)  # type: ignore[arg-type]
    for card in range(51 - behind):
        s.card(Role.DISCARDED, RACK, card if card < 1 else card + 1)
    return s


@case(reg.COVER_PLACE, BREACH)
def twelve_cards_behind_the_cover_card_of_one_deck() -> Short:
    s = nearly_dealt(12)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    return s


@case(reg.COVER_PLACE, CANNOT_TELL)
def a_double_feed_leaves_the_place_open() -> Short:
    s = nearly_dealt(12)
    s.add("fault", FaultCode.DOUBLE_FEED, 0, 0)
    s.add("cleared", FaultCode.DOUBLE_FEED, 2)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    return s


@case(reg.LAST_ROUND, BREACH)
def a_round_after_the_last_one() -> Short:
    s = Short()
    s.usual()
    s.add("cover_card", 0, 5, 1, 1)
    s.finish_usual()
    s.add("finished", 0, Finish.COVER_CARD, 7)
    s.whole_round()
    s.end()
    return s


@case(reg.ORDERED, HANDLED)
def the_floorperson_orders_a_reshuffle() -> Short:
    s = Short()
    s.usual()
    s.irr(Irr.ORDERED_RESHUFFLE)
    s.finish_usual()
    s.add("finished", 0, Finish.ORDERED, 7)
    s.end()
    return s


@case(reg.ORDERED, BREACH)
def a_round_after_the_finish_that_was_ordered() -> Short:
    s = Short()
    s.whole_round()
    s.add("finished", 0, Finish.ORDERED, 7)
    s.whole_round()
    s.end()
    return s


@case(reg.ONLY_THAT_SIDE, BREACH)
def the_other_side_is_loaded_again() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.add("cover_card", 0, 1, NONE, 1)
    s.add("finished", 0, Finish.COVER_CARD, 0)
    s.add("shoe_closed", Finish.COVER_CARD, 0, 0)
    s.open()
    s.load(1, burn=False)
    s.end()
    return s


@case(reg.COUNT, BREACH)
def a_card_is_missing_and_the_count_says_so() -> Short:
    s = nearly_dealt(13)
    s.add("cover_card", 0, 1, NONE, 1)
    s.add("finished", 0, Finish.COVER_CARD, 39)
    for card in range(40, 52):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 1, 13, 12, 39)
    s.end()
    return s


@case(reg.COUNT, CANNOT_TELL)
def an_unknown_card_may_be_the_missing_one() -> Short:
    s = nearly_dealt(13)
    s.irr(Irr.FACE_UP_CARD)
    s.add("finished", 0, Finish.ORDERED, 40)
    for card in range(40, 52):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 3, 12, 12, 39)
    s.end()
    return s


# ------------------------------------------------------------------------------------------------------------ burn
@case(reg.BATCH_BURN, BREACH)
def no_burn_after_the_load() -> Short:
    s = Short(burn=False)
    s.irr(Irr.BURN_MISSING)
    s.whole_round()
    s.end()
    return s


@case(reg.DEALER_BURN, BREACH)
def no_burn_by_the_new_dealer() -> Short:
    s = Short()
    s.add("dealer_changed", 2)
    s.whole_round()
    s.end()
    return s


# ----------------------------------------------------------------------------------------------------- double shoe
def double_round(s: Short, role: Role, card: str, head: int, chosen: int, box: int | None = None) -> None:
    """A round of one position: determinant, side, opening deal, stand, reveal, close."""
    s.start(2)
    first = role == Role.DETERMINANT_FIRST
    s.card(role, (2 if first else SEGREGATED) if box is None else box, card, head=head)
    s.add("side_chosen", chosen)
    s.side = chosen
    s.opening({2: "9C"}, "7C", {2: "KD"}, "KH", skip=first)
    s.stand(2)
    s.reveal()
    s.close()


@case(reg.DETERMINANT, BREACH)
def a_round_without_determinant() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.whole_round()
    s.end()
    return s


@case(reg.MAPPING, BREACH)
def the_suit_names_the_other_side() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.start(2)
    s.card(Role.DETERMINANT_ASIDE, SEGREGATED, "9C", head=0)
    s.add("side_chosen", 0)
    s.side = 1
    s.opening({2: "9C"}, "7C", {2: "KD"}, "KH")
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.MAPPING, CANNOT_TELL)
def the_determinant_is_unknown() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    double_round(s, Role.DETERMINANT_ASIDE, "9C", 0, 1)
    records = s.s.records
    at = next(i for i, r in enumerate(records) if r.name == "card" and r.role == Role.DETERMINANT_ASIDE)
    records[at] = records[at]._replace(values=(*records[at].values[:4], 63, 63, 300, 0))
    s.end()
    return s


@case(reg.MATCH, BREACH)
def a_matching_determinant_goes_to_another_position() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    double_round(s, Role.DETERMINANT_ASIDE, "9H", 0, 0)
    s.end()
    return s


@case(reg.MISMATCH, BREACH)
def a_determinant_of_the_other_side_is_dealt() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    double_round(s, Role.DETERMINANT_FIRST, "9C", 0, 1)
    s.end()
    return s


def from_the_wrong_side(outcome: int) -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.start(2)
    s.card(Role.DETERMINANT_ASIDE, SEGREGATED, "9C", head=0)
    s.add("side_chosen", 1)
    s.side = 1
    s.card(Role.OPENING, 2, "9C", head=0)
    s.irr(Irr.WRONG_SIDE, 2)
    s.up("7C")
    s.give(2, "KD")
    s.hole("KH")
    s.stand(2)
    s.reveal()
    s.close(17 if not outcome else 0, outcome)
    s.end()
    return s


@case(reg.WRONG_SIDE, HANDLED)
def a_card_from_the_wrong_side_stands() -> Short:
    return from_the_wrong_side(0)


@case(reg.WRONG_SIDE, BREACH)
def a_round_is_voided_for_the_wrong_side() -> Short:
    return from_the_wrong_side(1)


# ------------------------------------------------------------------------------------------------------ deal order
@case(reg.PASS_1, BREACH)
def position_2_is_dealt_first() -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({2: "9C", 1: "10C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    s.finish_usual()
    s.end()
    return s


@case(reg.UP_CARD, BREACH)
def the_dealer_is_passed_over() -> Short:
    s = Short()
    s.start(1, 2)
    s.give(1, "10C")
    s.give(2, "9C")
    s.give(1, "8C")
    s.up("7C")
    s.give(2, "KD")
    s.hole("KH")
    s.finish_usual()
    s.end()
    return s


@case(reg.PASS_2, BREACH)
def the_second_pass_runs_backwards() -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "10C", 2: "9C"}, "7C", {2: "KD", 1: "8C"}, "KH")
    s.finish_usual()
    s.end()
    return s


@case(reg.HOLE_CARD, BREACH)
def the_hole_card_is_dealt_face_up() -> Short:
    s = Short()
    s.start(1)
    s.give(1, "10C")
    s.up("7C")
    s.give(1, "8C")
    ref = s.card(Role.HOLE, 0, "KH")
    s.stand(1)
    s.add("revealed", ref)
    s.close()
    s.end()
    return s


@case(reg.TURN, BREACH)
def position_2_draws_before_position_1_is_done() -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "2D"}, "KH")
    s.give(2, "3C", Role.DRAW)
    s.stand(1, 2)
    s.reveal()
    s.close()
    s.end()
    return s


def split_eights() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "8C"}, "7C", {1: "8D"}, "KH")
    s.add("split", 1, 0, 1)
    return s


@case(reg.SPLIT_ORDER, BREACH)
def the_right_split_hand_is_played_first() -> Short:
    s = split_eights()
    s.give(1, "10C", Role.SPLIT_SECOND, 1)
    s.end_hand(1, hand=1)
    s.give(1, "10D", Role.SPLIT_SECOND, 0)
    s.end_hand(1, hand=0)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.SPLIT_PAIR, BREACH)
def unlike_values_are_split() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "8C"}, "7C", {1: "9D"}, "KH")
    s.add("split", 1, 0, 1)
    for hand in (0, 1):
        s.give(1, "10C", Role.SPLIT_SECOND, hand)
        s.end_hand(1, hand=hand)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.SPLIT_LIMIT, BREACH)
def a_fifth_hand_in_free_bet() -> Short:
    s = Short(game=Game.FREE_BET)
    s.start(1)
    s.opening({1: "8C"}, "7C", {1: "8D"}, "KH")
    for new in (1, 2, 3, 4):
        s.add("split", 1, 0, new)
        s.give(1, "8H" if new < 4 else "10C", Role.SPLIT_SECOND, 0)
    s.end_hand(1)
    for hand in (4, 3, 2, 1):
        s.give(1, "10C", Role.SPLIT_SECOND, hand)
        s.end_hand(1, hand=hand)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.DOUBLE_HAND, BREACH)
def a_double_on_three_cards() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "2C"}, "7C", {1: "3C"}, "KH")
    s.give(1, "4C", Role.DRAW)
    s.add("doubled", 1, 0)
    s.give(1, "9C", Role.DOUBLE_DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.ONE_CARD, BREACH)
def two_cards_on_a_double() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "2C"}, "7C", {1: "3C"}, "KH")
    s.add("doubled", 1, 0)
    s.give(1, "4C", Role.DOUBLE_DRAW)
    s.give(1, "5C", Role.DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.NO_DRAW, BREACH)
def a_hand_of_21_draws() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "5C"}, "7C", {1: "6C"}, "KH")
    s.give(1, "10C", Role.DRAW)
    s.give(1, "AC", Role.DRAW)
    s.end_hand(1, HandEnd.BUST)
    s.turn()
    s.close(0)
    s.end()
    return s


@case(reg.HAND_OVER, BREACH)
def a_hand_that_stands_gets_a_card() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "5C"}, "7C", {1: "6C"}, "KH")
    s.stand(1)
    s.give(1, "2D", Role.DRAW)
    s.stand(1)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.SURRENDER, BREACH)
def surrender_after_a_draw() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "5C"}, "7C", {1: "6C"}, "KH")
    s.give(1, "2D", Role.DRAW)
    s.end_hand(1, HandEnd.SURRENDERED)
    s.turn()
    s.close(0)
    s.end()
    return s


@case(reg.CARD_OUTSIDE, BREACH)
def a_card_is_dealt_between_rounds() -> Short:
    s = Short()
    s.give(1, "10C")
    s.end()
    return s


# ---------------------------------------------------------------------------------------------------------- dealer
@case(reg.REVEAL, BREACH)
def the_hole_card_is_never_turned() -> Short:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.irr(Irr.HOLE_NOT_REVEALED, 0)
    s.turn()
    s.close(17)
    s.end()
    return s


@case(reg.DEALER_COUNT, BREACH)
def the_round_is_closed_with_a_wrong_total() -> Short:
    s = Short()
    s.usual()
    s.finish_usual(19)
    s.end()
    return s


def dealer_with_16() -> Short:
    s = Short()
    s.start(1)
    s.opening({1: "10C"}, "6C", {1: "8C"}, "KH")
    s.stand(1)
    s.reveal()
    return s


@case(reg.DEALER_SHORT, BREACH)
def the_dealer_stops_on_16() -> Short:
    s = dealer_with_16()
    s.irr(Irr.DEALER_SHORT, 0, detail=16)
    s.close(16)
    s.end()
    return s


@case(reg.DEALER_17, HANDLED)
def a_card_drawn_on_17_is_discarded() -> Short:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.reveal()
    s.irr(Irr.DEALER_DREW_ON_17, 0, detail=17)
    s.card(Role.DISCARDED, RACK, "2D")
    s.close()
    s.end()
    return s


@case(reg.DEALER_17, BREACH)
def a_card_drawn_on_17_is_kept() -> Short:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.reveal()
    s.card(Role.DEALER_DRAW, 0, "2D")
    s.close(19)
    s.end()
    return s


# -------------------------------------------------------------------------------------------------- irregularities
@case(reg.FACE_UP, HANDLED)
def a_face_up_card_is_set_aside() -> Short:
    s = Short()
    s.usual()
    s.irr(Irr.FACE_UP_CARD, 1)
    s.finish_usual()
    s.end()
    return s


def two_face_up(void: bool) -> Short:
    s = Short(game=Game.SPANISH_21)
    s.start(1, 2)
    s.irr(Irr.FACE_UP_CARD, 1)
    if void:
        s.irr(Irr.SECOND_FACE_UP_CARD, 1)
        s.close(0, 1)
    else:
        s.irr(Irr.SECOND_FACE_UP_CARD, 1)
        s.opening({1: "9S", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
        s.finish_usual()
    s.end()
    return s


@case(reg.SECOND_FACE_UP, HANDLED)
def two_face_up_cards_void_a_spanish_round() -> Short:
    return two_face_up(True)


@case(reg.SECOND_FACE_UP, BREACH)
def two_face_up_cards_and_the_round_goes_on() -> Short:
    return two_face_up(False)


@case(reg.TEN_FOUND, HANDLED)
def a_ten_is_taken_out() -> Short:
    s = Short(game=Game.SPANISH_21)
    s.start(1, 2)
    s.card(Role.DISCARDED, NONE, "10D")
    s.irr(Irr.TEN_FOUND, 1, detail=face("10D"))
    s.opening({1: "9S", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    s.finish_usual()
    s.end()
    return s


@case(reg.TEN_FOUND, BREACH)
def a_ten_stays_in_a_hand() -> Short:
    s = Short(game=Game.SPANISH_21)
    s.usual()
    s.finish_usual()
    s.end()
    return s


def two_tens(outcome: int) -> Short:
    s = Short(game=Game.SPANISH_21)
    s.start(1, 2)
    s.card(Role.DISCARDED, NONE, "10D")
    s.irr(Irr.TEN_FOUND, 1, detail=face("10D"))
    s.card(Role.DISCARDED, NONE, "10H")
    s.irr(Irr.SECOND_TEN_FOUND, 1, detail=face("10H"))
    if not outcome:
        s.opening({1: "9S", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
        s.finish_usual()
    else:
        s.close(0, 1)
    s.end()
    return s


@case(reg.SECOND_TEN, HANDLED)
def two_tens_void_the_round() -> Short:
    return two_tens(1)


@case(reg.SECOND_TEN, BREACH)
def two_tens_and_the_round_goes_on() -> Short:
    return two_tens(0)


def held_before_the_round(s: Short) -> int:
    ref = s.s.seal(Role.HELD, TABLE, 0, 0, face("10C"), 1)
    s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    s.start(1, 2)
    return ref


@case(reg.DRAWN_IN_ERROR, HANDLED)
def a_card_drawn_in_error_is_the_next_card() -> Short:
    s = Short()
    s.s.open(held_before_the_round(s), Role.OPENING, 1, 0)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH", skip=True)
    s.finish_usual()
    s.end()
    return s


@case(reg.DRAWN_IN_ERROR, BREACH)
def another_card_is_dealt_first() -> Short:
    s = Short()
    ref = held_before_the_round(s)
    s.give(1, "8S")
    s.s.open(ref, Role.OPENING, 2, 0)
    s.up("7C")
    s.give(1, "10H")
    s.give(2, "8H")
    s.hole("KH")
    s.finish_usual()
    s.end()
    return s


@case(reg.DRAWN_IN_ERROR, CANNOT_TELL)
def a_card_drawn_in_error_and_never_seen_again() -> Short:
    s = Short()
    s.burns.append(s.s.seal(Role.HELD, TABLE, 0, 0, face("10C"), 1))
    s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    ref = s.burns.pop()
    s.s.open(ref, Role.HELD, TABLE, 0)
    s.end()
    return s


def exposed(s: Short) -> int:
    """Position 1 stands; a card is drawn for it in error and seen."""
    s.start(1, 2)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "2D"}, "KH")
    ref = s.give(1, "5D", Role.DRAW)
    s.add("moved", ref, Role.HELD, TABLE, 0)
    s.irr(Irr.DRAWN_IN_ERROR_EXPOSED, 1)
    s.stand(1)
    return ref


@case(reg.EXPOSED, HANDLED)
def an_exposed_card_goes_to_the_next_player() -> Short:
    s = Short()
    s.add("moved", exposed(s), Role.DRAW, 2, 0)
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.EXPOSED, BREACH)
def another_card_is_dealt_before_the_exposed_one() -> Short:
    s = Short()
    ref = exposed(s)
    s.give(2, "2S", Role.DRAW)
    s.add("moved", ref, Role.DRAW, 2, 0)
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.EXPOSED, CANNOT_TELL)
def a_card_exposed_before_the_opening_deal() -> Short:
    s = Short()
    ref = s.s.seal(Role.HELD, TABLE, 0, 0, face("10C"), 1)
    s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    s.s.open(ref, Role.HELD, TABLE, 0)
    s.irr(Irr.DRAWN_IN_ERROR_EXPOSED, TABLE)
    s.start(1, 2)
    s.add("moved", ref, Role.OPENING, 1, 0)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH", skip=True)
    s.finish_usual()
    s.end()
    return s


def refused(more: bool) -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "9C"}, "7C", {1: "8C", 2: "2D"}, "KH")
    s.irr(Irr.CARD_REFUSED, 1)
    if more:
        s.give(1, "2H", Role.DRAW)
    s.stand(1)
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.REFUSED, HANDLED)
def who_refuses_gets_no_more() -> Short:
    return refused(False)


@case(reg.REFUSED, BREACH)
def who_refuses_gets_another_card() -> Short:
    return refused(True)


@case(reg.DISCARDED, HANDLED)
def a_card_that_nobody_can_use_is_discarded() -> Short:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.irr(Irr.CARD_DISCARDED, RACK)
    s.card(Role.DISCARDED, RACK, "2H")
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.DISCARDED, BREACH)
def an_exposed_card_is_neither_used_nor_discarded() -> Short:
    s = Short()
    exposed(s)
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.DISCARDED, CANNOT_TELL)
def a_discard_without_a_card() -> Short:
    s = Short()
    s.usual()
    s.irr(Irr.CARD_DISCARDED, RACK)
    s.finish_usual()
    s.end()
    return s


def dealer_missed(early: bool, take: bool = True, outcome: int = 0) -> Short:
    s = Short()
    s.start(1, 2)
    s.give(1, "10C")
    s.give(2, "9C")
    s.irr(Irr.DEALER_MISSED_CARD, 0, detail=1)
    s.give(1, "8C")
    if early:
        s.up("7C")
    s.give(2, "KD")
    if not take:
        s.close(0, outcome)
        s.end()
        return s
    if not early:
        s.up("7C")
    s.hole("KH")
    s.finish_usual()
    s.end()
    return s


@case(reg.DEALER_MISSED, HANDLED)
def the_dealer_takes_his_card_late() -> Short:
    return dealer_missed(early=False)


@case(reg.DEALER_MISSED, BREACH)
def the_dealer_takes_his_late_card_too_early() -> Short:
    return dealer_missed(early=True)


@case(reg.DEALER_MISSED, CANNOT_TELL)
def the_round_is_voided_before_the_late_card() -> Short:
    return dealer_missed(early=False, take=False, outcome=1)


def too_few(refill: bool, burn: bool) -> Short:
    s = Short()
    s.usual()
    s.irr(Irr.TOO_FEW_CARDS)
    if refill:
        s.add("refilled", 0, 200)
        if burn:
            s.burn("3D")
        s.stand(1)
        s.give(2, "2D", Role.DRAW)
        s.stand(2)
    else:
        s.stand(1, 2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.TOO_FEW, HANDLED)
def the_rack_is_shuffled_and_the_round_goes_on() -> Short:
    return too_few(True, True)


@case(reg.TOO_FEW, CANNOT_TELL)
def no_cards_come_back() -> Short:
    return too_few(False, False)


def no_cards(later: bool) -> Short:
    s = Short()
    s.start(1, 2)
    s.give(1, "10C")
    s.irr(Irr.HAND_WITHOUT_CARDS, 2)
    s.up("7C")
    s.give(1, "8C")
    s.hole("KH")
    s.stand(1)
    if later:
        s.give(2, "10D", Role.LATE)
        s.give(2, "9D", Role.LATE)
    s.end_hand(2, HandEnd.DEAD)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.NO_CARDS, HANDLED)
def a_position_without_cards_is_dead() -> Short:
    return no_cards(False)


@case(reg.NO_CARDS, BREACH)
def a_dead_position_gets_cards() -> Short:
    return no_cards(True)


def one_card(after_hole: bool) -> Short:
    s = Short()
    s.start(1, 2)
    s.give(1, "10C")
    s.give(2, "9C")
    s.up("7C")
    s.irr(Irr.HAND_WITH_ONE_CARD, 1)
    s.give(2, "KD")
    if not after_hole:
        s.give(1, "8C", Role.LATE)
    s.hole("KH")
    if after_hole:
        s.give(1, "8C", Role.LATE)
    s.finish_usual()
    s.end()
    return s


@case(reg.ONE_CARD_HAND, HANDLED)
def the_second_card_comes_after_everybody_elses() -> Short:
    return one_card(False)


@case(reg.ONE_CARD_HAND, BREACH)
def the_second_card_comes_after_the_hole_card() -> Short:
    return one_card(True)


def missed(when: str) -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    s.stand(1, 2)
    s.irr(Irr.MISSED_CARD, 1)
    if when == "in time":
        s.give(1, "2D", Role.LATE)
        s.stand(1)
    if when == "void":
        s.turn()
        s.close(0, 1)
        return s
    s.reveal()
    if when == "too late":
        s.give(1, "2D", Role.LATE)
        s.stand(1)
    s.close()
    s.end()
    return s


@case(reg.MISSED, HANDLED)
def a_missed_card_comes_late() -> Short:
    return missed("in time")


@case(reg.MISSED, BREACH)
def a_missed_card_comes_after_the_hole_card_was_turned() -> Short:
    return missed("too late")


@case(reg.MISSED, CANNOT_TELL)
def a_round_is_voided_before_the_missed_card() -> Short:
    return missed("void")


@case(reg.UNKNOWN_CARD, CANNOT_TELL)
def a_card_is_accepted_unread() -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "2D"}, "KH")
    s.stand(1)
    s.add("fault", FaultCode.UNREADABLE, 0, 3)
    s.add("cleared", FaultCode.UNREADABLE, 1)
    s.card(Role.DRAW, 2, 63, batch=63)
    s.irr(Irr.CARD_UNKNOWN, 2)
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


def stopped(used: bool) -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    s.add("fault", FaultCode.HEAD_DIRTY, 0, 8)
    s.card(Role.DRAW if used else Role.STOPPED, 1 if used else TABLE, "2D")
    s.irr(Irr.DRAWN_WHILE_STOPPED, TABLE)
    s.add("cleared", FaultCode.HEAD_DIRTY, 0)
    s.finish_usual()
    s.end()
    return s


@case(reg.STOPPED, HANDLED)
def a_card_drawn_while_stopped_belongs_to_nobody() -> Short:
    return stopped(False)


@case(reg.STOPPED, BREACH)
def a_card_drawn_while_stopped_is_dealt() -> Short:
    return stopped(True)


def plain(code: Irr) -> Short:
    s = Short()
    s.usual()
    s.irr(code)
    s.finish_usual()
    s.end()
    return s


@case(reg.PUSHED_BACK, HANDLED)
def a_card_is_pushed_back() -> Short:
    return plain(Irr.PULLED_BACK)


@case(reg.KEYS, HANDLED)
def a_key_without_meaning() -> Short:
    return plain(Irr.WRONG_KEY)


@case(reg.SEATS, HANDLED)
def positions_are_changed_late() -> Short:
    return plain(Irr.SEAT_CHANGED)


@case(reg.UNEXPLAINED, CANNOT_TELL)
def a_burn_is_reported_missing_that_nobody_owed() -> Short:
    s = Short()
    s.irr(Irr.BURN_MISSING)
    s.whole_round()
    s.end()
    return s


# ---------------------------------------------------------------------------------------------------------- history
@case(reg.FAULT_LEFT, CANNOT_TELL)
def a_fault_is_never_cleared() -> Short:
    s = Short()
    s.whole_round()
    s.add("fault", FaultCode.HEAD_STUCK, 0, 9)
    return s


@case(reg.COMMITMENT, BREACH)
def another_card_is_opened_than_was_sealed() -> Short:
    s = Short()
    s.usual()
    card, batch, nonce = s.s.faces[s.hole_ref]
    s.s.faces[s.hole_ref] = (card + 13, batch, nonce)
    s.finish_usual()
    s.end()
    return s


@case(reg.LEFT_SEALED, CANNOT_TELL)
def a_burn_card_is_never_opened() -> Short:
    s = Short()
    s.burns.clear()
    s.whole_round()
    s.end()
    return s


@case(reg.SEQUENCE, CANNOT_TELL)
def records_are_missing() -> Short:
    s = Short()
    s.whole_round()
    s.whole_round()
    s.end()
    del s.s.records[10:14]
    return s


@case(reg.INCOMPLETE, CANNOT_TELL)
def a_round_is_never_closed() -> Short:
    s = Short()
    s.usual()
    s.burns.append(s.hole_ref)
    s.start(1, 2)
    s.s.open(s.burns.pop(), Role.HOLE, 0, 0)
    s.close(0, 1)
    s.end()
    return s


@case(reg.TOTALS, BREACH)
def the_shoe_closes_with_another_number_of_cards() -> Short:
    s = Short()
    s.whole_round()
    s.s.open(s.burns.pop(), Role.BURN, RACK, 0)
    s.add("shoe_closed", Finish.DAY_END, 1, 8)
    return s


@case(reg.TOTALS, BREACH)
def a_side_is_finished_with_another_number_of_cards() -> Short:
    s = Short()
    s.whole_round()
    s.add("finished", 0, Finish.COVER_CARD, 8)
    s.end()
    return s


@case(reg.VOIDED, CANNOT_TELL)
def a_round_is_voided_and_nothing_says_why() -> Short:
    s = Short()
    s.usual()
    s.turn()
    s.close(0, 1)
    s.end()
    return s


@case(reg.MOVED, BREACH)
def a_card_is_taken_from_a_hand_and_nothing_says_why() -> Short:
    s = Short()
    s.usual()
    ref = s.give(1, "2D", Role.DRAW)
    s.add("moved", ref, Role.DISCARDED, RACK, 0)
    s.finish_usual()
    s.end()
    return s


# Cases in which another finding rightly stands beside the one that the case is about.
ALSO = {
    "a_round_is_never_closed": {(reg.VOIDED, CANNOT_TELL)},
    "the_round_is_voided_before_the_late_card": {(reg.VOIDED, CANNOT_TELL)},
    "a_round_is_voided_before_the_missed_card": {(reg.VOIDED, CANNOT_TELL)},
    "a_round_is_voided_for_the_wrong_side": {(reg.VOIDED, CANNOT_TELL)},
    "an_unknown_card_may_be_the_missing_one": {(reg.FACE_UP, HANDLED)},
    "the_determinant_is_unknown": {(reg.UNKNOWN_CARD, CANNOT_TELL)},
    "two_face_up_cards_void_a_spanish_round": {(reg.FACE_UP, HANDLED)},
    "two_face_up_cards_and_the_round_goes_on": {(reg.FACE_UP, HANDLED)},
    "two_tens_void_the_round": {(reg.TEN_FOUND, HANDLED)},
    "two_tens_and_the_round_goes_on": {(reg.TEN_FOUND, HANDLED)},
    "a_burn_is_missing_after_a_refill": {(reg.TOO_FEW, HANDLED)},
}


@case(reg.REFILL_BURN, BREACH)
def a_burn_is_missing_after_a_refill() -> Short:
    return too_few(True, False)


@pytest.mark.parametrize(("check", "verdict", "make"), CASES, ids=[function.__name__ for _, _, function in CASES])
def test_633a_each_check_finds_exactly_its_case(check: str, verdict: str, make: Case) -> None:
    found = make().findings()
    got = {(finding.check, finding.verdict) for finding in found}
    assert got == {(check, verdict)} | ALSO.get(make.__name__, set()), [finding.sentence for finding in found]
    for finding in found:
        assert finding.records, finding.sentence
        assert not finding.sentence[0].islower() and finding.sentence.endswith("."), finding.sentence
        assert finding.reading == CHECKS[finding.check].reading


def test_every_check_and_verdict_of_the_registry_has_a_case() -> None:
    wanted = {(check.name, verdict) for check in CHECKS.values() for verdict in check.verdicts}
    of_pages = {(reg.SEQUENCE, BREACH), (reg.CUT, CANNOT_TELL)}  # tests/host/test_verify.py: they take pages, a file
    assert {(check, verdict) for check, verdict, _ in CASES} | of_pages == wanted


def test_a_round_without_fault_has_no_finding() -> None:
    s = Short()
    s.whole_round()
    s.end()
    report = s.report()
    assert report.ok and report.summary.complete and report.headline() == "verified, 0 findings"


# ------------------------------------------------------------------------------------------ readings and borderlines
def test_633a_7_e_1_the_cover_card_of_a_batch_that_is_only_counted_has_no_place() -> None:
    s = Short(decks=1, burn=False)
    s.add("count_started", 0, 0)
    for card in range(50):
        s.card(Role.COUNTED, RACK, card)
    s.add("cover_card", 0, 9, NONE, 1)
    for card in (50, 51):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 0, 52, 52, 63)
    s.add("finished", 0, Finish.COVER_CARD, 52)
    s.end()
    assert s.report().ok, s.findings()


def test_a_test_deal_out_of_order_leaves_it_open_and_is_no_missing_card() -> None:
    s = Short(decks=1, burn=False)
    s.add("count_started", 0, 1)
    for card in range(52):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 3, 52, 52, 4)
    s.end()
    assert [(f.check, f.verdict) for f in s.findings()] == [(reg.COUNT, CANNOT_TELL)]


def test_633a_14_g_none_a_position_found_without_cards_after_the_deal_is_dead() -> None:
    """The shoe had given its places to that position; what counts is that nothing comes after the report."""
    s = Short()
    s.usual()
    s.irr(Irr.HAND_WITHOUT_CARDS, 2)
    s.end_hand(2, HandEnd.DEAD)
    s.stand(1)
    s.reveal()
    s.close()
    s.end()
    assert [(f.check, f.verdict) for f in s.findings()] == [(reg.NO_CARDS, HANDLED)]


def test_633a_14_h_a_held_card_from_the_other_side_is_told_once() -> None:
    s = Short(kind=ShoeKind.DOUBLE)
    first = s.s.seal(Role.HELD, TABLE, 0, 0, face("9H"), 1)
    s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    second = s.s.seal(Role.HELD, TABLE, 0, 1, face("8H"), 2)
    s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    s.start(2, 3)
    s.s.open(first, Role.DETERMINANT_FIRST, 2, 0)
    s.add("side_chosen", 0)
    s.s.open(second, Role.OPENING, 3, 0)
    s.irr(Irr.WRONG_SIDE, 3, head=1)
    s.up("7C")
    s.give(2, "KD")
    s.give(3, "KC")
    s.hole("KH")
    s.stand(2, 3)
    s.reveal()
    s.close()
    s.end()
    found = [(f.check, f.verdict) for f in s.findings()]
    assert sorted(found) == sorted([(reg.DRAWN_IN_ERROR, HANDLED)] * 2 + [(reg.WRONG_SIDE, HANDLED)])


def test_635a_10_d_a_double_may_be_rescued_in_spanish_21() -> None:
    s = Short(game=Game.SPANISH_21)
    s.start(1)
    s.opening({1: "5C"}, "7C", {1: "6C"}, "KH")
    s.add("doubled", 1, 0)
    s.give(1, "2D", Role.DOUBLE_DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.end_hand(1, HandEnd.SURRENDERED)
    s.turn()
    s.close(0)
    s.end()
    assert s.report().ok, s.findings()


def test_635a_7_n_4_the_dealer_may_stop_when_only_a_21_in_three_cards_is_left() -> None:
    s = Short(game=Game.SPANISH_21)
    s.start(1)
    s.opening({1: "5C"}, "6C", {1: "6D"}, "KH")
    s.give(1, "KC", Role.DRAW)
    s.end_hand(1, HandEnd.TWENTY_ONE)
    s.reveal()
    s.close(16)
    s.end()
    assert s.report().ok, s.findings()


@pytest.mark.parametrize(("decks", "behind", "ok"), [(1, 13, True), (1, 12, False)])
def test_633a_5_d_place_is_rounded_up(decks: int, behind: int, ok: bool) -> None:
    """Reading 34: 52 cards need 13 behind the cover card."""
    s = nearly_dealt(behind)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    assert s.report().ok is ok


def test_633a_7_c_a_load_and_a_new_dealer_owe_two_burns() -> None:
    """Reading 26: both if both happen together."""
    s = Short()
    s.add("dealer_changed", 1)
    s.burn("3C")
    s.whole_round()
    s.end()
    assert s.report().ok, s.findings()


def test_633a_7_d_a_double_shoe_owes_no_burn_unless_the_house_says_so() -> None:
    """Reading 28; options bit 2."""
    for options, want in ((0, []), (4, [(reg.DEALER_BURN, BREACH)])):
        s = Short(kind=ShoeKind.DOUBLE, options=options)
        s.add("dealer_changed", 1)
        double_round(s, Role.DETERMINANT_FIRST, "9H", 0, 0)
        s.end()
        assert [(f.check, f.verdict) for f in s.findings()] == want


def test_633a_7_c_a_continuous_shuffler_owes_no_burn_after_a_load() -> None:
    s = Short(options=2 | 32, burn=False)
    s.whole_round()
    s.end()
    assert s.report().ok, s.findings()


def test_633a_7_e_a_cover_card_between_rounds_leaves_one_more_round() -> None:
    """Reading 32: that round is dealt and finished, then shuffle; no further round."""
    s = Short()
    s.add("cover_card", 0, 1, 1, 1)
    s.whole_round()
    assert s.report().ok, s.findings()
    s.whole_round()
    assert [(f.check, f.verdict) for f in s.findings()] == [(reg.LAST_ROUND, BREACH)]


@pytest.mark.parametrize("color", [0, 1])
@pytest.mark.parametrize("card", ["9C", "9D", "9H", "9S"])
@pytest.mark.parametrize("head", [0, 1])
def test_633a_7_d_1_mapping_of_each_suit_and_side(color: int, card: str, head: int) -> None:
    s = Short(kind=ShoeKind.DOUBLE, color=color)
    named = 0 if (card[-1] in "DH") == (color == 0) else 1
    role = Role.DETERMINANT_FIRST if named == head else Role.DETERMINANT_ASIDE
    double_round(s, role, card, head, named)
    s.end()
    assert s.report().ok, s.findings()
