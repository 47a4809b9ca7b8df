"""633c.4(i) and (o) once more, from the text alone: what a Blackjack Wager of two cards wins, in whole cents.

Cards are two letters, rank and suit. Nothing is shared with `shoetool.rules`.
"""

from __future__ import annotations

RED = "DH"
TENS = "TJQK"


def is_blackjack(cards: list[str]) -> bool:
    """An ace with a card of ten."""
    ranks = cards[0][0] + cards[1][0]
    return len(cards) == 2 and "A" in ranks and any(ten in ranks for ten in TENS)


def same_color(cards: list[str]) -> bool:
    """Same suit or same color."""
    return (cards[0][1] in RED) == (cards[1][1] in RED)


def plain(wager: int, cards: list[str], total: int, dealer_total: int, dealer_blackjack: bool) -> int:
    """Chapter 633a, and 633c.4(i)(1): 1 to 1, a Blackjack 3 to 2, and a tie goes back."""
    if is_blackjack(cards):
        return 0 if dealer_blackjack else wager * 3 // 2
    if dealer_blackjack:
        return -wager
    if dealer_total > 21 or total > dealer_total:
        return wager
    return 0 if total == dealer_total else -wager


def switch_hands(
    wager: int,
    cards: list[str],
    total: int,
    dealer_total: int,
    dealer_blackjack: bool,
    switched: bool,
    tie_pays: bool,
    colored_unswitched: bool,
) -> int:
    """633c.4(i). `tie_pays`: the option of (ii); `colored_unswitched`: the house reads (i) for every ante."""
    if is_blackjack(cards):
        if dealer_blackjack and switched and tie_pays:
            return wager // 2
        if not dealer_blackjack and same_color(cards) and (switched or colored_unswitched):
            return wager * 2
    return plain(wager, cards, total, dealer_total, dealer_blackjack)


def premium(
    wager: int,
    cards: list[str],
    total: int,
    dealer_total: int,
    dealer_blackjack: bool,
    ante: bool,
    switched: bool,
    colored_needs_switch: bool,
    colored_first: bool,
    tie_without_ante: bool,
) -> int:
    """633c.4(o), with the readings of T31."""
    if is_blackjack(cards):
        colored = ante and same_color(cards) and (switched or not colored_needs_switch)
        if dealer_blackjack:
            if colored and colored_first:
                return wager * 2
            if ante or tie_without_ante:
                return wager // 2
        elif colored:
            return wager * 2
    return plain(wager, cards, total, dealer_total, dealer_blackjack)
