"""From the source of a PIO program, as `rp2.asm_pio` takes it on the chip, to opcodes, with rp2040py's own encoders.

`asm_pio` decorates as MicroPython's does: the names of the program's language are in its globals while it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rp2040py.utils import pio_assembler as pa

SOURCES = {"pins": 0, "x": 1, "y": 2, "null": 3, "isr": 6, "osr": 7}
DESTINATIONS = {"pins": 0, "x": 1, "y": 2, "isr": 6, "osr": 7}
SET_DESTINATIONS = {"pins": 0, "x": 1, "y": 2, "pindirs": 4}
CONDITIONS = {"not_x": 1, "x_dec": 2, "not_y": 3, "y_dec": 4, "x_not_y": 5}
SHIFT_LEFT, SHIFT_RIGHT, JOIN_NONE, JOIN_TX, JOIN_RX = 0, 1, 0, 1, 2


@dataclass
class Program:
    """Opcodes of a program at address 0, and what else its state machine is told."""

    opcodes: list[int] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    wrap_target: int = 0
    wrap: int = 0
    in_right: bool = False
    join_rx: bool = False

    def at(self, offset: int) -> list[int]:
        """The opcodes when the program lies at `offset`: jumps go with it."""
        return [opcode + offset if opcode >> 13 == 0 else opcode for opcode in self.opcodes]


class _Language:
    """What a program calls; the first round finds the labels, the second writes the jumps."""

    def __init__(self, program: Program):
        self.program = program

    def names(self) -> dict[str, Any]:
        words = {name: name for name in {*SOURCES, *DESTINATIONS, *SET_DESTINATIONS, *CONDITIONS, "block", "noblock"}}
        verbs = ("label", "wrap_target", "wrap", "set", "jmp", "mov", "in_", "push")
        return {**words, **{verb: getattr(self, verb) for verb in verbs}}

    def _put(self, opcode: int) -> None:
        self.program.opcodes.append(opcode)

    def label(self, name: str) -> None:
        self.program.labels[name] = len(self.program.opcodes)

    def wrap_target(self) -> None:
        self.program.wrap_target = len(self.program.opcodes)

    def wrap(self) -> None:
        self.program.wrap = len(self.program.opcodes) - 1

    def set(self, destination: str, data: int) -> None:
        self._put(pa.pio_set(SET_DESTINATIONS[destination], data))

    def jmp(self, condition: str, label: str | None = None) -> None:
        target = self.program.labels.get(label or condition, 0)
        self._put(pa.pio_jmp(target, CONDITIONS[condition] if label else 0))

    def mov(self, destination: str, source: str) -> None:
        self._put(pa.pio_mov(DESTINATIONS[destination], SOURCES[source]))

    def in_(self, source: str, bits: int) -> None:
        self._put(pa.pio_in(SOURCES[source], bits))

    def push(self, blocking: str = "block") -> None:
        self._put(pa.pio_push(False, blocking == "block"))  # the encoder's name for that bit is its contrary


def asm_pio(in_shiftdir: int = SHIFT_LEFT, fifo_join: int = JOIN_NONE) -> Callable[[Callable[[], None]], Program]:
    """Decorator: the function becomes a Program."""

    def assemble(function: Callable[[], None]) -> Program:
        program = Program(in_right=bool(in_shiftdir), join_rx=fifo_join == JOIN_RX)
        names = function.__globals__
        kept = dict(names)
        try:
            names.update(_Language(program).names())
            for _ in range(2):
                program.opcodes.clear()
                function()
        finally:
            names.clear()
            names.update(kept)
        return program

    return assemble
