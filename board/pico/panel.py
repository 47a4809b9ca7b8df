"""The panel: keys, lamps and the select lines of the level multiplexers on one chain of shift registers, see PANEL.md.

Each scan shifts the lamps out and the keys of the scan before in, then one pulse of LATCH shows the lamps and takes the
keys. A key counts when it has been the same for three scans in a row, 6 ms or more, and once for each press: one that
is held down at the start counts when it is pressed anew. A panel that is not there reads as one without pressed keys.

A timer's interrupt scans, for a collection of memory holds everything else up for as long as a hand may press a key;
while the flash erases, no interrupt comes. MicroPython before 1.26 has no such interrupt: there `poll` scans.
"""

# pyright: reportMissingImports=false
from machine import SPI, Pin, Timer
from shoe.compat import const, ticks_add, ticks_diff

from pico import panel_keys as k
from pico import pins

_BAUD = const(1000000)
_SCAN_MS = const(4)
_APART_MS = const(3)  # two scans, at least: what a timer has missed it makes up for at once
_LATE_MS = const(8)  # after which no timer scans
_SAME = const(2)  # scans that repeat the one before
_STATES = const(8)  # that wait for `poll`
_FORGET_MS = const(10000)  # what was entered, when its function does not come
_QUEUE = const(8)
_LAMPS = const(5)  # byte of the chain that ends up in the 74HC595 next to the Pico: the lamps 0 to 7 of enum.lamp
_MORE = const(4)  # and in the second one
_LAMP_8 = const(1)
_SELECT = const(1)  # position of the two select bits
_ENTERED = const(8)  # something was entered and waits for its function
_UNLOCKED = const(16)  # the key switch is turned


class Panel:
    """`keys` False: nothing is taken in; lamps and select lines go out all the same. `ticks_ms()`: the board's time."""

    def __init__(self, ticks_ms, keys=True):
        self._ticks_ms = ticks_ms
        self._with_keys = keys
        self._latch = Pin(pins.PANEL_LATCH, Pin.OUT, value=1)
        Pin(pins.PANEL_IN, Pin.IN, Pin.PULL_UP)  # SPI leaves the pull as it is: no panel, no key
        self._spi = SPI(
            0, baudrate=_BAUD, sck=Pin(pins.PANEL_CLOCK), mosi=Pin(pins.PANEL_OUT), miso=Pin(pins.PANEL_IN)
        )  # fmt: skip
        self._out = bytearray(k.REGISTERS)  # as many as come in; the last two stay in the 74HC595s
        self._back = bytearray(2)  # what `take_back` puts there
        self._in = bytearray(k.REGISTERS)  # a pressed key is 0
        self._last = bytearray(k.REGISTERS)
        self._same = 0
        self._scanning = False
        self._scanned = ticks_ms()
        self._states = bytearray(_STATES * k.REGISTERS)  # settled ones, a ring
        self._taken = 0  # how many came, in a byte
        self._looked = 0  # how many `poll` has been through
        self._keys = bytearray(k.REGISTERS)  # the last of them
        self._settled = False
        self._unlocked = False
        self._queue = bytearray(2 * _QUEUE)
        self._queued = 0
        self._clear()
        self._scan()
        self._timer = self._start_timer() if keys else None

    # ------------------------------------------------------------------------------------------------ outputs
    def lamp_mask(self, mask):
        """Light exactly the lamps of `mask` (bits of enum.lamp), at once."""
        if self._set(mask):
            self._scan()

    def shift(self, mask):
        """Make the lamps of `mask` ready: a pulse of LATCH shows them. False when they are lit already.

        No interrupt may scan before that pulse, or before `take_back`.
        """
        self._back[0] = self._out[_LAMPS]
        self._back[1] = self._out[_MORE]
        if not self._set(mask):
            return False
        self._spi.write_readinto(self._out, self._in)
        return True

    def take_back(self):
        """The pulse did not come: the lamps stay as they were."""
        self._out[_LAMPS] = self._back[0]
        self._out[_MORE] = self._back[1]

    def _set(self, mask):
        """Put the lamps of `mask` into what is shifted out; False when they were in it."""
        out = self._out
        more = out[_MORE] & ~_LAMP_8 & 0xFF | mask >> 8 & _LAMP_8
        if mask & 0xFF == out[_LAMPS] and more == out[_MORE]:
            return False
        out[_LAMPS] = mask & 0xFF
        out[_MORE] = more
        return True

    def select(self, line):
        """Lead line `line` (0 to 3) of every head to the head's analogue input, at once."""
        self._out[_MORE] = self._out[_MORE] & ~(3 << _SELECT) & 0xFF | line << _SELECT
        self._scan()

    def _own_lamp(self, bit, on):
        """One of the panel's own lamps, shown with the next scan."""
        self._out[_MORE] = self._out[_MORE] | bit if on else self._out[_MORE] & ~bit & 0xFF

    def close(self):
        """Dark lamps; the bus is given back."""
        if self._timer is not None:
            self._timer.deinit()
            self._timer = None
        for i in range(k.REGISTERS):
            self._out[i] = 0
        self._scan()
        self._spi.deinit()

    # ------------------------------------------------------------------------------------------------ inputs
    def _start_timer(self):
        """The timer that scans, None where there is none."""
        try:
            return Timer(period=_SCAN_MS, mode=Timer.PERIODIC, callback=self._tick, hard=True)  # pyright: ignore
        except TypeError:
            return None

    def _tick(self, _):
        """Scan when it is time. It is an interrupt in the middle of anything: it allocates nothing."""
        now = self._ticks_ms()
        if self._scanning or 0 <= ticks_diff(now, self._scanned) < _APART_MS:
            return
        self._scanned = now
        self._scan()
        came = self._in
        last = self._last
        if came != last:
            for i in range(k.REGISTERS):
                last[i] = came[i]
            self._same = 0
        elif self._same < _SAME and self._taken - self._looked & 0xFF < _STATES:
            self._same += 1
            if self._same == _SAME:
                at = self._taken % _STATES * k.REGISTERS
                for i in range(k.REGISTERS):
                    self._states[at + i] = came[i]
                self._taken = self._taken + 1 & 0xFF

    def poll(self):
        """Take in what was pressed; True while a key waits to be read."""
        if self._with_keys:
            now = self._ticks_ms()
            if not 0 <= ticks_diff(now, self._scanned) < (_SCAN_MS if self._timer is None else _LATE_MS):
                self._tick(None)
            while self._looked != self._taken:
                self._settle(now)
                self._looked = self._looked + 1 & 0xFF
            if self._entered and ticks_diff(now, self._until) >= 0:
                self._clear()
        return self._queued > 0

    def read_key(self):
        """The key that was pressed first as key | argument << 8, -1 for none."""
        if not self._queued:
            return -1
        queue = self._queue
        key = queue[0] | queue[1] << 8
        self._queued -= 1
        for i in range(2 * self._queued):
            queue[i] = queue[i + 2]
        return key

    def _scan(self):
        self._scanning = True
        self._spi.write_readinto(self._out, self._in)
        self._latch.value(0)
        self._latch.value(1)
        self._scanning = False

    def _settle(self, now):
        """The keys have not changed for long enough: press what went down since they were settled last."""
        at = self._looked % _STATES * k.REGISTERS
        keys = self._keys
        states = self._states
        locked = states[at + (k.LOCK >> 3)] >> (k.LOCK & 7) & 1
        self._unlocked = not locked
        for register in range(k.REGISTERS):
            state = states[at + register]
            down = keys[register] & ~state if self._settled else 0
            keys[register] = state
            for bit in range(8):
                if down >> bit & 1:
                    self._press(8 * register + bit, now)
        self._settled = True
        self._own_lamp(_UNLOCKED, self._unlocked)

    def _press(self, place, now):
        key = k.MEANINGS[place]
        if key in (k.NOTHING, k.SWITCH_LOCK):
            return
        if key < k.BOX:
            if (place < k.LOCKED or self._unlocked) and self._queued < _QUEUE:
                self._queue[2 * self._queued] = key
                self._queue[2 * self._queued + 1] = self._argument(key)
                self._queued += 1
            self._clear()
            return
        if key == k.CANCEL:
            self._clear()
            return
        if key < k.SIDE_A:
            self._box = key - k.BOX
            self._boxes ^= 1 << self._box - 1
        elif key <= k.SIDE_B:
            self._side = key - k.SIDE_A
        elif key == k.EXPOSED:
            self._exposed = 1
        else:
            self._more |= 16 << key - k.FIRST
        self._entered = True
        self._until = ticks_add(now, _FORGET_MS)
        self._own_lamp(_ENTERED, True)

    def _argument(self, key):
        """What was entered before function `key`, as enum.key says."""
        if key in k.BOXES:
            return self._boxes
        if key in k.NUMBER:
            return self._box
        if key in k.BOX_AND_MORE:
            return self._box | self._more
        if key in k.SIDES:
            return self._side
        return self._exposed if key in k.SHOWN else 0

    def _clear(self):
        """Forget what was entered."""
        self._entered = False
        self._until = 0
        self._box = 0
        self._boxes = 0
        self._side = 0
        self._exposed = 0
        self._more = 0
        self._own_lamp(_ENTERED, False)
