"""Replay of a history: (table, record) pairs, rounds, and the whole of it as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shoetool.history.store import ShoelogReader
from shoetool.model.naming import setting_value
from shoetool.model.records import Record
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.table.table import Anomaly, Table

__all__ = ["Anomaly", "Stream", "Table", "replay", "replay_json", "rounds", "shoe_json"]


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


def replay_json(reader: ShoelogReader) -> dict[str, Any]:
    """A whole history as replay.schema.json has it: shoe, rounds, sides, anomalies. Holds all rounds at once."""
    machine = Stream()
    feed = machine.feed
    found: list[dict[str, Any]] = []
    anomalies: list[dict[str, Any]] = []
    for record in reader.records():
        table = feed(record)
        if table.closed_round is not None:
            found.append(table.closed_round.to_json())
        if table.anomaly is not None and len(anomalies) < 1000:
            anomalies.append({"record": table.anomaly.record, "text": table.anomaly.text})
    left = machine.end()
    if left is not None:
        found.append(left.to_json())
    table = machine.table
    sides = table.sides if table.double else table.sides[:1]
    return {
        "file": str(reader.path),
        "device": None if reader.chain.device is None else reader.chain.device.hex(),
        "shoe": shoe_json(table) if table.shoes else None,
        "records": reader.chain.records,
        "first_record": reader.chain.first_record,
        "last_record": reader.chain.last_record,
        "closed": bool(table.shoes) and not table.shoe_open,
        "rounds": found,
        "sides": {"AB"[index]: side.to_json() for index, side in enumerate(sides)},
        "anomalies": anomalies,
        "chain_ok": reader.chain.ok,
        "problems": [problem.to_json() for problem in reader.chain.problems],
        "notes": reader.notes(),
    }
