"""AxMan over every hand that the dealer can draw from full shoes: from the text alone, with plain counting.

Nothing is shared with `shoetool.odds`. What five cards make says `naive_633c.axman`. Every set of ranks is looked at
with every number of kings of diamonds among them, and in all suits in which five of its cards may have one suit. One
way more stands for all others: suits change nothing but a flush.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial

from naive_633c import axman
from naive_deals import falling
from naive_hands import TEN, Values, dealers_hands

SUITS = "cdhs"
DIAMONDS = 1
KING = 13
Reading = tuple[str, str, str, str]
"""Words of `axman_five`, `axman_wild_place`, `axman_wild` and `axman_wild_short`."""
Rows = dict[tuple[str, int], Fraction]
"""By the row of the dealer's hand, and by how often the player's two cards pay it over: the chance."""
_InSuits = tuple[tuple[int, ...], tuple[int, ...]]
"""How many cards of one rank each suit has, and in how many ways each of the shoes has them."""


def rows_of(shoes: Sequence[int], h17: bool, readings: Sequence[Reading]) -> dict[tuple[int, Reading], Rows]:
    """633c.12, for each of these numbers of decks and each reading."""
    found: dict[tuple[int, Reading], Rows] = {(decks, one): {} for decks, one in product(shoes, readings)}
    for hand, orders in dealers_hands(h17).items():
        each_order = orders
        for value in set(hand):
            each_order *= factorial(hand.count(value))
        for ranks in _of_ranks(hand):
            for own in range(ranks.count(KING) + 1):
                for rows, ways in _of_suits(ranks, own, shoes, readings).items():
                    for decks, number in zip(shoes, ways, strict=True):
                        chances = _with_the_players(decks, len(hand), own, each_order * number)
                        for (times, chance), (reading, row) in product(chances, zip(readings, rows, strict=True)):
                            into, key = found[decks, reading], (row, times if row != "lost" else 1)
                            into[key] = into.get(key, Fraction(0)) + chance
    return {which: {key: chance for key, chance in rows.items() if chance} for which, rows in found.items()}


def _with_the_players(decks: int, cards: int, own: int, ways: int) -> list[tuple[int, Fraction]]:
    """The chance of a dealer's hand that comes in so many ways, by what the player's two cards multiply."""
    left = decks - own
    others = 52 * decks - cards - left
    pairs = {1: others * (others - 1), 2: 2 * left * others, 5: left * (left - 1)}
    every = falling(52 * decks, cards + 2)
    return [(times, Fraction(ways * number, every)) for times, number in pairs.items()]


def _of_ranks(hand: Values) -> Iterator[tuple[int, ...]]:
    """Every set of ranks, 1 to 13, with these values."""
    low = tuple(value for value in hand if value != TEN)
    for high in combinations_with_replacement(range(10, 14), len(hand) - len(low)):
        yield (*low, *high)


def _in_suits(rank: int, number: int, shoes: Sequence[int]) -> list[_InSuits]:
    """Every way to give cards of one rank their suits; a king of diamonds is told apart before."""
    found = []
    for chosen in combinations_with_replacement("chs" if rank == KING else SUITS, number):
        counts = tuple(map(chosen.count, SUITS))
        ways = []
        for decks in shoes:
            product_of = 1
            for count in counts:
                product_of *= comb(decks, count)
            ways.append(product_of)
        found.append((counts, tuple(ways)))
    return found


def _of_suits(
    ranks: tuple[int, ...], own: int, shoes: Sequence[int], readings: Sequence[Reading]
) -> dict[tuple[str, ...], list[int]]:
    """By the row in each reading, in how many ways each shoe has so many kings of diamonds and the other cards."""
    numbers = Counter(ranks)
    numbers[KING] -= own
    some = [(rank, number) for rank, number in sorted(numbers.items()) if number]
    wild = [axman.WILD] * own
    least = 5 - own

    def rows_in(cards: list[axman.Card]) -> tuple[str, ...]:
        """The row in each reading: two of its words matter beside a wild king alone, one to less than five cards."""
        asked = [(one[0], *(one[1:3] if own else ("", "")), one[3] if len(ranks) < 5 else "") for one in readings]
        told = {
            (five, place, suit, short): axman.axman([*cards, *wild], five, place, suit == "card", short == "king")
            for five, place, suit, short in dict.fromkeys(asked)
        }
        return tuple(told[one] for one in asked)

    each_rank = [_in_suits(rank, number, shoes) for rank, number in some]
    still = [sum(number for _, number in some[at:]) for at in range(len(some) + 1)]
    found: dict[tuple[str, ...], list[int]] = {}
    known: dict[frozenset[tuple[int, ...]], tuple[str, ...]] = {}
    left = [comb(decks, own) for decks in shoes]
    for rank, number in some:
        left = [
            ways * comb(decks * (3 if rank == KING else 4), number) for decks, ways in zip(shoes, left, strict=True)
        ]

    def given(so_far: tuple[tuple[int, ...], ...], together: tuple[int, ...], ways: tuple[int, ...]) -> None:
        """Count every way to go on in which one suit has enough cards for a flush."""
        if max(together) + still[len(so_far)] < least:
            return
        if len(so_far) < len(some):
            for counts, more in each_rank[len(so_far)]:
                both = tuple(one + other for one, other in zip(together, counts, strict=True))
                given((*so_far, counts), both, tuple(one * other for one, other in zip(ways, more, strict=True)))
            return
        # A flush is of one of these suits. A wild king may stay a diamond, so that this suit is unlike the others.
        large = [suit for suit in range(4) if together[suit] >= least]
        key = frozenset((suit == DIAMONDS, *(counts[suit] for counts in so_far)) for suit in large)
        if key not in known:
            known[key] = rows_in(
                [
                    (rank, SUITS[suit])
                    for (rank, _), counts in zip(some, so_far, strict=True)
                    for suit in range(4)
                    for _ in range(counts[suit])
                ]
            )
        into = found.setdefault(known[key], [0] * len(shoes))
        for place, number in enumerate(ways):
            into[place] += number
            left[place] -= number

    if len(ranks) >= 5:
        given((), (0,) * 4, tuple(comb(decks, own) for decks in shoes))
    if any(left):
        apart = _apart([rank for rank, number in some for _ in range(number)], least)
        into = found.setdefault(rows_in(apart), [0] * len(shoes))
        for place, number in enumerate(left):
            into[place] += number
    return found


def _apart(ranks: list[int], least: int) -> list[axman.Card]:
    """Cards of these ranks in suits of which none has so many."""
    for suits in product(*("chs" if rank == KING else SUITS for rank in ranks)):
        if max(map(suits.count, SUITS), default=0) < least:
            return list(zip(ranks, suits, strict=True))
    raise AssertionError("there is such a way: it was counted")
