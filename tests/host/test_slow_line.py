"""Lines whose answers come late, such as a serial port behind a network or a radio: waited for, not asked again."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Callable, Collection
from random import Random

import pytest
from dealer_script import Dealer, Table
from fake_shoes import ScriptedShoe
from histories import Script
from pty_shoe import Service
from shoe.line.link import Link
from shoetool.client.client import Client
from shoetool.client.discovery import QUICK
from shoetool.client.line_watch import watch_line
from shoetool.client.requests import NoAnswer, Timeouts

BYTE_S = 10 / 921_600


class SlowLine:
    """A line with its own clock that carries bytes in order, each way late by half of what `delay` says."""

    name = "slow line"

    def __init__(self, delay: Callable[[], float], loss: float = 0.0, seed: int = 1) -> None:
        self.receive: Callable[[bytes], None] = lambda data: None
        self.sent = 0
        self._delay = delay
        self._loss = loss
        self._random = Random(seed)
        self._clock = 0.0
        self._free = [0.0, 0.0]
        self._under_way: list[tuple[float, int, int, bytes]] = []
        self._number = 0
        self._here = b""

    def carry(self, direction: int, data: bytes) -> None:
        """Send one frame: 0 to the shoe, 1 to the host."""
        if self._random.random() < self._loss:
            return
        at = max(self._clock + self._delay() / 2, self._free[direction]) + len(data) * BYTE_S
        self._free[direction] = at
        self._number += 1
        heapq.heappush(self._under_way, (at, self._number, direction, data))

    def write(self, data: bytes) -> None:
        self.sent += 1
        self.carry(0, bytes(data))

    def read(self, timeout_s: float) -> bytes:
        end = self._clock + timeout_s
        while not self._here and self._under_way and self._under_way[0][0] <= end:
            self._clock, _, direction, data = heapq.heappop(self._under_way)
            if direction:
                self._here += data
            else:
                self.receive(data)
        if not self._here:
            self._clock = max(self._clock, end)
        data, self._here = self._here, b""
        return data

    def reopen(self, without: Collection[str] = ()) -> None:
        pass

    def close(self) -> None:
        pass

    def now(self) -> float:
        return self._clock

    def sleep(self, seconds: float) -> None:
        self._clock += seconds


def shoe_on(line: SlowLine, script: Script) -> Service:
    """A shoe at the other end of the line."""
    service = Service(script)
    link = Link(lambda buffer, n: (line.carry(1, bytes(buffer[:n])), n)[1])
    link.serve((service,))
    link.epoch = 7
    service.link = link

    def receive(data: bytes) -> None:
        link.receive(data, len(data))
        while link.pump():
            pass

    line.receive = receive
    return service


@pytest.fixture(scope="module")
def script() -> Script:
    """A whole shoe."""
    return Dealer(Table(), 1, "", Script(first_record=1)).play_shoe()


@pytest.mark.parametrize("delay", [0.02, 0.6, 1.2, 2.4])
def test_a_history_comes_whole_over_a_late_line_and_hardly_anything_twice(delay: float, script: Script) -> None:
    line = SlowLine(lambda: delay)
    service = shoe_on(line, script)
    client = Client(line, seed=1)
    (entry,) = client.history_list()
    pages = list(client.pull_shoe(entry))
    assert [page.data for page in pages] == service.pages
    asked = sum(-(-page.used // 342) for page in pages)
    assert client.session.counters.retries <= 10
    assert line.sent <= asked + 20


def test_a_line_whose_delay_changes_is_followed(script: Script) -> None:
    delays = Random(3)
    line = SlowLine(lambda: delays.choice((0.05, 0.1, 0.9, 1.4)))
    service = shoe_on(line, script)
    client = Client(line, seed=1)
    (entry,) = client.history_list()
    assert [page.data for page in client.pull_shoe(entry)] == service.pages
    assert client.session.counters.retries <= 60


@pytest.mark.parametrize("delay", [0.02, 0.6])
def test_a_line_that_also_loses_frames_brings_all(delay: float, script: Script) -> None:
    line = SlowLine(lambda: delay, loss=0.05)
    service = shoe_on(line, script)
    client = Client(line, seed=1)
    (entry,) = client.history_list()
    assert [page.data for page in client.pull_shoe(entry)] == service.pages
    assert line.now() < 400


@pytest.mark.parametrize("delay", [0.02, 0.6, 1.2, 2.4])
def test_a_late_line_is_not_taken_for_a_lost_one_and_a_silent_one_is_told(delay: float, script: Script) -> None:
    """`monitor` looks on for two minutes; then nothing comes any more."""
    line = SlowLine(lambda: delay)
    shoe_on(line, script)
    client = Client(line, seed=1)
    client.identify()
    lost: list[float] = []
    answered = watch_line(client, lambda silent_s: lost.append(line.now()), lambda: None)
    live = client.subscribe(None)
    while line.now() < 120:
        live.poll(0.1)
        answered()
    assert lost == []
    fell_silent, line._loss = line.now(), 1.0
    with contextlib.suppress(NoAnswer):
        while not lost and line.now() < fell_silent + 60:
            live.poll(0.1)
            answered()
    assert lost and lost[0] - fell_silent < 3 + 4 * delay


@pytest.mark.parametrize("delay", [0.6, 1.4])
def test_a_shoe_on_a_late_line_is_found(delay: float, script: Script) -> None:
    line = SlowLine(lambda: delay)
    shoe_on(line, script)
    assert Client(line, QUICK).identify().device == b"SHOE0001"


def test_a_quick_line_waits_no_longer_than_before() -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, Timeouts(answer_s=0.2))
    for _ in range(50):
        client.ticks()
    assert client.session.answer_s == 0.2
