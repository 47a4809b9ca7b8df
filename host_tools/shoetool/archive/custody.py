"""The custody log of an archive: who added which file, when, with which hash. Each line holds the hash of the last.

It is a text file that only grows, one JSON object a line. A line counts once it is whole. What a power cut leaves of
one is taken off when the next is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import CUSTODY
from shoetool.model.input_file import NoFile, open_input
from shoetool.model.output_file import make_folder, open_growing, sync_folder

NAME: Final = "custody.jsonl"
WANTED: Final = "a custody log"
LONGEST_LINE: Final = 1 << 20
START: Final = "0" * 64
"""The hash before the first line."""


@dataclass(frozen=True, slots=True)
class Added:
    """One line: a history was added.

    number: from 1. when: UTC. who: as they named themselves, and the account and computer they used. origin: where the
    file was. name: the history, below the archive's folder; record: its table record there, "" without one. before: the
    SHA-256 of the line before, hexadecimal.
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

    def line(self) -> bytes:
        """The line as it stands in the log, with its end."""
        return json.dumps(asdict(self), ensure_ascii=True, separators=(",", ":")).encode() + b"\n"

    @property
    def digest(self) -> str:
        """What the next line holds."""
        return sha256(self.line()).hexdigest()

    @classmethod
    def parse(cls, line: bytes) -> Added:
        """Return the object of a line. ValueError: it is none, or not written as it would be here."""
        values = json.loads(line)
        if not isinstance(values, dict) or set(values) != {one.name for one in fields(cls)}:
            raise ValueError("it has not the members of a line")
        for one in fields(cls):
            if not isinstance(values[one.name], int if one.type == "int" else str):
                raise ValueError(f"{one.name} is not of its type")
        added = cls(**values)
        if added.line() != line:
            raise ValueError("it was written by something else")
        return added


class Custody:
    """The custody log in an archive's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def lines(self) -> Iterator[Added]:
        """Yield every whole line, and check the chain. BadInput: where it breaks, or the log cannot be read."""
        before, number = START, 0
        try:
            with open_input(self.path, WANTED, own=True) as file:
                while line := file.readline(LONGEST_LINE + 1):
                    if not line.endswith(b"\n") and len(line) <= LONGEST_LINE:
                        return  # a power cut; the add was never told as done
                    number += 1
                    try:
                        added = Added.parse(line)
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

    def last(self) -> Added | None:
        """Return the last whole line, without a look at those before it."""
        try:
            with open_input(self.path, WANTED, own=True) as file:
                file.seek(0, os.SEEK_END)
                end = file.tell()
                at, data = end, b""
                while at > 0 and data.count(b"\n") < 2:
                    if end - at > 2 * LONGEST_LINE:
                        raise BadInput(f"{self.path}: its end is no line of a custody log")
                    at = max(0, at - 65536)
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
            return Added.parse(whole[whole.rfind(b"\n", 0, -1) + 1 :])
        except ValueError as error:
            raise BadInput(f"{self.path}: its last line was changed: {error}") from None

    def append(self, rows: Sequence[Added]) -> None:
        """Write lines behind the last whole one, durably. BadInput when they cannot be written."""
        try:
            make_folder(self.path.parent)
            with open_growing(self.path, CUSTODY, lines=True) as file:
                end = file.seek(0, os.SEEK_END)
                file.seek(max(0, end - (1 << 16)))
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
