"""The ports of the virtual shoes on this machine: each process writes a note with the name of its port."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

import platformdirs

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_start

_LONGEST: Final = 4096


def announced_folder() -> Path:
    """Return the folder where virtual shoes write the names of their ports, one file a process."""
    return Path(platformdirs.user_state_dir("shoetool")) / "virtual"


def announced_ports() -> list[str]:
    """Return the ports of the virtual shoes whose processes are alive. Removes the notes of processes that ended."""
    ports = []
    for note in sorted(announced_folder().glob("*.port")):
        with contextlib.suppress(OSError, ValueError, BadInput):
            if not is_alive(int(note.stem)):
                note.unlink()  # left over from a process that was killed
            elif port := read_start(note, "the name of a port", _LONGEST).decode().strip():
                ports.append(port)
    return ports


def is_alive(process: int) -> bool:
    """Whether there is a process with this number, of any user."""
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
