"""A line that goes silent is told after about two seconds, once, and so is that it is back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fake_shoes import IDENTITY, ScriptedShoe, answer, status
from loopback import LoopbackTransport
from shoetool.client.client import Client
from shoetool.client.line_watch import LineWatch, watch_line
from shoetool.client.requests import Timeouts
from shoetool.link.transport import Disconnected
from shoetool.model.errors import DeviceError, LinkError
from shoetool.model.protocol_table import MessageKind


class Recorded:
    """What a view was told, with the time on the line's clock."""

    def __init__(self, line: LoopbackTransport) -> None:
        self.line = line
        self.all: list[tuple[str, float]] = []
        self.silent_s = 0.0

    def lost(self, silent_s: float) -> None:
        self.silent_s = silent_s
        self.all.append(("lost", self.line.now()))

    def back(self) -> None:
        self.all.append(("back", self.line.now()))


def watched() -> tuple[ScriptedShoe, Client, Recorded, Callable[[], None]]:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.STATUS] = lambda request: answer(request, status(0))
    shoe.on[MessageKind.SUBSCRIBE] = lambda request: answer(request, bytes(4))
    client = Client(shoe.transport, Timeouts(reconnect_s=5))
    told = Recorded(shoe.transport)
    return shoe, client, told, watch_line(client, told.lost, told.back)


def test_a_shoe_that_answers_nothing_any_more_is_told_within_three_seconds_and_once() -> None:
    shoe, client, told, answered = watched()
    live = client.subscribe(0)
    while shoe.transport.now() < 5:
        live.poll(0.1)
        answered()
    assert told.all == [], "a quiet table is no lost line"
    exchange, fell_silent = shoe.transport._exchange, shoe.transport.now()
    shoe.transport._exchange = lambda data: b""

    def wake(seconds: float) -> None:
        if shoe.transport.now() > fell_silent + 4:
            shoe.transport._exchange = exchange

    shoe.transport.on_sleep = wake
    while len(told.all) < 2:
        live.poll(0.1)
        answered()
    assert [what for what, _ in told.all] == ["lost", "back"]
    assert 1.0 <= told.all[0][1] - fell_silent < 3.0 and told.silent_s < 3.0


def test_a_pulled_cable_is_told_at_once_and_when_it_stays_out_the_line_fails() -> None:
    shoe, client, told, answered = watched()
    client.status()
    pulled = shoe.transport.now()
    shoe.transport.plugged = False
    with pytest.raises(Disconnected):
        client.status()
    answered()
    assert [what for what, _ in told.all] == ["lost"] and told.all[0][1] == pulled


def test_another_shoe_on_the_port_is_not_the_line_come_back() -> None:
    shoe, client, told, _answered = watched()
    client.status()
    shoe.on[MessageKind.IDENTIFY] = lambda r: answer(r, IDENTITY[:2] + b"another!" + IDENTITY[10:])
    shoe.transport.close()
    with pytest.raises(DeviceError):
        client.status()
    assert [what for what, _ in told.all] == ["lost"]


def test_a_cable_that_is_plugged_in_again_is_told() -> None:
    shoe, client, told, answered = watched()
    client.status()
    shoe.transport.close()
    client.status()
    answered()
    assert [what for what, _ in told.all] == ["lost", "back"]


def test_a_watched_line_is_the_line() -> None:
    line = LoopbackTransport(lambda data: data, "echo")
    told = Recorded(line)
    watch = LineWatch(line, told.lost, told.back)
    assert watch.name == "echo"
    watch.write(b"abc")
    assert watch.read(1.0) == b"abc"
    watch.close()
    with pytest.raises(LinkError):
        watch.write(b"x")
    watch.reopen()
    watch.sleep(2.0)
    assert watch.now() == line.now() >= 2.0 and watch.lost
