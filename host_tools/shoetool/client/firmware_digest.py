"""The digest of a firmware, as the shoe computes it over its own files. PROTOCOL.md, section 12."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.input_file import digest_of

_LARGEST: Final = 1 << 24
"""Bytes: the flash of a shoe has no more."""
_SUFFIXES: Final = (".py", ".mpy")


def firmware_files(paths: Iterable[Path]) -> dict[str, Path]:
    """Return files by their names on the shoe. A folder such as `shoe` gives `shoe/app/app.mpy` and so on. BadInput."""
    found: dict[str, Path] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.suffix in _SUFFIXES and one.is_file())
            named = {f"{path.resolve().name}/{one.relative_to(path).as_posix()}": one for one in inside}
        else:
            named = {path.name: path}
        if not named:
            raise BadInput(f"{path}: holds no firmware files (*.py, *.mpy)")
        for name in named:
            if name in found:
                raise BadInput(f"{named[name]}: {name} is named twice; the other one is {found[name]}")
        found |= named
    return found


def firmware_digest(files: dict[str, Path]) -> bytes:
    """Return the SHA-256 over each file's name, 0x00 and its content's SHA-256, in the order of the names. BadInput."""
    whole = hashlib.sha256()
    for name in sorted(files):
        content = digest_of(files[name], "a file of the firmware", _LARGEST)
        whole.update(name.encode() + b"\0" + bytes.fromhex(content))
    return whole.digest()
