"""Hands that are drawn card by card, and what wagers on them win: from the texts alone, with plain counting.

Nothing is shared with `shoetool.odds`. A hand is drawn in every order; orders of the same cards are then put together.
In how many ways cards come from a shoe in one order is a product: so many cards of the first kind, one less for each
that went before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache

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
