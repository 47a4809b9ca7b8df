"""`pico.optics` itself, on the emulated PIO and DMA of an RP2040 without a processor."""

from __future__ import annotations

import importlib
import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from emulated_chip import Chip

MODULES = ("pico.optics", "pico.optics_ring", "pico.optics_program")
PINS = (3, 7, 11)


class Rig:
    """`optics` with its modules, on `chip`; `read` gives (time, lines) of all edges, or -1."""

    def __init__(self, chip: Chip, first_pins: tuple[int, ...] = PINS):
        self.chip = chip
        self.pins = first_pins
        self.ring: Any = importlib.import_module("pico.optics_ring")
        self.ring.ptr8, self.ring.ptr32 = chip.pointer(1), chip.pointer(4)
        self.program: Any = importlib.import_module("pico.optics_program")
        self.optics: Any = importlib.import_module("pico.optics").Optics(first_pins)
        self.times, self.lines = array("i", [0] * 64), bytearray(64)

    @property
    def sample(self) -> int:
        """Cycles of the system clock that a sample takes, whether it finds a change or not."""
        return 125_000_000 * self.program.SAMPLE_CYCLES // self.program.CLOCK_HZ

    def show(self, lines: int, cycles: int, head: int = 0) -> int:
        """Drive the lines of `head` for so many cycles; returns the time at which it was, µs."""
        at = self.chip.mcu.read_uint32(0x40054028)
        self.chip.drive(self.pins[head], lines)
        self.chip.run(cycles, 5)
        return at

    def read_once(self, head: int = 0, room: int = 64) -> int:
        return self.optics.read(head, self.times, memoryview(self.lines)[:room])

    def read(self, head: int = 0, room: int = 64) -> list[tuple[int, int]] | int:
        edges: list[tuple[int, int]] = []
        while n := self.read_once(head, room):
            if n < 0:
                return n
            edges += zip(self.times[:n], self.lines[:n], strict=True)
        return edges

    def states(self, head: int = 0) -> list[int]:
        edges = self.read(head)
        assert isinstance(edges, list)
        return [lines for _, lines in edges]


@contextmanager
def rig(first_pins: tuple[int, ...] = PINS) -> Iterator[Rig]:
    """A rig, whose modules are gone afterwards."""
    chip = Chip()
    modules = chip.modules()
    kept = {name: sys.modules.pop(name, None) for name in (*modules, *MODULES)}
    sys.modules.update(modules)
    try:
        yield Rig(chip, first_pins)
    finally:
        for name, module in kept.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
