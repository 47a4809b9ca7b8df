"""Hands that are drawn card by card, and what wagers on them win: from the texts alone, with plain counting.

Nothing is shared with `shoetool.odds`. A hand is drawn in every order; orders of the same cards are then put together.
In how many ways cards come from a shoe in one order is a product: so many cards of the first kind, one less for each
that went before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial

from naive_633c import axman
from naive_deals import falling

Values = tuple[int, ...]
"""Values of cards, 1 (ace) to 10, in order of size."""
ACE, TEN = 1, 10
BLACKJACK: Values = (ACE, TEN)
Chances = dict[str, Fraction]


def counted(values: Values) -> tuple[int, bool]:
    """633a.3(e): the point count, and whether an ace is 11 in it."""
    hard = sum(values)
    if ACE in values and hard <= 11:
        return hard + 10, True
    return hard, False


def drawn_until(ends: Callable[[Values], bool]) -> Counter[Values]:
    """Every hand that ends, and in how many orders its values can come so that it does not end sooner."""
    found: Counter[Values] = Counter()

    def more(hand: Values) -> None:
        if len(hand) > 1 and ends(hand):
            found[tuple(sorted(hand))] += 1
            return
        for value in range(1, 11):
            more((*hand, value))

    more(())
    return found


@cache
def dealers_hands(h17: bool) -> Counter[Values]:
    """633a.7(m): he draws to 17 and stands on it; with `h17` he draws to a soft 17. Blackjacks are among them."""

    def ends(hand: Values) -> bool:
        count, soft = counted(hand)
        return count > 17 or (count == 17 and not (h17 and soft))

    return drawn_until(ends)


def ways(hand: Values, decks: int, suits: int = 4) -> int:
    """In how many ways cards of these values come in one order, all of them in so many suits."""
    found = 1
    for value in set(hand):
        ranks = 4 if value == TEN else 1
        found *= falling(decks * suits * ranks, hand.count(value))
    return found


def _over_hands(decks: int, h17: bool, row: Callable[[Values], str]) -> Chances:
    found: Chances = {}
    for hand, orders in dealers_hands(h17).items():
        chance = Fraction(orders * ways(hand, decks), falling(52 * decks, len(hand)))
        found[row(hand)] = found.get(row(hand), Fraction(0)) + chance
    return {name: chance for name, chance in found.items() if chance}


# ------------------------------------------------------------------------------------- the dealer's finished hand
NUMBER = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


def hit_and_run(decks: int, h17: bool) -> Chances:
    """633a.7(o)(2)(i), 633a.13(l): a Blackjack, or five cards and more, that which takes him over 21 among them."""

    def row(hand: Values) -> str:
        if hand == BLACKJACK:
            return "dealer_blackjack"
        if len(hand) < 5:
            return "lost"
        return f"{NUMBER.get(len(hand), 'eight_or_more')}_cards"

    return _over_hands(decks, h17, row)


def buster_blackjack(decks: int, h17: bool) -> Chances:
    """633c.13(g), (h): over 21, by the number of cards."""

    def row(hand: Values) -> str:
        return f"{NUMBER.get(len(hand), 'eight_or_more')}_cards" if counted(hand)[0] > 21 else "lost"

    return _over_hands(decks, h17, row)


def push_22(decks: int, h17: bool) -> Chances:
    """590.7(o), 590.12(c): a dealer's 22 by its suits. Of one suit there are four, of one color two pairs of them."""
    found = dict.fromkeys(("same_suit_22", "same_color_22", "other_22", "lost"), Fraction(0))
    for hand, orders in dealers_hands(h17).items():
        every = falling(52 * decks, len(hand))
        of_any, of_color, of_suit = (
            Fraction(orders * number * ways(hand, decks, suits), every) for number, suits in ((1, 4), (2, 2), (4, 1))
        )
        if counted(hand)[0] == 22:
            found["same_suit_22"] += of_suit
            found["same_color_22"] += of_color - of_suit
            found["other_22"] += of_any - of_color
        else:
            found["lost"] += of_any
    return {name: chance for name, chance in found.items() if chance}


# ------------------------------------------------------------------------------------------- his hand as a poker hand
SUITS = "cdhs"
Cards = list[axman.Card]


def _of_ranks(hand: Values) -> Iterator[tuple[int, ...]]:
    """Every set of ranks, 1 to 13, with these values."""
    low = tuple(value for value in hand if value != TEN)
    for high in combinations_with_replacement(range(10, 14), len(hand) - len(low)):
        yield (*low, *high)


def _in_suits(number: int, suits: str) -> Iterator[str]:
    """Every way to give cards of one rank their suits, whatever their order."""
    for chosen in combinations_with_replacement(suits, number):
        yield "".join(chosen)


def axman_rows(decks: int, h17: bool, five: str, place: str, wild: str, short: str) -> dict[tuple[str, int], Fraction]:
    """633c.12: by the row of the dealer's hand, and by how often the player's two cards pay it over.

    Every set of ranks is looked at with every number of kings of diamonds among them, and in all suits in which five of
    its cards may have one suit: one more stands for all others, since suits change nothing but a flush.
    """
    found: dict[tuple[str, int], Fraction] = {}
    for hand, orders in dealers_hands(h17).items():
        each_order = orders
        for value in set(hand):
            each_order *= factorial(hand.count(value))
        for ranks in _of_ranks(hand):
            for own in range(ranks.count(13) + 1):
                rows = _of_suits(ranks, own, decks, (five, place, wild, short))
                left = decks - own
                others = 52 * decks - len(hand) - left
                pairs = {1: others * (others - 1), 2: 2 * left * others, 5: left * (left - 1)}
                every = falling(52 * decks, len(hand) + 2)
                for row, number in rows.items():
                    for times, of_player in pairs.items():
                        key = row, times if row != "lost" else 1
                        part = Fraction(each_order * number * of_player, every)
                        found[key] = found.get(key, Fraction(0)) + part
    return {key: chance for key, chance in found.items() if chance}


def _of_suits(ranks: tuple[int, ...], own: int, decks: int, reading: tuple[str, str, str, str]) -> Counter[str]:
    """By row, in how many ways so many kings of diamonds and the others of these ranks can be chosen from the shoe."""
    five, place, wild, short = reading
    numbers = Counter(ranks)
    numbers[13] -= own
    some = [(rank, number) for rank, number in numbers.items() if number]

    def row(cards: Cards) -> str:
        return axman.axman([*cards, *[axman.WILD] * own], five, place, wild == "card", short == "king")

    least = 5 - own
    mine = comb(decks, own)
    every = mine
    for rank, number in some:
        every *= comb(decks * (3 if rank == 13 else 4), number)
    rows: Counter[str] = Counter()
    known: dict[frozenset[tuple[int, ...]], str] = {}
    if len(ranks) >= 5:
        for suits in product(*(_in_suits(number, "chs" if rank == 13 else SUITS) for rank, number in some)):
            together = "".join(suits)
            large = [suit for suit in SUITS if together.count(suit) >= least]
            if not large:
                continue
            number = mine
            for of_rank in suits:
                for suit in set(of_rank):
                    number *= comb(decks, of_rank.count(suit))
            # A flush is of one of these suits, and their names change nothing.
            key = frozenset(tuple(of_rank.count(suit) for of_rank in suits) for suit in large)
            if key not in known:
                known[key] = row(
                    [(rank, suit) for (rank, _), of_rank in zip(some, suits, strict=True) for suit in of_rank]
                )
            rows[known[key]] += number
    left = every - sum(rows.values())
    if left:
        rows[row(_apart([rank for rank, number in some for _ in range(number)], least))] += left
    return rows


def _apart(ranks: list[int], least: int) -> Cards:
    """Cards of these ranks in suits of which none has so many."""
    for suits in product(*("chs" if rank == 13 else SUITS for rank in ranks)):
        if max(map(suits.count, SUITS), default=0) < least:
            return list(zip(ranks, suits, strict=True))
    raise AssertionError("there is such a way: it was counted")
