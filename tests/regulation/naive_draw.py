"""One card drawn from a small shoe, every one that may come: the naive players' step."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from shoetool.odds.shoe import Counts, plus


def drawn(shoe: Counts, then: Callable[[Counts, int], Fraction]) -> Fraction:
    """Return the mean of `then(rest of the shoe, value)` over the next card."""
    size = sum(shoe)
    return sum(
        (Fraction(have, size) * then(plus(shoe, value, -1), value) for value, have in enumerate(shoe) if have),
        Fraction(0),
    )
