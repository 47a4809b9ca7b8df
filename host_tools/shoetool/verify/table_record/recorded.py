"""What a table record has of each round, counted. What it leaves out is not checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from shoetool.round_file.file import Entry
from shoetool.round_file.left_out import picks_due
from shoetool.rules.round import Settlement
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.verify.recorded import BETWEEN, CUT, SETTLED, SHUFFLE, Recorded

PAYMENTS: Final = "payments"
SETTLING: Final = "when wagers were settled"
CLOSE: Final = "close of bets"
METERS: Final = "meters"
PLAYERS: Final = "players"
_MOST_NAMED: Final = 12


class Evidence:
    """Counts what the lines of one history's rounds have. Memory does not grow with them."""

    def __init__(self) -> None:
        self._rows: dict[str, Recorded] = {}

    def take(
        self,
        number: int,
        entry: Entry,
        rules: RulesSubmission,
        settlement: Settlement | None,
        void: bool,
        first: bool,
        before: Iterable[tuple[str, bool]],
    ) -> list[str]:
        """Count round `number`, the `first` of its shoe or not. Return what it leaves out, by the names above.

        `before` has what it should have of the time before the round, and whether it does.
        """
        missing = []
        for what, there in chain(_due(entry, rules, settlement, void, first), before):
            self.count(what, number, there)
            if not there:
                missing.append(what)
        return missing

    def count(self, what: str, number: int, there: bool) -> None:
        """Count one thing of round `number`."""
        row = self._rows.get(what)
        if row is None:
            row = self._rows[what] = Recorded(what)
        row.of += 1
        row.count += there
        if not there and len(row.missing) < _MOST_NAMED:
            row.missing.append(number)

    @property
    def rows(self) -> list[Recorded]:
        """What was counted, in the order of the names above."""
        order = (SETTLED, PAYMENTS, SETTLING, CLOSE, *BETWEEN, METERS, PLAYERS, *self._rows)
        return [self._rows[what] for what in dict.fromkeys(order) if what in self._rows]


def _due(
    entry: Entry, rules: RulesSubmission, settlement: Settlement | None, void: bool, first: bool
) -> Iterator[tuple[str, bool]]:
    """What the entry of this round should have, and whether it has it."""
    names = {event.event for event in entry.events}
    placed = names - {event.event for event in entry.events if event.after_card is None and event.after_record is None}
    lines = [] if settlement is None else [line for line in settlement.lines if line.position is not None]
    if settlement is None or any(line.net for line in lines):
        yield PAYMENTS, entry.paid is not None
    if not void and (settlement is None or any(line.staked or line.won for line in lines)):
        yield SETTLING, "settled" in placed
    yield CLOSE, "bets_closed" in placed
    if first and rules.shuffler != "continuous":
        yield SHUFFLE, "shuffled" in names or any(event.preshuffled for event in entry.events)
        yield CUT, {"cut", "cover_card_placed"} <= {event.event for event in entry.events if event.cards is not None}
    if rules.meters or rules.mysteries:
        yield METERS, {*rules.meters, *rules.mysteries} <= entry.meters.keys()
    yield PLAYERS, all(seat.player is not None for seat in entry.seats)
    for _, bonus in picks_due(entry, rules):
        yield bonus.key.replace("_", " "), getattr(entry, bonus.key) is not None
