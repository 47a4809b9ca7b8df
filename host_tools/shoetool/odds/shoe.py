"""A full shoe by the values of its cards, and what a hand of such cards counts.

Odds look at values alone where the rules do: place 0 is the ace, 1 to 8 are 2 to 9, and 9 is every ten-count card.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.model.errors import BadInput
from shoetool.rules.games import GAMES

MOST_DECKS: Final = 64
"""More decks than any shoe holds: a larger number is a typing mistake."""

Counts = tuple[int, ...]
"""How many cards there are of each value: ten numbers."""

VALUES: Final = 10
ACE: Final = 0
TEN: Final = 9
NOTHING: Final[Counts] = (0,) * VALUES
"""No cards."""


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
    def counts(self) -> Counts:
        """How many cards of each value the full shoe holds."""
        counts = [0] * VALUES
        for card in self.deck:
            counts[VALUE_OF[card] - 1] += self.decks
        return tuple(counts)


def plus(cards: Counts, value: int, number: int = 1) -> Counts:
    """The cards and `number` more of this value."""
    return (*cards[:value], cards[value] + number, *cards[value + 1 :])


def without(cards: Counts, taken: Iterable[int]) -> Counts:
    """What is left of the cards when one of each of these values is taken. ValueError when there is no such card."""
    for value in taken:
        if not cards[value]:
            raise ValueError(f"no card that counts {value + 1} is left")
        cards = plus(cards, value, -1)
    return cards


@cache
def best_count(cards: Counts) -> tuple[int, bool]:
    """Return the best count of the cards, and whether an ace in it counts 11 (633a.3(e)(3))."""
    hard = sum((value + 1) * number for value, number in enumerate(cards))
    soft = cards[ACE] > 0 and hard <= 11
    return hard + 10 * soft, soft
