"""Two shoes of one batch, one after the other: what a shuffle left of the earlier order.

The earlier order is as it is; the later one is any order, each equally likely, when the shuffle was fair. The order of
a shoe is that in which it was dealt. Cards behind the cover card are in it only where the batch was counted.
"""

from __future__ import annotations

from math import perm
from typing import Any, Final

import numpy as np

from shoetool.audit.deck import FACES, UNREAD, Deck
from shoetool.audit.line import Farthest, Line, Member, of_farthest, of_several, sigma
from shoetool.audit.moments import order_chance, pair_law, pairs_within, sum_of_products
from shoetool.audit.tails import chi_square, count_tail, normal
from shoetool.audit.told import Load

Array = np.ndarray[Any, np.dtype[Any]]
RUN: Final = 4
"""So many faces in a row are a run."""
REACH: Final = 3
"""Two cards at most so far apart are near each other: a riffle lays a few cards between neighbours."""
_MATCHED: Final = "law of a count with the exact mean and variance of a fair shuffle"
_WAYS: Final = ("forward", "backward")


def runs(before: bytes, after: bytes, deck: Deck) -> tuple[int, float, int, float]:
    """How many runs of 4 faces of `before` stand in `after`, longer ones once; how many were to be expected, exactly;
    how many faces the longest has (0: under 4); and a bound of the chance of one as long, its expected number."""
    old = _windows(before, RUN)
    new = _windows(after, RUN)
    if not len(old) or not len(new):
        return 0, 0.0, 0, 1.0
    codes, at = np.unique(_code(old), return_index=True)
    old = old[at]
    now = _code(new)
    places = _places(after, RUN)
    found = np.isin(now, codes)
    whole = np.zeros(len(after), bool)
    hit = np.zeros(len(after), bool)
    whole[places], hit[places] = True, found
    starts = int((hit[1:] & ~hit[:-1]).sum()) + int(hit[0])
    twice = int((whole[1:] & whole[:-1]).sum())
    mean = len(new) * _chance(old, deck) - twice * _chance(_joined(old, codes), deck)
    longest, bound = 0, 1.0
    if found.any():
        longest, bound = _longest(before, after, deck)
    return starts, mean, longest, bound


def _windows(faces: bytes, length: int) -> Array:
    """All stretches of so many known faces, a row each."""
    array = np.frombuffer(faces, np.uint8).astype(np.int64)
    if len(array) < length:
        return np.zeros((0, length), np.int64)
    rows = np.lib.stride_tricks.sliding_window_view(array, length)
    return np.asarray(rows[(rows < FACES).all(axis=1)])


def _places(faces: bytes, length: int) -> Array:
    array = np.frombuffer(faces, np.uint8)
    rows = np.lib.stride_tricks.sliding_window_view(array, length)
    return np.flatnonzero((rows < FACES).all(axis=1))


def _code(rows: Array) -> Array:
    code = np.zeros(len(rows), np.int64)
    for column in rows.T:
        code = code << 6 | column
    return code


def _chance(rows: Array, deck: Deck) -> float:
    """How likely any of these different rows stands at one place."""
    ways = np.ones(len(rows))
    for at in range(rows.shape[1]):
        ways *= deck.copies[rows[:, at]] - (rows[:, :at] == rows[:, at : at + 1]).sum(axis=1)
    return float(ways.sum() / perm(deck.size, rows.shape[1]))


def _joined(rows: Array, codes: Array) -> Array:
    """Every row of one face more whose first and last part are both rows. codes: of the rows, ascending."""
    head = codes >> 6
    tail = codes & ((1 << 6 * (RUN - 1)) - 1)
    first, last = np.searchsorted(head, tail, "left"), np.searchsorted(head, tail, "right")
    count = last - first
    one = np.repeat(np.arange(len(rows)), count)
    other = np.repeat(first, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.hstack([rows[one], rows[other][:, -1:]])


def _longest(before: bytes, after: bytes, deck: Deck) -> tuple[int, float]:
    """Faces of the longest stretch of `before` in `after`, and the expected number of stretches as long."""
    length = RUN
    while True:
        old = {before[at : at + length + 1] for at in range(len(before) - length)}
        if not any(
            after[at : at + length + 1] in old and UNREAD not in after[at : at + length + 1]
            for at in range(len(after) - length)
        ):
            break
        length += 1
    known = {one for at in range(len(before) - length + 1) if UNREAD not in (one := before[at : at + length])}
    places = sum(UNREAD not in after[at : at + length] for at in range(len(after) - length + 1))
    return length, min(1.0, places * float(sum(order_chance(one, deck.copies) for one in known)))


def near(before: bytes, after: bytes, deck: Deck) -> list[tuple[int, float, float]]:
    """For both ways: how often two faces that were neighbours stand near each other, its mean and its variance."""
    old = np.frombuffer(before, np.uint8).astype(np.int64)
    new = np.frombuffer(after, np.uint8).astype(np.int64)
    both = (old[:-1] < FACES) & (old[1:] < FACES)
    weights = np.zeros((FACES, FACES), np.int64)
    np.add.at(weights, (old[:-1][both], old[1:][both]), 1)
    known = new < FACES
    pairs = pairs_within(known, REACH)
    out = []
    for one in (weights, weights.T.copy()):
        count = 0
        for apart in range(1, min(REACH, len(new) - 1) + 1):
            good = known[:-apart] & known[apart:]
            count += int(one[new[:-apart][good], new[apart:][good]].sum())
        mean, variance = pair_law(one, deck.copies).of(pairs)
        out.append((count, float(mean), float(variance)))
    return out


def displacement(before: bytes, after: bytes, deck: Deck) -> float:
    """The correlation of where a face lay and where it lies: by chance its mean is 0 and its variance 1 / (n - 1).

    Copies of a face cannot be told apart: each has the mean place of all. A card that was not seen has the mean place
    of all that were not.
    """
    place = _mean_places(before, deck)
    values, weights = np.empty(deck.size), np.empty(deck.size)
    new = np.frombuffer(after, np.uint8).astype(np.int64)
    known = np.flatnonzero(new < FACES)
    left = deck.copies - np.bincount(new[known], minlength=FACES)
    unseen = np.repeat(np.arange(FACES), np.maximum(left, 0))
    values[: len(known)], values[len(known) :] = place[new[known]], place[unseen]
    rest = np.setdiff1d(np.arange(deck.size), known)
    weights[: len(known)], weights[len(known) :] = known, rest.mean() if len(rest) else 0
    seen, mean, variance = sum_of_products(values, weights)
    return (seen - mean) / (variance * (deck.size - 1)) ** 0.5 if variance > 0 else 0.0


def _mean_places(faces: bytes, deck: Deck) -> Array:
    array = np.frombuffer(faces, np.uint8).astype(np.int64)
    known = np.flatnonzero(array < FACES)
    count = np.bincount(array[known], minlength=FACES)
    total = np.bincount(array[known], weights=known, minlength=FACES)
    rest = np.setdiff1d(np.arange(deck.size), known)
    unseen = np.maximum(deck.copies - count, 0)
    return np.asarray((total + unseen * (rest.mean() if len(rest) else 0)) / np.maximum(count + unseen, 1))


class Between:
    """All pairs of shoes, one by one."""

    def __init__(self) -> None:
        self.pairs = 0
        self._runs = {way: [0, 0.0] for way in _WAYS}
        self._long = {way: Farthest() for way in _WAYS}
        self._near = {way: [0.0, 0.0, 0.0] for way in _WAYS}
        self._near_far = {way: Farthest() for way in _WAYS}
        self._moved = [0.0, 0.0]
        self._moved_far = Farthest()

    def add(self, before: bytes, load: Load, name: str) -> None:
        """before: the order of the earlier shoe of this batch. load: the later one."""
        deck, after = load.deck, load.faces[: load.fixed]
        if len(after) < 2 or len(before) < 2 or np.bincount(list(load.faces), minlength=256)[:FACES].max() > deck.decks:
            return
        self.pairs += 1
        nearby = near(before, after, deck)
        for way, old, (count, mean, variance) in zip(_WAYS, (before, before[::-1]), nearby, strict=True):
            starts, expected, longest, bound = runs(old, after, deck)
            self._runs[way][0] += starts
            self._runs[way][1] += expected
            self._long[way].add(Member(bound, name, longest, 0, None))
            total = self._near[way]
            total[0] += count
            total[1] += mean
            total[2] += variance
            p = count_tail(count, mean, variance)
            self._near_far[way].add(Member(p, name, count, mean, sigma(count, mean, variance)))
        far = displacement(before, after, deck) * (deck.size - 1) ** 0.5
        self._moved[0] += far
        self._moved[1] += far * far
        self._moved_far.add(Member(normal(far), name, far / (deck.size - 1) ** 0.5, 0, far))

    def lines(self) -> list[Line]:
        """The tests."""
        none = "no two shoes of one batch that followed each other"
        lines = []
        for way in _WAYS:
            seen, mean = self._runs[way]
            words = f"runs of {RUN} faces of the shoe before, {way}"
            line = Line(f"runs {way}", words, "runs", note=none)
            if self.pairs:
                p = count_tail(seen, mean, mean)
                line = Line(line.key, words, "runs", seen, mean, sigma(seen, mean, mean), p, "Poisson, exact mean")
            longest = f"the longest run of the shoe before, {way}, in one shoe"
            law = "bound: the expected number of runs as long"
            lines += [line, of_farthest(f"longest run {way}", longest, "faces", self._long[way], law, none, RUN)]
        for way in _WAYS:
            seen, mean, variance = self._near[way]
            words = f"neighbours of the shoe before within {REACH} cards, {way}"
            line = Line(f"near {way}", words, "pairs", note=none)
            if self.pairs:
                p = count_tail(seen, mean, variance)
                line = Line(line.key, words, "pairs", seen, mean, sigma(seen, mean, variance), p, _MATCHED)
            found = self._near_far[way]
            lines += [line, *of_several(f"near {way} in a shoe", f"{words}, in one shoe", "pairs", found, _MATCHED)]
        return [*lines, *self._displaced(none)]

    def _displaced(self, none: str) -> list[Line]:
        words = "displacement: where a face lay and where it lies"
        pooled = Line("displacement", f"{words}, their mean correlation", note=none)
        spread = Line("displacement spread", f"{words}, sum of squares", note=none)
        if self.pairs:
            far = self._moved[0] / self.pairs**0.5
            law = "normal; mean 0 and variance 1 / (n - 1) are exact"
            pooled = Line(pooled.key, pooled.what, "standard deviations", self._moved[0], 0, far, normal(far), law)
            value, freedom = self._moved[1], self.pairs
            off = (value - freedom) / (2 * freedom) ** 0.5
            p = chi_square(value, freedom)
            spread = Line(spread.key, spread.what, "sum of squares", value, freedom, off, p, "chi-square")
        far_off = of_several(
            "displacement in a shoe", f"{words}, in one shoe", "correlation", self._moved_far, "normal"
        )
        return [pooled, spread, *far_off]
