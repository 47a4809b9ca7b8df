"""The rig's panel: what is pressed comes out at its place of the chain, and what is shifted in shows."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from rig import wiring
from rig.panel import Panel

LATCH, CARD_STOP = 17, 22


class FakeChip:
    """Pins that a test drives, and an SPI whose bytes are through at once."""

    def __init__(self) -> None:
        self.now = 0.0
        self.levels: dict[int, bool] = {}
        self.came = bytearray()
        self._heard: dict[int, list[Callable[[], None]]] = {}
        self.spi = SimpleNamespace(clock_frequency=1_000_000, data_bits=8, complete_transmit=self.came.append)
        self.mcu: Any = SimpleNamespace(spi=[self.spi])
        self.clock = SimpleNamespace(create_alarm=lambda act: SimpleNamespace(schedule=lambda ns: act()))

    def listen(self, pin: int, hear: Callable[[], None]) -> None:
        self._heard.setdefault(pin, []).append(hear)

    def pin(self, pin: int) -> bool | None:
        return self.levels.get(pin)

    def put(self, pin: int, level: bool) -> None:
        self.levels[pin] = level
        for hear in self._heard.get(pin, ()):
            hear()

    def scan(self, *out: int) -> bytes:
        """Pulse LATCH, shift these bytes out and six in, pulse it again."""
        self.came.clear()
        self.put(LATCH, False)
        self.put(LATCH, True)
        for value in (*bytes(6 - len(out)), *out):
            self.spi.on_transmit(value)
        self.put(LATCH, False)
        self.put(LATCH, True)
        return bytes(self.came)


@pytest.fixture
def chip() -> FakeChip:
    return FakeChip()


def test_a_key_that_is_held_is_low_at_its_place_alone(chip: FakeChip) -> None:
    panel = Panel(chip)  # type: ignore[arg-type]
    assert chip.scan() == b"\xff" * 6
    for place in wiring.PLACES.values():
        panel.press(place, True)
        want = bytearray(b"\xff" * 6)
        want[place // 8] &= ~(1 << place % 8) & 0xFF  # the register next to the chip comes first, H before A
        assert chip.scan() == want
        panel.press(place, False)
        assert chip.scan() == b"\xff" * 6
    panel.press(3, True)
    panel.let_go()
    assert chip.scan() == b"\xff" * 6


def test_lamps_and_level_lines_show_what_was_shifted_when_the_latch_rises(chip: FakeChip) -> None:
    panel = Panel(chip)  # type: ignore[arg-type]
    for lamp in range(9):
        for line in range(4):
            bits = 1 << lamp
            chip.scan(line << 1 | bits >> 8, bits & 0xFF)
            assert (panel.lamps, panel.selected) == (bits, line)
    chip.spi.on_transmit(0xFF)
    assert panel.lamps == 1 << 8, "nothing shows while it is shifted"
    assert [lamps for _, lamps in panel.changes] == [0, *(1 << lamp for lamp in range(9))]


def test_the_card_stop_is_engaged_unless_its_pin_is_high(chip: FakeChip) -> None:
    panel = Panel(chip)  # type: ignore[arg-type]
    assert panel.card_stop, "nobody drives the pin yet"
    for chip.now, level in ((10.0, True), (20.0, True), (30.0, False), (40.0, True)):
        chip.put(CARD_STOP, level)
    assert panel.stops == [(0.0, True), (10.0, False), (30.0, True), (40.0, False)]
