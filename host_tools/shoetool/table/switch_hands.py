"""What a position chooses, as the records have it: switch hands with their antes, 633c.4, and splits."""

from __future__ import annotations

from shoetool.model.protocol_table import Position, RecordKind, Role
from shoetool.model.records import Record
from shoetool.table.round import SWITCH_HAND, DrawnCard, Round
from shoetool.table.table import Table

KINDS = (RecordKind.ANTES, RecordKind.SEATS, RecordKind.SWITCH_HAND)
"""Records that `told` takes."""


def told(table: Table, record: Record) -> str | None:
    """Take one of `KINDS`; a sentence when it does not fit what came before."""
    values, round_ = record.values, table.round
    if record.kind == RecordKind.SEATS:
        table.antes &= values[0]  # without a main wager there is no ante
        return None
    if record.kind == RecordKind.ANTES:
        table.antes = values[0]
        return None if round_ is None else "switch hands antes were placed while a round was open"
    if round_ is None:
        return f"a {record.name} record stands outside a round"
    round_.steps.append((record, None, -1, -1, -1))
    box, switched = values
    if box in round_.chosen or not round_.antes << 1 >> box & 1:
        return f"position {box} has no choice between two hands"
    round_.chosen[box] = bool(switched)
    if switched:
        round_.hand(box, 0).switch_hand = True
    return None


def split(round_: Round, box: int, number: int, new_number: int) -> str | None:
    """A hand becomes two; a sentence when it cannot."""
    hand = round_.hand(box, number)
    if box << 8 | new_number in round_.hands:
        return f"hand {new_number} of position {box} is there already"
    new = round_.split_hand(hand, new_number)
    if len(hand.cards) != 2:
        return f"a hand of {len(hand.cards)} cards was split"
    moved = hand.cards.pop()
    moved.hand = new_number
    new.cards.append(moved)
    return None


def lay(round_: Round, drawn: DrawnCard) -> None:
    """Lay a switch hands card aside, or into the hand of the position that plays it."""
    if drawn.hand == SWITCH_HAND:
        round_.asides.setdefault(drawn.box, []).append(drawn)
    else:
        round_.hand(drawn.box, drawn.hand).cards.append(drawn)


def take_back(round_: Round, drawn: DrawnCard, role: int, box: int) -> None:
    """A card goes elsewhere: what was chosen or went to the rack stays told, all else was another's."""
    aside = round_.asides.get(drawn.box)
    away = role == Role.DISCARDED and box == Position.RACK
    if aside is not None and drawn in aside and not away and drawn.box not in round_.chosen:
        aside.remove(drawn)
