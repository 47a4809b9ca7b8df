"""The index of an archive: an SQLite database over its custody log and histories. It can be made anew from them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, get_type_hints

from shoetool.archive.rows import COLUMNS, Rows, digests
from shoetool.casino.linked import LINK_TABLES, Linked
from shoetool.history.readings import Basis
from shoetool.model.database import can_be_written, open_database, open_to_read
from shoetool.model.errors import BadInput
from shoetool.model.times import is_time

if TYPE_CHECKING:
    from shoetool.archive.custody import Line

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
CREATE TABLE IF NOT EXISTS log (number INTEGER PRIMARY KEY, digest TEXT);
CREATE TABLE IF NOT EXISTS round_clock (history INTEGER, first_record INTEGER, basis INTEGER,
  PRIMARY KEY (history, first_record)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS finding (history INTEGER, round_record INTEGER, clause TEXT, name TEXT);
CREATE INDEX IF NOT EXISTS finding_in ON finding (history, round_record);
CREATE INDEX IF NOT EXISTS finding_of ON finding (name);
CREATE INDEX IF NOT EXISTS finding_under ON finding (clause);
{LINK_TABLES}
"""


class Device(NamedTuple):
    """What the archive holds of one device. `tables`: the numbers of its gaming tables, with commas."""

    device: str | None
    histories: int
    first_shoe: int | None
    last_shoe: int | None
    rounds: int
    began: int | None
    ended: int | None
    findings: int
    tables: str


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
    basis: Basis | None
    """What its times rest on; None when they are not known, or the index was made before it held this."""


class _Count(NamedTuple):
    verdict: str
    histories: int


_Row = TypeVar("_Row", bound=tuple[Any, ...])
_BASES: Final = {int(basis): basis for basis in Basis}
_TIMES: Final = ("began", "ended")
_TABLE_NUMBERS: Final = re.compile(r"\d+(,\d+)*")


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
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise BadInput(f"{self.path}: cannot be used: {error}") from None
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

    def _typed(self, kind: type[_Row], rows: Iterable[tuple[Any, ...]]) -> list[_Row]:
        """Return rows as they are declared. BadInput: one has a value that no shoetool enters, so SQL did."""
        hints = get_type_hints(kind)
        out = []
        for row in rows:
            one = kind(*row)
            for name, wanted in hints.items():
                value = getattr(one, name)
                if not isinstance(value, wanted) or (name in _TIMES and value is not None and not is_time(value)):
                    raise self._changed(name, value)
            out.append(one)
        return out

    def _changed(self, name: str, value: Any) -> BadInput:
        return BadInput(
            f"{self.path}: was changed: no shoetool enters {value!r:.60} as {name}; shoetool archive check says more, "
            "and --rebuild makes it anew"
        )

    # ------------------------------------------------------------------------------------------------ write
    def add(self, rows: Rows) -> None:
        """Enter the rows of a history. Call it inside `writing`."""
        for table, some in rows.items():
            self._db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(COLUMNS[table]))})", some)

    def follow(self, lines: Sequence[Line]) -> None:
        """Note that these lines of the custody log are entered. Call it inside `writing`."""
        self._db.executemany("INSERT INTO log VALUES (?, ?)", [(line.number, line.digest) for line in lines])

    def clear(self) -> None:
        """Take everything out, whatever it is, and make the tables anew. Call it inside `writing`."""
        try:
            for kind, name in self._objects():
                self._db.execute(f'DROP {kind} IF EXISTS "{name.replace(chr(34), chr(34) * 2)}"')
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
        except sqlite3.DatabaseError as error:
            raise self._broken(error) from None

    def _objects(self) -> list[tuple[str, str]]:
        """Return (kind, name) of each table, index, view and trigger."""
        rows = self._rows("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite^_%' ESCAPE '^'")
        return [(str(kind), str(name)) for kind, name in rows]

    # ------------------------------------------------------------------------------------------------ read
    @property
    def last(self) -> int:
        """The number of the last line of the custody log that is entered; 0 without one."""
        of_log = "(SELECT COALESCE(MAX(number), 0) FROM log)" if self._has_log() else "0"
        return int(self._rows(f"SELECT MAX(COALESCE(MAX(number), 0), {of_log}) FROM history")[0][0])

    def _has_log(self) -> bool:
        """Whether there is a table of the log's lines; an older shoetool made none."""
        return ("table", "log") in self._objects()

    def followed(self) -> dict[int, str]:
        """Return the hash of each line of the custody log that was entered; an older shoetool noted none."""
        return dict(self._rows("SELECT number, digest FROM log")) if self._has_log() else {}

    def digests(self) -> Iterator[tuple[int, str]]:
        """Yield (number, digest) of the rows of each history, see `rows.digests`. BadInput: they cannot be read."""
        try:
            yield from digests(self._db)
        except sqlite3.DatabaseError as error:
            raise self._broken(error) from None

    def strange(self) -> list[str]:
        """Return what is wrong with the database itself, a line each."""
        with closing(sqlite3.connect(":memory:")) as fresh:  # past output_file: in memory  # reads: nothing
            fresh.executescript(_TABLES)
            Linked(fresh).index()
            ours = {(kind, name) for kind, name in fresh.execute("SELECT type, name FROM sqlite_master")}
        found = [f"has a {kind} of its own: {name}" for kind, name in self._objects() if (kind, name) not in ours]
        found += [f"is damaged: {text}" for (text,) in self._rows("PRAGMA integrity_check(10)") if text != "ok"]
        return found

    @property
    def size(self) -> int:
        """Bytes of all histories that are entered."""
        return int(self._rows("SELECT COALESCE(SUM(size), 0) FROM history")[0][0])

    def known(self, sha256: str) -> Known | None:
        """Return the history with this hash; None when there is none."""
        rows = self._rows("SELECT name, record, verdict, headline FROM history WHERE sha256 = ?", (sha256,))
        return self._typed(Known, rows)[0] if rows else None

    def totals(self) -> dict[str, int]:
        """Return how many histories have each verdict, most first."""
        rows = self._rows("SELECT verdict, COUNT(*) AS n FROM history GROUP BY verdict ORDER BY n DESC, verdict")
        return dict(self._typed(_Count, rows))

    def devices(self) -> list[Device]:
        """Return what there is of each device."""
        rows = self._rows(
            "SELECT device, COUNT(*), MIN(shoe), MAX(shoe), SUM(rounds), MIN(began), MAX(ended), SUM(findings), "
            "GROUP_CONCAT(DISTINCT gaming_table) FROM history GROUP BY device ORDER BY device"
        )
        devices = self._typed(Device, rows)
        for one in devices:
            if not _TABLE_NUMBERS.fullmatch(one.tables):
                raise self._changed("tables", one.tables)
        return devices

    def entries(self) -> list[tuple[int, str, str]]:
        """Return (number, name, SHA-256) of each history in the order in which they were added."""
        return self._rows("SELECT number, name, sha256 FROM history ORDER BY number")

    def rounds(self, wanted: Wanted, most: int) -> list[Found]:
        """Return the rounds that are looked for, by time, and those of unknown time last; not more than `most`."""
        query, values = _query(wanted, most)
        rows = self._rows(query, values)
        return self._typed(Found, ((*row[:-1], _BASES.get(row[-1], row[-1])) for row in rows))

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
        "history.record, (SELECT basis FROM round_clock WHERE round_clock.history = round.history AND "
        "round_clock.first_record = round.first_record) "
        f"FROM round JOIN history ON history.number = round.history{where} "
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
