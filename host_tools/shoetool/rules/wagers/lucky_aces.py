"""Lucky Aces, 633c.8(a): how many aces the player's first two cards and the dealer's two hold."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import SUITS
from shoetool.rules.round import Stage

from .two_cards import ACE_RANK
from .view import View
from .wager import Outcome, Predicate, Wager, Wait

_DIAMONDS: Final = SUITS.index("♦")
_IS_ACE: Final = tuple(card % 13 == ACE_RANK for card in range(52))
_LOSES: Final = "633c.8(d)(1)"
_WINS: Final = "633c.8(d)(2)"


def _number(view: View) -> int:
    """How many of the four cards are aces. `odds` asks that of millions of deals."""
    up, hole = view.dealer[:2]
    return _IS_ACE[view.first] + _IS_ACE[view.second] + _IS_ACE[up] + _IS_ACE[hole]


def _suits(view: View) -> set[int]:
    """The suits of the aces among the four cards."""
    return {card // 13 for card in (view.first, view.second, *view.dealer[:2]) if _IS_ACE[card]}


def _count(number: int) -> Predicate:
    """So many aces, of any suits: they are counted first, and then their suits are looked at (T59)."""
    return lambda view: _number(view) == number


def _of_one_suit(number: int) -> Predicate:
    return lambda view: _number(view) == number and len(_suits(view)) == 1


def _waits(view: View, outcome: Outcome | None) -> Wait | None:
    """With a dealer's Blackjack the hole card is turned straight after the reader."""
    return Wait(Stage.AFTER_READER, _WINS if outcome else _LOSES) if view.dealer_blackjack else None


LUCKY_ACES: Final = Wager(
    key="lucky_aces",
    title="Lucky Aces",
    offered="633c.8(c)",
    settles=_WINS,
    collects=_LOSES,
    pays="633c.8(e)",
    stage=Stage.HOLE_CARD,  # 633c.8(d); then the round goes on, 633c.8(f)
    subject="two_cards_and_dealer",
    nothing="no ace",
    outcomes=(
        Outcome("four_aces", _count(4)),
        Outcome("three_aces_same_suit", _of_one_suit(3)),
        Outcome("three_aces", _count(3)),
        Outcome("two_aces_same_suit", _of_one_suit(2)),
        Outcome("two_aces", _count(2)),
        Outcome("one_ace_of_diamonds", lambda view: _number(view) == 1 and _suits(view) == {_DIAMONDS}),
        Outcome("one_ace", _count(1)),
    ),
    waits=_waits,
    waiting="633c.8(d)",
    timing="633c.8(d)",
    before_main=True,
    electronic="633c.8(c)",
    area="633c.8(b)",
    electronic_table="633c.8(a)",
    kind=lambda card: card // 13 if _IS_ACE[card] else -1,
)
