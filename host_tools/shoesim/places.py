"""Where the firmware and the MicroPython that runs it are found on this machine, and where a virtual shoe lives."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from shoetool.link.virtual_ports import is_alive
from shoetool.model.errors import BadInput
from shoetool.model.places import temporary_folder

MICROPYTHON: Final = "SHOETOOL_MICROPYTHON"
FIRMWARE: Final = "SHOETOOL_FIRMWARE"
NATIVE: Final = "amd64"
STATE_PREFIX: Final = "shoetool-"
_STATE_NAME: Final = re.compile(re.escape(STATE_PREFIX) + r"([1-9][0-9]{0,9})-")


CARRIED: Final = Path(__file__).resolve().parent / "device"
"""What an installed wheel carries: `firmware/`, `board/virtual/`, and `build/` with both compiled."""


def find_firmware(tree: Path) -> Path:
    """Return the firmware folder: $SHOETOOL_FIRMWARE, else that of the working tree, else the wheel's. BadInput."""
    named = os.environ.get(FIRMWARE)
    for folder in (Path(named),) if named else (tree / "firmware", CARRIED / "firmware"):
        if (folder / "main.py").is_file():
            return folder
    if named:
        raise BadInput(f"${FIRMWARE} names {named}, where main.py is missing")
    raise BadInput(
        f"{tree / 'firmware' / 'main.py'} is missing: the simulator runs the firmware of an installed wheel, that of a "
        f"checkout of the project, or the one that ${FIRMWARE} names"
    )


def find_micropython(tree: Path, word_size: str = NATIVE) -> Path:
    """Return a MicroPython: $SHOETOOL_MICROPYTHON, else build/micropython of the working tree, else on the PATH.

    `word_size` is the architecture's name in build/micropython; of the first and the last only amd64 is taken, since
    they are what this machine runs by itself. BadInput without one.
    """
    named = os.environ.get(MICROPYTHON)
    if named and word_size == NATIVE:
        found = shutil.which(named)
        if found is None:
            raise BadInput(f"${MICROPYTHON} names {named}, which is not a program")
        return Path(found)
    path = tree / "build" / "micropython" / f"micropython-{word_size}"
    if path.is_file() and os.access(path, os.X_OK):
        return path
    found = shutil.which("micropython") if word_size == NATIVE else None
    if found is not None:
        return Path(found)
    raise BadInput(
        f"{path} is missing: run `make setup`, set ${MICROPYTHON} to a MicroPython 1.24 or newer, or take "
        "--interpreter python"
    )


def choose_interpreter(tree: Path, asked: str | None) -> str:
    """Return what the firmware runs on: what was asked for, else MicroPython where there is one, else this Python.

    BadInput when $SHOETOOL_MICROPYTHON names none.
    """
    if asked is not None:
        return asked
    try:
        find_micropython(tree)
    except BadInput:
        if os.environ.get(MICROPYTHON):
            raise
        return "python"
    return NATIVE


@contextlib.contextmanager
def state_folder() -> Iterator[Path]:
    """A temporary folder for a virtual shoe's memory, gone afterwards; its name holds the process that it belongs to.

    Folders of processes that were killed, and so could not tidy up, are taken away first.
    """
    sweep_states(Path(tempfile.gettempdir()))
    with temporary_folder(f"{STATE_PREFIX}{os.getpid()}-") as folder:
        yield folder


def sweep_states(place: Path) -> None:
    """Take away the state folders of this user's virtual shoes whose processes are gone."""
    for folder in place.glob(f"{STATE_PREFIX}*"):
        owner = _STATE_NAME.match(folder.name)
        with contextlib.suppress(OSError):
            if owner is None or is_alive(int(owner.group(1))) or folder.is_symlink():
                continue
            if folder.is_dir() and folder.stat().st_uid == os.getuid():
                shutil.rmtree(folder, ignore_errors=True)
