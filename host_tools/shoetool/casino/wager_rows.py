"""How the rounds of one history were settled with its table record, as rows of the table `settlements`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from shoetool.round_file.file import Entry, Paid
    from shoetool.rules.round import Line, Settlement
    from shoetool.table.round import Round
    from shoetool.verify.table_record.facts import Facts

SETTLED: Final = "settled"
NOT_SETTLED: Final = "not settled"
"""Why stands in the findings of the round."""
NO_RECORD: Final = "no table record"
"""None lies beside the history, or none was asked for."""
NO_LINE: Final = "no line"
"""The table record has no line for the round."""
METER: Final = "meter"
"""The wager won of its meter, and the record does not say what that stood at."""
PICK: Final = "pick"
"""The record does not say what the table game system picked, or who won."""


class WagerRows:
    """Takes what a table record says of each round, once the round is over."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._rounds: dict[int, tuple[list[Any], list[Any]]] = {}

    def dealt(self, record: int, start: list[Any], row: list[Any]) -> None:
        """A round that `record` opened is over. `row`: its row in `rounds`; `start`: what its rows here begin with."""
        self._rounds[record] = start, row

    def lines(self, one: Round, entries: list[Entry]) -> None:
        """The table record has these lines for a round. With one of them it may be settled."""
        if one.record in self._rounds:  # not one that the history ends in
            self._rounds[one.record][1][-2:] = NOT_SETTLED, entries[0].line

    def settled(self, facts: Facts, settlement: Settlement) -> None:
        """The round was settled."""
        from shoetool.round_file.paid import added, unknown_meters

        entry = facts.entry
        start, row = self._rounds[facts.round.record]
        row[-2:] = SETTLED, entry.line
        meters = {one for one in unknown_meters(settlement, entry.meters) if one not in facts.rules.mysteries}
        payments = added(entry.paid or ())
        lines = [line for line in settlement.lines if line.position is not None]
        missing = [_missing(line, meters, facts.unpicked) for line in lines]
        for_each = [_due(lines, missing, one, facts.unpicked) for one in payments]
        rest = set(range(len(payments)))
        for line, why in zip(lines, missing, strict=True):
            number = _payment_of(line, payments)
            rest.discard(-1 if number is None else number)
            self.rows.append([
                *start, entry.line, line.position, line.hand, line.wager, line.staked, None if why else line.net,
                None if line.odds is None else line.odds.text, line.clause, line.outcome, line.source, line.stage.value,
                line.meter or None, *_paid(number, payments, for_each), why,
            ])  # fmt: skip
        for number in sorted(rest):  # for a wager that nobody placed, or beside a payment that says more
            one = payments[number]
            self.rows.append([
                *start, entry.line, one.position, one.hand, one.wager, *[None] * 8,
                *_paid(number, payments, for_each), PICK if one.wager in facts.unpicked else None,
            ])  # fmt: skip
        for bonus in sorted(facts.unpicked):  # who won it, if anybody did, is not known
            self.rows.append([*start, entry.line, None, None, bonus, *[None] * 11, PICK])


def _missing(line: Line, meters: set[str], unpicked: set[str]) -> str | None:
    """What must be known to say what is due on a line, and is not."""
    from shoetool.rules.printed_meter import meter_key

    if line.wager in unpicked:
        return PICK
    return METER if line.source == "meter" and line.won and meter_key(line.wager, line.meter) in meters else None


def _payment_of(line: Line, payments: list[Paid]) -> int | None:
    """The number of the payment that says most about the wager; None when it has none."""
    from shoetool.round_file.paid import covers

    found = [number for number, one in enumerate(payments) if covers(one, line)]
    return max(
        found, key=lambda number: (payments[number].wager is not None, payments[number].hand is not None), default=None
    )


def _due(lines: list[Line], missing: list[str | None], paid: Paid, unpicked: set[str]) -> int | None:
    """What is due on all wagers that a payment covers; None where that is not known."""
    if paid.wager in unpicked or (paid.wager is None and unpicked):
        return None
    from shoetool.round_file.paid import covers

    covered = [(line, why) for line, why in zip(lines, missing, strict=True) if covers(paid, line)]
    return None if any(why for _, why in covered) else sum(line.net for line, _ in covered)


def _paid(number: int | None, payments: list[Paid], for_each: list[int | None]) -> tuple[int | None, ...]:
    return (None, None, None) if number is None else (number, payments[number].amount, for_each[number])
