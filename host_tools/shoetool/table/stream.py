"""Fold records into the state of the table, one after the other, and hand out each round when it closes.

An implementation of its own: it shares no code and no tables of transitions with the firmware's dealing machine, and it
takes every record as a statement of what happened, not as something that it would allow. Whatever does not fit is kept
as an anomaly; no sequence of records raises. Memory is that of one round, of the cards that lie face down and of the
inventory of two sides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import FaultCode, IrregularityCode, Phase, Position, ReaderStep, RecordKind, Role
from shoetool.model.records import Record
from shoetool.table import inventory as count
from shoetool.table.actions import (
    DEALT_ROLES,
    DETERMINANTS,
    DRAWN,
    MOVED,
    OF_RECORDS,
    TURNED,
    Action,
    CardPlaced,
    CardTurned,
)
from shoetool.table.card import FACE_DOWN, DrawnCard
from shoetool.table.fold import apply, place
from shoetool.table.round import Round
from shoetool.table.side import Side
from shoetool.table.table import CONTINUOUS, NOT_SEALED, OTHER, OUTSIDE_ROUND, ROUND_LEFT_OPEN, Anomaly, Table

_IN_ROUND: Final = (
    *(RecordKind.SIDE_CHOSEN, RecordKind.PEEK, RecordKind.INSURANCE, RecordKind.SWITCH_HAND, RecordKind.HAND_ENDED),
    *(RecordKind.DOUBLED, RecordKind.REVEALED, RecordKind.HIT, RecordKind.COUNTDOWN),
)
_MOST_FACE_DOWN: Final = 4096
_MOST_HELD: Final = 64
_OF_A_ROUND: Final = DEALT_ROLES | set(DETERMINANTS)
_HELD: Final = int(Role.HELD)  # a plain integer compares quicker than an enumeration's
_NO_PLACE: Final = (Phase.EMPTY, Phase.COUNTING, Phase.TESTING)
_INSPECTION_OVER: Final = (ReaderStep.PASSED, ReaderStep.FAILED, ReaderStep.CARRIED)
_UNCOUNTED: Final = (
    *(FaultCode.DOUBLE_FEED, FaultCode.EDGES_LOST),
    *(FaultCode.HEAD_DIRTY, FaultCode.HEAD_STUCK, FaultCode.HEAD_SATURATED),
)
"""Faults in which a card may have passed that nobody counted."""
_BLANKS: Final = (IrregularityCode.FACE_UP_CARD, IrregularityCode.SECOND_FACE_UP_CARD)


class Stream:
    """Folds records one by one: `feed` each, then read `table`."""

    def __init__(self) -> None:
        self.table = Table()

    def feed(self, record: Record) -> Table:
        """Fold one record in and return the table (the same object each time)."""
        table = self.table
        table.closed_round = table.card = table.anomaly = None
        handler = _HANDLERS.get(record[3])
        if handler is not None:
            handler(self, record, record[4])
        return table

    def end(self) -> Round | None:
        """Say that no record follows: the round that is still open, if there is one."""
        round_, self.table.round = self.table.round, None
        if round_ is not None and round_.latest is not None:
            round_.last = round_.latest.number
        return round_

    def _odd(self, record: Record, text: str, sort: str = OTHER) -> None:
        if self.table.anomaly is None:
            self.table.anomaly = Anomaly(record.number, text, sort)

    # ------------------------------------------------------------------------------------------------ the shoe
    def _boot(self, record: Record, values: Any) -> None:
        self.table.boots += 1

    def _shoe_opened(self, record: Record, values: Any) -> None:
        table = self.table
        if table.shoe_open:
            self._odd(record, "a shoe was opened before the one before it was closed")
        self._break_off(record)
        table.configure(values)
        table.previous_sides, table.sides = (table.sides if table.shoes else None), [Side(), Side()]
        table.shoe_open = True
        table.shoes += 1
        table.shoe_cards = table.shoe_rounds = 0
        table.shoe_record = record.number
        table.held.clear()
        if not table.double:  # a side that is not loaded again keeps what lies face down
            table.face_down.clear()

    def _break_off(self, record: Record) -> None:
        """A round that was never closed ends here."""
        round_ = self.end()
        if round_ is not None:
            self._odd(record, f"round {round_.number} was never closed", ROUND_LEFT_OPEN)
            self.table.closed_round = round_

    def _side(self, record: Record, index: int) -> Side:
        """Side of a head; the card reader device and anything else counts nowhere."""
        if index < 2:
            return self.table.sides[index]
        self._odd(record, f"read head {index} is no side of the shoe")
        return Side()

    def _loaded(self, record: Record, values: Any) -> None:
        index, cards = values
        if index > 1:
            self._odd(record, f"there is no side {index} to load")
            return
        count.forget_face_down(self.table, index)
        before = self.table.sides[index]
        self.table.sides[index] = Side(cards, record.number, drawn_before=before.drawn if before.loaded else 0)

    def _carried(self, record: Record, values: Any) -> None:
        index, unknown, dealt = values
        if index > 1:
            self._odd(record, f"there is no side {index} to carry over")
            return
        self.table.sides[index] = count.carried_side(self.table, record.number, unknown, dealt)

    def _refilled(self, record: Record, values: Any) -> None:
        index, cards = values
        table = self.table
        if index > 1:
            self._odd(record, f"there is no side {index} to refill")
            return
        left = max(0, table.sides[index].loaded - table.sides[index].drawn)
        side = Side(left + cards, record.number)
        side.refilled = True
        if table.round is not None:
            table.round.refills[record.number] = left
            self._step(record)
        table.sides[index] = side

    def _cover_card(self, record: Record, values: Any) -> None:
        side = self._side(record, values[0])
        if side.cover_record < 0:
            side.cover_record = record.number
            # Phase empty: it came out in an earlier history and is only told again. A count has no place for it.
            side.cover_behind = -1 if values[1] in _NO_PLACE else max(0, side.loaded - side.drawn)
        self._step(record)

    def _finished(self, record: Record, values: Any) -> None:
        side = self._side(record, values[0])
        side.finished, side.finish_why = record.number, values[1]

    def _count_started(self, record: Record, values: Any) -> None:
        self._side(record, values[0]).counting = True

    def _counted(self, record: Record, values: Any) -> None:
        side = self._side(record, values[0])
        side.counting, side.counted = False, record

    def _shoe_closed(self, record: Record, values: Any) -> None:
        table = self.table
        if not table.shoe_open:
            self._odd(record, "a shoe was closed that was not open")
        self._break_off(record)
        table.shoe_open = False

    # ------------------------------------------------------------------------------------------------ the cards
    def _card(self, record: Record, values: Any) -> None:
        number = record[0]
        role, box, hand, head, card, batch, _, _ = values
        table = self.table
        drawn = DrawnCard(number, role, box, hand, head, card, batch, False)
        table.card = drawn
        table.cards += 1
        table.shoe_cards += 1
        side = table.sides[head] if head < 2 else self._side(record, head)
        if card < 52:
            # Foreign cards and 10s of Spanish 21 are no cards of the batch.
            if batch == table.batches[head & 1] and not (table.spanish and card % 13 == 9):
                side.drawn += 1
                side.counts[card] += 1
            else:
                side.apart += 1
        elif card == UNKNOWN:
            side.drawn += 1
            side.unknown += 1
        self._place(record, drawn)

    def _sealed(self, record: Record, values: Any) -> None:
        role, box, hand, head, _ = values
        table = self.table
        drawn = DrawnCard(record[0], role, box, hand, head, FACE_DOWN, table.batches[head & 1], True)
        table.card = drawn
        table.cards += 1
        table.shoe_cards += 1
        count.sealed(table, self._side(record, head), drawn)
        if len(table.face_down) >= _MOST_FACE_DOWN:
            self._odd(record, "more cards lie face down than a shoe holds")
            table.face_down.clear()
        table.face_down[record[0]] = drawn
        self._place(record, drawn)

    def _opened(self, record: Record, values: Any) -> None:
        sealed, role, box, hand, card, batch, _ = values
        table = self.table
        drawn = table.face_down.pop(sealed, None)
        if drawn is None:
            self._odd(record, f"it opens record {sealed}, which is no card that lies face down", NOT_SEALED)
            return
        table.card = drawn
        counted = drawn.batch != 0
        drawn.card = card
        drawn.batch = batch
        drawn.opened = record[0]
        if counted:
            count.opened(table, drawn)
        if role != drawn.role or box != drawn.box or hand != drawn.hand:
            self._move(record, drawn, role, box, hand, TURNED)
        elif table.round is not None:
            self._take(table.round, record, CardTurned(drawn, record[0]))

    def _moved(self, record: Record, values: Any) -> None:
        number, role, box, hand = values
        drawn = self.table.find(number)
        if drawn is None:
            self._odd(record, f"it moves record {number}, which is no card on the table")
            return
        self.table.card = drawn
        self._move(record, drawn, role, box, hand, MOVED)
        if role == Role.DISCARDED and box == Position.NONE:
            count.removed(self.table, drawn)

    def _move(self, record: Record, drawn: DrawnCard, role: int, box: int, hand: int, how: int) -> None:
        if drawn in self.table.held:
            self.table.held.remove(drawn)
        drawn.role, drawn.box, drawn.hand, drawn.placed = role, box, hand, record.number
        self._place(record, drawn, how)

    def _place(self, record: Record, drawn: DrawnCard, how: int = DRAWN) -> None:
        """Lay a card where its role says; a card of a round that is not open is odd."""
        table = self.table
        role = drawn.role
        if role == _HELD:
            if len(table.held) < _MOST_HELD:
                table.held.append(drawn)
            else:
                self._odd(record, "more cards were drawn in error than can be")
        round_ = table.round
        if round_ is not None:
            round_.latest = record
            # As CardPlaced(...), in half the time: each card of a shoe comes here.
            placed = tuple.__new__(CardPlaced, (drawn, role, drawn.box, drawn.hand, record[0], how))
            odd = place(round_, placed)
            if odd is not None:
                self._odd(record, odd)
        elif role in _OF_A_ROUND:
            self._odd(record, "a card was dealt while no round was open", OUTSIDE_ROUND)

    def _take(self, round_: Round, record: Record, action: Action) -> None:
        round_.latest = record
        odd = apply(round_, action)
        if odd is not None:
            self._odd(record, odd)

    # ------------------------------------------------------------------------------------------------ the round
    def _round_opened(self, record: Record, values: Any) -> None:
        table = self.table
        if table.shoes and not table.shoe_open:
            self._odd(record, "a round was opened while no shoe was open")
        self._break_off(record)
        table.round = Round(values[0], values[1], record.number, table.antes_of(values[1]), table.selected)
        table.round.opening = record
        table.rounds += 1

    def _in_round(self, record: Record, values: Any) -> Round | None:
        """The open round, which takes the record's action; odd without one."""
        if self.table.round is None:
            self._odd(record, f"a {record.name} record stands outside a round")
        self._step(record)
        return self.table.round

    def _step(self, record: Record) -> None:
        """The round that is open, if there is one, takes an action that lays no card."""
        if self.table.round is not None:
            self._take(self.table.round, record, OF_RECORDS[record[3]](*record[4], record[0]))

    def _hands_changed(self, record: Record, values: Any) -> None:
        """Cards of a position lie in another of its hands now. A shared card lies where it lay, 633c.5(n), (y)."""
        round_ = self._in_round(record, values)
        if round_ is None or round_.shared:
            return
        for hand in round_.boxes.get(values[0], ()):
            for drawn in hand.cards:
                drawn.hand = hand.hand

    def _antes(self, record: Record, values: Any) -> None:
        self.table.antes = values[0]
        if self.table.round is not None:
            self._odd(record, "switch hands antes were placed while a round was open")

    def _seats(self, record: Record, values: Any) -> None:
        self.table.seats = values[0]
        self.table.antes &= values[0]  # without a main wager there is no ante

    def _selected(self, record: Record, values: Any) -> None:
        self.table.selected = values[0]
        if self.table.round is not None:
            self._odd(record, "a player position was selected while a round was open")

    def _reader_test(self, record: Record, values: Any) -> None:
        self.table.inspecting = values[0] not in _INSPECTION_OVER

    def _round_closed(self, record: Record, values: Any) -> None:
        round_ = self._in_round(record, values)
        if round_ is None:
            return
        self.table.closed_round, self.table.round = round_, None
        self.table.shoe_rounds += 1
        if self.table.options & CONTINUOUS:
            count.give_back(self.table, record.number)

    # ------------------------------------------------------------------------------------------------ what went wrong
    def _irregularity(self, record: Record, values: Any) -> None:
        table = self.table
        self._step(record)
        if values[0] == IrregularityCode.FOREIGN_BATCH:
            table.foreign_told = record[0]
        if values[0] in _BLANKS:
            table.shoe_cards += 1
            side = self._side(record, values[3])
            side.drawn += 1
            side.unknown += 1
            side.blanks += 1

    def _fault(self, record: Record, values: Any) -> None:
        self.table.faults[values[0]] = record
        if values[0] in _UNCOUNTED and values[1] < 2:
            self.table.sides[values[1]].uncertain += 1
        self._step(record)

    def _cleared(self, record: Record, values: Any) -> None:
        if self.table.faults.pop(values[0], None) is None:
            self._odd(record, f"fault {values[0]} was cleared and had not come")
        self._step(record)


_BY_KIND: Final[dict[int, Callable[[Stream, Record, Any], object]]] = {
    RecordKind.BOOT: Stream._boot,
    RecordKind.SHOE_OPENED: Stream._shoe_opened,
    RecordKind.LOADED: Stream._loaded,
    RecordKind.CARRIED: Stream._carried,
    RecordKind.ROUND_OPENED: Stream._round_opened,
    RecordKind.CARD: Stream._card,
    RecordKind.SEALED: Stream._sealed,
    RecordKind.OPENED: Stream._opened,
    RecordKind.MOVED: Stream._moved,
    RecordKind.COVER_CARD: Stream._cover_card,
    **dict.fromkeys(_IN_ROUND, Stream._in_round),
    **dict.fromkeys((RecordKind.SPLIT, RecordKind.SWITCHED), Stream._hands_changed),
    RecordKind.ANTES: Stream._antes,
    RecordKind.SEATS: Stream._seats,
    RecordKind.SELECTED: Stream._selected,
    RecordKind.READER_TEST: Stream._reader_test,
    RecordKind.ROUND_CLOSED: Stream._round_closed,
    RecordKind.FINISHED: Stream._finished,
    RecordKind.COUNT_STARTED: Stream._count_started,
    RecordKind.COUNTED: Stream._counted,
    RecordKind.IRREGULARITY: Stream._irregularity,
    RecordKind.FAULT: Stream._fault,
    RecordKind.CLEARED: Stream._cleared,
    RecordKind.SHOE_CLOSED: Stream._shoe_closed,
    RecordKind.REFILLED: Stream._refilled,
}
_HANDLERS: Final = {int(kind): handler for kind, handler in _BY_KIND.items()}
