"""Wait as the board does on MicroPython with a heap full of small holes, and print how many it leaves in front.

micropython-i386 holes_heap.py <board folder> <firmware folder>

With micropython-amd64 the last line alone counts: there an address takes no memory, as on the chip. With i386 it takes
some, so holes are left there again; but its blocks have the chip's size, by which the end of the holes is known.
"""

import gc
import sys
from array import array

for folder in sys.argv[2:0:-1]:
    sys.path.insert(0, folder)

KEPT = 150
RUN = 20
STRAY = 64  # bytes: a living object or two may lie in a free piece, as the board's own numbers do here
GARBAGE = 600  # objects of 32 bytes or more


class Part:
    """Any part of the chip: nothing is there to be done."""

    OUT = 0

    def __init__(self, *how):
        pass

    def poll(self, card=None):  # takes no memory: that would use up holes
        return False

    def ipoll(self, ms):
        return ""

    ready = waiting = work = busy = poll


class Optics(Part):
    """A card's first edge comes during each collection, so that it is the looks after it that use up holes."""

    came = False

    def unread(self):
        came, Optics.came = Optics.came, False
        return came


class Gc:
    """The board's gc."""

    mem_free = gc.mem_free

    @staticmethod
    def collect():
        gc.collect()
        Optics.came = True


class Machine:
    Pin = Part


class Time:
    """The board's clock: only a sleep takes time, so that a wait makes as many turns on a busy machine."""

    now = 0

    @staticmethod
    def ticks_ms():
        return Time.now

    @staticmethod
    def sleep_ms(n):
        Time.now += n


sys.modules["machine"] = Machine
import pico.board  # noqa: E402
from pico.board import PicoBoard  # noqa: E402

pico.board.gc = Gc
pico.board.time = Time


class Board(PicoBoard):
    def __init__(self):
        self.heads = 0
        self._line = self._panel = self._entropy = self._prompt = Part()
        self._optics = Optics()
        self._holes = self._most_holes = 42
        self._run = self._behind = self._room = 0
        self._measured = True
        self._typing = False
        self._card = self._sees_card


def fragments(n):
    """Objects of 16 to 64 bytes that stay, with holes of 16 to 80 bytes between them."""
    kept = []
    for i in range(n):
        hole = (i,) * (1 + i % 17)
        kept.append((i,) * (1 + i % 13))
        del hole
    return kept


def collects(n):
    """Make enough garbage to be collected. Whether the board did in its next wait."""
    for i in range(n):
        _ = (i,) * 6
    before = gc.mem_alloc()
    board.wait(60)
    return gc.mem_alloc() < before


def holes(n):
    """Objects that are made before those follow that lie one behind the other; n at most."""
    for i in range(n + RUN):
        places[i] = id(i + 0.5)
    least = min(n for n in (places[i + 1] - places[i] for i in range(n)) if n > 0)
    for i in range(n):
        if 0 < places[i + RUN] - places[i] <= RUN * least + STRAY:
            return i
    return n


places = array("I", bytes(4 * (KEPT + RUN)))
board = Board()
kept = fragments(KEPT)
board.wait(60)
print("collected", collects(GARBAGE), end=" ")
board.wait(60)
print("holes", holes(KEPT), end=" ")
gc.collect()
print("elsewhere", holes(KEPT) > KEPT // 10, end=" ")
gc.collect()
board.wait(60)
board.wait(60)
print("holes", holes(KEPT), len(kept) == KEPT)
start = fragments(KEPT)
gc.collect()
for_good = pico.board._fill_for_good()
gc.collect()
left, n = holes(KEPT), 0
while for_good:
    for_good, n = for_good[0], n + 1
print("for good", left, "stopped", n < 42 * 64, len(start) == KEPT)
