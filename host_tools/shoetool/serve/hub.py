"""Hands what happens at the tables to everybody who watches. Who stalls loses messages, and holds up nobody.

Everything here runs in the event loop. The threads of the lines hand their messages over with `call_soon_threadsafe`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

Message = dict[str, Any]

QUEUED: Final = 64
"""So many messages wait for one watcher. Then they are dropped, and it gets the state as it is then."""


@dataclass(slots=True)
class Table:
    """One table: its name, what lies on it, and whether the line to its shoe is there.

    seq: how many messages there were about it. since: Unix time in s at which the line was lost or came back.
    """

    name: str
    device: str | None = None
    port: str = ""
    state: Message | None = None
    seq: int = 0
    line: str = "opening"
    since: float = 0.0
    why: str = ""

    def summary(self) -> Message:
        """What the pit view shows of it."""
        state = self.state or {}
        kept = ("game", "number", "round", "round_open", "lamps", "faults", "notes", "sides")
        return {
            "table": self.name,
            "device": self.device,
            "line": self.line,
            "since": self.since,
            "why": self.why,
            "seq": self.seq,
            **{key: state.get(key) for key in kept},
        }

    def message(self, missed: int = 0) -> Message:
        """The state as it is now, for somebody who begins to watch, or who missed messages."""
        return {
            "type": "state",
            "table": self.name,
            "seq": self.seq,
            "missed": missed,
            "line": self.line,
            "since": self.since,
            "state": self.state,
        }


class Watcher:
    """Somebody who watches one table, or with `table` None the list of all. `next` waits for a message."""

    def __init__(self, hub: Hub, table: str | None) -> None:
        self.table = table
        self._hub = hub
        self._queue: asyncio.Queue[Message] = asyncio.Queue(QUEUED)
        self._missed = 0
        self._list_due = table is None
        self._wake = asyncio.Event()

    def take(self, message: Message) -> None:
        """Queue a message. When the queue is full, it is emptied: the state comes in place of what was in it."""
        if self._missed:
            self._missed += 1
        else:
            try:
                self._queue.put_nowait(message)
            except asyncio.QueueFull:
                self._missed = self._queue.qsize() + 1
                while not self._queue.empty():
                    self._queue.get_nowait()
        self._wake.set()

    def list_changed(self) -> None:
        """The list of tables is due; however often it changed, it is sent once."""
        self._list_due = True
        self._wake.set()

    async def next(self) -> Message:
        """Wait for the next message."""
        while True:
            if self._missed and self.table is not None:
                missed, self._missed = self._missed, 0
                return self._hub.tables[self.table].message(missed)
            if not self._queue.empty():
                return self._queue.get_nowait()
            if self._list_due:
                self._list_due = False
                return self._hub.listing()
            self._wake.clear()
            await self._wake.wait()


@dataclass(slots=True)
class Hub:
    """All tables and all who watch. on_record: called with each record message, for alerts."""

    tables: dict[str, Table] = field(default_factory=dict)
    watchers: set[Watcher] = field(default_factory=set)
    on_record: Callable[[Message], None] = lambda message: None

    def watch(self, table: str | None) -> Watcher:
        """Begin to watch a table that is there, or the list of all."""
        watcher = Watcher(self, table)
        if table is not None:
            watcher.take(self.tables[table].message())
        self.watchers.add(watcher)
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """Watch no more."""
        self.watchers.discard(watcher)

    def listing(self) -> Message:
        """The list of all tables."""
        return {"type": "tables", "tables": [table.summary() for table in self.tables.values()]}

    def record(self, name: str, message: Message, state: Message) -> None:
        """Something happened at a table: hand it to all who watch it."""
        table = self.tables[name]
        table.seq += 1
        table.state = state
        told = {"type": "record", "table": name, "seq": table.seq, **message, "state": state}
        for watcher in self.watchers:
            if watcher.table == name:
                watcher.take(told)
            elif watcher.table is None:
                watcher.list_changed()
        self.on_record(told)

    def clear(self, name: str) -> None:
        """Forget what lies on a table: another shoe stands there, or its journal was erased. Its line tells of it."""
        self.tables[name].state = None

    def line(self, name: str, line: str, since: float, why: str = "", device: str | None = None) -> None:
        """The line to the shoe of a table is `open`, `lost` or `opening`."""
        table = self.tables[name]
        if (table.line, table.why) == (line, why) and device in (None, table.device):
            return
        table.line, table.since, table.why = line, since, why
        table.device = device or table.device
        table.seq += 1
        for watcher in self.watchers:
            if watcher.table == name:
                watcher.take(table.message())
            elif watcher.table is None:
                watcher.list_changed()
