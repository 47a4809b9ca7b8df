"""Wagers on how a player plays: what happens when he plays for such a wager alone, as well or as badly as he can.

A player meets situations, and in each of them has options. What follows each option is counted. The best play takes the
option that wins most on average, the worst one the option that wins least.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import perm
from typing import Final, Protocol

from shoetool.odds.deals import Counted
from shoetool.odds.holding import Held
from shoetool.odds.shoe import Shoe

BEST: Final = "best"
"""The play that wins most of this wager alone."""

WORST: Final = "worst"
"""The play that wins least of it."""

Situation = tuple[Counted, ...]
"""What follows each option: in how many ways, in the order drawn, each set of outcomes comes to hold.

A number is negative where it is taken off a count of fewer cards.
"""


class Playable(Protocol):
    """The situations of one wager."""

    def of(self, shoe: Shoe) -> list[Situation]:
        """The situations with this full shoe: all of them together are everything that can happen."""
        ...

    def at_most(self, shoe: Shoe) -> Counted | None:
        """What wins no less than any play can, those with splits among them; None where nothing is known."""
        ...


def nothing_counted() -> Counted:
    """A count to add to."""
    return defaultdict(lambda: defaultdict(int))


def mean(option: Counted, size: int, worth: Callable[[Held], Fraction]) -> Fraction:
    """What an option is worth on average; see `played`."""
    total = Fraction(0)
    for cards, ways in option.items():
        of_these = sum((number * worth(held) for held, number in ways.items() if held), Fraction(0))
        total += of_these / perm(size, cards)
    return total


def played(situations: Iterable[Situation], play: str, size: int, worth: Callable[[Held], Fraction]) -> Counted:
    """What happens all together under this play. worth: of a set of outcomes, 0 for none. size: cards in the shoe."""
    pick = max if play == BEST else min
    found = nothing_counted()
    for options in situations:
        chosen = pick(options, key=lambda one: mean(one, size, worth)) if len(options) > 1 else options[0]
        for cards, ways in chosen.items():
            for held, number in ways.items():
                found[cards][held] += number
    return found
