"""The index of an archive: an SQLite database over its custody log and histories. It can be made anew from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from shoetool.archive.custody import Added
from shoetool.casino.linked import LINK_TABLES, Linked
from shoetool.model.database import can_be_written, open_database, open_to_read
from shoetool.model.errors import BadInput

if TYPE_CHECKING:  # verifying takes a while to load, and a search needs none of it
    from shoetool.archive.dealt import RoundRow
    from shoetool.casino.judged import Judged

NAME: Final = "index.sqlite"
WAIT_S: Final = 60
"""How long one writer waits for another."""
_OF_ROUND: Final = "finding.history = round.history AND finding.round_record = round.first_record"
LONGEST_MS: Final = 12 * 3_600_000
"""No round is open for longer, so a search by time looks no farther back."""

_TABLES: Final = f"""
CREATE TABLE IF NOT EXISTS history (number INTEGER PRIMARY KEY, name TEXT UNIQUE, sha256 TEXT UNIQUE, size INTEGER,
  record TEXT, verdict TEXT, headline TEXT, device TEXT, shoe INTEGER, gaming_table INTEGER, began INTEGER,
  ended INTEGER, rounds INTEGER, findings INTEGER);
CREATE INDEX IF NOT EXISTS history_of ON history (device, shoe);
CREATE TABLE IF NOT EXISTS round (history INTEGER, number INTEGER, shoe INTEGER, began INTEGER, ended INTEGER,
  first_record INTEGER, last_record INTEGER, dealer INTEGER, cards INTEGER, gaming_table INTEGER, device TEXT);
CREATE INDEX IF NOT EXISTS round_when ON round (began);
CREATE INDEX IF NOT EXISTS round_at ON round (gaming_table, began);
CREATE INDEX IF NOT EXISTS round_first ON round (history, first_record);
CREATE INDEX IF NOT EXISTS round_of ON round (device, shoe);
DROP INDEX IF EXISTS round_in;
CREATE TABLE IF NOT EXISTS finding (history INTEGER, round_record INTEGER, clause TEXT, name TEXT);
CREATE INDEX IF NOT EXISTS finding_in ON finding (history, round_record);
CREATE INDEX IF NOT EXISTS finding_of ON finding (name);
CREATE INDEX IF NOT EXISTS finding_under ON finding (clause);
{LINK_TABLES}
"""


class Known(NamedTuple):
    """A history that the archive holds: its name there, that of its table record ("" without one), what it came to."""

    name: str
    record: str
    verdict: str
    headline: str


class Found(NamedTuple):
    """A round that was found, and its history."""

    name: str
    verdict: str
    device: str | None
    shoe: int | None
    table: int
    number: int
    began: int | None
    ended: int | None
    first_record: int
    last_record: int
    dealer: int | None
    cards: int
    findings: int
    record: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for; None: anything. `first`, `last`: Unix ms, the second excluded. `card`: 0 to 51."""

    device: str | None = None
    shoe: int | None = None
    table: int | None = None
    number: int | None = None
    first: int | None = None
    last: int | None = None
    dealer: int | None = None
    card: int | None = None
    check: str | None = None
    clause: str | None = None


class Index:
    """The index in an archive's folder. BadInput: it cannot be used.

    Where nothing can be written it is read only (`writable`); one that is missing is empty.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.writable = can_be_written(self.path)
        try:
            opening = open_database if self.writable else open_to_read
            self._db, self._close = opening(self.path, "the index of an archive", WAIT_S)
            if self.writable:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
            if self.writable or not self.path.exists():
                self._db.executescript(_TABLES)
        except sqlite3.OperationalError as error:
            raise BadInput(f"{self.path}: cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            raise self._broken(error) from None
        self.linked = Linked(self._db, self.writable)

    def _broken(self, error: sqlite3.Error) -> BadInput:
        return BadInput(f"{self.path}: is no index ({error}): move it away, and shoetool archive check makes it anew")

    def close(self) -> None:
        """Close the database. BadInput when it could only be read, and another process wrote it meanwhile."""
        self._close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Let nobody else write meanwhile. What was written counts when this ends well, all of it or nothing."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            raise BadInput(f"{self.path}: another command writes to this archive; wait until it has ended") from None
        except sqlite3.DatabaseError as error:
            raise self._broken(error) from None
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._broken(error) from None

    # ------------------------------------------------------------------------------------------------ write
    def add(self, added: Added, judged: Judged, rounds: Sequence[RoundRow]) -> None:
        """Enter a history that stands in the custody log. Call it inside `writing`."""
        assert judged.report is not None
        report, summary = judged.report, judged.report.summary
        number, device = added.number, summary.device
        self._db.execute(
            f"INSERT INTO history VALUES ({', '.join('?' * 14)})",
            (
                number, added.name, added.sha256, added.size, added.record, report.verdict, report.headline(), device,
                judged.held[0][1] if judged.held else None, summary.table,
                None if judged.began is None else judged.began.low_ms,
                None if judged.ended is None else judged.ended.high_ms, summary.rounds, len(report.findings),
            ),
        )  # fmt: skip
        self._db.executemany(
            f"INSERT INTO round VALUES ({', '.join('?' * 11)})",
            ((number, *one, summary.table, device) for one in rounds),
        )
        self._db.executemany(
            "INSERT INTO finding VALUES (?, ?, ?, ?)",
            ((number, one.round_record, one.clause, one.check) for one in report.findings),
        )
        self.linked.add(added.name, judged)

    # ------------------------------------------------------------------------------------------------ read
    @property
    def last(self) -> int:
        """The number of the last history that is entered; 0 without one."""
        return int(self._rows("SELECT COALESCE(MAX(number), 0) FROM history")[0][0])

    @property
    def size(self) -> int:
        """Bytes of all histories that are entered."""
        return int(self._rows("SELECT COALESCE(SUM(size), 0) FROM history")[0][0])

    def known(self, sha256: str) -> Known | None:
        """Return the history with this hash; None when there is none."""
        rows = self._rows("SELECT name, record, verdict, headline FROM history WHERE sha256 = ?", (sha256,))
        return Known(*rows[0]) if rows else None

    def totals(self) -> dict[str, int]:
        """Return how many histories have each verdict, most first."""
        return dict(self._rows("SELECT verdict, COUNT(*) AS n FROM history GROUP BY verdict ORDER BY n DESC, verdict"))

    def devices(self) -> list[tuple[str | None, int, int, int, int, int | None, int | None, int, str]]:
        """Return (device, histories, first shoe, last shoe, rounds, began, ended, findings, tables) of each device."""
        return self._rows(
            "SELECT device, COUNT(*), MIN(shoe), MAX(shoe), SUM(rounds), MIN(began), MAX(ended), SUM(findings), "
            "GROUP_CONCAT(DISTINCT gaming_table) FROM history GROUP BY device ORDER BY device"
        )

    def entries(self) -> Iterator[tuple[int, str, str]]:
        """Yield (number, name, SHA-256) of each history in the order in which they were added."""
        yield from self._db.execute("SELECT number, name, sha256 FROM history ORDER BY number")

    def rounds(self, wanted: Wanted, most: int) -> list[Found]:
        """Return the rounds that are looked for, by time, and those of unknown time last; not more than `most`."""
        query, values = _query(wanted, most)
        return [Found(*row) for row in self._rows(query, values)]

    def plan(self, wanted: Wanted, most: int) -> list[str]:
        """Return how the database goes about it, a line for each step."""
        query, values = _query(wanted, most)
        return [row[3] for row in self._rows(f"EXPLAIN QUERY PLAN {query}", values)]


def _query(wanted: Wanted, most: int) -> tuple[str, list[Any]]:
    """Return the search for rounds, and its values."""
    where, values = _where(wanted)
    query = (
        "SELECT history.name, history.verdict, round.device, round.shoe, round.gaming_table, round.number, "
        "round.began, round.ended, round.first_record, round.last_record, round.dealer, round.cards, "
        f"(SELECT COUNT(*) FROM finding WHERE {_OF_ROUND}), "
        f"history.record FROM round JOIN history ON history.number = round.history{where} "
        "ORDER BY round.began IS NULL, round.began, history.name, round.number LIMIT ?"
    )
    return query, [*values, most]


def _where(wanted: Wanted) -> tuple[str, list[Any]]:
    """Return the conditions, and their values."""
    parts: list[tuple[str, list[Any]]] = []
    plain = {"device": wanted.device, "shoe": wanted.shoe, "gaming_table": wanted.table, "number": wanted.number,
             "dealer": wanted.dealer}  # fmt: skip
    parts += [(f"round.{name} = ?", [value]) for name, value in plain.items() if value is not None]
    if wanted.first is not None:
        parts.append(("round.began >= ? AND round.ended >= ?", [wanted.first - LONGEST_MS, wanted.first]))
    if wanted.last is not None:
        parts.append(("round.began < ?", [wanted.last]))
    if wanted.card is not None:
        parts.append(("round.cards & ? != 0", [1 << wanted.card]))
    found = {name: value for name, value in (("name", wanted.check), ("clause", wanted.clause)) if value is not None}
    if found:
        inner = " AND ".join(f"{name} = ?" for name in found)
        rounds = f"SELECT history, round_record FROM finding WHERE {inner}"
        parts.append((f"(round.history, round.first_record) IN ({rounds})", list(found.values())))
    if not parts:
        return "", []
    return " WHERE " + " AND ".join(text for text, _ in parts), [value for _, values in parts for value in values]
