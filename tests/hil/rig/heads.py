"""Three read heads: sensors with analogue levels, wires that may be broken, comparators, and the level multiplexers."""

from __future__ import annotations

from collections.abc import Callable

from pico import pins

from .chip import Chip

BRIGHT, DARK = 12000, 52000  # of 65535 for 3.3 V, as on the virtual board
LINES = 4
FIRST = (pins.HEAD_A, pins.HEAD_B, pins.HEAD_READER)
THRESHOLD = (pins.THRESHOLD_A, pins.THRESHOLD_B, pins.THRESHOLD_READER)
LEVEL = (pins.LEVEL_A, pins.LEVEL_B, pins.LEVEL_READER)
_ADC_FIRST = 26
_SAMPLE_NS = 2000


class Heads:
    """The light of a shoe. A line is dark (1) when its level is above its comparator's threshold.

    `selected()` is the line that the multiplexers lead to the ADC. Until the firmware runs a PWM its comparators have
    half the supply. `altered` counts the changes of light that a broken wire has kept from the chip or made up.
    """

    def __init__(self, chip: Chip, selected: Callable[[], int]) -> None:
        self._chip = chip
        self._selected = selected
        self.levels = [[[BRIGHT, DARK] for _ in range(LINES)] for _ in FIRST]  # of each line: bright, dark
        self._seen = [0] * len(FIRST)
        self._wires: list[list[int | bool]] = [list(range(LINES)) for _ in FIRST]
        self._driven = [-1] * len(FIRST)
        self.altered = 0
        chip.mcu.adc.on_adc_read = self._convert
        for head in range(len(FIRST)):
            self.show(head, 0)

    def plug(self, chip: Chip) -> None:
        """Go on with another chip, as after a power cut, with nothing in any throat."""
        self._chip = chip
        self._seen = [0] * len(FIRST)
        self._driven = [-1] * len(FIRST)
        chip.mcu.adc.on_adc_read = self._convert
        for head in range(len(FIRST)):
            self.show(head, 0)

    def show(self, head: int, dark: int) -> None:
        """The sensors of `head` see this: bit 0 PRESENT to bit 3 DATA, 1 dark."""
        self._seen[head] = dark
        wanted = self._compared(head)
        before = self._driven[head]
        self._driven[head] = wanted
        self.altered += wanted != dark
        for line in range(LINES):
            if before < 0 or (wanted ^ before) >> line & 1:
                self._chip.drive(FIRST[head] + line, bool(wanted >> line & 1))

    def stick(self, head: int, line: int, dark: bool) -> None:
        """From now on `line` is dark or bright for ever: a blocked or dead sensor, a wire off."""
        self._wires[head][line] = dark
        self.show(head, self._seen[head])

    def swap(self, head: int, one: int, other: int) -> None:
        """Exchange two lines' wires."""
        wires = self._wires[head]
        wires[one], wires[other] = wires[other], wires[one]
        self.show(head, self._seen[head])

    def mend(self, head: int) -> None:
        """All wires of `head` as they should be."""
        self._wires[head] = list(range(LINES))
        self.show(head, self._seen[head])

    def threshold(self, head: int) -> float:
        """Threshold of the comparators of `head`, of 65535."""
        duty = self._chip.duty(THRESHOLD[head])
        return 32768 if duty is None else duty * 65535

    def _level(self, head: int, line: int) -> int:
        wire = self._wires[head][line]
        if wire is True or wire is False:
            return self.levels[head][line][wire]
        return self.levels[head][wire][self._seen[head] >> wire & 1]

    def _compared(self, head: int) -> int:
        threshold = self.threshold(head)
        return sum((self._level(head, line) > threshold) << line for line in range(LINES))

    def _convert(self, channel: int) -> None:
        adc = self._chip.mcu.adc
        pin = channel + _ADC_FIRST
        level = self._level(LEVEL.index(pin), self._selected()) if pin in LEVEL else adc.channel_values[channel] << 4
        done = self._chip.clock.create_alarm(lambda: adc.complete_adc_read(level >> 4, False))
        done.schedule(_SAMPLE_NS)
