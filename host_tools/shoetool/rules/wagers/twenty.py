"""Wagers that the player's initial two cards count 20: Lucky Ladies Twenty Point Bonus and King's Bounty.

In each, one pair waits for the reader when the dealer may have a Blackjack (633a.7(g)(1)(i)-(ii), (6)(i)-(ii)): it is
settled after all others of its kind, before other cards are dealt, or with the main wager at a dealer Blackjack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shoetool.rules.round import Stage

from .two_cards import KING_OF_SPADES, KING_RANK, QUEEN_OF_HEARTS, count_20, identical, pair, suited
from .view import TEN_OR_ACE, View
from .wager import ON_THE_FIRST_HAND, Outcome, Predicate, Wager, Wait


def _pair_of(card: int) -> Predicate:
    return lambda view: view.first == card and view.second == card


def _with_dealer_blackjack(predicate: Predicate) -> Predicate:
    return lambda view: predicate(view) and view.dealer_blackjack


def _waits_with(card: int, no_blackjack: str, blackjack: str) -> Callable[[View, Outcome | None], Wait | None]:
    both = _pair_of(card)

    def waits(view: View, outcome: Outcome | None) -> Wait | None:
        if not both(view) or view.up % 13 not in TEN_OR_ACE:
            return None
        return Wait(Stage.AFTER_READER, blackjack if view.dealer_blackjack else no_blackjack)

    return waits


# The first row that holds is the hand's: each asks only for what no row before it has.


def matched_20(view: View) -> bool:
    """633a.1 Matched 20: two identical cards counting 20 (reading 1). Suited queens, jacks or 10s too (reading 4)."""
    return identical(view) and count_20(view)


def suited_20(view: View) -> bool:
    """633a.1 Suited 20: two cards of one suit counting 20 (reading 2)."""
    return suited(view) and count_20(view)


def suited_kings_pair(view: View) -> bool:
    """Two identical kings (reading 4)."""
    return identical(view) and pair_of_kings(view)


def pair_of_kings(view: View) -> bool:
    """Two kings (reading 4)."""
    return pair(view) and view.first % 13 == KING_RANK


LUCKY_LADIES: Final = Wager(
    key="lucky_ladies",
    title="Lucky Ladies Twenty Point Bonus",
    offered="633a.6(e)(1)",
    settles="633a.7(g)(1)",
    collects="633a.7(g)",
    pays="633a.13(c)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards",
    depends_on="two_cards_and_dealer",
    nothing="not a 20",
    outcomes=(
        Outcome(
            "queen_of_hearts_pair_dealer_blackjack", _with_dealer_blackjack(_pair_of(QUEEN_OF_HEARTS)), capped=True
        ),
        Outcome("queen_of_hearts_pair", _pair_of(QUEEN_OF_HEARTS)),
        Outcome("matched_20", matched_20),
        Outcome("suited_20", suited_20),
        Outcome("any_20", count_20),  # 633a.1 Any 20
    ),
    waits=_waits_with(QUEEN_OF_HEARTS, "633a.7(g)(1)(i)", "633a.7(g)(1)(ii)"),
    waiting="633a.7(g)(1)(i)",
    switch=ON_THE_FIRST_HAND,
)

KINGS_BOUNTY: Final = Wager(
    key="kings_bounty",
    title="King's Bounty",
    offered="633a.6(e)(6)",
    settles="633a.7(g)(6)",
    collects="633a.7(g)",
    pays="633a.13(h)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards",
    depends_on="two_cards_and_dealer",
    nothing="not a 20",
    outcomes=(
        Outcome("king_of_spades_pair_dealer_blackjack", _with_dealer_blackjack(_pair_of(KING_OF_SPADES)), capped=True),
        Outcome("king_of_spades_pair", _pair_of(KING_OF_SPADES)),
        Outcome("suited_kings_pair", suited_kings_pair),
        Outcome("suited_queens_jacks_or_10s_pair", matched_20),
        Outcome("suited_20", suited_20),
        Outcome("pair_of_kings", pair_of_kings),
        Outcome("any_20", count_20),  # 633a.1 Any 20
    ),
    waits=_waits_with(KING_OF_SPADES, "633a.7(g)(6)(i)", "633a.7(g)(6)(ii)"),
    waiting="633a.7(g)(6)(i)",
    switch=ON_THE_FIRST_HAND,
)
