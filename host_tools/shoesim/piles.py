"""Where the cards lie: in each side of the shoe, in the rack, in the segregated area and in play.

A card is known here by what it really is. The device learns it from the read heads alone, the dealer from its face.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from shoetool.model.cards import COVER_CARD
from shoetool.rules.games import Game

from shoesim.errors import SimulationError


@dataclass(slots=True, eq=False)
class Item:
    """One thing in the shoe: a card or the cover card.

    `face_up`: it lies face up, so that its back passes the read head. `damaged`: its code cannot be read at all.
    Two items are the same only if they are the same piece of paper.
    """

    card: int
    batch: int
    face_up: bool = False
    damaged: bool = False

    @property
    def is_cover(self) -> bool:
        """Whether this is a cover card."""
        return self.card == COVER_CARD


def full_batch(game: Game, decks: int, batch: int) -> list[Item]:
    """Return `decks` decks of one batch in sequence, as the game has them."""
    return [Item(card, batch) for _ in range(decks) for card in game.deck]


def least_behind(cards: int) -> int:
    """Return how many cards must lie behind the cover card at least: a quarter, rounded up (633a.5(d) place)."""
    return -(-cards // 4)


def shuffle_and_cut(cards: Iterable[Item], batch: int, behind: int, rng: Random) -> list[Item]:
    """Shuffle and cut a stack (633a.5(a), (d)) and place the cover card with `behind` cards behind it.

    The result is in drawing order: the first item comes out first.
    """
    stack = list(cards)
    rng.shuffle(stack)
    if len(stack) >= 20:  # the cut is ten cards or more from either end
        cut = rng.randint(10, len(stack) - 10)
        stack = stack[cut:] + stack[:cut]
    place = max(0, len(stack) - behind)
    stack.insert(place, Item(COVER_CARD, batch))
    return stack


@dataclass(slots=True)
class Piles:
    """All cards of the table, in piles. `sides[head]` is in drawing order; the other lists grow as cards come."""

    sides: dict[int, list[Item]] = field(default_factory=dict)
    rack: list[Item] = field(default_factory=list)
    segregated: list[Item] = field(default_factory=list)
    in_play: list[Item] = field(default_factory=list)
    removed: list[Item] = field(default_factory=list)
    covers: list[Item] = field(default_factory=list)

    def draw(self, head: int) -> Item:
        """Take the next item out of a side.

        Raises SimulationError when the side is empty: ask `left` first.
        """
        stack = self.sides.get(head)
        if not stack:
            raise SimulationError(f"side {head} of the shoe is empty")
        return stack.pop(0)

    def left(self, head: int) -> int:
        """Return the number of cards, cover card not counted, that a side still holds."""
        return sum(not item.is_cover for item in self.sides.get(head, ()))

    def clear(self) -> None:
        """End of a round: all cards in play go to the discard rack (633a.7(s))."""
        self.rack += self.in_play
        self.in_play.clear()

    def take_batch(self, batch: int) -> list[Item]:
        """Collect every card of a batch from rack, segregated area and play, cover cards left out, and return them."""
        taken: list[Item] = []
        for place in (self.rack, self.segregated, self.in_play, *self.sides.values()):
            taken += [item for item in place if item.batch == batch and not item.is_cover]
            place[:] = [item for item in place if item.batch != batch]
        self.covers[:] = [item for item in self.covers if item.batch != batch]
        for item in taken:
            item.face_up = item.damaged = False
        return taken
