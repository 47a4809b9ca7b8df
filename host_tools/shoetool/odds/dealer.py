"""The dealer's final hand by his up card: every hand that he can end with, and how likely each is.

He draws to 17 and stands on all 17s, hard and soft: 633a.7(m), 590.7(l), 635a.7(l). `h17` lets him draw to a soft 17,
to compare with tables that others have published. The hands are found once, without regard to how many cards there
are; how often one comes from a given shoe is then arithmetic. Which of the ten-value cards it is makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from shoetool.rules.hands import STANDS_ON

from .shoe import ACE_VALUE, TEN_VALUE, Values, falling, without

BLACKJACK: Final = 0
"""The result of a Blackjack. Every other result is the total of the hand, 17 to 26."""

BUST: Final = 22
"""From this total on the dealer is over 21."""


class Finished(NamedTuple):
    """One way in which the dealer's hand ends, the order of his cards apart.

    drawn: (place in `Values`, how many) of the hole card and his draws. cards: how many these are. orders: in how many
    orders they can come, so that he draws each of them. result: BLACKJACK, or the total.
    """

    drawn: tuple[tuple[int, int], ...]
    cards: int
    orders: int
    result: int


@cache
def finished_hands(up: int, h17: bool = False) -> tuple[Finished, ...]:
    """Every way in which a dealer with this card up (a place in `Values`) ends, as if cards never ran out."""
    found: list[Finished] = []
    growing: dict[Values, int] = {tuple([0] * 10): 1}
    cards = 0
    while growing:
        cards += 1
        longer: dict[Values, int] = {}
        for drawn, orders in growing.items():
            for value in range(10):
                more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                longer[more] = longer.get(more, 0) + orders
        growing = {}
        for drawn, orders in longer.items():
            total, soft = _total(drawn, up)
            if total < STANDS_ON or (h17 and soft and total == STANDS_ON):
                growing[drawn] = orders
            else:
                counts = tuple((value, count) for value, count in enumerate(drawn) if count)
                found.append(Finished(counts, cards, orders, BLACKJACK if cards == 1 and total == 21 else total))
    return tuple(found)


def _total(drawn: Values, up: int) -> tuple[int, bool]:
    """The best count of these cards with the up card, and whether it is soft."""
    hard = up + 1 + sum((value + 1) * count for value, count in enumerate(drawn))
    if hard <= 11 and (up == ACE_VALUE or drawn[ACE_VALUE]):
        return hard + 10, True
    return hard, False


def dealer_results(left: Values, up: int, h17: bool = False) -> dict[int, Fraction]:
    """How likely each result is for a dealer with this card up, before the reader.

    left: the cards that he draws from, the up card and all that are known to be elsewhere not among them. The hole card
    is drawn like any other. The sum is exactly 1. ValueError when `left` holds too few cards to finish every hand.
    """
    total = sum(left)
    weights: dict[tuple[int, int], int] = {}
    for hand in finished_hands(up, h17):
        ways = hand.orders
        for value, count in hand.drawn:
            ways *= falling(left[value], count)
            if not ways:
                break
        else:
            place = hand.result, hand.cards
            weights[place] = weights.get(place, 0) + ways
    results: dict[int, Fraction] = {}
    for (result, cards), ways in weights.items():
        results[result] = results.get(result, Fraction(0)) + Fraction(ways, falling(total, cards))
    if sum(results.values()) != 1:
        raise ValueError(f"{total} cards are too few to finish the dealer's hand")
    return dict(sorted(results.items()))


def after_reader(results: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The results once the reader, or the hole card, has shown that the dealer has no Blackjack."""
    none = 1 - results.get(BLACKJACK, Fraction(0))
    return {result: chance / none for result, chance in results.items() if result != BLACKJACK}


def dealer_by_up_card(values: Values, h17: bool = False) -> dict[int, dict[int, Fraction]]:
    """The results by each up card (a place in `Values`) of a shoe from which no other card is known."""
    return {up: dealer_results(without(values, (up,)), up, h17) for up in (*range(1, TEN_VALUE + 1), ACE_VALUE)}


def any_up_card(values: Values, by_up: Mapping[int, Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """The results over all up cards, each as likely as it is dealt from these values."""
    results: dict[int, Fraction] = {}
    for up, of_up in by_up.items():
        for result, chance in of_up.items():
            results[result] = results.get(result, Fraction(0)) + chance * Fraction(values[up], sum(values))
    return dict(sorted(results.items()))
