"""The order of the cards in one shoe: how often each face comes, where, and beside what."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache
from math import perm
from typing import Any, Final

import numpy as np

from shoetool.audit.deck import FACES, UNREAD, Deck
from shoetool.audit.line import Farthest, Line, Member, of_farthest, of_several, sigma
from shoetool.audit.moments import PairLaw, Pairs, pair_law, pairs_within
from shoetool.audit.tails import LEAST, chi_square, count_tail, hypergeometric_sum, quadratic, tail_of
from shoetool.audit.told import Load
from shoetool.model.cards import card_name

Array = np.ndarray[Any, np.dtype[Any]]
TENTHS: Final = 10
_FACE = np.arange(FACES)
_SAME_RANK: Final = (_FACE[:, None] % 13 == _FACE % 13).astype(np.int64)
_UP: Final = ((_FACE[:, None] + 1 == _FACE) & (_FACE[:, None] % 13 < 12)).astype(np.int64)
NEIGHBOURS: Final = {
    "equal ranks": ("two neighbours of one rank", _SAME_RANK),
    "equal faces": ("two neighbours of one face", np.eye(FACES, dtype=np.int64)),
    "ascending": ("a card before the next higher one of its suit, as in a new deck", _UP),
    "descending": ("a card before the next lower one of its suit, as in a new deck", _UP.T.copy()),
}
_SEQUENCES: Final = ("ascending", "descending")
_LONG: Final = 4
"""A sequence of fewer cards is none."""
_MATCHED: Final = "binomial or Poisson law with the exact mean and variance of a fair shuffle"


@cache
def _law(kind: str, deck: Deck) -> PairLaw:
    return pair_law(NEIGHBOURS[kind][1], deck.copies)


@lru_cache(8192)
def _moments(kind: str, deck: Deck, pairs: Pairs) -> tuple[float, float]:
    mean, variance = _law(kind, deck).of(pairs)
    return float(mean), float(variance)


def longest_sequence(steps: Array) -> int:
    """How many cards the longest sequence has. steps: a truth value for each two neighbours: the second follows."""
    breaks = np.flatnonzero(np.concatenate(([True], ~steps, [True])))
    return int(np.diff(breaks).max())


def sequence_bound(length: int, places: int, deck: Deck) -> float:
    """The expected number of sequences of so many cards of one suit in the order of a new deck: it bounds the chance
    of any. places: where one can begin."""
    held = deck.copies.reshape(4, 13) > 0
    starts = sum(bool(suit[at : at + length].all()) for suit in held for at in range(13 - length + 1))
    return float(min(1.0, places * starts * deck.decks**length / perm(deck.size, length)))


class _Frequencies:
    """Faces that were seen at places that no card decided, summed over batches."""

    def __init__(self) -> None:
        self.seen = np.zeros(FACES, np.int64)
        self.draws: Counter[tuple[int, int, int]] = Counter()
        self.shoes = 0

    def add(self, seen: Array, deck: Deck) -> None:
        """One batch."""
        self.seen += seen
        self.draws[deck.size, deck.decks, int(seen.sum())] += 1
        self.shoes += 1

    def farthest(self, found: Farthest, name: str) -> None:
        """Add each face as a member of a test, where chance decides how often it comes."""
        mean = sum(number * drawn * copies / size for (size, copies, drawn), number in self.draws.items())
        variance = sum(
            number * drawn * copies / size * (1 - copies / size) * (size - drawn) / (size - 1)
            for (size, copies, drawn), number in self.draws.items()
        )
        if variance <= 0:  # all cards came, or none is known: any order gives these numbers
            return
        spanish = any(size % 52 for size, _, _ in self.draws)
        law = hypergeometric_sum(self.draws)
        for face in np.flatnonzero(Deck(1, spanish).copies):
            seen = int(self.seen[face])
            told = f"{card_name(int(face))}{name}"
            found.add(Member(tail_of(law, seen), told, seen, mean, sigma(seen, mean, variance)))


class _Places:
    """Ranks by tenth of the batch, summed over batches of one sort of deck."""

    def __init__(self, deck: Deck) -> None:
        self.share = deck.ranks / deck.size
        self.seen = np.zeros((13, TENTHS))
        self.mean = np.zeros((13, TENTHS))
        self.spread = np.zeros((TENTHS, TENTHS))

    def add(self, faces: Array, known: Array, deck: Deck) -> None:
        """One batch: the faces at its first places."""
        tenth = np.arange(len(faces)) * TENTHS // deck.size
        at = faces[known] % 13 * TENTHS + tenth[known]
        self.seen += np.bincount(at, minlength=13 * TENTHS).reshape(13, TENTHS)
        size = np.bincount(tenth[known], minlength=TENTHS).astype(float)
        self.mean += np.outer(self.share, size)
        self.spread += (np.diag(size) - np.outer(size, size) / deck.size) * deck.size / (deck.size - 1)

    def tail(self, merged: bool) -> tuple[float, int, float] | None:
        """Sum of squares, degrees of freedom, tail. merged: all tenths as one. The covariance of ranks and tenths is a
        product, so its inverse is one too."""
        ranks = self.share > 0
        groups = [list(range(TENTHS))] if merged else self._tenths(self.share[ranks].min())
        if not groups or (self.mean[ranks][:, groups[0]].sum(axis=1) < LEAST).any():
            return None
        merge = np.zeros((len(groups), TENTHS))
        for row, group in enumerate(groups):
            merge[row, group] = 1
        spread = merge @ self.spread @ merge.T
        if spread.trace() < 1e-9:
            return None
        far = (self.seen - self.mean)[ranks] @ merge.T
        value, rank = 0.0, 0
        for row, share in zip(far, self.share[ranks], strict=True):
            own, rank = quadratic(row, spread)
            value += own / share
        freedom = rank * (int(ranks.sum()) - 1)
        return value, freedom, chi_square(value, freedom)

    def _tenths(self, least: float) -> list[list[int]]:
        """Tenths, with neighbours merged until each rank is expected often enough in each."""
        size = self.mean.sum(axis=0)
        groups: list[list[int]] = [[]]
        for tenth in range(TENTHS):
            if groups[-1] and size[groups[-1]].sum() * least >= LEAST:
                groups.append([])
            groups[-1].append(tenth)
        if len(groups) > 1 and size[groups[-1]].sum() * least < LEAST:
            rest = groups.pop()
            groups[-1] += rest
        return groups if len(groups) > 1 else []


class Within:
    """All batches, one by one."""

    def __init__(self) -> None:
        self.shoes = self.cards = 0
        self._all: dict[str, _Frequencies] = {}
        self._each: dict[tuple[str, int], _Frequencies] = {}
        self._places: dict[str, _Places] = {}
        self._pairs = {kind: [0.0, 0.0, 0.0] for kind in NEIGHBOURS}
        self._far = {kind: Farthest() for kind in NEIGHBOURS}
        self._sequences = {kind: Farthest() for kind in _SEQUENCES}
        self._whole = self._composed = self._not_once = 0
        self._off = Farthest()

    def compose(self, load: Load, name: str) -> None:
        """Whether the cards of a batch can be those of its decks: for any batch of which each card comes out once."""
        if load.not_once:
            self._not_once += 1
            return
        seen = np.bincount(list(load.faces), minlength=UNREAD + 1)
        if not load.whole and not load.strangers and not seen[:FACES].any():
            return
        extra = int(np.maximum(seen[:FACES] - load.deck.copies, 0).sum()) + load.strangers
        missing = 0
        if load.whole:
            self._whole += 1
            missing = max(0, int(np.maximum(load.deck.copies - seen[:FACES], 0).sum()) - int(seen[UNREAD]))
        self._composed += 1
        if extra or missing:
            self._off.add(Member(0.0, name, extra + missing, 0, None))

    def add(self, load: Load, device: str, name: str) -> None:
        """Take a batch whose order can be looked at."""
        deck = load.deck
        faces = np.frombuffer(load.faces[: load.fixed], np.uint8).astype(np.int64)
        known = faces < FACES
        self.shoes += 1
        self.cards += int(known.sum())
        seen = np.bincount(faces[known], minlength=FACES)
        self._all.setdefault(deck.name, _Frequencies()).add(seen, deck)
        self._each.setdefault((device, load.batch), _Frequencies()).add(seen, deck)
        self._places.setdefault(deck.name, _Places(deck)).add(faces, known, deck)
        pairs = pairs_within(known, 1)
        both = known[:-1] & known[1:]
        first, second = faces[:-1][both], faces[1:][both]
        for kind, (_, weights) in NEIGHBOURS.items():
            count = int(weights[first, second].sum())
            mean, variance = _moments(kind, deck, pairs)
            total = self._pairs[kind]
            total[0] += count
            total[1] += mean
            total[2] += variance
            p = count_tail(count, mean, variance)
            self._far[kind].add(Member(p, name, count, mean, sigma(count, mean, variance)))
        for kind, found in self._sequences.items():
            steps = both.copy()
            steps[both] = NEIGHBOURS[kind][1][first, second] > 0
            length = longest_sequence(steps)
            bound = 1.0 if length < _LONG else sequence_bound(length, len(faces) - length + 1, deck)
            found.add(Member(bound, name, length if length >= _LONG else 0, 0, None))

    def lines(self) -> list[Line]:
        """The tests."""
        return [self._composition(), *self._frequencies(), *self._neighbours()]

    def _composition(self) -> Line:
        what = "cards that a batch has too often, or lacks after it was counted to its end"
        note = f"{self._whole} of {self._composed} batches were counted to their end"
        why = "no cards"
        if self._not_once:
            why = f"{self._not_once} left out: refilled, carried over, or records missing"
            note += f"; {why}"
        if not self._composed:
            return Line("composition", what, note=why)
        members = self._off.members()
        return Line(
            "composition", what, "batches", self._off.of, 0, None, 0.0 if members else 1.0, "certain", note,
            self._composed, members,
        )  # fmt: skip

    def _frequencies(self) -> list[Line]:
        none = "no batch whose order can be looked at"
        exact = "multivariate hypergeometric; each face by its exact law"
        faces, each = Farthest(), Farthest()
        for sort, found in self._all.items():
            found.farthest(faces, f" ({sort})" if len(self._all) > 1 else "")
        for (device, batch), found in self._each.items():
            found.farthest(each, f" of batch {batch} in {device}")
        if self._all:
            none = "all of every batch was counted, or no card of it was read"
        lines = [
            of_farthest("faces", "how often each face came", "cards", faces, exact, none),
            of_farthest("faces by batch", "how often each face came, by device and batch", "cards", each, exact, none),
        ]
        for sort, places in sorted(self._places.items()):
            for merged, key, what in (
                (True, "ranks", f"how often each rank came ({sort})"),
                (False, "places", f"ranks by tenth of the shoe ({sort})"),
            ):
                law = "chi-square with the exact covariance of a fair shuffle"
                tail = places.tail(merged)
                if tail is None:
                    why = "too few cards, or all of every batch was counted" if merged else "too few cards"
                    lines.append(Line(key, what, law=law, note=why))
                    continue
                value, freedom, p = tail
                far = (value - freedom) / (2 * freedom) ** 0.5
                lines.append(Line(key, what, "sum of squares", value, freedom, far, p, law))
        return lines

    def _neighbours(self) -> list[Line]:
        lines = []
        for kind, (words, _) in NEIGHBOURS.items():
            seen, mean, variance = self._pairs[kind]
            if not self.shoes:
                lines.append(Line(kind, words, note="no batch whose order can be looked at"))
                continue
            p = count_tail(seen, mean, variance)
            lines.append(Line(kind, words, "pairs", seen, mean, sigma(seen, mean, variance), p, _MATCHED))
            lines += of_several(f"{kind} in a shoe", f"{words}, in one shoe", "pairs", self._far[kind], _MATCHED)
        for kind, found in self._sequences.items():
            words = f"the longest {kind} sequence of one suit, as in a new deck, in one shoe"
            law = "bound: the expected number of sequences as long"
            none = "no batch whose order can be looked at"
            lines.append(of_farthest(f"longest {kind} sequence", words, "cards", found, law, none, _LONG))
        return lines
