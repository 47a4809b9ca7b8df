"""One pass over the records of a history: the judge is asked of each action, the evidence is checked, a report at the
end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import CANNOT_TELL
from shoetool.judge.judge import JUDGED, Judge
from shoetool.model.protocol_table import RecordKind
from shoetool.model.records import Record
from shoetool.table.actions import OF_RECORDS
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.verify.commands import Commands
from shoetool.verify.context import Context
from shoetool.verify.evidence import Commitments, report_anomaly, report_faults, report_gap
from shoetool.verify.findings import Report, Summary
from shoetool.verify.heads import Heads
from shoetool.verify.signatures import NOTHING_NOTED
from shoetool.verify.totals import Totals
from shoetool.verify.unknown import WITHOUT_RULES, Unknown

if TYPE_CHECKING:  # settling and all wagers: half of what verifying imports, and only a table record needs it
    from shoetool.verify.table_record import TableJudge

_WRAP: Final = 0x10000
_NOT_SETTLED: Final = "rounds with switch hands antes (633c.4) are not settled against the table record"
_LOADS: Final = frozenset((int(RecordKind.LOADED), int(RecordKind.REFILLED), int(RecordKind.SHOE_OPENED)))


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
        self.judge = Judge(self.table)
        self.totals = Totals(ctx)
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
        self._by_rules = True
        """Whether the opening of the shoe is understood; else no rule is asked about it."""

    def _ask(self, record: Record) -> None:
        """Hand the action of a record to the judge, and add what he objects to."""
        self.ctx.object(self.judge.why_not(OF_RECORDS[record[3]](*record[4], record[0])))

    def _fault(self, record: Record) -> None:
        self.commands.fault(record)
        self._ask(record)

    def feed_all(self, records: Iterable[Record], note: Callable[[Record], object] | None = None) -> None:
        """Fold all records in; a gap in their numbers taints what depends on it. `note`: see `Closings.note`."""
        stream, unknown, table = self.stream, self.unknown, self.table
        watched = self._watched()
        previous = self.previous
        count = 0
        for record in records:
            number, _, _, kind, _ = record
            if number != previous + 1:
                self._jump(previous, number)
            previous = number
            count += 1
            if note is not None and kind not in NOTHING_NOTED:
                note(record)
            understood = unknown.known(record)
            if kind in _LOADS:
                self._before_load(record, understood)
                watched = self._watched()
            stream.feed(record)
            watch = watched(kind)
            if watch is not None:
                watch(self, record)
            if not understood:
                self._lost()
            if table.closed_round is not None:
                self._judge(table.closed_round)
            if table.anomaly is not None and not self._round_tainted:
                report_anomaly(self.ctx, record, self.first or 0)
        self.previous = previous
        self.records += count

    def _watched(self) -> Callable[[int], _Watch | None]:
        return (_WATCHES if self._by_rules else _WATCHES_WITHOUT_RULES).get

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
        self.ctx.object(self.judge.lost())

    # ------------------------------------------------------------------------------------------------ the shoe
    def _before_load(self, record: Record, understood: bool) -> None:
        """The inventory of a side ends when it is loaded again, also in a round, or another shoe is opened."""
        if record.kind == RecordKind.SHOE_OPENED:
            self.ctx.object(self.judge.side_over(0, 1))
            self._by_rules = understood
        elif record.values[0] < 2:
            self.ctx.object(self.judge.side_over(record.values[0]))

    def _shoe_opened(self, record: Record) -> None:
        if self.records == 0 and not self.table.rounds:
            self.complete_start = True
        self.ended_closed = False
        self.unknown.shoe_opened()
        self.commands.shoe_opened()
        if self.table_judge is not None:
            self.table_judge.shoe_opened(record)
        if self._by_rules:
            self.ctx.object(self.judge.shoe_opened())
        self._round_number = 0
        self.table.gap = False

    def _loaded(self, record: Record) -> None:
        self._ask(record)
        self.commitments.loaded(record)

    def _shoe_closed(self, record: Record) -> None:
        self._ask(record)
        self.commitments.shoe_closed(record, self.table.double)
        self.totals.shoe_closed(record)
        self.ended_closed = True

    def _finished(self, record: Record) -> None:
        self._ask(record)
        self.totals.finished(record)
        if self.table_judge is not None:
            self.table_judge.finished(record)

    # ------------------------------------------------------------------------------------------------ cards
    def _card(self, record: Record) -> None:
        if not self.table.shoes and self.table.card is not None:
            self._no_shoe(record)
            return
        found = self.judge.card(record)
        if found:  # mostly it is an empty tuple
            self.ctx.object(found)

    def _no_shoe(self, record: Record) -> None:
        """The history begins in the middle of a shoe: said once."""
        if not self._shoe_missing:
            self._shoe_missing = True
            text = "the history does not begin with the opening of its shoe. Its decks and batches are not known."
            self.ctx.add(reg.SEQUENCE, CANNOT_TELL, (record.number,), text)
        self.table.gap = self._round_tainted = True

    def _sealed(self, record: Record) -> None:
        self.commitments.sealed(record)
        self._moved(record)

    def _opened(self, record: Record) -> None:
        self.commitments.opened(record)
        self._card(record)

    def _moved(self, record: Record) -> None:
        self.ctx.object(self.judge.card(record))

    # ------------------------------------------------------------------------------------------------ rounds
    def _round_opened(self, record: Record) -> None:
        self._round_tainted = False
        if self.table.round is not None:
            self.ctx.object(self.judge.round_opened(self.table.round))
            self._numbers_run_on(self.table.round)

    def _numbers_run_on(self, round_: Round) -> None:
        """Round numbers run on within a shoe."""
        before, self._round_number = self._round_number, round_.number
        if before >= 0 and round_.number != (before + 1) % _WRAP and not self.table.gap:
            text = f"round {round_.number} follows round {before}; their numbers do not run on."
            self.ctx.add(reg.SEQUENCE, CANNOT_TELL, (round_.record,), text)

    def _judge(self, round_: Round) -> None:
        if self._round_tainted:
            if self.table_judge is not None:
                self.table_judge.round_closed(round_, True)
            return
        self.ctx.object(self.judge.owed(round_), round_)
        self.commitments.round_closed(round_)
        if self.table_judge is not None:  # last: what the shoe shows by itself is not said twice
            self.table_judge.round_closed(round_, False)
            if round_.antes and not self.table_judge.settles_antes and _NOT_SETTLED not in self.notes:
                self.notes.append(_NOT_SETTLED)

    # ------------------------------------------------------------------------------------------------ end
    def report(self) -> Report:
        """Everything that was found, in the order of the records; call it once, after the last record."""
        table = self.table
        self.ctx.object(self.judge.inventory.end())
        left = self.stream.end()
        if left is not None:
            self.notes.append(f"the history ends within round {left.number}")
        self.ctx.object(self.judge.end(self.ended_closed, left is None))
        if self.table_judge is not None:
            self.table_judge.end(left)
        report_faults(self.ctx)
        self.unknown.report()
        summary = Summary.of(table)
        summary.records = self.records
        summary.first_record, summary.last_record = self.first, self.previous if self.records else None
        summary.complete = self.complete_start and self.ended_closed
        summary.dropped = self.ctx.dropped
        summary.notes = self.notes + self.commands.notes() + self.heads.notes()
        return Report(sorted(self.ctx.findings, key=lambda finding: finding.order), summary)


_Watch = Callable[[Verifier, Record], None]
_BY_KIND: Final[dict[int, _Watch]] = {
    **{kind: Verifier._ask for kind, action in OF_RECORDS.items() if action in JUDGED},
    RecordKind.SHOE_OPENED: Verifier._shoe_opened,
    RecordKind.LOADED: Verifier._loaded,
    RecordKind.ROUND_OPENED: Verifier._round_opened,
    RecordKind.CARD: Verifier._card,
    RecordKind.SEALED: Verifier._sealed,
    RecordKind.OPENED: Verifier._opened,
    RecordKind.MOVED: Verifier._moved,
    RecordKind.FINISHED: Verifier._finished,
    RecordKind.SHOE_CLOSED: Verifier._shoe_closed,
    RecordKind.FAULT: Verifier._fault,
    RecordKind.PROVISIONED: lambda verifier, record: verifier.commands.provisioned(record),
    RecordKind.ATTEMPT: lambda verifier, record: verifier.commands.attempt(record),
    RecordKind.CONFIGURED: lambda verifier, record: verifier.commands.configured(record),
    RecordKind.FIRMWARE: lambda verifier, record: verifier.commands.firmware(record),
    RecordKind.MARGIN: lambda verifier, record: verifier.heads.margin(record),
    RecordKind.CALIBRATED: lambda verifier, record: verifier.heads.calibrated(record),
}
_WATCHES: Final = {int(kind): watch for kind, watch in _BY_KIND.items()}
_WATCHES_WITHOUT_RULES: Final = {kind: watch for kind, watch in _WATCHES.items() if kind in WITHOUT_RULES}
