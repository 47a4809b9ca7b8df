"""The shoe's root file system as bytes of flash, so that no emulated shoe has to be copied to file by file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from littlefs import LittleFS, UserContext
from pico import root

PAGE = root.PAGE
_PROGRAM = 256  # as MicroPython's _boot.py mounts it
_READ = 32
_CORRUPT = -84


class _Share(UserContext):
    """Storage of which only the first `pages` pages can be written, as board/pico/root.py shows it."""

    def __init__(self, storage: bytearray, pages: int) -> None:
        super().__init__(buffer=storage)
        self._pages = pages

    def prog(self, cfg, block: int, off: int, data: bytes) -> int:
        return super().prog(cfg, block, off, data) if block < self._pages else _CORRUPT

    def erase(self, cfg, block: int) -> int:
        if block >= self._pages:
            return _CORRUPT
        self.buffer[block * PAGE : (block + 1) * PAGE] = b"\xff" * PAGE
        return 0


def _mount(storage: bytearray, *, fresh: bool) -> LittleFS:
    pages = len(storage) // PAGE
    system = LittleFS(
        _Share(storage, root.plan(pages)[0]),
        mount=False,
        block_size=PAGE,
        block_count=pages,
        prog_size=_PROGRAM,
        read_size=_READ,
        cache_size=4 * _PROGRAM,
        lookahead_size=_READ,
    )
    if fresh:
        system.format()
    system.mount()
    return system


def build(pages: int, files: Mapping[str, bytes]) -> bytes:
    """Return a storage of `pages` pages, laid out for a shoe, with `files` (path from the root, without /) on it."""
    storage = bytearray(b"\xff" * (pages * PAGE))
    layout = root.marker(pages, root.plan(pages))
    for page in range(pages - root.MARKERS, pages):
        storage[page * PAGE : page * PAGE + len(layout)] = layout
    system = _mount(storage, fresh=True)
    for path, content in files.items():
        if "/" in path:
            system.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
        with system.open(path, "wb") as file:
            file.write(content)
    system.unmount()
    return bytes(storage)


def change(storage: bytes, files: Mapping[str, bytes | None]) -> bytes:
    """Return the storage with files written or, for None, removed."""
    changed = bytearray(storage)
    system = _mount(changed, fresh=False)
    for path, content in files.items():
        if content is None:
            system.remove(path)
        else:
            with system.open(path, "wb") as file:
                file.write(content)
    system.unmount()
    return bytes(changed)


def read(storage: bytes, path: str) -> bytes:
    """Return the content of a file."""
    system = _mount(bytearray(storage), fresh=False)
    with system.open(path, "rb") as file:
        return file.read()


def slot(version: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return `files` with the list that makes them a whole slot, as board/pico/start.py reads it."""
    lines = [json.dumps([name, len(data), hashlib.sha256(data).hexdigest()]) for name, data in sorted(files.items())]
    text = f'{{"version": {json.dumps(version)}, "files": [\n' + ",\n".join(lines) + "\n]}\n"
    return {**files, "files.json": text.encode()}
