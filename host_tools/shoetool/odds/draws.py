"""How a dealer's hand can end: every set of cards that finishes it, and in how many orders they can come."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from math import perm
from typing import Final

from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, best_count, plus
from shoetool.rules.hands import STANDS_ON

FINALS: Final = tuple(range(STANDS_ON, 27))
"""The counts with which a dealer's hand can end, a Blackjack not among them; 26 is 16 and a ten-count card."""


def blackjack_hole(up: int) -> int | None:
    """The value of the hole card that makes a Blackjack with this up card; None where no card does."""
    return {ACE: TEN, TEN: ACE}.get(up)


def drawn_values(up: int, drawn: Counts) -> tuple[int, ...]:
    """The drawn cards of a hand that is no Blackjack one by one, in an order in which the first two show none."""
    values = [value for value, number in enumerate(drawn) for _ in range(number)]
    return tuple(reversed(values) if up == TEN else values)


class DealerDraws:
    """All the ways in which a dealer with this up card can end his hand without a Blackjack.

    up: the value of his up card. h17: whether he draws to a soft 17; the chapters have him stand on it (633a.7(m),
    590.7(l), 635a.7(l)). ends: each set of drawn cards that ends the hand, with the number of orders in which it does.
    longest: the most cards that he can draw, the hole card among them.
    """

    def __init__(self, up: int, h17: bool = False) -> None:
        self.up = up
        self._h17 = h17
        self.ends = self._ends()
        self.longest = max(sum(drawn) for drawn in self.ends)
        # The ways to draw a set of cards are a product with a factor for each card. Sets that begin alike share it.
        # A step is (product that it multiplies, value of the card, how many of this value went before).
        self._steps: list[tuple[int, int, int]] = []
        grouped: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        product_of: dict[Counts, int] = {NOTHING: 0}
        for drawn, orders in self.ends.items():
            so_far, at = NOTHING, 0
            for value, number in enumerate(drawn):
                for before in range(number):
                    so_far = plus(so_far, value)
                    if so_far not in product_of:
                        self._steps.append((at, value, before))
                        product_of[so_far] = len(self._steps)
                    at = product_of[so_far]
            grouped[self.final_of(drawn) - STANDS_ON, sum(drawn)].append((at, orders))
        self._last = [(place, depth, found) for (place, depth), found in grouped.items()]

    def _ends(self) -> dict[Counts, int]:
        """Each set of drawn cards that ends the hand, with the number of orders in which it does."""
        hole = blackjack_hole(self.up)
        ends: dict[Counts, int] = defaultdict(int)
        open_hands: dict[Counts, int] = {NOTHING: 1}
        while open_hands:
            longer: dict[Counts, int] = defaultdict(int)
            for drawn, orders in open_hands.items():
                for value in range(VALUES):
                    if value == hole and not any(drawn):
                        continue
                    more = plus(drawn, value)
                    (ends if self._stands(more) else longer)[more] += orders
            open_hands = longer
        return ends

    def _stands(self, drawn: Counts) -> bool:
        count, soft = best_count(plus(drawn, self.up))
        return count >= STANDS_ON and not (self._h17 and soft and count == STANDS_ON)

    def final_of(self, drawn: Counts) -> int:
        """The count of the hand with these drawn cards."""
        return best_count(plus(drawn, self.up))[0]

    def weights(self, shoe: Counts) -> list[int]:
        """How many ordered draws of `longest` cards from this shoe end the hand with each count of `FINALS`.

        Divided by perm(cards in the shoe, longest) that is the probability of this count and no Blackjack. The up card
        is not in the shoe any more, and at least `longest` cards are.
        """
        products = [1]
        push = products.append
        for parent, value, before in self._steps:
            push(products[parent] * (shoe[value] - before))
        size, longest = sum(shoe), self.longest
        found = [0] * len(FINALS)
        for place, depth, ends in self._last:
            total = 0
            for node, orders in ends:
                total += products[node] * orders
            found[place] += total * perm(size - depth, longest - depth)
        return found


@cache
def dealer_draws(up: int, h17: bool = False) -> DealerDraws:
    """The draws of this up card, made once."""
    return DealerDraws(up, h17)
