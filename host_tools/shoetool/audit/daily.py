"""The report of one table and one day: an audit of its histories alone, as a text that the operator can sign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from shoetool.audit.book import Book
from shoetool.audit.line import as_expected
from shoetool.audit.text import audit_lines
from shoetool.audit.told import Told
from shoetool.model.file_kinds import DAILY, DAILY_FORMAT
from shoetool.model.output_file import write_whole
from shoetool.model.printable import clean
from shoetool.model.times import utc_day
from shoetool.model.version import version

if TYPE_CHECKING:
    from shoetool.transparency.note import SigningKey

FORMAT: Final = DAILY_FORMAT
"""The first line of a report. It can be no log's checkpoint: the first line of that is the name of the log."""
NO_DAY: Final = "day-unknown"


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was written. `as_expected` None: nothing could be tested."""

    path: Path
    as_expected: bool | None


@dataclass(slots=True)
class _Day:
    book: Book
    files: list[tuple[str, str]] = field(default_factory=list)


def signing_key(path: Path) -> SigningKey:
    """Return the key of a log in a file. BadInput says why there is none."""
    from shoetool.transparency.note import NOTE
    from shoetool.transparency.note_key import read_key

    return read_key(path, NOTE)


class Days:
    """Keeps an audit for each table and day. Memory grows with their number."""

    def __init__(self, folder: Path, key: SigningKey | None, wagers: bool = False) -> None:
        """wagers: as of a Book."""
        self._folder = folder
        self._wagers = wagers
        self._key = key
        self._days: dict[tuple[int, str], _Day] = {}

    def add(self, told: Told) -> None:
        """Take a history. One with several tables counts for the first."""
        table = told.tables[0] if told.tables else 0
        day = self._days.setdefault((table, day_of(told.began)), _Day(Book(self._wagers)))
        if day.book.add(told):
            day.files.append((Path(told.path).name, told.sha256))

    def write(self, alpha: float) -> list[Report]:
        """Write all reports, in the order of tables and days. Each gets its share of alpha, so all are one family."""
        reports = []
        for (table, name), day in sorted(self._days.items()):
            share = alpha / len(self._days)
            lines = day.book.lines(share)
            told = audit_lines(day.book, lines, share, 0)
            text = "".join(f"{clean(line)}\n" for line in _report(table, name, day.files, told))
            path = self._folder / f"table-{table}-{name}.txt"
            write_whole(path, self._signed(text), DAILY)
            reports.append(Report(path, as_expected(lines)))
        return reports

    def _signed(self, text: str) -> bytes:
        if self._key is None:
            return text.encode()
        from shoetool.transparency.note import Note

        return Note(text, (self._key.sign(text),)).pack()


def _report(table: int, day: str, files: list[tuple[str, str]], told: Iterator[str]) -> Iterator[str]:
    yield FORMAT
    yield f"table {table}"
    yield f"day {day} UTC" if day != NO_DAY else "day unknown: its histories have no time"
    yield f"shoetool {version()}"
    for name, digest in sorted(files):
        yield f"history {digest} {name}"
    yield ""
    yield from told


def day_of(began: int | None) -> str:
    """Return the day (UTC) of a Unix time in ms, as 2026-11-27."""
    if began is None:
        return NO_DAY
    try:
        return utc_day(began)
    except (OverflowError, ValueError, OSError):
        return NO_DAY
