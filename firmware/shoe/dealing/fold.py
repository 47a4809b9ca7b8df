"""Fold one event into the state: the shoe, the round, irregularities and faults; cards and hands in fold_cards.

Every change of a `State` is made by a fold, so the records rebuild the table exactly.
"""

from shoe import wire_table as t
from shoe.compat import const
from shoe.config import OPTION_ALTERNATE, OPTION_BURN_DOUBLE, OPTION_SWITCH_HANDS
from shoe.dealing.fold_cards import CARD_HANDLERS, all_out
from shoe.dealing.inventory import UNKNOWN
from shoe.dealing.state import NO_HAND, OPENED_AGAIN, SWITCH_HAND, Hand
from shoe.game_table import BURN_CARD, BURNS, GAMES, HANDS, NO_HOLE, PLAYER_POSITIONS

_MOST = const(0xFFFF)


def apply(st, event):
    """Fold `event` (kind, fields...) into `st`; kinds that say nothing about the table change nothing."""
    kind = event[0]
    handler = CARD_HANDLERS.get(kind) or _HANDLERS.get(kind)
    if handler is not None:
        handler(st, event)
        if kind != t.REC_IRREGULARITY or event[1] not in (t.IRR_WRONG_KEY, t.IRR_SEAT_CHANGED):
            st.wrong_keys = 0


# ------------------------------------------------------------------------------------------------------ the shoe
def _shoe_opened(st, event):
    _, game, kind, decks, batch_a, batch_b, st.color, st.positions, st.options, _ = event
    double = kind == t.SHOE_KIND_DOUBLE
    same = (st.game, st.double, st.decks, st.batch_in_play, st.batch_waiting) == (game, double, decks, batch_a, batch_b)
    st.game, st.double, st.decks, st.batch_in_play, st.batch_waiting = game, double, decks, batch_a, batch_b
    if st.options & OPENED_AGAIN:
        st.options &= ~OPENED_AGAIN
        st.closed_once = True
    st.shoe_open = True
    st.stray = False
    st.round = st.rounds_closed = st.cards_out = st.dealers = 0
    st.in_round = False
    st.clear_round()
    st.told_seats = st.seats
    st.told_antes = st.antes if st.premium() else 0
    st.told_selected = st.selected if GAMES[st.game][PLAYER_POSITIONS] else 0
    st.told_burns = st.burn_dealer
    st.told_reader = st.reader_ok
    st.inspection_told = False
    st.reader_step = -1
    st.seats = st.antes = st.selected = st.burn_dealer = st.burn_batch = st.burn_refill = 0
    st.counting = -1
    for side in st.sides:
        side.loaded = side.loaded and double and same
        side.carry = side.loaded


def _loaded(st, event):
    head = event[1]
    if head > 1:
        return
    decks = st.decks // 2 if st.double else st.decks
    batch = st.batch_waiting if head else st.batch_in_play
    st.sides[head].load(st.game, decks, batch)
    if GAMES[st.game][BURN_CARD] and not st.double and not (st.continuous() and st.closed_once):
        st.burn_batch = 1  # 633a.7(c) batch; reading 27 for a continuous shuffler


def _carried(st, event):
    _, head, unknown, dealt = event
    if head > 1:
        return
    side = st.sides[head]
    if not side.loaded:  # folded from its own history alone
        side.load(st.game, st.decks // 2, st.batch_waiting if head else st.batch_in_play)
    side.unpack(unknown, dealt)
    side.carry = False
    side.finish_told = side.finished < 0


def _dealer_changed(st, event):
    st.dealers = event[1]
    if st.told_burns:
        st.told_burns -= 1
    if GAMES[st.game][BURNS] or not GAMES[st.game][BURN_CARD]:
        return  # reading 73: the card before each round is all that is burned; reading 79
    if (not st.double or st.options & OPTION_BURN_DOUBLE) and st.burn_dealer < 15:
        st.burn_dealer += 1  # 633a.7(c) dealer; reading 28 for a double shoe


def _seats(st, event):
    st.seats = event[1]
    st.antes &= event[1]
    st.told_seats = 0


def _antes(st, event):
    st.antes = event[1]
    st.told_antes = 0


def _selected(st, event):
    st.selected = event[1]
    st.told_selected = 0


def _cover_card(st, event):
    side = st.side(event[1])
    if side is not None and event[2] not in (t.PHASE_COUNTING, t.PHASE_TESTING):
        side.cover = True


def _finished(st, event):
    side = st.side(event[1])
    if side is not None:
        side.finished = event[2]
        side.finish_told = True
        side.cover = side.cover or event[2] == t.FINISH_COVER_CARD  # in a history that did not see it


def _count_started(st, event):
    side = st.side(event[1])
    if side is not None:
        st.counting = event[1]
        st.testing = bool(event[2])
        st.count_base = side.passed
        st.count_tens = side.tens
        st.test_wrong = UNKNOWN


def _counted(st, _event):
    st.counting = -1
    st.testing = False
    st.count_base = st.count_tens = 0
    st.test_wrong = UNKNOWN


def _shoe_closed(st, event):
    st.shoe_open = False
    st.in_round = False
    st.clear_round()
    st.counting = -1
    st.closed_once = event[1] != t.FINISH_DAY_END
    if st.options & OPTION_ALTERNATE:
        st.batch_in_play, st.batch_waiting = st.batch_waiting, st.batch_in_play
    while st.held.refs:
        st.held.take(0)
    st.held_shown = 0
    if event[1] == t.FINISH_DAY_END:
        st.seats = st.antes = st.selected = st.burn_dealer = st.burn_batch = st.burn_refill = 0
        st.reader_ok = False
        for side in st.sides:
            side.loaded = False


def _refilled(st, event):
    side = st.side(event[1])
    if side is None:
        return
    head = event[1]
    side.clear()
    for hand in st.lying():
        for i in range(len(hand.cards)):
            if hand.heads[i] == head:
                side.took(hand.cards[i])
    for i in range(st.sealed.many):
        if st.sealed.head(i) == head and st.find(st.sealed.refs[i])[0] is None:
            st.sealed.back(i)
    side.over = -1
    side.cover = side.last_round = side.ordered = False
    st.burn_refill = 1


# ------------------------------------------------------------------------------------------------------ the round
def _round_opened(st, event):
    st.clear_round()
    st.round = event[1]
    st.round_seats = event[2]
    st.in_round = True
    st.burn_batch = st.burn_dealer = st.burn_refill = 0
    for box in range(1, 8):
        if event[2] >> (box - 1) & 1:
            st.hands.append(Hand(box, 0))
            for number in range(1, GAMES[st.game][HANDS]):
                st.hands.append(Hand(box, number))
            if GAMES[st.game][NO_HOLE]:
                st.own.append(Hand(box, 0))
            if st.options & OPTION_SWITCH_HANDS and (not st.premium() or st.antes >> (box - 1) & 1):
                st.asides.append(Hand(box, SWITCH_HAND))  # reading 77: none without an ante


def _round_closed(st, _event):
    st.in_round = False
    st.rounds_closed = min(_MOST, st.rounds_closed + 1)
    st.burn_refill = 0
    if GAMES[st.game][BURNS]:
        st.burn_batch = GAMES[st.game][BURNS]  # 633a.12(b)(5): one card before every round
    ordered = st.void
    st.clear_round()
    for head in range(2):
        side = st.side(head)
        if side is not None:
            side.last_round = side.cover
            side.ordered = side.ordered or ordered
            if st.continuous():  # the cards go back into the shuffler
                side.clear()
                for i in range(st.sealed.many):
                    st.sealed.back(i)


def _side_chosen(st, event):
    st.chosen = event[1] & 1
    st.side_told = True


def _peek(st, event):
    result = event[1]
    if result == t.PEEK_REFUSED:
        return
    st.peek_last = result
    st.reads = st.reads + 1 if result == t.PEEK_READ_AGAIN else 0
    if result != t.PEEK_READ_AGAIN:
        st.peek = result


def _insurance(st, _event):
    st.insured = True


def _reader_test(st, event):
    step = event[1]
    st.told_reader = False
    if step == t.READER_STEP_AGAIN:
        st.reads += 1
        return
    st.reader_step = step
    st.reads = 0
    st.reader_ok = step in (t.READER_STEP_PASSED, t.READER_STEP_CARRIED)


def _switch_hand(st, event):
    aside = st.hand(event[1], SWITCH_HAND)
    if aside is not None and aside.number == SWITCH_HAND:
        aside.ended = t.HAND_END_STAND
        aside.switched = bool(event[2])
        st.last_ref = 0


def _revealed(st, _event):
    st.revealed = True
    st.last_ref = 0


# ------------------------------------------------------------------------------------------------------ the rest
def _irregularity(st, event):
    _, code, box, number, head, detail = event
    side = st.side(head)
    if code in (t.IRR_FACE_UP_CARD, t.IRR_SECOND_FACE_UP_CARD):
        if side is not None:
            side.took(UNKNOWN)
            if st.counting == head:
                side.over = -1  # the verdict of the count says it
        st.cards_out = min(_MOST, st.cards_out + 1)
        if st.in_round:
            st.face_ups += 1
            st.void = st.void or code == t.IRR_SECOND_FACE_UP_CARD
    elif code in (t.IRR_TEN_FOUND, t.IRR_SECOND_TEN_FOUND):
        if st.in_round:
            st.tens += 1
            st.void = st.void or code == t.IRR_SECOND_TEN_FOUND
    elif code == t.IRR_EXTRA_CARD:
        if side is not None:
            side.over = -1
    elif code == t.IRR_WRONG_SIDE:
        st.wrong_side = True
    elif code == t.IRR_ORDERED_RESHUFFLE:
        if side is not None:
            side.ordered = True
    elif code == t.IRR_BURN_MISSING:
        st.burn_batch = st.burn_dealer = st.burn_refill = 0
    elif code == t.IRR_DRAWN_IN_ERROR_EXPOSED:
        if st.held.refs:
            st.held_shown |= 1 << (len(st.held.refs) - 1)
    elif code == t.IRR_DEALER_MISSED_CARD:
        st.missed_up = st.missed_up or detail == 1
    elif code in (t.IRR_HAND_WITH_ONE_CARD, t.IRR_HAND_WITHOUT_CARDS):
        hand = st.hand(box, number)
        if hand is not None:
            hand.skips |= detail & 3
            if number == SWITCH_HAND and not st.dealt:
                all_out(st)
    elif code == t.IRR_MISSED_CARD:
        hand = st.hand(box, number)
        if hand is not None:
            hand.late = 1 + st.lates  # missed again: after the others that wait already
            hand.ended = NO_HAND
    elif code == t.IRR_CARD_REFUSED:
        for hand in st.hands:
            if hand.box == box:
                hand.refused = True
    elif code in (t.IRR_WRONG_KEY, t.IRR_SEAT_CHANGED):
        st.wrong_keys += 1
    elif code in (t.IRR_READER_WRONG_UP_CARD, t.IRR_READER_MISUSED):
        st.refusals += 1
    elif code == t.IRR_PEEK_MISSED:
        st.peek_told = True
    elif code == t.IRR_READER_NOT_INSPECTED:
        st.inspection_told = True
    elif code == t.IRR_DRAWN_WHILE_STOPPED:
        st.stray = not st.shoe_open


def _fault(st, event):
    if event[1] == t.FAULT_READER:
        st.reader_ok = False
    for fault in st.faults:
        if fault[0] == event[1]:
            return
    st.faults.append(list(event[1:4]))


def _cleared(st, event):
    for i in range(len(st.faults)):
        if st.faults[i][0] == event[1]:
            st.faults.pop(i)
            return


_HANDLERS = {
    t.REC_SHOE_OPENED: _shoe_opened,
    t.REC_LOADED: _loaded,
    t.REC_CARRIED: _carried,
    t.REC_DEALER_CHANGED: _dealer_changed,
    t.REC_SEATS: _seats,
    t.REC_ANTES: _antes,
    t.REC_SELECTED: _selected,
    t.REC_COVER_CARD: _cover_card,
    t.REC_FINISHED: _finished,
    t.REC_COUNT_STARTED: _count_started,
    t.REC_COUNTED: _counted,
    t.REC_SHOE_CLOSED: _shoe_closed,
    t.REC_REFILLED: _refilled,
    t.REC_ROUND_OPENED: _round_opened,
    t.REC_ROUND_CLOSED: _round_closed,
    t.REC_SIDE_CHOSEN: _side_chosen,
    t.REC_PEEK: _peek,
    t.REC_INSURANCE: _insurance,
    t.REC_READER_TEST: _reader_test,
    t.REC_SWITCH_HAND: _switch_hand,
    t.REC_REVEALED: _revealed,
    t.REC_IRREGULARITY: _irregularity,
    t.REC_FAULT: _fault,
    t.REC_CLEARED: _cleared,
}
