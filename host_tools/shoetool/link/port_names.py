"""Which names mean the same port. A port has many: links, both ends on a Mac, `com10` and `\\\\.\\COM10` on Windows."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path
from typing import Final

_WINDOWS: Final = re.compile(r"(?:[\\/]{2}[.?][\\/])?(com\d+):?", re.IGNORECASE)
# A Mac has two device files for one port, which differ in their device numbers: `tty.` waits for a carrier.
_MAC: Final = re.compile(r"((?:.*/)?)tty\.(.+)")

PortKeys = frozenset[str | int]
"""What a port is known by: its names in one spelling, and the number of its device."""


def port_keys(name: str) -> PortKeys:
    """Return what the port of this name is known by. Two names mean one port when they have a key in common."""
    found: set[str | int] = {_one_spelling(name)}
    with contextlib.suppress(OSError, ValueError):
        found.add(_one_spelling(os.path.realpath(name)))
    about = about_port(name)
    return frozenset(found if about is None else found | device_keys(about))


def about_port(name: str) -> os.stat_result | None:
    """Return what the system says of the file of this name; None when there is none, or when it says nothing of it."""
    with contextlib.suppress(OSError, ValueError):
        return Path(name).stat()
    return None


def is_regular(name: str) -> bool:
    """Whether a regular file has this name. It is no port, but may be the recording of one."""
    about = about_port(name)
    return about is not None and stat.S_ISREG(about.st_mode)


def device_keys(about: os.stat_result) -> PortKeys:
    """Return the number of a character device; nothing for any other file."""
    return frozenset({about.st_rdev} if stat.S_ISCHR(about.st_mode) else ())


def _one_spelling(name: str) -> str:
    if windows := _WINDOWS.fullmatch(name):
        return windows[1].upper()
    return _MAC.sub(r"\1cu.\2", name)
