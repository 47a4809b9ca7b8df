"""Lucky Aces, 633c.8(a): how many aces the player's first two cards and the dealer's two hold."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import SUITS
from shoetool.rules.round import Stage

from .two_cards import ACE_RANK
from .view import View
from .wager import Outcome, Predicate, Wager, Wait

_DIAMONDS: Final = SUITS.index("♦")
_LOSES: Final = "633c.8(d)(1)"
_WINS: Final = "633c.8(d)(2)"


def _aces(view: View) -> list[int]:
    """The suits of the aces among the four cards."""
    up, hole = view.dealer[:2]
    return [card // 13 for card in (view.first, view.second, up, hole) if card % 13 == ACE_RANK]


def _count(number: int) -> Predicate:
    """So many aces, of any suits: they are counted first, and then their suits are looked at (T59)."""
    return lambda view: len(_aces(view)) == number


def _of_one_suit(number: int) -> Predicate:
    def held(view: View) -> bool:
        aces = _aces(view)
        return len(aces) == number and len(set(aces)) == 1

    return held


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
        Outcome("one_ace_of_diamonds", lambda view: _aces(view) == [_DIAMONDS]),
        Outcome("one_ace", _count(1)),
    ),
    waits=_waits,
    waiting="633c.8(d)",
    timing="633c.8(d)",
    before_main=True,
    electronic="633c.8(c)",
    area="633c.8(b)",
    electronic_table="633c.8(a)",
)
