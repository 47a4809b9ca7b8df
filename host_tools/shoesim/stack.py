"""What lies on the table: the cards in each side of the shoe, in the rack, in the segregated area and in play.

A card is known here by what it really is. The device learns it from the read heads alone, the dealer from its face.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from shoetool.model.protocol_table import Game
from shoetool.regulation.games import GAMES

from shoesim.errors import SimulationError

COVER = 52  # card id of the cover card
UNKNOWN = 63  # card id of a face that the history does not know
TEN = 9  # rank of the 10: rank 0 is the ace
SUITS = 4
RANKS = 13
COLOR_OF_SUIT = (1, 0, 0, 1)  # enum.color of clubs, diamonds, hearts, spades


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
        return self.card == COVER

    @property
    def rank(self) -> int:
        """Rank 0..12: ace, 2 .. 10, J, Q, K."""
        return self.card % RANKS

    @property
    def suit(self) -> int:
        """Suit 0..3: clubs, diamonds, hearts, spades."""
        return self.card // RANKS


def full_batch(game: Game, decks: int, batch: int) -> list[Item]:
    """Return `decks` decks of one batch in sequence: 52 cards a deck, 48 without the 10s in Spanish 21 (635a.3(a))."""
    return [
        Item(suit * RANKS + rank, batch)
        for _ in range(decks)
        for suit in range(SUITS)
        for rank in range(RANKS)
        if rank != TEN or not GAMES[game.name.lower()].spanish
    ]


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
    stack.insert(place, Item(COVER, batch))
    return stack


@dataclass(slots=True)
class Table:
    """The places where cards lie. `sides[head]` is in drawing order; the other lists grow as cards come."""

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
