"""TriLux Deluxe, 633c.11: the player's two cards with the up card; its winnings may cap the Blackjack wager.

Three-of-a-kind is of one rank, 633c.11(j)(4), and a flush of one suit, 633c.11(j)(1). One that is both is paid as the
former, whose row comes first (T1).
"""

from __future__ import annotations

from typing import Final

from shoetool.rules.round import Stage

from .choice import Choice
from .three_cards import flush, three_of_a_kind
from .two_cards import ACE_RANK, KING_RANK, QUEEN_RANK
from .view import TEN_OR_ACE, View
from .wager import BEFORE_READER, WITH_THE_PRESS, Outcome, Press, PressArea, Wager, Wait

_KEY: Final = "trilux_deluxe"
_ACE: Final = Choice(
    f"{_KEY}_ace",
    "633c.11(j)(2)",
    "the ace is next to the king, the 2 or both",
    ("both", "high", "low"),
)
_TIME: Final = Choice(
    f"{_KEY}_press",
    "633c.11(f)",
    "against an ace or ten-value card a winner is paid, and may cap the Blackjack wager, after the reader was used, or "
    "before it, so that a dealer's Blackjack gives the press back (T76)",
    ("after_reader", BEFORE_READER),
)
_DOUBLES: Final = Choice(
    f"{_KEY}_double",
    "633c.11(g)",
    "a double beside the press is at most the original Blackjack wager, or that and the press together",
    ("wager", WITH_THE_PRESS),
)
_ENDS: Final = {
    "both": ((ACE_RANK, 1, 2), (ACE_RANK, QUEEN_RANK, KING_RANK)),
    "high": ((ACE_RANK, QUEEN_RANK, KING_RANK),),
    "low": ((ACE_RANK, 1, 2),),
}
"""The straights with an ace, by setting: ace-2-3, queen-king-ace."""


def _straight(view: View) -> bool:
    """633c.11(j)(2): the three ranks are sequential, suits ignored."""
    low, middle, high = sorted(card % 13 for card in (view.first, view.second, view.up))
    if low == ACE_RANK:
        return (low, middle, high) in _ENDS[_ACE.of(view.rules)]
    return low + 1 == middle == high - 1


def _straight_flush(view: View) -> bool:
    """633c.11(j)(3): a straight of one suit."""
    return flush(view) and _straight(view)


def _waits(view: View, outcome: Outcome | None) -> Wait | None:
    """A winner against an ace or ten-value card waits for the reader, where the house has it so (T76)."""
    if outcome is None or view.up % 13 not in TEN_OR_ACE or _TIME.of(view.rules) == BEFORE_READER:
        return None
    return Wait(Stage.AFTER_READER, "633c.11(d)(1)")


TRILUX_DELUXE: Final = Wager(
    key=_KEY,
    title="TriLux Deluxe",
    offered="633c.11(a)",
    settles="633c.11(d)(1)",
    collects="633c.11(d)(2)",
    pays="633c.11(h)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="no straight flush, three-of-a-kind, straight or flush",
    outcomes=(
        Outcome("straight_flush", _straight_flush),
        Outcome("three_of_a_kind", three_of_a_kind),
        Outcome("straight", _straight),
        Outcome("flush", flush),
    ),
    waits=_waits,
    waiting="633c.11(f)",
    timing="633c.11(d)",
    before_main=True,
    press=Press(
        clause="633c.11(e)",
        portion=None,
        most="633c.11(e)",
        paid_out="633c.11(f)",
        apart=PressArea(
            clause="633c.11(e)",
            even_money="633c.11(f)",
            split="633c.11(g)",
            area="633c.11(b)",
            time=_TIME,
            doubles=_DOUBLES,
        ),
    ),
    choices=(_ACE,),
    area="633c.11(b)",
    up_to_main="633c.11(c)",
    times_main=2,
)
