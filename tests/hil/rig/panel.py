"""The panel's chain as board/pico/PANEL.md draws it: 74HC165s with the keys, 74HC595s with lamps and select lines."""

from __future__ import annotations

from . import wiring
from .chip import Chip

SUPPLY_LAMPS = 2  # 74HC595s in the chain
_RELEASED = 0xFF


class Panel:
    """A pulse of LATCH loads the keys while it is low and shows what was shifted when it rises.

    `changes` notes (µs, lamps) whenever the lamps change, `stops` (µs, engaged) whenever the card stop does. A pin that
    nobody drives leaves the stop engaged.
    """

    def __init__(self, chip: Chip) -> None:
        self.inputs = bytearray([_RELEASED] * wiring.REGISTERS)
        self.changes: list[tuple[float, int]] = []
        self.stops: list[tuple[float, bool]] = []
        self.plug(chip)

    def plug(self, chip: Chip, offset_us: float = 0.0) -> None:
        """Go on with another chip, whose time begins at `offset_us`."""
        self._chip = chip
        self._offset = offset_us
        self._shifted = bytearray(wiring.REGISTERS)  # towards the chip
        self._lamps = bytearray(SUPPLY_LAMPS)  # in the shift registers, the one nearest to the chip last
        self.outputs = bytes(SUPPLY_LAMPS)  # shown
        self._latched = True
        chip.mcu.spi[0].on_transmit = self._transmit
        chip.listen(wiring.PANEL_LATCH, self._latch)
        chip.listen(wiring.CARD_STOP, self._stop)
        self._note_lamps()
        self._stop()

    # ------------------------------------------------------------------------------------------- the chain

    def _transmit(self, value: int) -> None:
        self._lamps = self._lamps[1:] + bytes((value & 0xFF,))
        came = self._shifted[0]
        self._shifted = self._shifted[1:] + b"\xff"
        spi = self._chip.mcu.spi[0]
        frequency = spi.clock_frequency or 1_000_000
        done = self._chip.clock.create_alarm(lambda: spi.complete_transmit(came))
        done.schedule(spi.data_bits * 1e9 / frequency)

    def _latch(self) -> None:
        level = self._chip.pin(wiring.PANEL_LATCH) is not False
        if not level:
            self._shifted = bytearray(self.inputs)
        elif not self._latched:
            self.outputs = bytes(self._lamps)
            self._note_lamps()
        self._latched = level

    def _stop(self) -> None:
        engaged = self._chip.pin(wiring.CARD_STOP) is not True
        if not self.stops or self.stops[-1][1] != engaged:
            self.stops.append((self._offset + self._chip.now, engaged))

    def _note_lamps(self) -> None:
        if not self.changes or self.changes[-1][1] != self.lamps:
            self.changes.append((self._offset + self._chip.now, self.lamps))

    @property
    def lamps(self) -> int:
        """Lit lamps, bits of enum.lamp."""
        return self.outputs[1] | (self.outputs[0] & 1) << 8

    @property
    def selected(self) -> int:
        """Line that the level multiplexers pick."""
        return self.outputs[0] >> 1 & 3

    @property
    def card_stop(self) -> bool:
        """Whether the card stop is engaged."""
        return self.stops[-1][1]

    # ------------------------------------------------------------------------------------------- keys

    def press(self, place: int, down: bool) -> None:
        """Hold or let go the key at a place of the chain."""
        register, bit = divmod(place, 8)
        if down:
            self.inputs[register] &= ~(1 << bit) & 0xFF
        else:
            self.inputs[register] |= 1 << bit
        if not self._latched:  # the registers are transparent while LATCH is low
            self._shifted = bytearray(self.inputs)

    def let_go(self) -> None:
        """Let go every key."""
        self.inputs[:] = bytes([_RELEASED] * len(self.inputs))
