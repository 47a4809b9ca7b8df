"""What a run has done so far, on disk: which histories, what they hold for `follow`, and which parts of the results.

An SQLite database. Each part of the results is committed in one transaction, after its Parquet files are durable. So
after a power cut a run goes on with the first history that is in no committed part. None is lost, and none stands there
twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Final

from shoetool.casino.judged import Judged
from shoetool.casino.linked import LINK_TABLES, Linked
from shoetool.model.database import open_database
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import DATABASE
from shoetool.model.output_file import check_state

NAME: Final = "run.sqlite"
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS run (settings TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS part (number INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS done (path TEXT PRIMARY KEY, size INTEGER, modified_ns INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS count (what TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
"""
_SHOWN: Final = 60


class State:
    """The state of one run, in a folder. BadInput: it cannot be used, or belongs to a run with other settings."""

    def __init__(self, folder: Path, settings: dict[str, object]) -> None:
        """Open or begin. `settings`: what the results depend on."""
        self.path = folder / NAME
        check_state(self.path, DATABASE)
        try:
            self._db = open_database(self.path, "the state of a run", 0.5).connection
            # One process has the run for itself: a second one is refused at once.
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("BEGIN EXCLUSIVE")
            self._db.execute("COMMIT")
            self._db.executescript(_TABLES + LINK_TABLES)
            text = json.dumps(settings, sort_keys=True)
            row = self._db.execute("SELECT settings FROM run").fetchone()
            if row is None:
                self._db.execute("INSERT INTO run VALUES (?)", (text,))
        except sqlite3.OperationalError as error:
            why = "another run has it open" if "locked" in str(error) else str(error)
            raise BadInput(f"{self.path}: cannot be used: {why}") from None
        except sqlite3.DatabaseError as error:
            raise BadInput(f"{self.path}: is no run's state ({error}); give another folder") from None
        self.linked = Linked(self._db)
        """What links the histories with each other."""
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

    def add(self, one: Judged) -> None:
        """Enter a history into the part that is under way. Nothing of it is kept in memory."""
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO done VALUES (?, ?, ?)", (one.key, one.size, one.modified_ns))
        self.linked.add(one.key, one)

    def commit(self, counted: Counter[str]) -> None:
        """Commit the part of the results that is under way, with what was counted in it. All of it, or nothing."""
        self._db.execute("INSERT INTO part VALUES (?)", (self.parts + 1,))
        self._db.executemany(
            "INSERT INTO count VALUES (?, ?) ON CONFLICT (what) DO UPDATE SET number = number + excluded.number",
            counted.items(),
        )
        self._db.execute("COMMIT")

    def give_up(self) -> None:
        """Forget the part that is under way: its histories are to do again."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    @property
    def counted(self) -> Counter[str]:
        """What was counted in all committed parts."""
        return Counter(dict(self._db.execute("SELECT what, number FROM count")))


def _differences(before: str, now: str) -> str:
    """Return which settings differ, in words."""
    old, new = json.loads(before), json.loads(now)
    names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    return ", ".join(f"{name}: {str(old.get(name))[:_SHOWN]}, now {str(new.get(name))[:_SHOWN]}" for name in names)
