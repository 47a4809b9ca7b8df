"""The text of a checkpoint (c2sp.org/tlog-checkpoint): the log's origin, its number of entries, and their root hash."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.transparency.tree import HASH, MOST

_SIZE: Final = re.compile("0|[1-9][0-9]{0,18}")
_MOST_ORIGIN: Final = 1024
_ROOT: Final = re.compile("[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=")


def tree_size(text: str) -> int | None:
    """Return the number of entries that a text names; None when it names none as the formats ask."""
    found = int(text) if _SIZE.fullmatch(text) else None
    return None if found is None or found > MOST else found


def tree_hash(text: str) -> bytes | None:
    """Return the hash that a base64 text holds; None when it holds none."""
    return b64decode(text) if _ROOT.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log says about itself. Logs of shoetool have no extension lines; they are read and kept."""

    origin: str
    size: int
    root: bytes
    extension: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text that is signed."""
        assert len(self.root) == HASH
        lines = (self.origin, str(self.size), b64encode(self.root).decode(), *self.extension)
        return "".join(f"{line}\n" for line in lines)

    @classmethod
    def parse(cls, text: str, where: str) -> Checkpoint:
        """Return the checkpoint of a note's text. BadInput begins with `where` and says why it is none."""
        lines = text.split("\n")
        if len(lines) < 4 or lines.pop() != "" or not all(lines):
            raise BadInput(f"{where}: is no checkpoint: it needs an origin, a size and a root hash, a line each")
        if len(lines[0]) > _MOST_ORIGIN:
            raise BadInput(f"{where}: is no checkpoint: its origin has {len(lines[0])} characters")
        size, root = tree_size(lines[1]), tree_hash(lines[2])
        if size is None:
            raise BadInput(f"{where}: is no checkpoint: its size is no whole number below 2^63 as it is written")
        if root is None:
            raise BadInput(f"{where}: is no checkpoint: its root hash is not 32 bytes in base64")
        return cls(lines[0], size, root, tuple(lines[3:]))
