"""633c.13 with plain ifs, from the text alone: what the dealer draws, and which row a bust pays.

A card is its rank, 1 (ace) to 13 (king): no suit matters here.
"""

from __future__ import annotations

from collections.abc import Iterator


def counted(ranks: tuple[int, ...]) -> int:
    """The point total: a picture is 10, and one ace is 11 while that is not too much."""
    points = 0
    for rank in ranks:
        if rank > 10:
            points = points + 10
        else:
            points = points + rank
    if 1 in ranks and points + 10 <= 21:
        return points + 10
    return points


def finished_hands(most: int, begun: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every dealer's hand of `most` cards or fewer that 633c.13(f) ends, 10s standing for all ten-value cards."""
    if len(begun) >= 2 and counted(begun) >= 17:
        yield begun
    elif len(begun) < most:
        for rank in range(1, 11):
            yield from finished_hands(most, (*begun, rank))


def buster(ranks: tuple[int, ...]) -> str:
    """633c.13(g), (h)."""
    if counted(ranks) <= 21:
        return "lost"
    if len(ranks) == 3:
        return "three_cards"
    if len(ranks) == 4:
        return "four_cards"
    if len(ranks) == 5:
        return "five_cards"
    if len(ranks) == 6:
        return "six_cards"
    if len(ranks) == 7:
        return "seven_cards"
    return "eight_or_more_cards"


def bonus(first: int, second: int, wager: int, ranks: tuple[int, ...]) -> str:
    """633c.13(i): which row of the cash bonus, "" for none; `wager` in dollars."""
    if sorted((first, min(second, 10))) != [1, 10] and sorted((min(first, 10), second)) != [1, 10]:
        return ""
    if wager < 5 or counted(ranks) <= 21:
        return ""
    if len(ranks) == 7:
        return "seven_cards"
    return "eight_or_more_cards" if len(ranks) >= 8 else ""
