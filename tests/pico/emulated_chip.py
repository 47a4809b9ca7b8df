"""An RP2040 without a processor: rp2040py's PIO, DMA, timer and pins, and MicroPython's modules on top of them.

`Chip.modules()` are `rp2`, `machine` and `uctypes` as far as board/pico uses them for its optics. Only registers are
written, so that what is proved is what the registers do.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pio_source
from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator

PIO0 = 0x50200000
FDEBUG = PIO0 + 0x08
DMA = 0x50000000
CYCLE_NS = 8  # 125 MHz
PROGRAM_AT = 20  # anywhere but at 0, so that jumps have to be moved
HEAP_AT = 0x20010010  # a multiple of 16 as MicroPython's, and of nothing more


class Chip:
    """`run(cycles)` is the only way time passes, but for `disturb`: then any access to memory may take some cycles."""

    def __init__(self) -> None:
        self.clock = SimulationClock()
        self.mcu = RP2040(self.clock)
        self.simulator = Simulator(rp2040=self.mcu)  # with an owner, PIO does not run by itself
        self.pio = self.mcu.pio[0]
        self.cycles = 0
        self._heap = HEAP_AT
        self._claimed = 0
        self._disturbance: random.Random | None = None
        self._most_cycles = 0

    # ---------------------------------------------------------------------------------------------------- time
    def run(self, cycles: int, step: int = 1) -> None:
        """Let so many cycles of the system clock pass; `step` at a time, each instruction of PIO when it is due."""
        for _ in range(0, cycles, step):
            self.pio.advance(step)
            self.clock.tick(step * CYCLE_NS)
        self.cycles += cycles

    def run_us(self, us: int) -> None:
        self.run(125 * us, 25)

    def disturb(self, rng: random.Random | None, most_cycles: int = 0) -> None:
        """From now on up to `most_cycles` go by at each access to memory through `pointer`."""
        self._disturbance = rng
        self._most_cycles = most_cycles

    # ---------------------------------------------------------------------------------------------------- pins
    def drive(self, first_pin: int, lines: int) -> None:
        for line in range(4):
            self.mcu.gpio[first_pin + line].set_input_value(bool(lines >> line & 1))

    # -------------------------------------------------------------------------------------------------- memory
    def pointer(self, size: int) -> Callable[[Any], Any]:
        """`ptr8` or `ptr32`: an address becomes what lies there, a buffer stays what it is."""
        return lambda at: Memory(self, at, size) if isinstance(at, int) else at

    def passing(self) -> None:
        if self._disturbance:
            self.run(self._disturbance.randrange(self._most_cycles + 1))

    def address_of(self, buf: bytearray) -> int:
        at = self._heap
        self._heap += len(buf) + 15 & ~15
        return at

    # ------------------------------------------------------------------------------------------------- modules
    def modules(self) -> dict[str, ModuleType]:
        rp2, machine, uctypes = ModuleType("rp2"), ModuleType("machine"), ModuleType("uctypes")
        chip = self

        class PIO:
            SHIFT_LEFT = pio_source.SHIFT_LEFT
            JOIN_RX = pio_source.JOIN_RX

            def __init__(self, index: int):
                assert index == 0

            def remove_program(self, program: pio_source.Program) -> None:
                for i in range(len(program.opcodes)):
                    chip.mcu.write_uint32(PIO0 + 0x48 + 4 * (PROGRAM_AT + i), 0)

        class Pin:
            IN, PULL_DOWN = 0, 2

            def __init__(self, number: int, mode: int = -1, pull: int = -1):
                self.number = number
                if pull == self.PULL_DOWN:
                    chip.mcu.write_uint32(0x4001C004 + 4 * number, 0x46)  # input on, pull-down on

        rp2.__dict__.update(
            PIO=PIO,
            asm_pio=pio_source.asm_pio,
            StateMachine=lambda index: StateMachine(self, index),
            DMA=lambda: Channel(self, self._claim()),
        )
        machine.__dict__.update(Pin=Pin, mem32=Memory(self, 0, 4, 1))
        uctypes.__dict__.update(addressof=self.address_of)
        return {"rp2": rp2, "machine": machine, "uctypes": uctypes}

    def _claim(self) -> int:
        if self._claimed >= 12:
            raise OSError(16)
        self._claimed += 1
        return self._claimed - 1


class Memory:
    """The chip's memory and registers from `at` on, in entries of `size` bytes."""

    def __init__(self, chip: Chip, at: int, size: int, scale: int = 0):
        self._chip, self._at, self._size, self._scale = chip, at, size, scale or size

    def __getitem__(self, index: int) -> int:
        self._chip.passing()
        at = self._at + index * self._scale
        return self._chip.mcu.read_uint8(at) if self._size == 1 else self._chip.mcu.read_uint32(at)

    def __setitem__(self, index: int, value: int) -> None:
        self._chip.passing()
        at = self._at + index * self._scale
        if self._size == 1:
            self._chip.mcu.write_uint8(at, value)
        else:
            self._chip.mcu.write_uint32(at, value)


class StateMachine:
    """rp2.StateMachine of PIO0, as far as receiving goes."""

    def __init__(self, chip: Chip, index: int):
        self._chip, self._index = chip, index

    def _register(self, offset: int) -> int:
        return PIO0 + 0xC8 + 0x18 * self._index + offset

    def init(self, program: pio_source.Program, freq: int, in_base: Any) -> None:
        write = self._chip.mcu.write_uint32
        self.active(0)
        for i, opcode in enumerate(program.at(PROGRAM_AT)):
            write(PIO0 + 0x48 + 4 * (PROGRAM_AT + i), opcode)
        write(self._register(0x00), 125_000_000 * 256 // freq << 8)
        write(self._register(0x04), PROGRAM_AT + program.wrap << 12 | PROGRAM_AT + program.wrap_target << 7)
        write(self._register(0x08), program.join_rx << 31 | 1 << 19 | program.in_right << 18)
        write(self._register(0x14), in_base.number << 15)
        write(FDEBUG, 0x01010101 << self._index)
        write(PIO0, self._chip.mcu.read_uint32(PIO0) | 1 << 4 + self._index)  # restart
        write(self._register(0x10), PROGRAM_AT)  # jmp to its begin

    def active(self, on: int) -> None:
        control = self._chip.mcu.read_uint32(PIO0) & ~(1 << self._index)
        self._chip.mcu.write_uint32(PIO0, control | bool(on) << self._index)

    def rx_fifo(self) -> int:
        return self._chip.mcu.read_uint32(PIO0 + 0x0C) >> 8 * self._index + 4 & 15

    def get(self) -> int:
        return self._chip.mcu.read_uint32(PIO0 + 0x20 + 4 * self._index)


class Channel:
    """rp2.DMA."""

    def __init__(self, chip: Chip, channel: int):
        self._chip, self.channel = chip, channel

    def pack_ctrl(self, **fields: int) -> int:
        where = {
            "enable": (0, 1), "high_pri": (1, 1), "size": (2, 2), "inc_read": (4, 1), "inc_write": (5, 1),
            "ring_size": (6, 4), "ring_sel": (10, 1), "chain_to": (11, 4), "treq_sel": (15, 6), "irq_quiet": (21, 1),
        }  # fmt: skip
        values = {"enable": 1, "size": 2, "inc_read": 1, "inc_write": 1, "treq_sel": 0x3F, "irq_quiet": 1}
        values["chain_to"] = self.channel
        packed = 0
        for name, value in {**values, **fields}.items():
            shift, bits = where[name]
            assert value >> bits == 0, name
            packed |= value << shift
        return packed

    def config(self, read: int, write: int, count: int, ctrl: int, trigger: bool = False) -> None:
        at = DMA + 0x40 * self.channel
        for offset, value in ((0x00, read), (0x04, write), (0x08, count), (0x0C if trigger else 0x10, ctrl)):
            self._chip.mcu.write_uint32(at + offset, value)

    def active(self, on: int) -> None:
        assert not on
        self._chip.mcu.write_uint32(DMA + 0x444, 1 << self.channel)

    def close(self) -> None:
        """As MicroPython before 1.27: the channel goes on with what it does."""
