"""The counts of a hand for the engine: totals and Blackjack, fast enough for every hand of every round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shoetool.model.cards import VALUES
from shoetool.rules.round import Hand

STANDS_ON: Final = 17
"""The count from which the dealer draws no more, hard or soft: 633a.7(m), 590.7(l), 635a.7(l)."""


def best_total(cards: Sequence[int]) -> int:
    """Return the best count of the cards.

    2 to 10 count their face value, 633a.3(e)(1), 590.3(d)(1), 635a.3(c)(1); J, Q and K count 10, 633a.3(e)(2),
    590.3(d)(2), 635a.3(c)(2); an ace counts 11 unless that passes 21, 633a.3(e)(3), 590.3(d)(3), 635a.3(c)(3).
    """
    hard = 0
    for card in cards:
        hard += VALUES[card]
    if hard <= 11 and (0 in cards or 13 in cards or 26 in cards or 39 in cards):
        return hard + 10
    return hard


def is_natural(hand: Hand, total: int) -> bool:
    """Whether a hand that counts `total` is a Blackjack as dealt, not from a split or a switch."""
    return total == 21 and len(hand.cards) == 2 and not hand.from_split and not hand.switched
