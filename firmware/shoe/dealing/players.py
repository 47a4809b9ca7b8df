"""The players' turn: whose turn it is, which card is due, decisions, automatic ends; 633a.7(i)-(k), .9-.11."""

from shoe import wire_table as t
from shoe.compat import const
from shoe.dealing.state import NO_HAND, value
from shoe.game_table import DOUBLE_CARDS, GAMES, HANDS, PLAYERS_DOWN, RESCUE, SURRENDER, SWITCH

_CARDS = const(52)


def turn(st):
    """The hand in turn: lowest betting position, leftmost hand (633a.7(i), .11(b)); late cards after all others."""
    waits = None
    for hand in st.hands:
        if hand.ended == NO_HAND:
            if hand.late <= 0:
                return hand
            if waits is None or hand.late < waits.late:
                waits = hand
    return waits


def due_role(hand):
    """(role, owed) of the next card of the hand in turn; owed: it comes whether the player asks or not."""
    if hand.owes_double:
        return t.ROLE_DOUBLE_DRAW, True
    if hand.late > 0:
        return t.ROLE_LATE, True
    if len(hand.cards) < 2:
        return (t.ROLE_SPLIT_SECOND if hand.split else t.ROLE_LATE), True
    return t.ROLE_DRAW, False


def automatic_end(hand):
    """enum.hand_end that the cards themselves bring, NO_HAND when the hand goes on; 633a.7(k)(1)-(2)."""
    if hand.owes_double or hand.late > 0:
        return NO_HAND
    total = hand.total()
    if hand.minimum() > 21:
        return t.HAND_END_BUST
    if hand.doubled:
        return t.HAND_END_DOUBLED
    if total == 21:
        return t.HAND_END_BLACKJACK if hand.blackjack() else t.HAND_END_TWENTY_ONE
    return NO_HAND


def next_hand(d):
    """Key next_hand: the hand in turn stands; after the dealer's Blackjack it gets no card, 633c.9(d)(4)."""
    hand = turn(d.st)
    if hand is None or due_role(hand)[1]:
        return False
    why = t.HAND_END_DEALER_BLACKJACK if d.st.peek == t.PEEK_BLACKJACK else t.HAND_END_STAND
    d.emit((t.REC_HAND_ENDED, hand.box, hand.number, why))
    return True


def _show(d, hand):
    """From the hand the dealer turns the cards over before he does what the player asked for, 633a.12(b)(6)(i); False
    when they end the hand by themselves."""
    if not GAMES[d.st.game][PLAYERS_DOWN]:
        return True
    for ref in list(hand.refs):
        d.open(ref)
    return automatic_end(hand) == NO_HAND


def turn_up(d, box):
    """Key turn_up, from the hand: the hand in turn shows its cards (over 21, 633a.12(b)(6)(ii); or Blackjack); once the
    hole card was turned, those of a betting position, 633a.12(b)(9)."""
    st = d.st
    hand = turn(st)
    if not GAMES[st.game][PLAYERS_DOWN] or (box and not st.revealed) or (not box and hand is None):
        return False
    done = False
    for other in st.hands:
        if other is hand or (box and other.box == box):
            for ref in list(other.refs):
                done = done or st.sealed.find(ref) >= 0
                d.open(ref)
    return done


def switch(d, box):
    """Key switch, 633a.12(a)(4): first of all in its turn a position exchanges the second cards of its hands."""
    st = d.st
    hand = turn(st)
    if not box and hand is not None:
        box = hand.box
    if not GAMES[st.game][SWITCH] or st.revealed or st.peek == t.PEEK_BLACKJACK:
        return False
    found = 0
    for hand in st.hands:
        if hand.box < box:
            if hand.ended == NO_HAND and hand.late <= 0:
                return False
        elif hand.acted():
            return False
        elif hand.box == box and len(hand.cards) == 2 and hand.ended in (NO_HAND, t.HAND_END_BLACKJACK):
            found += 1
    if found != 2:
        return False
    d.emit((t.REC_SWITCHED, box))
    return True


def double(d):
    """Key double: 633a.10(a), 590.10(a) on the first two cards, 635a.10(a) on two or more."""
    st = d.st
    hand = turn(st)
    if hand is None or hand.doubled or due_role(hand)[1]:
        return False
    most = GAMES[st.game][DOUBLE_CARDS]
    if most and len(hand.cards) > most:
        return False
    if not _show(d, hand):
        return False
    d.emit((t.REC_DOUBLED, hand.box, hand.number))
    return True


def split(d):
    """Key split: two cards of equal value, at most max_splits times a betting position; .11(a), .11(c) resplits."""
    st = d.st
    hand = turn(st)
    if hand is None or hand.doubled or hand.late or len(hand.cards) != 2:
        return False
    made = [0, 0]  # hands of the first and, in Switch, of the second hand that was dealt
    root = mine = 0
    for other in st.hands:
        if other.box == hand.box:
            if other.number == 1 and GAMES[st.game][HANDS] > 1:
                root = 1
            made[root] += 1
            if other is hand:
                mine = root
    if made[mine] > d.config.max_splits or not _show(d, hand):
        return False
    first, second = hand.cards
    if first < _CARDS and second < _CARDS and value(first) != value(second):
        return False
    d.emit((t.REC_SPLIT, hand.box, hand.number, made[0] + made[1]))
    return True


def surrender(d, argument):
    """Key surrender: 0 the hand in turn, .9(a); in Spanish 21 a betting position rescues its double, 635a.10(d)."""
    st = d.st
    if argument:
        if not GAMES[st.game][RESCUE] or st.revealed:
            return False
        for hand in reversed(st.hands):
            if hand.box == argument and hand.ended == t.HAND_END_DOUBLED:
                d.emit((t.REC_HAND_ENDED, hand.box, hand.number, t.HAND_END_SURRENDERED))
                return True
        return False
    hand = turn(st)
    if hand is None or hand.split or hand.doubled or hand.late or len(hand.cards) != 2:
        return False
    if not GAMES[st.game][SURRENDER] or not _show(d, hand):
        return False
    d.emit((t.REC_HAND_ENDED, hand.box, hand.number, t.HAND_END_SURRENDERED))
    return True


def missed(d, argument):
    """Key missed: a requested card was missed; it comes after the others' and before the hole card shows, .14(i).
    Then the hand goes on: its player may draw while it counts less than 21, .7(k).

    Argument: betting position, plus 16 * (1 + hand) for one hand of several; else the hand that stood last.
    """
    st = d.st
    if not st.dealt or st.revealed:
        return False
    box = argument & 15
    number = (argument >> 4) - 1
    for hand in reversed(st.hands):
        if hand.box != box or number not in (-1, hand.number) or hand.late > 0 or hand.owes_double or hand.refused:
            continue
        total = hand.total()
        if (hand.ended == t.HAND_END_STAND and total < 21) or (hand.ended == NO_HAND and len(hand.cards) > 1):
            d.irregularity(t.IRR_MISSED_CARD, box, hand.number, 0)
            return True
    return False
