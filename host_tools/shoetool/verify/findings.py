"""Findings and the report they make: what was found, under which clause, and which records prove it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from shoetool.history.readings import Basis
from shoetool.history.store import ShoelogReader
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, VERDICTS, Finding
from shoetool.table.replay import shoe_json
from shoetool.table.table import Table
from shoetool.trust.findings import SignedShoe
from shoetool.trust.reach import Reach, Stretch
from shoetool.verify.recorded import SETTLED, Recorded

_MANY: Final = {BREACH: "breaches", HANDLED: "irregularities handled"}

VERIFIED: Final = "verified"
PART: Final = "part"
NO_SHOE: Final = "no shoe"
FINDINGS: Final = "findings"


class StartTimes(NamedTuple):
    """What the times of day of one start of the device rest on. `boot`: its boot counter."""

    boot: int
    basis: Basis

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {"boot": self.boot, "basis": self.basis.word}


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
    cut: bool = False
    """The file itself lacks something: it ends within a chunk, bytes of it are damaged, or it holds no record."""
    chain_ok: bool = True
    face_down: int = 0
    """Cards that still lie face down in this history: what they are is unknown."""
    dropped: int = 0
    """Findings beyond the most that a report keeps."""
    table_rounds: int | None = None
    """Rounds that were judged with their line of a table record; None without one."""
    evidence: list[Recorded] = field(default_factory=list)
    """What the table record has of the rounds that were judged with it."""
    notes: list[str] = field(default_factory=list)
    """What else was odd about the file: half-written end, harmless traces of power cuts."""
    signatures: list[SignedShoe] = field(default_factory=list)
    """What is known about the signature of each closed shoe."""
    behind_signed_end: list[Stretch] = field(default_factory=list)
    """Records behind the signed end of a shoe that no signature in the file covers."""
    times: list[StartTimes] = field(default_factory=list)
    """What times of day rest on, for each start of the device with a reading of the clock."""

    @classmethod
    def of(cls, table: Table) -> Summary:
        """What the table knows at the end of the history."""
        shoe = shoe_json(table) if table.shoes else {}
        return cls(
            shoes=table.shoes,
            game=shoe.get("game"),
            shoe_kind=shoe.get("shoe_kind"),
            decks=table.decks,
            table=table.number,
            rounds=table.rounds,
            cards=table.cards,
            boots=table.boots,
            face_down=len(table.face_down),
        )

    @property
    def left_out(self) -> list[Recorded]:
        """What the table record leaves out in some round: nobody can tell whether that was right."""
        return [row for row in self.evidence if row.count < row.of]

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        out = {name: getattr(self, name) for name in self.__slots__}
        return out | {
            "evidence": [row.to_json() for row in self.evidence],
            "signatures": [shoe.to_json() for shoe in self.signatures],
            "behind_signed_end": [stretch.to_json() for stretch in self.behind_signed_end],
            "times": [start.to_json() for start in self.times],
        }


@dataclass(slots=True)
class Report:
    """Findings in the order of their last record, acts of tampering before all others, and the summary."""

    findings: list[Finding]
    summary: Summary
    reach: Reach | None = None
    """What valid signatures cover; None where no file was read."""

    def vouch(self, reader: ShoelogReader) -> None:
        """Let a reader of the same file know which readings of the clock are signed, before it gives a time."""
        if self.reach is not None:
            reader.clock.vouch(self.reach.covers)

    @property
    def ok(self) -> bool:
        """Whether nothing was found; see `verdict` for what that is worth."""
        return not self.findings

    @property
    def verdict(self) -> str:
        """`findings`; without any `verified` of whole shoes, `part` of what is none, `no shoe` of a mere start."""
        if self.findings:
            return FINDINGS
        if self.summary.records and not (self.summary.shoes or self.summary.cards):
            return NO_SHOE
        whole = self.summary.complete and self.summary.chain_ok
        return VERIFIED if whole and not self.summary.left_out else PART

    def count(self, verdict: str) -> int:
        """How many findings have this verdict."""
        return sum(finding.verdict == verdict for finding in self.findings)

    def headline(self) -> str:
        """One line. Only whole shoes get `verified, 0 findings`."""
        if self.ok:
            if self.summary.left_out and self.summary.complete and self.summary.chain_ok:
                if any(row.what == SETTLED for row in self.summary.left_out):
                    return "0 findings in what can be checked; not every round is settled"
                return "0 findings in the table record's entries"
            return {
                VERIFIED: "verified, 0 findings",
                PART: "0 findings in a part of a shoe",
                NO_SHOE: "no shoe in this file (start and settings only): nothing to verify",
            }[self.verdict]
        found = {verdict: self.count(verdict) for verdict in VERDICTS}
        number = len(self.findings) + self.summary.dropped
        if self.summary.cut:
            found[CANNOT_TELL] -= 1  # the cut itself
            number -= 1
        parts = [f"{n} {_MANY.get(verdict, verdict) if n > 1 else verdict}" for verdict, n in found.items() if n]
        text = f"{number} finding{'s' if number != 1 else ''}"
        if self.summary.cut:
            text = f"incomplete: {text} in the records that are here"
        text += f": {', '.join(parts)}" if parts else ""
        return text + "; a part of the history is missing" if self.summary.cut else text

    def to_json(self) -> dict[str, Any]:
        """The report as verify.schema.json has it."""
        return {
            "verdict": self.verdict,
            "headline": self.headline(),
            "summary": self.summary.to_json(),
            "findings": [finding.to_json() for finding in self.findings],
        }
