# What the read heads see, at the prompt: mpremote run board/bringup/head.py. Ctrl-C ends it.
#
# It needs nothing but MicroPython, so a head can be looked at before the firmware is on the board. The thresholds stand
# in the middle. A head is printed when its lines have changed and then stayed: 1 is dark, with each line's level in
# volts beside it, which is high in the dark. The levels come through the multiplexers, whose select bits are in the
# panel's chain. tests/pico/test_bringup_programs.py compares the pins with pico/pins.py.
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import time

from machine import ADC, PWM, SPI, Pin

LINES = ("PRESENT", "CLOCK_A", "CLOCK_B", "DATA")
HEADS = (("side A", 3, 15, 26), ("side B", 7, 20, 27), ("reader", 11, 21, 28))  # first line, threshold, level
PANEL_LATCH, PANEL_CLOCK, PANEL_OUT, PANEL_IN = 17, 18, 19, 16
CARD_STOP = 22
STAYED_MS = 300

Pin(CARD_STOP, Pin.OUT, value=0)
latch = Pin(PANEL_LATCH, Pin.OUT, value=1)
chain = SPI(0, baudrate=1000000, sck=Pin(PANEL_CLOCK), mosi=Pin(PANEL_OUT), miso=Pin(PANEL_IN))
lines = [[Pin(first + i, Pin.IN, Pin.PULL_DOWN) for i in range(4)] for _, first, _, _ in HEADS]
thresholds = [PWM(Pin(pin), freq=30000, duty_u16=32768) for _, _, pin, _ in HEADS]
levels = [ADC(Pin(pin)) for _, _, _, pin in HEADS]


def volts(head, line):
    """The level of one line: the select bits go into the second shift register, all lamps stay off."""
    chain.write(bytes((line << 1, 0)))
    latch.value(0)
    latch.value(1)
    time.sleep_ms(1)
    return levels[head].read_u16() * 3.3 / 65535


def show(head):
    told = ["%s %d %.2f V" % (LINES[i], lines[head][i].value(), volts(head, i)) for i in range(4)]
    print("%s  %s" % (HEADS[head][0], "  ".join(told)))


def watch():
    shown = [[]] * 3
    seen = [[]] * 3
    since = [0] * 3
    while True:
        for head in range(3):
            now = [line.value() for line in lines[head]]
            if now != seen[head]:
                seen[head] = now
                since[head] = time.ticks_ms()
            elif now != shown[head] and time.ticks_diff(time.ticks_ms(), since[head]) >= STAYED_MS:
                shown[head] = now
                show(head)
        time.sleep_ms(10)


watch()
