"""What a history says of its read heads' light: the margins at its end, warnings, calibrations."""

from __future__ import annotations

from shoetool.model.margin import UNKNOWN_MARGIN, percent
from shoetool.model.protocol_table import Head, Margin
from shoetool.model.records import Record

_NAMES = {Head.SIDE_A: "side A", Head.SIDE_B: "side B", Head.READER: "the card reader device"}


class Heads:
    """Folds the records of margins and calibrations into notes: none of them is a breach."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}
        self._notes: list[str] = []

    def margin(self, record: Record) -> None:
        """How a head stands, and why it is told."""
        head, why, margin = record.get("head"), record.get("why"), record.get("margin")
        self._last[head] = margin
        if why == Margin.CLEAN_SOON:
            self._notes.append(
                f"{_name(head)} was to be cleaned soon: margin {percent(margin)} (record {record.number})"
            )
        elif why == Margin.CLEAN:
            self._notes.append(f"{_name(head)} was clean again: margin {percent(margin)} (record {record.number})")

    def calibrated(self, record: Record) -> None:
        """A head was calibrated."""
        self._notes.append(f"{_name(record.get('head'))} was calibrated (record {record.number})")

    def notes(self) -> list[str]:
        """What a reader of the report should know."""
        known = {head: margin for head, margin in self._last.items() if margin != UNKNOWN_MARGIN}
        said = ", ".join(f"{_name(head)} {percent(margin)}" for head, margin in sorted(known.items()))
        return self._notes + ([f"margins of the read heads at the end: {said}"] if said else [])


def _name(head: int) -> str:
    return _NAMES[Head(head)] if head in set(Head) else f"head {head}"
