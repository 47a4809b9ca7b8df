"""Answer requests for pieces of a page on MicroPython and print how many bytes of the heap each of them took.

    micropython-i386 request_heap.py <board folder> <firmware folder> <folder of the firmware's unit tests>

The whole application on `pico.board` and `pico.uart`, a turn of it for each request. DMA and the other parts of the
chip are stood in for: this program puts the requests into the ring, and takes out of the other one what was answered.
"""

import gc
import struct
import sys

for folder in sys.argv[3:0:-1]:
    sys.path.insert(0, folder)

import asyncio  # noqa: E402

from board_fake import FakeBoard  # noqa: E402
from link_fake import frame  # noqa: E402

REQUESTS = 40
BEFORE = 8  # that are not measured: what is made once is made then
PIECE = 64
HISTORY_READ = 6


class Flash:
    """A flash in RAM that takes nothing of the heap to be read."""

    def __init__(self, memory):
        self.pages = memory.pages
        self.page_size = memory.page_size
        self._memory = memory
        self.program = memory.program
        self.erase = memory.erase
        self._held = bytearray(self.page_size)
        self._page = -1

    def read(self, page, offset, buf):
        if Part.link is None:
            self._memory.read(page, offset, buf)
            return
        for i in range(len(buf)):
            buf[i] = self._held[offset + i]

    def hold(self, page):
        self._memory.read(page, 0, self._held)


class Part:
    """Any part of the chip, whatever it is asked."""

    link = None
    OUT = IN = PULL_DOWN = 0

    def __init__(self, *how, **more):
        pass

    def value(self, *level):
        return 0

    def nothing(self, *how, **more):
        return 0

    lamp_mask = settle = begin = close = deinit = irq = pack_ctrl = config = levels = threshold = nothing

    def feed(self):
        pass


class Optics(Part):
    def read(self, head, times, lines):
        return 0

    def lines(self, head):
        return 0

    def waiting(self):
        return False

    def due(self):
        return False

    def unread(self, heads=-1):
        return False

    def pins(self, heads):
        return 0


class Dma(Part):
    def __init__(self):
        self.channel = 0
        self.read = 0
        self.count = 0

    def active(self, on):
        pass


class Panel(Part):
    """What the board asks at each look."""

    def poll(self):
        if Part.link is not None:
            bench.turn()
        return False

    def read_key(self):
        return -1


class Module:
    def __init__(self, **content):
        for name, value in content.items():
            setattr(self, name, value)


class Bench:
    """The table's computer, and DMA."""

    def __init__(self):
        self.turns = 0
        self.used = 0
        self.answered = 0
        self.requests = ()
        self.at = 0

    def ready(self):
        epoch = app.link.epoch
        self.requests = [frame(1, b"host", 1, 0)] + [
            frame(HISTORY_READ, struct.pack("<IHH", app.journal.tail, 0, PIECE), i + 2, epoch) for i in range(REQUESTS)
        ]
        board.journal.hold(app.journal.tail % board.journal.pages)
        self.line = board._line
        Part.link = app.link

    def turn(self):
        line = self.line
        while line._sending:
            self.answered += line._sending
            line._sent(None)
        if self.turns == BEFORE:
            self.used = gc.mem_alloc()
            self.answered = 0
        if self.turns > REQUESTS:
            self.used = gc.mem_alloc() - self.used
            raise SystemExit
        ring = line._rx
        for byte in self.requests[self.turns]:
            ring[self.at] = byte
            self.at += 1
        line._rx_data.count = len(ring) - self.at
        self.turns += 1


nothing = Part().nothing
fake = FakeBoard()
flashes = [Flash(fake.journal), fake.vault, fake.store, fake.keys]
mem32 = {0xD0000004: 0}  # pins
for register in range(0x40034000, 0x40034080, 4):
    mem32[register] = 0
modules = {
    "machine": Module(Pin=Part, UART=Part, mem32=mem32, freq=nothing),
    "rp2": Module(DMA=Dma),
    "pico.chip": Module(
        take_boot_cause=nothing, unique_id=fake.unique_id, note_boot_cause=nothing, supply_mv=nothing,
        start_watchdog=Part, stop_watchdog=nothing, ms_at=fake.ms_at,
    ),
    "pico.entropy": Module(Entropy=lambda: Module(draw=fake.entropy, holds=fake.entropy_ready, work=nothing)),
    "pico.levels": Module(Levels=Part),
    "pico.optics": Module(Optics=Optics),
    "pico.panel": Module(Panel=Panel),
    "pico.partitions": Module(open_all=lambda *clock: flashes),
    "pico.point": Module(Point=lambda *parts: Module(at=lambda *how: True, operate=nothing)),
}  # fmt: skip
for name, module in modules.items():
    sys.modules[name] = module
    if name.startswith("pico."):
        setattr(__import__("pico"), name[5:], module)

import pico.board  # noqa: E402
from pico.board import PicoBoard  # noqa: E402
from pico.settings import Settings  # noqa: E402
from shoe.app.app import App  # noqa: E402


class Board(PicoBoard):
    def firmware_digest(self):
        return bytes(32)

    def ready(self, boot):
        PicoBoard.ready(self, boot)
        bench.ready()
        self._holes = 0  # which would be used up meanwhile
        gc.collect()


# On an RP2040 a place in the heap is a small integer, and 16 bytes are taken to ask for one; here it is a large one.
pico.board._lowest = lambda n: int(n + 0.5 < 0)
bench = Bench()
board = Board(Settings())
app = App(board)
try:  # noqa: SIM105
    asyncio.run(app.run())
except SystemExit:
    pass
count = REQUESTS + 1 - BEFORE
# Header, fields and CRC are 8, 8 and 4, the COBS code one more and the delimiters two.
whole = app.link.frames == REQUESTS + 1 and bench.answered == count * (PIECE + 23)
print("requests", count, "answered", whole, "bytes of the heap", bench.used // count)
