"""Prove that the files, the custody log and the index of an archive agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from shoetool.archive.custody import START
from shoetool.archive.keeper import HISTORIES, Archive
from shoetool.model.errors import BadInput
from shoetool.model.input_file import NoFile, digest_of


@dataclass(slots=True)
class Checked:
    """What a check came to. `found`: what is wrong, a line each. `notes`: what is good to know.

    `last`: hash of the last line of the custody log. Who noted it can tell later that the log was not written anew.
    """

    histories: int = 0
    entered: int = 0
    last: str = START
    found: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def check(archive: Archive, advance: Callable[[int], None], noted: str | None = None) -> Checked:
    """Hash every file again and compare. `noted`: the hash of a line that somebody noted: it must be in the log."""
    out = Checked()
    known: set[str] = set()
    rows = {number: (name, digest) for number, name, digest in archive.index.entries()}
    met = noted is None or noted == START
    try:
        for added in archive.custody.lines():
            out.histories += 1
            out.last = added.digest
            met = met or added.digest == noted
            known |= {added.name, added.record}
            for name, digest in ((added.name, added.sha256), (added.record, added.record_sha256)):
                if name:
                    _compare(archive.folder, name, digest, added.number, out)
            row = rows.pop(added.number, None)
            if row is None:
                out.notes.append(f"line {added.number} of the log ({added.name}) is not in the index yet")
            elif row != (added.name, added.sha256):
                out.found.append(f"the index has another history for line {added.number} of the log: {row[0]}")
            else:
                out.entered += 1
            advance(added.size)
    except BadInput as error:
        out.found.append(str(error))
    for number, (name, _) in sorted(rows.items()):
        out.found.append(f"the index has a history that is not in the log: {name} (number {number})")
    if not met:
        out.found.append(f"no line of the log has the hash {noted}: the log was cut, or written anew")
    for path in sorted((archive.folder / HISTORIES).rglob("*")):
        name = path.relative_to(archive.folder).as_posix()
        if path.is_file() and name not in known:
            out.notes.append(f"{name}: is not in the log: left by an add that was cut off, or put here by somebody")
    return out


def _compare(folder: Path, name: str, digest: str, number: int, out: Checked) -> None:
    path = folder / name
    try:
        now = digest_of(path, "a file of the archive")
    except NoFile:
        out.found.append(f"{name}: is missing (line {number} of the log)")
        return
    except BadInput as error:
        out.found.append(str(error))
        return
    if now != digest:
        out.found.append(f"{name}: was changed since it was added (line {number} of the log)")
