"""A board in memory for tests of the application: scripted inputs, everything that goes out is kept."""

import asyncio
import gc
import sys

from card_pulls import frame, pulled
from flash_memory import MemoryFlash, Power
from shoe.app import recovery
from shoe.reading import card_code

PAGE = 256
PAGES = (16, 2, 12, 3)  # journal, vault, store, keys (without room for a signing key)
_CHIPS = [bytearray(pages * PAGE) for pages in PAGES]  # one set for all boards: a small heap goes to pieces otherwise
TICKS = 1 << 30
_SLOTS_MORE = 80  # behind the end of a script


class FakeBoard:
    """The board interface over a script, whose steps `wait` takes one after another before it ends with SystemExit.

    ("key", key, argument), ("edges", head, edges), ("card", head, card, batch), ("link", bytes), ("ms", milliseconds
    that pass), ("call", function).
    """

    name = "fake"
    heads = 2
    cards = "poker"

    def __init__(self, script=(), start_ms=TICKS - 3, seed=1):
        gc.collect()
        self.power = Power(seed=seed)
        for chip in _CHIPS:
            for start in range(0, len(chip), PAGE):
                chip[start : start + PAGE] = b"\xff" * PAGE
        self.journal, self.vault, self.store, self.keys = [
            MemoryFlash(pages, self.power, PAGE, chip) for pages, chip in zip(PAGES, _CHIPS)
        ]
        self.script = list(script)
        self.cause = 0
        self.ms = start_ms
        self.us = TICKS - 5
        self.lamps = 0
        self.stop = False
        self.shown = []
        self.sent = bytearray()
        self.fed = 0
        self.booted = []
        self.entropy_fails = False
        self.entropy_there = True
        self.waited = []  # for each `until`: the time, and where the sent bytes and what was shown were
        self.collected = 0
        self.work_slots = 40
        self.firmware = bytes(range(32))
        self.lost = -1
        self.loss = -1  # what read_edges says of it
        self.busy_programs = 0  # programs and erases while a card was in the throat
        self._drawn = 0
        self._key = -1
        self._left = _SLOTS_MORE
        self._part = 0  # µs of the millisecond
        self._edges = ()
        self._head = 0
        self._at = 0
        self._link = b""
        self.dark = bytearray(3)  # lines of each head that are dark
        self.level = [[12000, 52000] for _ in range(12)]  # bright and dark, four lines a head
        self.thresholds = {}
        self.measured = []  # (head, lines, what was dark) of each measurement

    def unique_id(self):
        return b"fakeshoe"

    def entropy(self, n):
        """Numbers that never repeat, the same in each run."""
        if self.entropy_fails:
            raise OSError(5)
        out = bytearray(n)
        for i in range(n):
            self._drawn = (self._drawn * 1103515245 + 12345) & 0x3FFFFFFF
            out[i] = self._drawn >> 16 & 0xFF
        return bytes(out)

    def entropy_ready(self, n):
        return self.entropy_there

    def firmware_digest(self):
        return self.firmware

    def boot_cause(self):
        return self.cause

    def read_edges(self, head, times, lines):
        if self.lost == head:
            self.lost = -1
            return self.loss
        if head != self._head:
            return 0
        n = 0
        while n < len(lines) and self._at < len(self._edges):
            times[n], lines[n] = self._edges[self._at]
            self.us = times[n]
            self.dark[head] = lines[n]
            self._at += 1
            n += 1
        if self._at == len(self._edges):
            self._edges = ()
            self._at = 0
        return n

    def edges_wait(self, heads=-1):
        return self._at < len(self._edges) or self.lost >= 0

    def levels(self, head, into, lines=15):
        self.measured.append((head, lines, self.dark[head]))
        for line in range(4):
            if lines >> line & 1:
                into[line] = self.level[4 * head + line][self.dark[head] >> line & 1]

    def threshold(self, head, value):
        self.thresholds[head] = value

    def read_key(self):
        key = self._key
        self._key = -1
        return key

    def lamp_mask(self, mask):
        self.lamps = mask

    def card_stop(self, on):
        self.stop = on
        if not self.shown or self.shown[-1] != (self.lamps, on):
            self.shown.append((self.lamps, on))

    def ready(self, boot):
        self.booted.append(boot)

    def link_read(self, buf):
        n = min(len(buf), len(self._link))
        buf[:n] = self._link[:n]
        self._link = self._link[n:]
        return n

    def link_write(self, buf, n):
        self.sent.extend(bytes(memoryview(buf)[:n]))
        return n

    def link_load(self, buf, n):
        return 0  # all of it begins with `link_write`

    def ticks_us(self):
        return self.us

    def ticks_ms(self):
        return self.ms

    def ms_at(self, ticks_us):
        return (self.ms - ((self.us - ticks_us + TICKS // 2) % TICKS - TICKS // 2) // 1000) % TICKS

    def show(self, lamps, stop):
        """What `until` shows at its time."""
        if lamps >= 0:
            self.lamp_mask(lamps)
        if stop >= 0:
            self.card_stop(bool(stop))

    def until(self, ticks_us, heads, tidies=False, lamps=-1, stop=-1):
        if self.edges_wait(heads):
            return False
        self.show(lamps, stop)
        self.waited.append((ticks_us, len(self.sent), len(self.shown)))
        left = (ticks_us - self.us) % TICKS
        if left < TICKS // 2:
            self.us = ticks_us
            self._part += left
            self.ms = (self.ms + self._part // 1000) % TICKS
            self._part %= 1000
        return True

    def feed_watchdog(self):
        self.fed += 1

    def collect(self):
        self.collected += 1

    def wait(self, most_ms=50, tidies=True):
        if not self.script:
            self._left -= 1
            if tidies or self._left <= 0:
                self._left = _SLOTS_MORE
                raise SystemExit(0)
            return  # what is ready has yet to leave
        self._left = _SLOTS_MORE
        step = self.script.pop(0)
        if step[0] == "key":
            self._key = step[1] | step[2] << 8
        elif step[0] in ("edges", "card"):
            self._head = step[1]
            self._edges = step[2] if step[0] == "edges" else edges_of(step[2], step[3])
            self._at = 0
        elif step[0] == "link":
            self._link += step[1]
        elif step[0] == "ms":
            self.ms = (self.ms + step[1]) % TICKS
            self.us = (self.us + step[1] * 1000) % TICKS
        else:
            step[1]()


def edges_of(card, batch=1):
    """Edges of a card pulled all the way."""
    return pulled(frame(card, batch), 1500, 1000, card_code.POKER_UM)


def card(card, batch=1, head=0):
    """Script step: a card is pulled all the way."""
    return ("card", head, card, batch)


class DefectEar:
    """Hears what the firmware says about a defect on standard error, where a test's defect would look like a failure.

    Stands in for `sys` in shoe.app.recovery; `text` is the last report.
    """

    def __init__(self):
        self.stderr = self
        self.text = ""

    def write(self, text):
        self.text = text

    def print_exception(self, error, out):
        sys.print_exception(error, out)

    def lost_task(self, loop, context):
        self.text = context["message"]


EAR = recovery.sys = DefectEar()
if hasattr(asyncio, "core"):  # MicroPython says it itself when a task ends by an error
    asyncio.core.Loop.set_exception_handler(EAR.lost_task)


def run(app):
    """Boot `app` and run its board's script to the end."""
    if hasattr(asyncio, "new_event_loop"):
        try:
            asyncio.new_event_loop().close()
        except AttributeError:
            pass
    try:
        asyncio.run(app.run())
    except SystemExit:
        pass
    finally:
        if hasattr(asyncio, "current_task") and hasattr(asyncio, "core"):
            asyncio.new_event_loop()  # MicroPython keeps the tasks of the last one, and with them the app
        gc.collect()
