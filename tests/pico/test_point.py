"""What leaves at one point of the board's clock: stores to the emulator's registers, carried out at that time."""

from __future__ import annotations

import importlib
import random
import sys
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from dma_chip import DmaChip
from pico import pins

BYTE_US = 10e6 / 921_600
TIMER = 0x40054028
IO, BY_SOFTWARE = 0x40014004, 5  # the function of a pin
PADS, IN = 0x4001C004, 1 << 6
HEAD_A = 7 << pins.HEAD_A  # PRESENT, CLOCK_A, CLOCK_B
LOOK_US = 0.3  # what one look at the clock takes


class Place:
    """A register as machine code has it; a look takes time."""

    def __init__(self, chip: DmaChip, at: int) -> None:
        self._chip = chip
        self._at = at

    def __getitem__(self, place: int) -> int:
        if self._at == TIMER:
            self._chip.run_us(LOOK_US)
        return self._chip.mcu.read_uint32(self._at + 4 * place)

    def __setitem__(self, place: int, value: int) -> None:
        self._chip.mcu.write_uint32(self._at + 4 * place, value)


class Panel:
    """Takes its time to shift; `log` has what it was asked."""

    def __init__(self, chip: DmaChip) -> None:
        self._chip = chip
        self.lit = 0
        self.log: list[str] = []

    def shift(self, mask: int) -> bool:
        assert not self._chip.interrupts, "a scan could come in between"
        self._chip.run_us(120)
        self.log.append(f"shift {mask}")
        return mask != self.lit

    def take_back(self) -> None:
        self.log.append("take back")


class Bench:
    """board/pico/point.py over board/pico/uart.py on a chip. `sent`: (µs at the end of the stop bit, byte)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, rs485: bool = False) -> None:
        self.chip = chip = DmaChip()
        modules = chip.modules()
        modules["machine"].__dict__.update(disable_irq=self.disable, enable_irq=self.enable)
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        made: list[Any] = []
        for name in ("pico.uart", "pico.point"):
            monkeypatch.delitem(sys.modules, name, raising=False)
            made.append(importlib.import_module(name))
            monkeypatch.delitem(sys.modules, name)
        chip.install(monkeypatch, made[0])
        monkeypatch.setattr(made[1], "ptr32", lambda at: Place(chip, at) if isinstance(at, int) else at)
        self.sent: list[tuple[float, int]] = []
        chip.uart.on_byte = lambda value: self.sent.append((chip.now_us, value))
        self.seen: list[tuple[float, str]] = []
        for pin, name in ((pins.CARD_STOP, "stop"), (pins.PANEL_LATCH, "latch"), (pins.UART_DRIVER_ENABLE, "driver")):
            modules["machine"].Pin(pin, modules["machine"].Pin.OUT, value=int(name == "latch"))
            chip.mcu.write_uint32(IO + 8 * pin, BY_SOFTWARE)
            chip.mcu.gpio[pin].add_listener(lambda value, last, pin=pin, name=name: self.note(pin, name))
        for pin in range(pins.HEAD_A, pins.HEAD_B + pins.HEAD_LINES):
            chip.mcu.write_uint32(PADS + 4 * pin, IN)
        self.line: Any = made[0].UartLine(rs485)
        self.panel = Panel(chip)
        self.unread = False
        optics = SimpleNamespace(pins=lambda heads: HEAD_A if heads & 1 else 0, unread=lambda heads: self.unread)
        self.point: Any = made[1].Point(self.line, self.panel, optics)
        self.module: Any = made[1]

    def note(self, pin: int, name: str) -> None:
        self.seen.append((self.chip.now_us, f"{name} {int(self.chip.pin(pin))}"))

    def disable(self) -> bool:
        before, self.chip.interrupts = self.chip.interrupts, False
        return before

    def enable(self, state: bool) -> None:
        self.chip.interrupts = state

    def at(self, in_us: float, lamps: int = -1, stop: int = -1, heads: int = 1) -> tuple[int, bool]:
        """Call it for a point so much ahead; the point's time and what it returned."""
        due = int(self.chip.now_us + in_us)
        return due, self.point.at(due, heads, lamps, stop)

    def bytes_sent(self) -> bytes:
        return bytes(value for _, value in self.sent)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


@pytest.mark.clause("633a.7(h) method")
@pytest.mark.parametrize("rs485", [False, True])
def test_all_that_is_ready_begins_at_the_point_whatever_was_done_before(
    monkeypatch: pytest.MonkeyPatch, rs485: bool
) -> None:
    """First bit, lamps and card stop: to the length of one look at the clock, for any load, place and time before."""
    bench = Bench(monkeypatch, rs485)
    rng = random.Random(20261124)
    first: list[float] = []
    for turn in range(40):
        size = rng.choice((1, 7, 31, 33, 58, 400))
        assert bench.line.load(rng.randbytes(size), size) == size
        bench.chip.run_us(rng.choice((0.0, 3.0, 700.0)) * rng.random())
        before = len(bench.sent), len(bench.seen)
        due, began = bench.at(rng.choice((480, 600, 1400)), lamps=1 + turn, stop=turn & 1)
        assert began and bench.chip.interrupts
        shown = [(at - due, what) for at, what in bench.seen[before[1] :]]
        assert all(0 <= at <= 2 * LOOK_US for at, _ in shown), shown
        assert [what for _, what in shown if not what.startswith("driver")][:2] == ["latch 0", "latch 1"]
        assert [what for _, what in shown if what.startswith("stop")] == [f"stop {1 - (turn & 1)}"]
        bench.chip.run_us(size * BYTE_US + 1_000)
        assert len(bench.sent) == before[0] + size
        first.append(bench.sent[before[0]][0] - due - BYTE_US)
        assert all(b[0] - a[0] < 1.2 * BYTE_US for a, b in pairwise(bench.sent[before[0] :])), "without a gap"
        if rs485:
            assert "driver 1" in [what for _, what in shown], "before the first bit"
            assert bench.seen[-1][1] == "driver 0" and bench.seen[-1][0] > bench.sent[-1][0], "and off behind the last"
    assert min(first) > -0.1 and max(first) <= 3 * LOOK_US + 0.1, first


def test_nothing_begins_when_an_edge_was_read_in(bench: Bench) -> None:
    bench.line.load(b"answer", 6)
    bench.unread = True
    _, began = bench.at(1000, lamps=3, stop=1)
    assert not began and bench.chip.interrupts
    bench.chip.run_us(2000)
    assert bench.bytes_sent() == b"" and bench.seen == [] and bench.panel.log == []


def appears(bench: Bench, pin: int, at_us: float) -> None:
    """A line of a head gets dark at that time."""
    real = bench.chip.run_us
    state = {"done": False}

    def run(us: float) -> None:
        real(us)
        if not state["done"] and bench.chip.now_us >= at_us:
            state["done"] = True
            bench.chip.mcu.gpio[pin].set_input_value(True)

    bench.chip.run_us = run


@pytest.mark.clause("633a.7(h) method")
@pytest.mark.parametrize("rs485", [False, True])
@pytest.mark.parametrize("line", range(3))
@pytest.mark.parametrize("before_us", [2, 40, 300])
def test_a_card_that_comes_in_the_last_moment_holds_all_back(
    monkeypatch: pytest.MonkeyPatch, before_us: int, line: int, rs485: bool
) -> None:
    bench = Bench(monkeypatch, rs485)
    bench.line.load(b"answer", 6)
    appears(bench, pins.HEAD_A + line, bench.chip.now_us + 1000 - before_us)
    _, began = bench.at(1000, lamps=3, stop=1)
    assert not began and bench.chip.interrupts
    bench.chip.run_us(2000)
    assert bench.bytes_sent() == b"" and bench.seen == []
    assert bench.panel.log == ["shift 3", "take back"]
    _, began = bench.at(1000, lamps=3, stop=1)  # it stays dark, which is no change
    assert began
    bench.chip.run_us(1000)
    assert bench.bytes_sent() == b"answer"


@pytest.mark.parametrize("pin", [pins.HEAD_A + 3, pins.HEAD_B])
def test_neither_the_face_nor_a_head_that_does_not_count_holds_anything_back(bench: Bench, pin: int) -> None:
    bench.line.load(b"answer", 6)
    appears(bench, pin, bench.chip.now_us + 960)
    assert bench.at(1000)[1]
    bench.chip.run_us(1000)
    assert bench.bytes_sent() == b"answer" and bench.panel.log == [] and bench.seen == []


def test_a_piece_that_is_on_its_way_is_followed_by_what_was_loaded(bench: Bench) -> None:
    data = random.Random(1).randbytes(700)
    bench.line.write(data[:600], 600)
    bench.line.load(data[600:], 100)
    bench.chip.run_us(1000)
    assert bench.at(500)[1]
    bench.chip.run_us(8000)
    assert bench.bytes_sent() == data


def test_lamps_and_stop_stay_as_they_are_when_nothing_is_said_of_them(bench: Bench) -> None:
    bench.panel.lit = 5
    assert bench.at(500)[1] and bench.at(500, lamps=5)[1]
    assert bench.seen == [] and bench.panel.log == ["shift 5"]


def test_an_error_leaves_the_interrupts_on(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> bool:
        raise MemoryError

    monkeypatch.setattr(bench.line, "arm", fails)
    with pytest.raises(MemoryError):
        bench.at(500)
    assert bench.chip.interrupts


PLACES_US = (2432, 6592, 8320)  # firmware/SECURITY.md
FURTHER_US = 2048


@pytest.mark.clause("633a.7(h) method")
@pytest.mark.parametrize("asks_us", [(0, 0, 0), (900, 500, 1100), (1860, 3470, 1409), (2300, 3600, 1500)])
def test_flash_operations_begin_at_their_places_behind_the_point_whenever_they_are_asked_for(
    bench: Bench, asks_us: tuple[int, ...]
) -> None:
    """`asks_us`: how long Python takes to ask for each, behind the point and behind the beginning of the one before.

    Interrupts are off then: a scan of the panel, which takes 0.2 ms, cannot come in between.
    """
    began: list[float] = []
    asked: list[tuple[object, ...]] = []

    def operation(*arguments: object) -> None:
        assert not bench.chip.interrupts
        began.append(bench.chip.now_us)
        asked.append(arguments)

    for _ in range(2):  # each point begins anew
        due, _ = bench.at(1000)
        began[:], asked[:] = [], []
        for ask_us, arguments in zip(asks_us, ((3, b"block", 256), (6, 3), (6, 4)), strict=True):
            bench.chip.run_us(max(0, ask_us - (bench.chip.now_us - (began or [due])[-1])))
            bench.point.operate(operation, *arguments)
            assert bench.chip.interrupts
        assert asked == [(3, b"block", 256), (6, 3), (6, 4)]
        for at, place in zip(began, PLACES_US, strict=True):
            assert 0 <= at - due - place <= 2 * LOOK_US, (at - due, place)


def test_a_flash_operation_that_missed_its_place_or_has_none_begins_whole_steps_later(bench: Bench) -> None:
    due, _ = bench.at(1000)
    began: list[float] = []
    bench.chip.run_us(7_000)
    for _ in range(5):
        bench.point.operate(lambda *_: began.append(bench.chip.now_us - due), 6, 3)
    assert [int(at - place) % FURTHER_US for at, place in zip(began, (*PLACES_US, 0, 0), strict=True)] == [0] * 5
    assert 7_000 < began[0] < 7_000 + FURTHER_US + 100
    assert all(after - before < 2 * FURTHER_US for before, after in pairwise(began)), began


@pytest.mark.parametrize("ago_us", [20_000, 400_000_000, (1 << 29) + 1, 600_000_000, (1 << 30) - 20_000])
def test_a_flash_operation_waits_for_a_whole_step_at_most_however_long_ago_the_point_was(
    bench: Bench, ago_us: int
) -> None:
    """The counter of microseconds begins anew every 17.9 minutes, and no shoe may stand still for as long."""
    bench.point._point_us = int(bench.chip.now_us) - ago_us & (1 << 30) - 1
    for _ in range(4):
        asked_us = bench.chip.now_us
        bench.point.operate(lambda *_: None, 6, 3)
        assert bench.chip.now_us - asked_us < FURTHER_US + 100


def test_an_interrupt_before_its_place_does_not_make_a_flash_operation_late(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes where interrupts go off: a short one is over in time, and after a long one the next place is taken."""
    for lasts_us, place in ((400, PLACES_US[0]), (2_000, PLACES_US[0] + FURTHER_US)):
        due, _ = bench.at(1000)
        real = bench.module.disable_irq

        def disable(lasts_us: int = lasts_us, real: Any = real) -> bool:
            bench.chip.run_us(lasts_us)
            return real()

        monkeypatch.setattr(bench.module, "disable_irq", disable)
        began: list[float] = []
        bench.point.operate(lambda *_, began=began: began.append(bench.chip.now_us), 6, 3)
        monkeypatch.setattr(bench.module, "disable_irq", real)
        assert 0 <= began[0] - due - place <= 2 * LOOK_US, began[0] - due


def test_the_flash_cache_is_emptied_before_the_wait_and_left_alone_from_then_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ran before decides what lies in it, and that how long the way to the flash chip takes."""
    emptied: list[float] = []
    monkeypatch.setattr(
        bench.chip.mcu.xip_ctrl, "write_uint32", lambda at, value: emptied.append(bench.chip.now_us) or (at, value)
    )
    bench.at(1000)
    began: list[float] = []
    bench.point.operate(lambda *_: began.append(bench.chip.now_us), 6, 3)
    assert len(emptied) == 1 and began[0] - emptied[0] >= 96


def test_a_flash_operation_that_fails_leaves_the_interrupts_on(bench: Bench) -> None:
    def fails(*_: object) -> None:
        raise OSError(5)

    with pytest.raises(OSError):
        bench.point.operate(fails, 6, 3)
    assert bench.chip.interrupts
