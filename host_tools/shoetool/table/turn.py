"""Whose turn it is, 633a.7(i): one rule for the rounds of a shoe, of a round file, and of the simulated dealer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from shoetool.table.hand import Hand

_H = TypeVar("_H", bound=Hand)


def hand_in_turn(hands: Iterable[_H]) -> _H | None:
    """The hand that is next, of hands as they lie: positions clockwise from the dealer's far left, 633a.7(i), in each
    from its left, 633a.11(b). Late cards come after all others, 633a.14(i), and last to who was missed again. None: no
    hand is left."""
    late: _H | None = None
    for hand in hands:
        if hand.over:
            continue
        if not hand.queued:
            return hand
        if late is None or hand.queued < late.queued:
            late = hand
    return late
