"""The ports of the virtual shoes on this machine: each process writes a note with the name of its port."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_start
from shoetool.model.places import virtual_folder

_LONGEST: Final = 4096


def announced_ports() -> list[str]:
    """Return the ports of the virtual shoes whose processes are alive. Removes the notes of processes that ended."""
    ports = []
    for note in _notes():
        with contextlib.suppress(OSError, ValueError, BadInput):
            if not is_alive(int(note.stem)):
                note.unlink()  # left over from a process that was killed
            elif port := read_start(note, "the name of a port", _LONGEST).decode().strip():
                ports.append(port)
    return ports


def _notes() -> list[Path]:
    """Return the notes; none where there is no folder for them, or where it cannot be read."""
    folder = virtual_folder()
    try:
        return [] if folder is None else sorted(folder.glob("*.port"))
    except OSError:
        return []


def is_alive(process: int) -> bool:
    """Whether there is a process with this number, of any user."""
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
