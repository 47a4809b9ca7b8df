"""How likely several hands come to hold certain cards, all out of one shoe.

A hand is told by sets of cards, each with a weight: in how many orders they are drawn so that what is asked happens.
Several hands are the product of their sets. A set of c cards of a value comes out of s of them in s * (s - 1) * ...
ways, c factors.

Hands of many sets have too many products. For these there are two bounds. Let every hand draw from a full shoe of its
own. What is counted then is too much by the draws in which two hands hold the same card. Of these there are no more
than the sum over every two hands and every two of their cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import perm, prod
from typing import Final, NamedTuple

from shoetool.odds.shoe import VALUES, Counts

MOST_PRODUCTS: Final = 12_000_000
"""Hands of more sets than this, those of one times those of the next and so on, are not multiplied out."""

_BITS: Final = 8
_ONE: Final = (1 << _BITS) - 1

Packed = int
"""A set of cards as one number: how many of each value, in `_BITS` bits. So two sets together are their sum."""

Sets = dict[Packed, int]
"""Sets of cards, each with its weight."""

ByNumber = dict[int, int]
"""Weights by the number of cards."""


class Bounds(NamedTuple):
    """What is asked is `least` at least and `most` at most. Both are exact, and where they are alike it is known."""

    least: Fraction
    most: Fraction


def packed(cards: Counts) -> Packed:
    """The set as one number."""
    return sum(number << _BITS * value for value, number in enumerate(cards))


def unpacked(cards: Packed) -> Counts:
    """The set by values."""
    return tuple(cards >> _BITS * value & _ONE for value in range(VALUES))


class Jointly:
    """Chances of several hands.

    shoe: the cards that all of them draw from. last: the sets of the hand that is drawn in every case, few of them.
    """

    def __init__(self, shoe: Counts, last: Mapping[Counts, int]) -> None:
        self.shoe = shoe
        self.size = sum(shoe)
        self._last = {packed(drawn): weight for drawn, weight in last.items()}
        self._ways = [[perm(have, number) for number in range(_ONE + 1)] for have in shoe]
        # The ways to draw the last hand are products with a factor for each card. Sets that begin alike share it.
        # A step is (product that it multiplies, value of the card, how many of this value went before).
        self._steps: list[tuple[int, int, int]] = []
        self._last_by_number: dict[int, list[tuple[int, int]]] = defaultdict(list)
        product_of: dict[tuple[int, ...], int] = {(): 0}
        for drawn, weight in last.items():
            so_far: tuple[int, ...] = ()
            for value in (value for value, number in enumerate(drawn) for _ in range(number)):
                before = so_far.count(value)
                parent, so_far = product_of[so_far], (*so_far, value)
                if so_far not in product_of:
                    self._steps.append((parent, value, before))
                    product_of[so_far] = len(self._steps)
            self._last_by_number[len(so_far)].append((product_of[so_far], weight))

    def exactly(self, hands: Sequence[Sets], besides: Counts) -> Fraction:
        """How likely all these hands, the last one, and draws of the cards `besides` come about, by weight."""
        return self._exact(reduce(_product, self._every(hands, besides)))

    def within(self, hands: Sequence[Sets], besides: Counts) -> Bounds:
        """The same, where these hands may have too many sets to be multiplied out."""
        every = self._every(hands, besides)
        if prod(map(len, every)) > MOST_PRODUCTS:
            return self._bounds([*every, self._last])
        exact = self._exact(reduce(_product, every))
        return Bounds(exact, exact)

    def _every(self, hands: Sequence[Sets], besides: Counts) -> list[Sets]:
        return [{packed(besides): 1}, *sorted(map(self._that_can_come, hands), key=len)]

    def _that_can_come(self, hand: Sets) -> Sets:
        """The sets that the shoe holds."""
        have = self.shoe
        return {key: weight for key, weight in hand.items() if all(map(int.__le__, unpacked(key), have))}

    def _exact(self, sets: Sets) -> Fraction:
        found: ByNumber = defaultdict(int)
        for key, weight in sets.items():
            cards = unpacked(key)
            for value, number in enumerate(cards):
                if number:
                    weight *= self._ways[value][number]
            if not weight:
                continue
            left = [have - number for have, number in zip(self.shoe, cards, strict=True)]
            products = [1]
            push = products.append
            for parent, value, before in self._steps:
                push(products[parent] * (left[value] - before))
            drawn = sum(cards)
            for number, ends in self._last_by_number.items():
                found[drawn + number] += weight * sum(products[node] * orders for node, orders in ends)
        return self._chance(found)

    def _bounds(self, hands: Sequence[Sets]) -> Bounds:
        every = [self._by_number(hand.items()) for hand in hands]
        held = [[self._by_number(self._times(hand, value)) for value in range(VALUES)] for hand in hands]
        most = self._chance(reduce(_product, every))
        alike = Fraction(0)
        for one, other in combinations(range(len(hands)), 2):
            rest = reduce(_product, (by for place, by in enumerate(every) if place not in (one, other)), {0: 1})
            for value, have in enumerate(self.shoe):
                if have:
                    two = _product(held[one][value], held[other][value])
                    alike += self._chance(_product(two, rest)) / have
        return Bounds(max(most - alike, Fraction(0)), most)

    def _by_number(self, sets: Iterable[tuple[Packed, int]]) -> ByNumber:
        """In how many ways these sets are drawn from a full shoe, by weight."""
        found: ByNumber = defaultdict(int)
        for key, weight in sets:
            cards = unpacked(key)
            for value, number in enumerate(cards):
                weight *= self._ways[value][number]
            found[sum(cards)] += weight
        return found

    def _times(self, sets: Sets, value: int) -> Iterable[tuple[Packed, int]]:
        """Weighed by how many cards of this value they hold, too."""
        shift = _BITS * value
        return ((key, weight * (key >> shift & _ONE)) for key, weight in sets.items())

    def _chance(self, ways: ByNumber) -> Fraction:
        """Ways to draw so many cards; more than the shoe holds are drawn in none."""
        chances = (Fraction(found, perm(self.size, number)) for number, found in ways.items() if number <= self.size)
        return sum(chances, Fraction(0))


def _product(some: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int]:
    """Of every one with every other: the sum of their keys, the product of their weights."""
    found: dict[int, int] = defaultdict(int)
    for one, weight in some.items():
        for other, times in others.items():
            found[one + other] += weight * times
    return found
