"""Whose turn it is in a round that is under way, 633a.7(i): read off the hands as they lie."""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.table.hand import Hand
from shoetool.table.round import Round


def hand_in_turn(round_: Round) -> Hand | None:
    """The hand that decides next: clockwise, the leftmost of a split first; late cards after all others. None: no hand
    is left."""
    hands = list(hands_in_order(round_))
    late = [hand for hand in hands if waits_for_a_late_card(hand)]
    open_ = (hand for hand in hands if hand not in late and (hand.ended < 0 or hand.missed > hand.end_record))
    return next(open_, late[0] if late else None)


def waits_for_a_late_card(hand: Hand) -> bool:
    """Whether a card for this hand was missed and neither came nor was declined, 633a.14(i)."""
    return hand.waits and hand.missed > hand.end_record


def hands_in_order(round_: Round) -> Iterator[Hand]:
    """The hands as they are in turn: positions clockwise from the dealer's far left, in each from its left."""
    for box in sorted(round_.boxes):
        yield from round_.boxes[box]
