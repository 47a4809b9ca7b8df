"""Reads one shoe in a thread of its own, and hands what happens to the hub. When the line is lost it tries again."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from shoetool.client.client import Client
from shoetool.client.host_clock import HostClock
from shoetool.client.line_watch import watch_line
from shoetool.client.live import JournalErased
from shoetool.link.transport import EndOfRecording
from shoetool.model.errors import ShoetoolError
from shoetool.model.records import Record
from shoetool.report.table_state import public, table_state
from shoetool.report.table_view import TableView
from shoetool.serve.hub import Hub

AGAIN_S: Final = (1.0, 2.0, 5.0)
"""How long to wait before the line is opened again; the last for good."""
_POLL_S: Final = 0.1


class Line(threading.Thread):
    """The line to the shoe of one table. `open_client`: opens it, LinkError or DeviceError when that fails."""

    def __init__(self, hub: Hub, loop: asyncio.AbstractEventLoop, name: str, open_client: Callable[[], Client]) -> None:
        super().__init__(name=f"line of {name}", daemon=True)
        self._hub = hub
        self._loop = loop
        self._table = name
        self._open_client = open_client
        self._over = threading.Event()
        self._next: int | None = None
        """The next record that is wanted; None until the first connection."""
        self._device = b""
        self._view = TableView()

    def stop(self) -> None:
        """End soon."""
        self._over.set()

    def run(self) -> None:
        """Read until `stop`, or until a recording ends."""
        failed = 0
        while not self._over.is_set():
            try:
                with self._open_client() as client:
                    failed = 0
                    self._watch(client)
            except EndOfRecording:
                self._tell("ended")
                return
            except ShoetoolError as error:
                if isinstance(error, JournalErased):
                    self._device = b""  # it is read from its start, as another shoe would be
                self._tell("lost", str(error))
                self._over.wait(AGAIN_S[min(failed, len(AGAIN_S) - 1)])
                failed += 1
            except Exception as error:  # a fault of ours must not leave the table looking as if it were read
                self._tell("lost", f"a fault in shoetool ended the reading: {error!r}; start shoetool serve again")
                raise

    def _watch(self, client: Client) -> None:
        identity = client.identify()
        if identity.device != self._device:  # another shoe stands there now: its records have numbers of their own
            self._device, self._next, self._view = identity.device, None, TableView()
            self._post(self._hub.clear, self._table)
        self._tell("open", device=identity.device.hex())
        answered = watch_line(
            client, lambda silent_s: self._tell("lost", "the shoe is silent"), lambda: self._tell("open")
        )
        clock = HostClock(client, lambda point: None)
        live = client.subscribe(self._next if self._next is not None else _start(client))
        while not self._over.is_set():
            clock.refresh()
            found = live.poll(_POLL_S)
            clock.saw(found)
            answered()
            for record in found:
                self._record(record)
            self._next = live.next_number

    def _record(self, record: Record) -> None:
        self._view.feed(record)
        message = {
            "received": time.time(),
            "record": public(record),
            "sentence": self._view.sentence(record),
        }
        self._post(self._hub.record, self._table, message, table_state(self._view))

    def _tell(self, line: str, why: str = "", device: str | None = None) -> None:
        self._post(self._hub.line, self._table, line, time.time(), why, device)

    def _post(self, take: Callable[..., None], *words: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(take, *words)
        except RuntimeError:  # the loop was closed: nobody watches any more
            self._over.set()


def _start(client: Client) -> int | None:
    """The first record of the open history, so that the table is drawn whole; None when none is open."""
    shoes = client.history_list()
    return shoes[-1].first_record if shoes and not shoes[-1].closed else None
