"""The board interface of board/README.md on an RP2040: one object that hands each verb to the part that does it."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import gc
import time

from machine import Pin
from shoe.compat import const, ticks_diff

from pico import pins

_WATCHDOG_MS = const(8000)
_NAP_MS = const(1)
_CLOSE_US = const(3500)  # a nap and what interrupts it end well before all must be made ready, see point.py
# Collecting takes 27 ms, so it is done once in many cards, and as soon as a card's event has gone: at 12 cards a second
# the next card's last edge is 55 ms away or more.
_QUIET_MS = const(3)
_GARBAGE = const(16384)
# Without such a moment, as while a history is fetched, it is done when only this is left, what four cards take, or half
# of what there was, if that is less.
_LEFT = const(4096)
_ONE_REQUEST = const(32)  # bytes
_TWO_REQUESTS = const(48)  # which take 5 ms
_MOST_PUT_OFF = const(8)
_KILOBYTE = const(1024)
_STRAY = const(64)  # bytes of others among them
_MOST_HOLES = const(42)  # kilobytes, and a quarter of what is free at most
_MOST_SLOTS = const(40)  # of work between two collections; each uses up less than a kilobyte
_RUN = const(4)  # kilobytes in one piece; between the holes lie smaller ones that soon are used up
_ROOMY = const(96)  # kilobytes free at the start: as much as an image leaves, and no slot
_AT_A_LOOK = const(3)  # which take 2 ms
_TIDY_US = const(7000)  # such a look and what `until` needs before its time
_MOST_TYPED = const(16)  # characters at a look, which take 1 ms
_SELDOM = const(7)  # milliseconds without a look at the prompt, which costs some, while nobody types
_HEADS = (pins.HEAD_A, pins.HEAD_B, pins.HEAD_READER)


class PicoBoard:
    """One shoe. `settings`: settings.Settings. OSError when a part of the chip is taken, or the flash is not its.

    The card stop is engaged before anything else is done, and by `close()`; in between it is the application's alone.
    """

    name = "pico"

    def __init__(self, settings):
        self._stop = Pin(pins.CARD_STOP, Pin.OUT, value=0)
        self._stop.value(0)  # a pin that was an output before keeps its level through the line above
        self._parts = []
        self.started = False
        self._watchdog = None
        self._put_off = 0  # times in a row that nothing was read because a card had gone by
        self._in_holes = None  # what lies for good in those that the start left
        self._holes = _MOST_HOLES  # kilobytes of small holes that may still have to be used up
        self._most_holes = _MOST_HOLES  # of these behind each collection
        self._run = 0  # kilobytes of them that lay one behind the other
        self._behind = 0  # where the heap is free in larger pieces
        self._room = 0  # bytes from there on that may be used before memory must be collected
        self._measured = False  # whether it was seen how much that is; until then it is a little
        self.work_slots = _MOST_SLOTS
        self._prompt = None  # what tells whether somebody typed; once the shoe is ready
        self._typing = False  # somebody did, at the last look
        try:
            self._open(settings)
        except BaseException:
            self.close()
            raise

    def _open(self, settings):
        from pico import chip, entropy, levels, optics, panel, partitions, point

        self.heads = settings.heads
        self.cards = settings.cards
        self._cause = chip.take_boot_cause()
        self._entropy = self._part(entropy.Entropy())  # gathers while the rest starts
        self._optics = self._part(optics.Optics(_HEADS[: self.heads]))
        self._panel = self._part(panel.Panel(time.ticks_ms, settings.panel))
        self._levels = self._part(levels.Levels(self._panel))
        if settings.link == "cdc":
            from pico.cdc import CdcLine

            self._line = self._part(CdcLine())
        else:
            from pico.uart import UartLine

            self._line = self._part(UartLine(settings.rs485))
        self._point = point.Point(self._line, self._panel, self._optics)
        self.journal, self.vault, self.store, self.keys = partitions.open_all(self._point.operate)
        self.link_write = self._line.write
        self.link_load = self._line.load
        self.read_edges = self._optics.read
        self.edges_wait = self._optics.unread
        self.read_key = self._panel.read_key
        self.lamp_mask = self._panel.lamp_mask
        self.levels = self._levels.levels
        self.threshold = self._levels.threshold
        self.entropy = self._entropy.draw
        self.entropy_ready = self._entropy.holds
        self.ms_at = chip.ms_at
        self.unique_id = chip.unique_id
        self.note_boot_cause = chip.note_boot_cause
        self.supply_mv = chip.supply_mv
        self.ticks_us = time.ticks_us
        self.ticks_ms = time.ticks_ms
        self._card = self._sees_card  # made once, since `wait` hands it to the line at each look

    def _part(self, part):
        """One more part that `close` stops."""
        self._parts.append(part)
        return part

    def boot_cause(self):
        """enum.boot_cause of this start."""
        return self._cause

    def firmware_digest(self):
        """SHA-256 over the files that the firmware runs from, as board/README.md says."""
        from pico import firmware_files

        return firmware_files.digest()

    def card_stop(self, on):
        """Engage or release the card stop: High draws it back."""
        self._stop.value(not on)

    def ready(self, boot):
        """The firmware has started as boot number `boot`: from here on the watchdog runs.

        What the heads saw while their thresholds rose is no card: they are watched anew.
        """
        # Before it says that it is ready: MicroPython asks the file system for a module, and loses a Ctrl-C meanwhile.
        import select
        import sys

        from pico import chip

        self._levels.settle()
        self._optics.begin()
        self.started = True
        gc.threshold(-1)  # from here on `wait` collects, not an allocation while a card goes by  # pyright: ignore
        self._share_heap()
        print("shoe ready, boot %d, %d ms after reset" % (boot, time.ticks_ms()))
        self._watchdog = chip.start_watchdog(_WATCHDOG_MS)
        self._typed = bytearray(1)
        self._read_prompt = sys.stdin.buffer.readinto
        self._prompt = select.poll()
        self._prompt.register(sys.stdin, select.POLLIN)

    def _share_heap(self):
        """Collect memory, and see how much is free: holes and slots of work may use up a part of it, cards the rest.

        An image has 150 kB, and can do without the holes that the start left. A firmware in a slot leaves 21.
        """
        gc.collect()
        if gc.mem_free() >> 10 >= _ROOMY:  # pyright: ignore
            self._in_holes = _fill_for_good()
        kilobytes = gc.mem_free() >> 10  # pyright: ignore
        self._most_holes = min(_MOST_HOLES, kilobytes >> 2)
        self.work_slots = min(_MOST_SLOTS, kilobytes >> 1)  # so half of it is left for cards
        self._begin_filling()

    def until(self, ticks_us, heads, tidies=False, lamps=-1, stop=-1):
        """Wait until `ticks_us()` is that, and begin: True then, False as soon as edges of `heads` come.

        What begins is what `link_load` took, `lamps` as in `lamp_mask` (-1: as they are), and the card stop, which 1
        engages and 0 releases. With `tidies` holes of the heap are used up and random samples taken in meanwhile.
        """
        self._line.hold = self._optics.pins(heads)
        while not self._optics.unread(heads):
            left = ticks_diff(ticks_us, time.ticks_us())
            if left < _CLOSE_US:
                return self._point.at(ticks_us, heads, lamps, stop)
            if not (tidies and left > _TIDY_US and self._tidied()):
                time.sleep_ms(_NAP_MS)
        return False

    def _tidied(self):
        """Use up holes, or take in samples, if there are any: 3 ms at most."""
        if self._holes:
            self._fill()
            return True
        return self._entropy.work()

    def feed_watchdog(self):
        """Begin the watchdog's time anew."""
        if self._watchdog is not None:
            self._watchdog.feed()

    def link_read(self, buf):
        """Move received bytes into `buf`; return their number.

        With a card in a head one request at a time, and none while answers are on their way or once it has gone by: its
        event does not wait behind a history. Two at a time otherwise, since a card may come while they are answered.
        """
        most = _TWO_REQUESTS
        if self._put_off < _MOST_PUT_OFF and self._optics.due():  # a line that flutters does not make the host wait
            self._put_off += 1
            return 0
        self._put_off = 0
        if self._card():
            if self._line.busy():
                return 0
            most = _ONE_REQUEST
        return self._line.read(buf, most)

    def _sees_card(self):
        """Whether a head sees anything."""
        for head in range(self.heads):
            if self._optics.lines(head):
                return True
        return False

    def collect(self):
        """Collect memory and use up the holes that it leaves, as far as no card comes: 65 ms at most."""
        if self._no_card():
            self._collect()
            if not self._holes and self._no_card():
                self._measure()

    def wait(self, most_ms=50, tidies=True):
        """Return when edges, a key, bytes or room for bytes are there, or after `most_ms`; look once a millisecond.

        Without `tidies` it only looks at the panel: `until` has waited, and will.

        Between two looks the processor sleeps, takes in random samples, or collects memory when no head sees anything:
        a key or a byte that comes then waits for 55 ms at most. A card takes about 45 ms to go by, and once it comes no
        more holes are used up than in a look. It returns after that too.
        """
        if not tidies:
            self._panel.poll()
            return
        due = False
        if self._holes:
            if not self._optics.unread():
                self._fill()  # so that requests without an end do not put it off
        else:
            used = _lowest(most_ms) - self._behind
            if used < 0:
                self._begin_filling()  # not collected here: a module that was loaded, or the host's `status`
            elif used > self._room and self._no_card():
                if not self._measured:
                    self._measure()
                if used > self._room:  # a turn is over: in a fetch its answers are with the line
                    self._collect()
                    return
            due = self._measured and used > min(_GARBAGE, self._room - (self._room >> 3))
        self._wait(most_ms, due)

    def _wait(self, most_ms, due):
        """`due`: there is enough to collect for it to be done when it is quiet.

        Its variables, up to eleven with what it computes, are on the stack.
        """
        line = self._line
        optics = self._optics
        start = time.ticks_ms()
        while True:
            if self._panel.poll() or line.ready(self._card) or optics.waiting():
                return
            passed = ticks_diff(time.ticks_ms(), start)
            if passed >= most_ms:
                return
            if due and passed >= _QUIET_MS and not line.busy():  # an event has gone by now
                due = False
                if self._no_card():
                    self._collect()
                    return
            elif self._holes:
                self._fill()
            elif not self._measured and self._no_card():
                self._measure()
            elif not (self._entropy.work() or ((self._typing or passed & _SELDOM == _SELDOM) and self._forget_typed())):
                time.sleep_ms(_NAP_MS)

    def _forget_typed(self):
        """Take what was typed into the prompt, where nobody reads it; False when it was nothing.

        MicroPython keeps 512 characters, and behind a full buffer it sees no Ctrl-C: mpremote would not come in.
        """
        if self._prompt is None:
            return False
        for n in range(_MOST_TYPED):
            for _ in self._prompt.ipoll(0):
                self._read_prompt(self._typed)
                break
            else:
                self._typing = n > 0
                return self._typing
        self._typing = True
        return True

    def _no_card(self):
        """Whether no card is in any head, and none has gone by whose edges were not read."""
        return not (self._card() or self._optics.unread())

    def _collect(self):
        """Collect memory, and use up the holes that it leaves until a card comes."""
        gc.collect()
        self._begin_filling()
        while self._holes and not self._optics.unread():
            self._fill()

    def _begin_filling(self):
        """Memory was collected, and it left holes."""
        self._holes = self._most_holes
        self._run = 0

    def _fill(self):
        """Use up some kilobytes of the heap's lowest holes, until four lie free in one piece.

        MicroPython looks for room from the lowest hole on, where a collection left it: each object of more than 16
        bytes would cost a look through nearly the whole heap, a millisecond and more. The next one frees these again.
        """
        for i in range(_AT_A_LOOK):
            self._holes -= 1
            # The place jumps back when the heap is used up, and MicroPython collects by itself.
            self._run = self._run + 1 if 0 < _kilobyte(i) <= _KILOBYTE + _STRAY else 0
            if self._run >= _RUN or not self._holes:
                self._holes = 0
                self._behind = _lowest(i)
                self._room = _LEFT
                self._measured = False
                return

    def _measure(self):
        """See how much there is behind the holes. From then on the lowest free block tells how much of it was used.

        To ask MicroPython takes 8 ms, so it is done once after each collection, while nothing else is to do.
        """
        free = gc.mem_free() + _lowest(0) - self._behind  # pyright: ignore
        self._room = max(free - _LEFT, free >> 1)
        self._measured = True

    def close(self):
        """Engage the card stop and stop everything that runs by itself, so that the prompt has a quiet chip.

        When a part cannot be stopped, a line tells so, and the others are stopped all the same.
        """
        self._stop.value(0)
        if self._watchdog is not None:
            from pico import chip

            chip.stop_watchdog()
            self._watchdog = None
        while self._parts:
            try:
                self._parts.pop().close()
            except BaseException as error:  # a Ctrl-C too: `main` asks for the next one
                print("shoe: close:", type(error).__name__)


def _fill_for_good():
    """Use up the lowest holes, until four kilobytes lie free in one piece; return what is in them, to be kept.

    So a collection leaves no holes in front of that piece, and a card that comes just behind one finds none either. It
    takes tuples of one, which take one block, and nothing else, since that would be free again.
    """
    kept = None
    run = 0
    for _ in range(_MOST_HOLES):
        before = id(kept)
        kept = _in_tuples(kept)
        run = run + 1 if 0 < id(kept) - before <= _KILOBYTE + 2 * _STRAY else 0
        if run >= _RUN:
            break
    return kept


def _in_tuples(kept):
    for _ in range(64):
        kept = (kept,)
    return kept


def _lowest(n):
    """Where the lowest free block of the heap was: it is taken by this."""
    return id(n + 0.5)  # a float takes one block


def _kilobyte(n):
    """Take 65 of the lowest free blocks; return how far the last one lies from the first.

    Its few variables are on the stack: those of a larger function would lie in the lowest hole, which is one again when
    it ends.
    """
    at = _lowest(n)
    sum(range(63), n + 0.5)  # each of these sums takes one block
    return _lowest(n) - at
