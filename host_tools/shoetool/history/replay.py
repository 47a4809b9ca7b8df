"""Replay of a history: (state, record) pairs, rounds, and the whole of it as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from shoetool.history.fold import Replay
from shoetool.history.state import Anomaly, State
from shoetool.history.store import ShoelogReader
from shoetool.model.naming import setting_value
from shoetool.model.records import Record
from shoetool.model.rounds import Round

__all__ = ["Anomaly", "Replay", "State", "replay", "replay_json", "rounds", "shoe_json"]


def replay(records: Iterable[Record]) -> Iterator[tuple[State, Record]]:
    """Yield (state, record) after each record; the state is one object that changes, so read it before the next."""
    machine = Replay()
    feed = machine.feed
    for record in records:
        yield feed(record), record


def rounds(records: Iterable[Record]) -> Iterator[Round]:
    """Yield each round when it closes or is broken off; the last one even if the history ends inside it."""
    machine = Replay()
    feed = machine.feed
    for record in records:
        closed = feed(record).closed_round
        if closed is not None:
            yield closed
    left = machine.end()
    if left is not None:
        yield left


def shoe_json(state: State) -> dict[str, Any]:
    """The configuration that the shoe was opened with, in JSON types."""
    return {
        "game": setting_value("game", state.game),
        "shoe_kind": setting_value("shoe_kind", state.shoe_kind),
        "decks": state.decks,
        "batches": list(state.batches),
        "side_a_color": setting_value("side_a_color", state.side_a_color),
        "positions": state.positions,
        "options": setting_value("options", state.options),
        "table": state.table,
    }


def replay_json(reader: ShoelogReader) -> dict[str, Any]:
    """A whole history as replay.schema.json has it: shoe, rounds, sides, anomalies. Holds all rounds at once."""
    machine = Replay()
    feed = machine.feed
    found: list[dict[str, Any]] = []
    anomalies: list[dict[str, Any]] = []
    for record in reader.records():
        state = feed(record)
        if state.closed_round is not None:
            found.append(state.closed_round.to_json())
        if state.anomaly is not None and len(anomalies) < 1000:
            anomalies.append({"record": state.anomaly.record, "text": state.anomaly.text})
    left = machine.end()
    if left is not None:
        found.append(left.to_json())
    state = machine.state
    sides = state.sides if state.double else state.sides[:1]
    return {
        "file": str(reader.path),
        "device": None if reader.chain.device is None else reader.chain.device.hex(),
        "shoe": shoe_json(state) if state.shoes else None,
        "records": reader.chain.records,
        "first_record": reader.chain.first_record,
        "last_record": reader.chain.last_record,
        "closed": bool(state.shoes) and not state.shoe_open,
        "rounds": found,
        "sides": {"AB"[index]: side.to_json() for index, side in enumerate(sides)},
        "anomalies": anomalies,
        "chain_ok": reader.chain.ok,
        "problems": [problem.to_json() for problem in reader.chain.problems],
        "notes": reader.notes(),
    }
