"""Replay of a history: (table, record) pairs, and rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shoetool.model.naming import setting_value
from shoetool.model.records import Record
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.table.table import Anomaly, Table

__all__ = ["Anomaly", "Stream", "Table", "replay", "rounds", "shoe_json"]


def replay(records: Iterable[Record]) -> Iterator[tuple[Table, Record]]:
    """Yield (table, record) after each record; the table is one object that changes, so read it before the next."""
    machine = Stream()
    feed = machine.feed
    for record in records:
        yield feed(record), record


def rounds(records: Iterable[Record]) -> Iterator[Round]:
    """Yield each round when it closes or is broken off; the last one even if the history ends inside it."""
    return (one for one, _ in rounds_at_tables(records))


def rounds_at_tables(records: Iterable[Record]) -> Iterator[tuple[Round, Table]]:
    """Yield `rounds`, each with the table as it stands then; read it before the next."""
    machine = Stream()
    for record in records:
        table = machine.feed(record)
        if table.closed_round is not None:
            yield table.closed_round, table
    left = machine.end()
    if left is not None:
        yield left, machine.table


def shoe_json(table: Table) -> dict[str, Any]:
    """The configuration that the shoe was opened with, in JSON types."""
    return {
        "game": setting_value("game", table.game),
        "shoe_kind": setting_value("shoe_kind", table.shoe_kind),
        "decks": table.decks,
        "batches": list(table.batches),
        "side_a_color": setting_value("side_a_color", table.side_a_color),
        "positions": table.positions,
        "options": setting_value("options", table.options),
        "table": table.number,
    }
