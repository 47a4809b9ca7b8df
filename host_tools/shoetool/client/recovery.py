"""Bring a lost line back: open the port again, wherever it is now, until the same shoe answers."""

from __future__ import annotations

from collections.abc import Callable

from shoetool.link.transport import Disconnected, EndOfRecording, Transport
from shoetool.model.errors import LinkError

from .requests import OtherShoe, Timeouts


def recover(
    transport: Transport, connect: Callable[[bool], object], timeouts: Timeouts, lost: LinkError, reopen: bool
) -> None:
    """Restore the conversation within `reconnect_s`, or raise `lost`; OtherShoe if only another shoe answered.

    `connect` identifies the shoe; it is told whether the port was opened anew.
    """
    if timeouts.reconnect_s <= 0:
        raise lost
    deadline = transport.now() + timeouts.reconnect_s
    others: dict[str, OtherShoe] = {}
    while True:
        try:
            if reopen:
                _reopen(transport, connect, others)
            else:
                connect(False)
            return
        except EndOfRecording:
            raise
        except Disconnected:
            reopen = True
        except LinkError:
            pass  # the port is not there yet or busy for a moment, or the device is still starting
        if transport.now() >= deadline:
            if others:
                transport.close()  # the other shoe's line is not ours
            raise next(iter(others.values()), lost)
        transport.sleep(timeouts.reconnect_every_s)


def _reopen(transport: Transport, connect: Callable[[bool], object], others: dict[str, OtherShoe]) -> None:
    """Try the ports that may be the line, one after the other. LinkError when the shoe answers on none of them.

    `others` keeps the ports where another shoe answered. They are left alone from then on.
    """
    tried = set(others)
    while True:
        transport.reopen(tried)
        name = transport.name
        try:
            connect(True)
            return
        except EndOfRecording:
            raise
        except OtherShoe as error:
            others[name] = error
        except LinkError:
            if name in tried:  # a line that has one port only
                raise
        tried.add(name)
