"""The player's first two cards and the dealer's two, against his Blackjack: Jackpot Party, Super 4, Blackjack Match.

Rank decides, not value: a king pairs no queen (633c T13). The ace stands high: A-K-Q-J is the only straight that
an ace and a ten-count card leave (T14). The cards are those of the deal, whatever became of the player's hand (T10).
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from shoetool.model.cards import is_blackjack, is_red

from .view import View

_ACE_TO_JACK: Final = frozenset({0, 12, 11, 10})


def player_cards(view: View) -> tuple[int, ...]:
    """The player's first two cards."""
    return view.initial[:2]


def four_cards(view: View) -> tuple[int, ...]:
    """The player's first two cards and the dealer's first two."""
    return (*view.initial[:2], *view.dealer[:2])


def dealer_blackjack(view: View) -> bool:
    """Whether the dealer has Blackjack, with either of its cards up (T15)."""
    return view.dealer_blackjack


def dealer_ace_up(view: View) -> bool:
    """Whether an ace is up and the dealer has no Blackjack: known once the reader has answered (T16)."""
    return view.up % 13 == 0 and not view.dealer_blackjack


def royal_flush(view: View) -> int | None:
    """The suit 0..3 of an ace, king, queen and jack of which the dealer holds the ace; None for no royal flush.

    The dealer's other card then is a king, queen or jack, so that he has Blackjack (T55).
    """
    return view.dealer[0] // 13 if view.dealer_blackjack and _ranks(view) == _ACE_TO_JACK and flush(view) else None


def three_of_a_kind(view: View) -> bool:
    """Whether three of the four share a rank, in any suits."""
    return view.dealer_blackjack and max(Counter(card % 13 for card in four_cards(view)).values()) >= 3


def straight(view: View) -> bool:
    """Whether the four are consecutive in rank, in more than one suit."""
    return view.dealer_blackjack and _ranks(view) == _ACE_TO_JACK and not flush(view)


def flush(view: View) -> bool:
    """Whether the four are of one suit."""
    return view.dealer_blackjack and len({card // 13 for card in four_cards(view)}) == 1


def same_color(view: View) -> bool:
    """Whether the four are all red or all black."""
    return view.dealer_blackjack and len(set(map(is_red, four_cards(view)))) == 1


def two_pair_by_rank(view: View) -> bool:
    """Whether both have Blackjack with cards of the same two ranks."""
    if not both_blackjack(view):
        return False
    ranks = [sorted(card % 13 for card in cards) for cards in (player_cards(view), view.dealer[:2])]
    return ranks[0] == ranks[1]


def two_pair_by_card(view: View) -> bool:
    """Whether both have Blackjack with the same two cards, by suit and rank."""
    return both_blackjack(view) and sorted(player_cards(view)) == sorted(view.dealer[:2])


def pair_by_rank(view: View) -> bool:
    """Whether two of the four share a rank; two of the player's own do too (T25)."""
    return view.dealer_blackjack and len({card % 13 for card in four_cards(view)}) < 4


def pair_by_card(view: View) -> bool:
    """Whether two of the four share suit and rank."""
    return view.dealer_blackjack and len(set(four_cards(view))) < 4


def both_blackjack(view: View) -> bool:
    """Whether the dealer and the player have Blackjack."""
    return view.dealer_blackjack and is_blackjack(player_cards(view))


def _ranks(view: View) -> set[int]:
    up, hole = view.dealer[:2]
    return {view.first % 13, view.second % 13, up % 13, hole % 13}
