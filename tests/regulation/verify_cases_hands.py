"""Cases of 633a.14(f) to (i) and of stops: too few cards, hands without cards, missed cards."""

from __future__ import annotations

from shoetool.judge import registry as reg
from shoetool.model.protocol_table import FaultCode, HandEnd, Key, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import RACK, TABLE, Short, face
from verify_case import case


def too_few(refill: bool, burn: bool, left: int = 0) -> Short:
    """One deck: the cover card comes with 13 cards left, the next round takes all but `left` of them."""
    s = Short(decks=1)
    last = [face(card) for card in ("10C", "9C", "7C", "8C", "KD", "KH", "2D", "3D", "4D", "5D", "6D", "8D", "9D")]
    for card in range(52):
        if card not in {*last, face("2C")}:
            s.card(Role.DISCARDED, RACK, card)
    s.add("cover_card", 0, 1, 1, 1)
    s.usual()
    for card in last[6 : 13 - left]:
        s.card(Role.DISCARDED, RACK, card)
    s.irr(Irr.TOO_FEW_CARDS)
    if refill:
        s.add("refilled", 0, 40)
        if burn:
            s.burn("3C")
        s.stand(1)
        s.give(2, "2S", Role.DRAW)
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


@case(reg.TOO_FEW, BREACH)
def the_rack_comes_in_with_most_of_the_batch_left() -> Short:
    s = Short()
    s.usual()
    s.irr(Irr.TOO_FEW_CARDS, detail=255)
    s.add("refilled", 0, 1)
    s.burn("3D")
    s.finish_usual()
    s.end()
    return s


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


def drawn_on(turned: bool) -> Short:
    """Positions 1 and 2 get late cards and draw on; `turned`: position 1 alone, after the hole card was turned."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "4C"}, "7C", {1: "3C", 2: "5D"}, "KH")
    s.stand(1, 2)
    s.irr(Irr.MISSED_CARD, 1)
    if not turned:
        s.irr(Irr.MISSED_CARD, 2)
    s.give(1, "2D", Role.LATE)
    if turned:
        s.reveal()
    s.give(1, "9D", Role.DRAW)
    s.end_hand(1)
    if not turned:
        s.give(2, "3D", Role.LATE)
        s.give(2, "6D", Role.DRAW)
        s.end_hand(2)
        s.reveal()
    s.close()
    s.end()
    return s


@case(reg.MISSED, HANDLED)
def hands_draw_on_after_their_late_cards() -> Short:
    """633a.7(k): what position 2 draws on is not a card that position 1 should have waited for, nor a late draw."""
    return drawn_on(False)


@case(reg.REVEAL, BREACH)
def the_hole_card_is_turned_before_a_late_hand_is_played_out() -> Short:
    return drawn_on(True)


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
    s.add("fault", FaultCode.INTERNAL, 0, 0)
    s.card(Role.DRAW if used else Role.STOPPED, 1 if used else TABLE, "2D")
    s.irr(Irr.DRAWN_WHILE_STOPPED, TABLE)
    s.add("cleared", FaultCode.INTERNAL, 0)
    s.finish_usual()
    s.end()
    return s


@case(reg.BLIND, CANNOT_TELL)
def a_head_is_dirty_in_mid_round() -> Short:
    s = Short()
    s.usual()
    s.add("fault", FaultCode.HEAD_DIRTY, 0, 8)
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


def plain(code: Irr, detail: int = 0) -> Short:
    s = Short()
    s.usual()
    s.irr(code, detail=detail)
    s.finish_usual()
    s.end()
    return s


@case(reg.PUSHED_BACK, HANDLED)
def a_card_is_pushed_back() -> Short:
    return plain(Irr.PULLED_BACK)


@case(reg.KEYS, HANDLED)
def a_key_without_meaning() -> Short:
    return plain(Irr.WRONG_KEY, Key.TURN_UP)


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


@case(reg.REFILL_BURN, BREACH)
def a_burn_is_missing_after_a_refill() -> Short:
    return too_few(True, False)
