"""A hybrid gaming table, 633c.5: the choices of its terminals, and the cards that they share.

A terminal has its cards from the position that it selected, and takes from the stream by its player's choices. Without
a hole card the first card that a terminal takes no more is the dealer's second card for it, and the next ones are his
draws: 633c.5(aa), (bb).

Each terminal chooses as it likes and none is in turn: 633c.5(l), (p)(2), (r), (z). A key names its hand: terminal +
16 * hand. A hand that takes a card waits until every hand has chosen.
"""

from shoe import wire_table as t
from shoe.compat import const
from shoe.dealing.state import NO_HAND, count, value
from shoe.game_table import DOUBLE_CARDS, GAMES, NO_HOLE, PLAYER_POSITIONS, SPLITS, SURRENDER

_SHARED = const(8)  # in Hand.heads: a shared card, this + its place among them; only the stream says where it lies
_STANDS = const(17)
_ACE = const(0)
_CARDS = const(52)
_PLAYED = (t.HAND_END_STAND, t.HAND_END_TWENTY_ONE, t.HAND_END_DOUBLED)


def no_hole(st):
    """True for the version without a hole card, 633c.5(w)."""
    return bool(GAMES[st.game][NO_HOLE])


def _open(st, box):
    """True while a hand of the terminal has not ended."""
    return any(hand.box == box and hand.ended == NO_HAND for hand in st.hands)


def _dealt_to(st, own):
    """(cards, total, least) of the dealer's hand of a terminal; total -1 and least with aces for unknown cards."""
    cards = st.dealer.cards[:1] + own.cards
    return len(cards), count(cards, len(cards)), own.minimum() + st.dealer.minimum()


def _takes(st, own):
    """True when the next card of the stream is the dealer's for this terminal, 633c.5(aa), (bb)."""
    if _open(st, own.box):
        return False
    cards, total, least = _dealt_to(st, own)
    if cards < 2:
        return True
    played = False
    for hand in st.hands:  # a Blackjack and a surrender are decided by the dealer's second card
        if hand.box == own.box and hand.ended not in (t.HAND_END_BLACKJACK, t.HAND_END_SURRENDERED, t.HAND_END_DEAD):
            played = True
    return played and total < _STANDS and least < _STANDS


def _owes(st, own):
    """True when a wager of the terminal waits for that card; over 21 it waits for the second card at most."""
    if not _takes(st, own):
        return False
    if not own.cards:
        return True
    return any(hand.box == own.box and hand.ended in _PLAYED for hand in st.hands)


def draws_on(st):
    """True when a terminal waits for a card of the dealer's, without a hole card."""
    return any(_owes(st, own) for own in st.own)


def short(st):
    """(terminal, total) of each terminal whose dealer's hand is not complete."""
    return [(own.box, _dealt_to(st, own)[1]) for own in st.own if _owes(st, own)]


def due(st):
    """(place, owed) of the next card after the opening deal, while no hand has still to choose; a place as (role, box,
    hand), None when no hand can take a card."""
    for hand in st.hands:
        if hand.ended == NO_HAND:
            return (t.ROLE_DRAW, t.POSITION_COMMUNITY, 0), True
    for own in st.own:
        if _takes(st, own):
            return (t.ROLE_DEALER_DRAW, t.POSITION_COMMUNITY, 0), draws_on(st)
    return None, False


def all_selected(st):
    """True when every terminal with a wager has a player position, where it must select one; 633c.5(l)."""
    if not GAMES[st.game][PLAYER_POSITIONS]:
        return True
    return all(st.selection(box) for box in range(1, 8) if st.seats >> box - 1 & 1)


def _boxes(st):
    """The boxes for the players' cards that this round uses, clockwise: 633c.5(n), or one for all, (y)."""
    if no_hole(st):
        return [t.POSITION_COMMUNITY]
    used = [st.selection(hand.box) for hand in st.hands]
    return [t.POSITION_PLAYER_1 + i for i in range(GAMES[st.game][PLAYER_POSITIONS]) if i + 1 in used]


def opening(st):
    """Place of the next card of the deal, 633c.5(n)(1)-(4), (y)(1)-(3)."""
    boxes = _boxes(st)
    laid = len(st.stream.cards)
    if laid >= len(boxes) and not st.dealer.cards:
        return t.ROLE_DEALER_UP, t.POSITION_DEALER, 0
    if laid >= 2 * len(boxes):
        return t.ROLE_HOLE, t.POSITION_DEALER, 0
    return t.ROLE_OPENING, boxes[laid % len(boxes)], 0


def lay(st, box, ref, card, head):
    """A card joins the shared ones, and every hand that takes it."""
    place = _SHARED + len(st.stream.cards)
    st.stream.add(card, ref, head)
    if not st.dealt:
        for hand in st.hands:
            if box == t.POSITION_COMMUNITY or st.selection(hand.box) == box - t.POSITION_PLAYER_1 + 1:
                hand.add(card, 0, place)
        st.dealt = no_hole(st) and len(st.stream.cards) > 1
        return
    st.timed = False
    st.decided = True
    for own in st.own:
        if _takes(st, own):
            own.add(card, 0, place)
    for hand in st.hands:
        if hand.wants:
            hand.add(card, 0, place)
            hand.wants = hand.owes_double = False


def hit(st, event):
    """Fold a hit: the hand takes the next card."""
    hand = st.hand(event[1], event[2])
    if hand is not None:
        hand.wants = True
        st.last_ref = 0
        st.decided = True


def countdown(st, _event):
    """Fold the end of a countdown."""
    st.timed = True
    st.last_ref = 0


def unlay(st, index, automatic):
    """The shared card at `index` was taken out of play: nobody has it, and who took it waits for another."""
    place = _SHARED + index
    for hand in st.hands + st.own:
        if place not in hand.heads:
            continue
        hand.take(hand.heads.index(place))
        if hand in st.own:
            continue
        if hand.ended in automatic:
            hand.ended = NO_HAND
        hand.wants = st.dealt and len(st.stream.cards) >= 2
        hand.owes_double = hand.doubled
    if no_hole(st) and len(st.stream.cards) < 2:
        st.dealt = False
        for hand in st.hands:
            hand.wants = False


def follow(d):
    """Emit one event that follows from the state alone: split aces that have their card, a choice that the countdown
    made; False when none does."""
    st = d.st
    for hand in st.hands:
        if hand.ended != NO_HAND or hand.wants:
            continue
        aces = hand.split and no_hole(st) and hand.cards[0] % 13 == _ACE and hand.cards[0] < _CARDS
        if aces or (st.timed and not 0 < hand.total() <= st.options >> 11):
            d.emit((t.REC_HAND_ENDED, hand.box, hand.number, t.HAND_END_STAND))  # 633c.5(aa)(3)(i); (p)(2), (z)
            return True
        if st.timed:
            d.emit((t.REC_HIT, hand.box, hand.number))
            return True
    return False


def select(d, argument):
    """Key select, between rounds: a terminal selects a player position, 633c.5(l)."""
    st = d.st
    box, position = argument & 15, argument >> 4
    if st.in_round or not st.shoe_open or not 1 <= box <= st.positions:
        return False
    if position > GAMES[st.game][PLAYER_POSITIONS] or not GAMES[st.game][PLAYER_POSITIONS]:
        return False
    at = 2 * box - 2
    d.emit((t.REC_SELECTED, st.selected & ~(3 << at) | position << at))
    return True


def choose(d, key, argument):
    """A key of a hand that has still to choose; False when it is not allowed."""
    st = d.st
    if key == t.KEY_COUNTDOWN:
        return not argument and _countdown(d)
    hand = st.hand(argument & 15, argument >> 4)
    if hand is None or hand.ended != NO_HAND or hand.wants:
        return False
    box, number = hand.box, hand.number
    if key == t.KEY_HIT:
        d.emit((t.REC_HIT, box, number))
    elif key == t.KEY_NEXT_HAND:
        d.emit((t.REC_HAND_ENDED, box, number, t.HAND_END_STAND))
    elif key == t.KEY_DOUBLE and len(hand.cards) == GAMES[st.game][DOUBLE_CARDS]:
        d.emit((t.REC_DOUBLED, box, number))
    elif key == t.KEY_SPLIT:
        made = sum(other.box == box for other in st.hands)
        if len(hand.cards) != 2 or made > min(GAMES[st.game][SPLITS], d.config.max_splits):
            return False
        first, second = hand.cards
        if first < _CARDS and second < _CARDS and value(first) != value(second):
            return False
        d.emit((t.REC_SPLIT, box, number, made))
    elif key == t.KEY_SURRENDER and GAMES[st.game][SURRENDER] and len(hand.cards) == 2 and not hand.split:
        d.emit((t.REC_HAND_ENDED, box, number, t.HAND_END_SURRENDERED))
    else:
        return False
    return True


def _countdown(d):
    """The countdown is over: who has not chosen is told, and what follows of it follows from the state."""
    boxes = 0
    for hand in d.st.hands:
        if hand.ended == NO_HAND and not hand.wants:
            boxes |= 1 << hand.box - 1
    if not boxes:
        return False
    d.emit((t.REC_COUNTDOWN, boxes))
    return True
