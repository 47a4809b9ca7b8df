"""Wagers that cards match: Match-the-Dealer, Royal Match 21 with Crown Treasure, Bet the Set 21 and Super Match."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

from shoetool.rules.round import Stage

from .two_cards import KING_RANK, QUEEN_RANK, identical, pair, royal, suited
from .view import View
from .wager import ON_THE_FIRST_HAND, Bonus, Outcome, Wager, Wait


def matches(view: View) -> tuple[int, int]:
    """How many of the two cards have the up card's rank: in its suit, and in another.

    Rank and not value decides, so that a king matches no queen (633a.7(g)(2) tens, reading 5).
    """
    up = view.up
    same = (view.first == up) + (view.second == up)
    return same, (view.first % 13 == up % 13) + (view.second % 13 == up % 13) - same


def _match_outcomes(both: str) -> tuple[Outcome, ...]:
    """Each matching card is paid by its own row, so two matching cards are paid two rows."""
    same, different = "same_suit", "different_suit"
    return (
        Outcome("two_same_suit", lambda view: matches(view) == (2, 0), (same, same), both),
        Outcome("one_of_each", lambda view: matches(view) == (1, 1), (same, different), both),
        Outcome("two_different_suit", lambda view: matches(view) == (0, 2), (different, different), both),
        Outcome("same_suit", lambda view: matches(view) == (1, 0)),
        Outcome("different_suit", lambda view: matches(view) == (0, 1)),
    )


MATCH_THE_DEALER: Final = Wager(
    key="match_the_dealer",
    title="Match-the-Dealer",
    offered="633a.6(e)(2)",
    settles="633a.7(g)(2) pay",
    collects="633a.7(g)",
    pays="633a.13(d)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="no card of the up card's rank",
    outcomes=_match_outcomes("633a.7(g)(2) both"),
    switch=ON_THE_FIRST_HAND,
)

SPANISH_MATCH_THE_DEALER: Final = Wager(
    key="spanish_match_the_dealer",
    title="Match-the-Dealer (Spanish 21)",
    offered="635a.6(e)",
    settles="635a.7(f)(1)",
    collects="635a.7(f)",
    pays="635a.12(e)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="no card of the up card's rank",
    outcomes=_match_outcomes("635a.7(f)(2)"),
)


def royal_match(view: View) -> bool:
    """633a.1 Royal Match on the player's two cards."""
    return royal(view.first, view.second)


def _royal_waits(view: View, outcome: Outcome | None) -> Wait | None:
    """A Royal Match against a king or queen may win the Crown Treasure, which the hole card decides."""
    if not royal_match(view) or view.up % 13 not in (QUEEN_RANK, KING_RANK):
        return None
    # A dealer Blackjack is settled at the reader, and the Royal Match before it.
    return Wait(Stage.AFTER_READER if view.dealer_blackjack else Stage.HOLE_CARD, "633a.7(g)(4) defer")


def crown_treasure(view: View) -> bool:
    """633a.1 Crown Treasure bonus: player and dealer both have a Royal Match, the suits need not agree (reading 10)."""
    return royal_match(view) and view.up % 13 in (QUEEN_RANK, KING_RANK) and royal(view.dealer[0], view.dealer[1])


CROWN_TREASURE: Final = Bonus(
    key="crown_treasure",
    title="Crown Treasure Bonus",
    of="royal_match_21",
    clause="633a.7(g)(4) bonus",
    predicate=crown_treasure,
    reason="the dealer has a Royal Match as well",
    option="Royal Match 21: the Crown Treasure bonus is offered",
)


ROYAL_MATCH_21: Final = Wager(
    key="royal_match_21",
    title="Royal Match 21",
    offered="633a.6(e)(4)",
    settles="633a.7(g)(4) pay",
    collects="633a.7(g)",
    pays="633a.13(f)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards",
    nothing="two suits",
    # 633a.1 Suited Match: two cards of one suit but king and queen; a suited pair is one (reading 9).
    outcomes=(Outcome("royal_match", royal_match), Outcome("suited_match", suited)),
    waits=_royal_waits,
    waiting="633a.7(g)(4) defer",
    before_main=True,
    bonuses=(CROWN_TREASURE,),
    switch=ON_THE_FIRST_HAND,
)


BET_THE_SET_21: Final = Wager(
    key="bet_the_set_21",
    title="Bet the Set 21",
    offered="633a.6(e)(5)",
    settles="633a.7(g)(5)",
    collects="633a.7(g)",
    pays="633a.13(g)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards",
    nothing="no pair",
    # With one deck there is no suited pair, and its paytable has no row for one.
    outcomes=(Outcome("suited_pair", identical), Outcome("pair", lambda view: pair(view) and not suited(view))),
    switch=ON_THE_FIRST_HAND,
)


def _pattern(view: View) -> tuple[int, ...]:
    """How often each rank occurs among the four cards, most often first (reading 13: rank only, as dealt).

    (4,) is the 633a.1 Four-of-a-kind, (3, 1) the 633a.1 Three-of-a-kind.
    """
    first, second, third, fourth = view.initial
    return _counts(first % 13, second % 13, third % 13, fourth % 13)


@cache
def _counts(*ranks: int) -> tuple[int, ...]:
    return tuple(sorted(Counter(ranks).values(), reverse=True))


SUPER_MATCH: Final = Wager(
    key="super_match",
    title="Super Match",
    offered="633a.6(e)(7)",
    settles="633a.7(g)(7)",
    collects="633a.7(g)",
    pays="633a.13(i)",
    stage=Stage.AFTER_DEAL,
    subject="four_cards",
    nothing="four ranks",
    outcomes=(
        Outcome("four_of_a_kind", lambda view: _pattern(view) == (4,)),
        Outcome("two_pair", lambda view: _pattern(view) == (2, 2)),
        Outcome("three_of_a_kind", lambda view: _pattern(view) == (3, 1)),
        Outcome("pair", lambda view: _pattern(view) == (2, 1, 1)),
    ),
    kind=lambda card: card % 13,
)
