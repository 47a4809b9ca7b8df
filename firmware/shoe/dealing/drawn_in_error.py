"""Cards drawn in error (633a.14(b), (c)) and what the supervisor key does about a latched fault."""

from shoe import wire_table as t
from shoe.compat import const
from shoe.dealing.inventory import strange_ten
from shoe.dealing.state import NO_HAND

_RESUME = const(1)
_UNKNOWN = const(2)
_REREAD = const(4)
_REMOVED = const(8)
# Faults under which a card lies somewhere with no record of its own.
OPEN_PASS = (t.FAULT_UNREADABLE, t.FAULT_DOUBLE_FEED, t.FAULT_EDGES_LOST)
# Faults that a fresh batch settles.
_BY_LOAD = (t.FAULT_EXTRA_CARD, t.FAULT_COUNT_WRONG, t.FAULT_DECKS_RETIRED)
_WAYS = {
    t.FAULT_UNREADABLE: _UNKNOWN | _REREAD | _REMOVED,
    t.FAULT_DOUBLE_FEED: _UNKNOWN | _REREAD | _REMOVED,
    t.FAULT_EDGES_LOST: _UNKNOWN | _REREAD | _REMOVED,
    t.FAULT_FOREIGN_BATCH: _REMOVED,
    t.FAULT_EXTRA_CARD: _RESUME | _REMOVED,
    t.FAULT_COUNT_WRONG: _RESUME | _REMOVED,
    t.FAULT_DECKS_RETIRED: _RESUME | _REMOVED,
    t.FAULT_SEALED_CARD_LOST: _RESUME | _UNKNOWN,
}
_LAST_CARD = (t.ROLE_DRAW, t.ROLE_LATE)


def may_load_stopped(st):
    """True when nothing stops the game but faults that a fresh batch settles."""
    return all(fault[0] in _BY_LOAD or fault[0] not in t.STOPPING_FAULTS for fault in st.faults)


def clear_for_load(d, head):
    """A fresh batch was loaded on a side: let go what the old one was stopped for."""
    for code in _BY_LOAD:
        fault = d.st.latched(code)
        if fault and fault[1] == head:
            d.emit((t.REC_CLEARED, code, t.CLEAR_CARD_REMOVED))


def supervisor(d, how):
    """Key supervisor: clear the first latched fault for which this is a way out."""
    st = d.st
    for fault in st.faults:
        ways = _WAYS.get(fault[0], _RESUME)
        if fault[0] == t.FAULT_READER and st.has_reader():
            ways = 0  # it takes a passed inspection, 633a.14(k)
        if how < 4 and ways >> how & 1:
            code, head, detail = fault
            break
    else:
        return False
    if code in OPEN_PASS and how == t.CLEAR_CARD_UNKNOWN and st.in_round and st.double and st.chosen < 0:
        return False  # the determinant's suit picks the side: it must be read, or taken out
    d.emit((t.REC_CLEARED, code, how))
    if code in OPEN_PASS and st.side(head) is not None and how in (t.CLEAR_CARD_UNKNOWN, t.CLEAR_CARD_REMOVED):
        for _ in range(2 if code == t.FAULT_DOUBLE_FEED else 1):
            if how == t.CLEAR_CARD_UNKNOWN:
                d.follow()  # what the first of two brought about: the second may be another hand's
                d.place(head, d.unknown, d.unknown, 0, 0)
            else:
                d.card(t.ROLE_DISCARDED, t.POSITION_NONE, 0, head, d.unknown, d.unknown, 0, 0)
    elif code == t.FAULT_EXTRA_CARD and how == t.CLEAR_CARD_REMOVED:
        hand, at = st.find(st.last_ref)
        if hand is not None and hand.cards[at] == detail:
            d.emit((t.REC_MOVED, st.last_ref, t.ROLE_DISCARDED, t.POSITION_NONE, 0))
    elif code == t.FAULT_DECKS_RETIRED:
        side = st.side(head)
        if side is not None and side.finished < 0 and not side.ordered:
            d.emit((t.REC_IRREGULARITY, t.IRR_ORDERED_RESHUFFLE, t.POSITION_NONE, 0, head, 0))
    return True


def _last_drawn(st):
    """(hand, index) of the card drawn last by or for a player, if no key came since; else (None, -1)."""
    if not st.last_ref or not st.in_round or not st.dealt or st.revealed:
        return None, -1
    hand, at = st.find(st.last_ref)
    if hand is None or hand is st.held or hand is st.dealer or at != len(hand.refs) - 1 or at < 2:
        return None, -1
    if hand.doubled or hand is st.stream:
        return None, -1
    return hand, at


def hold(d, exposed):
    """Key hold: the card drawn last was drawn in error; 0 unexposed, 1 exposed."""
    st = d.st
    code = t.IRR_DRAWN_IN_ERROR_EXPOSED if exposed else t.IRR_DRAWN_IN_ERROR
    hand, _ = _last_drawn(st)
    if exposed > 1:
        return False
    if hand is not None:
        _set_aside(d, hand, code)
        return True
    if not st.held.refs:
        return False
    last = len(st.held.refs) - 1
    if not exposed:
        return not st.held_shown >> last & 1
    if st.held_shown >> last & 1:
        return False
    ref = st.held.refs[last]
    index = st.sealed.find(ref)
    head = st.held.heads[last]
    if index >= 0:
        _, _, _, _, card, batch, _ = st.sealed.get(index)
        d.emit((t.REC_OPENED, ref, t.ROLE_HELD, t.POSITION_TABLE, 0, card, batch))
    d.emit((t.REC_IRREGULARITY, code, t.POSITION_TABLE, 0, head, 0))
    card = st.held.cards[last]
    if strange_ten(st.game, card):
        d.ten(t.POSITION_TABLE, 0, head, card)
        d.emit((t.REC_MOVED, ref, t.ROLE_DISCARDED, t.POSITION_NONE, 0))
    d.alarms()
    return True


def _set_aside(d, hand, code):
    """Take the card drawn last off its hand; it waits to be the next card."""
    ref = hand.refs[-1]
    head = hand.heads[-1]
    box, number = hand.box, hand.number
    d.emit((t.REC_MOVED, ref, t.ROLE_HELD, t.POSITION_TABLE, 0))
    d.emit((t.REC_IRREGULARITY, code, box, number, head, 0))


def discard(d, refused):
    """Key discard: 0 the held or last card goes to the rack; 1 it was exposed and the hand in turn refuses it."""
    st = d.st
    hand, at = _last_drawn(st)
    if refused:
        turn = d.turn()
        if refused > 1 or not st.dealt or st.revealed or st.community():
            return False
        if hand is not None:
            _set_aside(d, hand, t.IRR_DRAWN_IN_ERROR_EXPOSED)
            turn = hand
        elif turn is None or not st.held.refs or not st.held_shown & 1 or len(turn.cards) < 2 or turn.owes_double:
            return False
        d.irregularity(t.IRR_CARD_REFUSED, turn.box, turn.number, 0)
        for other in st.hands:  # the player gets no card in any hand; reading 40: he stands on what he has
            if other.box == turn.box and other.ended == NO_HAND:
                d.emit((t.REC_HAND_ENDED, other.box, other.number, t.HAND_END_STAND))
        return True
    if st.held.refs:
        ref = st.held.refs[0]
    elif hand is not None:
        ref = hand.refs[at]
    else:
        return False
    d.irregularity(t.IRR_CARD_DISCARDED, t.POSITION_RACK, 0, 0)
    d.emit((t.REC_MOVED, ref, t.ROLE_DISCARDED, t.POSITION_RACK, 0))
    return True
