"""Which process has a port open, where the system tells it: on Linux, of the user's own processes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from shoetool.model.printable import clean

from .port_names import device_keys, port_keys

PROCESSES: Final = Path("/proc")


def holder(name: str) -> str | None:
    """Return the process that has the port open, such as `shoetool (process 4711)`; None when the system hides it.

    Of several it is the one that has the port locked for itself.
    """
    keys = port_keys(name)
    found = []
    for process in sorted(PROCESSES.glob("[0-9]*")):
        with contextlib.suppress(OSError):  # a process of another user, or one that has just ended
            for opened in os.scandir(process / "fd"):
                with contextlib.suppress(OSError):
                    if keys & device_keys(opened.stat()):
                        found.append((not _locks(process, opened.name), process))
    if not found:
        return None
    process = min(found)[1]
    if process.name == str(os.getpid()):
        return "this program itself"
    return f"{_program(process)} (process {process.name})"


def _locks(process: Path, number: str) -> bool:
    with contextlib.suppress(OSError):
        return "FLOCK" in (process / "fdinfo" / number).read_text()  # reads: the system's list of processes
    return False


def _program(process: Path) -> str:
    with contextlib.suppress(OSError):
        return clean((process / "comm").read_text(errors="replace").strip())  # reads: the same list
    return "a program"
