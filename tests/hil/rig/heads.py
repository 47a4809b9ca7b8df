"""Three read heads: sensors with analogue levels, wires that may be broken, comparators, and the level multiplexers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from . import wiring
from .chip import Chip

BRIGHT, DARK = 12000, 52000  # of 65535 for 3.3 V, as on the virtual board
LINES = 4
HEADS = len(wiring.HEADS)
RAMP_US = 19.0  # of a sensor from bright to dark or back: 15 µs from 10 to 90 % (board/wiring/WIRING.md)
HYSTERESIS = 800  # of a comparator: 40 mV
NOISE = 130  # of a sensor with its amplifier, the root of the mean square: a sixth of the hysteresis
_CHATTER_US = (0.3, 2.0)
_ADC_FIRST = 26
_SAMPLE_NS = 2000


class Heads:
    """The light of a shoe. A line is dark (1) when its level is above its comparator's threshold.

    A change of light ramps the level, and the comparator switches where that crosses the threshold, with half of its
    hysteresis and the noise of this moment; noise beyond the hysteresis makes it chatter. A dark that is over before is
    never seen. What noise there is depends on `seed`, line, direction and µs alone: the same edge at the same time is
    the same edge, whatever came before. `ramp_us` 0 switches at once. `switched` and `chattered` count what happened.

    `selected()` is the line that the multiplexers lead to the ADC, which sees settled levels. Until the firmware runs a
    PWM its comparators have half the supply. `altered` counts the changes of light that a broken wire has kept from the
    chip or made up.
    """

    def __init__(
        self,
        chip: Chip,
        selected: Callable[[], int],
        *,
        seed: int = 1,
        ramp_us: float = RAMP_US,
        noise: float = NOISE,
    ) -> None:
        self._selected = selected
        self._seed = seed
        self.ramp_us = ramp_us
        self.noise = noise
        self.levels = [[[BRIGHT, DARK] for _ in range(LINES)] for _ in wiring.HEADS]  # of each line: bright, dark
        self._wires: list[list[int | bool]] = [list(range(LINES)) for _ in wiring.HEADS]
        self.altered = self.switched = self.chattered = 0
        self.plug(chip)

    def plug(self, chip: Chip) -> None:
        """Go on with another chip, as after a power cut, with nothing in any throat."""
        self._chip = chip
        self._seen = [0] * HEADS
        self._aim: list[list[bool | None]] = [[None] * LINES for _ in wiring.HEADS]  # where each level goes
        self._out = [[False] * LINES for _ in wiring.HEADS]
        self._due: dict[tuple[int, int], list] = {}  # alarms of a slope
        chip.mcu.adc.on_adc_read = self._convert
        for head in range(HEADS):
            self.show(head, 0)

    def show(self, head: int, dark: int) -> None:
        """The sensors of `head` see this: bit 0 PRESENT to bit 3 DATA, 1 dark."""
        self._seen[head] = dark
        wanted = self._compared(head)
        self.altered += wanted != dark
        for line in range(LINES):
            level = bool(wanted >> line & 1)
            before = self._aim[head][line]
            if before is level:
                continue
            self._aim[head][line] = level
            if before is None or not self.ramp_us:
                self._drive(head, line, level)
            else:
                self._slope(head, line, level)

    def _drive(self, head: int, line: int, level: bool) -> None:
        self._out[head][line] = level
        self._chip.drive(wiring.HEADS[head][line], level)

    def _slope(self, head: int, line: int, level: bool) -> None:
        """Let the comparator switch when the ramp that begins now has come to the threshold."""
        for alarm in self._due.pop((head, line), ()):
            alarm.cancel()
        if self._out[head][line] == level:  # light that came back before the comparator had seen it go
            return
        now = self._chip.now
        random = Random(f"{self._seed} {head} {line} {level} {now:.0f}")
        bright, dark = self.levels[head][line]
        span = max(abs(dark - bright), 1)
        crossing = self.threshold(head) + (HYSTERESIS / 2 if level else -HYSTERESIS / 2) + random.gauss(0, self.noise)
        way = abs(crossing - (bright if level else dark)) / span
        after = [self.ramp_us * min(way, 1.0)]
        if abs(random.gauss(0, self.noise)) > HYSTERESIS / 2:
            self.chattered += 1
            after += [after[0] + random.uniform(*_CHATTER_US)]
            after += [after[1] + random.uniform(*_CHATTER_US)]
        self.switched += 1
        self._due[head, line] = [
            self._chip.at(now + later, lambda to=level ^ bool(i & 1): self._drive(head, line, to))
            for i, later in enumerate(after)
        ]

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
        duty = self._chip.duty(wiring.THRESHOLDS[head])
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
        if pin in wiring.LEVELS:
            level = self._level(wiring.LEVELS.index(pin), self._selected())
        else:
            level = adc.channel_values[channel] << 4
        done = self._chip.clock.create_alarm(lambda: adc.complete_adc_read(level >> 4, False))
        done.schedule(_SAMPLE_NS)
