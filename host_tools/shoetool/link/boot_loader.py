"""Boards in their boot loader (BOOTSEL): such a board has no serial port. It is a drive onto which a UF2 is copied."""

from __future__ import annotations

import contextlib
import string
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_start

USB_DEVICES: Final = Path("/sys/bus/usb/devices")  # Linux
MOUNTED: Final = ("/media", "/media/*", "/run/media/*", "/Volumes")
_LONGEST_NOTE: Final = 4096
_VENDOR: Final = "2e8a"


class _Chip(NamedTuple):
    name: str
    product: str  # its USB number
    label: str  # of its drive, and its Board-ID


_CHIPS: Final = (_Chip("RP2040", "0003", "RPI-RP2"), _Chip("RP2350", "000f", "RP2350"))


@dataclass(frozen=True, slots=True)
class BootLoader:
    """A board in its boot loader. `drive`: where its drive is mounted, None when that is not known."""

    chip: str
    label: str
    drive: Path | None


def boot_loaders() -> list[BootLoader]:
    """Return the boards in their boot loaders: by their USB numbers on Linux, by their drives elsewhere."""
    return [board for chip in _CHIPS for board in _of(chip)]


def _of(chip: _Chip) -> list[BootLoader]:
    drives = _drives(chip)
    if not USB_DEVICES.is_dir():
        return [BootLoader(chip.name, chip.label, drive) for drive in drives]
    there = sum(_usb_numbers(device) == (_VENDOR, chip.product) for device in USB_DEVICES.iterdir())
    return [BootLoader(chip.name, chip.label, drives[i] if i < len(drives) else None) for i in range(there)]


def _usb_numbers(device: Path) -> tuple[str, str] | None:
    """Vendor and product; None for what is no device, or is just being pulled out."""
    with contextlib.suppress(BadInput):
        return _text(device / "idVendor").strip(), _text(device / "idProduct").strip()
    return None


def _text(path: Path) -> str:
    return read_start(path, "a note of the system", _LONGEST_NOTE).decode("utf-8", "replace")


def _drives(chip: _Chip) -> list[Path]:
    """The mounted drives of boot loaders of this chip."""
    if sys.platform == "win32":
        places = [Path(f"{letter}:/") for letter in string.ascii_uppercase]
    else:
        places = [path / chip.label for over in MOUNTED for path in sorted(Path("/").glob(over[1:]))]
    return [place for place in places if _board_id(place) == chip.label]


def _board_id(drive: Path) -> str | None:
    """What the boot loader's own file on its drive says; None without one."""
    with contextlib.suppress(BadInput):
        for line in _text(drive / "INFO_UF2.TXT").splitlines():
            if line.startswith("Board-ID:"):
                return line.removeprefix("Board-ID:").strip()
    return None
