"""One run over many histories: hand out the work, take the results in order, commit them part by part."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from shoetool.casino.judged import UNREADABLE, Asked, Judged, judge_all
from shoetool.casino.paths import Missing
from shoetool.casino.pieces import handed_out
from shoetool.casino.state import State
from shoetool.casino.workers import Workers

if TYPE_CHECKING:
    from shoetool.casino.results import Results  # it needs Arrow, which a run without tables does without

PART_FILES: Final = 5_000
"""A part of the results has so many histories at most. It bounds what a power cut costs."""
PLAY_PART_FILES: Final = 1_000
"""The same where the rows of what was dealt are written too: a history takes longer."""

_CHECK: Final = "check "
_ROWS: Final = "rows "

Advance = Callable[[int], None]


class Run:
    """A run over many histories. Memory does not grow with their number.

    `results`: where the tables are written, which the caller closes; None for a run without them. `advance` is called
    with the bytes of each piece that is done.
    """

    def __init__(self, asked: Asked, state: State, results: Results | None, advance: Advance) -> None:
        self._asked = asked
        self._state = state
        self._results = results
        self._advance = advance
        self._part = 0
        """How many histories the part that is under way has."""
        self._handed: set[str] = set()
        self._troubles: list[Judged] = []
        self._counted: Counter[str] = Counter()
        self._torn = False
        self._number = state.parts + 1
        """Of the part that is under way."""
        self.before = state.histories
        """Histories that an earlier start of this run has done."""

    def verify(self, found: Iterable[Path | Missing], workers: Workers) -> Generator[Judged]:
        """Verify and commit every history that is not done yet. Yield them in the order of the input.

        A folder that cannot be read, and a file that has changed since it was verified, come last, with an error. They
        are in no result, so the next start tells them again. When the run is interrupted, what is done is committed.
        """
        try:
            for judged, size in handed_out(self._to_do(found), judge_all, self._asked, workers):
                yield from self._keep(judged)
                self._advance(size)
        finally:
            self._commit()
        yield from self._troubles

    def _to_do(self, found: Iterable[Path | Missing]) -> Iterator[tuple[Path, int]]:
        """Yield each history that is not done yet, with its bytes."""
        for one in found:
            if isinstance(one, Missing):
                self._troubles.append(Judged(one.path, error=one.why))
                continue
            size = self._still_to_do(one)
            if size is not None:
                yield one, size

    def _still_to_do(self, path: Path) -> int | None:
        """Return the bytes of a history that is to be verified, None for one that was."""
        key = key_of(path)
        if key in self._handed:
            return None  # it is named twice
        try:
            told = path.stat()
            now = told.st_size, told.st_mtime_ns
        except (OSError, ValueError):
            now = 0, 0
        before = self._state.done(key)
        if before is None:
            self._handed.add(key)
            return now[0]
        if before != now:
            why = f"{path}: has changed since this run verified it: begin a run in another folder"
            self._troubles.append(Judged(key, error=why))
        self._advance(now[0])
        return None

    def _keep(self, judged: Iterable[Judged]) -> Iterator[Judged]:
        for one in judged:
            one.key = key_of(Path(one.path))
            self._torn = True
            self._counted.update(_counts(one))
            if self._results is not None:
                self._results.add(one, self._number)
            self._state.add(one)
            self._handed.discard(one.key)
            self._part += 1
            self._torn = False
            yield one
            if self._part >= (PLAY_PART_FILES if self._asked.play else PART_FILES):
                self._commit()

    def _commit(self) -> None:
        """Make what is done durable: first the tables, then the state that knows of them."""
        part, self._part = self._part, 0
        if not part or self._torn:  # rows of one history are written in part: this part is done again
            self._state.give_up()
            return
        counted, self._counted = self._counted, Counter()
        try:
            if self._results is not None:
                self._results.write(self._number)
            self._state.commit(+counted)
        except BaseException:
            self._state.give_up()
            raise
        self._number = self._state.parts + 1


def key_of(path: Path) -> str:
    """Return the name of a history in results and state: its whole path, with escapes for what is no text."""
    return os.path.normpath(path.absolute()).encode("utf-8", "backslashreplace").decode()


def _counts(one: Judged) -> dict[str, int]:
    report = one.report
    if report is None:
        return {f"verdict {UNREADABLE}": 1, "defects": int(one.defect), f"{_ROWS}histories": 1}
    summary = report.summary
    out = {
        f"verdict {report.verdict}": 1,
        "findings": len(report.findings) + summary.dropped,
        "rounds": summary.rounds,
        "cards": summary.cards,
        "records": summary.records,
        "shoes": len(summary.signatures),
        "signed": sum(shoe.good for shoe in summary.signatures),
        "pinned": sum(shoe.good and shoe.pinned is True for shoe in summary.signatures),
        "table records": int(one.table_record),
        "table rounds": summary.table_rounds or 0,
        "left out": int(bool(summary.left_out)),
        f"{_ROWS}histories": 1,
        f"{_ROWS}findings": len(report.findings),
        f"{_ROWS}signatures": len(summary.signatures),
        **{f"{_ROWS}{name}": batch.num_rows for name, batch in one.rows.items()},
    }
    checks = Counter(f"{_CHECK}{found.check}\t{found.clause}\t{found.verdict}" for found in report.findings)
    return out | checks


def totals(state: State) -> dict[str, int]:
    """Return how many histories have each verdict, most first."""
    counted = state.counted
    found = {what.removeprefix("verdict "): number for what, number in counted.items() if what.startswith("verdict ")}
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def rows(state: State) -> Counter[str]:
    """Return how many rows each table has in the committed parts."""
    counted = state.counted
    return Counter({what.removeprefix(_ROWS): number for what, number in counted.items() if what.startswith(_ROWS)})


def checks(state: State) -> list[tuple[str, str, str, int]]:
    """Return (check, clause, verdict, how often) of everything that was found, most often first."""
    rows = []
    for what, number in state.counted.items():
        if what.startswith(_CHECK):
            check, clause, verdict = what.removeprefix(_CHECK).split("\t")
            rows.append((check, clause, verdict, number))
    return sorted(rows, key=lambda row: (-row[3], row[0]))
