"""What each GPIO of an RP2040 can be, as the function table of its datasheet has it, and where a Pico brings it out."""

from __future__ import annotations

# Pin of the Raspberry Pi Pico's header for each GPIO that it brings out.
HEADER = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
    16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
POWER = {
    3: "GND", 8: "GND", 13: "GND", 18: "GND", 23: "GND", 28: "GND", 30: "RUN", 33: "AGND", 35: "ADC_VREF",
    36: "3V3", 37: "3V3_EN", 38: "GND", 39: "VSYS", 40: "VBUS",
}  # fmt: skip
GPIOS = 30


def header() -> list[str]:
    """What each pin of a Pico's header is, from pin 1 on: GP0, GP1, GND, ..."""
    names = {pin: f"GP{gpio}" for gpio, pin in HEADER.items()} | POWER
    return [names[pin] for pin in range(1, len(names) + 1)]


def functions(gpio: int) -> tuple[str, ...]:
    """What GPIO `gpio` can be."""
    spi = ("RX", "CSn", "SCK", "TX")[gpio % 4]
    uart = ("TX", "RX", "CTS", "RTS")[gpio % 4]
    found = ["GPIO", "PIO0", "PIO1", "PWM", pwm(gpio), f"SPI{gpio // 8 % 2} {spi}", f"UART{(gpio + 4) // 8 % 2} {uart}"]
    if gpio >= 26:
        found += ["ADC", adc(gpio)]
    return tuple(found)


def pwm(gpio: int) -> str:
    """Slice and channel of the PWM on `gpio`."""
    return f"PWM{gpio // 2 % 8}{'AB'[gpio % 2]}"


def adc(gpio: int) -> str:
    """The converter's input on `gpio`."""
    return f"ADC{gpio - 26}"


def named(function: str, gpio: int) -> str:
    """`function` as precisely as `gpio` decides it."""
    if function == "PWM":
        return pwm(gpio)
    return adc(gpio) if function == "ADC" else function
