"""How two cards relate: the definitions of 633a.1 that more than one wager uses. Pure predicates."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import parse_card, total

from .view import View

QUEEN_OF_HEARTS: Final = parse_card("QH")
KING_OF_SPADES: Final = parse_card("KS")
ACE_RANK: Final = 0
JACK_RANK: Final = 10
QUEEN_RANK: Final = 11
KING_RANK: Final = 12


def count_20(view: View) -> bool:
    """Whether the initial two cards count 20: two ten-value cards, or ace and 9 (reading 2).

    Without a better row that is 633a.1 Any 20.
    """
    return total(view.initial[:2])[0] == 20


def pair(view: View) -> bool:
    """633a.1 Pair: two cards of one rank."""
    return view.first % 13 == view.second % 13


def suited(view: View) -> bool:
    """Whether both cards are of one suit: unless they are king and queen, a 633a.1 Suited Match (reading 9)."""
    return view.first // 13 == view.second // 13


def identical(view: View) -> bool:
    """633a.1 Suited pair: two cards alike in rank and suit."""
    return view.first == view.second


def ranks(view: View) -> frozenset[int]:
    """The ranks 0..12 of the two cards."""
    return frozenset((view.first % 13, view.second % 13))


def royal(first: int, second: int) -> bool:
    """633a.1 Royal Match: king and queen of one suit."""
    return first // 13 == second // 13 and {first % 13, second % 13} == {QUEEN_RANK, KING_RANK}
