"""633c.12 with plain ifs, from the text alone: which row the dealer's cards pay, and how often it is paid over.

Every card that a wild king may stand for is tried. A card is (rank, suit): ranks 1 (ace) to 13 (king), suits "c", "d",
"h", "s".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

Card = tuple[int, str]
WILD = (13, "d")
ROWS = (
    *("straight_flush", "five_of_a_kind", "flush", "straight", "four_of_a_kind", "full_house"),
    *("three_of_a_kind", "two_pair", "jacks_or_better_pair", "lost"),
)
IN_A_ROW = [*(list(range(low, low + 5)) for low in range(1, 10)), [1, 10, 11, 12, 13]]


def row_of(cards: list[Card]) -> str:
    """(g), (h), (k), (l): the first row that five cards or fewer fit, none of them wild."""
    ranks = sorted(rank for rank, _ in cards)
    counts = sorted(ranks.count(rank) for rank in set(ranks))
    five = len(cards) == 5
    flush = five and len({suit for _, suit in cards}) == 1
    straight = five and ranks in IN_A_ROW
    if straight and flush:
        return "straight_flush"
    if five and counts == [5]:
        return "five_of_a_kind"
    if flush:
        return "flush"
    if straight:
        return "straight"
    if counts[-1] >= 4:
        return "four_of_a_kind"
    if five and counts == [2, 3]:
        return "full_house"
    if counts[-1] == 3:
        return "three_of_a_kind"
    if counts[-2:] == [2, 2]:
        return "two_pair"
    if any(ranks.count(rank) == 2 for rank in (1, 11, 12, 13)):
        return "jacks_or_better_pair"
    return "lost"


def _best(rows: list[str]) -> str:
    return min(rows, key=ROWS.index)


def _tops(heights: list[int], most: int) -> list[tuple[int, ...]]:
    """Which cards are the `most` highest, by their places; of cards alike any."""
    wanted = sorted(heights)[len(heights) - most :]
    found = combinations(range(len(heights)), most)
    return [places for places in found if sorted(heights[place] for place in places) == wanted]


def _assigned(cards: list[Card], any_suit: bool) -> Iterator[list[Card]]:
    """(j): the cards with each rank, or each card, in the place of each wild king."""
    stand = list(product(range(1, 14), "cdhs" if any_suit else "d"))
    for given in product(stand, repeat=cards.count(WILD)):
        yield [card for card in cards if card != WILD] + list(given)


def axman(dealer: list[Card], five: str, place: str, any_suit: bool, short_is_king: bool) -> str:
    """(f) to (j), in the readings of T79 to T82; `place` "king" ranks a wild king as a king."""
    if len(dealer) < 5 and short_is_king:
        return row_of(dealer)
    natural = [card for card in dealer if card != WILD]
    wild = [WILD] * (len(dealer) - len(natural))

    def height(card: Card) -> int:
        return 14 if card[0] == 1 and five == "ace_high" else card[0]

    hands: list[list[Card]] = []  # five cards each, or all that there are
    if len(dealer) <= 5:
        hands = list(_assigned(dealer, any_suit))
    elif five == "best":
        for some in combinations(dealer, 5):
            hands += _assigned(list(some), any_suit)
    elif place == "kept":
        for places in _tops([height(card) for card in natural], 5 - len(wild)):
            hands += _assigned([*(natural[at] for at in places), *wild], any_suit)
    elif place == "king":
        for places in _tops([height(card) for card in dealer], 5):
            hands += _assigned([dealer[at] for at in places], any_suit)
    else:
        for cards in _assigned(dealer, any_suit):
            hands += [[cards[at] for at in places] for places in _tops([height(card) for card in cards], 5)]
    return _best([row_of(hand) for hand in hands])


def times(first: Card, second: Card) -> int:
    """(j): what the player's kings of diamonds do."""
    if first == WILD and second == WILD:
        return 5
    if first == WILD or second == WILD:
        return 2
    return 1
