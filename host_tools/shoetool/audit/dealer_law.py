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
RESULTS: Final = tuple(range(STANDS_ON, BUST + 1))
"""How a hand that is no Blackjack ends: 17 to 21, or over 21."""


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
            result = min(draws.final_of(drawn), BUST) - STANDS_ON
            ends[depth].append((at[depth][so_far], result, orders))
        self._steps = [np.array(one, np.int64).reshape(-1, 3) for one in steps]
        self._ends = []
        for depth, found in enumerate(ends):
            matrix = np.zeros((len(RESULTS), max(len(steps[depth]), 1)))
            for node, result, orders in found:
                matrix[result, node] += orders
            self._ends.append(matrix)

    def chances(self, left: Array) -> Array:
        """Shape (rounds, results). left: shape (rounds, 10), cards by value, the hole card among them."""
        cards = left.astype(float).T
        size = cards.sum(axis=0)
        out = np.zeros((len(RESULTS), left.shape[0]))
        products = np.ones((1, left.shape[0]))
        for depth in range(1, self.longest + 1):
            parent, value, before = self._steps[depth].T
            products = products[parent] * (cards[value] - before[:, None]) / np.maximum(size - depth + 1, 1)
            if self._ends[depth].any():
                out += self._ends[depth] @ products
        total = out.sum(axis=0)
        return np.asarray((out / np.where(total > 0, total, 1)).T)


@cache
def _law(up: int) -> _Law:
    return _Law(up)


def final_chances(up: int, left: Array) -> Array:
    """How likely each of RESULTS is once it is known that the dealer has no Blackjack, a row for each remainder.

    up: value of the up card (0 the ace, 9 every ten-count card). left: shape (rounds, 10), the cards from which hole
    card and draws come, by value. The same numbers as `odds.dealer.after_reader(dealer_results(...))`.
    """
    return _law(up).chances(left)


def value_of(rank: int) -> int:
    """The value 0 (ace) to 9 (every ten-count card) of a rank 0 to 12."""
    return min(rank, VALUES - 1)
