"""The files for a board: those in the wheel, or those that a working tree builds.

`root/` goes to the root of the board's file system, `slot/` into one of its two slots. `slot/files.json` lists the
slot's files. It names their version, and the digest that a shoe with these files reports.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_input

_WANTED: Final = "a file for a board"
_LARGEST: Final = 1 << 24
"""Bytes: the flash of a board has no more."""
LIST: Final = "files.json"
CARRIED: Final = Path(__file__).resolve().parent / "device"
TREE: Final = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class DeviceFiles:
    """Content of each file by its name on the root and in a slot (without the list), and the list itself."""

    folder: Path
    version: str
    digest: str
    root: Mapping[str, bytes]
    slot: Mapping[str, bytes]
    listing: bytes

    def size(self) -> int:
        """Bytes of all of them."""
        return sum(map(len, (*self.root.values(), *self.slot.values(), self.listing)))


def find() -> DeviceFiles:
    """Return the files of this installation. In a working tree, old files are built again. BadInput."""
    if (CARRIED / "slot" / LIST).is_file():
        return read(CARRIED)
    build = TREE / "firmware" / "tools" / "build_pico.py"
    if not build.is_file():
        raise BadInput(f"{CARRIED}: this installation carries no files for a board; install the wheel of shoetool")
    done = subprocess.run(
        [sys.executable, str(build)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise BadInput(f"{build}: the firmware was not built: {said}; `make setup` installs what it needs")
    return read(TREE / "build" / "pico")


def read(folder: Path) -> DeviceFiles:
    """Return the files below `folder`, each checked against the list. BadInput names a file that differs."""
    try:
        listing = read_input(folder / "slot" / LIST, _WANTED, _LARGEST)
        root = _inside(folder / "root")
        slot = _inside(folder / "slot")
    except OSError as error:
        raise BadInput(f"{error.filename}: {error.strerror}") from None
    del slot[LIST]
    try:
        told = json.loads(listing)
        version, digest = str(told["version"]), str(told["digest"])
        listed = {str(name): (int(size), str(sha)) for name, size, sha in told["files"]}
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"{folder / 'slot' / LIST}: not a list of files") from None
    held = {name: digest_of(data) for name, data in slot.items()}
    for name in sorted(set(listed) | set(held)):
        if listed.get(name) != held.get(name):
            raise BadInput(f"{folder / 'slot' / name}: not as {LIST} says; install shoetool anew")
    if firmware_digest({**root, **slot}) != digest:
        raise BadInput(f"{folder}: the files are not those that {LIST} was made of; install shoetool anew")
    return DeviceFiles(folder, version, digest, root, slot, listing)


def _inside(folder: Path) -> dict[str, bytes]:
    """Content of each file below `folder` by its name there."""
    return {
        path.relative_to(folder).as_posix(): read_input(path, _WANTED, _LARGEST)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def firmware_digest(files: Mapping[str, bytes]) -> str:
    """Return the digest that a shoe with `files` reports: SHA-256 over each name, 0x00 and the content's SHA-256."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return whole.hexdigest()


def digest_of(content: bytes) -> tuple[int, str]:
    """Return size and SHA-256, as the board reports them for a file."""
    return len(content), hashlib.sha256(content).hexdigest()
