"""Exact means and variances of counts over a shuffled batch. Everything is an integer or a Fraction.

A batch has `copies[f]` cards of each face f. A fair shuffle makes every order of its cards equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


class Pairs(NamedTuple):
    """Pairs of places, the first before the second, and how many pairs of such pairs share a place.

    `same_first`, `same_second`: ordered pairs of two different pairs that share their first, or second, place.
    `chains`: pairs whose second place is the first one of the other pair.
    """

    number: int
    same_first: int
    same_second: int
    chains: int


def pairs_within(known: Array, reach: int) -> Pairs:
    """The pairs of places at most `reach` apart. `known`: a truth value a place; a pair needs two true ones."""
    size = len(known)
    ahead = np.zeros(size, np.int64)
    behind = np.zeros(size, np.int64)
    for apart in range(1, min(reach, size - 1) + 1):
        both = known[:-apart] & known[apart:]
        ahead[:-apart] += both
        behind[apart:] += both
    first = int((ahead * (ahead - 1)).sum())
    return Pairs(int(ahead.sum()), first, int((behind * (behind - 1)).sum()), int((ahead * behind).sum()))


@dataclass(frozen=True, slots=True)
class PairLaw:
    """The expected products of a weight over two different cards, and over each way in which two pairs can overlap."""

    mean: Fraction
    same: Fraction
    first: Fraction
    second: Fraction
    chain: Fraction
    apart: Fraction

    def of(self, pairs: Pairs) -> tuple[Fraction, Fraction]:
        """Mean and variance of the sum of the weights over these pairs of places in a fair shuffle."""
        mean = pairs.number * self.mean
        apart = pairs.number**2 - pairs.number - pairs.same_first - pairs.same_second - 2 * pairs.chains
        square = (
            pairs.number * self.same
            + pairs.same_first * self.first
            + pairs.same_second * self.second
            + 2 * pairs.chains * self.chain
            + apart * self.apart
        )
        return mean, square - mean * mean


def pair_law(weights: Array, copies: Array) -> PairLaw:
    """The law of a sum of `weights[a, b]` over pairs of places, a the face at the first place and b at the second.

    It is that of a double-indexed permutation statistic: of two pairs, the expectation depends only on which places
    they share. weights: whole numbers, a row and a column for each face.
    """
    size = int(copies.sum())
    weights = weights.astype(np.int64)
    copies = copies.astype(np.int64)
    own = np.diag(weights)
    out = weights @ copies - own  # of one card of a face, over all other cards
    into = copies @ weights - own
    total = int(copies @ out)
    same = int(copies @ (weights * weights) @ copies - copies @ (own * own))
    back = int(copies @ (weights * weights.T) @ copies - copies @ (own * own))
    first = int(copies @ (out * out)) - same
    second = int(copies @ (into * into)) - same
    chain = int(copies @ (into * out)) - back
    apart = total * total - same - back - first - second - 2 * chain
    two, three, four = (max(perm(size, places), 1) for places in (2, 3, 4))
    return PairLaw(
        Fraction(total, two), Fraction(same, two), Fraction(first, three), Fraction(second, three),
        Fraction(chain, three), Fraction(apart, four),
    )  # fmt: skip


def sum_of_products(values: Array, weights: Array) -> tuple[float, float, float]:
    """Observed, mean and variance of the sum over all places of `values[place] * weights[place]`, values shuffled.

    Both arrays have a number for each card of the batch. The mean is exact, and so is the variance:
    S_xx S_yy / (n - 1) with the sums of squares about the means.
    """
    size = len(values)
    dx, dy = values - values.mean(), weights - weights.mean()
    return (
        float(values @ weights),
        float(size * values.mean() * weights.mean()),
        float(dx @ dx * (dy @ dy) / (size - 1)),
    )


def natural_law(aces: int, tens: int, size: int) -> tuple[Fraction, Fraction]:
    """How likely a two-card hand is a natural, and two such hands both, dealt from these cards.

    2 A T / (N (N - 1)), and 4 A (A - 1) T (T - 1) / (N (N - 1) (N - 2) (N - 3)).
    """
    one = Fraction(2 * aces * tens, perm(size, 2)) if size > 1 else Fraction(0)
    both = Fraction(4 * aces * (aces - 1) * tens * (tens - 1), perm(size, 4)) if size > 3 else Fraction(0)
    return one, both


def order_chance(faces: bytes, copies: Array) -> Fraction:
    """How likely these faces stand in this order at given neighbouring places of a fair shuffle."""
    ways = 1
    for face in set(faces):
        ways *= perm(int(copies[face]), faces.count(face))
    return Fraction(ways, perm(int(copies.sum()), len(faces)))
