"""Which records of a file a valid signature covers, and for the others, the shoe after whose signed end they come.

A signature covers the pages of its shoe. By the SHA-256 in each page's header it also covers every earlier page that
the chain in the file leads to. So it also covers what was recorded after the end of the shoe before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from shoetool.history.chain import PageFact
from shoetool.trust.findings import UNPINNED, UNSIGNED, SignedShoe, TrustFinding
from shoetool.trust.trust import Trust

_NEVER: Final = 1 << 32
"""A number after the last possible record."""


class Stretch(NamedTuple):
    """Records `first` to `last` of a file. They come after the signed end of `shoe`, and no signature covers them."""

    shoe: int
    first: int
    last: int

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return self._asdict()


class Reach:
    """What the valid signatures cover. `facts`: the pages in the order of the file. `last`: its last record."""

    def __init__(self, facts: Sequence[PageFact], shoes: Sequence[SignedShoe], last: int | None) -> None:
        self._ends: list[tuple[int, int]] = []
        begins = _Begins(facts)
        covered = []
        for shoe in shoes:
            if shoe.good and shoe.pages is not None and shoe.records is not None:
                covered.append((begins.of(shoe), shoe.records[1]))
                self._ends.append((shoe.records[1], shoe.shoe))
        self._ends.sort()
        self._covered = _joined(covered)
        self._stretches = tuple(self._behind(sorted(first for first, _ in covered), -1 if last is None else last))

    def _behind(self, begins: list[int], last: int) -> Iterator[Stretch]:
        for end, shoe in self._ends:
            following = bisect_right(begins, end)
            until = min(last, begins[following] - 1) if following < len(begins) else last
            if until > end and not self.covers(end + 1):
                yield Stretch(shoe, end + 1, until)

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The runs of records after a signed end that no later signature covers."""
        return self._stretches

    def covers(self, record: int) -> bool:
        """Whether a valid signature covers a record."""
        at = bisect_right(self._covered, (record, _NEVER)) - 1
        return at >= 0 and record <= self._covered[at][1]

    def behind(self, record: int) -> int | None:
        """Return the shoe after whose signed end an uncovered record comes; None for every other record."""
        at = bisect_right(self._stretches, record, key=lambda one: one.first) - 1
        return self._stretches[at].shoe if at >= 0 and record <= self._stretches[at].last else None


def _joined(covered: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the same records in runs that do not overlap, in order."""
    rows: list[tuple[int, int]] = []
    for first, last in sorted(covered):
        if rows and first <= rows[-1][1]:
            rows[-1] = (rows[-1][0], max(rows[-1][1], last))
        else:
            rows.append((first, last))
    return rows


class _Begins:
    """Finds the first record of the earliest page that the chain leads to from a validly signed shoe's pages."""

    def __init__(self, facts: Sequence[PageFact]) -> None:
        self._begin: dict[tuple[int, bytes | None, int], int] = {}
        begin = 0
        before: PageFact | None = None
        for fact in facts:
            if before is None or before.page != fact.page - 1 or before.digest != fact.previous:
                begin = fact.first_record
            self._begin.setdefault((fact.page, fact.device, fact.shoe), begin)
            before = fact

    def of(self, shoe: SignedShoe) -> int:
        assert shoe.pages is not None and shoe.records is not None
        return self._begin.get((shoe.pages[0], shoe.device, shoe.shoe), shoe.records[0])


def required(facts: Sequence[PageFact], shoes: Sequence[SignedShoe], reach: Reach, trust: Trust) -> list[TrustFinding]:
    """Return what a history lacks when all of it must be signed by pinned keys, beyond the findings of `examine`.

    Records after a signed end are no play. `Reach.stretches` reports them; they are no finding.
    """
    if not trust.required:
        return []
    findings = [
        TrustFinding(
            UNPINNED,
            f"shoe {shoe.shoe} is signed by key {shoe.key.fingerprint}, and nobody pinned a key for its device: any "
            "key can call itself that. Compare it with the shoe's own, then pin it with shoetool keys.",
            shoe.shoe,
        )
        for shoe in shoes
        if shoe.good and shoe.key is not None and shoe.pinned is None
    ]
    of_shoe: dict[int, list[int]] = {}
    for fact in facts:
        of_shoe.setdefault(fact.shoe, []).append(fact.page)
    known = {(shoe.device, shoe.shoe) for shoe in shoes}
    bare = dict.fromkeys(
        fact.shoe for fact in facts if (fact.device, fact.shoe) not in known and not reach.covers(fact.first_record)
    )
    for number in bare:
        pages = of_shoe[number]
        findings.append(
            TrustFinding(
                UNSIGNED,
                f"history {number} (pages {min(pages)} to {max(pages)}) is under no signature: no shoe was closed in "
                "it, or its end is not in this file.",
                number,
            )
        )
    if not facts and not shoes:
        findings.append(TrustFinding(UNSIGNED, "there is nothing in this file that a shoe signed.", None))
    return findings
