"""Blackjack Switch, 633a.12(a): the exchange of second cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry_variations as reg
from shoetool.judge.objection import Objection
from shoetool.model.protocol_table import HandEnd
from shoetool.table.actions import Switched
from shoetool.table.round import Round

_UNDECIDED: Final = (-1, HandEnd.BLACKJACK)


def switched(round_: Round, action: Switched) -> Iterator[Objection]:
    """633a.12(a)(4): in its turn a position exchanges the second cards of its hands before it decides anything else.

    `round_` is as it was before the action.
    """
    box = action.box
    hands = [round_.hands[key] for key in (box << 8, box << 8 | 1) if key in round_.hands]
    mine = [card for hand in hands for card in hand.cards]
    wrong = None
    if len(hands) < 2 or any(len(hand.cards) != 2 for hand in hands):
        wrong = "had not two cards in each of two hands"
    elif any(hand.switched for hand in hands):
        wrong = "switched twice"
    elif any(hand.doubled or hand.split or hand.ended not in _UNDECIDED for hand in hands):
        wrong = "switched after another decision"
    elif any(hand.box < box and hand.ended < 0 and not hand.waits for hand in round_.hands.values()):
        wrong = "switched before its turn"
    if wrong:
        yield Objection(reg.SWITCH, f"position {box} {wrong}.", (action.record,), mine)
