"""Verify a stored history again, as it was verified when it was added: with the same keys, table record and rules.

Histories are independent, so this is work for many processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from shoetool.archive.custody import OVERRIDE, Added, Derived, Line
from shoetool.archive.dealt import RoundRow, rounds_of
from shoetool.archive.rows import Rows, rows_of
from shoetool.archive.stored import RULES, read
from shoetool.casino.judged import Asked, Judged, Worker
from shoetool.casino.pieces import handed_out
from shoetool.casino.workers import Workers
from shoetool.model.errors import BadInput


@dataclass(slots=True)
class Last:
    """What the custody log says last of a history: the digest of its rows, by which shoetool, with which keys.

    `rows` is None when an older shoetool added it. `line`: the number of the line that says so.
    """

    added: Added
    line: int
    shoetool: str
    rows: str | None
    keys: dict[str, str] | None

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Iterator[Last]:
        """Yield one for each history of the log, in order. The log is read to its end first."""
        known: dict[int, Last] = {}
        for line in lines:
            if isinstance(line, Derived):
                if line.of not in known:
                    raise BadInput(
                        f"line {line.number} of the custody log is about line {line.of}, which adds no history"
                    )
                added = known[line.of].added
            else:
                added = line
            keys = None if line.keys is None else dict(line.keys)
            known[added.number] = cls(added, line.number, line.shoetool, line.rows, keys)
        yield from known.values()


class Again(NamedTuple):
    """What a stored history came to when it was verified again. `note`: what could not be used for it."""

    last: Last
    judged: Judged
    rounds: list[RoundRow]
    note: str | None

    @property
    def rows(self) -> Rows:
        """What the index is to hold of it. BadInput: it cannot be read, or is not the file that was added."""
        added, judged = self.last.added, self.judged
        if judged.report is None:
            raise BadInput(f"{judged.error}; shoetool archive check says what else is wrong")
        if judged.sha256 != added.sha256:
            raise BadInput(f"{added.name}: was changed since it was added; bring it back from a copy")
        return rows_of(added, judged, self.rounds)


class _Work(NamedTuple):
    """What a worker needs to know: the archive's folder, and the keys for histories that name none."""

    folder: Path
    pinned: dict[bytes, bytes]


def again(folder: Path, some: Iterable[Last], asked: Asked | None, workers: Workers) -> Iterator[Again]:
    """Verify stored histories again, in order. `asked`: its keys are for histories that were added without a note of
    theirs."""
    work = _Work(folder, dict((asked or Asked()).pinned))
    for results, _ in handed_out(((last, last.added.size) for last in some), _all, work, workers):
        yield from results


def _all(some: Sequence[Last], work: _Work) -> list[Again]:
    return [_one(last, work) for last in some]


def _one(last: Last, work: _Work) -> Again:
    added, path = last.added, work.folder / last.added.name
    keys = work.pinned
    if last.keys is not None:
        keys = {bytes.fromhex(device): bytes.fromhex(key) for device, key in last.keys.items()}
    plain = Asked(keys)
    note = None
    try:
        judged = Worker(_with_record(plain, added, work.folder) if added.record else plain).judge(path, added.own_name)
        error = judged.error if added.record else None
    except BadInput as why:  # a rules submission is gone
        judged, error = Judged(str(path)), str(why)
    if error is not None:
        note = f"{added.name}: was entered without what its table record shows: {error}"
        judged = Worker(plain).judge(path, added.own_name)
    rounds = [] if judged.report is None else list(rounds_of(path, judged.report))
    return Again(last, judged, rounds, note)


def _with_record(asked: Asked, added: Added, folder: Path) -> Asked:
    """Ask for the table record too, with the rules submissions that were kept with it."""
    if added.rules is None:  # an older shoetool kept none
        return replace(asked, table_records=True)
    texts = {
        name: read(folder / RULES / f"{digest}.toml", "a rules submission", digest).decode()
        for name, digest in added.rules.items()
    }
    return replace(asked, table_records=True, table=OVERRIDE if OVERRIDE in texts else None, rules=texts)
