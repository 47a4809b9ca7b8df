"""The one place where shoetool opens a file to read it.

It never waits: a pipe without a writer would hang. It reads regular files alone, as a device such as /dev/zero has no
end, and opening one can do harm. It remembers the files that it opened, by device and inode, so that no output of the
same run takes the place of an input (`output_file`).

Who reads a whole file says how long one of its kind can be. A file that is longer is rejected unread.
"""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Final

from shoetool.model.errors import BadInput

_SAFE: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOINHERIT", 0)
    | getattr(os, "O_BINARY", 0)
)
_KINDS: Final = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a link"),
)
_MOST_SHOWN: Final = 300
_MOST_REMEMBERED: Final = 1 << 14
LARGEST_STATE: Final = 1 << 26
"""Bytes. A file that shoetool keeps for itself, such as what it has seen signed, is far smaller."""
LARGEST_EVIDENCE: Final = 1 << 30
"""Bytes. A history or a table record that is kept or hashed whole is smaller: the flash of a shoe has 16 MiB."""
LONGEST_DAMAGE: Final = 1 << 26
"""Bytes. So much of a file is looked through in search of the next part that can be read: four times the flash of a
shoe. A hole of gigabytes, which a computer that crashed can leave, takes no time."""
_PART: Final = 1 << 18

_opened: dict[tuple[int, int], None] = {}


class NoFile(BadInput):
    """There is no file of that name."""


def open_input(
    path: Path | str, wanted: str = "a file", *, pipe: bool = False, links: bool = True, own: bool = False
) -> BinaryIO:
    """Open a regular file to read its bytes. BadInput, in one line, when it is unreadable or not regular; NoFile.

    `wanted` says what the file should be, such as "a shoe history". `pipe`: a pipe will do too, where the documents say
    so; without a writer it is empty. `links`: follow a link in the last part of the name. `own`: shoetool keeps the
    file for itself and writes it again, so it is not remembered as an input.
    """
    return _open(path, wanted, pipe, links, own)


def open_text(path: Path | str, wanted: str, *, encoding: str = "utf-8", pipe: bool = False) -> TextIOWrapper:
    """Open a text file to read its lines. Bytes that are no text are kept as surrogates. BadInput as `open_input`."""
    return TextIOWrapper(open_input(path, wanted, pipe=pipe), encoding=encoding, errors="surrogateescape")


def read_input(path: Path | str, wanted: str, most: int, longer: str = "", *, own: bool = False) -> bytes:
    """Return the bytes of a regular file. BadInput as `open_input`, and for more than `most` bytes.

    `longer` completes the line about a file that is too long; by default, that it is not what is wanted.
    """
    try:
        with open_input(path, wanted, own=own) as file:
            data = file.read(most + 1) if size_of(file) <= most else None
    except OSError as error:
        raise unreadable(path, error) from None
    if data is None or len(data) > most:
        raise BadInput(f"{shown(path)}: longer than {most} bytes: {longer or f'it is not {wanted}'}")
    return data


def read_own(path: Path, wanted: str) -> bytes | None:
    """Return the bytes of a file that shoetool keeps for itself; None when there is none. BadInput as `read_input`."""
    try:
        return read_input(path, wanted, LARGEST_STATE, own=True)
    except NoFile:
        return None


def read_start(path: Path | str, wanted: str, most: int) -> bytes:
    """Return the first bytes of a regular file, `most` at most. BadInput as `open_input`."""
    try:
        with open_input(path, wanted) as file:
            return file.read(most)
    except OSError as error:
        raise unreadable(path, error) from None


def digest_of(path: Path | str, wanted: str, most: int = LARGEST_EVIDENCE, *, links: bool = True) -> str:
    """Return the SHA-256 of a file, hexadecimal. BadInput as `read_input`. `links`: as in `open_input`."""
    found = sha256()
    try:
        with open_input(path, wanted, links=links) as file:
            if size_of(file) > most:
                raise BadInput(f"{shown(path)}: longer than {most} bytes: it is not {wanted}")
            while part := file.read(_PART):
                found.update(part)
    except OSError as error:
        raise unreadable(path, error) from None
    return found.hexdigest()


def size_of(file: BinaryIO) -> int:
    """Return how many bytes an open file has."""
    return os.fstat(file.fileno()).st_size


def was_opened(found: os.stat_result) -> bool:
    """Return whether this run has opened the file with this `os.stat` as an input."""
    return (found.st_dev, found.st_ino) in _opened


def forget_opened() -> None:
    """Forget the inputs: a run begins."""
    _opened.clear()


def unreadable(path: Path | str, error: OSError) -> BadInput:
    """Return what is said of a file that was opened and cannot be read."""
    return BadInput(f"{shown(path)}: cannot be read: {error.strerror or error}")


def shown(path: Path | str) -> str:
    """Return a path for a message. One that no file can have is cut, and its bytes are told."""
    name = os.fspath(path)
    if len(name) > _MOST_SHOWN and len(os.fsencode(name)) >= 4096:
        return f"{name[:60]!r}... ({len(name)} characters)"
    return repr(name[:60]) if "\0" in name else name


def word_of(mode: int) -> str | None:
    """Return what is at a path with this `st_mode`, such as "a pipe"; None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return next((word for fits, word in _KINDS if fits(mode)), "no regular file")


def _open(path: Path | str, wanted: str, pipe: bool, links: bool, own: bool) -> BinaryIO:
    name = os.fspath(path)
    if not name:
        raise BadInput(f"no file is named where {wanted} is expected")
    try:
        _check(name, Path(name).stat(follow_symlinks=links), wanted, pipe)  # opening a device can do harm
        number = os.open(name, _SAFE | (0 if links else getattr(os, "O_NOFOLLOW", 0)))
    except (FileNotFoundError, NotADirectoryError):
        raise NoFile(f"{shown(name)}: no such file") from None
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"{shown(name)}: {error}") from None
    except OSError as error:
        raise BadInput(f"{shown(name)}: cannot be opened: {error.strerror}") from None
    try:
        found = os.fstat(number)
        _check(name, found, wanted, pipe)  # another file may have taken the name meanwhile
        if stat.S_ISFIFO(found.st_mode):
            os.set_blocking(number, True)
        elif not own:
            _remember(found)
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def _check(name: str, found: os.stat_result, wanted: str, pipe: bool) -> None:
    """BadInput says what a file is that cannot be read here."""
    if not stat.S_ISREG(found.st_mode) and not (pipe and stat.S_ISFIFO(found.st_mode)):
        advice = ": write it into a file first" if stat.S_ISFIFO(found.st_mode) else ""
        raise BadInput(f"{shown(name)}: is {word_of(found.st_mode)}, not {wanted}{advice}")


def _remember(found: os.stat_result) -> None:
    _opened[found.st_dev, found.st_ino] = None
    if len(_opened) > _MOST_REMEMBERED:  # memory does not grow with the number of histories
        del _opened[next(iter(_opened))]
