"""Runs the web side: the door, the guard and the web server's own limits, until a signal ends it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import uvicorn

from shoetool.serve.app import Started, Web
from shoetool.serve.door import BACKLOG, MOST_BYTES, PATIENCE_S, Door
from shoetool.serve.guard import Guard
from shoetool.serve.hub import Hub
from shoetool.serve.quiet import Quiet


def server(
    hub: Hub,
    token: str,
    door: Door,
    started: Started,
    quiet: Quiet,
    names: tuple[str, ...] = (),
    cert: Path | None = None,
    cert_key: Path | None = None,
) -> uvicorn.Server:
    """Return a server of the tables of `hub`; `run` runs it. names: its names beside its addresses."""

    @contextlib.asynccontextmanager
    async def life() -> AsyncIterator[None]:
        ticking = asyncio.create_task(quiet.run())
        try:
            async with started():
                yield
        finally:
            ticking.cancel()

    web = Web(hub, token, life, door.admit)
    config = uvicorn.Config(
        Guard(web.app, names, quiet.tell),
        http="h11",
        lifespan="on",
        ssl_certfile=cert,
        ssl_keyfile=cert_key,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # an address that the other side may choose is none
        backlog=BACKLOG,
        h11_max_incomplete_event_size=MOST_BYTES,
        ws_max_size=MOST_BYTES,
        ws_max_queue=1,
        ws_per_message_deflate=False,  # so that a message is as long as what was sent
        timeout_keep_alive=int(PATIENCE_S),
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config)


def run(one: uvicorn.Server, door: Door, quiet: Quiet) -> None:
    """Run a server until a termination signal, or until `should_exit` is set. Ctrl-C ends the program as elsewhere."""
    with (
        _terminated(lambda: setattr(one, "should_exit", True)),
        quiet.of_everything(),
        # The door counts what this loop's transports receive; others read past it.
        asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner,
    ):
        runner.run(one.serve(sockets=[door]))


@contextlib.contextmanager
def _terminated(end: Callable[[], None]) -> Iterator[None]:
    """Let a termination signal call `end`, and nothing more. uvicorn raises it once more at its end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, frame: end())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
