"""Raw edges of the last passes for `shoetool trace`, in a ring of preallocated slots.

A pass is served only when its face is public: it is recorded while it runs, then kept or wiped by what `dealing` made
of it. Per edge: delta_us u16 LE and lines u8; a delta of 0xFFFF adds 65,535 µs and goes on.
"""

from array import array

from shoe.compat import const, micropython, ptr8, ptr32

_EDGE = const(3)
PASSES = const(6)
EDGES = const(192)  # a card makes 106 to 132, so two do not fit
_HALF_BITS = const(29)  # half of the ticks: see CONTRIBUTING.md
_HALF = const(0x20000000)  # a time that lies back takes no time
_COUNT = const(0)  # of what runs in a head: entries, time of the last edge, room for entries
_LAST = const(1)
_ROOM = const(2)


class Trace:
    """Recorder for `heads` read heads; keeps the last `passes` public passes of at most `edges` edges each."""

    def __init__(self, heads, passes=PASSES, edges=EDGES):
        self._slots = [bytearray(edges * _EDGE) for _ in range(passes + heads)]
        self._count = [0] * len(self._slots)
        self._head = bytearray(len(self._slots))
        self._kind = bytearray(len(self._slots))
        self._progress = [array("i", [0, 0, edges]) for _ in range(heads)]
        self._running = list(range(heads))  # slot that each head records into
        self._kept = []  # slots, newest first
        self._free = list(range(heads, len(self._slots)))

    def record(self, head, times, lines, at, end):
        """Record the edges `at`..`end` - 1 of the pass that runs in `head`; what does not fit is left out."""
        _append(self._slots[self._running[head]], self._progress[head], times, lines, at, end)

    def keep(self, head, kind):
        """The pass that ran in `head` is over and public."""
        slot = self._running[head]
        self._count[slot] = self._progress[head][_COUNT]
        self._progress[head][_COUNT] = 0
        self._head[slot] = head
        self._kind[slot] = kind
        self._kept.insert(0, slot)
        fresh = self._free.pop() if self._free else self._kept.pop()
        self._running[head] = fresh

    def wipe(self, head):
        """The pass that ran in `head` is not public: overwrite it."""
        progress = self._progress[head]
        _blank(self._slots[self._running[head]], progress[_COUNT] * _EDGE)
        progress[_COUNT] = 0

    def passes(self):
        """Number of passes that can be read."""
        return len(self._kept)

    def read(self, index, offset, limit):
        """(head, kind, edges, data) of the pass `index` (0 the newest) from edge `offset` on, `limit` bytes at most.

        None when there is no such pass or edge.
        """
        if index >= len(self._kept):
            return None
        slot = self._kept[index]
        count = self._count[slot]
        if offset > count:
            return None
        end = min(count, offset + limit // _EDGE)
        view = memoryview(self._slots[slot])[offset * _EDGE : end * _EDGE]
        return self._head[slot], self._kind[slot], count, view


@micropython.viper
def _append(buf: ptr8, progress: ptr32, times: ptr32, lines: ptr8, at: int, end: int):  # pyright: ignore
    """Put edges into a slot behind those that are there."""
    n = int(progress[_COUNT])
    last = int(progress[_LAST])
    room = int(progress[_ROOM])
    bits = _HALF_BITS
    half = 1 << bits
    mask = half - 1 + half
    while at < end:
        now = int(times[at])
        delta = now - last & mask
        if n == 0 or delta >= _HALF:
            delta = 0
        last = now
        more = 1
        while more != 0 and n < room:
            more = 1 if delta >= 0xFFFF else 0
            part = 0xFFFF if delta >= 0xFFFF else delta
            delta -= part
            place = n * _EDGE
            buf[place] = part & 0xFF
            buf[place + 1] = part >> 8
            buf[place + 2] = lines[at]
            n += 1
        at += 1
    progress[_COUNT] = n
    progress[_LAST] = last


@micropython.viper
def _blank(buf: ptr8, n: int):  # pyright: ignore
    """Overwrite the first `n` bytes."""
    i = 0
    while i < n:
        buf[i] = 0
        i += 1
