"""From the edges of one read head's four lines to passes: what one thing did while it went through.

The two clock lines are decoded as quadrature, so that position and direction survive any speed, stop or pull-back:
backing up unwinds. The data line is sampled at each cell's centre. read_head_decode turns the cells into a card.
Nothing here allocates after construction, and every integer stays below 2^30.
"""

from array import array

from shoe.compat import const
from shoe.read_head_decode import CellReader
from shoe.wire_table import (
    PASS_BLANK,
    PASS_BLOCKED,
    PASS_DOUBLE_FEED,
    PASS_PULL_BACK,
    PASS_UNREADABLE,
    UNREADABLE_DIRTY,
    UNREADABLE_FRAME,
    UNREADABLE_LONG,
    UNREADABLE_NONE,
    UNREADABLE_REVERSED,
    UNREADABLE_SATURATED,
    UNREADABLE_SHORT,
    UNREADABLE_SPEED,
    UNREADABLE_STUCK,
)

PRESENT = const(1)
CLOCK_A = const(2)
CLOCK_B = const(4)
DATA = const(8)

UNKNOWN_CARD = const(63)
UNKNOWN_BATCH = const(0)

_CLOCKS = const(6)
_TICKS_MASK = const(0x3FFFFFFF)
_RING = const(63)  # clock marks are kept in a ring of 64
_THROUGH = const(60)  # quarter cells between the edges of PRESENT from which a thing went all the way through
_SAME_PLACE = const(6)  # and up to which it left where it had come in
_DEAD_EDGES = const(40)  # so many edges within a single mark: one of the clock lines is dead
_STORM_EDGES = const(3000)  # a card makes about 130, a stuttering one a few hundred
_CALM_US = const(100000)  # a storm is over after so much silence
_GLITCH_US = const(4000)  # nothing goes in and out again that fast at 20 m/s2
_CARD_US = const(17000)  # the shorter card at 3.3 m/s
_TOO_FAST_MM_S = const(3300)
_REENTRY_US = const(10000)  # what comes back so soon after a card is that card's edge, moved to and fro
_BLANKS = const(3)  # so many blanks in a row are a blinded head rather than face-up cards

# Quarter step by old clocks << 2 | new clocks, a clock pair being B << 1 | A: 0 none, 1 on, 2 both at once, 3 back.
_PHASES = b"\x00\x01\x03\x02"  # place within a cell by clock pair
_STEPS = b"\x00\x01\x03\x02\x03\x00\x02\x01\x01\x02\x00\x03\x02\x03\x01\x00"


class Pass:
    """What one thing did while it went through one head.

    kind PASS_*; card 0..56 or 63 unknown; batch 1..62 or 0 unknown; reason UNREADABLE_*; duration_ms under the card
    sensor, at most 65535; peak_mm_s; corrected damaged cells put right; margin 255 clean .. 0 on the brink; head;
    edges seen.
    """

    def __init__(self, head):
        self.kind = PASS_BLANK
        self.card = UNKNOWN_CARD
        self.batch = UNKNOWN_BATCH
        self.reason = UNREADABLE_NONE
        self.duration_ms = 0
        self.peak_mm_s = 0
        self.corrected = 0
        self.margin = 0
        self.head = head
        self.edges = 0


class ReadHead:
    """Decoder of one head. `batches`: the batches whose cards belong here; a card of another one is foreign.

    `blocked_s`: seconds without movement after which a head with a dark line counts as blocked.
    """

    def __init__(self, head, batches, blocked_s=15):
        self._pass = Pass(head)
        self._reader = CellReader()
        self._up = array("i", [0] * 64)  # time of the last forward step into each clock mark
        self._down = array("i", [0] * 64)  # and out of it
        self._cell = bytearray(64)  # data at its centre; + 2 where data moved near the centre
        self._lines = 0
        self._last_us = 0
        self._storm = False
        self._blocked = False
        self._blanks = 0
        self._blocked_us = blocked_s * 1000000
        self._left_us = 0
        self._reentered = False
        self.set_batches(batches)
        self._clear()

    def set_batches(self, batches):
        """Set the batches (1..62) whose cards belong to this head."""
        self._reader.set_batches(batches)

    @property
    def in_throat(self):
        """Whether something lies under the card sensor now."""
        return bool(self._lines & PRESENT)

    def reset(self):
        """Forget the pass under way, as after lost edges; a card now in the throat will be unreadable."""
        self._clear()
        self._storm = False
        self._blocked = False
        self._blanks = 0
        self._spoiled = bool(self._lines & PRESENT)

    def feed(self, ticks_us, lines):
        """Take one edge: its time (wrapping 30-bit µs) and the new state of the lines. Return a Pass when one ended.

        The Pass is the same object each time.
        """
        old = self._lines
        changed = old ^ lines
        if not changed:
            return None
        if self._storm and not self._storm_is_over(ticks_us, lines):
            return None
        self._lines = lines
        self._last_us = ticks_us
        self._edges += 1
        self._seen |= changed
        if changed & 6:
            step = _STEPS[(old & 6) << 1 | (lines & 6) >> 1]
            if step == 1:
                place = self._place + 1
                self._place = place
                phase = place & 3
                if phase == 2:
                    self._cell[place >> 2 & 63] = lines >> 3
                elif phase == 3:
                    if lines >> 3 != self._cell[place >> 2 & 63]:
                        self._cell[place >> 2 & 63] |= 2
                elif phase == 1:
                    self._up[place >> 2 & 63] = ticks_us
                else:
                    self._down[(place >> 2) - 1 & 63] = ticks_us
                self._ahead = True
            elif step == 3:
                self._step_back()
            else:
                self._step_two(ticks_us, lines)
        if changed & 8 and lines & 6:
            self._off_centre += 1
        if changed & 1:
            if lines & 1:
                self._enter(ticks_us)
            else:
                return self._leave(ticks_us)
        if self._edges > _STORM_EDGES:
            return self._flooded()
        return None

    def poll(self, ticks_us):
        """Return a Pass that names a blocked head when lines have stayed dark without movement, otherwise None."""
        if self._lines and not self._blocked and (ticks_us - self._last_us & _TICKS_MASK) > self._blocked_us:
            self._blocked = True
            return self._blocked_pass(UNREADABLE_DIRTY)
        return None

    # ---------------------------------------------------------------------------------------------- position

    def _step_back(self):
        """Unwind a quarter cell."""
        place = self._place
        if place > self._top:
            self._top = place
        place -= 1
        self._place = place
        if place < self._base:
            self._base = place
        self._ahead = False

    def _step_two(self, ticks_us, lines):
        """Both clock lines moved at once: take two quarter cells in the last direction, and count it as damage."""
        self._skips += 1
        if not self._ahead:
            self._step_back()
            self._step_back()
            return
        for _ in range(2):
            place = self._place + 1
            self._place = place
            phase = place & 3
            if phase == 1:
                self._up[place >> 2 & _RING] = ticks_us
            elif phase == 2:
                self._cell[place >> 2 & _RING] = lines >> 3
            elif phase == 0:
                self._down[(place >> 2) - 1 & _RING] = ticks_us

    # ----------------------------------------------------------------------------------------- begin and end

    def _clear(self):
        """Begin anew: no mark behind the clock sensors belongs to what comes next."""
        place = _PHASES[(self._lines & _CLOCKS) >> 1]
        self._place = place
        self._base = place
        self._top = place
        self._ahead = True
        self._entered = 0
        self._entered_base = 0
        self._entered_us = 0
        self._forget()

    def _forget(self):
        """Begin new counts for the next pass."""
        self._edges = 0
        self._seen = 0
        self._skips = 0
        self._off_centre = 0
        self._spoiled = False
        self._blocked = False

    def _enter(self, ticks_us):
        """A card's edge came under the card sensor."""
        self._entered = self._place
        self._entered_base = self._base
        self._entered_us = ticks_us
        self._reentered = (ticks_us - self._left_us & _TICKS_MASK) < _REENTRY_US
        self._top = self._place
        self._seen = 0

    def _leave(self, ticks_us):
        """The card sensor sees no card any more: name the pass."""
        duration = ticks_us - self._entered_us & _TICKS_MASK
        self._left_us = ticks_us
        at_base = self._place <= (self._base + 3 & ~3)
        if at_base and not self._seen & ~PRESENT and not self._spoiled:
            return self._nothing_seen(duration)
        travel = self._place - self._entered
        if -_SAME_PLACE <= travel <= _SAME_PLACE and not self._spoiled:
            return self._came_back(duration, at_base)
        result = self._start_pass(PASS_UNREADABLE, duration)
        if self._spoiled:
            result.reason = UNREADABLE_SHORT
        elif travel <= -_THROUGH:
            result.reason = UNREADABLE_REVERSED
        elif travel < _THROUGH:
            result.reason = UNREADABLE_SHORT
        elif self._lines & (_CLOCKS | DATA):
            # The card has left all sensors: what is dark now is no print.
            result.reason = UNREADABLE_STUCK if self._lines & _CLOCKS else UNREADABLE_FRAME
        else:
            self._went_through(result)
        self._blanks = 0
        self._clear()
        return result

    def _went_through(self, result):
        """Count the cells and read them."""
        first = self._base + 3 >> 2
        count = (self._place >> 2) - first
        reader = self._reader
        result.peak_mm_s = reader.peak_mm_s(self._up, first, count)
        if count > 27:
            result.kind = PASS_DOUBLE_FEED
        elif count == 27:
            result.reason = UNREADABLE_LONG
        else:
            reader.read(self._up, self._down, self._cell, first, count, self._skips)
            result.kind = reader.kind
            result.reason = reader.reason
            result.card = reader.card
            result.batch = reader.batch
            result.corrected = reader.corrected
            if result.card != UNKNOWN_CARD:
                result.margin = max(0, reader.margin - 8 * self._off_centre)
        if result.kind == PASS_UNREADABLE and result.peak_mm_s > _TOO_FAST_MM_S:
            result.reason = UNREADABLE_SPEED

    def _nothing_seen(self, duration):
        """Neither clock nor data moved: a blank, or no card at all."""
        self._clear()
        if duration < _CARD_US or self._reentered:
            return None
        self._blanks += 1
        if self._blanks >= _BLANKS:
            self._blanks = 0
            return self._blocked_pass(UNREADABLE_SATURATED)
        return self._start_pass(PASS_BLANK, duration)

    def _came_back(self, duration, at_base):
        """It left where it had come in: a pull-back, unless the clock moved without getting anywhere."""
        if self._top < self._place:
            self._top = self._place
        dead = self._top - self._base <= 4 and self._edges >= _DEAD_EDGES
        if dead or (at_base and not self._seen & _CLOCKS):
            self._clear()
            return self._blocked_pass(UNREADABLE_STUCK)
        result = self._start_pass(PASS_PULL_BACK, duration)
        if self._base < self._entered_base:
            self._clear()  # it came from outside and is outside again
        else:
            self._forget()  # it may still lie under the clock sensors: the place is kept
        self._blanks = 0
        if duration < _GLITCH_US:
            return None
        return result

    def _start_pass(self, kind, duration):
        """Fill in what every pass has and return it."""
        result = self._pass
        result.kind = kind
        result.card = UNKNOWN_CARD
        result.batch = UNKNOWN_BATCH
        result.reason = UNREADABLE_NONE
        result.duration_ms = min(duration // 1000, 65535)
        result.peak_mm_s = 0
        result.corrected = 0
        result.margin = 0
        result.edges = self._edges
        return result

    def _blocked_pass(self, reason):
        """Name a blocked head."""
        result = self._start_pass(PASS_BLOCKED, self._last_us - self._entered_us & _TICKS_MASK)
        result.reason = reason
        return result

    # ------------------------------------------------------------------------------------------------ storms

    def _flooded(self):
        """More edges than any card makes: name the head, then keep silent until the storm is over."""
        result = self._blocked_pass(UNREADABLE_SATURATED)
        self._clear()
        self._storm = True
        return result

    def _storm_is_over(self, ticks_us, lines):
        """Whether the lines were calm before this edge; keeps their state either way."""
        if (ticks_us - self._last_us & _TICKS_MASK) > _CALM_US:
            self._storm = False
            self._clear()
            self._spoiled = bool(self._lines & PRESENT)
            return True
        self._lines = lines
        self._last_us = ticks_us
        return False
