"""The dealer's final hand from many different remainders of a shoe at once: `odds dealer` in doubles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import numpy as np

from shoetool.odds.dealer import BUST
from shoetool.odds.draws import dealer_draws
from shoetool.odds.shoe import VALUES, Counts, plus
from shoetool.rules.hands import STANDS_ON

Array = np.ndarray[Any, np.dtype[Any]]
COUNTS: Final = tuple(range(STANDS_ON, BUST + 2))
"""How much a hand that is no Blackjack counts in the end: 17 to 22, or more."""
NUMBERS: Final = tuple(range(2, 9))
"""Of how many cards it is then: 2 to 7, or eight or more."""
ENDINGS: Final = len(COUNTS) * len(NUMBERS)
"""Every count with every number of cards."""
RESULTS: Final = tuple(range(STANDS_ON, BUST + 1))
"""The same by its count alone: 17 to 21, or over 21."""


class EndLaw:
    """How likely each ending of a hand is. Sets of drawn cards that begin alike share their product.

    ends: each set of drawn cards that ends the hand, in how many orders they come, and its place among the results. A
    set is told by how many cards of each kind it has; which kinds there are is the caller's.
    """

    def __init__(self, ends: Iterable[tuple[Counts, int, int]], places: int) -> None:
        self._places = places
        steps: list[list[tuple[int, int, int]]] = [[]]
        found: list[list[tuple[int, int, int]]] = [[]]
        at: list[dict[Counts, int]] = [{}]
        for drawn, orders, place in ends:
            so_far, depth, node = (0,) * len(drawn), 0, 0
            for kind, number in enumerate(drawn):
                for before in range(number):
                    so_far, depth, parent = plus(so_far, kind), depth + 1, node
                    if depth == len(steps):
                        steps.append([])
                        found.append([])
                        at.append({})
                    if so_far not in at[depth]:
                        at[depth][so_far] = len(steps[depth])
                        steps[depth].append((parent, kind, before))
                    node = at[depth][so_far]
            found[depth].append((node, place, orders))
        self._steps = [np.array(one, np.int64).reshape(-1, 3) for one in steps]
        self._ends: list[tuple[list[int], Array]] = []
        for of_depth, nodes in zip(found, steps, strict=True):
            rows = sorted({place for _, place, _ in of_depth})
            matrix = np.zeros((len(rows), len(nodes)))
            for node, place, orders in of_depth:
                matrix[rows.index(place), node] += orders
            self._ends.append((rows, matrix))

    def chances(self, left: Array) -> Array:
        """Shape (rounds, places): once it is known that the hand ends in one of these sets.

        left: shape (rounds, kinds), the cards from which hole card and draws come.
        """
        cards = left.astype(float).T
        size = cards.sum(axis=0)
        out = np.zeros((self._places, left.shape[0]))
        products = np.ones((1, left.shape[0]))
        for depth, (rows, matrix) in enumerate(self._ends):
            if depth:
                parent, kind, before = self._steps[depth].T
                products = products[parent] * (cards[kind] - before[:, None]) / np.maximum(size - depth + 1, 1)
            if rows:
                out[rows] += matrix @ products
        total = out.sum(axis=0)
        return np.asarray((out / np.where(total > 0, total, 1)).T)


@cache
def _law(up: int) -> EndLaw:
    draws = dealer_draws(up)
    ends = ((drawn, orders, ending(draws.final_of(drawn), 1 + sum(drawn))) for drawn, orders in draws.ends.items())
    return EndLaw(ends, ENDINGS)


def ending_chances(up: int, left: Array) -> Array:
    """How likely each of COUNTS is in each of NUMBERS once it is known that the dealer has no Blackjack.

    Shape (rounds, counts, numbers). up: value of the up card (0 the ace, 9 every ten-count card). left: shape
    (rounds, 10), the cards from which hole card and draws come, by value.
    """
    return _law(up).chances(left).reshape(-1, len(COUNTS), len(NUMBERS))


def final_chances(endings: Array) -> Array:
    """The same by RESULTS alone, shape (rounds, results): as `odds.dealer.after_reader(dealer_results(...))` has it."""
    counts = endings.sum(axis=2)
    over = len(RESULTS) - 1
    return np.concatenate((counts[:, :over], counts[:, over:].sum(axis=1, keepdims=True)), axis=1)


def count_place(count: int) -> int:
    """The place in COUNTS of what a hand counts."""
    return min(count, COUNTS[-1]) - COUNTS[0]


def number_place(cards: int) -> int:
    """The place in NUMBERS of so many cards."""
    return min(cards, NUMBERS[-1]) - NUMBERS[0]


def ending(count: int, cards: int) -> int:
    """The place of an ending among those of every count and number of cards."""
    return count_place(count) * len(NUMBERS) + number_place(cards)


def value_of(rank: int) -> int:
    """The value 0 (ace) to 9 (every ten-count card) of a rank 0 to 12."""
    return min(rank, VALUES - 1)
