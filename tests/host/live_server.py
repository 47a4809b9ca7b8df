"""A server of live tables in a thread, whose tables a test feeds record by record."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from shoetool.model.records import Record
from shoetool.report.table_state import public, table_state
from shoetool.report.table_view import TableView
from shoetool.serve.door import Door, Places
from shoetool.serve.hub import Hub, Table
from shoetool.serve.quiet import Quiet
from shoetool.serve.server import run
from shoetool.serve.server import server as web_server

TOKEN = "abcdefghijklmnop-1234"


@dataclass
class LiveServer:
    """`feed` hands records to a table; `line` tells of its line."""

    port: int
    hub: Hub
    views: dict[str, TableView] = field(default_factory=dict)
    loop: asyncio.AbstractEventLoop | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/#token={TOKEN}"

    def feed(self, table: str, records: Iterable[Record]) -> None:
        """Fold records into a table, and tell of each."""
        view = self.views.setdefault(table, TableView())
        assert self.loop is not None
        for record in records:
            view.feed(record)
            message = {"received": 0.0, "record": public(record), "sentence": view.sentence(record)}
            self.loop.call_soon_threadsafe(self.hub.record, table, message, table_state(view))

    def line(self, table: str, line: str, why: str = "") -> None:
        """The line to its shoe is open, or lost."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.hub.line, table, line, 0.0, why, "device")


@contextmanager
def serving(*tables: str) -> Iterator[LiveServer]:
    """A server with these tables, on a free port of this machine."""
    quiet = Quiet(print)
    listening = socket.create_server(("127.0.0.1", 0))
    door = Door(listening, Places(known=256, anonymous=128, peer=128), tls=False, tell=quiet.tell)
    server = LiveServer(door.getsockname()[1], Hub({name: Table(name) for name in tables}))
    ready = threading.Event()

    @contextlib.asynccontextmanager
    async def running() -> AsyncIterator[None]:
        server.loop = asyncio.get_running_loop()
        ready.set()
        yield

    web = web_server(server.hub, TOKEN, door, running, quiet)
    thread = threading.Thread(target=run, args=(web, door, quiet), daemon=True)
    thread.start()
    assert ready.wait(20), "it does not start"
    try:
        yield server
    finally:
        web.should_exit = True
        thread.join(10)
        door.close()
