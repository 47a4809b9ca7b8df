"""633c.2(a) and 633c.6(a) with plain ifs: which of the ten combinations the dealer's two cards and the player's make.

A card is (rank, suit): ranks 1 (ace) to 13 (king), suits "c", "d", "h", "s". dealer: up card, then hole card.
"""

from __future__ import annotations

Card = tuple[int, str]


def _blackjack(cards: list[Card]) -> bool:
    one, two = cards[0][0], cards[1][0]
    return (one == 1 and two >= 10) or (two == 1 and one >= 10)


def combination(dealer: list[Card], player: list[Card], best_suit: str, pairs_by_suit: bool) -> str:
    """The highest ranking combination, "lost" for none; `best_suit` is that of the first royal flush."""
    if not _blackjack(dealer):
        return "dealer_ace_up" if dealer[0][0] == 1 else "lost"
    every = dealer + player
    ranks = sorted(rank for rank, _ in every)
    suits = [suit for _, suit in every]
    one_suit = suits == [suits[0]] * 4
    ace_to_jack = ranks == [1, 11, 12, 13]
    if ace_to_jack and one_suit:
        return "best_royal" if suits[0] == best_suit else "other_royal"
    if any(ranks.count(rank) >= 3 for rank in ranks):
        return "three_of_a_kind"
    if ace_to_jack:
        return "straight"
    if one_suit:
        return "flush"
    if pairs_by_suit:
        two_pair = sorted(dealer) == sorted(player)
        pair = any(every.count(card) >= 2 for card in every)
    else:
        two_pair = sorted(rank for rank, _ in dealer) == sorted(rank for rank, _ in player)
        pair = any(ranks.count(rank) >= 2 for rank in ranks)
    if two_pair:
        return "two_pair"
    if all(suit in "dh" for suit in suits) or all(suit in "cs" for suit in suits):
        return "same_color"
    return "pair" if pair else "dealer_blackjack"
