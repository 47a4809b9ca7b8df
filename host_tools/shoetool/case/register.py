"""The register of findings: who looked at which, and what became of it. It lies beside a history, never in it.

`night.shoelog.register.jsonl` grows by a line for each change and is never rewritten.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from shoetool.judge.finding import Finding
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import REGISTER
from shoetool.model.input_file import read_own
from shoetool.model.output_file import open_growing, sync_folder

WANTED: Final = "a register of findings"
OPEN: Final = "open"
STATES: Final = (OPEN, "reviewed", "closed")
_DIGITS: Final = 8
_LONGEST: Final = 2000


@dataclass(frozen=True, slots=True)
class Change:
    """One line: the finding by its id, its state from then on, by whom, when (ISO 8601), and a note."""

    finding: str
    state: str
    by: str
    at: str
    note: str = ""


def finding_ids(findings: Iterable[Finding], device: str | None) -> Iterator[str]:
    """Yield the id of each finding: hexadecimal, the same in every run over the same history and table record.

    It stands for the check, the records and the payment, not for the words. Findings that are alike in these are
    numbered.
    """
    seen: Counter[str] = Counter()
    for one in findings:
        payment = () if one.payment is None else (one.payment.position, one.payment.wager, one.payment.hand)
        told = (device, one.check, one.clause, one.round, one.records, payment)
        name = sha256(repr(told).encode()).hexdigest()[:_DIGITS]
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}-{seen[name]}"


def register_path(history: Path) -> Path:
    """Where the register of a history lies."""
    return history.with_name(f"{history.name}.register.jsonl")


class Register:
    """The changes of one history's findings, by their ids, and how many lines could not be read."""

    def __init__(self, path: Path) -> None:
        """Read it; a missing file is an empty register. BadInput when the file cannot be opened."""
        self.path = path
        self.changes: dict[str, list[Change]] = defaultdict(list)
        self.unread = 0
        for line in (read_own(path, WANTED) or b"").splitlines():
            change = _read(line)
            if change is None:
                self.unread += 1
            else:
                self.changes[change.finding].append(change)

    def state(self, finding: str) -> str:
        """The state of a finding: open until a line says otherwise."""
        changes = self.changes.get(finding)
        return changes[-1].state if changes else OPEN

    def add(self, change: Change) -> None:
        """Write a change, durably, behind the others. BadInput when that fails."""
        line = json.dumps(asdict(change), ensure_ascii=False) + "\n"
        try:
            with open_growing(self.path, REGISTER, lines=True) as file:
                if not _ends_line(file):
                    line = "\n" + line  # a line that was cut off stays a line of its own
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self.path.parent)
        except OSError as error:
            raise BadInput(f"{self.path}: cannot be written: {error.strerror}") from None
        self.changes[change.finding].append(change)


def _ends_line(file: BinaryIO) -> bool:
    """Go to the end of a file. Return whether it is empty or ends with a whole line."""
    if not file.seek(0, os.SEEK_END):
        return True
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _read(line: bytes) -> Change | None:
    try:
        values = json.loads(line)
        change = Change(**values)
    except (ValueError, TypeError, RecursionError):
        return None
    texts = (change.finding, change.state, change.by, change.at, change.note)
    if not all(isinstance(text, str) and len(text) <= _LONGEST for text in texts) or change.state not in STATES:
        return None
    return change
