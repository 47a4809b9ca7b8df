"""An RP2040 without a processor for what board/pico moves by DMA alone: UART0, ring oscillator, a pin held by DMA.

rp2040py's own DMA, pins and registers, with the UART and the oscillator of tests/hil/rig. Buffers that the modules make
lie in the emulated RAM, so that DMA and Python see the same bytes. Time passes in `run_us` alone, and when a module
asks for the time.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "hil"))

from rig.clock import Clock
from rig.oscillator import Oscillator
from rig.pl011 import Pl011
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator

DMA = 0x50000000
UART0 = 0x40034000
RAM = 0x20000000
HEAP_AT = 0x20010010  # a multiple of 16, as MicroPython's heap, and of nothing more
CHANNELS = 12
CLOCK_HZ = 125_000_000
PERIPHERAL_HZ = 48_000_000


class DmaChip:
    """`interrupts` False: what a flash that is being erased does to the processor, and to nothing else."""

    def __init__(self, seed: int = 1, step_ns: int = 250) -> None:
        self._step_ns = step_ns  # how late the processor may take an interrupt
        self.clock = Clock(SimpleNamespace(exact=False, watched_until=0.0))
        self.mcu = RP2040(self.clock)
        self.simulator = Simulator(rp2040=self.mcu)  # with an owner, nothing runs by itself
        self.mcu.clk_peri = PERIPHERAL_HZ
        self.uart = Pl011.install(self.mcu, 0)
        self.oscillator = Oscillator.install(self.mcu, seed)
        self.interrupts = True
        self.timers: list[Any] = []
        self.channels = CHANNELS  # those above are somebody else's
        self.handlers: dict[int, Callable[[Any], None]] = {}
        self.handled = 0
        self.claimed: set[int] = set()
        self._heap = HEAP_AT
        self._placed: dict[int, int] = {}
        self._kept: list[Any] = []

    # ---------------------------------------------------------------------------------------------------- time
    @property
    def now_us(self) -> float:
        return self.clock.nanos / 1000

    def run_us(self, us: float) -> None:
        """Let time pass; between two steps the processor takes the interrupts of DMA that have come."""
        end = self.clock.nanos + us * 1000
        clock, dma = self.clock, self.mcu.dma
        while clock.nanos < end:
            clock.tick(min(self._step_ns, end - clock.nanos))
            if dma.int_raw:
                self._interrupt()

    def _interrupt(self) -> None:
        for channel, handler in list(self.handlers.items()):
            if self.interrupts and self.mcu.dma.int_raw >> channel & 1:
                self.mcu.write_uint32(DMA + 0x400, 1 << channel)
                self.handled += 1
                handler(None)

    # -------------------------------------------------------------------------------------------------- memory
    def buffer(self, content: Any) -> memoryview:
        """`bytearray(content)` in the emulated RAM."""
        data = bytes(content)
        view = memoryview(self.mcu.sram)[self._heap - RAM : self._heap - RAM + len(data)]
        view[:] = data
        self._placed[id(view)] = self._heap
        self._kept.append(view)
        self._heap += len(data) + 15 & ~15
        return view

    def words(self, code: str, content: list[int]) -> Any:
        """`array("I", content)` in the emulated RAM; other arrays are Python's own."""
        if code != "I":
            return array(code, content)
        view = self.buffer(array("I", content).tobytes())
        cast = view.cast("I")
        self._placed[id(cast)] = self._placed[id(view)]
        self._kept.append(cast)
        return cast

    def address_of(self, buf: Any) -> int:
        return self._placed[id(buf)]

    def pin(self, number: int) -> bool:
        """What the chip drives on a pin, overridden or not."""
        gpio = self.mcu.gpio[number]
        return bool(gpio.output_enable and gpio.output_value)

    def busy(self) -> list[int]:
        """The channels that are at work, or stopped in the middle of it."""
        return [n for n in range(CHANNELS) if self.mcu.read_uint32(DMA + 0x40 * n + 0x10) >> 24 & 1]

    # ------------------------------------------------------------------------------------------------- modules
    def install(self, monkeypatch: Any, module: Any) -> None:
        """Let `module` of board/pico, imported over `modules()`, make its buffers in the emulated RAM."""
        monkeypatch.setattr(module, "bytearray", lambda n: self.buffer(bytes(n)), raising=False)
        monkeypatch.setattr(module, "array", self.words)

    def modules(self) -> dict[str, ModuleType]:
        rp2, machine, uctypes = ModuleType("rp2"), ModuleType("machine"), ModuleType("uctypes")
        chip = self

        class Pin:
            IN, OUT, PULL_DOWN = 0, 1, 2

            def __init__(self, number: int, mode: int = -1, pull: int = -1, value: int | None = None):
                self.number = number
                if mode == self.OUT:
                    chip.mcu.write_uint32(0xD0000014 if value else 0xD0000018, 1 << number)
                    chip.mcu.write_uint32(0xD0000024, 1 << number)
                elif mode == self.IN:
                    chip.mcu.write_uint32(0xD0000028, 1 << number)

        class Uart:
            def __init__(self, n: int, baud: int, tx: Pin, rx: Pin, rxbuf: int, txbuf: int):
                assert (n, tx.number, rx.number) == (0, 0, 1) and min(rxbuf, txbuf) >= 32
                write = chip.mcu.write_uint32
                divisor = (8 * PERIPHERAL_HZ // baud + 1) // 2  # 16 * baud, in 64ths
                write(UART0 + 0x24, divisor >> 6)
                write(UART0 + 0x28, divisor & 63)
                write(UART0 + 0x2C, 0x70)  # 8 bits, FIFOs on
                write(UART0 + 0x30, 0x301)
                write(UART0 + 0x38, 0x50)  # MicroPython takes its receive interrupts

            def deinit(self) -> None:
                chip.mcu.write_uint32(UART0 + 0x30, 0)

        class Timer:
            """Rings when a test says so; `timers` are those that run."""

            def __init__(self, _id: int, period: int, callback: Any):
                self.ring = lambda: callback(self)
                chip.timers.append(self)

            def deinit(self) -> None:
                chip.timers.remove(self)

        rp2.__dict__.update(DMA=lambda: Channel(self))
        machine.__dict__.update(Pin=Pin, UART=Uart, Timer=Timer, mem32=_Registers(self), freq=lambda: CLOCK_HZ)
        uctypes.__dict__.update(addressof=self.address_of)
        return {"rp2": rp2, "machine": machine, "uctypes": uctypes}

    def time(self) -> SimpleNamespace:
        """Stands for module `time`: to ask takes 5 µs."""

        def ticks_ms() -> int:
            self.run_us(5)
            return int(self.now_us // 1000) & 0x3FFFFFFF

        return SimpleNamespace(ticks_ms=ticks_ms)


class _Registers:
    """machine.mem32."""

    def __init__(self, chip: DmaChip) -> None:
        self._chip = chip

    def __getitem__(self, at: int) -> int:
        return self._chip.mcu.read_uint32(at)

    def __setitem__(self, at: int, value: int) -> None:
        self._chip.mcu.write_uint32(at, value)


class Channel:
    """rp2.DMA."""

    def __init__(self, chip: DmaChip) -> None:
        free = [n for n in range(chip.channels) if n not in chip.claimed]
        if not free:
            raise OSError(16)
        self._chip = chip
        self.channel = free[0]
        chip.claimed.add(free[0])

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

    def config(
        self, read: Any = None, write: Any = None, count: int | None = None, ctrl: int | None = None,
        trigger: bool = False,
    ) -> None:  # fmt: skip
        for offset, value in ((0x00, read), (0x04, write), (0x08, count), (0x0C if trigger else 0x10, ctrl)):
            if value is not None:
                self._put(offset, value)

    def _put(self, offset: int, value: Any) -> None:
        at = value if isinstance(value, int) else self._chip.address_of(value)
        self._chip.mcu.write_uint32(DMA + 0x40 * self.channel + offset, at)

    def _get(self, offset: int) -> int:
        return self._chip.mcu.read_uint32(DMA + 0x40 * self.channel + offset)

    count = property(lambda self: self._get(0x08), lambda self, value: self._put(0x08, value))
    read = property(lambda self: self._get(0x00), lambda self, value: self._put(0x00, value))

    def active(self, on: int) -> None:
        self._chip.mcu.write_uint32(DMA + (0x430 if on else 0x444), 1 << self.channel)

    def irq(self, handler: Callable[[Any], None] | None, hard: bool = False) -> None:
        if handler is None:
            self._chip.handlers.pop(self.channel, None)
            return
        assert hard, "a soft interrupt waits for the garbage collection"
        self._chip.handlers[self.channel] = handler

    def close(self) -> None:
        """As MicroPython before 1.27: the channel goes on with what it does."""
        self._chip.handlers.pop(self.channel, None)
        self._chip.claimed.discard(self.channel)
