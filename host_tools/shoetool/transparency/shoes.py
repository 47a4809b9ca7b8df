"""The shoes of a log, by device and number: which entries contradict each other, and which shoes are missing."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import CONTRADICTED, FORK, REUSED, LogFinding
from shoetool.trust.statement import Statement


class Logged(NamedTuple):
    """What is kept of an entry: its index in the log, what was signed, and the SHA-256 of the page before its first.

    `place` is below 0 for one that is not logged yet.
    """

    place: int
    statement: Statement
    previous: bytes

    @property
    def where(self) -> str:
        """Where it stands, in words."""
        return f"entry {self.place}" if self.place >= 0 else "another of these histories"


class Hole(NamedTuple):
    """Shoes `first` to `last` of a device that no entry is about, between the shoes `before` and `after`."""

    first: int
    last: int
    before: Logged
    after: Logged

    @property
    def words(self) -> str:
        """Which shoes they are, in words."""
        device = self.before.statement.device.hex()
        if self.first == self.last:
            return f"shoe {self.first} of device {device} is"
        return f"{self.last - self.first + 1} shoes of device {device} ({self.first} to {self.last}) are"

    @property
    def between(self) -> str:
        """What lies between the shoes before and after it, in words."""
        one, two = self.before.statement, self.after.statement
        text = (
            f"between shoe {one.shoe} and shoe {two.shoe} lie pages {one.last_page + 1} to {two.first_page - 1} and "
            f"records {one.last_record + 1} to {two.first_record - 1}"
        )
        if one.key != two.key:
            return f"{text}; the key was changed between them"
        spent = two.index - one.index - 1
        return f"{text}; the key signed {spent} time{'s' if spent != 1 else ''} there"


@dataclass(slots=True)
class Row:
    """The shoes of one device, in the order of their numbers."""

    numbers: list[int] = field(default_factory=list)
    of: dict[int, Logged] = field(default_factory=dict)

    def holes(self) -> Iterator[Hole]:
        """Yield the shoes that are missing between the first and the last."""
        for one, two in zip(self.numbers, self.numbers[1:], strict=False):
            if two > one + 1:
                yield Hole(one + 1, two - 1, self.of[one], self.of[two])

    def to_json(self, device: bytes) -> dict[str, Any]:
        """JSON types only."""
        return {
            "device": device.hex(),
            "shoes": len(self.numbers),
            "first": self.numbers[0],
            "last": self.numbers[-1],
            "missing": [[hole.first, hole.last] for hole in self.holes()],
        }


class Shoes:
    """The shoes of a log. Memory: some 700 bytes a shoe."""

    def __init__(self) -> None:
        self.rows: dict[bytes, Row] = {}
        self._used: dict[tuple[bytes, int], Logged] = {}
        """By identifier of the key and one-time index."""

    def find(self, device: bytes, shoe: int) -> Logged | None:
        """Return what is logged about a shoe."""
        row = self.rows.get(device)
        return None if row is None else row.of.get(shoe)

    def contradictions(self, entry: Entry) -> Iterator[LogFinding]:
        """Yield why an entry cannot stand beside the others. The same statement again contradicts nothing."""
        said = entry.statement
        row = self.rows.get(said.device, Row())
        known = row.of.get(said.shoe)
        if known is not None:
            if known.statement != said:
                yield self._finding(entry, FORK, known, _fork(entry, known))
            return
        used = self._used.get((said.key, said.index))
        if used is not None:
            text = (
                f"index {said.index} of key {said.key.hex()[:8]} signed {entry.shoe} and shoe {used.statement.shoe} of "
                f"device {used.statement.device.hex()} ({used.where}); a shoe never does that: the key was "
                "copied, or an old image of the shoe's flash was put back"
            )
            yield self._finding(entry, REUSED, used, text)
            return
        at = bisect_left(row.numbers, said.shoe)
        for other in row.numbers[max(0, at - 1) : at + 1]:
            near = row.of[other]
            earlier, later = sorted((near.statement, said), key=lambda one: one.shoe)
            wrong = _disorder(earlier, later)
            if wrong:
                text = (
                    f"shoe {later.shoe} cannot follow shoe {earlier.shoe} of device {said.device.hex()} (one is in "
                    f"{near.where}): it {wrong}"
                )
                yield self._finding(entry, CONTRADICTED, near, text)
                return

    def _finding(self, entry: Entry, what: str, known: Logged, text: str) -> LogFinding:
        said = entry.statement
        return LogFinding(what, text, said.device.hex(), said.shoe, known.place)

    def add(self, place: int, entry: Entry) -> None:
        """Add an entry. That it contradicts none of the others is for the caller to ask first: `contradictions`."""
        said = entry.statement
        row = self.rows.setdefault(said.device, Row())
        logged = Logged(place, said, entry.previous)
        row.of[said.shoe] = logged
        if row.numbers and said.shoe > row.numbers[-1]:
            row.numbers.append(said.shoe)
        else:
            insort(row.numbers, said.shoe)
        self._used[said.key, said.index] = logged


def _fork(entry: Entry, known: Logged) -> str:
    one, two = known.statement, entry.statement
    keys = "two keys" if one.key != two.key else "its key"
    return (
        f"{entry.shoe} stands in {known.where} with head {one.head.hex()[:16]} (index {one.index}), and here with head "
        f"{two.head.hex()[:16]} (index {two.index}): {keys} signed two histories as one shoe: one of them was put in "
        "place of the other, or an old image of the shoe's flash was put back; keep both files"
    )


def _disorder(earlier: Statement, later: Statement) -> str:
    """Return in words why a shoe cannot have been dealt after another one; empty when it can."""
    wrong = []
    if later.first_page <= earlier.last_page:
        wrong.append(f"begins with page {later.first_page}, the earlier one ends with page {earlier.last_page}")
    if later.first_record <= earlier.last_record:
        wrong.append(f"begins with record {later.first_record}, the earlier one ends with record {earlier.last_record}")
    if later.key == earlier.key and later.index <= earlier.index:
        wrong.append(f"was signed with index {later.index}, the earlier one with index {earlier.index}")
    return "; it ".join(wrong)
