"""Where the tools and sources that commands run are found on this machine."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput

MICROPYTHON: Final = "SHOETOOL_MICROPYTHON"
FIRMWARE: Final = "SHOETOOL_FIRMWARE"
_WORD_SIZE_NAMES: Final = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


def trees() -> list[Path]:
    """The trees to look in: this directory and those above it, then the one that shoetool was installed from."""
    here = Path.cwd()
    return [here, *here.parents, Path(__file__).resolve().parents[3]]


def find_firmware() -> Path:
    """Return the firmware folder: $SHOETOOL_FIRMWARE, else `firmware/` of a working tree. BadInput without one."""
    named = os.environ.get(FIRMWARE)
    if named:
        folder = Path(named)
        if (folder / "main.py").is_file():
            return folder
        raise BadInput(f"${FIRMWARE} names {named}, which holds no main.py")
    for tree in trees():
        if (tree / "firmware" / "main.py").is_file() and (tree / "firmware" / "shoe").is_dir():
            return tree / "firmware"
    raise BadInput(f"no firmware found: run this in the project's folder, or set ${FIRMWARE} to its firmware folder")


def find_micropython() -> Path:
    """Return a MicroPython: $SHOETOOL_MICROPYTHON, else build/micropython of a working tree, else the PATH."""
    named = os.environ.get(MICROPYTHON)
    if named:
        found = shutil.which(named)
        if found:
            return Path(found)
        raise BadInput(f"${MICROPYTHON} names {named}, which is no program")
    word_size = _WORD_SIZE_NAMES.get(platform.machine(), platform.machine())
    for tree in trees():
        path = tree / "build" / "micropython" / f"micropython-{word_size}"
        if os.access(path, os.X_OK) and path.is_file():
            return path
    found = shutil.which("micropython")
    if found:
        return Path(found)
    raise BadInput(f"no MicroPython found: run `make setup`, or set ${MICROPYTHON} to a MicroPython 1.24 or newer")
