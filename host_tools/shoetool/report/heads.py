"""What the records say about the read heads' light: sentences, and how the margins changed from shoe to shoe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from shoetool.model.margin import UNKNOWN_MARGIN, percent
from shoetool.model.protocol_table import Margin, RecordKind
from shoetool.model.records import Record

LIMIT: Final = 65  # the shoe warns at this margin
BAR: Final = 40
FULL: Final = 125  # percent at the end of a bar
_SAID: Final[dict[int, str]] = {Margin.CLEAN_SOON: "CLEAN SOON", Margin.CLEAN: "clean again"}


def calibrated_sentence(name: str, before: int) -> str:
    """Return one sentence for a `calibrated` record; `name` of the head begins with a large letter."""
    return f"{name} was calibrated: its margin had been {percent(before)}."


def margin_sentence(name: str, why: int, margin: int) -> str:
    """Return one sentence for a `margin` record."""
    if why == Margin.CLEAN_SOON:
        return f"{name}: CLEAN SOON, before it fails (margin {percent(margin)})."
    return f"{name}{' is clean again' if why == Margin.CLEAN else ''}: margin {percent(margin)}."


@dataclass(frozen=True, slots=True)
class Reading:
    """What one record says about a head: shoe, head, why (enum.margin; None: calibrated), margin."""

    shoe: int
    head: int
    why: int | None
    margin: int


def readings(shoe: int, records: Iterable[Record]) -> list[Reading]:
    """Return what a history says about the heads. `shoe` is the number of the shoe that it holds or begins with."""
    found = []
    for record in records:
        if record.kind == RecordKind.MARGIN:
            found.append(Reading(shoe, record.get("head"), record.get("why"), record.get("margin")))
        elif record.kind == RecordKind.CALIBRATED:
            found.append(Reading(shoe, record.get("head"), None, record.get("margin")))
    return found


def bars(found: Sequence[Reading]) -> list[str]:
    """Return one line a reading, oldest first: shoe, a bar of the margin with the limit marked, and the reason."""
    lines = []
    limit = BAR * LIMIT // FULL
    for one in found:
        margin = 0 if one.margin == UNKNOWN_MARGIN else min(one.margin, FULL)
        length = BAR * margin // FULL
        bar = "█" * length + "·" * (BAR - length)
        said = "calibrated" if one.why is None else _SAID.get(one.why, "")
        lines.append(f"{one.shoe:>6}  {bar[:limit]}│{bar[limit:]} {percent(one.margin):>9}  {said}".rstrip())
    return lines
