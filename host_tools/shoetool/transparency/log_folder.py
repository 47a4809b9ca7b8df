"""A log in a folder: read whole, and held against its own checkpoint before anything is believed or added."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.findings import EDITED, LogFinding, LogWrong
from shoetool.transparency.note import MOST_BYTES, Note
from shoetool.transparency.tiles import WIDTH, Tile, needed, read_plain, read_tile
from shoetool.transparency.tree import Tree, leaf_hash

CHECKPOINT: Final = "checkpoint"
Advance = Callable[[int, int | None], None]


def nobody(done: int, total: int | None) -> None:
    """Watch no progress."""


class LogFolder:
    """A log that lies in `path`. BadInput when there is none; what is wrong in one is a LogWrong, a finding."""

    def __init__(self, path: Path) -> None:
        """Read the checkpoint. The tree is read by `load`."""
        self.path = path
        self.note = read_note(path)
        self.checkpoint = Checkpoint.parse(self.note.text, f"{path}/{CHECKPOINT}")
        self.tree = Tree()
        self.last: list[bytes] = []
        """The entries of the last bundle, when it is not full."""

    @property
    def size(self) -> int:
        """How many entries its checkpoint is about."""
        return self.checkpoint.size

    def load(self, advance: Advance = nobody) -> Iterator[tuple[int, bytes]]:
        """Yield (index, bytes) of each entry, and keep the tree. At the end it is compared with the checkpoint."""
        self.tree, self.last = Tree(), []
        for tile in needed(self.size):
            if tile.level is not None:
                break
            entries = read_tile(self.path, tile)
            first = tile.number * WIDTH
            for place, entry in enumerate(entries, first):
                self.tree.add(leaf_hash(entry))
                yield place, entry
            self.last = entries if tile.width < WIDTH else []
            advance(first + len(entries), self.size)
        if self.tree.root() != self.checkpoint.root:
            raise LogWrong(str(self.path), self._edited())

    def read(self, advance: Advance = nobody) -> None:
        """Read it whole for its tree, where nobody asks for the entries. LogWrong as in `load`."""
        for _ in self.load(advance):
            pass

    def _edited(self) -> LogFinding:
        """What does not fit, as near as it can be said: an entry, a tile, or all of it."""
        for tile in needed(self.size):
            if tile.level == 0:
                for place, hashed in enumerate(read_tile(self.path, tile), tile.number * WIDTH):
                    if self.tree.row(0)[place] != hashed:
                        text = f"entry {place} is not the one that was logged: it does not fit its hash in {tile.path}"
                        return LogFinding(EDITED, text, entry=place)
        root = self.tree.root().hex()[:16]
        text = (
            f"the {self.size} entries have the root {root}, the checkpoint says {self.checkpoint.root.hex()[:16]}: the "
            "log was written anew, or the checkpoint is that of another log"
        )
        return LogFinding(EDITED, text)

    def wrong_tiles(self) -> Iterator[LogFinding]:
        """Yield which tiles are not those of the entries, after `load`."""
        for tile in needed(self.size):
            if tile.level is None:
                continue
            try:
                hashes = read_tile(self.path, tile)
            except LogWrong as error:
                yield error.finding
                continue
            if hashes != list(tile.hashes(self.tree)):
                yield LogFinding(EDITED, f"{tile.path} does not hold the hashes of the entries")

    def left_over(self) -> Iterator[tuple[str, Tile | None]]:
        """Yield the path of each file that the checkpoint does not need, and the tile that lies there, or None."""
        wanted = {tile.path for tile in needed(self.size)} | {CHECKPOINT}
        for path in sorted(self.path.rglob("*")):
            name = path.relative_to(self.path).as_posix()
            if name in wanted or name.startswith(".") or (path.is_dir() and not path.is_symlink()):
                continue
            yield name, Tile.parse(name)

    def beyond(self, tile: Tile) -> bool:
        """Whether only a larger tree has this tile: an append that did not end left it, and nobody signed it."""
        return (tile.number * WIDTH + tile.width) << 8 * (tile.level or 0) > self.size

    def wrong_smaller(self, tile: Tile) -> LogFinding | None:
        """Return what is wrong with a tile of a smaller tree, after `load`. It stays until the full one is there."""
        try:
            held = read_tile(self.path, tile)
        except LogWrong as error:
            return error.finding
        if tile.level is None:
            held = [leaf_hash(entry) for entry in held]
        if held == list(tile.hashes(self.tree)):
            return None
        return LogFinding(EDITED, f"{tile.path} does not hold what the log holds there")


def read_note(path: Path) -> Note:
    """Return the signed checkpoint of a log. BadInput when there is none."""
    if not path.is_dir():
        raise BadInput(f"{path}: is no log: there is no such folder; begin one with shoetool log init")
    data = read_plain(path, CHECKPOINT, MOST_BYTES)
    if data is None:
        raise BadInput(f"{path}: is no log: it has no file `{CHECKPOINT}`; begin one with shoetool log init")
    return Note.parse(data, f"{path}/{CHECKPOINT}")
