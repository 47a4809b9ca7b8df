"""What is known about one round of a history: the facts of a case. `told` puts them into words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoetool.case.settled import Settled
from shoetool.history.start_clock import Moment
from shoetool.judge.finding import Finding
from shoetool.model.printable import clean
from shoetool.model.times import Zone
from shoetool.table.actions import CardPlaced
from shoetool.table.round import Round
from shoetool.trust.findings import SignedShoe
from shoetool.verify import Report


@dataclass(frozen=True, slots=True)
class Source:
    """One file that the case rests on: its name and the SHA-256 of its bytes in hex."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class Event:
    """One record of the round. moment: when it was written, None where that is not known.

    placed: the card that it drew, and where that came to lie; None for a record that drew none. opens: the record that
    drew the card whose face it tells; -1 for a record that opens none.
    """

    record: int
    kind: int
    moment: Moment | None
    sentence: str
    placed: CardPlaced | None = None
    opens: int = -1


@dataclass(frozen=True, slots=True)
class Case:
    """One round of a history with all that is known about it.

    sources: the history, and the table record where there is one. device, shoe: the numbers of the device (hex) and of
    its shoe. setup: game, decks, table and more, as the shoe was opened. events: its records in order. began, ended:
    None where not known. settled: its settlement with the wagers of the table record. unsettled: why there is none.
    headline: what `verify` says of the whole history. findings: those of this round. others: how many the rest of the
    history has. history_findings: those that belong to no round, acts of tampering first. signatures: who signed what.
    missing: what is not known of the round, a sentence each. notes: what else was odd about the history.
    """

    sources: tuple[Source, ...]
    device: str | None
    shoe: int | None
    setup: Mapping[str, Any]
    round: Round
    events: tuple[Event, ...]
    began: Moment | None
    ended: Moment | None
    zone: Zone
    settled: Settled | None
    unsettled: str
    headline: str
    verdict: str
    findings: tuple[Finding, ...]
    history_findings: tuple[Finding, ...]
    others: int
    signatures: tuple[SignedShoe, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def number(self) -> int:
        """The number of the round in its shoe."""
        return self.round.number

    @property
    def title(self) -> str:
        """What it is called: `Round 3 of shoe 12`."""
        return f"Round {self.number}" + ("" if self.shoe is None else f" of shoe {self.shoe}")

    @property
    def unknown(self) -> tuple[str, ...]:
        """All that is not known, a clean sentence each: why it is not settled first."""
        return tuple(map(clean, filter(None, (self.unsettled, *self.missing))))

    @property
    def name(self) -> str:
        """What files of this case are called: `case-shoe-12-round-3`."""
        shoe = "" if self.shoe is None else f"shoe-{self.shoe}-"
        return f"case-{shoe}round-{self.number}"


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, and when its round began and ended, None where not known."""

    finding: Finding
    began: Moment | None
    ended: Moment | None


@dataclass(frozen=True, slots=True)
class Night:
    """One history, and the cases of its rounds that are asked for.

    sources: the table record where there is one. report: what `verify` says of the whole. missing: what is not known
    of its times, a sentence each. rounds: how many rounds are asked for, of which `cases` may be a part.
    found: the findings of all its rounds, asked for or not, with their times.
    """

    source: Source
    sources: tuple[Source, ...]
    report: Report
    cases: tuple[Case, ...]
    missing: tuple[str, ...]
    zone: Zone
    rounds: int
    found: tuple[Found, ...]
