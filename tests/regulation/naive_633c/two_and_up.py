"""633c.1(f), 633c.7(e), 633c.8(e) and 633c.15(f) with plain ifs, from the text alone; each says which row is paid.

A card is (rank, suit): ranks 1 (ace) to 13 (king), suits "c", "d", "h", "s".
"""

from __future__ import annotations

Card = tuple[int, str]
_RED = ("d", "h")


def perfect_pairs(first: Card, second: Card) -> str:
    """633c.1(f)."""
    if first[0] != second[0]:
        return "lost"
    if first[1] == second[1]:
        return "perfect_pair"
    if (first[1] in _RED) == (second[1] in _RED):
        return "colored_pair"
    return "mixed_pair"


def top_3(first: Card, second: Card, up: Card) -> str:
    """633c.7(d), (e): a sequence has the ace above the king or below the 2."""
    suits = {first[1], second[1], up[1]}
    ranks = sorted([first[0], second[0], up[0]])
    if ranks[0] == ranks[2]:
        return "three_of_a_kind_suited" if len(suits) == 1 else "three_of_a_kind"
    sequence = ranks == [1, 12, 13] or (ranks[1] == ranks[0] + 1 and ranks[2] == ranks[1] + 1)
    return "straight_flush" if sequence and len(suits) == 1 else "lost"


def lucky_aces(first: Card, second: Card, up: Card, hole: Card) -> str:
    """633c.8(e): the number of aces first, then their suits."""
    suits = [suit for rank, suit in (first, second, up, hole) if rank == 1]
    if not suits:
        return "lost"
    if len(suits) == 1:
        return "one_ace_of_diamonds" if suits == ["d"] else "one_ace"
    name = {2: "two_aces", 3: "three_aces", 4: "four_aces"}[len(suits)]
    return f"{name}_same_suit" if len(suits) < 4 and suits.count(suits[0]) == len(suits) else name


def upcard_luck(first: Card, second: Card, up: Card, low_aces: bool) -> str:
    """633c.15(f), (g); `low_aces`: ace-8 and ace-9 are 9 and 10."""
    if up[0] < 2 or up[0] > 7:
        return "lost"
    ranks = sorted([first[0], second[0]])
    if ranks[0] == 1 and ranks[1] >= 10:
        spades = sorted([first, second]) == [(1, "s"), (11, "s")]
        return "ace_and_jack_of_spades" if spades else "blackjack"
    values = [min(rank, 10) for rank in ranks]
    if ranks == [1, 1]:
        count = 12
    elif ranks[0] == 1:
        count = values[1] + 1 if low_aces and ranks[1] in (8, 9) else values[1] + 11
    else:
        count = sum(values)
    if 9 <= count <= 11:
        return "count_9_to_11"
    return "count_18_to_20" if 18 <= count <= 20 else "lost"
