"""A signed head: how long the custody log is, and the hash of its last line, as a signed note (c2sp.org/signed-note).

Whoever has one can tell later that the log only grew. Its text is never that of a checkpoint, so the key of a
transparency log can sign both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import CUSTODY_HEAD, CUSTODY_HEAD_FORMAT
from shoetool.model.input_file import open_input
from shoetool.transparency.note import MOST_BYTES, Note, SigningKey, VerifierKey, signed_by

_TEXT: Final = re.compile(
    rf"{CUSTODY_HEAD_FORMAT}\nlines (?P<lines>0|[1-9][0-9]{{0,17}})\nhash (?P<last>[0-9a-f]{{64}})\n"
    r"signed (?P<when>[0-9TZ:-]{20})\n"
)


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a custody log: its number of lines, the hash of the last, and when that was signed (UTC)."""

    lines: int
    last: str
    when: str

    @property
    def text(self) -> str:
        """The text of the note."""
        return f"{CUSTODY_HEAD_FORMAT}\nlines {self.lines}\nhash {self.last}\nsigned {self.when}\n"

    def signed(self, key: SigningKey) -> bytes:
        """Return the note, signed by this key."""
        return Note(self.text, (key.sign(self.text),)).pack()


def read_head(path: Path, key: VerifierKey) -> Head:
    """Return the head in a file. BadInput: it is none, or this key did not sign it."""
    with open_input(path, CUSTODY_HEAD.name) as file:
        note = Note.parse(file.read(MOST_BYTES + 1), str(path))
    found = _TEXT.fullmatch(note.text)
    if found is None:
        raise BadInput(f"{path}: is no signed head of a custody log, as shoetool archive check --head writes it")
    if signed_by(note, key) is None:
        raise BadInput(f"{path}: the key {key.name} did not sign it")
    return Head(int(found["lines"]), found["last"], found["when"])
