"""Find histories: files, folders with all below them, and lists of names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from shoetool.model.input_file import open_text

ENDING: Final = ".shoelog"
_LONGEST_LINE: Final = 1 << 16
RECORD_ENDING: Final = ".jsonl"
"""Of the table record that lies beside a history under its name."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A folder or a name that gives no history, and why in one line."""

    path: str
    why: str


def histories(paths: Iterable[Path], lists: Iterable[tuple[str, TextIO]] = ()) -> Iterator[Path | Missing]:
    """Yield every history that is named, one at a time, so that memory does not grow with their number.

    A folder stands for all files below it that end with `.shoelog`, in the order of their names. Links to folders are
    not followed. A list has one path a line. What cannot be listed is yielded as Missing.
    """
    for path in paths:
        yield from _below(path)
    for name, lines in lists:
        try:
            while line := lines.readline(_LONGEST_LINE):
                if len(line) == _LONGEST_LINE:
                    yield Missing(name, f"{name}: is no list of paths: one of its lines is longer than a path can be")
                    break
                if named := line.rstrip("\r\n"):
                    yield from _below(Path(named))
        except (OSError, UnicodeError) as error:
            yield Missing(name, f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}")


def _below(path: Path) -> Iterator[Path | Missing]:
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError) as error:
        yield Missing(str(path), f"{path}: {error}")
        return
    if not is_folder:
        yield path  # its reader tells what is wrong with it
        return
    troubles: list[Missing] = []

    def note(error: OSError) -> None:
        where = error.filename or path
        troubles.append(Missing(str(where), f"{where}: this folder cannot be read: {error.strerror}"))

    empty = True
    for folder, inner, names in os.walk(path, onerror=note):
        inner.sort()
        for name in sorted(names):
            if name.endswith(ENDING):
                empty = False
                yield Path(folder, name)
    yield from troubles
    if empty and not troubles:
        yield Missing(str(path), f"{path}: no file in this folder or below it ends with {ENDING}")


def sized(found: Iterable[Path | Missing], missing: list[Missing]) -> Iterator[tuple[Path, int]]:
    """Yield each history with its bytes, 0 for a file that is not there. What gives no history goes into `missing`."""
    for one in found:
        if isinstance(one, Missing):
            missing.append(one)
            continue
        try:
            size = one.stat().st_size
        except (OSError, ValueError):
            size = 0
        yield one, size


def count(found: Iterable[Path | Missing]) -> tuple[int, int]:
    """Return how many histories there are, and how many bytes they have together. A file that is missing has none."""
    files = size = 0
    for _, own in sized(found, []):
        files += 1
        size += own
    return files, size


def open_list(name: str) -> TextIO:
    """Open a list of paths; a pipe will do. BadInput when it cannot be opened."""
    return open_text(name, "a list of paths", pipe=True)  # such as <(find ...)
