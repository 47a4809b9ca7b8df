"""Wagers on the dealer's finished hand as a poker hand: every hand that he can draw, by its ranks and suits.

The cards are counted without replacement from a full shoe, and the dealer always draws. What such a wager pays depends
on the ranks of his cards, and on how many of one card he holds, which may be wild (`Multiplier.card`). Suits matter
only where five cards share one, a wild card standing for any of them; and a hand is no worse for sharing more. So one
hand is looked at for each way in which enough cards share a suit, and one in which they do not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from math import factorial, perm, prod
from typing import Final

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.odds.deals import Counted, Faces
from shoetool.odds.draws import blackjack_hole, dealer_draws
from shoetool.odds.holding import Held, WatchedRules
from shoetool.odds.shoe import NOTHING, VALUES, Counts, plus
from shoetool.rules.wagers import View
from shoetool.rules.wagers.wager import Multiplier

_FIVE: Final = 5

Some = Sequence[tuple[int, int, Sequence[int]]]
"""The ranks of a hand: how many cards of each, and the suits that they may have."""
Shared = tuple[tuple[int, Counts], ...]
"""Suits, and how many cards of each rank have them."""
Cells = tuple[tuple[int, int], ...]
"""How many faces are alike for the wager, and how many cards of a hand have one of them, in order of size."""


class PokerHands:
    """The dealer's hands for one wager. by: its multiplier. deck: the faces of one deck. h17: whether he draws to a
    soft 17."""

    def __init__(
        self, by: Multiplier, deck: Sequence[int], h17: bool, rules: WatchedRules, held: Callable[[View], Held]
    ) -> None:
        self._times = by.times
        self._card = by.card
        self._copies = 1 if by.card in deck else 0
        self._size = len(deck)
        self._held = held
        self._view = View.__new__(View)  # of his cards alone: a predicate that looks at anything else fails
        self._view.rules = rules
        self._suits = {rank: [face // 13 for face in deck if face % 13 == rank] for rank in range(13)}
        self._ranks = [[r for r in range(13) if self._suits[r] and VALUE_OF[r] == value + 1] for value in range(VALUES)]
        self._ways: Counter[tuple[int, int, Cells, Held]] = Counter()
        """By the cards, those of the multiplier among them, what is alike, and what holds: in how many orders."""
        for values, orders in _ends(h17).items():
            for ranks in self._of_values(values):
                self._count(ranks, orders)

    def of(self, decks: int) -> dict[int, Counted]:
        """In how many ways each set of outcomes comes to hold with so many decks, by what multiplies the payout.

        The cards drawn are the dealer's and the player's first two.
        """
        found: dict[int, Counted] = {times: defaultdict(lambda: defaultdict(int)) for times in self._times}
        size = self._size * decks
        for (cards, own, cells, outcomes), orders in self._ways.items():
            ways = orders * prod(perm(faces * decks, number) for faces, number in cells)
            like = decks * self._copies - own
            other = size - cards - like
            two = other * (other - 1), 2 * like * other, like * (like - 1)
            for times, of_player in zip(self._times, two, strict=True):
                found[times][cards + 2][outcomes] += ways * of_player
        return found

    def _of_values(self, values: Counts) -> Iterator[tuple[Counts, int]]:
        """Every hand with these values: how many cards of each rank, and how many are the card of the multiplier."""
        alike = [_shared(number, len(ranks)) for number, ranks in zip(values, self._ranks, strict=True)]
        for parts in product(*alike):
            ranks = [0] * 13
            for of_value, part in zip(self._ranks, parts, strict=True):
                for rank, number in zip(of_value, part, strict=True):
                    ranks[rank] = number
            for own in range(ranks[self._card % 13] * self._copies + 1):
                yield tuple(number - own * (rank == self._card % 13) for rank, number in enumerate(ranks)), own

    def _count(self, hand: tuple[Counts, int], orders: int) -> None:
        """Count a hand by what holds for each way in which enough of its cards share a suit.

        Hands in which a suit is shared are counted with what then holds, and taken from those in which none is; where
        two suits are shared, by inclusion and exclusion.
        """
        ranks, own = hand
        least, cards = _FIVE - own, sum(ranks)
        free = [[suit for suit in self._suits[rank] if suit * 13 + rank != self._card] for rank in range(13)]
        some = [(rank, number, free[rank]) for rank, number in enumerate(ranks) if number]
        known: dict[Shared, Held] = {}

        def holds(shared: Shared) -> Held:
            if shared not in known:
                known[shared] = self._holds(_hand(some, shared, least), own)
            return known[shared]

        # All suits are alike to a hand without the card and without a rank that lacks one for it.
        marks = _marks(self._card // 13 if own or ranks[self._card % 13] else None)
        suits = {suit for marked, _ in marks for suit in marked}
        matter = {suit for suit in suits if _can_matter(some, suit, holds)} if cards >= least else set()
        for marked, alike in marks:
            if len(marked) * least > cards or not matter.issuperset(marked):
                continue
            for parts in _parts(some, marked, least):
                shared = tuple(zip(marked, parts, strict=True))
                times: Counter[Held] = Counter()
                for kept in range(len(shared) + 1):
                    for of_these in combinations(shared, kept):
                        times[holds(of_these)] += (-1) ** (len(shared) - kept)
                if any(times.values()):
                    cells = _cells(some, shared)
                    for outcomes, number in times.items():
                        self._add(cells, hand, number * alike * orders, outcomes)

    def _add(self, cells: Sequence[tuple[int, int]], hand: tuple[Counts, int], orders: int, holds: Held) -> None:
        """Count hands whose cards lie in these cells, in so many orders of their values."""
        ranks, own = hand
        values = [0] * VALUES
        for rank, number in enumerate(ranks):
            values[VALUE_OF[rank] - 1] += number
        if own:
            values[VALUE_OF[self._card] - 1] += own
        key = tuple(sorted(cell for cell in (*cells, (1, own)) if cell[1]))
        ways = orders * prod(map(factorial, values)) // prod(factorial(number) for _, number in key)
        self._ways[sum(values), own, key, holds] += ways

    def _holds(self, faces: Faces, own: int) -> Held:
        view = self._view
        view.dealer = (*faces, *(self._card,) * own)
        return self._held(view)


def _marks(apart: int | None) -> list[tuple[tuple[int, ...], int]]:
    """No suit, each suit and each two of them, and for how many alike it stands. apart: the suit unlike the others."""
    if apart is None:
        return [((), 1), ((0,), 4), ((0, 1), 6)]
    first, second = [suit for suit in range(4) if suit != apart][:2]
    return [((), 1), ((apart,), 1), ((first,), 3), ((apart, first), 3), ((first, second), 3)]


def _can_matter(some: Some, suit: int, holds: Callable[[Shared], Held]) -> bool:
    """Whether anything changes when all cards that can have this suit have it."""
    most = tuple(number * (suit in suits) for _, number, suits in some)
    return holds(((suit, most),)) != holds(())


def _parts(some: Some, marked: tuple[int, ...], least: int) -> Iterator[tuple[Counts, ...]]:
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


def _cells(some: Some, shared: Shared) -> list[tuple[int, int]]:
    """The suits of a rank that are alike, and how many cards are of them: each shared suit, and the others together."""
    cells = []
    for place, (_, number, suits) in enumerate(some):
        there = [part[place] for suit, part in shared if suit in suits]
        cells += [(1, part) for part in there]
        cells.append((len(suits) - len(there), number - sum(there)))
    return cells


def _hand(some: Some, shared: Shared, least: int) -> Faces:
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


def _ends(h17: bool) -> Counter[Counts]:
    """The values of every hand with which he can end, a Blackjack among them, and in how many orders they come."""
    found: Counter[Counts] = Counter()
    for up in range(VALUES):
        for drawn, orders in dealer_draws(up, h17).ends.items():
            found[plus(drawn, up)] += orders
        hole = blackjack_hole(up)
        if hole is not None:
            found[plus(plus(NOTHING, up), hole)] += 1
    return found


def _shared(number: int, among: int) -> list[Counts]:
    """All ways to have so many cards of so many kinds."""
    if among == 0:
        return [()] if number == 0 else []
    if among == 1:
        return [(number,)]
    return [(first, *rest) for first in range(number + 1) for rest in _shared(number - first, among - 1)]
