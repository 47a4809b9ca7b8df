"""When each wager of a round was settled and in which row, by the record's events: 633a.7(g) to (r)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from shoetool.judge import registry_table as reg
from shoetool.round_file.events import Event
from shoetool.rules.games import game
from shoetool.rules.round import Line, Stage
from shoetool.rules.wagers import WAGERS
from shoetool.rules.wagers.catalogue import title_of, verified_by
from shoetool.rules.wagers.mystery import MYSTERIES
from shoetool.verify.table_record.facts import Facts

_MAIN: Final = frozenset({"main", "double", "press", "lammer", "bonus"})
_AFTER_DEAL: Final = Stage.AFTER_DEAL
_MAIN_STAGE: Final = Stage.MAIN
_AFTER_ALL_CARDS: Final = Stage.AFTER_ALL
_LAST: Final = Stage.LAST
_SETTLES: Final = frozenset({"settled", "even_money_paid"})
_AT_ONCE: Final = frozenset({"blackjack", "surrendered"})
_ANYTIME: Final = frozenset({"ante"})
"""No clause says when it is collected, and no clause asks for it: 633c.4(c)."""
_NOTHING: Final[list[int]] = []


class Lying:
    """The wagers of a round by place: which lines a `settled` event stands for.

    Without a hand it stands for all hands of the position; `main` is also for what lies with a hand's main wager.
    """

    def __init__(self, lines: list[Line]) -> None:
        of_hand: dict[tuple[int | None, str, int | None], list[int]] = defaultdict(list)
        of_all: dict[tuple[int | None, str], list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            position, hand, wager = line[:3]
            of_hand[position, wager, hand].append(index)
            of_all[position, wager].append(index)
            if hand is not None and wager in _MAIN and wager != "main":
                of_hand[position, "main", hand].append(index)
                of_all[position, "main"].append(index)
        self._of_hand, self._of_all = of_hand, of_all

    def covered(self, event: Event) -> list[int]:
        """Indexes of the lines that the event stands for."""
        wager = event.wager or "main"
        if event.hand is not None:
            return self._of_hand.get((event.position, wager, event.hand), _NOTHING)
        return self._of_all.get((event.position, wager), _NOTHING)


class SettlingOrder:
    """The events that settle wagers. `low` and `high` are their places, `used` is the index of the reader's answer."""

    def __init__(
        self, facts: Facts, events: Sequence[Event], low: list[int], high: list[int], used: int | None
    ) -> None:
        self.facts = facts
        self.events = events
        self.low = low
        self.high = high
        self.used = used

    def _after_reader(self, at: int) -> bool:
        return self.used is not None and self.used < at

    def judge(self) -> None:
        """Name wagers that were settled too early, too late, out of order, unverified, twice or never."""
        facts = self.facts
        if not facts.lines:
            return  # the round could not be settled: its wagers are not known, which was reported
        lines = [line for line in facts.lines if line.position is not None]
        times = [0] * len(lines)
        lying = Lying(lines)
        early: list[Line] = []
        late: list[Line] = []
        last: list[Line] = []
        main: list[Line] = []
        low, high = self.low, self.high
        soonest, further, last_card = facts.deal_over, facts.further, facts.last_card
        used = len(self.events) if self.used is None else self.used
        for at, event in enumerate(self.events):
            if event.event not in _SETTLES:
                continue
            covered = lying.covered(event)
            if not covered and event.wager not in facts.unpicked:
                bonus = MYSTERIES.get(event.wager or "")
                how = "placed" if bonus is None else "won"
                text = f"{where(event)}: {title_of(event.wager or 'main')} was settled, but had not been {how}."
                facts.add(reg.NEVER_SETTLED, text, None if bonus is None else bonus.hidden)
            for index in covered:
                times[index] += 1
                line = lines[index]
                if line.wager in _ANYTIME:
                    continue
                stage = line.stage
                of_main = line.wager in _MAIN
                # What is surely not too early or too late, and the row in which it is settled; the rest by `_time`.
                if stage is _AFTER_ALL_CARDS or stage is _MAIN_STAGE or stage is _LAST:
                    if high[at] < last_card:
                        self._time(at, line)
                    elif stage is _LAST:
                        last.append(line)
                    elif not of_main:
                        late.append(line)
                        self._before_last(line, last)
                    elif stage is _MAIN_STAGE:
                        main.append(line)
                elif stage is _AFTER_DEAL and not of_main:
                    if high[at] < soonest or low[at] >= further or at > used:
                        self._time(at, line)
                    else:
                        early.append(line)
                else:
                    self._time(at, line)
                if line.won and line.notes:
                    self._verified(at, line)
        for index, line in enumerate(lines):
            count = times[index]
            if count == 1 or (not count and (line.wager in _ANYTIME or not (line.staked or line.won))):
                continue
            text = f"position {line.position}: {title_of(line.wager)} was "
            text += ("settled twice." if count == 2 else f"settled {count} times.") if count else "never settled."
            facts.add(reg.NEVER_SETTLED, text, line.clause)
        if game(facts.rules.game).electronic:
            return  # 633c.5 has no order from seat to seat
        self._around(reg.EARLY, early)
        self._around(reg.LATE, late)
        self._around(reg.LATE, last)
        self._main(main)

    def _time(self, at: int, line: Line) -> None:
        """Name a wager that was not settled at its time; one of the main row or after it only comes here too early."""
        facts = self.facts
        low, high = self.low[at], self.high[at]
        stage = line.stage
        what = f"position {line.position}: {title_of(line.wager)}"
        if stage is _MAIN_STAGE or stage is _AFTER_ALL_CARDS or stage is _LAST:
            check = reg.MAIN_TIME if line.wager in _MAIN else reg.LATE
            clause = _waiting(line) if stage is _LAST else None
            facts.add(check, f"{what} was settled before the last card was dealt.", clause)
        elif stage is _AFTER_DEAL and line.wager in _MAIN:
            return  # even money and dead hands have clauses of their own
        elif stage is _AFTER_DEAL:
            clause = _timing(line) or None
            if high < facts.deal_over:
                facts.add(reg.EARLY, f"{what} was settled before the opening deal was over.", clause)
            elif low >= facts.further or self._after_reader(at):
                text = f"{what} was settled after a further card was dealt or the reader was used."
                facts.add(reg.EARLY, text, clause)
        elif stage is Stage.AFTER_READER:
            check = reg.INSURANCE_LOST if line.wager == "insurance" else reg.WAITED
            clause = None if line.wager == "insurance" else _waiting(line)
            if self.used is not None and at < self.used:
                facts.add(check, f"{what} was settled before the reader was used.", clause)
            elif low >= facts.further:
                facts.add(check, f"{what} was settled after a further card was dealt.", clause)
        elif stage is Stage.HOLE_CARD:
            if high < facts.revealed:
                text = f"{what} was settled before the hole card was turned."
                facts.add(reg.WAITED, text, _waiting(line))
            elif low >= facts.dealer_draw and _timing(line):
                facts.add(reg.WAITED, f"{what} was settled after the dealer had drawn.", _timing(line))
        elif stage is Stage.IN_TURN:
            if high < facts.deal_over:
                facts.add(reg.IN_TURN, f"{what} was settled before the opening deal was over.", line.clause)
            elif low >= facts.revealed and line.outcome in _AT_ONCE:
                facts.add(reg.IN_TURN, f"{what} was settled only after the hole card was turned.", line.clause)

    def _before_last(self, line: Line, last: list[Line]) -> None:
        """Name an optional wager that was settled after one that comes after all of them, 633c.9(d)."""
        if last:
            text = f"position {line.position}: {title_of(line.wager)} was settled after {title_of(last[0].wager)}, "
            self.facts.add(reg.LATE, f"{text}which comes after all other optional wagers.", _waiting(last[0]))

    def _around(self, check: str, settled: list[Line]) -> None:
        if row := _out_of_row(settled):
            before, line = row
            text = f"position {line.position}: {title_of(line.wager)} was settled after that of position "
            self.facts.add(check, f"{text}{before.position}; the order is counterclockwise from the dealer's right.")

    def _main(self, settled: list[Line]) -> None:
        facts = self.facts
        if facts.rules.settlement_procedure == 2:
            if row := _out_of_row(settled):
                text = f"position {row[1].position} was settled after position {row[0].position}; by procedure 2 the "
                facts.add(reg.MAIN_ORDER, f"{text}order is counterclockwise from the dealer's right.", "633a.7(r)(2)")
            return
        paid: Line | None = None
        for line in settled:
            if line.net > 0:
                paid = line
            elif line.net < 0 and paid is not None:
                text = f"position {line.position} was collected after position {paid.position} had been paid; "
                facts.add(reg.MAIN_ORDER, text + "by procedure 1 all losing wagers are collected first.")
                return

    def _verified(self, at: int, line: Line) -> None:
        """Who verifies a winner before it is paid: the notes of the line say so."""
        asked = verified_by(line.wager)
        for clause, _ in line.notes:
            needed = asked.get(clause)
            if needed is None or any(
                event.event == needed and event.position == line.position and event.wager in (None, line.wager)
                for event in self.events[:at]
            ):
                continue
            who = "the dealer" if needed == "verified" else "a floorperson"
            text = f"position {line.position}: {title_of(line.wager)} was paid before {who} had verified it."
            self.facts.add(reg.VERIFIED, text, clause)


def _out_of_row(settled: list[Line]) -> tuple[Line, Line] | None:
    """The first two wagers that were not settled counterclockwise from the dealer's right: positions go down."""
    return next((two for two in pairwise(settled) if (two[1].position or 0) > (two[0].position or 0)), None)


def _waiting(line: Line) -> str:
    """The clause by which a wager waits for the reader or the hole card."""
    wager = WAGERS.get(line.wager)
    return (wager.waiting if wager is not None else "") or line.clause


def _timing(line: Line) -> str:
    """The clause that says straight after what a wager is settled, "" where it is that of the game."""
    wager = WAGERS.get(line.wager)
    return "" if wager is None else wager.timing


def where(event: Event) -> str:
    """Whose wager an event is about, in words."""
    return "the table" if event.position is None else f"position {event.position}"
