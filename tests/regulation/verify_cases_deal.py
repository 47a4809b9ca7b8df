"""Cases of the deal: order, players, dealer."""

from __future__ import annotations

from shoetool.judge import registry as reg
from shoetool.model.protocol_table import Game, HandEnd, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, HANDLED
from short_shoe import RACK, Short
from verify_case import case


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
