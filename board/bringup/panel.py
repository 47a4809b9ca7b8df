# The panel at the prompt: mpremote run board/bringup/panel.py. Ctrl-C ends it.
#
# First each lamp is lit for half a second, with its name. Then each key is printed when it goes down and when it is let
# go, by its input in pico/PANEL.md. It needs nothing but MicroPython. tests/pico/test_bringup_programs.py compares pins
# and lamps with pico/pins.py and wiring/parts.toml.
# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import time

from machine import SPI, Pin

PANEL_LATCH, PANEL_CLOCK, PANEL_OUT, PANEL_IN = 17, 18, 19, 16
CARD_STOP = 22
REGISTERS = 6
# Outputs of the first 74HC595 from QA on, and those of the second one that light a lamp.
FIRST = ("ready", "deal_a", "deal_b", "stop", "cover", "reader_blackjack", "reader_no_blackjack", "reader_again")
SECOND = {0: "clean", 3: "entered", 4: "unlocked"}

Pin(CARD_STOP, Pin.OUT, value=0)
latch = Pin(PANEL_LATCH, Pin.OUT, value=1)
Pin(PANEL_IN, Pin.IN, Pin.PULL_UP)
chain = SPI(0, baudrate=1000000, sck=Pin(PANEL_CLOCK), mosi=Pin(PANEL_OUT), miso=Pin(PANEL_IN))


def scan(second=0, first=0):
    """Show these outputs, and return the keys: a byte for each 74HC165, a pressed key is 0."""
    keys = bytearray(REGISTERS)
    chain.write_readinto(bytes(REGISTERS - 2) + bytes((second, first)), keys)
    latch.value(0)
    latch.value(1)
    return keys


def lamps():
    for i, name in enumerate(FIRST):
        print("lamp", name)
        scan(first=1 << i)
        time.sleep_ms(500)
    for i, name in SECOND.items():
        print("lamp", name)
        scan(second=1 << i)
        time.sleep_ms(500)
    scan()


def keys():
    print("now the keys")
    before = bytes((255,)) * REGISTERS
    while True:
        now = scan()
        for place in range(8 * REGISTERS):
            bit = 1 << place % 8
            if (now[place // 8] ^ before[place // 8]) & bit:
                how = "let go" if now[place // 8] & bit else "down"
                print("key %d%s %s" % (place // 8 + 1, "ABCDEFGH"[place % 8], how))
        before = now
        time.sleep_ms(20)


lamps()
keys()
