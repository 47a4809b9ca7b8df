"""The life of a shoe: loaded, counted, finished, reshuffled, refilled, closed; seats, dealers and the deal key."""

from shoe import wire_table as t
from shoe.compat import const
from shoe.config import OPTION_ALTERNATE, OPTION_CONTINUOUS
from shoe.dealing.drawn_in_error import clear_for_load, may_load_stopped
from shoe.dealing.inventory import UNKNOWN, deck_size
from shoe.dealing.peek import inspecting
from shoe.dealing.state import OPENED_AGAIN
from shoe.dealing.variations import hybrid

_NOWHERE = const(15)  # position.none
MOST_WRONG_KEYS = const(3)  # in a row that are recorded


def seats(d, argument):
    """Key seats: betting positions with a main wager, 633a.6(c) timing: not while a round is open."""
    st = d.st
    if st.in_round:
        if st.wrong_keys < MOST_WRONG_KEYS:
            d.irregularity(t.IRR_SEAT_CHANGED, _NOWHERE, 0, argument)
        return None
    if argument >> (st.positions if st.shoe_open else d.config.positions):
        return False
    d.emit((t.REC_SEATS, argument))
    return True


def deal(d):
    """Key deal: bets are closed and the round opens; in a round the held card goes to the hand in turn."""
    st = d.st
    if st.in_round:
        if st.burn_refill:
            d.irregularity(t.IRR_BURN_MISSING, t.POSITION_RACK, 0, 4)
            return True
        return d.use_held(True)
    if not st.seats or not st.all_loaded() or st.any_finished() or st.counting >= 0 or inspecting(st):
        return False
    if st.community() and not hybrid().all_selected(st):
        return False
    if st.burns():
        # detail: bit 0 the batch's burn card, bit 1 the new dealer's
        detail = (1 if st.burn_batch else 0) | (2 if st.burn_dealer else 0)
        d.irregularity(t.IRR_BURN_MISSING, t.POSITION_RACK, 0, detail)
    d.emit((t.REC_ROUND_OPENED, (st.round + 1) & 0xFFFF, st.seats))
    return True


def new_dealer(d):
    """Key new_dealer, between rounds: the incoming dealer owes a burn card, 633a.7(c) dealer."""
    st = d.st
    if st.in_round or st.counting >= 0 or not st.shoe_open:
        return False
    d.emit((t.REC_DEALER_CHANGED, (st.dealers + 1) & 0xFF))
    return True


def load(d, head):
    """Key load: a full batch was shuffled, cut and loaded on a side; opens a history unless one is open and waits."""
    st = d.st
    config = d.config
    sides = 2 if config.shoe_kind == t.SHOE_KIND_DOUBLE else 1
    if head >= sides or st.in_round or st.counting >= 0 or config.validate():
        return False
    if st.stopped() and not may_load_stopped(st):
        return False
    side = st.sides[head]
    if st.shoe_open and head < st.heads() and side.loaded:
        if side.finished < 0:
            return False
        close_history(d, side.finished, head if st.double else -1)
    if not st.shoe_open:
        a, b = config.batch_a, config.batch_b
        if config.options & OPTION_ALTERNATE and (st.batch_in_play, st.batch_waiting) == (b, a):
            a, b = b, a  # 633a.3(b)(4): strictly one after the other
        d.emit(
            (
                t.REC_SHOE_OPENED,
                config.game,
                config.shoe_kind,
                config.decks,
                a,
                b,
                config.side_a_color,
                config.positions,
                config.options | (OPENED_AGAIN if config.options & OPTION_CONTINUOUS and st.closed_once else 0),
                config.table,
            )
        )
    decks = st.decks // 2 if st.double else st.decks
    d.emit((t.REC_LOADED, head, decks * deck_size(st.game)))
    clear_for_load(d, head)
    return True


def retell(d):
    """What a new history must repeat so that it stands for itself: the other side, seats, a dealer's burn owed."""
    st = d.st
    if not st.shoe_open or not (st.sides[0].loaded or st.sides[1].loaded):
        return False
    for head in range(2):
        side = st.sides[head]
        if side.carry and (st.sides[0].carry != st.sides[1].carry or not st.double):
            told = side.cover and side.finished < 0
            d.emit((t.REC_CARRIED, head, min(255, side.unknown), side.pack()))
            if told:  # phase empty: it came out in an earlier history
                d.emit((t.REC_COVER_CARD, head, t.PHASE_EMPTY, _NOWHERE, side.batch))
            return True
        if side.loaded and not side.finish_told:
            d.emit((t.REC_FINISHED, head, side.finished, side.passed))
            return True
    if st.told_seats:
        d.emit((t.REC_SEATS, st.told_seats))
        return True
    if st.told_antes:
        d.emit((t.REC_ANTES, st.told_antes))
        return True
    if st.told_selected:
        d.emit((t.REC_SELECTED, st.told_selected))
        return True
    if st.told_reader and st.reader_ok:
        d.emit((t.REC_READER_TEST, t.READER_STEP_CARRIED))
        return True
    if st.told_burns:
        d.emit((t.REC_DEALER_CHANGED, (st.dealers + 1) & 0xFF))
        return True
    return False


def close_history(d, why, head):
    """Open every sealed card (of one side, -1: of all) and close the history."""
    st = d.st
    at = 0
    while head >= 0 and at < len(st.held.refs):
        # A card that waited from the side that goes on has no next history to be the next card of.
        if st.held.heads[at] == head:
            at += 1
        else:
            d.irregularity(t.IRR_CARD_DISCARDED, t.POSITION_RACK, 0, 0)
            d.emit((t.REC_MOVED, st.held.refs[at], t.ROLE_DISCARDED, t.POSITION_RACK, 0))
    index = 0
    while index < st.sealed.many:
        side = st.sealed.head(index)
        if head < 0 or side == head or st.side(side) is None:  # None: it came out of an empty side
            d.open(st.sealed.refs[index])
        else:
            index += 1
    d.emit((t.REC_SHOE_CLOSED, why, st.rounds_closed, st.cards_out))


def close_shoe(d):
    """Key close_shoe: end of the gaming day. The cards leave the shoe."""
    st = d.st
    if not st.shoe_open or st.in_round or st.counting >= 0:
        return False
    close_history(d, t.FINISH_DAY_END, -1)
    return True


def reshuffle(d, head):
    """Key reshuffle: the floorperson orders it after this round, 633a.5(f)."""
    st = d.st
    side = st.side(head)
    if side is None or not st.shoe_open or side.finished >= 0 or side.ordered or st.counting >= 0:
        return False
    d.emit((t.REC_IRREGULARITY, t.IRR_ORDERED_RESHUFFLE, _NOWHERE, 0, head, 0))
    return True


def finish(d):
    """Sides from which no further round may be dealt, 633a.7(e), .5(f)."""
    st = d.st
    if not st.shoe_open or st.in_round or st.counting >= 0:
        return False
    for head in range(st.heads()):
        side = st.sides[head]
        if not side.loaded or side.finished >= 0:
            continue
        if side.last_round:
            why = t.FINISH_COVER_CARD
        elif side.ordered:
            why = t.FINISH_ORDERED
        elif side.passed >= side.cards and not st.continuous():
            why = t.FINISH_EXHAUSTED
        else:
            continue
        d.emit((t.REC_FINISHED, head, why, side.passed))
        return True
    return False


def count(d, head, test):
    """Keys count and test_deal: begin, or end with the verdict; 633a.7(e)(1)-(2)."""
    st = d.st
    if st.counting >= 0:
        if st.counting != head or st.testing != bool(test):
            return False
        _end_count(d, st.sides[head])
        return True
    side = st.side(head)
    if side is None or not st.shoe_open or st.in_round or (test and side.passed):
        return False
    d.emit((t.REC_COUNT_STARTED, head, test))
    return True


def _end_count(d, side):
    st = d.st
    head = st.counting
    verdict, expected, seen, first = side.verdict(st.count_base, st.count_tens)
    if st.testing and verdict == t.COUNT_VERDICT_COMPLETE and st.test_wrong != UNKNOWN:
        verdict = t.COUNT_VERDICT_WRONG
    if st.testing and st.test_wrong != UNKNOWN:
        first = st.test_wrong
    d.emit((t.REC_COUNTED, head, verdict, expected, seen, first))
    if side.finished < 0:  # its cards lie outside: shuffle and load first
        side_over = t.FINISH_COVER_CARD if side.cover else t.FINISH_ORDERED
        d.emit((t.REC_FINISHED, head, side_over, side.passed))
    if verdict != t.COUNT_VERDICT_COMPLETE:
        d.fault(t.FAULT_COUNT_WRONG, head, first)
    elif st.latched(t.FAULT_EXTRA_CARD):
        d.emit((t.REC_CLEARED, t.FAULT_EXTRA_CARD, t.CLEAR_RESUME))


def refill(d, head):
    """Key refill: too few cards, rack and segregated cards were shuffled, cut and loaded; 633a.14(f)."""
    st = d.st
    side = st.side(head)
    if side is None or not st.in_round or side.finished >= 0:
        return False
    lying = 0
    for hand in st.lying():
        for at in hand.heads:
            if at == head:
                lying += 1
    d.emit((t.REC_IRREGULARITY, t.IRR_TOO_FEW_CARDS, _NOWHERE, 0, head, min(255, side.left())))
    d.emit((t.REC_REFILLED, head, max(0, side.passed - lying)))
    return True
