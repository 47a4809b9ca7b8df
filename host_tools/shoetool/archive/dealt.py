"""The rounds of one history as rows of the index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shoetool.history.readings import Basis
from shoetool.history.start_clock import Moment
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import RecordKind
from shoetool.report.time_of_day import basis_of, round_moments
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.verify import Report


class RoundRow(NamedTuple):
    """One round.

    shoe: the device's number of it. began, ended: the earliest and the latest time that it may have, Unix ms; None when
    not known. dealer: how many dealers the shoe had had by then, None when its history does not tell; a history names
    no people. cards: a bit for each face (0 to 51) that was seen. basis: what its times rest on.
    """

    number: int
    shoe: int | None
    began: int | None
    ended: int | None
    first_record: int
    last_record: int
    dealer: int | None
    cards: int
    basis: Basis | None


def rounds_of(path: Path, report: Report) -> Iterator[RoundRow]:
    """Yield the rounds of a history, also one that is open at its end. BadInput when it is none.

    report: what `verify` says of it. It knows which readings of the clock are signed.
    """
    with ShoelogReader(path) as reader:
        report.vouch(reader)
        stream = Stream()
        dealers: dict[int | None, int] = {}
        opened_at: dict[int, tuple[Moment | None, int | None, int | None]] = {}

        def row(one: Round) -> RoundRow:
            shoe = reader.chain.shoe
            began, own_shoe, dealer = opened_at.pop(one.record, (None, shoe, dealers.get(shoe)))
            _, ended = round_moments(one, reader.moment)
            cards = 0
            for placed in one.placed:
                if placed.card.known:
                    cards |= 1 << placed.card.card
            first = None if began is None else began.low_ms
            last = None if ended is None else ended.high_ms
            basis = basis_of(began, ended)
            return RoundRow(one.number, own_shoe, first, last, one.record, one.last, dealer, cards, basis)

        for record in reader.records():
            table = stream.feed(record)
            shoe = reader.chain.shoe
            if record.kind == RecordKind.SHOE_OPENED:
                dealers[shoe] = 0
            elif record.kind == RecordKind.DEALER_CHANGED:
                dealers[shoe] = record.values[0]
            elif record.kind == RecordKind.ROUND_OPENED:
                opened_at[record.number] = (reader.moment(record), shoe, dealers.get(shoe))
            if table.closed_round is not None:
                yield row(table.closed_round)
        left = stream.end()
        if left is not None:
            yield row(left)
