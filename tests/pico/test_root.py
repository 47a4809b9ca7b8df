"""board/pico/root.py: the real littlefs, mounted as `_boot.py` mounts it, never writes behind the root's share."""

from __future__ import annotations

import random

import lfs_root
import pytest
from flash_memory import Power
from littlefs import LittleFS
from littlefs.errors import LittleFSError
from pico.root import KEPT, Root, plan
from rp2_flash import Chip, Flash

STORAGE = 352
SIZES = (0, 10, 300, 1000, 4000, 5000, 9000, 20000)
FULL = (lfs_root.NO_SPACE, lfs_root.NO_SPACE_FOR_NAME)


class Disk:
    """A chip, the file system of its root, and what is in its files."""

    def __init__(self, seed: int, share: int, storage: int = STORAGE) -> None:
        self.rng = random.Random(seed)
        self.share = share
        self.chip = Chip(storage, Power())
        self.chip.data[share * 4096 :] = self.rng.randbytes(len(self.chip.data) - share * 4096)
        self.behind = bytes(self.chip.data[share * 4096 :])
        self.root = Root(Flash(self.chip), share)
        self.files: dict[str, bytes] = {}
        self.fs = lfs_root.mount(self.root, new=True)

    def write(self, room: int) -> None:
        """Write a file anew, or over an old one, unless it could leave less than `room` pages free."""
        path = f"/d{self.rng.randrange(3)}/f{self.rng.randrange(30)}"
        data = self.rng.randbytes(self.rng.choice(SIZES))
        if room and self.fs.used_block_count + len(data) // 4096 + 3 > self.share - room:
            return
        self.fs.makedirs(path[:3], exist_ok=True)
        self.files.pop(path, None) if not room else None
        lfs_root.write(self.fs, path, data)
        self.files[path] = data

    def remove(self) -> None:
        """Remove a file."""
        if self.files:
            path = self.rng.choice(sorted(self.files))
            self.fs.remove(path)
            del self.files[path]

    def rename(self) -> None:
        """Move a file over another name."""
        if self.files:
            path = self.rng.choice(sorted(self.files))
            new = f"{path[:3]}/f{self.rng.randrange(30)}"
            self.fs.rename(path, new)
            self.files[new] = self.files.pop(path)

    def check(self) -> None:
        """What a stock `_boot.py` mounts holds every file, and nothing behind the share was touched."""
        held: LittleFS = lfs_root.mount(Flash(self.chip))
        for path, data in self.files.items():
            assert lfs_root.read(held, path) == data, path
        assert sum(self.chip.erased[self.share :]) + sum(self.chip.programmed[self.share :]) == 0
        assert self.chip.data[self.share * 4096 :] == self.behind


@pytest.mark.parametrize(("seed", "share", "storage"), [(2, 56, 352), (4, 40, 3840)])
def test_thousands_of_operations_keep_within_the_share_and_all_succeed(seed: int, share: int, storage: int) -> None:
    """With KEPT pages left free, as `room` does, no operation fails, and directories move often enough to wear out."""
    print(f"seed {seed}")
    disk = Disk(seed, share, storage)
    for i in range(3000):
        disk.rng.choice((lambda: disk.write(KEPT), lambda: disk.write(KEPT), disk.remove, disk.rename))()
        if i % 300 == 299:
            disk.check()
            disk.fs = lfs_root.mount(disk.root)
    assert disk.root.refused > 100, "pages behind the share were never asked for: nothing was tested"
    assert max(disk.chip.erased[2:share]) > 3, "littlefs has gone round its share"


@pytest.mark.parametrize("seed", [11, 12])
def test_a_full_root_says_so_and_loses_nothing(seed: int) -> None:
    print(f"seed {seed}")
    disk = Disk(seed, 40)
    full = 0
    for i in range(1500):
        try:
            disk.rng.choice((lambda: disk.write(0), lambda: disk.write(0), disk.remove))()
        except LittleFSError as error:
            assert error.code in FULL, error
            full += 1
            # A file that was to be replaced is there as before or not at all; the others are whole.
            disk.fs = lfs_root.mount(disk.root)
        if i % 100 == 99:
            disk.check()
    assert full > 20, "it never got full"
    disk.check()


def test_a_stock_mount_does_not_format_and_does_not_write() -> None:
    disk = Disk(21, 40)
    for _ in range(50):
        disk.write(KEPT)
    erased, programmed = list(disk.chip.erased), list(disk.chip.programmed)
    disk.check()
    assert (erased, programmed) == (disk.chip.erased, disk.chip.programmed)


def test_a_file_system_of_the_share_alone_would_be_formatted_by_the_stock_mount() -> None:
    """Why the file system has to name the whole storage."""
    chip = Chip(STORAGE, Power())
    lfs_root.mount(Flash(chip, len=40 * 4096), new=True)
    with pytest.raises(LittleFSError):
        lfs_root.mount(Flash(chip))


def test_without_the_guard_littlefs_does_write_behind_the_share() -> None:
    """The test's own eyes: the same operations on the bare flash touch the pages behind."""
    disk = Disk(31, 40)
    disk.fs = lfs_root.mount(Flash(disk.chip))
    for _ in range(300):
        disk.write(0)
    with pytest.raises(AssertionError):
        disk.check()


@pytest.mark.parametrize("page", [40, 41, 351])
def test_writing_behind_the_share_is_a_bad_block(page: int) -> None:
    chip = Chip(STORAGE, Power())
    root = Root(Flash(chip), 40)
    assert root.ioctl(6, page) == root.writeblocks(page, bytes(256), 0) == root.writeblocks(page, bytes(4096)) == -84
    assert root.writeblocks(39, bytes(8192)) == -84, "begins within, ends behind"
    assert (root.ioctl(4, 0), root.ioctl(5, 0)) == (STORAGE, 4096)
    assert sum(chip.erased) + sum(chip.programmed) == 0
    assert not root.ioctl(6, 39)
    assert not root.writeblocks(39, bytes(256), 4096 - 256)
    assert (chip.erased[39], chip.programmed[39]) == (1, 1)


@pytest.mark.parametrize("storage", [352, 512, 768, 1040, 1792, 3584, 3840])
def test_a_plan_fits_and_holds_what_the_board_interface_asks(storage: int) -> None:
    root, vault, store, keys, journal = plan(storage)
    assert root + vault + store + keys + journal + 2 <= storage
    assert (vault, store) == (2, 12)
    assert keys >= 21, "a tree of height 10 and two signatures"
    if storage >= 1792:
        assert journal >= 410 and keys >= 128, "100 shoes of 416 cards, each with its signature"


@pytest.mark.parametrize("storage", [0, 96, 212, 347])
def test_too_small_a_storage_is_refused(storage: int) -> None:
    with pytest.raises(OSError, match="too few"):
        plan(storage)
