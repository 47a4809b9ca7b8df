"""Find shoes: ask every serial port of this computer, and ports given by name, for an identity."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from shoetool.link.port_filter import PortFilter
from shoetool.link.ports import open_transport
from shoetool.link.system_ports import SystemPort, system_ports
from shoetool.link.transport import PortBusy
from shoetool.model.errors import DeviceError, LinkError
from shoetool.wire.answers import Identity

from .client import Client
from .requests import Timeouts

EVERY: Final = PortFilter()
# A device that is no shoe must not delay the search for long.
QUICK: Final = Timeouts(answer_s=0.3, request_s=5.0, identify_tries=5, reconnect_s=0)


_AT_A_TIME: Final = 32


@dataclass(frozen=True, slots=True)
class Found:
    """A port and the shoe on it. Without a shoe `identity` is None, and `problem` says why in one line.

    `busy`: another program has the port open, so it could not be asked.
    """

    port: str
    description: str
    identity: Identity | None
    problem: str | None
    busy: bool = False


def discover(
    ports: Iterable[str] = (),
    *,
    search: bool = True,
    only: PortFilter = EVERY,
    timeouts: Timeouts = QUICK,
    on_port: Callable[[str], None] | None = None,
    on_problem: Callable[[str], None] = lambda text: None,
) -> list[Found]:
    """Identify what is on the given ports (pseudo-terminals by path too) and, with `search`, on all serial ports.

    Of these ports `only` chooses the ones that are asked. When the system cannot list its ports, `on_problem` gets the
    reason, and the given ports are asked. LinkError when none was given.
    All ports are asked at the same time, because a port without a shoe is silent for seconds. Opening a port may reset
    a device that listens to DTR. `on_port` is called with each port when it was asked, in the thread of the caller.
    """
    descriptions = {port: "" for port in ports if only.takes(SystemPort(port))}
    if search:
        try:
            listed = system_ports()
        except LinkError as error:
            if not descriptions:
                raise
            on_problem(str(error))
            listed = []
        for port in listed:
            if only.takes(port):
                descriptions.setdefault(port.name, port.description)
    waiting = queue.SimpleQueue[tuple[str, str]]()
    done = queue.SimpleQueue[Found | BaseException]()
    for row in descriptions.items():
        waiting.put(row)
    for _ in range(min(_AT_A_TIME, len(descriptions))):
        # No thread pool: an interrupted program would wait for its threads.
        threading.Thread(target=_try_all, args=(waiting, done, timeouts), daemon=True).start()
    found: dict[str, Found] = {}
    for _ in descriptions:
        one = done.get()
        if isinstance(one, BaseException):
            raise one
        found[one.port] = one
        if on_port is not None:
            on_port(one.port)
    return [found[port] for port in descriptions]


def _try_all(
    waiting: queue.SimpleQueue[tuple[str, str]], done: queue.SimpleQueue[Found | BaseException], timeouts: Timeouts
) -> None:
    """Ask one port after the other until none is left."""
    while True:
        try:
            port, description = waiting.get_nowait()
        except queue.Empty:
            return
        try:
            done.put(_try(port, description, timeouts))
        except BaseException as error:  # the caller raises it
            done.put(error)


def _try(port: str, description: str, timeouts: Timeouts) -> Found:
    try:
        with Client(open_transport(port), timeouts) as client:
            return Found(port, description, client.identify(), None)
    except (LinkError, DeviceError) as error:
        problem = str(error).removeprefix(f"{port}: ")
        return Found(port, description, None, problem, isinstance(error, PortBusy))
