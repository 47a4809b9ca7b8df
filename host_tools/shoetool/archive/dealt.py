"""The rounds of one history as rows of the index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import RecordKind
from shoetool.report.time_of_day import round_moments
from shoetool.table.stream import Stream


class RoundRow(NamedTuple):
    """One round.

    shoe: the device's number of it. began, ended: the earliest and the latest time that it may have, Unix ms; None when
    not known. dealer: how many dealers the shoe had had by then; a history names no people. cards: a bit for each face
    (0 to 51) that was seen. up_card: -1 when it is not known.
    """

    number: int
    shoe: int
    began: int | None
    ended: int | None
    first_record: int
    last_record: int
    dealer: int
    positions: int
    cards: int
    up_card: int
    outcome: int


def rounds_of(path: Path) -> Iterator[RoundRow]:
    """Yield the rounds of a history. BadInput when it is none."""
    with ShoelogReader(path) as reader:
        stream = Stream()
        dealers: dict[int, int] = {}
        opened_at: dict[int, tuple[int | None, int, int]] = {}
        for record in reader.records():
            table = stream.feed(record)
            facts = reader.chain.facts
            shoe = facts[-1].shoe if facts else 0
            if record.kind == RecordKind.SHOE_OPENED:
                dealers[shoe] = 0
            elif record.kind == RecordKind.DEALER_CHANGED:
                dealers[shoe] = record.values[0]
            elif record.kind == RecordKind.ROUND_OPENED:
                moment = reader.moment(record)
                opened_at[record.number] = (None if moment is None else moment.low_ms, shoe, dealers.get(shoe, 0))
            one = table.closed_round
            if one is None:
                continue
            began, own_shoe, dealer = opened_at.pop(one.record, (None, shoe, dealers.get(shoe, 0)))
            _, ended = round_moments(one, reader.moment)
            cards = 0
            for placed in one.placed:
                if placed.card.known:
                    cards |= 1 << placed.card.card
            up = one.up_card
            yield RoundRow(
                one.number, own_shoe, began, None if ended is None else ended.high_ms, one.record, one.last, dealer,
                one.seats, cards, up.card if up is not None and up.known else -1, one.outcome,
            )  # fmt: skip
