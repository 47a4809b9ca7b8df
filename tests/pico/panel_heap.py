"""Scan `pico.panel` from its interrupt on MicroPython with the heap locked, as it is then; print what was pressed.

    micropython panel_heap.py <board folder> <firmware folder>

SPI and pins are stood in for; a scan that allocates ends in a MemoryError.
"""

import sys

import micropython

for folder in sys.argv[2:0:-1]:
    sys.path.insert(0, folder)


class Pin:
    IN = OUT = PULL_UP = 0

    def __init__(self, number, *how, value=0):
        pass

    def value(self, level):
        pass


class Spi:
    state = bytearray(b"\xff" * 6)

    def __init__(self, number, **how):
        pass

    def write_readinto(self, out, into):
        for i in range(6):
            into[i] = Spi.state[i]


class Timer:
    PERIODIC = 1
    call = None

    def __init__(self, **how):
        Timer.call = how["callback"]


class Module:
    pass


machine = Module()
machine.Pin, machine.SPI, machine.Timer = Pin, Spi, Timer
sys.modules["machine"] = machine

from pico.panel import Panel  # noqa: E402

now = (1 << 29) - 50  # the wrap of ticks_ms and large numbers are gone through
panel = Panel(lambda: now)


def scans(count):
    """So many interrupts."""
    global now
    for _ in range(count):
        now = now + 4 & 0x3FFFFFFF
        micropython.heap_lock()
        try:
            Timer.call(None)
        finally:
            micropython.heap_unlock()


scans(5)
panel.poll()
pressed = []
for number in range(300):
    place = number * 7 % 40
    Spi.state[place >> 3] = 0xFF & ~(1 << (place & 7))
    scans(4)
    Spi.state[place >> 3] = 0xFF
    scans(4)
    panel.poll()
    key = panel.read_key()
    while key >= 0:
        pressed.append(key & 0xFF)
        key = panel.read_key()
print("functions", len(pressed), "different", len(set(pressed)))
