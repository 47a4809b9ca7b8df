"""Switch hands and Blackjack premium, 633c.4: two face-down cards for each position with an ante, dealt before or after
the Blackjack hands, and the choice between them and the two face-up cards before any other card is dealt.

A kept position's face-down cards go to the rack and stay sealed.
"""

from shoe import wire_table as t
from shoe.config import OPTION_PREMIUM
from shoe.dealing.state import NO_HAND, SWITCH_HAND


def slots(st):
    """The places of the switch hands cards in their order, as (role, box, hand): two passes, 633c.4(d)(1)-(2); a card
    that was skipped comes behind them (reading 78)."""
    out = []
    for one in (1, 2):
        for aside in st.asides:
            if not aside.skips & one:
                out.append((t.ROLE_SWITCH_HAND, aside.box, SWITCH_HAND))
    for aside in st.asides:
        if aside.skips in (1, 2):
            out.append((t.ROLE_SWITCH_HAND, aside.box, SWITCH_HAND))
    return out


def due(st):
    """Place of the next switch hands card, None when all are out."""
    for one in (1, 2, 3):
        for aside in st.asides:
            skips = aside.skips
            if one == 3:  # the late ones
                wanted = 2 if 0 < skips < 3 else 0
            else:
                wanted = 0 if skips & one else one - (skips & 1)
            if len(aside.cards) < wanted and aside.ended == NO_HAND:
                return t.ROLE_SWITCH_HAND, aside.box, SWITCH_HAND
    return None


def without_card(d, argument):
    """The event of key no_card for a position's switch hands cards (+ 64), None when it means nothing.

    Dealt one or none, by analogy to 633a.14(g).
    """
    st = d.st
    box = argument & 15
    aside = st.hand(box, SWITCH_HAND)
    if aside is None or st.dealt or aside.ended != NO_HAND or aside.skips == 3 or (st.double and st.chosen < 0):
        return None
    which = (argument >> 4 & 3 or (2 if aside.cards else 3)) & ~aside.skips
    if not which:
        return None
    code = t.IRR_HAND_WITHOUT_CARDS if which | aside.skips == 3 else t.IRR_HAND_WITH_ONE_CARD
    return (t.REC_IRREGULARITY, code, box, SWITCH_HAND, d.head(), which)


def antes(d, boxes):
    """Key antes, Blackjack premium: positions with a switch hands ante, before the deal, 633c.4(k)."""
    st = d.st
    if st.in_round or not st.shoe_open or not st.options & OPTION_PREMIUM or boxes & ~st.seats:
        return False
    d.emit((t.REC_ANTES, boxes))
    return True


def turn(st):
    """The position that is asked, from the dealer's far right, 633c.4(f); None when all have chosen."""
    for aside in reversed(st.asides):
        if aside.ended == NO_HAND:
            return aside
    return None


def choose(d, switched, box):
    """The position in turn (0, or its number) keeps its face-up cards, or plays the face-down ones."""
    aside = turn(d.st)
    if aside is None or (box and box != aside.box) or (switched and len(d.st.hand(aside.box, 0).cards) != 2):
        return False
    d.emit((t.REC_SWITCH_HAND, aside.box, switched))
    return True


def follow(d):
    """Emit one event that a choice brings with it; False when none is left."""
    st = d.st
    for aside in st.asides:
        hand = st.hand(aside.box, 0)
        if aside.ended == NO_HAND:
            if st.dealt and (len(aside.cards) < 2 or hand.ended != NO_HAND):  # nothing to choose between
                d.emit((t.REC_SWITCH_HAND, aside.box, 0))
                return True
        elif aside.refs and aside.refs[0] > 0:  # else the journal has not named it yet
            ref = aside.refs[0]
            index = st.sealed.find(ref)
            if aside.switched and len(aside.refs) == 2 and hand.refs:
                d.emit((t.REC_MOVED, hand.refs[0], t.ROLE_DISCARDED, t.POSITION_RACK, 0))
            elif not aside.switched:
                d.emit((t.REC_MOVED, ref, t.ROLE_DISCARDED, t.POSITION_RACK, 0))
            elif index < 0:  # drawn in error before, and seen
                d.emit((t.REC_MOVED, ref, t.ROLE_SWITCH_HAND, aside.box, 0))
            else:
                _, _, _, _, card, batch, _ = st.sealed.get(index)
                d.emit((t.REC_OPENED, ref, t.ROLE_SWITCH_HAND, aside.box, 0, card, batch))
                d.alarms()
            return True
    return False


def leave(d):
    """The round is over: face-down cards that nobody played go to the rack as they lie."""
    for aside in d.st.asides:
        while aside.refs:
            d.emit((t.REC_MOVED, aside.refs[0], t.ROLE_DISCARDED, t.POSITION_RACK, 0))
