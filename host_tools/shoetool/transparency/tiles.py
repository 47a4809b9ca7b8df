"""The files of a log (c2sp.org/tlog-tiles): where tiles and entry bundles lie, and what is in them."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from shoetool.model.errors import BadInput
from shoetool.model.input_file import NoFile, open_input
from shoetool.transparency.entry import MOST_BYTES
from shoetool.transparency.findings import CUT, DAMAGED, LogFinding, LogWrong
from shoetool.transparency.tree import HASH, Tree

WIDTH: Final = 256
"""Hashes of a full tile, and entries of a full bundle."""
_HEIGHT: Final = 8
_PATH: Final = re.compile(r"tile/(0|[1-9]\d?|entries)/((?:x\d{3}/)*\d{3})(?:\.p/([1-9]\d{0,2}))?")
_MOST_BUNDLE: Final = WIDTH * (2 + MOST_BYTES)


class Tile(NamedTuple):
    """One file: a tile of hashes on `level`, or an entry bundle (`level` None), and how many there are in it."""

    level: int | None
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Where it lies in the log."""
        number, last = divmod(self.number, 1000)
        name = f"{last:03}"
        while number:
            number, part = divmod(number, 1000)
            name = f"x{part:03}/{name}"
        level = "entries" if self.level is None else self.level
        return f"tile/{level}/{name}" + ("" if self.width == WIDTH else f".p/{self.width}")

    @classmethod
    def parse(cls, path: str) -> Tile | None:
        """Return the tile that lies at a path; None when none does."""
        found = _PATH.fullmatch(path)
        if found is None or len(found[2]) > 33:
            return None
        level = None if found[1] == "entries" else int(found[1])
        tile = cls(level, int(found[2].replace("x", "").replace("/", "")), int(found[3] or WIDTH))
        return tile if tile.path == path and tile.width <= WIDTH and (level or 0) <= 63 else None

    def hashes(self, tree: Tree) -> Sequence[bytes]:
        """Return the hashes of a tile; fewer than `width` when the tree is smaller than that."""
        first = self.number * WIDTH
        return tree.row(_HEIGHT * (self.level or 0))[first : first + self.width]


def needed(size: int, since: int = 0) -> Iterator[Tile]:
    """Yield the files of a log of `size` entries that one of `since` has not: bundles, then tiles from below."""
    for level in (None, *range(8)):
        shift = _HEIGHT * (level or 0)
        count, before = size >> shift, since >> shift
        if count == before:
            continue
        for number in range(before // WIDTH, (count + WIDTH - 1) // WIDTH):
            yield Tile(level, number, min(WIDTH, count - number * WIDTH))


def bundle(entries: Iterable[bytes]) -> bytes:
    """Return the bytes of an entry bundle."""
    return b"".join(len(entry).to_bytes(2) + entry for entry in entries)


def unbundle(data: bytes, tile: Tile) -> list[bytes]:
    """Return the entries of a bundle. ValueError says where it ends too early, or what is left over."""
    entries: list[bytes] = []
    at = 0
    for _ in range(tile.width):
        end = at + 2 + int.from_bytes(data[at : at + 2])
        if len(data) < at + 2 or len(data) < end:
            index = tile.number * WIDTH + len(entries)
            raise ValueError(f"ends within entry {index}" if at < len(data) else f"ends before entry {index}")
        entries.append(data[at + 2 : end])
        at = end
    if at != len(data):
        raise ValueError(f"has {len(data) - at} bytes too many behind its last entry")
    return entries


def read_plain(folder: Path, path: str, most: int) -> bytes | None:
    """Return the content of a file of a log; None when it is not there. LogWrong: it is too long, or no plain file.

    A link is not followed: it could lead out of the log.
    """
    at, mode = folder, 0
    try:
        for part in path.split("/"):
            at = at / part
            mode = at.lstat().st_mode
            if stat.S_ISLNK(mode):
                where = at.relative_to(folder).as_posix()
                raise LogWrong(str(folder), LogFinding(DAMAGED, f"{where} is a link; a log holds files and folders"))
        with open_input(at, "a file of a log", links=False, own=True) as file:
            data = file.read(most + 1)
    except (NoFile, FileNotFoundError, NotADirectoryError):
        return None
    except BadInput:
        why = "cannot be opened" if stat.S_ISREG(mode) else "is no file"
        raise LogWrong(str(folder), LogFinding(DAMAGED, f"{path} {why}")) from None
    except OSError as error:
        raise LogWrong(str(folder), LogFinding(DAMAGED, f"{path} cannot be read: {error.strerror}")) from None
    if len(data) > most:
        raise LogWrong(str(folder), LogFinding(DAMAGED, f"{path} is longer than such a file can be"))
    return data


def read_tile(folder: Path, tile: Tile) -> list[bytes]:
    """Return the hashes or the entries of a file. A full one stands in for a partial one. LogWrong: it is damaged."""
    most = _MOST_BUNDLE if tile.level is None else WIDTH * HASH
    for one in dict.fromkeys((tile, tile._replace(width=WIDTH))):
        data = read_plain(folder, one.path, most)
        if data is None:
            continue
        try:
            if one.level is None:
                return unbundle(data, one)[: tile.width]
            if len(data) != one.width * HASH:
                raise ValueError(f"has {len(data)} bytes instead of {one.width * HASH}")
        except ValueError as error:
            raise LogWrong(str(folder), LogFinding(CUT, f"{one.path} {error}")) from None
        return [data[at : at + HASH] for at in range(0, tile.width * HASH, HASH)]
    raise LogWrong(str(folder), LogFinding(CUT, f"{tile.path} is missing"))
