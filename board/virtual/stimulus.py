"""The simulator's side channel: messages u8 type, u16 LE length, body; in on standard input, out on standard output."""

import struct
from array import array

from shoe.compat import const

_CAPACITY = const(512)
NOTHING = const(0)
EDGES = const(1)
KEY = const(2)
TIME = const(3)
SYNC = const(4)
CUT = const(5)
QUIT = const(6)
LEVELS = const(7)
_HEADS = const(3)
_BRIGHT = const(12000)
_DARK = const(52000)

_TYPES = {0x45: EDGES, 0x4B: KEY, 0x54: TIME, 0x53: SYNC, 0x50: CUT, 0x51: QUIT, 0x41: LEVELS}
_SIZES = {KEY: 2, TIME: 8, SYNC: 4, CUT: 4, QUIT: 0, LEVELS: 9}


class Stimulus:
    """Parses the incoming stream one message at a time, so that edges and keys keep their order."""

    def __init__(self):
        self._buf = bytearray(_CAPACITY)
        self._view = memoryview(self._buf)
        self._start = 0
        self._end = 0
        self._skip = 0
        self.head = 0
        self.edge_bytes = 0  # of the edge message that is being read
        self.first = 0
        self.second = 0
        self._levels = None  # four a head, once the simulator has sent any
        self._lines = bytearray(_HEADS)

    def fill(self, file):
        """Read what has come from non-blocking `file`; return the number of bytes, 0 at its end, -1 for none."""
        if self._start:
            n = self._end - self._start
            self._buf[:n] = self._view[self._start : self._end]
            self._start = 0
            self._end = n
        n = file.readinto(self._view[self._end :])
        if n is None:
            return -1
        self._end += n
        return n

    def peek(self):
        """Kind of the message that stands next, NOTHING when that is not known."""
        return _TYPES.get(self._buf[self._start], NOTHING) if self._end > self._start else NOTHING

    def next(self):
        """Take the next whole message; NOTHING when more bytes are needed. Values are in `first`, `second`."""
        while True:
            n = min(self._skip, self._end - self._start)
            self._start += n
            self._skip -= n
            if self._skip or self._end - self._start < 3:
                return NOTHING
            letter, length = struct.unpack_from("<BH", self._buf, self._start)
            kind = _TYPES.get(letter, NOTHING)
            if kind == EDGES and length >= 1:
                if self._end - self._start < 4:
                    return NOTHING
                self.head = self._buf[self._start + 3]
                self._start += 4
                self.edge_bytes = (length - 1) // 5 * 5
                self._skip = (length - 1) % 5
                if self.edge_bytes:
                    return EDGES
                continue
            if kind not in _SIZES or length != _SIZES[kind]:
                self._start += 3
                self._skip = length
                continue
            if self._end - self._start < 3 + length:
                return NOTHING
            at = self._start + 3
            if kind == LEVELS:
                self._take_levels(at)
            elif kind == KEY:
                self.first = self._buf[at]
                self.second = self._buf[at + 1]
            elif length >= 4:
                (self.first,) = struct.unpack_from("<I", self._buf, at)
                if length == 8:
                    (self.second,) = struct.unpack_from("<I", self._buf, at + 4)
            self._start += 3 + length
            return kind

    def _take_levels(self, at):
        """Keep the levels of the message at `at`."""
        head = self._buf[at]
        if head < _HEADS:
            if self._levels is None:
                self._levels = array("H", [_BRIGHT] * (4 * _HEADS))
            for line in range(4):
                self._levels[4 * head + line] = self._buf[at + 1 + 2 * line] | self._buf[at + 2 + 2 * line] << 8

    def levels_of(self, head, into, lines):
        """Put the levels of those lines of `head` that are in the mask `lines` into their places of `into`."""
        levels = self._levels
        for line in range(4):
            if lines >> line & 1:
                if levels is not None:
                    into[line] = levels[4 * head + line]
                else:
                    into[line] = _DARK if self._lines[head] >> line & 1 else _BRIGHT

    def edges_ready(self):
        """True when at least one edge of the message in hand can be taken."""
        return self.edge_bytes > 0 and self._end - self._start >= 5

    def take_edges(self, times, lines):
        """Move edges of the message in hand into `times` and `lines`; return their number."""
        n = min(self.edge_bytes, self._end - self._start) // 5
        n = min(n, len(lines))
        at = self._start
        for i in range(n):
            (times[i],) = struct.unpack_from("<I", self._buf, at)
            lines[i] = self._buf[at + 4]
            at += 5
        self._lines[self.head] = lines[n - 1]
        self._start = at
        self.edge_bytes -= 5 * n
        return n


def message(letter, form, *values):
    """Bytes of one outgoing message."""
    return struct.pack("<BH" + form, ord(letter), struct.calcsize("<" + form), *values)
