"""Buster Blackjack, 633c.13: the dealer goes over 21; better by the number of his cards. With a cash bonus."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import is_blackjack
from shoetool.rules.hands import best_total
from shoetool.rules.round import Stage

from .choice import Choice
from .view import View
from .wager import DRAWS, Bonus, Outcome, Predicate, Wager, Wait

_KEY: Final = "buster_blackjack"
_DRAW: Final = Choice(
    f"{_KEY}_dealer",
    "633c.13(f)",
    "beside a live wager the dealer draws although no hand waits for him, or he stops by 633a.7(n) (T87)",
    (DRAWS, "stops"),
)
_INSTEAD: Final = Choice(
    f"{_KEY}_bonus",
    "633c.13(i)",
    "the cash bonus is paid beside the odds of the wager, or instead of them (T91)",
    ("beside", "instead"),
)
_EIGHT: Final = "eight_or_more_cards"
_SEVEN: Final = "seven_cards"


def _busts_with(least: int) -> Predicate:
    """633c.13(a), 633c.13(h): over 21 with so many cards or more, that card included (T88).

    The rows for more cards come first. The round is dealt and completed as any other, 633c.13(e).
    """
    return lambda view: best_total(view.dealer) > 21 and len(view.dealer) >= least


def _player_blackjack(view: View) -> bool:
    """Whether his first two cards are a Blackjack; a 21 after a split is none (T12)."""
    return is_blackjack(view.initial[:2])


def _pay(name: str) -> Bonus:
    """One of the two cash bonuses of 633c.13(i)."""
    key = f"bonus_{name.lower()}"
    return Bonus(
        key=key,
        title=f"Bonus Pay {name}",
        of=_KEY,
        clause="633c.13(i)",
        predicate=_player_blackjack,
        reason="the player has a Blackjack",
        option=f"Buster Blackjack: Bonus Pay {name} is offered",
        rows=(Outcome(f"{key}_{_EIGHT}", _busts_with(8)), Outcome(f"{key}_{_SEVEN}", _busts_with(7))),
        least=5_00,
        instead=_INSTEAD,
    )


def _waits(view: View, outcome: Outcome | None) -> Wait | None:
    """A dealer Blackjack is no bust: no more cards come, and the wager loses at once (T90)."""
    return Wait(Stage.AFTER_READER, "633c.13(g)") if view.dealer_blackjack else None


BUSTER_BLACKJACK: Final = Wager(
    key=_KEY,
    title="Buster Blackjack",
    offered="633c.13(a)",
    settles="633c.13(h)",
    collects="633c.13(g)",
    pays="633c.13(h)",
    stage=Stage.AFTER_ALL,
    subject="dealer",
    nothing="21 or less",
    outcomes=(
        Outcome(_EIGHT, _busts_with(8)),
        Outcome(_SEVEN, _busts_with(7)),
        Outcome("six_cards", _busts_with(6)),
        Outcome("five_cards", _busts_with(5)),
        Outcome("four_cards", _busts_with(4)),
        Outcome("three_cards", _busts_with(3)),
    ),
    waits=_waits,
    draw=_DRAW,
    bonuses=(_pay("B1"), _pay("B2")),
    one_bonus="633c.13(i)",
    area="633c.13(b)",  # placed within the limits of the table, before the close of bets: 633c.13(d)
)
