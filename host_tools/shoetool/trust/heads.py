"""Heads of signed histories, for two sides that compare what each saw: readable text, one line a shoe.

Somebody may show one side a history, and show the other side another one or none. The comparison finds that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_input
from shoetool.trust.pins import PinStore

FIRST_LINE: Final = "shoetool heads 1"
_LINE: Final = re.compile(r"([0-9a-f]{16}) ([0-9a-f]{32}) (\d{1,10}) (\d{1,10}) (\d{1,10}) ([0-9a-f]{64})")
_MOST_BYTES: Final = 1 << 26
_MOST_NAMED: Final = 12


@dataclass(frozen=True, slots=True, order=True)
class Head:
    """The head of one signed shoe: device and key identifier (hexadecimal), shoe, one-time index, last record, and the
    SHA-256 that was signed (hexadecimal)."""

    device: str
    key: str
    shoe: int
    index: int
    record: int
    head: str

    @property
    def line(self) -> str:
        """The head as a line of the text."""
        return " ".join(map(str, astuple(self)))

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return asdict(self)


@dataclass(slots=True)
class Compared:
    """The result of a comparison.

    `same` are the heads that both sides have. `found` are those that one side saw differently or not at all. `notes`
    are only notes.
    """

    same: int = 0
    found: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {"same": self.same, "found": self.found, "notes": self.notes}


def seen_heads(store: PinStore) -> list[Head]:
    """Return the heads of all histories that pinned keys signed and that were verified here."""
    return sorted(
        Head(one.device.hex(), one.key.hex(), one.shoe, one.index, one.last_record, one.head.hex())
        for device in store.devices()
        for one in store.statements(device)
        if one.device == device
    )


def heads_text(heads: Sequence[Head]) -> str:
    """Return the text for the other side. Its last line can be read aloud, and is the same when all heads are."""
    lines = "".join(f"{head.line}\n" for head in heads)
    digits = sha256(lines.encode()).hexdigest()
    spoken = " ".join(digits[at : at + 4] for at in range(0, 32, 4))
    return f"{FIRST_LINE}\n{lines}# {len(heads)} head{'s' if len(heads) != 1 else ''}, all of them: {spoken}\n"


def read_heads(path: Path) -> list[Head]:
    """Return the heads from a text. BadInput names a line that is no head."""
    lines = read_input(path, "a list of heads", _MOST_BYTES).decode("utf-8", "replace").splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise BadInput(f"{path}: is no list of heads (its first line is to be: {FIRST_LINE})")
    heads = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise BadInput(f"{path}: line {number} is no head: device, key, shoe, index, record and head are wanted")
        device, key, shoe, index, record, head = found.groups()
        heads.append(Head(device, key, int(shoe), int(index), int(record), head))
    return heads


def compare_heads(mine: Iterable[Head], theirs: Iterable[Head]) -> Compared:
    """Compare what this side and the other side saw of the same devices and keys."""
    said = Compared()
    by_key: dict[tuple[str, str], tuple[dict[int, set[Head]], dict[int, set[Head]]]] = {}
    for side, heads in enumerate((mine, theirs)):
        for head in heads:
            by_key.setdefault((head.device, head.key), ({}, {}))[side].setdefault(head.shoe, set()).add(head)
    for (device, key), (here, there) in sorted(by_key.items()):
        if not here or not there:
            which = "the other list" if not here else "this side"
            said.notes.append(f"device {device}: only {which} has heads of its key {key[:8]}; nothing is compared")
            continue
        _compare_key(device, here, there, said)
    return said


def _compare_key(device: str, here: dict[int, set[Head]], there: dict[int, set[Head]], said: Compared) -> None:
    for shoe in sorted(here.keys() & there.keys()):
        if here[shoe] == there[shoe]:
            said.same += len(here[shoe])
        else:
            said.found.append(
                f"device {device}: shoe {shoe} has another head there than here: "
                "one of the two was shown another history"
            )
    known = min(here)
    unseen = [shoe for shoe in sorted(there.keys() - here.keys()) if shoe > known]
    if unseen:
        said.found.append(
            f"device {device}: {_shoes(unseen)} was seen there and not here: "
            "withheld from this side, or not verified yet"
        )
    older = [shoe for shoe in there.keys() - here.keys() if shoe < known]
    if older:
        said.notes.append(f"device {device}: {_shoes(sorted(older))} there is from before the first that was seen here")
    alone = sorted(here.keys() - there.keys())
    if alone:
        said.notes.append(f"device {device}: {_shoes(alone)} was seen here and not there")
    used = {head.index: head.shoe for heads in here.values() for head in heads}
    for heads in there.values():
        for head in sorted(heads):
            if used.get(head.index, head.shoe) != head.shoe:
                said.found.append(
                    f"device {device}: index {head.index} signed shoe {head.shoe} there "
                    f"and shoe {used[head.index]} here"
                )


def _shoes(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - _MOST_NAMED} more" if len(numbers) > _MOST_NAMED else ""
    return f"shoe {', '.join(map(str, numbers[:_MOST_NAMED]))}{more}"
