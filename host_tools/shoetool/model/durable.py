"""Write files whole, and make their names survive a power cut: the folder holds the name, the file its content."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from shoetool.model.errors import BadInput


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, and its folder if need be: whole, and durable when this returns. BadInput when it cannot be.

    Nobody ever reads a part of it, and after a power cut it holds the old content or the new one.
    """
    with writing_whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def writing_whole(path: Path) -> Iterator[BinaryIO]:
    """Write a file as `write_whole` does, piece by piece. Nothing is left of it when the work inside fails."""
    fresh = path.with_suffix(f".{os.getpid()}")
    try:
        make_folder(path.parent)
        try:
            with fresh.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None


def write_private(path: Path, text: str) -> None:
    """Write a new file that its owner alone may read (0600): whole or not at all, and durable when this returns.

    It never replaces a file: FileExistsError. Any other OSError leaves nothing behind.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)  # unlike a rename, this never replaces a file
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def is_private(path: Path) -> bool:
    """Whether only its owner may read the file."""
    try:
        return not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    except OSError:
        return True


def make_folder(path: Path) -> None:
    """Create a folder that is missing, with those above it, durably. OSError when that fails."""
    missing = [one for one in (path, *path.parents) if not one.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for one in missing:
        sync_folder(one.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. OSError when that fails. Windows does it by itself and has no call for it."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)  # reads: nothing; `fsync` takes a folder that is open
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot do it
            raise
    finally:
        os.close(number)
