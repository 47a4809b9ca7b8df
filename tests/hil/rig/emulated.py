"""A shoe on an emulated RP2040: light and keys in, lamps, card stop and frames out, all on the simulated clock."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from subprocess import CompletedProcess

from shoesim.dealer_draw import Lamps
from shoesim.passes import HAND, Passes
from shoesim.pull import NOMINAL, Model, Profile
from shoetool.model.protocol_table import Key

from . import wiring
from .chip import Chip, PowerCutError
from .heads import Heads
from .link import STEP_US, SimulatedTransport, Terminal, run_beside
from .panel import Panel

__all__ = ["EmulatedShoe", "PowerCutError"]

TICKS_PERIOD = 1 << 30
READY = re.compile(rb"shoe ready, boot (\d+), (\d+) ms after reset")
_BOTH_WRAP_US = TICKS_PERIOD * 1000  # ticks_us and ticks_ms at once
_PATIENCE_US = 15e6
_HELD_US = 60_000  # as PANEL.md promises, whatever the processor has to do meanwhile
_RELEASED_US = 60_000
_LOOK_S = 0.06  # after a pass: longer than the shoe may take to show what it was


class EmulatedShoe(Passes):
    """A shoe that `flash` (bytes from address 0) makes of the chip; `power_on` starts it.

    `now_us` is simulated time since the first power-on, through cuts and resets. `frames` notes (µs at the end of its
    last byte, bytes with the closing 0x00) for each frame that the shoe has put on the wire, `wires` has the sensors,
    `panel` the panel, `log` all text over USB. `wraps_after_s` presets the timer at power-on, so that ticks_us and
    ticks_ms wrap so much later. `baud` is the rate of the computer at the other end of the line.
    """

    def __init__(
        self,
        flash: bytes,
        *,
        seed: int = 1,
        model: Model = NOMINAL,
        profile: Profile = HAND,
        gap_s: float = 0.02,
        period_s: float = 0.0,
        wraps_after_s: float | None = None,
        baud: int = wiring.LINK_BAUD,
    ) -> None:
        super().__init__(model=model, seed=seed, gap_s=gap_s, period_s=period_s, profile=profile)
        self._seed = seed
        self._starts_at_us = 0.0 if wraps_after_s is None else _BOTH_WRAP_US - wraps_after_s * 1e6
        self._offset_us = 0.0
        self._baud = baud
        self._flash = flash
        self._incoming = bytearray()
        self._frame = bytearray()
        self._starts = 0
        self._ready_seen = 0
        self._edges: list[deque[tuple[float, int]]] = [deque() for _ in range(3)]
        self.log = bytearray()
        self.frames: list[tuple[float, bytes]] = []
        self.last_edge_us = [0.0, 0.0, 0.0]
        self.boot = 0
        self.boot_ms = 0  # as the shoe says: from its reset to ready
        self.first_history = 0  # number of the first history that belongs to the test: it began as a blank shoe
        self.look_s = _LOOK_S
        self.held_us = _HELD_US
        self._plug(Chip(flash, seed, self._starts_at_us))
        self.panel = Panel(self.chip)
        self.wires = Heads(self.chip, lambda: self.panel.selected, seed=seed)

    # ------------------------------------------------------------------------------------------- life

    def _plug(self, chip: Chip) -> None:
        self.chip = chip
        self.running = True
        chip.uart.on_byte = self._sent
        chip.uart.line_baud = self._baud
        chip.usb.on_serial_data = self._printed
        for queue in self._edges:
            queue.clear()

    def power_on(self, *, wait: bool = True) -> None:
        """Switch on with the flash as it is; wait until the shoe is ready, unless told otherwise.

        The hand has let go of keys and taken cards out of the throats meanwhile.
        """
        if self._starts:
            self.power_off()
            self._offset_us += self.chip.now
            torn = self.chip.flash.torn_sectors
            self._plug(Chip(self._flash, self._seed + self._starts, self._starts_at_us))
            self.chip.flash.torn_sectors = torn
            self.panel.let_go()
            self.panel.plug(self.chip, self._offset_us)
            self.wires.plug(self.chip)
        self._starts += 1
        if wait:
            self.wait_ready()

    def power_off(self) -> None:
        """Switch off between two instructions."""
        if self.running:
            self.running = False
            self._flash = self.chip.content()

    def restart(self) -> None:
        """Off and on again."""
        self.power_off()
        self.power_on()

    def press_reset(self, *, wait: bool = True) -> None:
        """Pull the chip's RUN pin low for a moment."""
        self.chip.press_reset()
        if wait:
            self.wait_ready()

    def press_reset_in(self, micros: float) -> None:
        """Let somebody press reset then, in the midst of whatever runs."""
        self.chip.at(self.chip.now + micros, self.chip.press_reset)

    def wait_ready(self, most_us: float = _PATIENCE_US) -> int:
        """Run until the shoe says that it is ready, once more than it was seen to; return the number of the boot."""
        seen = self._ready_seen
        self.run_until(lambda: len(READY.findall(self.log)) > seen, most_us)
        found = READY.findall(self.log)
        self._ready_seen = len(found)
        self.boot, self.boot_ms = (int(value) for value in found[-1])
        return self.boot

    def cut_power_in(self, micros: float) -> None:
        """Let the power fail then, also in the middle of a flash operation: what runs raises PowerCutError."""
        self.chip.cut_power_in(micros)

    def spare_power(self) -> None:
        """Take back a power cut that has not happened."""
        self.chip.spare_power()

    @property
    def flash(self) -> bytes:
        """What flash holds, from address 0."""
        return self.chip.content() if self.running else self._flash

    @flash.setter
    def flash(self, content: bytes) -> None:
        """Put another content into flash of a shoe that is off."""
        if self.running:
            raise ValueError("switch the shoe off first")
        self._flash = content

    # ------------------------------------------------------------------------------------------- time

    def advance(self, micros: float) -> None:
        """Let simulated time pass. PowerCutError when the power fails in it."""
        try:
            self.chip.run(micros)
        except PowerCutError:
            self.running = False
            self._flash = self.chip.content()
            raise
        finally:
            self.now_us = int(self._offset_us + self.chip.now)

    def run_until(self, is_so, most_us: float = _PATIENCE_US, step_us: float = STEP_US) -> None:
        """Run until `is_so()`. TimeoutError with the end of the log when it takes more than `most_us`."""
        end = self.now_us + most_us
        while not is_so():
            if self.now_us >= end:
                log = bytes(self.log[-800:]).decode(errors="replace")
                raise TimeoutError(f"not within {most_us / 1e6:.1f} s of simulated time; the log ends: {log}")
            self.advance(step_us)

    def wait(self, seconds: float) -> None:
        """Let simulated time pass."""
        self.advance(seconds * 1e6)

    # ------------------------------------------------------------------------------------------- hands

    def play(self, head: int, changes: Sequence[tuple[int, int]]) -> None:
        """Put edges (30-bit µs of `now_us`, lines) on their way to a head; time does not pass by that."""
        queue = self._edges[head]
        idle = not queue
        at = self.now_us
        for ticks, lines in changes:
            ahead = (ticks - at) & (TICKS_PERIOD - 1)
            assert ahead < TICKS_PERIOD // 2, f"an edge {TICKS_PERIOD - ahead} us before the one in front of it, or ago"
            at += ahead
            queue.append((at, lines))
        if idle and queue:
            self._next_edge(head)

    def _next_edge(self, head: int) -> None:
        queue = self._edges[head]

        def come() -> None:
            at, lines = queue.popleft()
            self.last_edge_us[head] = at
            self.wires.show(head, lines)
            if queue:
                self._next_edge(head)

        self.chip.at(queue[0][0] - self._offset_us, come)

    def feed(self, head: int, changes: list[tuple[int, int]], end_us: int) -> None:
        """Play the edges of one pass and let the time pass to its end."""
        self.play(head, changes)
        self.advance(end_us - self.now_us)

    def key(self, key: Key, argument: int = 0) -> None:
        """Press the panel's keys that say this; the key switch is turned where that is needed."""
        places = wiring.strokes(key, argument)
        locked = places[-1] in wiring.LOCKED
        if locked:
            self._hold(wiring.KEY_SWITCH, True)
        for place in places:
            self._hold(place, True)
            self._hold(place, False)
        if locked:
            self._hold(wiring.KEY_SWITCH, False)

    def _hold(self, place: int, down: bool) -> None:
        self.panel.press(place, down)
        self.advance(self.held_us if down else _RELEASED_US)

    def lamps(self) -> Lamps:
        """Let the shoe work off what it has seen, and look at the panel."""
        self.wait(self.look_s)
        return Lamps(self.panel.lamps, self.panel.card_stop)

    # ------------------------------------------------------------------------------------------- link, log, REPL

    def _sent(self, value: int) -> None:
        self._frame.append(value)
        if not value:
            self.frames.append((self._offset_us + self.chip.now, bytes(self._frame)))
            self._frame.clear()
        self._incoming.append(value)

    def _printed(self, data: bytes) -> None:
        self.log += data
        self.chip.usb.output += data

    def send(self, data: bytes) -> None:
        """Put bytes on the wire to the shoe, one after the other at the line's speed."""
        self.chip.uart.feed(data)

    def take(self) -> bytes:
        """Return what has come over the wire since the last time."""
        data = bytes(self._incoming)
        self._incoming.clear()
        return data

    def lose(self) -> int:
        """Throw away what has come over the wire and nobody has read; return how many bytes that were."""
        return len(self.take())

    def transport(self) -> SimulatedTransport:
        """A transport for shoetool's client: simulated time passes while it reads."""
        return SimulatedTransport(self)

    def link_terminal(self, command: Sequence[str], env: dict[str, str] | None = None) -> CompletedProcess[str]:
        """Run a command with the shoe's link as serial port `{port}`; return what it printed and its status."""
        with Terminal() as terminal:

            def carry() -> None:
                if came := terminal.exchange(self.take()):
                    self.send(came)
                self.advance(STEP_US)

            return run_beside([word.replace("{port}", terminal.path) for word in command], carry, env)

    def usb_terminal(self, command: Sequence[str], env: dict[str, str] | None = None) -> CompletedProcess[str]:
        """The same with the USB port, where REPL and log are: for mpremote and `shoetool flash`."""
        with Terminal() as terminal:
            self.chip.usb.take()

            def carry() -> None:
                if came := terminal.exchange(self.chip.usb.take()):
                    self.chip.usb.write(came)
                self.advance(STEP_US)

            return run_beside([word.replace("{port}", terminal.path) for word in command], carry, env)

    @property
    def sends(self) -> bool:
        """Whether the driver of an RS-485 line is enabled."""
        return self.chip.pin(wiring.LINK_DRIVER_ENABLE) is True
