"""The real littlefs, configured as MicroPython's vfs.VfsLfs2(bdev, progsize=256), over a block device of Python."""

from __future__ import annotations

from typing import Any

from littlefs import LFSConfig, LittleFS, UserContext, lfs

NO_SPACE = -28
NO_SPACE_FOR_NAME = -36  # what littlefs says when the directory is full


class Blocks(UserContext):
    """littlefs's four calls as MicroPython makes them on a block device with readblocks, writeblocks and ioctl."""

    def __init__(self, device: Any) -> None:
        self._device = device

    def read(self, cfg: LFSConfig, block: int, off: int, size: int) -> bytearray:
        held = bytearray(size)
        self._device.readblocks(block, held, off)
        return held

    def prog(self, cfg: LFSConfig, block: int, off: int, data: bytes) -> int:
        return self._device.writeblocks(block, data, off) or 0

    def erase(self, cfg: LFSConfig, block: int) -> int:
        return self._device.ioctl(6, block)

    def sync(self, cfg: LFSConfig) -> int:
        return 0


def mount(device: Any, new: bool = False) -> LittleFS:
    """Mount `device`, an rp2.Flash or a Root; `new`: make the file system first. LittleFSError as littlefs fails."""
    held = LittleFS(
        Blocks(device),
        mount=False,
        block_size=device.ioctl(5, 0),
        block_count=device.ioctl(4, 0),
        read_size=32,
        prog_size=256,
        cache_size=1024,
        lookahead_size=32,
        block_cycles=100,
    )
    if new:
        held.format()
    held.mount()
    return held


def write(held: LittleFS, path: str, data: bytes) -> None:
    """Write a file; it is closed once, also when that fails, which LittleFS.open would do again later."""
    handle = lfs.file_open(held.fs, path, "wb")
    try:
        lfs.file_write(held.fs, handle, data)
    finally:
        lfs.file_close(held.fs, handle)


def read(held: LittleFS, path: str) -> bytes:
    """Content of a file."""
    handle = lfs.file_open(held.fs, path, "rb")
    try:
        return bytes(lfs.file_read(held.fs, handle, lfs.file_size(held.fs, handle)))
    finally:
        lfs.file_close(held.fs, handle)
