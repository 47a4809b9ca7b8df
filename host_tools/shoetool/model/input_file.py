"""The one place where shoetool opens a file that somebody named, to read it.

It never waits: a pipe without a writer would hang. It reads regular files alone, as a device such as /dev/zero has no
end. It remembers each file that it opened, by its device and inode, so that no output of the same run takes the place
of an input (`output_file`).
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from shoetool.model.errors import BadInput

_READ_ONLY: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_KINDS: Final = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)

_opened: set[tuple[int, int]] = set()


def open_input(path: Path | str, wanted: str = "a file") -> BinaryIO:
    """Open a regular file to read its bytes. BadInput, in one line, when it is missing, unreadable or not regular.

    `wanted` says what the file should be, such as "a shoe history".
    """
    name = os.fspath(path)
    if not name or name == ".":  # Path("") is the current folder
        raise BadInput(f"no file is named where {wanted} is expected")
    try:
        number = os.open(name, _READ_ONLY)
    except FileNotFoundError:
        raise BadInput(f"{name}: no such file") from None
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"{name[:60]!r}: {error}") from None
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise BadInput(f"{name}: is a socket, not {wanted}") from None
        raise BadInput(f"{name}: cannot be opened: {error.strerror}") from None
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode):
        os.close(number)
        raise BadInput(f"{name}: is {word_of(found.st_mode)}, not {wanted}")
    _opened.add((found.st_dev, found.st_ino))
    return os.fdopen(number, "rb")


def was_opened(found: os.stat_result) -> bool:
    """Return whether this run has opened the file with this `os.stat` as an input."""
    return (found.st_dev, found.st_ino) in _opened


def forget_opened() -> None:
    """Forget the inputs: a run begins."""
    _opened.clear()


def word_of(mode: int) -> str | None:
    """Return what is at a path with this `st_mode`, such as "a pipe"; None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return next((word for fits, word in _KINDS if fits(mode)), "no regular file")
