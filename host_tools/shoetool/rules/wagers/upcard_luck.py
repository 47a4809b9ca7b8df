"""Upcard Luck, 633c.15(a): what the player's first two cards count against an up card of 2 to 7."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import SUITS, is_blackjack, total
from shoetool.rules.round import Stage

from .choice import Choice
from .two_cards import ACE_RANK, JACK_RANK
from .view import View
from .wager import Outcome, Predicate, Wager, Wait

_KEY: Final = "upcard_luck"
_SPADES: Final = SUITS.index("♠") * 13
_ACE_AND_JACK: Final = {_SPADES + ACE_RANK, _SPADES + JACK_RANK}
_SOFT: Final = Choice(
    f"{_KEY}_soft",
    "633c.15(g)",
    "ace-8 and ace-9 count 19 and 20, or 9 and 10, which pay more (T96)",
    ("19_and_20", "9_and_10"),
)


def _counts(low: int, high: int) -> Predicate:
    """633c.15(f)(3): the two cards count so much, against an up card of 2 to 7."""

    def won(view: View) -> bool:
        count, soft = total(view.initial[:2])
        if soft and count in (19, 20) and _SOFT.of(view.rules) == "9_and_10":
            count -= 10
        return _up_2_to_7(view) and low <= count <= high

    return won


def _up_2_to_7(view: View) -> bool:
    return 2 <= view.up % 13 + 1 <= 7


def _ace_and_jack_of_spades(view: View) -> bool:
    """A Blackjack too, with a row of its own above (T97)."""
    return _up_2_to_7(view) and {view.first, view.second} == _ACE_AND_JACK


def _collected(view: View, outcome: Outcome | None) -> Wait | None:
    """A loser is collected at the same time, by one clause for a wrong up card and by another for the count."""
    if outcome is not None:
        return None
    return Wait(Stage.AFTER_DEAL, "633c.15(f)(2)" if _up_2_to_7(view) else "633c.15(f)(1)")


UPCARD_LUCK: Final = Wager(
    key=_KEY,
    title="Upcard Luck",
    offered="633c.15(d)",
    settles="633c.15(f)(3)",
    collects="633c.15(f)(2)",
    pays="633c.15(g)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="the up card is no 2 to 7, or the two cards count neither 9 to 11 nor 18 to 20 and are no Blackjack",
    outcomes=(
        Outcome("ace_and_jack_of_spades", _ace_and_jack_of_spades),
        Outcome("blackjack", lambda view: _up_2_to_7(view) and is_blackjack(view.initial[:2])),
        Outcome("count_9_to_11", _counts(9, 11)),
        Outcome("count_18_to_20", _counts(18, 20)),
    ),
    waits=_collected,
    timing="633c.15(f)",  # after the deal of the game; bets are closed before it by 633c.15(e)
    choices=(_SOFT,),
    area="633c.15(c)",
    up_to_main="633c.15(d)",
)
