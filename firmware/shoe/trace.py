"""Raw edges of the last passes for `shoetool trace`, in a ring of preallocated slots.

A pass is served only when its face is public: it is recorded while it runs, then kept or wiped by what `dealing` made
of it. Per edge: delta_us u16 LE and lines u8; a delta of 0xFFFF adds 65,535 µs and goes on.
"""

from shoe.compat import const, ticks_diff

_EDGE = const(3)
PASSES = const(6)
EDGES = const(192)  # a card makes about 130


class Trace:
    """Recorder for `heads` read heads; keeps the last `passes` public passes of at most `edges` edges each."""

    def __init__(self, heads, passes=PASSES, edges=EDGES):
        self._edges = edges
        self._slots = [bytearray(edges * _EDGE) for _ in range(passes + heads)]
        self._count = [0] * len(self._slots)
        self._head = bytearray(len(self._slots))
        self._kind = bytearray(len(self._slots))
        self._last = [0] * heads
        self._running = list(range(heads))  # slot that each head records into
        self._kept = []  # slots, newest first
        self._free = list(range(heads, len(self._slots)))

    def edge(self, head, ticks_us, lines):
        """Record one edge of the pass that runs in `head`; what does not fit is left out at the end."""
        slot = self._running[head]
        n = self._count[slot]
        buf = self._slots[slot]
        delta = ticks_diff(ticks_us, self._last[head]) if n else 0
        self._last[head] = ticks_us
        if delta < 0:
            delta = 0
        while n < self._edges:
            at = n * _EDGE
            n += 1
            if delta < 0xFFFF:
                buf[at] = delta & 0xFF
                buf[at + 1] = delta >> 8
                buf[at + 2] = lines
                break
            buf[at] = 0xFF
            buf[at + 1] = 0xFF
            buf[at + 2] = lines
            delta -= 0xFFFF
        self._count[slot] = n

    def keep(self, head, kind):
        """The pass that ran in `head` is over and public."""
        slot = self._running[head]
        self._head[slot] = head
        self._kind[slot] = kind
        self._kept.insert(0, slot)
        fresh = self._free.pop() if self._free else self._kept.pop()
        self._count[fresh] = 0
        self._running[head] = fresh

    def wipe(self, head):
        """The pass that ran in `head` is nobody's business: overwrite it."""
        slot = self._running[head]
        buf = self._slots[slot]
        for i in range(self._count[slot] * _EDGE):
            buf[i] = 0
        self._count[slot] = 0

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
