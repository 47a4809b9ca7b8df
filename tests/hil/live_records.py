"""The live records of a client, one after the other, until nothing comes or a test has seen enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shoetool.client.client import Client
from shoetool.client.live import Live
from shoetool.link.transport import EndOfRecording
from shoetool.model.records import Record


def records(
    client: Client,
    from_record: int | None = None,
    *,
    idle_s: float | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Record]:
    """Yield records from a number on (None: from the next one), in order and without gaps, as they happen."""
    return follow(client, client.subscribe(from_record), idle_s, stop)


def follow(
    client: Client, live: Live, idle_s: float | None = None, stop: Callable[[], bool] | None = None
) -> Iterator[Record]:
    """Yield records. Ends when none came for `idle_s`, when `stop()` returns True, or at the end of a recording."""
    clock = client.transport
    quiet_since = clock.now()
    while stop is None or not stop():
        try:
            found = live.poll(min(0.25, idle_s) if idle_s is not None else 0.25)
        except EndOfRecording:
            return
        if found:
            yield from found
            quiet_since = clock.now()
        elif idle_s is not None and clock.now() - quiet_since >= idle_s:
            return
