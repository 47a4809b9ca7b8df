"""Verify one history of many: the work of a worker. It reads one file, writes nothing, and knows no other file."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from shoetool.casino.paths import RECORD_ENDING
from shoetool.history.start_clock import Moment
from shoetool.history.store import ShoelogReader
from shoetool.model.errors import BadInput
from shoetool.model.input_file import NoFile
from shoetool.model.records import Record
from shoetool.trust.continuity import Held
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.statement import Statement
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify
from shoetool.verify.timed_reader import TimedReader

if TYPE_CHECKING:
    from shoetool.casino.play_rows import PlayRows
    from shoetool.round_file.tables import Rules
    from shoetool.verify.table_record import TableFile, TableJudge

UNREADABLE: Final = "unreadable"
"""Stands in the place of a verdict where a history cannot be read."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How each history is verified. It goes to every worker, which may be on a machine without the pins.

    `pinned`: the 56 bytes of the key that is pinned for each device. `table_records`: take the table record with the
    history's own name and `.jsonl`, which lies beside it. `table`: see --table. `payments`: see --require-payments.
    `play`: give the rows of what was dealt too, see `Judged.rows`. `rules`: texts of rules submissions by their names;
    with these no others are looked for.
    """

    pinned: Mapping[bytes, bytes] = field(default_factory=dict)
    required: bool = False
    table_records: bool = False
    table: str | None = None
    payments: bool = False
    play: bool = False
    rules: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Verifying:
    """A statement whose signature verifies. `good`: nothing was found about it or the pages that it names."""

    key: PublicKey
    statement: Statement
    good: bool


@dataclass(slots=True)
class Judged:
    """What one history came to. Either `report` or `error` is None.

    `began`, `ended`: times of its first and last record. `moments`: those of the records that prove a finding. None, or
    left out, where a time is not known. `rows`: by table, what `export` writes beside the results, as Arrow.
    `keys`: the pinned key of each device that was asked for one. `rules`: the text of each rules submission that was
    used, by its name.
    """

    path: str
    key: str = ""
    """Its name in results and state; the run gives it."""
    size: int = 0
    modified_ns: int = 0
    sha256: str = ""
    error: str | None = None
    defect: bool = False
    """Whether the error is one of shoetool itself, not of the file."""
    report: Report | None = None
    table_record: bool = False
    began: Moment | None = None
    ended: Moment | None = None
    moments: dict[int, Moment] = field(default_factory=dict)
    held: list[tuple[bytes, int, Held]] = field(default_factory=list)
    verifying: list[Verifying] = field(default_factory=list)
    rows: dict[str, Any] = field(default_factory=dict)
    keys: dict[bytes, bytes] = field(default_factory=dict)
    rules: dict[str, str] = field(default_factory=dict)


class _Pins(PinStore):
    """The pins that were sent along. It has no memory: what was signed before is compared where all results meet."""

    def __init__(self, pinned: Mapping[bytes, bytes]) -> None:
        self.folder, self._seen, self._pinned = None, {}, pinned  # no folder of this machine is asked
        self.used: dict[bytes, bytes] = {}

    def get(self, device: bytes) -> PublicKey | None:
        raw = self._pinned.get(device)
        if raw is None:
            return None
        self.used[device] = raw
        return PublicKey(raw)

    def seen(self, device: bytes, key: PublicKey, index: int) -> str | None:
        return None


class _Noting(Trust):
    """Notes every statement whose signature verifies. Whether an index was used twice no single file can show."""

    def __init__(self, asked: Asked) -> None:
        self.own_pins = _Pins(asked.pinned)
        super().__init__(self.own_pins, False, asked.required)
        self.verifying: list[tuple[PublicKey, Statement]] = []

    def reused(self, statement: Statement, key: PublicKey, file: str) -> str | None:
        self.verifying.append((key, statement))
        return super().reused(statement, key, file)


class _PlayReader(TimedReader):
    """Notes what each record tells of the play before it hands the record out."""

    def __init__(self, path: Path) -> None:
        from shoetool.casino.play_rows import PlayRows  # it needs Arrow, which the other commands do without

        super().__init__(path)
        self.play: PlayRows = PlayRows(lambda: self.chain.shoe, self.moment)

    def records(self) -> Iterator[Record]:
        feed = self.play.feed
        for record in super().records():
            feed(record)
            yield record


class Worker:
    """Verifies one history after the other with the same settings. It keeps the rules submissions that it read."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._rules: dict[Path, Rules] = {}

    def judge(self, path: Path, name: str | None = None) -> Judged:
        """Return what a history came to. Whatever is wrong with the file is in `error`: one line.

        `name`: that of the file of which this one is a copy; a name says which shoe it holds.
        """
        out = Judged(str(path))
        trust = _Noting(self.asked)
        try:
            told = path.stat()
            out.size, out.modified_ns = told.st_size, told.st_mtime_ns
        except OSError:
            pass  # the reader tells it better
        except ValueError as error:  # no file can have this name
            out.error = f"{str(path)!r}: cannot be read: {error}"
            return out
        try:
            with (_PlayReader if self.asked.play else ShoelogReader)(path) as reader:
                reader.name = name or reader.name
                play = None
                if isinstance(reader, _PlayReader):
                    play, reader.pins = reader.play, trust.pins
                try:
                    out.report = self._report(reader, path, trust, out, play)
                finally:
                    out.sha256 = reader.digest()
                out.began, out.ended = reader.span()
            if out.report.findings:
                ends = {number for one in out.report.findings for number in one.records[:1] + one.records[-1:]}
                out.moments = _moments(path, ends, out.report)
            if play is not None:
                play.end()
                out.rows = play.batches(out.report.summary.device, out.table_record)
        except BadInput as error:
            out.report, out.error = None, str(error)
        except OSError as error:
            out.report, out.error = None, f"{path}: cannot be read: {error.strerror or error}"
        except Exception as error:  # the other histories of a long run are verified all the same
            what = traceback.format_exception_only(error)[-1].strip()
            out.report, out.defect = None, True
            out.error = f"{path}: a defect of shoetool: {what}; verify this file alone for a crash report"
        else:
            good = {(key, statement) for key, statement, _ in trust.continuity.statements()}
            out.verifying = [Verifying(key, one, (key, one) in good) for key, one in trust.verifying]
            out.held = list(trust.continuity.held())
            out.keys = trust.own_pins.used
        return out

    def _report(self, reader: ShoelogReader, path: Path, trust: Trust, out: Judged, play: PlayRows | None) -> Report:
        if not self.asked.table_records:
            return verify(reader, None, trust)
        from shoetool.verify.table_record import TableFile  # it takes a while, and most runs are without table records

        try:
            record = TableFile(path.with_suffix(RECORD_ENDING), self.asked.table is not None)
        except NoFile:
            return verify(reader, None, trust)
        out.table_record = True
        with record as file:
            judge = self._table_judge(file, file.path)
            if play is not None:
                judge.on_lines, judge.on_settled = play.wagers.lines, play.wagers.settled
            report = verify(reader, judge, trust)
            out.rules = dict(self._rules[file.path.parent].used)
            return report

    def _table_judge(self, file: TableFile, record: Path) -> TableJudge:
        from shoetool.round_file.tables import Rules
        from shoetool.verify.table_record import TableJudge

        rules = self._rules.get(record.parent)
        if rules is None:
            self._rules = {record.parent: (rules := Rules(self.asked.table, record.parent, self.asked.rules))}
        rules.used = {}
        return TableJudge(
            file.lines, lambda entry: rules.find(entry.table, f"{record}: line {entry.line}"), True, self.asked.payments
        )


def _moments(path: Path, wanted: set[int], report: Report) -> dict[int, Moment]:
    """Read the history once more for the times of these records. A number that stands in it twice has no time."""
    found: dict[int, Moment | None] = {}
    with ShoelogReader(path) as reader:
        report.vouch(reader)
        for record in reader.records():
            if record.number in wanted:
                found[record.number] = None if record.number in found else reader.moment(record)
    return {number: moment for number, moment in found.items() if moment is not None}


def judge_all(paths: Sequence[Path], asked: Asked) -> list[Judged]:
    """Verify a few histories, one after the other: one piece of a worker's work."""
    worker = Worker(asked)
    return [worker.judge(path) for path in paths]
