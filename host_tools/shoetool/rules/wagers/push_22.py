"""Push 22 of Free Bet Blackjack: the dealer's hand counts 22; better by suit or color of all his cards (reading 64)."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import is_blackjack, is_red, total
from shoetool.rules.round import Stage

from .view import View
from .wager import Outcome, Wager, Wait


def dealer_22(view: View) -> bool:
    """Whether all the dealer's cards count exactly 22."""
    return total(view.dealer)[0] == 22


def _same_suit(view: View) -> bool:
    return dealer_22(view) and len({card // 13 for card in view.dealer}) == 1


def _same_color(view: View) -> bool:
    return dealer_22(view) and len({is_red(card) for card in view.dealer}) == 1


def player_blackjack(view: View) -> bool:
    """Whether the player has a Blackjack himself: both clauses collect the wager at a dealer Blackjack."""
    return is_blackjack(view.initial)


def _waits(view: View, outcome: Outcome | None) -> Wait | None:
    if outcome is not None:
        return None
    if view.dealer_blackjack:
        return Wait(Stage.AFTER_READER, "590.7(g)(1)" if player_blackjack(view) else "590.7(g)(2)")
    return Wait(Stage.MAIN, "590.7(n)(2)")


PUSH_22: Final = Wager(
    key="push_22",
    title="Push 22",
    offered="590.6(e)",
    settles="590.7(n)(1)",
    collects="590.7(n)(2)",
    pays="590.12(c)",
    stage=Stage.AFTER_ALL,
    subject="dealer",
    nothing="not 22",
    outcomes=(
        Outcome("same_suit_22", _same_suit),
        Outcome("same_color_22", _same_color),
        Outcome("other_22", dealer_22),
    ),
    waits=_waits,
    needs_dealer_draw=True,
)
