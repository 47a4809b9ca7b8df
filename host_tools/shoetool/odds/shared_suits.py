"""What a poker hand of given ranks makes, by which of its cards share a suit.

Suits matter only where five cards share one, a wild card standing for any of them; and a hand is no worse for sharing
more. So one hand is looked at for each way in which enough cards share a suit, and one in which they do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations, product
from typing import Final

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.odds.deals import Faces
from shoetool.odds.holding import Held
from shoetool.odds.shoe import VALUES, Counts
from shoetool.rules.wagers import View
from shoetool.rules.wagers.choice import Choices

_FIVE: Final = 5

Hand = tuple[Counts, int]
"""How many cards of each of the 13 ranks there are, and how many wild cards beside them."""
Marks = tuple[int, ...]
"""Suits that are shared: none, one or two."""
Shared = tuple[tuple[int, Counts], ...]
"""Suits, and how many cards of each rank of the hand have them. Ranks of which it has none are not among them."""
_Some = Sequence[tuple[int, int, Sequence[int]]]
"""The ranks of a hand: how many cards of each, and the suits that they may have."""


class SharedSuits:
    """What hands make for one wager. card: the one that may be wild. deck: the faces of one deck."""

    def __init__(self, card: int, deck: Sequence[int], rules: Choices, held: Callable[[View], Held]) -> None:
        self._card = card
        self._held = held
        self._view = View.__new__(View)  # of his cards alone: a predicate that looks at anything else fails
        self._view.rules = rules
        self._free = [[face // 13 for face in deck if face % 13 == rank and face != card] for rank in range(13)]
        of = sorted({face % 13 for face in deck})
        self._ranks = [[rank for rank in of if VALUE_OF[rank] == value + 1] for value in range(VALUES)]
        self._copies = 1 if card in deck else 0

    def of_values(self, values: Counts) -> Iterator[Hand]:
        """Yield every hand with these values: how many cards of each rank, and how many are the wild card."""
        alike = [_all_parts(number, len(ranks)) for number, ranks in zip(values, self._ranks, strict=True)]
        for parts in product(*alike):
            ranks = [0] * 13
            for of_value, part in zip(self._ranks, parts, strict=True):
                for rank, number in zip(of_value, part, strict=True):
                    ranks[rank] = number
            of_its_rank = ranks[self._card % 13]
            for own in range(of_its_rank * self._copies + 1):
                ranks[self._card % 13] = of_its_rank - own
                yield tuple(ranks), own

    def plain(self, hand: Hand) -> Held:
        """What holds when no suit is shared by enough cards."""
        ranks, own = hand
        return self._holds(_hand(self._some(ranks), (), _FIVE - own), own)

    def ways(self, hand: Hand, marks: Collection[Marks]) -> Iterator[tuple[Shared, Counter[Held]]]:
        """Yield each way in which just these cards of the marked suits share one, and what then holds, how often.

        Hands in which a suit is shared are counted with what then holds, and taken from those in which none is; where
        two suits are shared, by inclusion and exclusion. So a number may be less than 0, and the numbers times the
        chances of the ways make the chances of what holds.
        """
        ranks, own = hand
        least, cards, some = _FIVE - own, sum(ranks), self._some(ranks)
        known: dict[Shared, Held] = {}

        def holds(shared: Shared) -> Held:
            if shared not in known:
                known[shared] = self._holds(_hand(some, shared, least), own)
            return known[shared]

        suits = {suit for marked in marks for suit in marked}
        matter = {suit for suit in suits if _can_matter(some, suit, holds)} if cards >= least else set()
        for marked in marks:
            if len(marked) * least > cards or not matter.issuperset(marked):
                continue
            for parts in _parts(some, marked, least):
                shared = tuple(zip(marked, parts, strict=True))
                times: Counter[Held] = Counter()
                for kept in range(len(shared) + 1):
                    for of_these in combinations(shared, kept):
                        times[holds(of_these)] += (-1) ** (len(shared) - kept)
                if any(times.values()):
                    yield shared, times

    def cells(self, ranks: Counts, shared: Shared) -> list[tuple[list[int], int]]:
        """The faces that are alike in a way, and how many cards of the hand are of them: those of a rank in a shared
        suit, and those of a rank in the other suits together. The card that may be wild is not among them."""
        cells = []
        for place, (rank, number, suits) in enumerate(self._some(ranks)):
            parts = [(suit, part[place]) for suit, part in shared if suit in suits]
            marked = [suit for suit, _ in parts]
            cells += [([suit * 13 + rank], part) for suit, part in parts]
            others = [suit * 13 + rank for suit in suits if suit not in marked]
            cells.append((others, number - sum(part for _, part in parts)))
        return cells

    def _some(self, ranks: Counts) -> _Some:
        return [(rank, number, self._free[rank]) for rank, number in enumerate(ranks) if number]

    def holds(self, faces: Faces) -> Held:
        """What holds for these cards."""
        self._view.dealer = faces
        return self._held(self._view)

    def _holds(self, faces: Faces, own: int) -> Held:
        return self.holds((*faces, *(self._card,) * own))


def _can_matter(some: _Some, suit: int, holds: Callable[[Shared], Held]) -> bool:
    """Whether anything changes when all cards that can have this suit have it."""
    most = tuple(number * (suit in suits) for _, number, suits in some)
    return holds(((suit, most),)) != holds(())


def _parts(some: _Some, marked: Marks, least: int) -> Iterator[tuple[Counts, ...]]:
    """How many cards of each rank each marked suit has, at least so many of all ranks."""
    if not marked:
        yield ()
        return
    of_ranks = [
        [
            part
            for part in product(*(range(number + 1 if suit in suits else 1) for suit in marked))
            if sum(part) <= number
        ]
        for _, number, suits in some
    ]
    for parts in product(*of_ranks):
        of_suits = tuple(zip(*parts, strict=True))
        if all(sum(of_suit) >= least for of_suit in of_suits):
            yield of_suits


def _hand(some: _Some, shared: Shared, least: int) -> Faces:
    """A hand with these cards of the shared suits, in which no other suit has so many."""
    faces = [
        suit * 13 + rank
        for suit, part in shared
        for (rank, _, _), times in zip(some, part, strict=True)
        for _ in range(times)
    ]
    used = dict.fromkeys(range(4), 0)
    closed = {suit for suit, _ in shared}
    for place, (rank, number, suits) in enumerate(some):
        for _ in range(number - sum(part[place] for _, part in shared)):
            suit = min((suit for suit in suits if suit not in closed), key=used.__getitem__)
            used[suit] += 1
            faces.append(suit * 13 + rank)
    assert max(used.values()) < least, "no other suit is shared"
    return tuple(faces)


def _all_parts(number: int, among: int) -> list[Counts]:
    """All ways to have so many cards of so many kinds."""
    if among == 0:
        return [()] if number == 0 else []
    if among == 1:
        return [(number,)]
    return [(first, *rest) for first in range(number + 1) for rest in _all_parts(number - first, among - 1)]
