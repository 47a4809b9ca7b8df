"""What a run has done so far, on disk: which histories, what they hold for `follow`, and which parts of the results.

An SQLite database. Each part of the results is committed in one transaction, after its Parquet files are durable. So
after a power cut a run goes on with the first history that is in no committed part. None is lost, and none stands there
twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from shoetool.casino.judged import Judged
from shoetool.model.errors import BadInput
from shoetool.trust.continuity import Held
from shoetool.trust.keys import PublicKey
from shoetool.trust.statement import Statement

NAME: Final = "run.sqlite"
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS run (settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS part (number INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS done (path TEXT PRIMARY KEY, size INTEGER, modified_ns INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS count (what TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
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
_SHOWN: Final = 60


class SignedRow(NamedTuple):
    """A statement whose signature verifies, and the file that it stands in."""

    path: str
    key: PublicKey
    statement: Statement
    good: bool


class State:
    """The state of one run, in a folder. BadInput: it cannot be used, or belongs to a run with other settings."""

    def __init__(self, folder: Path, settings: dict[str, object]) -> None:
        """Open or begin. `settings`: what the results depend on."""
        self.path = folder / NAME
        try:
            self._db = sqlite3.connect(self.path, timeout=0.5, isolation_level=None)
            # One process has the run for itself: a second one is refused at once.
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("BEGIN EXCLUSIVE")
            self._db.execute("COMMIT")
            self._db.executescript(_TABLES)
            text = json.dumps(settings, sort_keys=True)
            row = self._db.execute("SELECT settings FROM run").fetchone()
            if row is None:
                self._db.execute("INSERT INTO run VALUES (?)", (text,))
        except sqlite3.OperationalError as error:
            why = "another run has it open" if "locked" in str(error) else str(error)
            raise BadInput(f"{self.path}: cannot be used: {why}") from None
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{self.path}: is no run's state ({error}); give another folder") from None
        if row is not None and row[0] != text:
            self.close()
            raise BadInput(
                f"{folder}: holds a run with other settings ({_differences(row[0], text)}); give another folder"
            )

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    # ------------------------------------------------------------------------------------------------ while it runs
    @property
    def parts(self) -> int:
        """How many parts of the results are committed."""
        (number,) = self._db.execute("SELECT COUNT(*) FROM part").fetchone()
        return int(number)

    @property
    def histories(self) -> int:
        """How many histories are done."""
        (number,) = self._db.execute("SELECT COUNT(*) FROM done").fetchone()
        return int(number)

    def done(self, path: str) -> tuple[int, int] | None:
        """Return size and time of change (ns) of a history that is done; None for one that is not."""
        row: tuple[int, int] | None = self._db.execute(
            "SELECT size, modified_ns FROM done WHERE path = ?", (path,)
        ).fetchone()
        return row

    def commit(self, judged: Iterable[Judged], counted: Counter[str]) -> None:
        """Commit a part of the results: these histories are done. All of it, or after a power cut nothing."""
        run = self._db.execute
        many = self._db.executemany
        run("BEGIN IMMEDIATE")
        try:
            run("INSERT INTO part VALUES (?)", (self.parts + 1,))
            for one in judged:
                run("INSERT INTO done VALUES (?, ?, ?)", (one.path, one.size, one.modified_ns))
                many(
                    "INSERT INTO held VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        (device, shoe, one.path, held.first_page, held.last_page, held.first_record, held.last_record,
                         held.previous, held.digest)
                        for device, shoe, held in one.held
                    ),
                )  # fmt: skip
                many(
                    "INSERT INTO signed VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        (
                            row.statement.device,
                            row.key.raw,
                            row.statement.index,
                            one.path,
                            row.statement.pack(),
                            row.good,
                        )
                        for row in one.verifying
                    ),
                )
            many(
                "INSERT INTO count VALUES (?, ?) ON CONFLICT (what) DO UPDATE SET number = number + excluded.number",
                counted.items(),
            )
        except BaseException:
            run("ROLLBACK")
            raise
        run("COMMIT")

    @property
    def counted(self) -> Counter[str]:
        """What was counted in all committed parts."""
        return Counter(dict(self._db.execute("SELECT what, number FROM count")))

    # ------------------------------------------------------------------------------------------------ when all is in
    def index(self) -> None:
        """Prepare for the questions below."""
        self._db.executescript(_INDEXES)

    def devices(self) -> list[bytes]:
        """Return every device with a signature that verifies, in order."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT device FROM signed ORDER BY device")]

    def held(self, device: bytes) -> Iterator[tuple[int, Held]]:
        """Yield the shoes of a device and their pages, in the order of the files' names."""
        for shoe, *rest in self._db.execute(
            "SELECT shoe, path, first_page, last_page, first_record, last_record, previous, digest FROM held "
            "WHERE device = ? ORDER BY path, shoe",
            (device,),
        ):
            yield shoe, Held(*rest)

    def signed(self, device: bytes) -> Iterator[SignedRow]:
        """Yield the statements of a device, in the order of the files' names."""
        for path, key, statement, good in self._db.execute(
            "SELECT path, key, statement, good FROM signed WHERE device = ? ORDER BY path, number", (device,)
        ):
            yield SignedRow(path, PublicKey(key), Statement.unpack(statement), bool(good))

    def reused(self) -> dict[tuple[bytes, int], tuple[bytes, str]]:
        """Return each index of a key that signed more than one statement, with the first of them and its file."""
        rows = self._db.execute(
            "SELECT key, number FROM signed GROUP BY key, number HAVING COUNT(DISTINCT statement) > 1"
        ).fetchall()
        return {
            (key, number): self._db.execute(
                "SELECT statement, path FROM signed WHERE key = ? AND number = ? ORDER BY path LIMIT 1", (key, number)
            ).fetchone()
            for key, number in rows
        }


def _differences(before: str, now: str) -> str:
    """Return which settings differ, in words."""
    old, new = json.loads(before), json.loads(now)
    names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    return ", ".join(f"{name}: {str(old.get(name))[:_SHOWN]}, now {str(new.get(name))[:_SHOWN]}" for name in names)
