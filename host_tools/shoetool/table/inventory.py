"""What the less common records mean for the count of a side: openings, cards taken out of play, sides carried over."""

from __future__ import annotations

from shoetool.model.protocol_table import FaultCode, Role
from shoetool.table.card import FACE_DOWN, DrawnCard
from shoetool.table.side import Side
from shoetool.table.table import Table

_TEN_RANK = 9


def is_of_batch(table: Table, card: int, batch: int, head: int) -> bool:
    """Whether a known card belongs to the batch of its side: right back, and no 10 in a Spanish 21 shoe."""
    return batch == table.batches[head] and not (table.spanish and card % 13 == _TEN_RANK)


def sealed(table: Table, side: Side, drawn: DrawnCard) -> None:
    """A card came out face down; one that the shoe has just reported as another batch's counts nowhere."""
    told = bool(table.faults) and FaultCode.FOREIGN_BATCH in table.faults and table.foreign_told == drawn.record - 1
    if told and drawn.role == Role.STOPPED:
        drawn.batch = 0  # not known before it is opened
        return
    side.drawn += 1
    side.sealed += 1


def forget_face_down(table: Table, head: int) -> None:
    """A side is loaded: what lay face down of the batch before is open by now. A card that came out of the side while
    it was empty stays."""
    for number in [n for n, drawn in table.face_down.items() if drawn.head == head and n < table.shoe_record]:
        del table.face_down[number]


def give_back(table: Table, record: int) -> None:
    """The cards of a round went back into a continuous shuffler, 633a.5(h): the sides are whole again."""
    for side in table.sides:
        side.load_record = record
        side.counts = [0] * 52
        side.drawn = side.unknown = side.sealed = 0


def opened(table: Table, drawn: DrawnCard) -> None:
    """A card that had been counted face down shows its face."""
    if drawn.head > 1:
        return
    side = table.sides[drawn.head]
    if side.load_record > drawn.record:
        return  # it was drawn before its side was loaded again: a card of the batch before
    side.sealed -= 1
    if drawn.card >= 52 or is_of_batch(table, drawn.card, drawn.batch, drawn.head):
        side.take(drawn.card)
    else:
        side.drawn -= 1
        side.apart += 1


def removed(table: Table, drawn: DrawnCard) -> None:
    """A card was taken out of play for good: it counts as if it had never been in the batch."""
    if drawn.head > 1:
        return
    side = table.sides[drawn.head]
    if side.load_record > drawn.record:
        return
    if drawn.card == FACE_DOWN:
        side.sealed -= 1
        side.drawn -= 1
        drawn.batch = 0  # it is not counted again when it is opened
    elif drawn.card >= 52:
        side.unknown -= 1
        side.drawn -= 1
    elif side.counts[drawn.card]:
        side.counts[drawn.card] -= 1
        side.drawn -= 1


def carried_side(table: Table, record: int, unknown: int, dealt: bytes) -> Side:
    """The side that a `carried` record describes: 52 four-bit counts, low nibble first, and unknown cards."""
    side = Side(table.batch_size(), record)
    side.carried = True
    side.counts = [dealt[card >> 1] >> (4 * (card & 1)) & 15 for card in range(52)]
    side.unknown = unknown
    side.drawn = sum(side.counts) + unknown
    return side
