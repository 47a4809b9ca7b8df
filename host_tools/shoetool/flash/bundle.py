"""`modules.bin`, the modules of a slot in one file, as board/pico/device/modules.py describes it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from shoetool.model.errors import BadInput

BUNDLE: Final = "modules.bin"
MAGIC: Final = b"SHOEMOD1"
HEAD: Final = struct.Struct("<8sI")
RECORD: Final = struct.Struct("<32sII")


def _records(content: bytes) -> Iterator[tuple[str, int, int]]:
    """Name, offset and size of each module. BadInput when that is no list of all that follows it."""
    try:
        magic, count = HEAD.unpack_from(content)
        rows = [RECORD.unpack_from(content, HEAD.size + RECORD.size * i) for i in range(count)]
        named = [(name.rstrip().decode("ascii"), at, size) for name, at, size in rows]
    except (struct.error, UnicodeDecodeError):
        raise BadInput(f"{BUNDLE}: not a list of modules") from None
    end = HEAD.size + RECORD.size * count
    for _, at, size in named:
        if at != end:
            raise BadInput(f"{BUNDLE}: its modules do not follow each other")
        end += size
    if magic != MAGIC or end != len(content):
        raise BadInput(f"{BUNDLE}: not a list of modules and what it lists")
    yield from named


def modules_of(content: bytes) -> dict[str, bytes]:
    """Content of each module by its name, as `shoe/app/app.mpy`. BadInput."""
    return {f"{name}.mpy": content[at : at + size] for name, at, size in _records(content)}


def pieces_of(content: bytes) -> list[bytes]:
    """The list and each module: what `content` is put together of, in its order. BadInput."""
    modules = list(modules_of(content).values())
    return [content[: len(content) - sum(map(len, modules))], *modules]
