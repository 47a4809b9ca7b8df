"""The dealer's final hand by his up card: how likely each result is.

He draws to 17 and stands on all 17s, hard and soft: 633a.7(m), 590.7(l), 635a.7(l). `h17` lets him draw to a soft 17,
to compare with tables that others have published.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import perm
from typing import Final

from shoetool.odds.draws import FINALS, blackjack_hole, dealer_draws
from shoetool.odds.shoe import ACE, TEN, Counts, without

BLACKJACK: Final = 0
"""The result of a Blackjack. Every other result is the total of the hand, 17 to 26."""

BUST: Final = 22
"""From this total on the dealer is over 21."""


def dealer_results(left: Counts, up: int, h17: bool = False) -> dict[int, Fraction]:
    """How likely each result is for a dealer with this card up, before the reader; only results that can come.

    left: the cards that he draws from, the up card and all that are known to be elsewhere not among them. The hole card
    is drawn like any other. The sum is exactly 1. ValueError when `left` holds fewer cards than he may draw.
    """
    draws, hole, size = dealer_draws(up, h17), blackjack_hole(up), sum(left)
    if size < draws.longest:
        raise ValueError(f"{size} cards are too few: the dealer may draw {draws.longest}")
    ways = perm(size, draws.longest)
    results = {} if hole is None else {BLACKJACK: Fraction(left[hole], size)}
    results |= {total: Fraction(weight, ways) for total, weight in zip(FINALS, draws.weights(left), strict=True)}
    assert sum(results.values()) == 1, "the dealer's hand ends in one way"
    return {result: chance for result, chance in results.items() if chance}


def after_reader(results: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The results once the reader, or the hole card, has shown that the dealer has no Blackjack."""
    none = 1 - results.get(BLACKJACK, Fraction(0))
    return {result: chance / none for result, chance in results.items() if result != BLACKJACK}


def dealer_by_up_card(shoe: Counts, h17: bool = False) -> dict[int, dict[int, Fraction]]:
    """The results by each up card (a value, 0 for the ace) of a shoe from which no other card is known."""
    return {up: dealer_results(without(shoe, (up,)), up, h17) for up in (*range(1, TEN + 1), ACE)}


def any_up_card(shoe: Counts, by_up: Mapping[int, Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """The results over all up cards, each as likely as it is dealt from this shoe."""
    results: dict[int, Fraction] = {}
    for up, of_up in by_up.items():
        for result, chance in of_up.items():
            results[result] = results.get(result, Fraction(0)) + chance * Fraction(shoe[up], sum(shoe))
    return dict(sorted(results.items()))
