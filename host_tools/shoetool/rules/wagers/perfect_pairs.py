"""Perfect Pairs, 633c.1(b): the player's first two cards are a pair, by rank; better by color, best by suit."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import is_red
from shoetool.rules.round import Stage

from .two_cards import identical, pair
from .view import View
from .wager import Outcome, Wager


def _colored_pair(view: View) -> bool:
    """633c.1(f): one rank and one color; one suit has the row above."""
    return pair(view) and is_red(view.first) == is_red(view.second)


PERFECT_PAIRS: Final = Wager(
    key="perfect_pairs",
    title="Perfect Pairs",
    offered="633c.1(b)",
    settles="633c.1(d)(1)",
    collects="633c.1(d)(2)",
    pays="633c.1(e)",
    stage=Stage.AFTER_DEAL,  # 633c.1(c): the deal is that of the game
    subject="two_cards",
    nothing="no pair",
    outcomes=(
        Outcome("perfect_pair", identical),  # 633c.1(f); with one deck there is none (T20)
        Outcome("colored_pair", _colored_pair),
        Outcome("mixed_pair", pair),  # 633c.1(f): two colors
    ),
    timing="633c.1(d)",
    area="633c.1(a)",
)
