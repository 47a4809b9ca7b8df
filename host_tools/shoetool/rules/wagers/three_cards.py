"""Wagers on the player's initial two cards with the dealer's up card: In Between, Three Card Poker and Top 3."""

from __future__ import annotations

from typing import Final

from shoetool.rules.round import Stage

from .choice import Choice
from .two_cards import pair
from .view import View
from .wager import ON_THE_FIRST_HAND, Beside, Outcome, Predicate, Wager

_ACE: Final = Choice("in_between_ace", "633a.7(g)(3)(i)", "the ace's end of the ranks (reading 7)", ("high", "low"))


def _height(card: int, ace: str) -> int:
    """Rank for In Between, 2..14 with the ace high or 1..13 with it low (reading 7); 10 < J < Q < K (reading 8)."""
    rank = card % 13 + 1
    return 14 if rank == 1 and ace == "high" else rank


def _spread(view: View) -> int:
    """How many ranks lie between the player's two cards; 0 when the up card does not fall strictly between them."""
    ace = _ACE.of(view.rules)
    first, second, up = _height(view.first, ace), _height(view.second, ace), _height(view.up, ace)
    return abs(first - second) - 1 if first < up < second or second < up < first else 0


def three_of_a_kind(view: View) -> bool:
    """633a.1 Three-of-a-kind, 633a.1 Triple Match: the two cards and the up card are of one rank."""
    return pair(view) and view.up % 13 == view.first % 13


def _spread_of(count: int) -> Predicate:
    return lambda view: _spread(view) == count


IN_BETWEEN: Final = Wager(
    key="in_between",
    title="In Between",
    offered="633a.6(e)(3)",
    settles="633a.7(g)(3)(i)",
    collects="633a.7(g)",
    pays="633a.13(e)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="the up card is not between them",
    outcomes=(
        Outcome("triple_match", three_of_a_kind, clause="633a.7(g)(3)(ii)"),
        Outcome("one_card_spread", _spread_of(1)),
        Outcome("two_card_spread", _spread_of(2)),
        Outcome("three_card_spread", _spread_of(3)),
        Outcome("all_others", lambda view: _spread(view) >= 4),
    ),
    choices=(_ACE,),
    switch=ON_THE_FIRST_HAND,
)


def _cards(view: View) -> tuple[int, int, int]:
    return view.first, view.second, view.up


def flush(view: View) -> bool:
    """633a.1 Flush: three cards of one suit."""
    return view.first // 13 == view.second // 13 == view.up // 13


def straight(view: View) -> bool:
    """633a.1 Straight: three consecutive ranks; the ace below 2-3 or above Q-K, not between king and 2.

    633a.6(e)(9) ranks.
    """
    low, middle, high = sorted(card % 13 for card in _cards(view))
    return (low + 1 == middle == high - 1) or (low, middle, high) == (0, 11, 12)


def straight_flush(view: View) -> bool:
    """633a.1 Straight flush: consecutive ranks in one suit."""
    return flush(view) and straight(view)


THREE_CARD_POKER: Final = Wager(
    key="three_card_poker",
    title="Three Card Poker",
    offered="633a.6(e)(9) hands",
    settles="633a.7(g)(8)",
    collects="633a.7(g)",
    pays="633a.13(k)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="no straight flush, three-of-a-kind, straight or flush",
    outcomes=(
        Outcome("straight_flush", straight_flush),
        Outcome("three_of_a_kind", three_of_a_kind),
        Outcome("straight", lambda view: straight(view) and not flush(view)),
        Outcome("flush", lambda view: flush(view) and not straight(view) and not three_of_a_kind(view)),
    ),
    switch=ON_THE_FIRST_HAND,
)


TOP_3: Final = Wager(
    key="top_3",
    title="Top 3",
    offered="633c.7(c)",
    settles="633c.7(d)(2)",
    collects="633c.7(d)(1)",
    pays="633c.7(e)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="no three-of-a-kind or straight flush",
    outcomes=(
        Outcome("three_of_a_kind_suited", lambda view: three_of_a_kind(view) and flush(view)),  # T58
        Outcome("straight_flush", straight_flush),
        Outcome("three_of_a_kind", three_of_a_kind),
    ),
    timing="633c.7(d)",  # straight after the deal; then the round goes on, 633c.7(f)
    area="633c.7(b)",
    beside=Beside("three_card_poker", offered="633c.7(a)", placed="633c.7(c)"),
)
