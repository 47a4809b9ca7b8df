"""What links histories with each other, in an SQLite database: the pages that each holds, and what was signed.

Two databases have these tables: the state of a run, and the index of an archive. `follow` asks both the same questions.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from shoetool.model.errors import BadInput

if TYPE_CHECKING:  # it takes a while to load, and who looks for a round in an archive needs none of it
    from shoetool.casino.judged import Judged
    from shoetool.trust.continuity import Held
    from shoetool.trust.keys import PublicKey
    from shoetool.trust.statement import Statement

LINK_TABLES: Final = """
CREATE TABLE IF NOT EXISTS held (device BLOB, shoe INTEGER, path TEXT, first_page INTEGER, last_page INTEGER,
  first_record INTEGER, last_record INTEGER, previous BLOB, digest BLOB);
CREATE TABLE IF NOT EXISTS signed (device BLOB, key BLOB, number INTEGER, path TEXT, statement BLOB, good INTEGER);
"""
# Made when all is in, which is quicker than to keep them up to date.
_INDEXES: Final = """
CREATE INDEX IF NOT EXISTS held_of ON held (device, path);
CREATE INDEX IF NOT EXISTS signed_of ON signed (device, path);
CREATE INDEX IF NOT EXISTS signed_with ON signed (key, number, path);
"""


LINK_COLUMNS: Final = {
    "held": ("device", "shoe", "path", "first_page", "last_page", "first_record", "last_record", "previous", "digest"),
    "signed": ("device", "key", "number", "path", "statement", "good"),
}
LINK_PATH: Final = "path"
"""The column that names the history."""


_OF_BYTES: Final = {"device", "key", "statement", "previous", "digest"}
_OF_TEXT: Final = {LINK_PATH}


class SignedRow(NamedTuple):
    """A statement whose signature verifies, and the file that it stands in."""

    path: str
    key: PublicKey
    statement: Statement
    good: bool


def link_rows(path: str, one: Judged) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of each table that a history has, under this name."""
    held = [
        (device, shoe, path, held.first_page, held.last_page, held.first_record, held.last_record, held.previous,
         held.digest)
        for device, shoe, held in one.held
    ]  # fmt: skip
    signed = [
        (row.statement.device, row.key.raw, row.statement.index, path, row.statement.pack(), int(row.good))
        for row in one.verifying
    ]
    return {"held": held, "signed": signed}


class Linked:
    """The tables above in an open database."""

    def __init__(self, database: sqlite3.Connection, writable: bool = True) -> None:
        self._db = database
        self._writable = writable

    def add(self, path: str, one: Judged) -> None:
        """Enter what a history holds, under this name. The caller has the transaction."""
        for table, rows in link_rows(path, one).items():
            self._db.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(LINK_COLUMNS[table]))})", rows)

    def index(self) -> None:
        """Prepare for the questions below. Where nothing can be written they take longer."""
        if self._writable:
            self._db.executescript(_INDEXES)

    def devices(self) -> list[bytes]:
        """Return every device with a signature that verifies, in order."""
        return [device for (device,) in self._rows(("device",), "SELECT DISTINCT {} FROM signed ORDER BY device")]

    def held(self, device: bytes) -> Iterator[tuple[int, Held]]:
        """Yield the shoes of a device and their pages, in the order of the files' names."""
        from shoetool.trust.continuity import Held

        columns = ("shoe", "path", "first_page", "last_page", "first_record", "last_record", "previous", "digest")
        for shoe, *rest in self._rows(columns, "SELECT {} FROM held WHERE device = ? ORDER BY path, shoe", device):
            yield shoe, Held(*rest)

    def signed(self, device: bytes) -> Iterator[SignedRow]:
        """Yield the statements of a device, in the order of the files' names."""
        from shoetool.trust.keys import PublicKey
        from shoetool.trust.statement import Statement

        columns = ("path", "key", "statement", "good")
        for path, key, statement, good in self._rows(
            columns, "SELECT {} FROM signed WHERE device = ? ORDER BY path, number", device
        ):
            yield SignedRow(path, PublicKey(key), Statement.unpack(statement), bool(good))

    def reused(self) -> dict[tuple[bytes, int], tuple[bytes, str]]:
        """Return each index of a key that signed more than one statement, with the first of them and its file."""
        twice = "SELECT {} FROM signed GROUP BY key, number HAVING COUNT(DISTINCT statement) > 1"
        first = "SELECT {} FROM signed WHERE key = ? AND number = ? ORDER BY path LIMIT 1"
        return {
            (key, number): next(self._rows(("statement", "path"), first, key, number))
            for key, number in list(self._rows(("key", "number"), twice))
        }

    def _rows(self, columns: tuple[str, ...], query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield what a query gives for these columns. BadInput: a value that nothing here enters, so SQL did."""
        for row in self._db.execute(query.format(", ".join(columns)), values):
            for name, value in zip(columns, row, strict=True):
                if not isinstance(value, bytes if name in _OF_BYTES else str if name in _OF_TEXT else int):
                    raise BadInput(
                        f"the database was changed: no shoetool enters {value!r:.60} as {name} of what was signed or "
                        "held; of an archive, shoetool archive check says more"
                    )
            yield row
