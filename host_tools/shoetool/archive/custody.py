"""The custody log of an archive: who added which file, when, with which hash, and what the index got of it.

Each line holds the hash of the line before. It is a text file that only grows, one JSON object a line. A line counts
once it is whole. What a power cut leaves of one is taken off when the next is written.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import CUSTODY
from shoetool.model.input_file import NoFile, open_input
from shoetool.model.output_file import make_folder, open_growing, sync_folder

NAME: Final = "custody.jsonl"
WANTED: Final = "a custody log"
LONGEST_LINE: Final = 1 << 20
START: Final = "0" * 64
"""The hash before the first line."""
_TAIL: Final = 1 << 16
"""So many bytes at the end of the log hold its last line."""
OVERRIDE: Final = "--table"
"""Stands in `Added.rules` for the name of the rules submission when --table named it."""
_WINDOWS: Final = re.compile(r"[A-Za-z]:\\|\\\\")


class _Line:
    """What both kinds of lines have in common."""

    __slots__ = ()

    def line(self) -> bytes:
        """The line as it stands in the log, with its end."""
        values = {name: value for name, value in asdict(self).items() if value is not None}  # type: ignore[call-overload]
        return json.dumps(values, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"

    @property
    def digest(self) -> str:
        """What the next line holds."""
        return sha256(self.line()).hexdigest()


@dataclass(frozen=True, slots=True)
class Added(_Line):
    """One line: a history was added.

    number: of the line, from 1. when: UTC. who: as they named themselves, and the account and computer they used.
    origin: where the file was. name: the history, below the archive's folder; record: its table record there, ""
    without one. before: the SHA-256 of the line before, hexadecimal. rows: the digest of what was entered into the
    index (`rows`). keys: the pinned key of each device that was asked for one. rules: the SHA-256 of each rules
    submission that was used, by the name that the record has for it. An older shoetool wrote none of these three.
    """

    number: int
    when: str
    who: str
    account: str
    origin: str
    name: str
    size: int
    sha256: str
    record: str
    record_sha256: str
    shoetool: str
    before: str
    rows: str | None = None
    keys: Mapping[str, str] | None = None
    rules: Mapping[str, str] | None = None

    @property
    def own_name(self) -> str:
        """The name that the file had where it was."""
        return (PureWindowsPath(self.origin) if _WINDOWS.match(self.origin) else PurePosixPath(self.origin)).name


@dataclass(frozen=True, slots=True)
class Derived(_Line):
    """One line: what the index holds of a history was derived from its files again, and came out like this.

    of: the number of the line with which the history was added. The others: as in `Added`.
    """

    number: int
    when: str
    account: str
    of: int
    shoetool: str
    before: str
    rows: str
    keys: Mapping[str, str]


Line = Added | Derived
_TYPES: Final = {"int": int, "str": str, "Mapping[str, str]": dict}


def parse(line: bytes) -> Line:
    """Return the object of a line. ValueError: it is none, or not written as it would be here."""
    try:
        values = json.loads(line)
    except RecursionError:
        raise ValueError("it is no line") from None
    if not isinstance(values, dict):
        raise ValueError("it is no object")
    kind = Derived if "of" in values else Added
    known = {one.name: one for one in fields(kind)}
    if not {name for name, one in known.items() if one.default is MISSING} <= set(values) <= set(known):
        raise ValueError("it has not the members of a line")
    for name, value in values.items():
        wanted = _TYPES[str(known[name].type).removesuffix(" | None")]
        if type(value) is not wanted or (wanted is dict and not _is_texts(value)):
            raise ValueError(f"{name} is not of its type")
    added: Line = kind(**values)
    if isinstance(added, Added) and not all(map(_is_inside, (added.name, added.record or added.name))):
        raise ValueError("it names a file outside of the archive")
    if added.line() != line:
        raise ValueError("it was written by something else")
    return added


def _is_texts(value: Any) -> bool:
    """Whether a value is an object whose members are all texts."""
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


def _is_inside(name: str) -> bool:
    """Whether a name is that of a file below the archive's folder."""
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


class Custody:
    """The custody log in an archive's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def lines(self) -> Iterator[Line]:
        """Yield every whole line, and check the chain. BadInput: where it breaks, or the log cannot be read."""
        before, number = START, 0
        try:
            with open_input(self.path, WANTED, links=False, own=True) as file:
                while line := file.readline(LONGEST_LINE + 1):
                    if not line.endswith(b"\n") and len(line) <= LONGEST_LINE:
                        return  # a power cut; the add was never told as done
                    number += 1
                    try:
                        added = parse(line)
                    except ValueError as error:
                        raise BadInput(f"{self.path}: line {number} was changed: {error}") from None
                    if added.number != number or added.before != before:
                        raise BadInput(
                            f"{self.path}: line {number} does not follow the line before it: a line was changed, taken "
                            "out or put in; compare with a copy, or with the last hash that somebody noted"
                        )
                    before = added.digest
                    yield added
        except NoFile:
            return
        except OSError as error:
            raise BadInput(f"{self.path}: cannot be read: {error.strerror}") from None

    def torn(self) -> int:
        """Return how many bytes stand behind the last whole line."""
        try:
            with open_input(self.path, WANTED, links=False, own=True) as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(0, end - _TAIL))
                tail = file.read()
        except (OSError, BadInput):
            return 0  # `lines` tells it better
        return len(tail) - (tail.rfind(b"\n") + 1)

    def last(self) -> Line | None:
        """Return the last whole line, without a look at those before it."""
        try:
            with open_input(self.path, WANTED, links=False, own=True) as file:
                file.seek(0, os.SEEK_END)
                end = file.tell()
                at, data = end, b""
                while at > 0 and data.count(b"\n") < 2:
                    if end - at > 2 * LONGEST_LINE:
                        raise BadInput(f"{self.path}: its end is no line of a custody log")
                    at = max(0, at - _TAIL)
                    file.seek(at)
                    data = file.read(end - at)
        except NoFile:
            return None
        except OSError as error:
            raise BadInput(f"{self.path}: cannot be read: {error.strerror}") from None
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:
            return None
        try:
            return parse(whole[whole.rfind(b"\n", 0, -1) + 1 :])
        except ValueError as error:
            raise BadInput(f"{self.path}: its last line was changed: {error}") from None

    def append(self, rows: Sequence[Line]) -> None:
        """Write lines behind the last whole one, durably. BadInput when they cannot be written."""
        try:
            make_folder(self.path.parent)
            with open_growing(self.path, CUSTODY, lines=True) as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(0, end - _TAIL))
                tail = file.read()
                torn = len(tail) - (tail.rfind(b"\n") + 1)
                if torn:
                    file.truncate(end - torn)
                file.write(b"".join(row.line() for row in rows))
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self.path.parent)
        except OSError as error:
            raise BadInput(f"{self.path}: cannot be written: {error.strerror}") from None
