"""The one place where shoetool opens an SQLite database, also on a medium that cannot be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import DATABASE
from shoetool.model.input_file import NoFile, open_input
from shoetool.model.output_file import open_new
from shoetool.model.places import temporary_folder

_LOG: str = "-wal"


class Opened(NamedTuple):
    """An open database. `close` closes it; BadInput when another process wrote it while it was read."""

    connection: sqlite3.Connection
    close: Callable[[], None]


def can_be_written(path: Path) -> bool:
    """Return whether a database can be written here: its file, or a new one in its folder."""
    return os.access(path.parent, os.W_OK | os.X_OK) and (not path.exists() or os.access(path, os.W_OK))


def open_database(path: Path, wanted: str, wait_s: float) -> Opened:
    """Open a database to read and write it; a missing one is made. BadInput for no regular file, sqlite3.Error.

    A link is refused: whoever planted it does not choose which database is written.
    """
    _check(path, wanted, links=False)
    # past output_file: SQLite writes its own files, and makes them durable itself.
    connection = sqlite3.connect(path, timeout=wait_s, isolation_level=None)
    return Opened(connection, connection.close)


def open_to_read(path: Path, wanted: str, wait_s: float) -> Opened:
    """Open a database where nothing can be written; a missing one is empty. BadInput, sqlite3.Error.

    A database with a write-ahead log needs a shared index of that log, which readers make too.
    - It is there: a process writes, or was killed. SQLite reads the database with it, and with its locks.
    - It is not there, and neither is the log: nobody has the database open. It is read as a file that does not change,
      and in the end it must not have changed.
    - The log is there without it, as in a copy of the folder: both are copied to where the index can be made.
    """
    if not _check(path, wanted):
        connection = sqlite3.connect(":memory:", isolation_level=None)  # past output_file: in memory
        return Opened(connection, connection.close)
    before = _state(path)
    try:
        connection = _connected(path, "mode=ro", wait_s)
    except sqlite3.OperationalError:
        if _has_log(path):
            return _copied(path, before, wait_s)
        connection = _connected(path, "immutable=1", wait_s)
        return Opened(connection, lambda: _ended(connection, path, before))
    return Opened(connection, connection.close)


def _check(path: Path, wanted: str, links: bool = True) -> bool:
    """Return whether there is a file. BadInput when it is no regular one."""
    try:
        open_input(path, wanted, links=links, own=True).close()
    except NoFile:
        return False
    return True


def _connected(path: Path, how: str, wait_s: float) -> sqlite3.Connection:
    # past output_file: it is opened to read.
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", wait_s, isolation_level=None, uri=True)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()  # nothing is read before
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + _LOG)


def _has_log(path: Path) -> bool:
    log = _log_of(path)
    return log.exists() and log.stat().st_size > 0


def _state(path: Path) -> tuple[int, ...]:
    """What changes when somebody writes the database."""
    there = [one.stat() for one in (path, _log_of(path)) if one.exists()]
    return tuple(number for one in there for number in (one.st_size, one.st_mtime_ns))


def _ended(connection: sqlite3.Connection, path: Path, before: tuple[int, ...]) -> None:
    connection.close()
    _must_be(path, before)


def _must_be(path: Path, before: tuple[int, ...]) -> None:
    if _state(path) != before:
        raise BadInput(f"{path}: another computer or command wrote it meanwhile; ask again")


def _copied(path: Path, before: tuple[int, ...], wait_s: float) -> Opened:
    open_until = ExitStack()
    try:
        folder = open_until.enter_context(temporary_folder())
        for one in (path, _log_of(path)):
            with open_input(one, "a database", own=True) as file, open_new(folder / one.name, DATABASE) as copy:
                shutil.copyfileobj(file, copy)
        _must_be(path, before)
        connection = _connected(folder / path.name, "mode=rw", wait_s)
    except BaseException:
        open_until.close()
        raise
    open_until.callback(connection.close)
    return Opened(connection, open_until.close)
