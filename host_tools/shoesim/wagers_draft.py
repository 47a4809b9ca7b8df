"""One line of a table record while it is made: what everybody who works on it sees and adds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from shoetool.model.money import dollars
from shoetool.round_file.dealt_round import Actions
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.round import Settlement, TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.mystery import Hit
from shoetool.table.round import Round
from shoetool.trust.hidden_value import Opening


class Crossing(NamedTuple):
    """What a mystery bonus's meter stood at before and after the contribution that won it, in exact cents."""

    before: Fraction
    after: Fraction


@dataclass(slots=True)
class Hidden:
    """What the progressive system did with its mystery bonuses in a round.

    shown: what their meters showed before it. accepted: (wager, position) in the order of acceptance. crossings: one
    for each of `opened`. late: what is paid in the next round.
    """

    shown: dict[str, int] = field(default_factory=dict)
    committed: list[tuple[str, Opening]] = field(default_factory=list)
    opened: list[tuple[str, Opening]] = field(default_factory=list)
    accepted: list[tuple[str, int]] = field(default_factory=list)
    won: dict[str, list[Hit]] = field(default_factory=dict)
    crossings: list[Crossing] = field(default_factory=list)
    late: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """One line of a record while it is made: what it is made from, and `line`, the JSON object that it becomes."""

    round: Round
    rules: RulesSubmission
    shoe: int | None
    actions: Actions
    rng: Random
    first_of_shoe: bool
    shoes: int
    last_seats: tuple[int, ...]
    cover_due: int | None
    seats: list[BettingPosition] = field(default_factory=list)
    table_round: TableRound | None = None
    settlement: Settlement | None = None
    meters: dict[str, int] = field(default_factory=dict)
    hidden: Hidden = field(default_factory=Hidden)
    lucky_player: int | None = None
    magic_card: int | None = None
    batch_size: int = 0
    batches: tuple[int, int] = (1, 2)
    """The batch in the shoe and the one that waits; of a double shoe those of its sides."""
    cover_behind: int | None = None
    """Cards behind the cover card when it came out of this shoe; None when it did not."""
    line: dict[str, Any] = field(default_factory=dict)


def money(amount: int) -> str:
    """Cents as a record writes them, such as 12.50 or -5.00."""
    return dollars(amount).replace(",", "")


def events_of(draft: Draft) -> list[dict[str, Any]]:
    """The events of the line, to be changed in place."""
    events: list[dict[str, Any]] = draft.line.get("events", [])
    return events


def index_of(draft: Draft, name: str) -> int:
    """Index of the first event of this name; -1 when there is none."""
    return next((at for at, event in enumerate(events_of(draft)) if event["event"] == name), -1)


def set_event(draft: Draft, name: str, after: str | None = None, **values: Any) -> bool:
    """Change the first event of this name, in a line that also has one called `after`."""
    at = index_of(draft, name)
    if at < 0 or (after is not None and index_of(draft, after) < 0):
        return False
    events_of(draft)[at].update(values)
    return True
