"""The card reader device at the table: insurance, peek, inspection; 633a.7(h), .8, .14(j)-(k), .2(f) and their twins.

It answers Blackjack, no Blackjack or read again, once a round, and only when the up card is an ace or a ten-value card.
Whether it refuses is decided before what it read is looked at; the face of the hole card is compared here and nowhere
else, in the same steps whatever it is.
"""

from shoe import wire_table as t
from shoe.compat import const
from shoe.config import OPTION_EXTRA_CARD
from shoe.dealing.state import NO_HAND
from shoe.game_table import READER_COUNTS

_CARDS = const(52)
_UNKNOWN = const(63)
_SEVEN = const(6)
_FIRST_TEST_CARD = const(53)
_WRONG_UP_CARD = const(-2)
_FINE = const(-1)
_MOST_READS = const(3)  # without an answer; then the reader counts as failing
_MOST_TOLD = const(3)  # refusals in one round, or between two
_READINGS = (t.PASS_CARD, t.PASS_FOREIGN_BATCH, t.PASS_COVER_CARD, t.PASS_TEST_CARD)


def _counts(st):
    return READER_COUNTS[st.game]


def _up_card(st):
    return st.dealer.cards[0] if st.dealer.cards else _UNKNOWN


def wanted(st):
    """True when the up card asks for a peek: an ace or a ten-value card, 633a.7(h), 590.7(g), 635a.7(g)."""
    up = _up_card(st)
    return up < _CARDS and _counts(st)[up % 13] > 0


def _acted(st):
    """True when a player has decided or got a card beside his first two."""
    return any(hand.acted() for hand in st.hands)


def inspecting(st):
    """True while the reader is inspected with test cards."""
    return t.READER_STEP_BEGUN <= st.reader_step <= t.READER_STEP_CARD_4


def _extra(st, hand):
    """True while a hand of two 7s may get the card that its player is dealt for a wager, 633c.9(d)(4)."""
    if not st.options & OPTION_EXTRA_CARD or len(hand.cards) != 2:
        return False
    return all(card % 13 == _SEVEN for card in hand.cards)  # an unknown one is none


def lamps(st):
    """The reader's lamps as a mask of enum.lamp: the answer until play goes on, or the inspection's."""
    if inspecting(st):
        if st.reader_step == t.READER_STEP_BEGUN:  # the floorperson sees that all three light
            return 1 << t.LAMP_READER_BLACKJACK | 1 << t.LAMP_READER_NO_BLACKJACK | 1 << t.LAMP_READER_AGAIN
        return 1 << t.LAMP_READER_BLACKJACK + st.reader_step - 1
    if not st.in_round or st.revealed or st.peek_last < 0:
        return 0
    if st.peek == t.PEEK_BLACKJACK:
        return 1 << t.LAMP_READER_BLACKJACK
    if _acted(st):
        return 0
    return 1 << (t.LAMP_READER_NO_BLACKJACK if st.peek >= 0 else t.LAMP_READER_AGAIN)


# ------------------------------------------------------------------------------------------------------------- keys
def insurance(d, boxes):
    """Key insurance: ace up, insurance was offered and is closed, 633a.8(b) timing."""
    st = d.st
    up = _up_card(st)
    # Without a hole card each terminal chooses for itself, and only a card ends it for all: 633c.5(z).
    late = len(st.stream.cards) > 2 if st.own else _acted(st)
    if st.revealed or st.insured or st.peek >= 0 or (up < _CARDS and up % 13) or boxes & ~st.round_seats or late:
        return False
    d.emit((t.REC_INSURANCE, boxes))
    return True


def inspect(d, argument):
    """Key reader_test: begin the inspection between rounds or after a failure, or call the reader failing."""
    st = d.st
    if not st.has_reader() or st.counting >= 0:
        return False
    if argument == t.INSPECTION_FAIL:
        d.emit((t.REC_READER_TEST, t.READER_STEP_FAILED))
        return True
    if argument != t.INSPECTION_BEGIN or (st.in_round and not st.latched(t.FAULT_READER)):
        return False
    d.emit((t.REC_READER_TEST, t.READER_STEP_BEGUN))
    return True


# ------------------------------------------------------------------------------------------------------- the reader
def _misuse(st):
    """enum.misuse, _WRONG_UP_CARD, or _FINE: from what the table sees alone."""
    if not st.has_reader():
        return t.MISUSE_NOT_CONFIGURED
    if not st.in_round:
        return t.MISUSE_NO_ROUND
    if st.stopped():
        return t.MISUSE_STOPPED
    if not st.dealt:
        return t.MISUSE_DEAL_NOT_OVER
    if st.asides and st.choosing():
        return t.MISUSE_BEFORE_CHOICE
    if st.peek >= 0:
        return t.MISUSE_ANSWERED
    if st.revealed or not st.hole:
        return t.MISUSE_NO_HOLE_CARD
    up = _up_card(st)
    if up >= _CARDS:
        return t.MISUSE_UP_CARD_UNKNOWN
    if not wanted(st):
        return _WRONG_UP_CARD
    if _acted(st):
        return t.MISUSE_AFTER_DECISION
    if up % 13 == 0 and not st.insured:
        return t.MISUSE_BEFORE_INSURANCE
    return _FINE


def used(d, p):
    """Something went into the reader and came out again (a Pass of its head), or the reader is blocked."""
    st = d.st
    if p.kind == t.PASS_BLOCKED:
        if st.has_reader():
            if inspecting(st):
                d.emit((t.REC_READER_TEST, t.READER_STEP_FAILED))
            d.fault(t.FAULT_READER, t.HEAD_READER, p.reason)
        return
    if inspecting(st):
        if p.card == _FIRST_TEST_CARD + st.reader_step and p.kind in _READINGS:
            d.emit((t.REC_READER_TEST, st.reader_step + 1))
        else:
            d.emit((t.REC_READER_TEST, t.READER_STEP_AGAIN))
        return
    why = _misuse(st)
    if why != _FINE:
        _refuse(d, why)
    elif p.kind not in _READINGS:
        d.emit((t.REC_PEEK, t.PEEK_READ_AGAIN))
    else:
        _answer(d, p)


def _refuse(d, why):
    """Show nothing and say why, 633a.14(j)(2): nobody saw a value, so play goes on."""
    st = d.st
    if not st.shoe_open or st.refusals >= _MOST_TOLD:
        return
    if st.in_round:
        d.emit((t.REC_PEEK, t.PEEK_REFUSED))
    code, detail = (t.IRR_READER_WRONG_UP_CARD, 0) if why == _WRONG_UP_CARD else (t.IRR_READER_MISUSED, why)
    d.emit((t.REC_IRREGULARITY, code, t.POSITION_DEALER, 0, t.HEAD_READER, detail))


def _answer(d, p):
    """Compare what was read with the hole card that the shoe dealt, and answer; another card stops the game."""
    st = d.st
    counts = _counts(st)
    up = st.dealer.cards[0]
    index = st.sealed.find(st.hole)
    _, _, _, _, card, batch, _ = st.sealed.get(index)
    other = (card ^ p.card) | (batch ^ p.batch)
    if card >= _CARDS:  # the shoe could not read it: any card of the game's
        other = p.kind != t.PASS_CARD
    if other:
        d.emit((t.REC_PEEK, t.PEEK_REFUSED))
        d.fault(t.FAULT_HOLE_CARD, t.HEAD_READER, 0)
        return
    d.emit((t.REC_PEEK, (counts[up % 13] | counts[p.card % 13]) + 1 >> 2))


# ------------------------------------------------------------------------------------------ what follows by itself
def follow(d):
    """Emit one event that follows from the state alone; False when none does."""
    st = d.st
    step = st.reader_step
    if not st.has_reader():
        return False
    if step == t.READER_STEP_CARD_4:
        d.emit((t.REC_READER_TEST, t.READER_STEP_PASSED))
    elif inspecting(st) and st.reads >= _MOST_READS:
        d.emit((t.REC_READER_TEST, t.READER_STEP_FAILED))
    elif step == t.READER_STEP_PASSED and st.reader_ok and st.latched(t.FAULT_READER):
        d.emit((t.REC_CLEARED, t.FAULT_READER, t.CLEAR_RESUME))
    elif (step == t.READER_STEP_FAILED or st.reads >= _MOST_READS) and not st.latched(t.FAULT_READER):
        d.fault(t.FAULT_READER, t.HEAD_READER, t.UNREADABLE_NONE)
    elif not st.in_round:
        return False
    elif not st.reader_ok and not st.inspection_told and not st.latched(t.FAULT_READER):
        d.emit((t.REC_IRREGULARITY, t.IRR_READER_NOT_INSPECTED, t.POSITION_NONE, 0, t.HEAD_READER, 0))
    elif st.peek == t.PEEK_BLACKJACK:
        for hand in st.hands:
            if hand.ended == NO_HAND and not _extra(st, hand):
                d.emit((t.REC_HAND_ENDED, hand.box, hand.number, t.HAND_END_DEALER_BLACKJACK))
                return True
        return False
    else:
        return (st.revealed or _acted(st)) and missed(d)
    return True


def missed(d):
    """Say once in a round that the peek was left out; True when it was said."""
    st = d.st
    if not st.has_reader() or st.peek >= 0 or st.peek_told or not wanted(st):
        return False
    if all(hand.ended == t.HAND_END_DEAD for hand in st.hands):
        return False
    d.emit((t.REC_IRREGULARITY, t.IRR_PEEK_MISSED, t.POSITION_DEALER, 0, t.HEAD_READER, 0))
    return True
