"""The folders of the user: pinned keys, crash reports, the ports of virtual shoes, and what is only for the moment.

This is the one place that asks where they are. A service or a container may have no home folder: then a folder is None,
and who would use it does without.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import platformdirs

from shoetool.model.errors import BadInput
from shoetool.model.notices import note

KEYS_VARIABLE: Final = "SHOETOOL_KEYS"
CRASH_VARIABLE: Final = "SHOETOOL_CRASH_DIR"
_NAME: Final = "shoetool"


def keys_folder(named: Path | None = None) -> Path | None:
    """Return the folder of the pinned keys; it need not exist. `named`: the one that the user named.

    Without it the environment names it, else it is in the user's configuration folder. None, with a notice: there is no
    such folder. BadInput: it cannot be read. To go on without the pins that it may hold would be no check.
    """
    folder = named or _environment(KEYS_VARIABLE)
    if folder is None:
        own = _own(platformdirs.user_config_dir)
        folder = None if own is None else own / "keys"
    if folder is None:
        note(
            "this user has no home folder, so no key is pinned and nothing is remembered: name a folder with --keys or "
            f"${KEYS_VARIABLE}"
        )
        return None
    try:
        os.scandir(folder).close()
    except (FileNotFoundError, NotADirectoryError):
        pass  # nothing was pinned so far
    except OSError as error:
        raise BadInput(
            f"{folder}: the pinned keys cannot be read: {error.strerror}; name another folder with --keys or "
            f"${KEYS_VARIABLE}"
        ) from None
    return folder


def crash_folder() -> Path | None:
    """Return the folder of the crash reports; None without one."""
    return _environment(CRASH_VARIABLE) or _own(platformdirs.user_state_dir)


def virtual_folder() -> Path | None:
    """Return the folder where virtual shoes write the names of their ports, one file a process; None without one."""
    own = _own(platformdirs.user_state_dir)
    return None if own is None else own / "virtual"


@contextmanager
def temporary_folder(prefix: str = f"{_NAME}-run-") -> Iterator[Path]:
    """Make a folder for this process alone, which is gone afterwards. BadInput: no temporary folder can be used."""
    import tempfile  # it takes a while, and most commands need none

    try:
        made = tempfile.TemporaryDirectory(prefix=prefix)  # past output_file: a folder, no file
    except OSError as error:
        raise BadInput(f"no temporary folder can be used: {error.strerror or error}; name one with $TMPDIR") from None
    with made as folder:
        yield Path(folder)


def _environment(variable: str) -> Path | None:
    named = os.environ.get(variable)
    return Path(named) if named else None


def _own(ask: Callable[[str], str]) -> Path | None:
    """Return a folder of this user. None where the system knows no home: platformdirs raises, or keeps the `~`."""
    try:
        folder = Path(ask(_NAME))
    except (RuntimeError, KeyError, OSError):
        return None
    return folder if folder.is_absolute() else None
