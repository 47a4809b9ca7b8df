"""What each kind of pass through a read head of the shoe means."""

from shoe import wire_table as t
from shoe.compat import const
from shoe.dealing.inventory import UNKNOWN
from shoe.game_table import GAMES, SECOND_FACE_UP

_CARDS = const(52)
_BLOCKED = {t.UNREADABLE_STUCK: t.FAULT_HEAD_STUCK, t.UNREADABLE_SATURATED: t.FAULT_HEAD_SATURATED}


def passed(d, p):
    st = d.st
    kind = p.kind
    head = p.head
    if kind == t.PASS_BLOCKED:
        d.fault(_BLOCKED.get(p.reason, t.FAULT_HEAD_DIRTY), head, p.reason)
        return
    side = st.side(head)
    if not st.shoe_open or side is None:
        if kind != t.PASS_PULL_BACK and not st.stray and not st.shoe_open:
            d.emit((t.REC_IRREGULARITY, t.IRR_DRAWN_WHILE_STOPPED, t.POSITION_NONE, 0, head, t.PHASE_EMPTY))
        elif st.shoe_open and kind in (t.PASS_CARD, t.PASS_TEST_CARD, t.PASS_FOREIGN_BATCH, t.PASS_UNREADABLE):
            d.stray(head, p.card if kind != t.PASS_UNREADABLE else UNKNOWN, p.batch)
        return
    if kind == t.PASS_PULL_BACK:
        if not st.stopped():
            d.emit((t.REC_IRREGULARITY, t.IRR_PULLED_BACK, t.POSITION_NONE, 0, head, 0))
    elif kind == t.PASS_COVER_CARD or (kind == t.PASS_FOREIGN_BATCH and p.card == _CARDS):
        _cover(d, side, head, p.batch)
    elif kind == t.PASS_BLANK:
        _blank(d, head)
    elif kind == t.PASS_UNREADABLE or kind == t.PASS_DOUBLE_FEED:
        if st.stopped():
            d.stray(head, UNKNOWN, UNKNOWN)
        elif kind == t.PASS_UNREADABLE:
            reason = p.reason
            if reason in (t.UNREADABLE_UNASSIGNED, t.UNREADABLE_AMBIGUOUS):
                place, _ = d.due()
                if place is None or d.face_down(place[0]):
                    reason = t.UNREADABLE_CODE  # which of the three it is may depend on the card
            d.fault(t.FAULT_UNREADABLE, head, reason)
        else:
            d.fault(t.FAULT_DOUBLE_FEED, head, p.reason)
    elif kind in (t.PASS_CARD, t.PASS_TEST_CARD, t.PASS_FOREIGN_BATCH):
        _card(d, side, p)


def _card(d, side, p):
    st = d.st
    head, card, batch = p.head, p.card & 63, p.batch & 63
    duration = min(0xFFFF, max(0, p.duration_ms))
    margin = p.margin & 0xFF
    test = _CARDS < card < UNKNOWN
    if st.stopped():
        d.stray(head, card, batch)
    elif card == UNKNOWN or card == _CARDS:
        d.fault(t.FAULT_UNREADABLE, head, t.UNREADABLE_UNASSIGNED)
    elif st.counting == head and (test or batch == side.batch):
        d.card(t.ROLE_COUNTED, t.POSITION_RACK, 0, head, card, batch, duration, margin)
    elif test or batch != side.batch:
        d.fault(t.FAULT_FOREIGN_BATCH, head, batch)
        d.emit((t.REC_IRREGULARITY, t.IRR_FOREIGN_BATCH, t.POSITION_NONE, 0, head, batch))
        place, _ = d.due()
        if not test and (place is None or d.face_down(place[0])):
            d.emit((t.REC_SEALED, t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card, batch))
        else:
            d.card(t.ROLE_STOPPED, t.POSITION_TABLE, 0, head, card, batch, duration, margin)
    else:
        d.place(head, card, batch, duration, margin)


def _cover(d, side, head, batch):
    st = d.st
    if side.cover:
        d.emit((t.REC_IRREGULARITY, t.IRR_SECOND_COVER_CARD, t.POSITION_NONE, 0, head, batch))
        return
    place, _ = d.due()
    box = place[1] if place is not None else st.first_box()
    if box == t.POSITION_RACK and st.first_box() != t.POSITION_NONE:
        box = st.first_box()  # reading 33: whoever was to receive the next card
    d.emit((t.REC_COVER_CARD, head, d.phase, box, batch & 63))
    if batch != side.batch:
        d.emit((t.REC_IRREGULARITY, t.IRR_FOREIGN_BATCH, t.POSITION_NONE, 0, head, batch & 63))


def _blank(d, head):
    """A card lay face up in the shoe, 633a.14(a), 635a.13(a)."""
    st = d.st
    place, _ = d.due()
    box, hand = (place[1], place[2]) if place is not None else (t.POSITION_NONE, 0)
    second = GAMES[st.game][SECOND_FACE_UP] and st.in_round and st.face_ups > 0
    code = t.IRR_SECOND_FACE_UP_CARD if second else t.IRR_FACE_UP_CARD
    d.emit((t.REC_IRREGULARITY, code, box, hand, head, min(255, st.face_ups + 1)))
    d.alarms()
