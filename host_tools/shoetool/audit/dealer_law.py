"""The dealer's final hand from many different remainders of a shoe at once: `odds dealer` in doubles."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from shoetool.odds.dealer import BUST
from shoetool.odds.draws import dealer_draws
from shoetool.odds.shoe import VALUES, plus
from shoetool.rules.hands import STANDS_ON

Array = np.ndarray[Any, np.dtype[Any]]
COUNTS: Final = tuple(range(STANDS_ON, BUST + 2))
"""How much a hand that is no Blackjack counts in the end: 17 to 22, or more."""
NUMBERS: Final = tuple(range(2, 9))
"""Of how many cards it is then: 2 to 7, or eight or more."""
RESULTS: Final = tuple(range(STANDS_ON, BUST + 1))
"""The same by its count alone: 17 to 21, or over 21."""


class _Law:
    """The draws of one up card, as arrays: sets of cards that begin alike share their product."""

    def __init__(self, up: int) -> None:
        draws = dealer_draws(up)
        self.longest = draws.longest
        nothing: tuple[int, ...] = (0,) * VALUES
        at: list[dict[tuple[int, ...], int]] = [{nothing: 0}] + [{} for _ in range(draws.longest)]
        steps: list[list[tuple[int, int, int]]] = [[] for _ in range(draws.longest + 1)]
        ends: list[list[tuple[int, int, int]]] = [[] for _ in range(draws.longest + 1)]
        for drawn, orders in draws.ends.items():
            so_far, depth = nothing, 0
            for value, number in enumerate(drawn):
                for before in range(number):
                    parent = at[depth][so_far]
                    so_far, depth = plus(so_far, value), depth + 1
                    if so_far not in at[depth]:
                        at[depth][so_far] = len(steps[depth])
                        steps[depth].append((parent, value, before))
            ends[depth].append((at[depth][so_far], count_place(draws.final_of(drawn)), orders))
        self._steps = [np.array(one, np.int64).reshape(-1, 3) for one in steps]
        self._ends = []
        for depth, found in enumerate(ends):
            matrix = np.zeros((len(COUNTS), max(len(steps[depth]), 1)))
            for node, count, orders in found:
                matrix[count, node] += orders
            self._ends.append(matrix)

    def chances(self, left: Array) -> Array:
        """Shape (rounds, counts, numbers). left: shape (rounds, 10), cards by value, the hole card among them."""
        cards = left.astype(float).T
        size = cards.sum(axis=0)
        out = np.zeros((len(NUMBERS), len(COUNTS), left.shape[0]))
        products = np.ones((1, left.shape[0]))
        for depth in range(1, self.longest + 1):
            parent, value, before = self._steps[depth].T
            products = products[parent] * (cards[value] - before[:, None]) / np.maximum(size - depth + 1, 1)
            if self._ends[depth].any():
                out[number_place(depth + 1)] += self._ends[depth] @ products
        total = out.sum(axis=(0, 1))
        return np.asarray((out / np.where(total > 0, total, 1)).T)


@cache
def _law(up: int) -> _Law:
    return _Law(up)


def ending_chances(up: int, left: Array) -> Array:
    """How likely each of COUNTS is in each of NUMBERS once it is known that the dealer has no Blackjack.

    Shape (rounds, counts, numbers). up: value of the up card (0 the ace, 9 every ten-count card). left: shape
    (rounds, 10), the cards from which hole card and draws come, by value.
    """
    return _law(up).chances(left)


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


def value_of(rank: int) -> int:
    """The value 0 (ace) to 9 (every ten-count card) of a rank 0 to 12."""
    return min(rank, VALUES - 1)
