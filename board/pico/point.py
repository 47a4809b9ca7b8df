"""One point of the board's clock, at which all that was made ready begins to leave: line, lamps, card stop.

How long Python takes to begin something depends on what ran before: on where the heap is free, on what the flash's
cache holds, on an interrupt that comes just then. Nobody at the line may see that. So all is made ready before, and at
the point machine code carries out a list of stores to registers, with interrupts off and nothing else to do.

Flash operations begin at places behind the last point, one after the other, for the same reason.
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


_TICKS_BITS = const(30)
_TIMER_US = const(0x40054028)  # TIMERAWL, the counter that ticks_us() reads
_CACHE = const(0x14000000)  # XIP_CTRL, the flash cache's registers
_FLUSH = const(1)  # writing 1 empties the cache, and reading waits until it is empty
_GPIO_IN = const(0xD0000004)
_SET_HIGH = const(0xD0000014)
_SET_LOW = const(0xD0000018)
# Before the point interrupts are off and all is made ready, which takes 0.4 ms, and twice that with an empty flash
# cache. An interrupt that came just before, a scan of the panel of 0.2 ms, is over by then.
_READY_US = const(1000)
# Where behind the point the first flash operations begin: those of one card. Each place lies 0.4 ms or more behind the
# time at which Python asks for it, with an empty flash cache too (firmware/SECURITY.md). So neither the heap nor the
# cache decides when it begins.
_PLACES_US = (2432, 6592, 8320)
_FURTHER_US = const(2048)  # operations that are asked for later begin at a whole number of these behind their place
_REACH_US = const(10240)  # a place that lies farther ahead is one of an older point
_SOON_US = const(96)  # what machine code needs to get ready, with an empty flash cache

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
        self._point_us = 0  # the last one
        self._operations = 0  # of the flash, since then

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
        if began:
            self._point_us = ticks_us
            self._operations = 0
        else:
            if shifted:
                panel.take_back()
            if armed:
                line.disarm()
        return bool(began)

    def operate(self, operation, first, second, third=-1):
        """Call a flash operation at its place behind the last point, interrupts off; a negative `third` is left out."""
        number = self._operations
        self._operations = number + 1
        begin = before_place(self._point_us, _PLACES_US[number] if number < len(_PLACES_US) else 0)
        state = disable_irq()
        try:
            at_place(operation, first, second, third, begin)
        finally:
            enable_irq(state)


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


@micropython.viper
def before_place(point_us: int, behind_us: int) -> int:  # pyright: ignore
    """Wait until shortly before an operation begins, with interrupts on, and return when that is.

    It is so long behind the point, or a whole number of _FURTHER_US more if that is too soon.
    """
    timer = ptr32(_TIMER_US)
    soon = int(timer[0]) + _SOON_US
    bits = _TICKS_BITS
    mask = (1 << bits) - 1
    ahead = point_us + behind_us - soon & mask
    if ahead >= _REACH_US:
        ahead &= _FURTHER_US - 1
    begin = soon + ahead & mask
    while (int(timer[0]) + _READY_US - begin) & 0x20000000 != 0:
        pass
    return begin


@micropython.viper
def at_place(operation, first, second, third: int, begin_us: int):  # pyright: ignore
    """Call `operation` when the chip's counter of microseconds is at `begin_us`; without `third` where it is negative.

    If an interrupt came and that is too soon now, it begins _FURTHER_US later.

    The flash cache is emptied before: what lay in it depends on what ran. From then on only machine code runs, and it
    fetches the same lines each time. So the operation reaches the flash chip as long behind `begin_us` each time.
    """
    timer = ptr32(_TIMER_US)
    begin = begin_us
    while (begin - int(timer[0]) - _SOON_US) & 0x20000000 != 0:
        begin += _FURTHER_US
    cache = ptr32(_CACHE)
    cache[_FLUSH] = 1
    int(cache[_FLUSH])
    while (int(timer[0]) - begin) & 0x20000000 != 0:
        pass
    if third < 0:
        operation(first, second)
    else:
        operation(first, second, third)
