"""Findings and the report they make: what was found, under which clause, and which records prove it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from shoetool.model.cards import card_name

BREACH: Final = "breach"
HANDLED: Final = "irregularity handled"
CANNOT_TELL: Final = "cannot tell"
VERDICTS: Final = (BREACH, HANDLED, CANNOT_TELL)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the analyst should know.

    `clause` is that of the game's chapter, `check` the name in CHECKS.md, `records` the record numbers that prove it,
    `cards` the ids of cards that were dealt or opened (never one that still lies face down), `round` the round number
    or None, `sentence` what happened and `reading` how the clause was read.
    """

    clause: str
    check: str
    verdict: str
    records: tuple[int, ...]
    cards: tuple[int, ...]
    round: int | None
    sentence: str
    reading: str

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "clause": self.clause,
            "check": self.check,
            "verdict": self.verdict,
            "records": list(self.records),
            "cards": [card_name(card) for card in self.cards],
            "round": self.round,
            "sentence": self.sentence,
            "reading": self.reading,
        }


@dataclass(slots=True)
class Summary:
    """What was verified. `complete` when the history begins with an opened shoe and ends with a closed one."""

    device: str | None = None
    shoes: int = 0
    game: str | None = None
    shoe_kind: str | None = None
    decks: int = 0
    table: int = 0
    rounds: int = 0
    cards: int = 0
    records: int = 0
    boots: int = 0
    first_record: int | None = None
    last_record: int | None = None
    complete: bool = False
    chain_ok: bool = True
    face_down: int = 0
    """Cards that still lie face down in this history: what they are is unknown."""
    dropped: int = 0
    """Findings beyond the most that a report keeps."""
    notes: list[str] = field(default_factory=list)
    """What else was odd about the file: half-written end, harmless traces of power cuts."""

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Report:
    """Findings in the order of their first record, and the summary."""

    findings: list[Finding]
    summary: Summary

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def count(self, verdict: str) -> int:
        """How many findings have this verdict."""
        return sum(finding.verdict == verdict for finding in self.findings)

    def headline(self) -> str:
        """One line, such as `verified, 0 findings`; a history that is no whole shoe says so."""
        if self.ok:
            return "verified, 0 findings" if self.summary.complete else "0 findings in a part of a shoe"
        parts = [f"{self.count(verdict)} {verdict}" for verdict in VERDICTS if self.count(verdict)]
        number = len(self.findings) + self.summary.dropped
        return f"{number} finding{'s' if number != 1 else ''}: {', '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """The report as verify.schema.json has it."""
        return {
            "verdict": "verified" if self.ok else "findings",
            "headline": self.headline(),
            "summary": self.summary.to_json(),
            "findings": [finding.to_json() for finding in self.findings],
        }
