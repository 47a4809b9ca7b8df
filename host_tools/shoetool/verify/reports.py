"""The shoe's report of a card and the card's own record: brought together one to one, so that an event is told once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable

from shoetool.model.records import Record
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round

Report = Callable[[list[int], DrawnCard | None, Record | None, Round | None], None]
"""Told of the records, of the card and the shoe's report where they are known, and of the round of the report."""


class Reports:
    """Pairs cards and the shoe's reports of one irregularity. Both sides name the card by the same key."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told: dict[Hashable, list[tuple[Record, Round | None]]] = {}
        self._shown: Counter[Hashable] = Counter()

    def card(self, key: Hashable, drawn: DrawnCard, record: int) -> None:
        """Record `record` shows it: the finding is made here, with the report if that came first."""
        waiting = self._told.get(key)
        if not waiting:
            self._shown[key] += 1
            self._report([drawn.record, record], drawn, None, None)
            return
        told, round_ = waiting.pop(0)
        self._report([drawn.record, record, told.number], drawn, told, round_)

    def told(self, key: Hashable, record: Record, round_: Round | None) -> None:
        """The shoe reports it: of a card that was there before, or of one that is still to come."""
        if self._shown[key]:
            self._shown[key] -= 1
        else:
            self._told.setdefault(key, []).append((record, round_))

    def flush(self, still_to_come: Container[Hashable] = ()) -> None:
        """The other cards will not come any more: the shoe's reports of them stand alone."""
        for key in [key for key in self._told if key not in still_to_come]:
            for told, round_ in self._told.pop(key):
                self._report([told.number], None, told, round_)
        self._shown.clear()
