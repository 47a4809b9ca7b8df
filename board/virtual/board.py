"""The board interface of board/README.md over pipes, files and a pseudo-terminal."""

import os
import select

from shoe.compat import const, ticks_add, ticks_diff

from virtual import process, stimulus
from virtual.flash import FileFlash, Power

JOURNAL_PAGES = const(640)
VAULT_PAGES = const(2)
STORE_PAGES = const(12)
KEYS_PAGES = const(128)
_FIRST_MS = const(250)
# Bytes of garbage. A request or a key may load a module, which is to find the holes; while cards go by none is loaded,
# and memory is collected as seldom as on an RP2040.
_LITTLE = const(4096)
_MUCH = const(16384)
_TICKS_MASK = const(0x3FFFFFFF)


class VirtualBoard:
    """One shoe in one process. `state_dir` keeps its flash; `link_fd` is the pseudo-terminal's controlling end."""

    name = "virtual"
    heads = 3  # side A, side B, the card reader device
    cards = "poker"
    work_slots = 40  # as an image on a Pico

    def __init__(self, state_dir, link_fd=-1):
        self._dir = state_dir
        self._power = Power(process.die)
        self.journal = FileFlash(state_dir + "/flash.bin", JOURNAL_PAGES, self._power)
        self.vault = FileFlash(state_dir + "/vault.bin", VAULT_PAGES, self._power)
        self.store = FileFlash(state_dir + "/store.bin", STORE_PAGES, self._power)
        self.keys = FileFlash(state_dir + "/keys.bin", KEYS_PAGES, self._power)
        process.set_nonblocking(0)  # MicroPython's readinto fills the whole buffer otherwise
        self._in = process.raw_file(0, "rb")
        self._out = process.raw_file(1, "wb")
        self._stimulus = stimulus.Stimulus()
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
        self._link = None
        self._link_poll = select.poll()
        if link_fd >= 0:
            process.set_nonblocking(link_fd)
            self._link = process.raw_file(link_fd, "r+b")
            self._poll.register(self._link, select.POLLIN)
            self._link_poll.register(self._link, select.POLLIN)
        self._link_watched = link_fd >= 0
        self._key = -1
        self._us = 0
        self._ms = 0
        self._set_us = 0
        self._set_ms = 0
        self._lamps = 0
        self._stop = 0
        self._shown = -1
        self.watchdog_fed = 0
        self._ended = False
        if self._poll.poll(_FIRST_MS):  # a simulator sends the time first, so that the boot record carries it
            self._stimulus.fill(self._in)
            if self._stimulus.peek() == stimulus.TIME:
                self._advance()

    # ------------------------------------------------------------------------------------------ identity, entropy
    def unique_id(self):
        """Eight bytes that name this shoe, made when its state is made."""
        path = self._dir + "/id.bin"
        try:
            with open(path, "rb") as file:
                return file.read(8)
        except OSError:
            identity = os.urandom(8)
            with open(path, "wb") as file:
                file.write(identity)
            return identity

    def entropy(self, n):
        """`n` random bytes of the operating system."""
        return os.urandom(n)

    def entropy_ready(self, n):
        """Whether `n` bytes are there at once."""
        return True

    def firmware_digest(self):
        """SHA-256 over the files that the firmware runs from, as board/README.md says."""
        from virtual import firmware_files

        return firmware_files.digest()

    def boot_cause(self):
        """enum.boot_cause that was noted for this start; power on when nothing was."""
        path = self._dir + "/boot_cause"
        try:
            with open(path) as file:
                cause = int(file.read())
        except (OSError, ValueError):
            return 0
        os.remove(path)
        return cause

    def note_boot_cause(self, cause):
        """What the next start answers as its cause."""
        with open(self._dir + "/boot_cause", "w") as file:
            file.write(str(cause))

    # ------------------------------------------------------------------------------------------ optics and panel
    def read_edges(self, head, times, lines):
        """Move up to len(lines) edges of `head` into `times` (µs, 30 bit) and `lines`; return their number."""
        if head != self._stimulus.head or not self._stimulus.edges_ready():
            return 0
        n = self._stimulus.take_edges(times, lines)
        self._us = times[n - 1]
        passed = ticks_diff(self._us, self._set_us) // 1000
        self._set_us = ticks_add(self._set_us, passed * 1000)
        self._set_ms = self._ms = (self._set_ms + passed) & _TICKS_MASK
        return n

    def edges_wait(self, heads=-1):
        """Whether `read_edges` has anything to hand out for one of the heads in the mask `heads`."""
        return bool(self._stimulus.edges_ready() and heads >> self._stimulus.head & 1)

    def levels(self, head, into, lines=15):
        """The levels of those lines of `head` that are in the mask `lines`, as the simulator sent them last."""
        self._stimulus.levels_of(head, into, lines)

    def threshold(self, head, value):
        """Set the threshold of the comparators of `head`, 0..65535; the simulator has them."""
        self._send(stimulus.message("H", "BH", head, value))

    def read_key(self):
        """The panel key that was pressed as key | argument << 8, or -1."""
        key = self._key
        self._key = -1
        return key

    def _show(self):
        shown = self._lamps << 1 | self._stop
        if shown != self._shown:
            self._shown = shown
            self._send(stimulus.message("L", "HB", self._lamps, self._stop))

    def lamp_mask(self, mask):
        """Light exactly the lamps of `mask` (bits of enum.lamp)."""
        self._lamps = mask
        self._show()

    def card_stop(self, on):
        """Engage or release the card stop."""
        self._stop = 1 if on else 0
        self._show()

    def ready(self, boot):
        """The firmware has started as boot number `boot`."""
        self._send(stimulus.message("R", "H", boot))

    def _send(self, data):
        self._out.write(data)

    # ------------------------------------------------------------------------------------------ link
    def link_read(self, buf):
        """Read what has come into `buf`; return the number of bytes."""
        if self._link is None:
            return 0
        try:
            return self._link.readinto(buf) or 0
        except OSError:  # nobody has the other end open
            return 0

    def link_write(self, buf, n):
        """Write up to `n` bytes of `buf`; return how many the line took."""
        if self._link is None:
            return n
        try:
            return self._link.write(memoryview(buf)[:n]) or 0
        except OSError:
            return 0

    def link_load(self, buf, n):
        """Take nothing: all of it begins with `link_write`."""
        return 0

    # ------------------------------------------------------------------------------------------ time
    def ticks_us(self):
        """Simulated time in µs, 30 bit: the last time or edge that the simulator sent."""
        return self._us

    def ticks_ms(self):
        """Simulated time in ms, 30 bit."""
        return self._ms

    def ms_at(self, ticks_us):
        """What `ticks_ms` was when `ticks_us` was that."""
        return self._ms - ticks_diff(self._us, ticks_us) // 1000 & _TICKS_MASK

    def until(self, ticks_us, heads, tidies=False, lamps=-1, stop=-1):
        """The simulator's time stands still meanwhile: that time has come, unless edges of `heads` are there."""
        if self.edges_wait(heads):
            return False
        if lamps >= 0:
            self.lamp_mask(lamps)
        if stop >= 0:
            self.card_stop(bool(stop))
        return True

    def feed_watchdog(self):
        """Restart the watchdog's time; here it is only counted."""
        self.watchdog_fed += 1

    def collect(self):
        """Nothing: MicroPython collects by itself."""

    def wait(self, most_ms=50, tidies=True):
        """Return when there is something to do, or after `most_ms`. The caller has finished all it was given before.

        Raises SystemExit when the simulator says quit or has gone.
        """
        if self._advance():
            return
        for item in self._poll.poll(most_ms):
            if self._in is item[0] or item[0] == 0:
                if not self._stimulus.fill(self._in):
                    self._ended = True
                self._advance()
                continue
            process.collect_after(_LITTLE)
            if self._link is not None and not item[1] & select.POLLIN:
                self._poll.unregister(self._link)  # the other end is closed: look now and then, do not spin
                self._link_watched = False
        if self._ended:
            raise SystemExit(0)
        if self._link is not None and not self._link_watched:
            for item in self._link_poll.poll(0):
                if not item[1] & select.POLLIN:
                    return
            self._poll.register(self._link, select.POLLIN)
            self._link_watched = True

    def _advance(self):
        """Go on to the next message that gives the firmware work; True when there is one."""
        source = self._stimulus
        while True:
            if source.edge_bytes:
                return source.edges_ready()
            kind = source.next()
            if kind == stimulus.NOTHING:
                return False
            if kind == stimulus.EDGES:
                process.collect_after(_MUCH)
                continue
            if kind == stimulus.KEY:
                process.collect_after(_LITTLE)
                self._key = source.first | source.second << 8
                return True
            if kind == stimulus.LEVELS:
                return True  # a turn for each, so that the firmware can see them all
            if kind == stimulus.TIME:
                self._us = self._set_us = source.first & _TICKS_MASK
                self._ms = self._set_ms = source.second & _TICKS_MASK
                return True
            if kind == stimulus.SYNC:
                self._send(stimulus.message("S", "I", source.first))
            elif kind == stimulus.CUT:
                self._power.arm(None if source.first == 0xFFFFFFFF else source.first)
            else:
                raise SystemExit(0)
