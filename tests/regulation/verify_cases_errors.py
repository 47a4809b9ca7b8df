"""Cases of 633a.14: face-up cards, 10s, cards drawn in error, the dealer's slips."""

from __future__ import annotations

from shoetool.judge import registry as reg
from shoetool.model.protocol_table import Game, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import NONE, RACK, TABLE, Short, face
from verify_case import case


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


def refused_in_a_split(more: bool) -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "8C", 2: "9C"}, "7C", {1: "8D", 2: "2D"}, "KH")
    s.add("split", 1, 0, 1)
    s.give(1, "3C", Role.SPLIT_SECOND)
    s.irr(Irr.CARD_REFUSED, 1)
    s.end_hand(1)
    if more:
        s.give(1, "2H", Role.SPLIT_SECOND, 1)
    s.end_hand(1, hand=1)
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.REFUSED, HANDLED)
def the_other_split_hand_of_who_refuses_keeps_its_one_card() -> Short:
    return refused_in_a_split(False)


@case(reg.REFUSED, BREACH)
def another_hand_of_who_refuses_gets_a_card() -> Short:
    return refused_in_a_split(True)


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
