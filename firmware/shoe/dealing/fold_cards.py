"""Fold the events of cards and hands: drawn, sealed, opened, moved; ended, doubled, split, switched, asked for a card.

A card's record number is not known before the journal has it: until `recorded` it goes by a negative number. A start
folds records that the journal has, and gives the number.
"""

from shoe import wire_table as t
from shoe.compat import const
from shoe.dealing.inventory import UNKNOWN, new_deck_card, strange_ten
from shoe.dealing.state import NO_HAND, SWITCH_HAND, Hand
from shoe.dealing.variations import hybrid, switch_hands

_CARDS = const(52)
_MOST = const(0xFFFF)
_IN_HAND = (
    t.ROLE_OPENING,
    t.ROLE_DEALER_UP,
    t.ROLE_HOLE,
    t.ROLE_DRAW,
    t.ROLE_DOUBLE_DRAW,
    t.ROLE_SPLIT_SECOND,
    t.ROLE_DEALER_DRAW,
    t.ROLE_DETERMINANT_FIRST,
    t.ROLE_LATE,
    t.ROLE_SWITCH_HAND,
)
AUTOMATIC = (t.HAND_END_TWENTY_ONE, t.HAND_END_BUST, t.HAND_END_BLACKJACK, t.HAND_END_DOUBLED)


def recorded(st, event, number):
    """The journal gave `event` this record number: its card goes by it from now on."""
    if event[0] not in (t.REC_CARD, t.REC_SEALED) or not st.pending:
        return
    provisional = st.pending.pop(0)
    if st.last_ref == provisional:
        st.last_ref = number
    if st.hole == provisional:
        st.hole = number
    index = st.sealed.find(provisional)
    if index >= 0:
        st.sealed.refs[index] = number
    hand, index = st.find(provisional)
    if hand is not None:
        hand.refs[index] = number


def _lay(st, ref, event, at, card, head):
    """Put a card where its role says: role, position and hand stand in `event` from `at` on."""
    role = event[at]
    if role in (t.ROLE_DETERMINANT_FIRST, t.ROLE_DETERMINANT_ASIDE):
        st.chosen = head & 1 if role == t.ROLE_DETERMINANT_FIRST else ~head & 1
    if role == t.ROLE_HELD:
        st.held.add(card, ref, head)
    if role not in _IN_HAND or strange_ten(st.game, card):
        return
    if t.POSITION_PLAYER_1 <= event[at + 1] <= t.POSITION_COMMUNITY:
        hybrid().lay(st, event[at + 1], ref, card, head)
        return
    number = event[at + 2]
    hand = st.dealer if event[at + 1] == t.POSITION_DEALER else st.hand(event[at + 1], number)
    if hand is None:
        return
    hand.add(card, ref, head)
    if role == t.ROLE_HOLE:
        st.dealt = True
        all_out(st)
    elif role == t.ROLE_SWITCH_HAND and number == SWITCH_HAND:
        all_out(st)
    elif role == t.ROLE_DOUBLE_DRAW:
        hand.owes_double = False
    if role == t.ROLE_LATE and hand.late > 0:
        hand.late = -1
        st.lates += 1
    elif hand.late < 0:
        hand.late = 0  # it drew on
    if role == t.ROLE_DRAW:
        st.decided = True


def all_out(st):
    """With switch hands the opening deal is over when their cards are out as well, 633c.4(d), (j)."""
    if st.asides:
        st.dealt = len(st.dealer.cards) > 1 and switch_hands().due(st) is None


def _burned(st):
    if st.burn_refill:
        st.burn_refill = 0
    elif st.burn_batch:
        st.burn_batch = 0
    elif st.burn_dealer:
        st.burn_dealer -= 1


def _came_out(st):
    """One card more; return what it goes by."""
    st.cards_out = min(_MOST, st.cards_out + 1)
    ref = st.restored
    if ref < 0:
        st.serial += 1
        ref = -st.serial
        st.pending.append(ref)
    st.last_ref = ref
    return ref


def _card(st, event):
    # Few locals: most of what a start folds are these, and MicroPython takes a large frame from the heap.
    ref = _came_out(st)
    _left_side(st, event)
    if event[1] == t.ROLE_BURN:
        _burned(st)
    _lay(st, ref, event, 1, event[5], event[4])


def _left_side(st, event):
    """Count a card, seen as it came out, off the side that it came from; a foreign one is not of it."""
    side = st.side(event[4])
    card = event[5]
    if side is None or card == _CARDS or _CARDS < card < UNKNOWN or (event[6] != side.batch and card < UNKNOWN):
        return
    if event[1] != t.ROLE_COUNTED:
        side.took(card)
        return
    if st.testing and st.test_wrong == UNKNOWN:
        wanted = new_deck_card(side.passed - st.count_base, st.game)
        if card != wanted:
            st.test_wrong = card if card < _CARDS else wanted
    side.took(card)
    side.over = -1  # the verdict of the count says it


def _sealed(st, event):
    _, role, box, number, head, card, batch = event
    ref = _came_out(st)
    side = st.side(head)
    foreign = side is None or batch not in (side.batch, UNKNOWN, 0)
    if side is not None and not foreign:
        side.took(UNKNOWN)
    st.sealed.add(ref, role, box, number, head, card, batch)
    if foreign:
        st.sealed.back(st.sealed.many - 1)
    if role == t.ROLE_BURN:
        _burned(st)
    elif role == t.ROLE_HOLE:
        st.hole = ref
    _lay(st, ref, event, 1, UNKNOWN, head)


def _take_from_hand(st, hand, index, ref):
    """Take a card away from where it lies; return (card, head). What followed from it alone is undone."""
    card, head = hand.take(index)
    if hand is st.held:
        low = st.held_shown & ((1 << index) - 1)
        st.held_shown = low | st.held_shown >> (index + 1) << index
    elif hand is st.stream:
        hybrid().unlay(st, index, AUTOMATIC)
    elif hand is st.dealer:
        if ref == st.hole:
            st.hole = 0
            st.dealt = False
    else:
        if hand.ended in AUTOMATIC:
            hand.ended = NO_HAND
        if hand.ended == NO_HAND and hand in st.asides:
            st.dealt = False  # taken out of play before its player chose: another one is due
        if hand.doubled:
            hand.owes_double = True
        if hand.late < 0:  # its late card was not its own: it is due again, and first
            hand.late = 1
    return card, head


def _opened(st, event):
    _, ref, role, box, number, card, _ = event
    index = st.sealed.find(ref)
    if index < 0:
        return
    _, old_box, old_number, head, _, _, back = st.sealed.get(index)
    st.sealed.drop(index)
    side = st.side(head)
    if side is not None and not back:
        side.opened(card)
    hand, at = st.find(ref)
    if hand is None:
        return
    if hand is st.held:
        if role == t.ROLE_HELD:
            st.held.cards[at] = card
            st.held_shown |= 1 << at
            return
    elif (box, number) == (old_box, old_number):
        if strange_ten(st.game, card):
            hand.take(at)
        else:
            hand.cards[at] = card
        if ref == st.hole:
            st.hole = 0
        return
    _take_from_hand(st, hand, at, ref)
    _lay(st, ref, event, 2, card, head)


def _moved(st, event):
    _, ref, role, box, number = event
    hand, at = st.find(ref)
    index = st.sealed.find(ref)
    if index >= 0:
        st.sealed.place(index, role, box, number)
    if hand is None:
        return
    card, head = _take_from_hand(st, hand, at, ref)
    _lay(st, ref, event, 2, card, head)
    if role == t.ROLE_BURN:
        _burned(st)
    elif role == t.ROLE_HOLE and index >= 0:
        st.hole = ref
    elif role == t.ROLE_DISCARDED and box == t.POSITION_NONE:
        side = st.side(head)
        if side is not None:
            side.removed(card)
        if index >= 0:
            st.sealed.back(index)
    if st.last_ref == ref:
        st.last_ref = 0


def _split(st, event):
    hand = st.hand(event[1], event[2])
    if hand is not None and len(hand.cards) == 2:
        new = Hand(hand.box, event[3])
        hand.split = new.split = True
        hand.wants = new.wants = st.community()  # both take the first card, reading 81
        ref = hand.refs[1]
        card, head = hand.take(1)
        new.add(card, ref, head)
        st.hands.insert(st.hands.index(hand) + 1, new)
        index = st.sealed.find(ref)
        if index >= 0:
            st.sealed.place(index, st.sealed.get(index)[0], new.box, new.number)
        st.last_ref = 0
        st.decided = True


def _switched(st, event):
    first, second = st.hand(event[1], 0), st.hand(event[1], 1)
    if first is None or second is None or len(first.cards) < 2 or len(second.cards) < 2:
        return
    for one in ("cards", "refs", "heads"):
        left, right = getattr(first, one), getattr(second, one)
        left[1], right[1] = right[1], left[1]
    first.switched = second.switched = True
    first.ended = second.ended = NO_HAND  # a Blackjack that was dealt is none any more
    st.last_ref = 0
    st.decided = True


def _hand_ended(st, event):
    hand = st.hand(event[1], event[2])
    if hand is not None:
        hand.ended = event[3]
        hand.late = 0
        if event[3] not in AUTOMATIC:
            st.last_ref = 0
            st.decided = True


def _doubled(st, event):
    hand = st.hand(event[1], event[2])
    if hand is not None:
        hand.doubled = hand.owes_double = True
        hand.wants = st.community()
        st.last_ref = 0
        st.decided = True


def _hit(st, event):
    hybrid().hit(st, event)


def _countdown(st, event):
    hybrid().countdown(st, event)


CARD_HANDLERS = {
    t.REC_CARD: _card,
    t.REC_SEALED: _sealed,
    t.REC_OPENED: _opened,
    t.REC_MOVED: _moved,
    t.REC_HAND_ENDED: _hand_ended,
    t.REC_DOUBLED: _doubled,
    t.REC_SPLIT: _split,
    t.REC_SWITCHED: _switched,
    t.REC_HIT: _hit,
    t.REC_COUNTDOWN: _countdown,
}
