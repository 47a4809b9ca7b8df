"""A full shoe by its cards, and the arithmetic of drawing from it without replacement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shoetool.model.cards import VALUES
from shoetool.model.errors import BadInput
from shoetool.rules.games import GAMES

MOST_DECKS: Final = 64
"""More decks than any shoe holds: a larger number is a typing mistake."""

ACE_VALUE: Final = 0
TEN_VALUE: Final = 9

Values = tuple[int, ...]
"""How many cards of each count are left: ten numbers, for the ace, 2 to 9, and all that count 10."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """A full shoe of one game: `decks` decks, each with the cards of `deck` (ids 0..51; no 10s in Spanish 21)."""

    decks: int
    deck: tuple[int, ...]

    @classmethod
    def of(cls, game: str, decks: int) -> Shoe:
        """The full shoe of this game. BadInput, with the clause, when it may not be dealt with so many decks."""
        rule = GAMES[game].decks
        if not 1 <= decks <= MOST_DECKS:
            raise BadInput(f"{decks} decks are no shoe; give 1 to {MOST_DECKS}")
        if not rule.allows(decks):
            raise BadInput(f"{rule.clause}: {GAMES[game].title} is dealt with {rule.words()} decks, not {decks}")
        return cls(decks, GAMES[game].deck)

    @property
    def cards(self) -> int:
        """How many cards the shoe holds."""
        return self.decks * len(self.deck)

    @property
    def values(self) -> Values:
        """How many cards of each count the full shoe holds."""
        counts = [0] * 10
        for card in self.deck:
            counts[VALUES[card] - 1] += self.decks
        return tuple(counts)


def without(values: Values, taken: Iterable[int]) -> Values:
    """What is left of `values` when these places of it (0 for an ace, 9 for a ten-value card) are each taken once.

    ValueError when there is no such card.
    """
    left = list(values)
    for value in taken:
        left[value] -= 1
        if left[value] < 0:
            raise ValueError(f"no card that counts {value + 1} is left")
    return tuple(left)


def falling(number: int, times: int) -> int:
    """In how many ways `times` cards come in sequence out of `number`: n (n - 1) ... ; 0 when there are too few."""
    product = 1
    for step in range(times):
        product *= number - step
    return product if times <= number else 0
