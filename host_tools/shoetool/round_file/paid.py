"""Compare what was paid at the table with what was due by the settlement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shoetool.model.errors import BadInput
from shoetool.round_file.file import Paid
from shoetool.rules.printed_meter import meter_key, wager_of_meter
from shoetool.rules.round import Line, Settlement
from shoetool.rules.wagers.catalogue import title_of


@dataclass(frozen=True, slots=True)
class Difference:
    """A payment beside what was due, in cents, won + and lost -. `lines` are the wagers that it covers."""

    position: int
    wager: str | None
    hand: int | None
    paid: int
    due: int
    lines: tuple[Line, ...]

    def what(self) -> str:
        """Which payment it is, such as `position 3, hand 2, main wager`."""
        hand = f", hand {self.hand}" if self.hand is not None else ""
        wager = f", {title_of(self.wager)}" if self.wager is not None else ""
        return f"position {self.position}{hand}{wager}"

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "position": self.position,
            "wager": self.wager,
            "hand": self.hand,
            "paid": self.paid,
            "due": self.due,
            "clauses": list(dict.fromkeys(line.clause for line in self.lines)),
        }


def differences(settlement: Settlement, paid: Iterable[Paid]) -> list[Difference]:
    """Return every payment that differs from what was due, in the order of the record. A payment for a wager that
    nobody made differs when it is not 0."""
    return [
        Difference(one.position, one.wager, one.hand, one.amount, due, lines)
        for one, due, lines in _beside(settlement, paid)
        if due != one.amount
    ]


def compared(settlement: Settlement, paid: Iterable[Paid]) -> list[Difference]:
    """Return every payment beside what was due, in the order of the record.

    A payment without a wager covers all wagers of its position (or of its hand). One without a hand covers that wager
    on all hands. Payments for the same wager are added, so a wager that was paid twice differs.
    """
    return [
        Difference(one.position, one.wager, one.hand, one.amount, due, lines)
        for one, due, lines in _beside(settlement, paid)
    ]


def _beside(settlement: Settlement, paid: Iterable[Paid]) -> Iterator[tuple[Paid, int, tuple[Line, ...]]]:
    """Yield each payment with what was due and the lines that it covers."""
    places: dict[tuple[int | None, str | None], list[Line]] = defaultdict(list)
    for line in settlement.lines:
        places[line.position, line.wager].append(line)
        places[line.position, None].append(line)
    for one in added(paid):
        here = places.get((one.position, one.wager), ())
        lines = tuple([line for line in here if one.hand is None or line.hand == one.hand])
        yield one, sum([line.net for line in lines]), lines


def unknown_meters(settlement: Settlement, meters: Mapping[str, int]) -> list[str]:
    """Return the keys of the meters that paid and are not in `meters`: an amount must not be guessed."""
    won = (meter_key(line.wager, line.meter) for line in settlement.lines if line.source == "meter" and line.won)
    return [key for key in dict.fromkeys(won) if key not in meters]


def verify_meters(settlement: Settlement, meters: Mapping[str, int]) -> None:
    """Raise BadInput when a wager won part of its meter and `meters` does not hold the meter's amount."""
    for key in unknown_meters(settlement, meters):
        raise BadInput(
            f"{title_of(wager_of_meter(key))} won of its meter, and the round does not tell what that stood at; "
            f'write "meters": {{"{key}": "7312.50"}} with the amount when the round began'
        )


def added(paid: Iterable[Paid]) -> list[Paid]:
    """Add up the payments of the same position, wager and hand, in the order of the first of each."""
    sums: dict[tuple[int, str | None, int | None], Paid] = {}
    for one in paid:
        key = (one.position, one.wager, one.hand)
        before = sums.get(key)
        sums[key] = one if before is None else replace(before, amount=before.amount + one.amount)
    return list(sums.values())


def covers(paid: Paid, line: Line) -> bool:
    """Whether a payment is for this wager, alone or among others."""
    return (
        line.position == paid.position
        and (paid.wager is None or line.wager == paid.wager)
        and (paid.hand is None or line.hand == paid.hand)
    )
