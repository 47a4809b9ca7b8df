"""Cases of the history itself: faults, seals, missing records, totals."""

from __future__ import annotations

from shoetool.judge import registry as reg
from shoetool.model.protocol_table import FaultCode, Finish, Role
from shoetool.verify import BREACH, CANNOT_TELL
from short_shoe import RACK, Short
from verify_case import case


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


@case(reg.UNKNOWN_VALUE, CANNOT_TELL)
def a_hand_ends_for_a_reason_that_is_not_known() -> Short:
    s = Short()
    s.whole_round()
    s.end()
    at = next(place for place, record in enumerate(s.s.records) if record.name == "hand_ended")
    box, hand, _ = s.s.records[at].values
    s.s.records[at] = s.s.records[at]._replace(values=(box, hand, 99))
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
