"""The rounds of one history as rows of the index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import RecordKind
from shoetool.report.time_of_day import round_moments
from shoetool.table.round import Round
from shoetool.table.stream import Stream


class RoundRow(NamedTuple):
    """One round.

    shoe: the device's number of it. began, ended: the earliest and the latest time that it may have, Unix ms; None when
    not known. dealer: how many dealers the shoe had had by then, None when its history does not tell; a history names
    no people. cards: a bit for each face (0 to 51) that was seen.
    """

    number: int
    shoe: int | None
    began: int | None
    ended: int | None
    first_record: int
    last_record: int
    dealer: int | None
    cards: int


def rounds_of(path: Path) -> Iterator[RoundRow]:
    """Yield the rounds of a history, also one that is open at its end. BadInput when it is none."""
    with ShoelogReader(path) as reader:
        stream = Stream()
        dealers: dict[int | None, int] = {}
        opened_at: dict[int, tuple[int | None, int | None, int | None]] = {}

        def row(one: Round) -> RoundRow:
            shoe = reader.chain.shoe
            began, own_shoe, dealer = opened_at.pop(one.record, (None, shoe, dealers.get(shoe)))
            _, ended = round_moments(one, reader.moment)
            cards = 0
            for placed in one.placed:
                if placed.card.known:
                    cards |= 1 << placed.card.card
            last = None if ended is None else ended.high_ms
            return RoundRow(one.number, own_shoe, began, last, one.record, one.last, dealer, cards)

        for record in reader.records():
            table = stream.feed(record)
            shoe = reader.chain.shoe
            if record.kind == RecordKind.SHOE_OPENED:
                dealers[shoe] = 0
            elif record.kind == RecordKind.DEALER_CHANGED:
                dealers[shoe] = record.values[0]
            elif record.kind == RecordKind.ROUND_OPENED:
                moment = reader.moment(record)
                opened_at[record.number] = (None if moment is None else moment.low_ms, shoe, dealers.get(shoe))
            if table.closed_round is not None:
                yield row(table.closed_round)
        left = stream.end()
        if left is not None:
            yield row(left)
