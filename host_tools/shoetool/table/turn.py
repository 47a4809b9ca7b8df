"""Whose turn it is in a round that is under way, 633a.7(i): read off the hands as they lie."""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.model.protocol_table import IrregularityCode, RecordKind, Role
from shoetool.table.round import Hand, Round


def hand_in_turn(round_: Round) -> Hand | None:
    """The hand that decides next: clockwise, the leftmost of a split first; late cards after all others. None: no hand
    is left."""
    hands = list(_hands(round_))
    late = [hand for hand in hands if waits_for_a_late_card(round_, hand)]
    open_ = (hand for hand in hands if hand not in late and (hand.ended < 0 or _opened_again(round_, hand)))
    return next(open_, late[0] if late else None)


def _opened_again(round_: Round, hand: Hand) -> bool:
    """Whether a missed card has opened a hand that had ended, and it has not ended since."""
    mine = (IrregularityCode.MISSED_CARD, hand.box, hand.hand)
    return any(record.number > hand.end_record and record.values[:3] == mine for record in round_.irregularities)


def waits_for_a_late_card(round_: Round, hand: Hand) -> bool:
    """Whether a card for this hand was missed and neither came nor was declined, 633a.14(i)."""
    mine = (hand.box, hand.hand)
    waits = False
    for record, _, role, box, number in round_.steps:
        if record.kind == RecordKind.IRREGULARITY and record.values[:3] == (IrregularityCode.MISSED_CARD, *mine):
            waits = True
        elif (role == Role.LATE and (box, number) == mine) or (
            record.kind == RecordKind.HAND_ENDED and record.values[:2] == mine
        ):
            waits = False
    return waits


def name_of(hand: Hand) -> str:
    """Where the hand lies, in words."""
    return f"position {hand.box}, hand {hand.hand + 1}" if hand.split else f"position {hand.box}"


def _hands(round_: Round) -> Iterator[Hand]:
    for box in sorted(round_.boxes):
        yield from round_.boxes[box]
