"""A power cut at every step of an append, and of the beginning of a log, leaves the old log or the new one.

A step is a call that changes the disk or makes it durable. After a cut, renames that were not made durable are there or
are lost: both are tried.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from log_entries import ORIGIN, log_of, made, mth
from shoetool.model.errors import BadInput
from shoetool.transparency.check import LogCheck
from shoetool.transparency.checked import Trusted
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.entry import Entry
from shoetool.transparency.keeper import Keeper, begin, signed_note
from shoetool.transparency.known_keys import KnownKeys
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import NOTE, Note
from shoetool.transparency.note_key import read_key
from shoetool.trust import lms
from shoetool.trust.pins import PinStore


class Cut(BaseException):
    """The power is gone."""


class Disk:
    """Counts the steps, cuts at one of them, and knows which renames were made durable."""

    def __init__(self, patch: pytest.MonkeyPatch, cut_at: int | None) -> None:
        self.patch = patch
        self.cut_at = cut_at
        self.steps = 0
        self.lost = False
        self.synced: set[int] = set()
        self.pending: list[tuple[Path, bytes | None]] = []
        self.unsynced: list[Path] = []
        for where, name in ((Path, "replace"), (Path, "unlink"), (Path, "rmdir"), (os, "link"), (shutil, "rmtree")):
            self._count(where, name)

        def fsync(number: int) -> None:
            self.step()
            status = os.fstat(number)
            self.synced.add(status.st_ino)
            if stat.S_ISDIR(status.st_mode):
                folder = Path(f"/proc/self/fd/{number}").resolve()
                self.pending = [one for one in self.pending if one[0].parent.resolve() != folder]

        patch.setattr(os, "fsync", fsync)

    def _count(self, where: object, name: str) -> None:
        real: Callable[..., object] = getattr(where, name)

        def counted(*words: object, **more: object) -> object:
            self.step()
            if name in ("replace", "link"):
                source, target = Path(str(words[0])), Path(str(words[1]))
                if source.stat().st_ino not in self.synced:
                    self.unsynced.append(source)
                self.pending.append((target, target.read_bytes() if target.exists() else None))
            return real(*words, **more)

        self.patch.setattr(where, name, counted)

    def step(self) -> None:
        if self.cut_at is not None and self.steps >= self.cut_at:
            raise Cut
        self.steps += 1

    def lose(self) -> None:
        """Take back what was renamed and not made durable, the last first."""
        self.lost = bool(self.pending)
        for target, before in reversed(self.pending):
            if before is None:
                target.unlink()
            else:
                target.write_bytes(before)


@contextmanager
def power(cut_at: int | None, lose: bool) -> Iterator[Disk]:
    """Run with the power cut at a step."""
    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(patch, cut_at)
        with suppress(Cut):
            yield disk
    if lose:
        disk.lose()


@pytest.fixture(autouse=True)
def disk_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for the real disk, and the signatures of made entries, which have none, are not checked here."""
    monkeypatch.setattr(lms, "verify", lambda *_: True)
    monkeypatch.setattr(os, "fsync", lambda _: None)


def entries(*shoes: int) -> list[Entry]:
    return [made(shoe) for shoe in shoes]


def sound(log: Path, key: Path, sizes: set[int]) -> int:
    """Check the whole log, and return its size."""
    held = LogFolder(log)
    assert held.size in sizes
    check = LogCheck(log, Trusted(read_key(key, NOTE).verifier), KnownKeys(PinStore(log / "no pins")), 0.0)
    assert [one for one in check.run([], []).findings if one.what != "missing"] == [] and check.out.signed
    noted = Checkpoint.parse(Note.parse(signed_note(key).read_bytes(), "it").text, "it")
    assert noted.size >= held.size, "nothing is published that its key did not note before"
    return held.size


CASES = {
    "from nothing": ((), (1, 2, 3)),
    "within a tile": ((range(1, 6),), (6, 7)),
    "over the border of a tile": ((range(1, 250), range(250, 255)), (255, 256, 257)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_power_cut_at_any_step_of_an_append_leaves_the_old_log_or_the_new_one(case: str, tmp_path: Path) -> None:
    before, shoes = CASES[case]
    old = sum(map(len, before))
    start = tmp_path / "start"
    log_of(start, *before)
    shutil.copytree(start, tmp_path / "whole")
    with power(None, False) as disk:
        Keeper(tmp_path / "whole" / "log", tmp_path / "whole" / "log.logkey").append(entries(*shoes))
    assert disk.steps > 10 and not disk.unsynced and not disk.pending
    new = old + len(shoes)
    everything = [made(shoe).pack() for shoe in range(1, new + 1)]
    seen = set()
    for cut_at in range(disk.steps):
        for lose in (False, True):
            place = tmp_path / f"{cut_at}-{lose}"
            shutil.copytree(start, place)
            log, key = place / "log", place / "log.logkey"
            with power(cut_at, lose) as cut:
                Keeper(log, key).append(entries(*shoes))
            if lose and not cut.lost:
                continue  # the same as without
            seen.add(sound(log, key, {old, new}))
            more = Keeper(log, key).append(entries(new + 1))  # another append follows, not the same one again
            assert more.size in {old + 1, new + 1}
            done = Keeper(log, key).append(entries(*shoes, new + 1))
            assert done.size == new + 1 and sound(log, key, {new + 1})
            if more.size == new + 1:
                assert done.root == mth([*everything, made(new + 1).pack()])
            shutil.rmtree(place)
    assert seen == {old, new}


def test_a_power_cut_at_any_step_of_a_beginning_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    with power(None, False) as disk:
        begin(tmp_path / "whole" / "log", ORIGIN, tmp_path / "whole" / "log.logkey")
    for cut_at in range(disk.steps):
        for lose in (False, True):
            log, key = tmp_path / f"{cut_at}-{lose}" / "log", tmp_path / f"{cut_at}-{lose}" / "log.logkey"
            with power(cut_at, lose):
                begin(log, ORIGIN, key)
            try:
                begin(log, ORIGIN, key)
            except BadInput as error:
                assert "exists" in str(error), "only one that was begun to the end is in the way"
            assert Keeper(log, key).append(entries(1, 2)).size == 2
            sound(log, key, {2})


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, key = log_of(tmp_path, range(1, 6))
    before = (log / "checkpoint").read_bytes()
    keeper = Keeper(log, key)

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(BadInput, match="No space left on device"):
            keeper.append(entries(6))
    assert (log / "checkpoint").read_bytes() == before
    assert Keeper(log, key).append(entries(6)).size == 6 and sound(log, key, {6})
