"""One point of the board's clock, at which all that was made ready begins to leave: line, lamps, card stop.

How long Python takes to begin something depends on what ran before: on where the heap is free, on what the flash's
cache holds, on an interrupt that comes just then. Nobody at the line may see that. So all is made ready before, and at
the point machine code carries out a list of stores to registers, with interrupts off and nothing else to do.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportIndexIssue=false
from array import array

from machine import disable_irq, enable_irq, mem32
from shoe.compat import MICROPYTHON, const, micropython

from pico import pins

if not MICROPYTHON:

    def ptr32(address):
        """Return what lies at `address`, which the machine code gets at by itself."""
        return address


_TIMER_US = const(0x40054028)  # TIMERAWL, the counter that ticks_us() reads
_CACHE = const(0x14000000)  # XIP_CTRL, the flash cache's registers
_FLUSH = const(1)  # writing 1 empties the cache, and reading waits until it is empty
_GPIO_IN = const(0xD0000004)
_SET_HIGH = const(0xD0000014)
_SET_LOW = const(0xD0000018)
# Before the point interrupts are off and all is made ready, which takes 0.4 ms, and twice that with an empty flash
# cache. An interrupt that came just before, a scan of the panel of 0.2 ms, is over by then.
_READY_US = const(1000)
# The first flash operation of a card is asked for 0.88 to 1.02 ms or 1.40 to 1.86 ms behind a point, a multiple
# of 1,024 (firmware/SECURITY.md), and up to 0.04 ms later by where the heap is free. No step begins near these times.
_BEHIND_US = const(256)

# Places in the list, which has an address and a value for each store. A value of 0 changes nothing there.
_LATCH_LOW = const(1)
_LATCH_HIGH = const(3)
_RELEASE = const(5)
_ENGAGE = const(7)
_WITHOUT_LINE = const(8)


class Point:
    """`line`: UartLine or CdcLine, `panel`: Panel, `optics`: Optics. The card stop holds while its pin is low."""

    def __init__(self, line, panel, optics):
        self._line = line
        self._panel = panel
        self._optics = optics
        outputs = [_SET_LOW, 0, _SET_HIGH, 0, _SET_HIGH, 0, _SET_LOW, 0]
        self._stores = array("I", outputs + list(line.begins))

    def at(self, ticks_us, heads, lamps, stop):
        """Begin at `ticks_us`, which is soon: True. False when edges of `heads` come before, and nothing began.

        `lamps`: mask that is to be shown, -1 for as it is. `stop`: 1 engages the card stop, 0 releases it, -1 neither.
        """
        spin(ticks_us - _READY_US)
        state = disable_irq()
        try:
            watched = self._optics.pins(heads)
            levels = mem32[_GPIO_IN] & watched  # taken first: a change from now on is seen here or there
            return not self._optics.unread(heads) and self._begin(ticks_us, watched, levels, lamps, stop)
        finally:
            enable_irq(state)

    def _begin(self, ticks_us, watched, levels, lamps, stop):
        line = self._line
        panel = self._panel
        stores = self._stores
        shifted = lamps >= 0 and panel.shift(lamps)
        armed = line.arm()
        stores[_LATCH_LOW] = stores[_LATCH_HIGH] = shifted << pins.PANEL_LATCH
        stores[_RELEASE] = (stop == 0) << pins.CARD_STOP
        stores[_ENGAGE] = (stop == 1) << pins.CARD_STOP
        began = carry_out(ticks_us, stores, len(stores) if armed else _WITHOUT_LINE, watched, levels)
        if not began:
            if shifted:
                panel.take_back()
            if armed:
                line.disarm()
        return bool(began)


@micropython.viper
def spin(ticks_us: int):  # pyright: ignore
    """Return when the chip's counter of microseconds is at `ticks_us`, which lies less than 2^29 ahead."""
    timer = ptr32(_TIMER_US)
    while (timer[0] - ticks_us) & 0x20000000 != 0:  # pyright: ignore
        pass


@micropython.viper
def carry_out(ticks_us: int, stores: ptr32, n: int, watched: int, levels: int) -> int:  # pyright: ignore
    """Carry out the first `n` // 2 stores at `ticks_us`: 1. Return 0 as soon as the watched pins leave `levels`."""
    timer = ptr32(_TIMER_US)
    inputs = ptr32(_GPIO_IN)
    while (int(timer[0]) - ticks_us) & 0x20000000 != 0:
        if int(inputs[0]) & watched != levels:
            return 0
    at = 0
    while at < n:
        register = ptr32(stores[at])
        register[0] = stores[at + 1]
        at += 2
    return 1


def on_grid(operation, first, second, third=-1):
    """Call a flash operation at the next step of 1,024 µs, interrupts off; without `third` where that is negative."""
    state = disable_irq()
    try:
        at_step(operation, first, second, third)
    finally:
        enable_irq(state)


@micropython.viper
def at_step(operation, first, second, third: int):  # pyright: ignore
    """Call `operation` when the chip's counter of microseconds is 256 behind the next multiple of 1,024.

    The flash cache is emptied before: what lay in it depends on what ran. From the step on only machine code runs, and
    it fetches the same lines each time. So the operation begins as long behind the step whatever went before.
    """
    cache = ptr32(_CACHE)
    cache[_FLUSH] = 1
    int(cache[_FLUSH])
    timer = ptr32(_TIMER_US)
    begin = int(timer[0]) - _BEHIND_US >> 10  # pyright: ignore
    while int(timer[0]) - _BEHIND_US >> 10 == begin:  # pyright: ignore
        pass
    if third < 0:
        operation(first, second)
    else:
        operation(first, second, third)
