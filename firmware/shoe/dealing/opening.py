"""The opening deal, 633a.7(f), 590.7(e), 635a.7(e): which card is due, and what follows when one was skipped."""

from shoe import wire_table as t
from shoe.config import OPTION_HANDS_LAST
from shoe.dealing.state import NO_HAND
from shoe.dealing.variations import hybrid, switch_hands

_FIRST = 1  # bits of Hand.skips
_SECOND = 2


def due(st):
    """(role, box, hand) of the next card of the opening deal, None when the deal is over."""
    if st.dealt:
        return None
    if st.community():
        return hybrid().opening(st)
    dealer = len(st.dealer.cards)
    if st.asides and (dealer > 1 or not st.options & OPTION_HANDS_LAST):
        place = switch_hands().due(st)
        if place is not None:
            return place
    for hand in st.hands:
        if not hand.skips & _FIRST and not hand.cards and hand.ended == NO_HAND:
            return t.ROLE_OPENING, hand.box, hand.number
    if not dealer and not st.missed_up:
        return t.ROLE_DEALER_UP, t.POSITION_DEALER, 0
    for hand in st.hands:
        need = 1 if hand.skips & _FIRST else 2
        if not hand.skips & _SECOND and len(hand.cards) < need and hand.ended == NO_HAND:
            return t.ROLE_OPENING, hand.box, hand.number
    for hand in st.hands:
        # Reading 43: after everybody's second card and before the dealer's hole card.
        if hand.skips and len(hand.cards) < 2 and hand.ended == NO_HAND:
            return t.ROLE_LATE, hand.box, hand.number
    if not dealer:
        return t.ROLE_DEALER_UP, t.POSITION_DEALER, 0  # reading 42: the first of two late cards is the up card
    return t.ROLE_HOLE, t.POSITION_DEALER, 0


def _slots(st):
    """The opening deal's places in their order, as (role, box, hand)."""
    out = []
    asides = switch_hands().slots(st) if st.asides else []
    last = st.options & OPTION_HANDS_LAST
    if not last:
        out += asides
    for hand in st.hands:
        if not hand.skips & _FIRST:
            out.append((t.ROLE_OPENING, hand.box, hand.number))
    if not st.missed_up:
        out.append((t.ROLE_DEALER_UP, t.POSITION_DEALER, 0))
    for hand in st.hands:
        if not hand.skips & _SECOND:
            out.append((t.ROLE_OPENING, hand.box, hand.number))
    for hand in st.hands:
        if hand.skips in (_FIRST, _SECOND):
            out.append((t.ROLE_LATE, hand.box, hand.number))
    if st.missed_up:
        out.append((t.ROLE_DEALER_UP, t.POSITION_DEALER, 0))
    out.append((t.ROLE_HOLE, t.POSITION_DEALER, 0))
    return out + asides if last else out


def _laid(st, slots):
    """Record numbers of the cards on the table in the order of `slots`, up to the first empty place."""
    used = {}
    out = []
    for _, box, number in slots:
        hand = st.dealer if box == t.POSITION_DEALER else st.hand(box, number)
        at = used.get(hand, 0)
        if hand is None or at >= len(hand.refs):
            break
        used[hand] = at + 1
        out.append(hand.refs[at])
    return out


def shift(d, event):
    """Emit `event`, which takes a place out of the plan, and move the cards that lie one place too early."""
    st = d.st
    before = _slots(st)
    laid = _laid(st, before)
    d.emit(event)
    if any(hand.ended != NO_HAND and hand.cards for hand in st.hands):
        return  # a hand was given up with its card: the places no longer tell who got what
    after = _slots(st)
    for i in range(len(laid)):  # first card first, so that each hand has its cards in the order they came
        role, box, number = after[i] if i < len(after) else (t.ROLE_DISCARDED, t.POSITION_RACK, 0)
        if (box, number) != before[i][1:]:
            d.emit((t.REC_MOVED, laid[i], role, box, number))


def no_card(d, argument):
    """Key no_card in a round: 633a.14(g), 590.13(g), 635a.13(h); also a hand that declines its late card."""
    st = d.st
    if argument >> 6 and st.asides:
        event = switch_hands().without_card(d, argument)
        if event is not None:
            shift(d, event)
        return event is not None
    box = argument & 15
    which = argument >> 4 & 3
    hand = None
    for other in st.hands:
        if other.box == box and (hand is None or other.late > 0 or other.number == argument >> 6):
            hand = other
    if hand is None or not st.in_round or st.revealed:
        return False
    if st.dealt:
        if hand.late > 0:  # 633a.14(i): the player takes a dead hand and his wager back
            d.emit((t.REC_HAND_ENDED, box, hand.number, t.HAND_END_DEAD))
            return True
        if hand.split or len(hand.cards) > 2 or hand.doubled or hand.ended not in (NO_HAND, t.HAND_END_BLACKJACK):
            return False
        d.irregularity(t.IRR_HAND_WITHOUT_CARDS, box, hand.number, 0)
        d.emit((t.REC_HAND_ENDED, box, hand.number, t.HAND_END_DEAD))
        return True
    if hand.ended != NO_HAND or (st.double and st.chosen < 0):
        return False
    now = due(st)
    number = hand.number
    if now is not None and now[0] == t.ROLE_LATE and now[1:] == (box, number) and not which:
        d.emit((t.REC_HAND_ENDED, box, number, t.HAND_END_DEAD))  # the second card was declined
        return True
    if not which:
        which = _SECOND if hand.cards else _FIRST | _SECOND
    which &= ~hand.skips
    if not which:
        return False  # said already: a key pressed twice skips nothing more
    none = which | hand.skips == 3
    code = t.IRR_HAND_WITHOUT_CARDS if none else t.IRR_HAND_WITH_ONE_CARD
    shift(d, (t.REC_IRREGULARITY, code, box, number, d.head(), which))
    if none:
        d.emit((t.REC_HAND_ENDED, box, number, t.HAND_END_DEAD))
    return True


def missed_dealer(d):
    """Key missed_dealer: 633a.14(e), 590.13(e), 635a.13(f)."""
    st = d.st
    if not st.in_round or st.revealed or (st.double and st.chosen < 0):
        return False
    if not st.dealt:
        now = due(st)
        if st.missed_up or now is None or (not st.dealer.cards and now[0] != t.ROLE_DEALER_UP):
            return False
        if st.hole:
            return False  # switch hands cards are due: a hole card that lies face down stays where it is
        shift(d, (t.REC_IRREGULARITY, t.IRR_DEALER_MISSED_CARD, t.POSITION_DEALER, 0, d.head(), 1))
        return True
    # The card taken for the hole card went to the first player. It stays sealed: were it opened here, this key would
    # show a hole card that lies face down.
    turn = d.turn()
    if not st.hole or st.decided or st.peek >= 0 or turn is None or st.asides:
        return False  # with switch hands nobody chooses before the hole card is dealt, and nobody draws before that
    hole = st.hole
    d.irregularity(t.IRR_DEALER_MISSED_CARD, t.POSITION_DEALER, 0, 2)
    d.emit((t.REC_MOVED, hole, t.ROLE_DRAW, turn.box, turn.number))
    return True
