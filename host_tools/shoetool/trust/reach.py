"""Which records of a file lie under a signature that holds, and behind the signed end of which shoe the others stand.

A signature covers the pages of its shoe and, by the SHA-256 in the header of each page, every page before them that is
in the file and is continued: so also what was recorded behind the end of the shoe before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from shoetool.history.chain import PageFact
from shoetool.trust.signed_history import UNPINNED, UNSIGNED, SignedShoe, Trust, TrustFinding


class Stretch(NamedTuple):
    """Records `first` to `last` of a file, which stand behind the signed end of `shoe` and are under no signature."""

    shoe: int
    first: int
    last: int

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return self._asdict()


class Reach:
    """What the signatures that hold reach. `facts`: the pages in the order of the file; `last`: its last record."""

    def __init__(self, facts: Sequence[PageFact], shoes: Sequence[SignedShoe], last: int | None) -> None:
        self._covered: list[tuple[int, int]] = []
        ends: list[tuple[int, int]] = []
        for shoe in shoes:
            if shoe.good and shoe.pages is not None and shoe.records is not None:
                self._covered.append((_begin(facts, shoe), shoe.records[1]))
                ends.append((shoe.records[1], shoe.shoe))
        ends.sort()
        self._stretches = tuple(self._behind(ends, -1 if last is None else last))

    def _behind(self, ends: list[tuple[int, int]], last: int) -> Iterator[Stretch]:
        begins = [first for first, _ in self._covered]
        for end, shoe in ends:
            until = min([last, *(first - 1 for first in begins if first > end)])
            if until > end and not self.covers(end + 1):
                yield Stretch(shoe, end + 1, until)

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The records behind a signed end that no later signature covers, in rows."""
        return self._stretches

    def covers(self, record: int) -> bool:
        """Whether a record is under a signature that holds."""
        return any(first <= record <= last for first, last in self._covered)

    def behind(self, record: int) -> int | None:
        """The shoe behind whose signed end an uncovered record stands; None for every other record."""
        return next((one.shoe for one in self._stretches if one.first <= record <= one.last), None)


def _begin(facts: Sequence[PageFact], shoe: SignedShoe) -> int:
    """First record of the earliest page that the chain leads to from the pages of a shoe that holds."""
    assert shoe.pages is not None and shoe.records is not None
    whose = (shoe.pages[0], shoe.device, shoe.shoe)
    at = next((i for i, fact in enumerate(facts) if (fact.page, fact.device, fact.shoe) == whose), None)
    if at is None:
        return shoe.records[0]
    while at and facts[at - 1].page == facts[at].page - 1 and facts[at - 1].digest == facts[at].previous:
        at -= 1
    return facts[at].first_record


def required(facts: Sequence[PageFact], shoes: Sequence[SignedShoe], reach: Reach, trust: Trust) -> list[TrustFinding]:
    """What a history lacks for whoever asks that all of it is signed by keys that are pinned, beyond `examine`.

    Records behind a signed end are no play and are told by `Reach.stretches`: that they are there is no finding.
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
    known = {(shoe.device, shoe.shoe) for shoe in shoes}
    bare = dict.fromkeys(
        fact.shoe for fact in facts if (fact.device, fact.shoe) not in known and not reach.covers(fact.first_record)
    )
    for number in bare:
        pages = [fact.page for fact in facts if fact.shoe == number]
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
