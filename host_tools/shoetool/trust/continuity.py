"""Whether histories of one device follow one another: the files verified together, and what was verified before.

A device numbers its shoes, pages and records without a gap. Each signature spends one index of its key. The first page
of a shoe holds the SHA-256 of the page before. So a withheld history leaves a hole between two others, and a false
history contradicts a true one. Only a withheld newest history leaves no hole: SECURITY.md says what helps there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from shoetool.history.chain import PageFact
from shoetool.trust.findings import CONTRADICTED, WITHHELD, TrustFinding
from shoetool.trust.keys import PublicKey
from shoetool.trust.statement import Statement

MEMORY = "what was verified here before"


@dataclass(frozen=True, slots=True)
class Held:
    """The pages of one shoe in one file.

    It has the numbers of the first and last page and record, the SHA-256 of the page before the first one (from its
    header), and the SHA-256 of the last page.
    """

    file: str
    first_page: int
    last_page: int
    first_record: int
    last_record: int
    previous: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Signed:
    """A statement that a key signed, and where it was found: in a file, or among what was verified before."""

    statement: Statement
    where: str


@dataclass(slots=True)
class Row:
    """What is known about the shoes of one device, by number."""

    held: dict[int, Held] = field(default_factory=dict)
    signed: dict[PublicKey, dict[int, Signed]] = field(default_factory=dict)
    others: list[tuple[PublicKey, Signed, Signed]] = field(default_factory=list)
    """Two statements of one key about one shoe."""


@dataclass(slots=True)
class Followed:
    """The result for one device: `found` are findings, `notes` are only notes."""

    device: bytes
    shoes: tuple[int, ...]
    """The numbers of the shoes in the files with a valid signature."""
    found: list[TrustFinding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Continuity:
    """Collects what each file holds, then checks how the files follow one another. Memory: some 300 bytes a shoe."""

    def __init__(self) -> None:
        self._rows: dict[bytes, Row] = {}

    @property
    def devices(self) -> tuple[bytes, ...]:
        """The devices with something collected."""
        return tuple(self._rows)

    def pages(self, file: str, facts: Sequence[PageFact], last_record: int | None) -> None:
        """Add the pages of a file. The last page ends with `last_record`."""
        begin = 0
        for at, fact in enumerate(facts):
            following = facts[at + 1] if at + 1 < len(facts) else None
            if following is not None and (following.device, following.shoe) == (fact.device, fact.shoe):
                continue
            end = last_record if following is None else following.first_record - 1
            first = facts[begin]
            held = Held(
                file, first.page, fact.page, first.first_record, -1 if end is None else end, first.previous, fact.digest
            )
            self.hold(fact.device, fact.shoe, held)
            begin = at + 1

    def hold(self, device: bytes, shoe: int, held: Held) -> None:
        """Add the pages of one shoe of a file. Of two files with the same shoe the longer one counts."""
        row = self._rows.setdefault(device, Row())
        before = row.held.get(shoe)
        if before is None or before.last_record < held.last_record:
            row.held[shoe] = held

    def held(self) -> Iterator[tuple[bytes, int, Held]]:
        """Yield device, shoe and pages of every shoe that was added."""
        for device, row in self._rows.items():
            for shoe, held in row.held.items():
                yield device, shoe, held

    def statements(self) -> Iterator[tuple[PublicKey, Statement, str]]:
        """Yield the key, the statement, and where it was found, of every signature that was added."""
        for row in self._rows.values():
            for key, known in row.signed.items():
                for one in known.values():
                    yield key, one.statement, one.where
            for key, _, other in row.others:
                yield key, other.statement, other.where

    def signed(self, key: PublicKey, statement: Statement, where: str) -> None:
        """Add a statement with a valid signature by `key`."""
        row = self._rows.setdefault(statement.device, Row())
        known = row.signed.setdefault(key, {})
        one = Signed(statement, where)
        before = known.setdefault(statement.shoe, one)
        if before.statement != statement:
            row.others.append((key, before, one))

    def follow(self, memory: Iterable[tuple[PublicKey, Statement]], required: bool) -> list[Followed]:
        """Return the result for each device with valid signatures, from the added files and what was verified before.

        With `required` a withheld shoe is a finding, else a note. A contradiction is always a finding.
        """
        out = []
        remembered: dict[PublicKey, list[Statement]] = {}
        for key, statement in memory:
            remembered.setdefault(key, []).append(statement)
        for device, row in self._rows.items():
            if not row.signed:
                continue
            shoes = tuple(sorted({shoe for known in row.signed.values() for shoe in known}))
            said = Followed(device, shoes)
            for key, known in row.signed.items():
                joined = dict(known)
                for statement in remembered.get(key, ()):
                    if statement.device == device:
                        one = joined.setdefault(statement.shoe, Signed(statement, MEMORY))
                        if one.statement != statement:
                            row.others.append((key, Signed(statement, MEMORY), one))
                said.found += _order(joined)
                said.notes += _spent(joined)
                for text, shoe in _holes(device, row, joined):
                    if required:
                        said.found.append(TrustFinding(WITHHELD, text, shoe))
                    else:
                        said.notes.append(f"{WITHHELD}: {text}")
            said.found += [_two(key, one, other) for key, one, other in row.others]
            _pages(row, said)
            out.append(said)
        return out


def _two(key: PublicKey, one: Signed, other: Signed) -> TrustFinding:
    shoe = other.statement.shoe
    text = (
        f"key {key.fingerprint} signed two histories as shoe {shoe}: that in {one.where} (index {one.statement.index}) "
        f"and that in {other.where} (index {other.statement.index}); a shoe signs each once: the key was copied, or an "
        "old image of the shoe's flash was put back."
    )
    return TrustFinding(CONTRADICTED, text, shoe)


def _order(known: dict[int, Signed]) -> Iterator[TrustFinding]:
    """Check that a later shoe has later pages and records, and a later index."""
    row = [known[shoe] for shoe in sorted(known)]
    for before, after in pairwise(row):
        one, two = before.statement, after.statement
        wrong = []
        if two.first_page <= one.last_page:
            wrong.append(f"begins with page {two.first_page}, shoe {one.shoe} ends with page {one.last_page}")
        if two.first_record <= one.last_record:
            wrong.append(f"begins with record {two.first_record}, shoe {one.shoe} ends with record {one.last_record}")
        if two.index <= one.index:
            wrong.append(f"was signed with index {two.index}, shoe {one.shoe} with index {one.index}")
        if wrong:
            text = f"shoe {two.shoe} ({after.where}) cannot follow shoe {one.shoe} ({before.where}): it "
            yield TrustFinding(CONTRADICTED, f"{text}{'; it '.join(wrong)}.", two.shoe)


def _spent(known: dict[int, Signed]) -> Iterator[str]:
    """Report indices that were spent between two consecutive shoes: nothing in the files says for what."""
    for shoe, one in sorted(known.items()):
        after = known.get(shoe + 1)
        count = 0 if after is None else after.statement.index - one.statement.index - 1
        if after is not None and count > 0 and after.where != MEMORY:
            yield (
                f"between shoe {shoe} and shoe {shoe + 1} {_signatures(count)} went to no history that is here: a "
                "power cut while it signed, or another history of one of the two"
            )


def _holes(device: bytes, row: Row, known: dict[int, Signed]) -> Iterator[tuple[str, int]]:
    """Find shoes that are neither in the files nor known from before: between known shoes, or before a file's shoe."""
    shoes = sorted(known)
    for before, after in pairwise(shoes):
        if known[after].where == MEMORY:
            continue
        one, two = known[before].statement, known[after].statement
        missing = [
            shoe
            for shoe in range(before + 1, min(after, before + 1000))
            if (held := row.held.get(shoe)) is None or not one.last_page < held.first_page < two.first_page
        ]
        if not missing:
            continue
        which = f"shoe {missing[0]} of device {device.hex()} is"
        if len(missing) > 1:
            which = f"{len(missing)} shoes of device {device.hex()} ({missing[0]} to {missing[-1]}) are"
        text = (
            f"{which} not in these files: withheld, or not fetched. Between shoe {before} ({known[before].where}) and "
            f"shoe {after} ({known[after].where}) lie pages {one.last_page + 1} to {two.first_page - 1}, records "
            f"{one.last_record + 1} to {two.first_record - 1}, and {_signatures(two.index - one.index - 1)}."
        )
        yield text, missing[0]


def _signatures(count: int) -> str:
    return f"{count} signature{'s' if count != 1 else ''} of the key"


def _pages(row: Row, said: Followed) -> None:
    """Check that each shoe in the files continues the one before it."""
    grown: list[int] = []
    for shoe, held in sorted(row.held.items()):
        before = row.held.get(shoe - 1)
        if before is None or before.file == held.file:
            continue  # the chain within one file is checked with that file
        if held.first_page > before.last_page + 1 or held.first_record > before.last_record + 1:
            grown.append(shoe - 1)
        elif held.previous != before.digest:
            text = (
                f"shoe {shoe} ({held.file}) does not continue page {before.last_page} of shoe {shoe - 1} as it stands "
                f"in {before.file} (SHA-256): the page was changed after the shoe had written it, or fetched before a "
                "power cut left its mark in it: fetch it again."
            )
            said.found.append(TrustFinding(CONTRADICTED, text, shoe))
    if grown:
        said.notes.append(
            f"what stands behind the end of shoe {', '.join(map(str, grown))}, before the next shoe, is not in these "
            "files (commands, settings, restarts): fetch again"
        )
