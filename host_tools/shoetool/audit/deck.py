"""What a full batch of one side holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from shoetool.model.cards import copies_per_deck
from shoetool.odds.shoe import VALUES

Array = np.ndarray[Any, np.dtype[Any]]
FACES: Final = 52
UNREAD: Final = 255
"""A card in an order of cards whose face the history does not tell."""


@dataclass(frozen=True, slots=True)
class Deck:
    """`decks` decks; `spanish`: without 10s, 635a.3(a)."""

    decks: int
    spanish: bool

    @property
    def copies(self) -> Array:
        """How many cards of each face there are."""
        return _copies(self)

    @property
    def size(self) -> int:
        """How many cards there are."""
        return self.decks * (48 if self.spanish else FACES)

    @property
    def ranks(self) -> Array:
        """How many cards of each rank there are."""
        return by_rank(self.copies)

    @property
    def name(self) -> str:
        """The sort of deck in words; the number of decks does not change how often a face comes."""
        return "48-card decks" if self.spanish else "52-card decks"


@cache
def _copies(deck: Deck) -> Array:
    return deck.decks * np.array([copies_per_deck(face, deck.spanish) for face in range(FACES)], np.int64)


def by_rank(counts: Array) -> Array:
    """Counts of the 13 ranks, from those of the 52 faces, of one batch or of several: shape (..., 52)."""
    return np.asarray(counts.reshape(*counts.shape[:-1], 4, 13).sum(axis=-2))


def by_value(counts: Array) -> Array:
    """Counts of the 10 values, the ace first and every ten-count card last, in the same way."""
    ranks = by_rank(counts)
    return np.concatenate((ranks[..., : VALUES - 1], ranks[..., VALUES - 1 :].sum(axis=-1, keepdims=True)), axis=-1)
