"""A mystery bonus from round to round: who wins it, what it pays, and whether its hidden value was kept to.

The hidden value was committed before the first contribution that it governs (`trust.hidden_value`), and is opened when
it is hit. Then anybody can check that the opening fits the commitment and the printed range, and that the meter passed
the value at exactly that contribution: 633c.14(c)(3). A commitment that is not opened cannot be checked yet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from shoetool.model.money import dollars
from shoetool.rules.wagers.mystery import MAXIMUM, MYSTERIES, ORDER, PASSED, Configuration
from shoetool.rules.wagers.view import Choices
from shoetool.settle.meter_ledger import Break, MeterLedger
from shoetool.trust.hidden_value import Opening

Wrong = Literal["uncommitted", "opening", "range", "not_passed", "ran_on", "unopened"]
"""What is wrong: no commitment before a contribution; an opening of something else; a value outside the printed range;
one that no contribution passed; one that was passed before; none opened though the meter passed the maximum."""


class Contribution(NamedTuple):
    """What one position's wager added to the meter, in exact cents."""

    position: int
    cents: Fraction


class Hit(NamedTuple):
    """A bonus that was won: (position, cents) of each winner. `paid` is None where a part of a cent decides it."""

    winners: tuple[int, ...]
    paid: int | None
    """Cents of each winner."""


class Objection(NamedTuple):
    """One thing that is wrong, in words, with its clause."""

    wrong: Wrong
    sentence: str
    clause: str


def in_order(contributions: Iterable[Contribution], rules: Choices) -> tuple[Contribution, ...]:
    """The contributions of a round as the house counts them, 633c.14(c)(2) (T94): as accepted, or by position."""
    found = tuple(one for one in contributions if one.cents)
    return tuple(sorted(found)) if ORDER.of(rules) == "position" else found


class MysteryLedger:
    """The meter of one mystery bonus over all rounds of a table. Memory is bounded: a cycle ends at the maximum."""

    def __init__(self, configuration: Configuration, rules: Choices, stands: Fraction | None = None) -> None:
        """`stands`: exact cents on the meter, None when they are not known before its first display."""
        self.configuration = configuration
        self.meter = MeterLedger(stands)
        self._mystery = MYSTERIES[configuration.bonus]
        self._at_value = PASSED.of(rules) == "at_or_above"
        self._capped = MAXIMUM.of(rules) == "capped"
        self._shared = ORDER.of(rules) == "shared"
        self._rules = rules
        self._waiting: deque[bytes] = deque()
        self._governs: bytes | None = None
        self._bare = False
        self._cycle: list[tuple[str, tuple[int, ...], Fraction]] = []
        """Each contribution of this cycle: its round, who made it, and the least that the meter then stood at."""

    def commit(self, commitment: bytes) -> None:
        """Take a commitment that was recorded before the next contribution. Each one governs one cycle, in turn."""
        self._waiting.append(commitment)

    def show(self, cents: int) -> Break | None:
        """Take what the meter shows before a round: see `MeterLedger.show`."""
        return self.meter.show(cents)

    @property
    def unchecked(self) -> int:
        """How many commitments are not opened, so that nobody can check them yet. They are never verified."""
        return len(self._waiting) + (self._governs is not None)

    def play(
        self, where: str, contributions: Iterable[Contribution], openings: Sequence[Opening] = ()
    ) -> tuple[list[Hit], list[Objection]]:
        """Take the contributions of a round and what was opened in it. `where` names the round in messages.

        Returns who won what, and what is wrong. A value that cannot have been hit pays nothing.
        """
        hits: list[Hit] = []
        wrong: list[Objection] = []
        opened = deque(self._not_passed_before(openings, wrong))
        for positions, cents in self._steps(contributions):
            self._begin(positions, wrong)
            self.meter.change(cents)
            span = self.meter.span
            self._cycle.append((where, positions, Fraction(0) if span is None else span.least))
            if opened and self._may_pass(opened[0].value):
                self._open(opened.popleft(), wrong)
                hits.append(self._pay(positions))
        for one in opened:
            self._object(wrong, "not_passed", f"no contribution of this round passed {_money(one.value)}{self._now()}")
            self._open(one, wrong)
            self.meter.forget()
        self._past_maximum(wrong)
        return hits, wrong

    def _steps(self, contributions: Iterable[Contribution]) -> list[tuple[tuple[int, ...], Fraction]]:
        """Who adds what, one after the other; in one step where all of a round share."""
        found = in_order(contributions, self._rules)
        if not self._shared or not found:
            return [((one.position,), one.cents) for one in found]
        together = tuple(sorted({one.position for one in found}))
        return [(together, sum((one.cents for one in found), Fraction(0)))]

    def _begin(self, positions: tuple[int, ...], wrong: list[Objection]) -> None:
        """Let the next commitment govern this contribution, if none does; name it once when there is none."""
        if self._governs is None and self._waiting:
            self._governs, self._bare = self._waiting.popleft(), False
        if self._governs is None and not self._bare:
            self._bare = True
            self._object(
                wrong, "uncommitted", f"position {positions[0]} contributed before a hidden value was committed"
            )

    def _not_passed_before(self, openings: Sequence[Opening], wrong: list[Objection]) -> list[Opening]:
        """The openings without a first one that an earlier contribution passed already."""
        if not openings or not self._cycle:
            return list(openings)
        first = openings[0]
        for round_, positions, least in self._cycle:
            if self._passes(least, first.value):
                text = f"{_money(first.value)} was opened in this round; {_who(positions)} passed it in {round_}"
                self._object(wrong, "ran_on", f"{text}, and contributions ran on after it")
                self._open(first, wrong)
                self.meter.forget()
                return list(openings[1:])
        return list(openings)

    def _open(self, opening: Opening, wrong: list[Objection]) -> None:
        """Check an opening against its commitment and the printed range. The cycle is over."""
        if self._governs is None and self._waiting:
            self._governs = self._waiting.popleft()
        if self._governs is not None and not opening.opens(self._governs):
            text = f"{_money(opening.value)} with this nonce does not open the commitment {self._governs.hex()[:16]}..."
            self._object(wrong, "opening", text)
        if not self.configuration.in_range(opening.value):
            least, most = _money(self.configuration.minimum), _money(self.configuration.maximum)
            self._object(wrong, "range", f"{_money(opening.value)} does not lie between {least} and {most}")
        self._governs = None
        self._bare = False
        self._cycle.clear()

    def _passes(self, cents: Fraction, value: int) -> bool:
        return cents > value or (self._at_value and cents == value)

    def _may_pass(self, value: int) -> bool:
        """Whether the meter may be past the value: a part of a cent that is not known accuses nobody."""
        span = self.meter.span
        if span is None:
            return True
        return self._passes(span.least, value) or (span.below is not None and span.below > value)

    def _pay(self, winners: tuple[int, ...]) -> Hit:
        """Pay all of the meter, 633c.14(c)(7), in whole cents, and set it back to the minimum, 633c.14(c)(5)(iv)."""
        shown = (None, None) if self.meter.span is None else self.meter.span.shown
        least, most = shown
        minimum, maximum = self.configuration.minimum, self.configuration.maximum
        if self._capped and least is not None and least >= maximum:
            least = most = maximum
        if least is None or least != most:
            self.meter.forget()
            self.meter.show(minimum)
            return Hit(winners, None)
        paid = least // len(winners)
        self.meter.change(minimum - paid * len(winners))
        return Hit(winners, paid)

    def _past_maximum(self, wrong: list[Objection]) -> None:
        """Name a meter that stands past the maximum and was not won: every hidden value was passed."""
        span = self.meter.span
        if self._cycle and span is not None and self._passes(span.least, self.configuration.maximum):
            most = _money(self.configuration.maximum)
            self._object(wrong, "unopened", f"the meter passed the maximum of {most}, and no hidden value was opened")
            self._governs, self._bare = None, False
            self._cycle.clear()
            self.meter.forget()

    def _now(self) -> str:
        span = self.meter.span
        return "" if span is None else f"; the meter stands at {_money(span.shown[0])}"

    def _object(self, wrong: list[Objection], kind: Wrong, sentence: str) -> None:
        wrong.append(Objection(kind, f"{self._mystery.title}: {sentence}.", self._mystery.hidden))


def _money(cents: int) -> str:
    return f"${dollars(cents)}"


def _who(positions: tuple[int, ...]) -> str:
    return f"position {positions[0]}" if len(positions) == 1 else f"positions {', '.join(map(str, positions))}"
