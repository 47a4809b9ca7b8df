"""Who took a meter past a value: every way in which a round may have done so.

What is not known stays open. A display cuts off the part of a cent, and a record may not say in which order wagers were
accepted. Where all ways agree, the answer is sure all the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from shoetool.settle.meter_ledger import Span


class Contribution(NamedTuple):
    """What one position's wager added to the meter, in exact cents."""

    position: int
    cents: Fraction


Contributions = tuple[Contribution, ...]


class Way(NamedTuple):
    """One way: who passed the value, the least and most whole cents that the meter then showed, what came after."""

    winners: tuple[int, ...]
    least: int
    most: int
    after: Contributions


class Round(NamedTuple):
    """The contributions of a round. ordered: they came in this order. shared: all of them are one contribution."""

    made: Contributions
    ordered: bool
    shared: bool

    @property
    def cents(self) -> Fraction:
        """All of them together, in exact cents."""
        return sum((one.cents for one in self.made), Fraction(0))

    def steps(self) -> Iterator[tuple[Contributions, Contributions, Contributions]]:
        """Yield each contribution that may be the one: what came before it, itself, what came after it."""
        if self.shared and self.made:
            yield (), self.made, ()
        elif self.ordered:
            for at, one in enumerate(self.made):
                yield self.made[:at], (one,), self.made[at + 1 :]
        else:
            for at, one in enumerate(self.made):
                others = (*self.made[:at], *self.made[at + 1 :])
                for count in range(len(others) + 1):
                    for chosen in combinations(range(len(others)), count):
                        before = tuple([others[index] for index in chosen])
                        yield before, (one,), tuple([two for index, two in enumerate(others) if index not in chosen])


def passes(cents: Fraction, value: int, reached: bool) -> bool:
    """Whether a meter at so many exact cents is past the value; `reached`: it is there when it stands at it."""
    return cents > value or (reached and cents == value)


def surely_passes(span: Span, round_: Round, value: int, reached: bool) -> bool:
    """Whether the whole round takes the meter past the value, whatever the part of a cent is."""
    return passes(span.least + round_.cents, value, reached)


def ways(span: Span, round_: Round, value: int, reached: bool, fresh: bool) -> list[Way]:
    """Return every way in which a contribution of the round may have taken the meter past the value.

    fresh: the meter was set back, and nothing came to it since. What it has then may be past the value already: the
    first contribution wins.
    """
    found = []
    for before, step, after in round_.steps():
        start = span.least + sum((one.cents for one in before), Fraction(0))
        added = sum((one.cents for one in step), Fraction(0))
        shown = _shown(start, span, added, value, reached, fresh and not before)
        if shown is not None:
            found.append(Way(tuple(sorted({one.position for one in step})), *shown, after))
    return found


def _shown(
    start: Fraction, span: Span, added: Fraction, value: int, reached: bool, first: bool
) -> tuple[int, int] | None:
    """The least and most whole cents after a step that passes the value. None when it cannot.

    start: the least that the meter stood at before it. first: of all contributions, whatever was passed before it.
    """
    assert span.below is not None, "no other table plays for this meter"
    wide = span.below - span.least
    if not wide:
        crossed = (first or not passes(start, value, reached)) and passes(start + added, value, reached)
        return (math.floor(start + added),) * 2 if crossed else None
    # What the part of a cent that is not shown may be: from `low` up to `high`, in [0, wide).
    low, high = value - start - added, value - start
    low_belongs, high_belongs = reached, not reached
    if low < 0:
        low, low_belongs = Fraction(0), True
    if first or high >= wide:
        high, high_belongs = wide, False
    if low > high or (low == high and not (low_belongs and high_belongs)):
        return None
    most = start + added + high
    return math.floor(start + added + low), math.floor(most) if high_belongs else math.ceil(most) - 1
