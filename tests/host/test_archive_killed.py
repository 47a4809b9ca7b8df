"""`archive add` is killed (kill -9) between any two steps, and what follows too: nothing told as done is lost."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sampled import SOAK
from shoe_row import Row
from shoetool.archive import keeper
from shoetool.archive.custody import Added, Custody
from shoetool.archive.index import Index
from shoetool.archive.keeper import Archive
from shoetool.casino.judged import Asked, Worker
from test_archive import add, check, run

AFTER_S = 60
EVERY = 1 if SOAK else 3
"""Steps; an odd number, so that kills come before one and after one in turn."""
REPAIRS = ("nothing needs it, move it away", "add the history again", "the next add takes them off")


class Killed:
    """Runs work in a process of its own that kills itself at step number `at`. `steps`: how many it came to."""

    def __init__(self, work: Callable[[Callable[[str], None]], None], at: int) -> None:
        read, write = os.pipe()
        self.child = os.fork()
        if not self.child:
            try:
                os.close(read)
                _die_at(at)
                work(lambda text: _say(write, text))
                os._exit(0)
            finally:
                os._exit(99)
        os.close(write)
        with os.fdopen(read) as file:
            self.said = _until_it_ends(file.fileno(), self.child).splitlines()
        _, status = os.waitpid(self.child, 0)
        self.killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert self.killed or os.WEXITSTATUS(status) == 0


def _say(pipe: int, text: str) -> None:
    os.write(pipe, f"{text}\n".encode())


def _until_it_ends(pipe: int, child: int) -> str:
    ends, out = time.monotonic() + AFTER_S, b""
    os.set_blocking(pipe, False)
    while time.monotonic() < ends:
        try:
            part = os.read(pipe, 4096)
        except BlockingIOError:
            time.sleep(0.002)
            continue
        if not part:
            return out.decode()
        out += part
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("it hangs")


def _die_at(at: int) -> None:
    """Every wait for the disk is a step, and so is every row of the index: before it and after it."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if steps == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watched(work: Callable[..., object]) -> Callable[..., object]:
        def both(*arguments: object) -> object:
            step()
            out = work(*arguments)
            step()
            return out

        return both

    os.fsync = watched(os.fsync)  # type: ignore[assignment]
    Index.add = watched(Index.add)  # type: ignore[assignment, method-assign]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no kill -9")
def test_nothing_told_as_done_is_lost_whenever_an_add_and_the_check_after_it_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "BATCH", 1)
    files = Row(tmp_path / "night").night(4)
    add(tmp_path / "before", *files[:2])

    def adds(vault: Path) -> Callable[[Callable[[str], None]], None]:
        def work(say: Callable[[str], None]) -> None:
            worker = Worker(Asked())
            with closing(Archive(vault, Asked(), create=True)) as archive:
                for told in archive.add(map(worker.judge, files), "x"):
                    assert told.error is None
                    say(told.judged.sha256)

        return work

    def checks(vault: Path) -> Callable[[Callable[[str], None]], None]:
        def work(say: Callable[[str], None]) -> None:
            with closing(Archive(vault, Asked())) as archive, archive.index.writing():
                archive.catch_up()

        return work

    at = again = 0
    while True:
        at += EVERY
        vault = tmp_path / f"vault-{at}"
        shutil.copytree(tmp_path / "before", vault)
        first = Killed(adds(vault), at)
        if not first.killed:
            break
        for step in (1, 2):  # what the check does first is to enter what the log alone has
            again += Killed(checks(vault), step).killed
        told = check(vault)
        assert told["found"] == [] and told["histories"] == told["entered"], at
        kept = {line.sha256 for line in Custody(vault).lines() if isinstance(line, Added)}
        assert set(first.said) <= kept and len(kept) >= 2, at
        assert all(any(text in note for text in REPAIRS) for note in told["notes"]), at
        assert Killed(adds(vault), 0).said, at
        told = check(vault, "--verify", "--jobs", "1")
        assert (told["found"], told["entered"]) == ([], 4), at
        assert all(REPAIRS[0] in note for note in told["notes"]), at
    assert at > 20 and again >= 2, "the kills came where they were meant to"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no kill -9")
def test_an_index_that_is_made_anew_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    add(vault, *Row(tmp_path / "night").night(3))
    before = run("list", vault, "--json").stdout

    def rebuilds(say: Callable[[str], None]) -> None:
        with closing(Archive(vault, Asked())) as archive, archive.index.writing():
            archive.catch_up(rebuild=True)

    at = 0
    while True:
        at += 1
        if not Killed(rebuilds, at).killed:
            break
        assert run("list", vault, "--json").stdout == before and check(vault)["found"] == []
    assert at == 7 and run("list", vault, "--json").stdout == before
