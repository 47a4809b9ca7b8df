"""What `pico.board` is put together from in tests: parts that only note what is done with them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pico import pins

HEAP_AT, HEAP_SIZE = 0x20000000, 60_000


class Parts:
    """Stands for machine and the modules of board/pico; `log` has what happened, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.log: list[str] = []
        self.stop_levels: list[int] = []
        self.ms = 0
        self.waiting = self.unread = self.gone_by = self.line_ready = self.line_busy = self.key_waits = False
        self.lines = 0
        self.samples = 0
        self.typed = 0  # characters in the prompt's buffer
        self.looks = 0  # whether there are any
        self.allocated = 0  # of the heap, in one piece from its lowest block on
        self.collected: list[int] = []
        self.thresholds: list[int] = []
        self.cause = 2
        self.broken = ""
        self.sticks: dict[str, BaseException] = {}
        self.kept = 0  # of it after a collection
        self.holes = 0  # kilobytes of small holes that lie there after a collection
        self.filled: list[int] = []
        self.measured: list[int] = []  # when it was asked what is left
        self.card_comes = False  # while memory is collected
        self.begun: list[tuple[int, int, int, int]] = []  # point, heads, lamps, stop
        self.events: dict[int, Callable[[], None]] = {}
        parts = self

        class Pin:
            OUT = 1

            def __init__(self, number: int, mode: int, value: int) -> None:
                assert number == pins.CARD_STOP and mode == self.OUT
                parts.value(value)

            value = staticmethod(self.value)

        def part(name: str, **verbs: Any) -> Any:
            def make(*_: Any) -> SimpleNamespace:
                if parts.broken == name:
                    raise OSError(16)
                parts.log.append(f"open {name}")
                return SimpleNamespace(close=lambda: parts.closed(name), **verbs)

            return make

        def module(name: str, **content: Any) -> None:
            made = ModuleType(name)
            made.__dict__.update(content)
            monkeypatch.setitem(sys.modules, name, made)
            if name.startswith("pico."):
                monkeypatch.setattr(importlib.import_module("pico"), name[5:], made, raising=False)

        nothing = lambda *_: None  # noqa: E731
        module("machine", Pin=Pin)
        module(
            "pico.chip",
            SOFT=2, CRASH=4,
            take_boot_cause=lambda: self.cause,
            note_boot_cause=lambda cause: self.log.append(f"note {cause}"),
            start_watchdog=self.start_watchdog,
            stop_watchdog=lambda: self.log.append("watchdog off"),
            restart=lambda: self.log.append("restart"),
            unique_id=lambda: bytes(8), supply_mv=lambda: 5000, ms_at=lambda ticks_us: ticks_us // 1000,
        )  # fmt: skip
        module("pico.entropy", Entropy=part("entropy", draw=bytes, holds=bool, work=self.work))
        begin = lambda: self.log.append("watched anew")  # noqa: E731
        settle = lambda: self.log.append("settled")  # noqa: E731
        looks = {
            "waiting": lambda: self.waiting,
            "unread": lambda heads=-1: self.unread,
            "pins": lambda heads: heads & 7,
        }
        looks |= {"due": lambda: self.gone_by, "lines": self.see}
        optics = part("optics", read=nothing, begin=begin, **looks)
        module("pico.optics", Optics=optics)
        module("pico.panel", Panel=part("panel", read_key=nothing, lamp_mask=nothing, poll=lambda: self.key_waits))
        module("pico.levels", Levels=part("levels", levels=nothing, threshold=nothing, settle=settle))
        verbs = {"read": self.receive, "write": nothing, "load": nothing, "ready": self.ready}
        verbs["busy"] = lambda: self.line_busy
        begins = SimpleNamespace(at=self.begin, operate=nothing)
        module("pico.point", Point=lambda *_: begins)
        module("pico.uart", UartLine=part("uart", **verbs))
        module("pico.cdc", CdcLine=part("cdc", **verbs))
        module("pico.partitions", open_all=self.partitions)
        monkeypatch.delitem(sys.modules, "pico.board", raising=False)
        self.module: Any = importlib.import_module("pico.board")
        monkeypatch.setattr(
            self.module,
            "time",
            SimpleNamespace(ticks_ms=lambda: self.ms, ticks_us=lambda: 1000 * self.ms, sleep_ms=self.sleep),
        )
        prompt = SimpleNamespace(register=lambda *_: None, ipoll=self.look_at_prompt)
        module("select", poll=lambda: prompt, POLLIN=1)
        stdin = SimpleNamespace(buffer=SimpleNamespace(readinto=self.read_prompt))
        monkeypatch.setattr(sys, "stdin", stdin)
        memory = {"mem_free": self.left, "collect": self.collect, "threshold": self.thresholds.append}
        monkeypatch.setattr(self.module, "gc", SimpleNamespace(**memory))
        monkeypatch.setattr(self.module, "_lowest", lambda n: HEAP_AT + self.allocated)
        monkeypatch.setattr(self.module, "_kilobyte", self.fill)
        monkeypatch.setattr(self.module, "_fill_for_good", lambda: self.log.append("filled for good"))

    def closed(self, name: str) -> None:
        self.log.append(f"close {name}")
        if name in self.sticks:
            raise self.sticks[name]

    def left(self) -> int:
        self.measured.append(self.ms)
        self.ms += 8
        return HEAP_SIZE - self.allocated

    def fill(self, n: int) -> int:
        self.filled.append(self.ms)
        self.allocated += 1024
        return 1024 if self.allocated > self.kept + 1024 * self.holes else 4096

    def ready(self, card: Callable[[], bool]) -> bool:
        return self.line_ready and not (self.line_busy and card())

    def receive(self, buf: Any, most: int) -> int:
        return min(len(buf), most) if self.line_ready else 0

    def value(self, level: int) -> None:
        self.stop_levels.append(int(level))
        self.log.append("stop released" if level else "stop engaged")

    def begin(self, ticks_us: int, heads: int, lamps: int, stop: int) -> bool:
        """The point of the clock."""
        self.begun.append((ticks_us, heads, lamps, stop))
        if ticks_us > 1000 * self.ms:
            self.ms = ticks_us // 1000
        return not self.unread

    def partitions(self, *_clock: Callable[..., None]) -> tuple[str, ...]:
        if self.broken == "partitions":
            raise OSError("flash")
        return ("journal", "vault", "store", "keys")

    def start_watchdog(self, ms: int) -> SimpleNamespace:
        self.log.append(f"watchdog {ms}")
        return SimpleNamespace(feed=lambda: self.log.append("fed"))

    def sleep(self, ms: int) -> None:
        self.ms += ms
        if self.ms in self.events:
            self.events.pop(self.ms)()

    def look_at_prompt(self, _ms: int) -> list[int]:
        self.looks += 1
        return [1][: self.typed]

    def read_prompt(self, buf: bytearray) -> int:
        assert self.typed > 0 and len(buf) == 1, "a read that waits for more"
        self.typed -= 1
        if self.typed % 16 == 0:
            self.sleep(1)
        return 1

    def work(self) -> bool:
        self.samples += 1
        return False

    def see(self, head: int) -> int:
        return self.lines

    def collect(self) -> None:
        self.collected.append(self.ms)
        self.allocated = self.kept
        self.unread |= self.card_comes
        self.ms += 25
