"""633c.10 with plain ifs: which of the seven combinations the two hands make, what it pays, and the envy bonus.

A card is (rank, suit): ranks 1 (ace) to 13 (king), suits "c", "d", "h", "s". dealer: up card, then hole card.
"""

from __future__ import annotations

Card = tuple[int, str]


def _blackjack(cards: list[Card]) -> bool:
    one, two = cards[0][0], cards[1][0]
    return (one == 1 and two >= 10) or (two == 1 and one >= 10)


def combination(dealer: list[Card], player: list[Card]) -> int:
    """The paragraph of 633c.10(a) that the cards fit, 1 to 7; 0 for none."""
    if not _blackjack(player):
        return 7 if player[0][0] == 1 or player[1][0] == 1 else 0
    if not _blackjack(dealer):
        return 5 if player[0][1] == player[1][1] else 6
    suits = {card[1] for card in dealer + player}
    if len(suits) > 1:
        return 4
    mine, his = sorted(player), sorted(dealer)
    if mine == his:
        return 1 if mine[1][0] == 13 else 2
    return 3


def pays(paragraph: int, paytable: str) -> str:
    """633c.10(i)."""
    if paragraph < 3:
        return "100% of meter" if paragraph == 1 else "10% of meter"
    if paytable in ("A", "B"):
        return f"{(200, 30, 10, 5, 3)[paragraph - 3]} to 1"
    return f"{(300, 50, 10, 5, 2)[paragraph - 3]} to 1"


def envy(wager: int, others: list[int]) -> int:
    """633c.10(h)(5), (k): dollars beside a wager of 1 or 5; `others`: the combination of each other player."""
    amount = 0
    for paragraph in others:
        if paragraph == 1:
            amount += 600 if wager == 1 else 3000
        elif paragraph == 2:
            amount += 200 if wager == 1 else 1000
    return amount
