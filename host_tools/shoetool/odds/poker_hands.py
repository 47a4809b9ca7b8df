"""Wagers on the dealer's finished hand as a poker hand: every hand that he can draw, by its ranks and suits.

The cards are counted without replacement from a full shoe, and the dealer always draws. What such a wager pays depends
on the ranks of his cards, on how many of one card he holds, which may be wild (`Multiplier.card`), and on which cards
share a suit (`shared_suits`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import factorial, perm, prod

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.odds.deals import Counted
from shoetool.odds.draws import blackjack_hole, dealer_draws
from shoetool.odds.holding import Held, WatchedRules
from shoetool.odds.shared_suits import Hand, Marks, SharedSuits
from shoetool.odds.shoe import NOTHING, VALUES, Counts, plus
from shoetool.rules.wagers import View
from shoetool.rules.wagers.wager import Multiplier

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
        self._suits = SharedSuits(by.card, deck, rules, held)
        self._ways: Counter[tuple[int, int, Cells, Held]] = Counter()
        """By the cards, those of the multiplier among them, what is alike, and what holds: in how many orders."""
        for values, orders in _ends(h17).items():
            for hand in self._suits.of_values(values):
                self._count(hand, orders)

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

    def _count(self, hand: Hand, orders: int) -> None:
        """Count a hand by what holds for each way in which enough of its cards share a suit."""
        ranks, own = hand
        # All suits are alike to a hand without the card and without a rank that lacks one for it.
        marks = _marks(self._card // 13 if own or ranks[self._card % 13] else None)
        for shared, holds in self._suits.ways(hand, marks):
            cells = [(len(faces), number) for faces, number in self._suits.cells(ranks, shared)]
            for outcomes, number in holds.items():
                self._add(cells, hand, number * marks[tuple(suit for suit, _ in shared)] * orders, outcomes)

    def _add(self, cells: Sequence[tuple[int, int]], hand: Hand, orders: int, holds: Held) -> None:
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


def _marks(apart: int | None) -> dict[Marks, int]:
    """No suit, each suit and each two of them, and for how many alike it stands. apart: the suit unlike the others."""
    if apart is None:
        return {(): 1, (0,): 4, (0, 1): 6}
    first, second = [suit for suit in range(4) if suit != apart][:2]
    return {(): 1, (apart,): 1, (first,): 3, (apart, first): 3, (first, second): 3}


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
