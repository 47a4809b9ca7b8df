"""The light of the read heads: analogue levels by ADC behind a multiplexer, the comparators' thresholds by PWM.

One ADC input a head; the panel's chain holds the two select bits, which all heads share. A threshold is a duty cycle at
30 kHz (4,166 steps of 0.8 mV at 125 MHz) through 10 kΩ and 1 µF: 16 Hz, under 3 mV of ripple, settled in 50 ms. Until
then, and above all while it rises from the 0 V of a chip that was reset, a comparator may call dark what is bright.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import time

from machine import ADC, PWM, Pin
from shoe.compat import const, ticks_diff

from pico import pins

MIDDLE = const(32768)
_PWM_HZ = const(30000)
_SETTLE_US = const(20)  # after the select lines: multiplexer, and 10 kOhm into the sampling capacitor, many times over
_SETTLED_MS = const(50)  # after a threshold was set
_ALL = const(15)


class Levels:
    """ADC inputs and PWM outputs of all three heads, thresholds in the middle. `panel.select(line)` picks a line."""

    def __init__(self, panel):
        self._select = panel.select
        self._adc = [ADC(Pin(pin)) for pin in (pins.LEVEL_A, pins.LEVEL_B, pins.LEVEL_READER)]
        self._pwm = [
            PWM(Pin(pin), freq=_PWM_HZ, duty_u16=MIDDLE)
            for pin in (pins.THRESHOLD_A, pins.THRESHOLD_B, pins.THRESHOLD_READER)
        ]

        self._set_ms = time.ticks_ms()

    def levels(self, head, into, lines=_ALL):
        """Convert the levels of those lines of `head` that are in the mask `lines` into their places of `into`."""
        adc = self._adc[head]
        for line in range(4):
            if lines >> line & 1:
                self._select(line)
                time.sleep_us(_SETTLE_US)
                into[line] = adc.read_u16()

    def threshold(self, head, value):
        """Set the threshold of the four comparators of `head`: 0..65535 of 3.3 V."""
        self._pwm[head].duty_u16(value)
        self._set_ms = time.ticks_ms()

    def settle(self):
        """Wait until every threshold is where it was set."""
        passed = ticks_diff(time.ticks_ms(), self._set_ms)
        if 0 <= passed < _SETTLED_MS:
            time.sleep_ms(_SETTLED_MS - passed)

    def close(self):
        """Stop the PWM outputs."""
        for pwm in self._pwm:
            pwm.deinit()
