"""The MicroPython that the bench runs: a UF2 by path or version tag, and where it keeps its file system."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

from .chip import Chip

VARIABLE = "RP2_UF2"
HOW = (
    f"set {VARIABLE} to a MicroPython UF2 for the RP2040 (a path, or a version such as v1.28.0 where the internet is"
    " reachable) and run `make hil`"
)
_CACHE = Path(__file__).resolve().parents[3] / "build" / "hil"
_BLOCK = 512
_MAGIC = b"UF2\n"
_XIP = 0x10000000
_PAGE = 4096
_FORMAT_US = 20e6


class NoFirmwareError(Exception):
    """There is no MicroPython to run; the message says how to give one."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """A MicroPython image: flash from address 0, the first byte of the storage that it leaves to files, its pages."""

    path: Path
    flash: bytes
    storage: int
    pages: int

    @property
    def frozen(self) -> bool:
        """Whether firmware/manifest.py froze the shoe's firmware into it, so that it starts without any file."""
        return b"shoe/app/service" in self.flash


class NotNamedError(NoFirmwareError):
    """Nobody asked for one: RP2_UF2 is not set."""


def find() -> Firmware:
    """Return the firmware that RP2_UF2 names. NotNamedError when it names none, NoFirmwareError when there is none."""
    return load(locate())


def locate() -> Path:
    """Return the file that RP2_UF2 names, once it is here and a UF2 for an RP2040. Errors as `find`."""
    named = os.environ.get(VARIABLE, "")
    if not named:
        raise NotNamedError(f"no MicroPython for the emulated RP2040: {HOW}")
    path = Path(named)
    if not path.is_file():
        path = _download(named)
    _flash_of(path)
    return path


def _download(tag: str) -> Path:
    if "/" in tag or tag.endswith(".uf2"):
        raise NoFirmwareError(f"{tag}: there is no such file; {HOW}")
    from rp2040py.utils.firmware_retrieve import SPECS, retrieve

    try:
        path = retrieve(SPECS["micropython"], tag)
    except Exception as error:  # whatever a download may fail with, the reason is what the user needs
        raise NoFirmwareError(f"{tag} cannot be downloaded ({error}); {HOW}") from error
    if path is None:
        raise NoFirmwareError(f"{tag} is no version that can be downloaded here; {HOW}")
    return path


def load(path: Path) -> Firmware:
    """Read a UF2 and find out where its storage lies."""
    flash = _flash_of(path)
    _CACHE.mkdir(parents=True, exist_ok=True)
    note = _CACHE / f"{hashlib.sha256(flash).hexdigest()[:16]}.json"
    try:
        storage, pages = json.loads(note.read_text())
    except (OSError, ValueError):
        storage, pages = _find_storage(flash)
        fresh = note.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps([storage, pages]))
        fresh.replace(note)
    return Firmware(path, flash, storage, pages)


def _flash_of(path: Path) -> bytes:
    content = path.read_bytes()
    flash = bytearray()
    for at in range(0, len(content) - _BLOCK + 1, _BLOCK):
        block = content[at : at + _BLOCK]
        address = int.from_bytes(block[12:16], "little") - _XIP
        size = int.from_bytes(block[16:20], "little")
        if block[:4] != _MAGIC or not 0 <= address < 1 << 24 or size > 476:
            raise NoFirmwareError(f"{path}: no UF2 for an RP2040")
        flash += b"\xff" * (address + size - len(flash))
        flash[address : address + size] = block[32 : 32 + size]
    if not flash:
        raise NoFirmwareError(f"{path}: no UF2 for an RP2040")
    return bytes(flash)


def _find_storage(flash: bytes) -> tuple[int, int]:
    """Start it on empty flash: it formats its storage, and the superblock tells where and how large that is."""
    chip = Chip(flash)
    try:
        chip.interrupt(_FORMAT_US)
    except TimeoutError as error:
        raise NoFirmwareError(f"the UF2 does not come to the prompt of MicroPython: {error}") from error
    after = chip.content()
    for start in range(len(flash) // _PAGE * _PAGE, len(after), _PAGE):
        if after[start + 8 : start + 16] == b"littlefs":
            # tag, "littlefs", tag, then version, block size, block count
            version, size, count = (int.from_bytes(after[start + 20 + 4 * i :][:4], "little") for i in range(3))
            if version >> 16 == 2 and size == _PAGE and start + size * count <= len(after):
                return start, count
    raise NoFirmwareError("the UF2 makes no littlefs file system on empty flash")
