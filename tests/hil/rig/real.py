"""A shoe on a real Pico: its link on a serial port, its light and panel from a second Pico."""

from __future__ import annotations

import time

import serial
from pico import panel_keys
from shoetool.link.serial_port import SerialTransport
from shoetool.model.protocol_table import Key
from shoetool.simulate.dealer_draw import Lamps
from shoetool.simulate.passes import HAND, Passes
from shoetool.simulate.pull import NOMINAL, Model, Profile

from .panel import strokes
from .stimulus import Stimulus

TICKS_PERIOD = 1 << 30
_BAUD = 115200  # of USB, where it means nothing
_PATIENCE_S = 5.0
_HELD_S = 0.08  # scans of the panel, and the FIFO of the stimulus
_RELEASED_S = 0.06
_READY_S = 3.0
_LOOK_S = 0.25


class RealShoe(Passes):
    """The same verbs as EmulatedShoe where there is hardware for them; time is real.

    `port` is the shoe's link, `stimulus` the second Pico. Power cannot be cut here: `restart` presses reset.
    """

    def __init__(
        self,
        port: str,
        stimulus: str,
        *,
        seed: int = 1,
        model: Model = NOMINAL,
        profile: Profile = HAND,
        gap_s: float = 0.05,
        period_s: float = 0.0,
    ) -> None:
        super().__init__(model=model, seed=seed, gap_s=gap_s, period_s=period_s, profile=profile)
        self._began = time.monotonic()
        self._port = serial.Serial(stimulus, _BAUD, timeout=_PATIENCE_S)
        self.stimulus = Stimulus(self._port)
        self._transport = SerialTransport(port)
        self.last_edge_us = [0.0, 0.0, 0.0]

    def close(self) -> None:
        """Give the ports back."""
        self._transport.close()
        self._port.close()

    def transport(self) -> SerialTransport:
        """shoetool's transport to the shoe."""
        return self._transport

    def restart(self) -> None:
        """Press reset and wait until the shoe has had time to be ready."""
        self.stimulus.reset_shoe()
        self.wait(_READY_S)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(max(seconds, 0.0))
        self._tell_time()

    def _tell_time(self) -> None:
        self.now_us = int((time.monotonic() - self._began) * 1e6)

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
        self.stimulus.play({head: running})
        self.last_edge_us[head] = start + running[-1][0] - running[0][0]
        self.wait((running[-1][0] - running[0][0]) / 1e6 + 0.02)

    def key(self, key: Key, argument: int = 0) -> None:
        """Press the panel's keys that say this; the key switch is turned where that is needed."""
        places = strokes(key, argument)
        locked = places[-1] >= panel_keys.LOCKED
        if locked:
            self._hold(panel_keys.LOCK, True)
        for place in places:
            self._hold(place, True)
            self._hold(place, False)
        if locked:
            self._hold(panel_keys.LOCK, False)

    def _hold(self, place: int, down: bool) -> None:
        self.stimulus.press(place, down)
        self.wait(_HELD_S if down else _RELEASED_S)

    def lamps(self) -> Lamps:
        """Let the shoe work off what it has seen, and look at the panel."""
        self.wait(_LOOK_S)
        shown = self.stimulus.outputs()
        return Lamps(shown.lamps, shown.card_stop)
