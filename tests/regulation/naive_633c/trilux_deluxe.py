"""633c.11 with plain ifs, from the text alone: which row is paid, and what a capped wager comes to.

A card is (rank, suit): ranks 1 (ace) to 13 (king), suits "c", "d", "h", "s".
"""

from __future__ import annotations

Card = tuple[int, str]
_PAYS = {
    1: {"straight_flush": 20, "three_of_a_kind": 15, "straight": 9, "flush": 6},
    2: {"straight_flush": 20, "three_of_a_kind": 15, "straight": 9, "flush": 5},
    4: {"straight_flush": 25, "three_of_a_kind": 15, "straight": 8, "flush": 5},
    6: {"straight_flush": 25, "three_of_a_kind": 15, "straight": 8, "flush": 5},
    8: {"straight_flush": 25, "three_of_a_kind": 15, "straight": 8, "flush": 5},
}


def trilux(first: Card, second: Card, up: Card, ace: str = "both") -> str:
    """633c.11(j), the rows of (h) from above; `ace`: it ends a straight at the king, at the 2, or at "both"."""
    flush = first[1] == second[1] and second[1] == up[1]
    ranks = sorted([first[0], second[0], up[0]])
    straight = ranks[1] - ranks[0] == 1 and ranks[2] - ranks[1] == 1
    if ranks == [1, 2, 3] and ace == "high":
        straight = False
    if ranks == [1, 12, 13] and ace != "low":
        straight = True
    if straight and flush:
        return "straight_flush"
    if first[0] == second[0] and second[0] == up[0]:
        return "three_of_a_kind"
    if straight:
        return "straight"
    return "flush" if flush else "lost"


def winnings(decks: int, row: str, wager: int) -> int:
    """633c.11(h), (i): cents won by a TriLux Deluxe wager of so many."""
    return -wager if row == "lost" else _PAYS[decks][row] * wager


def hand(wager: int, capped: int, doubled: int, result: str) -> int:
    """633c.11(f), T77, T78, 633a.9(a): cents that one hand of the player wins, all wagers on it together."""
    if result == "blackjack":
        return wager * 3 // 2 + capped
    if result == "won":
        return wager + capped + doubled
    if result == "lost":
        return -wager - capped - doubled
    if result == "surrendered":
        return -(wager - wager // 2) - (capped - capped // 2)
    return 0
