"""Cards that are alike to wagers to which no suit is special: the same ranks, the same suits equal to each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

Three = tuple[int, int, int]


@cache
def _suits_like(suits: Three) -> tuple[Three, ...]:
    """Every choice of three suits of which the same ones are equal."""
    return tuple(dict.fromkeys((order[suits[0]], order[suits[1]], order[suits[2]]) for order in permutations(range(4))))


def alike(cards: Three, special_pairs: frozenset[int]) -> Iterator[Three]:
    """The first, second and up card of every deal that comes of this one by exchanging suits throughout.

    Itself alone where that may make or break a pair of one of the special cards.
    """
    first, second, third = (card % 13 for card in cards)
    if cards[0] == cards[1] and any(card % 13 == first for card in special_pairs):
        yield cards
        return
    for one, two, three in _suits_like((cards[0] // 13, cards[1] // 13, cards[2] // 13)):
        yield one * 13 + first, two * 13 + second, three * 13 + third
