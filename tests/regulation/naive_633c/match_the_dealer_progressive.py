"""633c.3 with plain ifs: which of the six combinations two cards make with the up card, and what each table pays.

A card is (rank, suit).
"""

from __future__ import annotations

Card = tuple[int, str]

# The odds "to 1" of 633c.3(a)(3) to (6), by paytable 1 to 10.
SIX_DECKS = (
    (12, 10, 4, 2),
    (10, 7, 6, 3),
    (8, 4, 8, 4),
    (75, 4, 15, 3),
    (12, 9, 6, 3),
    (13, 10, 6, 3),
    (11, 7, 8, 4),
    (100, 5, 20, 3),
    (15, 12, 6, 3),
    (13, 9, 8, 4),
)
EIGHT_DECKS = (
    (9, 6, 6, 3),
    (12, 10, 4, 2),
    (8, 4, 8, 4),
    (75, 4, 15, 3),
    (12, 9, 6, 3),
    (10, 6, 8, 4),
    (13, 10, 6, 3),
    (14, 11, 6, 3),
    (100, 5, 20, 3),
    (15, 12, 6, 3),
)


def combination(first: Card, second: Card, up: Card) -> int:
    """The paragraph of 633c.3(a) that the cards fit, 1 to 6; 0 for none."""
    if first == up and second == up:
        return 1 if up == (1, "s") else 2
    if first == up or second == up:
        other = second if first == up else first
        return 3 if other[0] == up[0] else 4
    if first[0] == up[0] and second[0] == up[0]:
        return 5
    if first[0] == up[0] or second[0] == up[0]:
        return 6
    return 0


def pays(paragraph: int, decks: int, paytable: int) -> str:
    """633c.3(i)."""
    if paragraph == 1:
        return "100% progressive"
    if paragraph == 2:
        return "10% progressive"
    tables = SIX_DECKS if decks == 6 else EIGHT_DECKS
    return f"{tables[paytable - 1][paragraph - 3]} to 1"
