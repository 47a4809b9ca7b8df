"""633c.9 with plain ifs: what two cards, and a third one, pay.

A card is (rank, suit): suits "c", "d", "h", "s".
"""

from __future__ import annotations

Card = tuple[int, str]


def pays(first: Card, second: Card, third: Card | None, paytable: str) -> str:
    """633c.9(d), (f); "" for a loser. third: the card that decides three 7s, None where there is none."""
    sevens = [card for card in (first, second) if card[0] == 7]
    if not sevens:
        return ""
    if len(sevens) == 1:
        return "2 to 1"
    if third is None or third[0] != 7:
        return "25 to 1"
    suits = first[1] + second[1] + third[1]
    same_color = all(suit in "dh" for suit in suits) or all(suit in "cs" for suit in suits)
    if suits in ("ccc", "hhh", "sss"):
        return "100% of meter" if paytable == "A" else "10% of meter"
    if suits == "ddd":
        return "100% of meter"
    if same_color:
        return "10% of meter" if paytable == "A" else "500 to 1"
    return "200 to 1"
