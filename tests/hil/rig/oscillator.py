"""The ring oscillator's random bit, which the emulator leaves out, and the DMA timers that pace its sampling.

The emulated oscillator is not random: a seeded generator stands in for it, leaning to one side as far as a test says.
What it shows is that the shoe samples, tests and conditions as it should; what a real chip's oscillator is worth, only
a real chip can show.
"""

from __future__ import annotations

from random import Random

from rp2040py.peripherals.dma import RPDMA, TREQ
from rp2040py.peripherals.peripheral import BasePeripheral

RANDOM_BIT = 0x1C
_BLOCK = 0x40060


class Oscillator(BasePeripheral):
    """`ones`: share of the samples that are 1. `stuck` 0 or 1: no randomness at all. `samples` counts those taken."""

    def __init__(self, mcu, seed: int) -> None:
        super().__init__(mcu, "ROSC_BASE")
        self.random = Random(f"oscillator {seed}")
        self.ones = 0.5
        self.stuck: int | None = None
        self.samples = 0

    @classmethod
    def install(cls, mcu, seed: int) -> Oscillator:
        """Put it where the emulator has nothing, and let the DMA's timers run at their rate: X/Y of the clock."""
        oscillator = mcu.peripherals[_BLOCK] = cls(mcu, seed)
        mcu.dma.__class__ = _PacedDma
        return oscillator

    def read_uint32(self, offset: int) -> int:
        if offset != RANDOM_BIT:
            return 0
        self.samples += 1
        return int(self.random.random() < self.ones) if self.stuck is None else self.stuck

    def write_uint32(self, offset: int, value: int) -> None:
        """Settings of the oscillator change nothing here."""


class _PacedDma(RPDMA):
    def get_timer(self, treq: int) -> float:
        """µs between two requests; the emulator has the ratio upside down."""
        if not TREQ.TIMER0 <= treq <= TREQ.TIMER3:
            return super().get_timer(treq)
        value = (self._timer0, self._timer1, self._timer2, self._timer3)[treq - TREQ.TIMER0]
        x, y = value >> 16, value & 0xFFFF
        return y / x * 1e6 / self.rp2040.clk_sys if x and y else 0
