"""What one progressive meter must show from round to round, exact to a fraction of a cent.

A display cuts off the fraction. So a meter whose fraction is not known is held as a span of a cent: from `least` up to
what it stands `below`. Each round adds its contributions and its wins, and each display makes the span narrower. A
display outside the span is a break. The ledger then goes on from what was shown. For one more display it also keeps
what it had held, so that a single wrong line is one break and not two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class Span(NamedTuple):
    """Exact cents that a meter may stand at: `least` or more, and less than `below` (None: without a limit).

    Where both are the same it stands at exactly that.
    """

    least: Fraction
    below: Fraction | None

    def raised(self, cents: Fraction | int, linked: bool = False) -> Span:
        """The span after `cents` came to the meter; `linked`: other tables may have added any amount."""
        below = None if linked or self.below is None else self.below + cents
        return Span(self.least + cents, below)

    def showing(self, cents: int) -> Span | None:
        """The part of the span at which the meter shows so many whole cents; None when there is no such part."""
        if self.below == self.least:
            return self if math.floor(self.least) == cents else None
        least = max(self.least, Fraction(cents))
        below = Fraction(cents + 1) if self.below is None else min(self.below, Fraction(cents + 1))
        return Span(least, below) if least < below else None

    @property
    def shown(self) -> tuple[int, int | None]:
        """The least and the most whole cents that the meter can show; None: without a limit."""
        least = math.floor(self.least)
        if self.below is None:
            return least, None
        return least, least if self.below == self.least else math.ceil(self.below) - 1


@dataclass(frozen=True, slots=True)
class Break:
    """A display that cannot be right: the cents that it showed, and the least and most that it must show.

    `most` is None where other tables may add to the meter.
    """

    showed: int
    least: int
    most: int | None


class MeterLedger:
    """One meter through its rounds. Amounts are exact cents.

    stands: what it stands at, None when that is not known before its first display. linked: other tables play for it,
    so that it may show more.
    """

    __slots__ = ("_earlier", "_linked", "_span")

    def __init__(self, stands: Fraction | None = None, linked: bool = False) -> None:
        self._linked = linked
        self._span: Span | None = None if stands is None else Span(stands, stands)
        self._earlier: Span | None = None
        """What was held before a break, until the next display."""

    def show(self, cents: int) -> Break | None:
        """Take what the meter shows, in whole cents. Returns the break when it must show something else."""
        seen = Span(Fraction(cents), Fraction(cents + 1))
        held, earlier = self._span, self._earlier
        self._earlier = None
        if held is None:
            self._span = seen
            return None
        self._span = held.showing(cents) or (earlier.showing(cents) if earlier is not None else None)
        if self._span is not None:
            return None
        self._span, self._earlier = seen, held
        return Break(cents, *held.shown)

    def change(self, cents: Fraction | int) -> None:
        """Add a contribution, or what the house puts in; below 0: what was won of it."""
        linked = self._linked
        self._span = None if self._span is None else self._span.raised(cents, linked)
        self._earlier = None if self._earlier is None else self._earlier.raised(cents, linked)

    def forget(self) -> None:
        """What came next is not known: a round without a record, or one that was not settled."""
        self._span = self._earlier = None

    @property
    def span(self) -> Span | None:
        """What the meter may stand at; None when nothing is known of it."""
        return self._span

    @property
    def exact(self) -> Fraction | None:
        """What the meter stands at, in exact cents; None when its fraction of a cent is not known."""
        span = self._span
        return span.least if span is not None and span.least == span.below else None
