"""The read heads' light on the RP2040: which input is converted with which line selected, and the thresholds' duty."""

from __future__ import annotations

import importlib
import sys
import types
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


class FakeChip:
    """ADC, PWM and Pin of `machine`, and a multiplexer that is slow: what is read too early is the line before."""

    def __init__(self) -> None:
        self.volts = {(pin, line): 1000 * pin + 100 * line for pin in (26, 27, 28) for line in range(4)}
        self.line = self.before = 0
        self.settled_us = 0
        self.pwm: dict[int, Any] = {}
        self.ms = 0
        chip = self

        class ADC:
            def __init__(self, pin: Any) -> None:
                self.pin = pin.number

            def read_u16(self) -> int:
                return chip.volts[self.pin, chip.line if chip.settled_us >= 10 else chip.before]

        class PWM:
            def __init__(self, pin: Any, freq: int, duty_u16: int) -> None:
                self.freq, self.duty, self.stopped = freq, duty_u16, False
                chip.pwm[pin.number] = self

            def duty_u16(self, value: int) -> None:
                self.duty = value

            def deinit(self) -> None:
                self.stopped = True

        self.machine = types.SimpleNamespace(ADC=ADC, PWM=PWM, Pin=lambda n: types.SimpleNamespace(number=n))

    def select(self, line: int) -> None:
        self.before, self.line, self.settled_us = self.line, line, 0

    def sleep_us(self, us: int) -> None:
        self.settled_us += us

    def ticks_ms(self) -> int:
        return self.ms & 0x3FFFFFFF

    def sleep_ms(self, ms: int) -> None:
        assert ms > 0
        self.ms += ms


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeChip]:
    fake = FakeChip()
    for folder in ("firmware", "board"):
        monkeypatch.syspath_prepend(str(ROOT / folder))
    monkeypatch.setitem(sys.modules, "machine", fake.machine)
    sys.modules.pop("pico.levels", None)
    yield fake
    sys.modules.pop("pico.levels", None)


def made(chip: FakeChip, monkeypatch: pytest.MonkeyPatch) -> Any:
    module = importlib.import_module("pico.levels")
    monkeypatch.setattr(module, "time", chip)
    return module.Levels(chip)


def test_each_line_of_each_head_is_measured_once_the_multiplexer_has_settled(
    chip: FakeChip, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = made(chip, monkeypatch)
    for head, pin in enumerate((26, 27, 28)):
        into = array("H", [0] * 4)
        levels.levels(head, into)
        assert list(into) == [1000 * pin + 100 * line for line in range(4)]


def test_a_line_that_was_not_asked_for_is_not_even_selected(chip: FakeChip, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = made(chip, monkeypatch)
    selected = []
    levels._select = lambda line: (selected.append(line), chip.select(line))
    into = array("H", [7] * 4)
    levels.levels(1, into, 0b0111)
    assert selected == [0, 1, 2] and into[3] == 7


def test_thresholds_begin_in_the_middle_and_stop_at_the_end(chip: FakeChip, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = made(chip, monkeypatch)
    assert {pin: pwm.duty for pin, pwm in chip.pwm.items()} == {15: 32768, 20: 32768, 21: 32768}
    levels.threshold(0, 1)
    levels.threshold(1, 40000)
    levels.threshold(2, 65535)
    assert [chip.pwm[pin].duty for pin in (15, 20, 21)] == [1, 40000, 65535]
    # Pins 20 and 21 share a slice, and with it a frequency.
    assert len({pwm.freq for pwm in chip.pwm.values()}) == 1
    levels.close()
    assert all(pwm.stopped for pwm in chip.pwm.values())


@pytest.mark.parametrize("begin", [0, 5000, (1 << 30) - 20])
def test_settling_waits_for_what_is_left_of_50_ms_after_the_last_threshold(
    chip: FakeChip, monkeypatch: pytest.MonkeyPatch, begin: int
) -> None:
    chip.ms = begin
    levels = made(chip, monkeypatch)
    chip.ms += 30
    levels.settle()
    assert chip.ms == begin + 50
    levels.threshold(1, 30000)
    levels.settle()
    assert chip.ms == begin + 100
    for later in (50, 1 << 29, (1 << 29) + (1 << 28)):  # long after, also where ticks tell it no more
        chip.ms = begin + 100 + later
        levels.settle()
        assert chip.ms == begin + 100 + later
