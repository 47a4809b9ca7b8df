"""A shoe on a real Pico: its link on a serial port, its light and panel from a second Pico."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from typing import Protocol

from shoesim.dealer_draw import Lamps
from shoesim.passes import HAND, Passes
from shoesim.pull import NOMINAL, Model, Profile
from shoetool.client.client import Client
from shoetool.client.requests import Timeouts
from shoetool.link.serial_port import SerialTransport
from shoetool.model.errors import LinkError
from shoetool.model.protocol_table import Key

from . import wiring
from .broken import BrokenLines
from .stimulus import Stimulus, StimulusError

TICKS_PERIOD = 1 << 30
HEADS = 3
_PATIENCE_S = 5.0
_HELD_S = 0.08  # scans of the panel, and the FIFO of the stimulus
_RELEASED_S = 0.06
_PLAYED_S = 0.02  # after the last edge
_READY_S = 3.0
_START_S = 20.0  # until it must be there: a long journal is read first, and a computer takes its time with a USB port
_AGAIN_S = 0.25
_LOOK_S = 0.25
_SILENT_S = 0.1
_HASTY = Timeouts(identify_tries=3, reconnect_s=0)  # for a shoe that may not be there yet


class Clock(Protocol):
    """Time, as the module `time` has it."""

    def monotonic(self) -> float: ...
    def sleep(self, seconds: float, /) -> None: ...


class RealShoe(Passes):
    """The same verbs as EmulatedShoe where there is hardware for them; time is real.

    `transport` is the shoe's link, `stimulus` the second Pico; both outlive this. Power cannot be cut here: `restart`
    presses reset. `wires` breaks the wires of the heads, `boot` is the number of the shoe's last start. What earlier
    tests have left is still there: `first_history` is the number of the first history that belongs to this one.
    """

    def __init__(
        self,
        transport: SerialTransport,
        stimulus: Stimulus,
        *,
        clock: Clock = time,
        seed: int = 1,
        model: Model = NOMINAL,
        profile: Profile = HAND,
        gap_s: float = 0.05,
        period_s: float = 0.0,
    ) -> None:
        super().__init__(model=model, seed=seed, gap_s=gap_s, period_s=period_s, profile=profile)
        self._clock = clock
        self._began = clock.monotonic()
        self._reset_at: float | None = None
        self.stimulus = stimulus
        self._transport = transport
        self._lines = BrokenLines(HEADS)
        self.wires = RealWires(self, self._lines)
        self.last_edge_us = [0.0, 0.0, 0.0]
        self.boot = -1
        self.first_history = 0

    def transport(self) -> SerialTransport:
        """shoetool's transport to the shoe."""
        return self._transport

    # ------------------------------------------------------------------------------------------- life

    def restart(self) -> None:
        """Press reset and wait until the shoe answers."""
        self.press_reset()

    def press_reset(self, *, wait: bool = True) -> None:
        """Press reset; wait until the shoe answers, unless told otherwise."""
        self._transport.close()  # as a USB device it goes, and what is open of it then is of no use later
        self.stimulus.reset_shoe()
        if wait:
            self.wait_ready()

    def press_reset_in(self, micros: float) -> None:
        """Let somebody press reset then, in the midst of whatever this shoe is told meanwhile."""
        self._reset_at = self._clock.monotonic() + micros / 1e6

    def wait_ready(self) -> int:
        """Wait until the shoe answers after a reset; return the number of its boot.

        StimulusError when it did not start anew. LinkError when nothing answers.
        """
        if self._reset_at is not None:
            self.wait(self._reset_at - self._clock.monotonic() + _PLAYED_S)
        self.wait(_READY_S)
        end = self._clock.monotonic() + _START_S
        while True:
            try:
                self._transport.reopen()
                boot = Client(self._transport, _HASTY).identify().boot
                break
            except LinkError:
                if self._clock.monotonic() >= end:
                    raise
                self.wait(_AGAIN_S)
        if boot == self.boot:
            raise StimulusError("the shoe was not reset: is GP2 of the stimulus wired to RUN?")
        self.boot = boot
        return boot

    def let_go(self) -> None:
        """Let go of all keys and take everything out of the heads, whatever was done before."""
        end = self._clock.monotonic() + _PATIENCE_S
        while self.stimulus.left() and self._clock.monotonic() < end:
            self.wait(_AGAIN_S)
        for place in range(8 * wiring.REGISTERS):
            self.stimulus.press(place, False)
        for head in range(HEADS):
            self._lines.mend(head)
            self.light(head)

    # ------------------------------------------------------------------------------------------- time

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        end = self._clock.monotonic() + max(seconds, 0.0)
        if self._reset_at is not None and self._reset_at <= end:
            self._clock.sleep(max(self._reset_at - self._clock.monotonic(), 0.0))
            self._reset_at = None
            self.press_reset(wait=False)
        self._clock.sleep(max(end - self._clock.monotonic(), 0.0))
        self._tell_time()

    def _tell_time(self) -> None:
        self.now_us = int((self._clock.monotonic() - self._began) * 1e6)

    # ------------------------------------------------------------------------------------------- hands

    def feed(self, head: int, changes: list[tuple[int, int]], end_us: int) -> None:
        """Play the edges of one pass and wait for its end."""
        if not changes:
            self.wait((end_us - self.now_us) / 1e6)
            return
        at = changes[0][0]
        running = []
        for ticks, lines in changes:
            at += (ticks - at) & (TICKS_PERIOD - 1)
            running.append((at, lines))
        self._tell_time()
        start = self.now_us
        self.show(head, running)
        self.last_edge_us[head] = start + running[-1][0] - running[0][0]
        self.wait((running[-1][0] - running[0][0]) / 1e6 + _PLAYED_S)

    def show(self, head: int, changes: Sequence[tuple[int, int]]) -> None:
        """Play edges (running µs, lines) at a head, through its wires."""
        self.stimulus.play({head: self._lines.through(head, changes)})

    def light(self, head: int) -> None:
        """Show a head nothing, through its wires."""
        self.show(head, [(0, 0)])
        self.wait(_PLAYED_S)

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
        self.stimulus.press(place, down)
        self.wait(_HELD_S if down else _RELEASED_S)

    def lamps(self) -> Lamps:
        """Let the shoe work off what it has seen, and look at the panel."""
        self.wait(_LOOK_S)
        shown = self.stimulus.outputs()
        return Lamps(shown.lamps, shown.card_stop)

    # ------------------------------------------------------------------------------------------- link

    def send(self, data: bytes) -> None:
        """Put bytes on the wire to the shoe."""
        self._transport.write(data)

    def lose(self) -> int:
        """Throw away what has come over the wire and nobody has read; return how many bytes that were."""
        lost = 0
        while data := self._transport.read(_SILENT_S):
            lost += len(data)
        return lost

    def link_terminal(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command with the shoe's link as serial port `{port}`; return what it printed and its status."""
        port = self._transport.name
        self._transport.close()  # which is held by one program at a time
        try:
            return subprocess.run(
                [word.replace("{port}", port) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
        finally:
            self._transport.reopen()


class RealWires:
    """Breaks and mends the wires of a real shoe's heads; what is dark without light is dark at once."""

    def __init__(self, shoe: RealShoe, lines: BrokenLines) -> None:
        self._shoe = shoe
        self._lines = lines

    @property
    def altered(self) -> int:
        """Changes of light that a broken wire has kept from the chip or made up."""
        return self._lines.altered

    def stick(self, head: int, line: int, dark: bool) -> None:
        """From now on `line` is dark or bright for ever."""
        self._lines.stick(head, line, dark)
        self._shoe.light(head)

    def swap(self, head: int, one: int, other: int) -> None:
        """Exchange two lines' wires."""
        self._lines.swap(head, one, other)

    def mend(self, head: int) -> None:
        """All wires of `head` as they should be."""
        self._lines.mend(head)
        self._shoe.light(head)
