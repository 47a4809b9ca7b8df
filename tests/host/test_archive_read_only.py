"""An archive on a medium that cannot be written is checked, listed and searched, and nothing in it changes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import as_nobody
import pytest
from click.testing import CliRunner
from hostile_inputs import VECTORS
from shoetool.cli import build
from shoetool.model import database
from shoetool.model.database import open_database, open_to_read
from shoetool.model.errors import BadInput

SHOES = ("clean_single", "planted_wrong_side")
COMMANDS = (("check",), ("list",), ("find", "--round", "1"))


def add(vault: Path, shoe: str) -> None:
    words = ["archive", "add", str(vault), str(VECTORS / f"{shoe}.shoelog"), "--by", "R. Moss", "--jobs", "1"]
    done = CliRunner().invoke(build(), words)
    assert done.exit_code in (0, 1), done.output


@pytest.fixture
def vault() -> Iterator[Path]:
    """An archive with two histories, where others can reach it."""
    top = Path(tempfile.mkdtemp(prefix="shoetool-vault-"))
    top.chmod(0o755)
    for shoe in SHOES:
        add(top / "vault", shoe)
    yield top / "vault"
    for path in (top / "vault").rglob("*"):
        path.chmod(0o755)
    (top / "vault").chmod(0o755)
    shutil.rmtree(top)


def lock(vault: Path) -> dict[str, bytes]:
    """Take the right to write from everything, and return what is there."""
    paths = [vault, *vault.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    return {path.name: path.read_bytes() for path in paths if path.is_file()}


def run(vault: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as somebody whom permissions bind."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "SHOETOOL_KEYS": str(vault / "no-keys")}
    program = [sys.executable, as_nobody.__file__, str(vault), "archive", words[0], str(vault), *words[1:]]
    return subprocess.run(program, capture_output=True, text=True, check=False, env=environment, timeout=600)


def test_it_is_read_as_before_and_nothing_changes(vault: Path) -> None:
    before = [run(vault, *words) for words in COMMANDS]
    held = lock(vault)
    for words, one in zip(COMMANDS, before, strict=True):
        done = run(vault, *words)
        assert (done.returncode, done.stdout, done.stderr) == (one.returncode, one.stdout, one.stderr)
    assert {path.name: path.read_bytes() for path in vault.rglob("*") if path.is_file()} == held


def copy_of_a_killed_writer(vault: Path) -> None:
    """What a copy of the folder holds while a process writes: the last row is in the write-ahead log alone."""
    kept = vault.parent / "kept"
    with closing(sqlite3.connect(vault / "index.sqlite", isolation_level=None)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE round SET number = 77 WHERE number = 1")
        shutil.copytree(vault, kept)
    shutil.rmtree(vault)
    (kept / "index.sqlite-shm").unlink()
    assert (kept / "index.sqlite-wal").stat().st_size > 0
    kept.rename(vault)


def test_what_is_in_the_write_ahead_log_alone_is_read(vault: Path) -> None:
    copy_of_a_killed_writer(vault)
    held = lock(vault)
    done = run(vault, "find", "--round", "77")
    assert done.returncode == 0 and "77" in done.stdout, done.stderr
    assert run(vault, "find", "--round", "1").returncode == 1
    assert {path.name: path.read_bytes() for path in vault.rglob("*") if path.is_file()} == held


def test_a_writer_at_the_same_moment_does_not_disturb(vault: Path) -> None:
    with closing(sqlite3.connect(vault / "index.sqlite", isolation_level=None)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE round SET number = 77 WHERE number = 1")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE round SET number = 78 WHERE number = 77")
        lock(vault)
        assert run(vault, "find", "--round", "77").returncode == 0
        assert run(vault, "find", "--round", "78").returncode == 1
        writer.execute("ROLLBACK")


@pytest.mark.parametrize("leave", ["behind", "none"])
def test_an_index_that_lacks_histories_is_told_and_not_made(leave: str, vault: Path) -> None:
    if leave == "none":
        (vault / "index.sqlite").unlink()
    else:
        with closing(sqlite3.connect(vault / "index.sqlite", isolation_level=None)) as index:
            index.execute("DELETE FROM history WHERE number = 2")
            index.execute("DELETE FROM log WHERE number = 2")
    lacks = 2 if leave == "none" else 1
    lock(vault)
    done = run(vault, "list")
    assert done.returncode == 2 and f"lacks {lacks} of the log's lines" in done.stderr
    assert "in a copy that can be written" in done.stderr
    done = run(vault, "check")
    assert f"cannot be written, so the {lacks} lines that the index lacks were not entered" in done.stdout
    assert "entered into the index now" not in done.stdout


# ------------------------------------------------------------------------------------------------------- the database
@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database on a medium where the shared index cannot be made."""
    path = tmp_path / "a b?#.sqlite"
    connection, close = open_database(path, "a database", 1)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (n)")
    connection.execute("INSERT INTO t VALUES (1)")
    close()
    inner: Callable[..., sqlite3.Connection] = database._connected

    def connected(path: Path, how: str, wait_s: float) -> sqlite3.Connection:
        if how == "mode=ro":
            raise sqlite3.OperationalError("unable to open database file")
        return inner(path, how, wait_s)

    monkeypatch.setattr(database, "_connected", connected)
    return path


def test_a_database_that_is_written_while_it_is_read_as_if_it_were_not_is_told(path: Path) -> None:
    connection, close = open_to_read(path, "a database", 1)
    assert connection.execute("SELECT n FROM t").fetchall() == [(1,)]
    close()
    connection, close = open_to_read(path, "a database", 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("INSERT INTO t VALUES (2)")
    with pytest.raises(BadInput, match="wrote it meanwhile"):
        close()


def test_a_copy_leaves_nothing_behind(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("INSERT INTO t VALUES (2)")
        connection, close = open_to_read(path, "a database", 1)
        assert connection.execute("SELECT n FROM t").fetchall() == [(1,), (2,)]
        assert list((tmp_path / "temporary").iterdir()) != []
        close()
    assert list((tmp_path / "temporary").iterdir()) == []
