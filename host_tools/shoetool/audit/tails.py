"""How likely a result is that lies as far from its expectation: tails of known laws, and nothing normal for counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import comb
from typing import Any, Final

import numpy as np
from scipy import special

Array = np.ndarray[Any, np.dtype[Any]]
_SAME: Final = 1e-9
LEAST: Final = 5.0
"""The least expectation of a cell of a chi-square test."""


def count_tail(observed: float, mean: float, variance: float) -> float:
    """Tail of a count with this mean and variance. Two-sided: twice the smaller tail.

    The law is the binomial, Poisson or negative binomial one that has exactly this mean and variance. For a count of
    independent trials that is its own law; for weakly dependent ones, such as neighbours, it is very near.
    """
    if mean <= 0 or variance <= 0:
        return 1.0 if abs(observed - max(mean, 0)) < _SAME else 0.0
    upper = _tail(observed, mean, variance, True)
    return min(1.0, 2 * min(upper, _tail(observed + 1, mean, variance, False)))


def _tail(count: float, mean: float, variance: float, upper: bool) -> float:
    """P(X >= count), or P(X < count)."""
    if count <= 0:
        return float(upper)
    beta, gamma = (special.betainc, special.gammainc) if upper else (special.betaincc, special.gammaincc)
    ratio = variance / mean
    if ratio < 1 - 1e-6:
        trials = mean / (1 - ratio)
        if count <= trials:
            return float(beta(count, trials - count + 1, 1 - ratio))
        # Beyond its last value the matched law says nothing: take the longer tail.
    elif ratio > 1 + 1e-6:
        return float(beta(count, mean / (ratio - 1), 1 - 1 / ratio))
    return float(gamma(count, mean))


def binomial(observed: int, trials: int, chance: float) -> float:
    """Exact two-sided tail: twice the smaller one."""
    if not trials or not 0 < chance < 1:
        return 1.0
    lower = float(special.bdtr(observed, trials, chance))
    upper = 1.0 if observed <= 0 else float(special.betainc(observed, trials - observed + 1, chance))
    return min(1.0, 2 * min(lower, upper))


def normal(far: float) -> float:
    """Two-sided tail of a sum of very many small parts, `far` standard deviations from its mean."""
    return float(2 * special.ndtr(-abs(far)))


def chi_square(value: float, freedom: int) -> float:
    """Upper tail of a sum of squares with so many degrees of freedom."""
    return float(special.chdtrc(freedom, value)) if freedom > 0 else 1.0


def quadratic(difference: Array, covariance: Array) -> tuple[float, int]:
    """The sum of squares of counts about their expectation, measured by their exact covariance, and its rank."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > max(values.max(initial=0.0), 0.0) * 1e-9
    along = vectors[:, kept].T @ difference
    return float((along * along / values[kept]).sum()), int(kept.sum())


@cache
def _hypergeometric(size: int, copies: int, drawn: int) -> tuple[float, ...]:
    ways = comb(size, drawn)
    return tuple(comb(copies, value) * comb(size - copies, drawn - value) / ways if value <= drawn else 0.0
                 for value in range(copies + 1))  # fmt: skip


def hypergeometric_sum(draws: Mapping[tuple[int, int, int], int]) -> tuple[int, Array]:
    """The exact law of how often one face comes: (first value, probability of each value from there on).

    draws: (cards of a batch, copies of the face among them, cards that were seen) -> how many batches. Values so far
    out that no double holds their probability are folded onto the others.
    """
    mean = sum(number * drawn * copies / size for (size, copies, drawn), number in draws.items())
    variance = sum(
        number * drawn * copies / size * (1 - copies / size) * (size - drawn) / (size - 1)
        for (size, copies, drawn), number in draws.items()
    )
    most = sum(number * copies for (_, copies, _), number in draws.items())
    width = min(most + 1, int(80 * max(variance, 1) ** 0.5) + 200)
    first = max(0, min(int(mean) - width // 2, most + 1 - width))
    product = np.ones(width // 2 + 1, complex)
    for (size, copies, drawn), number in draws.items():
        law = np.zeros(width)
        for value, chance in enumerate(_hypergeometric(size, copies, drawn)):
            law[value % width] += chance
        product *= np.fft.rfft(law) ** number
    folded = np.clip(np.fft.irfft(product, width), 0, None)
    return first, np.roll(folded, -(first % width))


def tail_of(law: tuple[int, Array], observed: int) -> float:
    """Two-sided tail of a law as `hypergeometric_sum` gives it."""
    first, chances = law
    at = observed - first
    if not 0 <= at < len(chances):
        return 0.0
    return float(min(1.0, 2 * min(chances[: at + 1].sum(), chances[at:].sum())))


def cells_tail(seen: Array, mean: Array, covariance: Array) -> tuple[float, int, float] | None:
    """Sum of squares, degrees of freedom and tail of counts about their expectation. Cells with an expectation below 5
    are merged. None: fewer than two cells are left."""
    order = np.argsort(mean, kind="stable")
    groups: list[list[int]] = [[]]
    for at in order[mean[order] > 0]:
        if groups[-1] and mean[groups[-1]].sum() >= LEAST:
            groups.append([])
        groups[-1].append(int(at))
    if len(groups) > 1 and mean[groups[-1]].sum() < LEAST:
        rest = groups.pop()
        groups[-1] += rest
    if len(groups) < 2:
        return None
    merge = np.zeros((len(groups), len(mean)))
    for row, group in enumerate(groups):
        merge[row, group] = 1
    value, freedom = quadratic(merge @ (seen - mean), merge @ covariance @ merge.T)
    return value, freedom, chi_square(value, freedom)
