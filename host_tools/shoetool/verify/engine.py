"""One pass over the records of a history, every check at its place, a report at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from shoetool.judge import registry as reg
from shoetool.judge.dealer import owed_by_dealer
from shoetool.judge.double_shoe import double_shoe
from shoetool.judge.finding import CANNOT_TELL, Objection
from shoetool.judge.held import HELD, HELD_CODES, HeldCards
from shoetool.judge.inventory import Inventory
from shoetool.judge.irregular import Handled
from shoetool.judge.moves import moved_without_reason
from shoetool.judge.pairs import Pairs
from shoetool.judge.reader import Reader, answers_in_round
from shoetool.judge.shoe import BURN, Burns, LastRound, Loads
from shoetool.judge.stops import BLIND, Stops
from shoetool.judge.switch_hands import switch_hands
from shoetool.judge.voided import BLANKS, PLAIN, Voided, plain
from shoetool.model.protocol_table import FaultCode, IrregularityCode, RecordKind
from shoetool.model.records import Record
from shoetool.table.actions import OF_RECORDS, Reported
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.verify.commands import Commands
from shoetool.verify.context import Context
from shoetool.verify.evidence import Commitments, report_anomaly, report_faults, report_gap
from shoetool.verify.findings import Report, Summary
from shoetool.verify.heads import Heads
from shoetool.verify.play import play_again
from shoetool.verify.totals import Totals
from shoetool.verify.unknown import WITHOUT_RULES, Unknown

if TYPE_CHECKING:  # settling and all wagers: half of what verifying imports, and only a table record needs it
    from shoetool.verify.table_record import TableJudge

_CARD: Final = int(RecordKind.CARD)
_SEALED: Final = int(RecordKind.SEALED)
_SPECIAL: Final = frozenset((BURN, HELD))
_WRAP: Final = 0x10000
_UNCOUNTED: Final = (FaultCode.DOUBLE_FEED, FaultCode.EDGES_LOST, *BLIND)
_NOT_SETTLED: Final = "rounds with switch hands antes (633c.4) are not settled against the table record"
_LOADS: Final = frozenset((int(RecordKind.LOADED), int(RecordKind.REFILLED), int(RecordKind.SHOE_OPENED)))


Judge = Callable[[Any], "Iterable[Objection] | None"]
"""Judges an action; one that only takes note of it returns nothing."""


class Verifier:
    """Feed records in order, then ask for the `report`. Memory does not grow with the history.

    `table`, if given, judges each round together with what a table record says of it.
    """

    def __init__(self, table: TableJudge | None = None) -> None:
        self.stream = Stream()
        self.table = self.stream.table
        self.ctx = ctx = Context(self.table)
        self.table_judge = table
        if table is not None:
            table.begin(ctx)
        self.burns = Burns(self.table)
        self.last_round = LastRound(self.table)
        self.loads = Loads(self.table, self.last_round)
        self.inventory = Inventory(self.table, self.last_round)
        self.totals = Totals(ctx)
        self.voided = Voided(self.table, self.last_round)
        self.stops = Stops(self.table)
        self.reader = Reader(self.table)
        self.held = HeldCards(self.table)
        self.commitments = Commitments(ctx)
        self.commands = Commands()
        self.heads = Heads()
        self.unknown = Unknown(ctx)
        self.records = 0
        self.first: int | None = None
        self.previous = -2
        self.complete_start = False
        self.ended_closed = False
        self.notes: list[str] = []
        self.chained = False
        """The records come out of pages whose chain reports its own gaps."""
        self._round_tainted = False
        self._shoe_missing = False
        self._round_number = -1
        self._drawn_before = 0
        watches: dict[int, Callable[[Record], None]] = {
            RecordKind.SHOE_OPENED: self._shoe_opened,
            RecordKind.LOADED: self._loaded,
            RecordKind.CARRIED: self._asks(self.loads.carried),
            RecordKind.DEALER_CHANGED: self._asks(self.burns.dealer_changed),
            RecordKind.ROUND_OPENED: self._round_opened,
            RecordKind.CARD: self._card,
            RecordKind.SEALED: self._sealed,
            RecordKind.OPENED: self._opened,
            RecordKind.MOVED: self._moved,
            RecordKind.COVER_CARD: self._asks(self.loads.cover_card, self.last_round.cover_card),
            RecordKind.FINISHED: self._finished,
            RecordKind.IRREGULARITY: self._irregularity,
            RecordKind.FAULT: self._fault,
            RecordKind.CLEARED: self._asks(self.reader.cleared, self.stops.cleared),
            RecordKind.READER_TEST: lambda record: self.reader.step(record.values[0], record.number),
            RecordKind.SHOE_CLOSED: self._shoe_closed,
            RecordKind.PROVISIONED: self.commands.provisioned,
            RecordKind.ATTEMPT: self.commands.attempt,
            RecordKind.CONFIGURED: self.commands.configured,
            RecordKind.FIRMWARE: self.commands.firmware,
            RecordKind.MARGIN: self.heads.margin,
            RecordKind.CALIBRATED: self.heads.calibrated,
            RecordKind.REFILLED: self._asks(self.last_round.loaded),
            RecordKind.COUNT_STARTED: lambda record: self.inventory.count_started(*record.values),
        }
        self._watches = {int(kind): watch for kind, watch in watches.items()}
        self._without_rules = {kind: watch for kind, watch in self._watches.items() if kind in WITHOUT_RULES}
        self._by_rules = True
        """Whether the opening of the shoe is understood; else no rule is asked about it."""
        irregularities: dict[int, Judge] = {
            **dict.fromkeys(PLAIN, plain),
            **dict.fromkeys(HELD_CODES, self.held.irregularity),
            **dict.fromkeys(BLANKS, self.voided.blank),
            IrregularityCode.EXTRA_CARD: self.inventory.extra_told,
            IrregularityCode.FOREIGN_BATCH: self._foreign,
            IrregularityCode.CARD_UNKNOWN: self.inventory.unknown_told,
            IrregularityCode.TEN_FOUND: self.inventory.ten_told,
            IrregularityCode.SECOND_TEN_FOUND: self.inventory.ten_told,
            IrregularityCode.BURN_MISSING: self.burns.told_missing,
            IrregularityCode.DRAWN_WHILE_FINISHED: self.last_round.drawn_while_finished,
            IrregularityCode.ORDERED_RESHUFFLE: self.last_round.ordered,
            IrregularityCode.SECOND_COVER_CARD: self.loads.second,
            IrregularityCode.DRAWN_WHILE_STOPPED: self.stops.told,
            IrregularityCode.READER_MISUSED: self.reader.misused,
            IrregularityCode.WRONG_KEY: self.stops.refused_key,
        }
        self._told = {int(code): told for code, told in irregularities.items()}

    def _ask(self, record: Record, *judges: Judge) -> None:
        """Hand the action of a record to judges, one after the other, and add what they object to."""
        action = OF_RECORDS[record[3]](*record[4], record[0])
        for judge in judges:
            self.ctx.object(judge(action) or ())

    def _asks(self, *judges: Judge) -> Callable[[Record], None]:
        return lambda record: self._ask(record, *judges)

    def feed_all(self, records: Iterable[Record]) -> None:
        """Fold all records in; a gap in their numbers taints what depends on it."""
        feed = self.stream.feed
        table = self.table
        watched = self._watched()
        known = self.unknown.known
        previous = self.previous
        count = 0
        for record in records:
            number = record[0]
            if number != previous + 1:
                self._jump(previous, number)
            previous = number
            count += 1
            kind = record[3]
            understood = known(record)
            if kind in _LOADS:
                self._before_load(record, understood)
                watched = self._watched()
            feed(record)
            watch = watched(kind)
            if watch is not None:
                watch(record)
            if not understood:
                self._lost()
            if table.closed_round is not None:
                self._judge(table.closed_round)
            if table.anomaly is not None and not self._round_tainted:
                report_anomaly(self.ctx, record, self.first or 0)
        self.previous = previous
        self.records += count

    def _watched(self) -> Callable[[int], Callable[[Record], None] | None]:
        return (self._watches if self._by_rules else self._without_rules).get

    def _jump(self, previous: int, number: int) -> None:
        if self.first is None:
            self.first = number
            return
        if not self.chained:
            report_gap(self.ctx, previous, number)
        self._lost()

    def _lost(self) -> None:
        """What happened between the records is not known: what depends on all of them cannot be judged."""
        self.table.gap = self._round_tainted = True
        self.burns.reset()
        self.last_round.due.clear()
        self.ctx.object(self.held.lost())

    # ------------------------------------------------------------------------------------------------ the shoe
    def _before_load(self, record: Record, understood: bool) -> None:
        """The inventory of a side ends when it is loaded again, also in a round, or another shoe is opened."""
        if record.kind == RecordKind.LOADED and record.values[0] < 2:
            self._side_over(record.values[0])
            side = self.table.sides[record.values[0]]
            self._drawn_before = side.drawn if side.loaded else 0
        elif record.kind == RecordKind.REFILLED and record.values[0] < 2:
            self.ctx.object(self.loads.side_over(record.values[0]))
        elif record.kind == RecordKind.SHOE_OPENED:
            self._side_over(0, 1)
            self._by_rules = understood

    def _side_over(self, *sides: int) -> None:
        for index in sides:
            for judge in (self.loads.side_over, self.inventory.count):
                self.ctx.object(judge(index))

    def _shoe_opened(self, record: Record) -> None:
        if self.records == 0 and not self.table.rounds:
            self.complete_start = True
        self.ended_closed = False
        self.commands.shoe_opened()
        if self.table_judge is not None:
            self.table_judge.shoe_opened(record)
        if self._by_rules:
            self.ctx.object(self.loads.shoe_opened())
        self._round_number = 0
        self.reader.shoe_opened()
        self.burns.reset()
        if not self.table.double:
            self.last_round.due.clear()
        self.table.gap = False

    def _loaded(self, record: Record) -> None:
        self._ask(record, lambda load: self.loads.loaded(load, self._drawn_before), self.last_round.loaded)
        self.commitments.loaded(record)
        self._ask(record, self.burns.loaded)

    def _shoe_closed(self, record: Record) -> None:
        self.ctx.object(self.inventory.flush())
        self.ctx.object(self.inventory.settle_tens(None))
        self.ctx.object(self.held.end(True))
        self._side_over(0, 1)
        self.commitments.shoe_closed(record, self.table.double)
        self._ask(record, self.loads.shoe_closed)
        self.totals.shoe_closed(record)
        self.ended_closed = True

    def _finished(self, record: Record) -> None:
        self._ask(record, self.last_round.finished)
        self.totals.finished(record)
        if self.table_judge is not None:
            self.table_judge.finished(record)

    def _fault(self, record: Record) -> None:
        """A double feed, lost edges or a blind head may have let a card pass that nobody counted."""
        self._ask(record, self.reader.fault, self.stops.fault)
        head = record.values[1]
        if head < 2 and record.values[0] in _UNCOUNTED:
            self.table.sides[head].uncertain += 1

    # ------------------------------------------------------------------------------------------------ cards
    def _card(self, record: Record) -> None:
        table = self.table
        drawn = table.card
        if drawn is None:
            return
        if not table.shoes:
            self._no_shoe(record)
            return
        head = drawn.head
        card = drawn.card
        if (
            card >= 52
            or head > 1
            or drawn.batch != table.batches[head]
            or table.sides[head].counts[card] > table.side_decks
            or (table.spanish and card % 13 == 9)
        ):
            self.ctx.object(self.inventory.card(record.number))
        if table.faults and record[3] == _CARD:
            self.ctx.object(self.stops.card(record.number))
        if drawn.role in _SPECIAL or self.held.waiting:
            self._special(record)

    def _no_shoe(self, record: Record) -> None:
        """The history begins in the middle of a shoe: said once."""
        if not self._shoe_missing:
            self._shoe_missing = True
            text = "the history does not begin with the opening of its shoe. Its decks and batches are not known."
            self.ctx.add(reg.SEQUENCE, CANNOT_TELL, (record.number,), text)
        self.table.gap = self._round_tainted = True

    def _special(self, record: Record) -> None:
        drawn = self.table.card
        if drawn is None:
            return
        if drawn.role == BURN and (record.kind in (_CARD, _SEALED, RecordKind.MOVED)):
            self.burns.burned()
        self.ctx.object(self.held.card(record.number))

    def _sealed(self, record: Record) -> None:
        self.commitments.sealed(record)
        if self.table.faults:
            self.ctx.object(self.stops.card(record.number))
        self._moved(record)

    def _opened(self, record: Record) -> None:
        self.commitments.opened(record)
        self._card(record)

    def _moved(self, record: Record) -> None:
        drawn = self.table.card
        if drawn is not None and (drawn.role in _SPECIAL or self.held.waiting):
            self._special(record)

    # ------------------------------------------------------------------------------------------------ rounds
    def _round_opened(self, record: Record) -> None:
        self._round_tainted = False
        self.ctx.object(self.inventory.flush())
        self.ctx.object(self.inventory.settle_tens(None))
        if self.table.round is not None:
            for judge in (self.burns, self.last_round, self.loads, self.reader):
                self.ctx.object(judge.round_opened(self.table.round))
            self._numbers_run_on(self.table.round)

    def _numbers_run_on(self, round_: Round) -> None:
        """Round numbers run on within a shoe."""
        before, self._round_number = self._round_number, round_.number
        if before >= 0 and round_.number != (before + 1) % _WRAP and not self.table.gap:
            text = f"round {round_.number} follows round {before}; their numbers do not run on."
            self.ctx.add(reg.SEQUENCE, CANNOT_TELL, (round_.record,), text)

    def _judge(self, round_: Round) -> None:
        if self._by_rules:
            self.burns.round_closed(round_)
        if self._round_tainted:
            if self.table_judge is not None:
                self.table_judge.round_closed(round_, True)
            return
        ctx, table = self.ctx, self.table
        play_again(ctx, round_)
        pairs = Pairs(round_)
        ctx.object(moved_without_reason(round_, pairs), round_)
        ctx.object(switch_hands(table.options, round_), round_)
        self.commitments.round_closed(round_)
        ctx.object(answers_in_round(table, round_), round_)
        if round_.settled:
            ctx.object(owed_by_dealer(ctx.rules, round_), round_)
        if table.double:
            ctx.object(double_shoe(table, round_), round_)
        ctx.object(self.voided.voided(round_), round_)
        if round_.irregularities or round_.refills:
            ctx.object(Handled(table, round_, pairs, self.held.done).objections(), round_)
            ctx.object(self.voided.second_blank(round_), round_)
        if self.held.waiting:
            ctx.object(self.held.round_closed(), round_)
        self.held.done.clear()
        if self.inventory.tens:
            ctx.object(self.inventory.settle_tens(round_), round_)
        if self.table_judge is not None:  # last: what the shoe shows by itself is not said twice
            self.table_judge.round_closed(round_, False)
            if round_.antes and _NOT_SETTLED not in self.notes:
                self.notes.append(_NOT_SETTLED)

    # ------------------------------------------------------------------------------------------------ irregularities
    def _irregularity(self, record: Record) -> None:
        told = self._told.get(record.values[0])
        if told is not None:
            self._ask(record, told)

    def _foreign(self, report: Reported) -> None:
        if self.loads.other_batch != report.record - 1:  # a cover card's finding stands there
            self.inventory.foreign_told(report)

    # ------------------------------------------------------------------------------------------------ end
    def report(self) -> Report:
        """Everything that was found, in the order of the records; call it once, after the last record."""
        table = self.table
        self.ctx.object(self.inventory.end())
        left = self.stream.end()
        if left is not None:
            self.notes.append(f"the history ends within round {left.number}")
        else:
            self.ctx.object(self.inventory.settle_tens(None))
        if not self.ended_closed:
            self._side_over(0, 1)
        if self.table_judge is not None:
            self.table_judge.end(left)
        report_faults(self.ctx)
        self.unknown.report()
        self.ctx.object(self.held.end(self.ended_closed or left is None))
        summary = Summary.of(table)
        summary.records = self.records
        summary.first_record, summary.last_record = self.first, self.previous if self.records else None
        summary.complete = self.complete_start and self.ended_closed
        summary.dropped = self.ctx.dropped
        summary.notes = self.notes + self.commands.notes() + self.heads.notes()
        return Report(sorted(self.ctx.findings, key=lambda finding: finding.order), summary)
