"""Write files whole, and make their names survive a power cut: the folder holds the name, the file its content."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from shoetool.model.errors import BadInput


def write_whole(path: Path, text: str) -> None:
    """Write a file, and its folder if need be, so that nobody ever reads a part of it. BadInput when it cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. OSError when that fails. Windows does it by itself and has no call for it."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot do it
            raise
    finally:
        os.close(number)
