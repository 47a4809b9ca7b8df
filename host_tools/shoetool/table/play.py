"""What the actions of a round tell of its play."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import HandEnd, Peek, RecordKind, Role
from shoetool.model.records import Record
from shoetool.table.actions import FURTHER_ROLES
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round

_PLAYS: Final = FURTHER_ROLES - {int(Role.LATE)}
_DECISIONS: Final = (int(RecordKind.DOUBLED), int(RecordKind.SPLIT), int(RecordKind.REVEALED))
_ENDS: Final = (int(HandEnd.STAND), int(HandEnd.SURRENDERED))


def said_blackjack(round_: Round) -> list[Record]:
    """The answers Blackjack of the card reader device."""
    peeks = (step[0] for step in round_.steps if step[0].kind == RecordKind.PEEK)
    return [record for record in peeks if record.values[0] == Peek.BLACKJACK]


def dealt_after_blackjack(round_: Round) -> list[DrawnCard]:
    """633a.7(h) result: cards that were dealt although the reader had said Blackjack, whatever became of them."""
    said = said_blackjack(round_)
    if not said:
        return []
    after = (step for step in round_.steps if step[0].number > said[0].number)
    drawn = {step[1].record: step[1] for step in after if step[1] is not None and step[2] in _PLAYS}
    return [card for record, card in drawn.items() if record > said[0].number]


def first_play(round_: Round) -> int:
    """Record of the first decision, of the first card beside the opening deal, or of the turned hole card; -1 none."""
    for record, drawn, role, _, _ in round_.steps:
        if drawn is not None and role in _PLAYS:
            return record.number
        if record.kind in _DECISIONS or (record.kind == RecordKind.HAND_ENDED and record.values[2] in _ENDS):
            return record.number
    return -1
