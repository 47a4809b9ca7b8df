"""Names of files that outlast a power cut: the content is made durable with the file, its name with the folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. OSError when that fails; Windows does it by itself and has no call for it."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot do it at all
            raise
    finally:
        os.close(number)
