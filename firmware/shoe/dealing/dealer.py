"""The dealer's hand: when the hole card must be turned, when he draws, when he stands; 633a.7(l)-(n)."""

from shoe import wire_table as t
from shoe.compat import const
from shoe.dealing import peek
from shoe.dealing.state import count
from shoe.dealing.variations import hybrid, switch_hands
from shoe.game_table import BLACKJACK_WAITS, GAMES, LONG_21_WINS

_CARDS = const(52)
_STANDS = const(17)
_REVEALS = (t.HAND_END_TWENTY_ONE, t.HAND_END_DOUBLED, t.HAND_END_DEALER_BLACKJACK)


def _needs_draw(st, hand):
    """True when the dealer's total can change what this hand wins."""
    if GAMES[st.game][LONG_21_WINS] and len(hand.cards) > 2 and hand.total() == 21:
        return False  # 635a.7(n)(4): a Spanish 21 of three or more cards wins whatever the dealer draws, doubled too
    if hand.ended == t.HAND_END_BLACKJACK:
        return bool(GAMES[st.game][BLACKJACK_WAITS])  # 633a.12(a)(5)(i): what it is paid hangs on the dealer's total
    return hand.ended in (t.HAND_END_STAND, t.HAND_END_TWENTY_ONE, t.HAND_END_DOUBLED)


def draw_needed(st):
    """True when a hand waits for the dealer's total, 633a.7(n)."""
    if st.community():
        return True  # 633c.5(s): he draws for nobody too
    return any(_needs_draw(st, hand) for hand in st.hands)


def reveal_needed(st):
    """True when the hole card matters: a hand waits for the total, or a dealer Blackjack is possible and matters."""
    if st.community():
        return True  # 633c.5(s)
    up = st.dealer.cards[0] if st.dealer.cards else _CARDS
    possible = st.peek and (up >= _CARDS or up % 13 == 0 or up % 13 > 8)  # not when the reader said no
    for hand in st.hands:
        if _needs_draw(st, hand) or hand.ended in _REVEALS:
            return True
        if possible and hand.ended in (t.HAND_END_BLACKJACK, t.HAND_END_SURRENDERED):
            return True
    return False


def standing(st):
    """True when the dealer's turned hand has 17 or more, 633a.7(m). Never asks for a card that lies face down."""
    return st.revealed and (st.dealer.total() >= _STANDS or st.dealer.minimum() > 21)


def draws_on(st):
    """True when the dealer owes himself a card."""
    if st.own:
        return hybrid().draws_on(st)
    return st.revealed and not standing(st) and draw_needed(st) and st.dealer.total() >= 0


def phase(st):
    """enum.phase once all hands have ended: dealer, or settling."""
    if st.own:
        return t.PHASE_DEALER if hybrid().draws_on(st) else t.PHASE_SETTLING
    if not st.revealed:
        return t.PHASE_DEALER if reveal_needed(st) else t.PHASE_SETTLING
    return t.PHASE_DEALER if draw_needed(st) and not standing(st) else t.PHASE_SETTLING


def turn_hole(d):
    """Emit that the hole card was turned, and its opening if it still lies sealed."""
    st = d.st
    ref = st.hole
    if not ref:
        for i in range(1, len(st.dealer.refs)):
            ref = ref or st.dealer.refs[i]
    d.emit((t.REC_REVEALED, max(0, ref)))
    d.open(st.hole)


def reveal(d):
    """Key reveal: all players' hands are done and the dealer turns his hole card, 633a.7(l)."""
    st = d.st
    if not st.dealt or st.revealed or st.own or d.turn() is not None:
        return False
    turn_hole(d)
    return True


def surplus(d):
    """Cards that the dealer drew before the hole card was turned, and that he needed not: to the rack, 633a.14(d)."""
    st = d.st
    cards = st.dealer.cards
    if not any(count(cards, n) >= _STANDS for n in range(2, len(cards))):
        return False
    d.irregularity(t.IRR_DEALER_DREW_ON_17, t.POSITION_DEALER, 0, 0)
    d.emit((t.REC_MOVED, st.dealer.refs[-1], t.ROLE_DISCARDED, t.POSITION_RACK, 0))
    return True


def end_round(d):
    """Key end_round: open what lies face down, say what was left undone, close the round."""
    st = d.st
    if not st.dealt or d.turn() is not None:
        return False
    if st.own:
        for box, total in hybrid().short(st):
            d.irregularity(t.IRR_DEALER_SHORT, box, 0, max(0, total))
        close(d, t.ROUND_END_SETTLED, 0)  # each position has a dealer's hand of its own
        return True
    needed = reveal_needed(st)
    if st.hole:
        peek.missed(d)
    if not st.revealed and needed:
        d.irregularity(t.IRR_HOLE_NOT_REVEALED, t.POSITION_DEALER, 0, 0)
    d.open(st.hole)
    d.open_table()
    while surplus(d):
        pass
    if st.void:  # a second 10 lay face down, 635a.13(b) more
        close(d, t.ROUND_END_VOID, 0)
        return True
    total = st.dealer.total()
    if draw_needed(st) and 0 <= total < _STANDS:
        d.irregularity(t.IRR_DEALER_SHORT, t.POSITION_DEALER, 0, total)
    close(d, t.ROUND_END_SETTLED, total if total > 0 and (needed or st.revealed) else 0)
    return True


def void(d):
    """Close the round without settling it: 635a.13(a) more, (b) more, or the floorperson's word."""
    d.open(d.st.hole)
    d.open_table()
    close(d, t.ROUND_END_VOID, 0)


def close(d, outcome, total):
    """Discard an exposed card that nobody could use (633a.14(c) discard) and close the round."""
    st = d.st
    at = 0
    while at < len(st.held.refs):
        if st.held_shown >> at & 1:
            d.irregularity(t.IRR_CARD_DISCARDED, t.POSITION_RACK, 0, 0)
            d.emit((t.REC_MOVED, st.held.refs[at], t.ROLE_DISCARDED, t.POSITION_RACK, 0))
        else:
            at += 1
    if st.asides:
        switch_hands().leave(d)
    d.emit((t.REC_ROUND_CLOSED, st.round, outcome, total))
