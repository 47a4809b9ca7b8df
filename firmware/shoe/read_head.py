"""From the edges of one read head's four lines to passes: what one thing did while it went through.

The two clock lines are decoded as quadrature, so that position and direction survive any speed, stop or pull-back:
backing up unwinds. The data line is sampled at each cell's centre: that is read_head_track, for each edge.
read_head_decode turns the cells into a card. Nothing here allocates after construction, and every integer stays below
2^30.
"""

from array import array

from shoe.card_code import CELLS
from shoe.compat import const
from shoe.read_head_decode import CellReader
from shoe.read_head_track import (
    AHEAD,
    BASE,
    CALM,
    CALM_US,
    CELLS_KEPT,
    EDGES,
    ENTERED,
    EVENT,
    FLOODED,
    LAST_US,
    LEFT,
    LINES,
    MARKS,
    OFF_CENTRE,
    ORIGIN,
    PASSED,
    PLACE,
    SEEN,
    SKIPS,
    STATE,
    STORM,
    STORM_EDGES,
    TOP,
    track,
)
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
_THROUGH = const(60)  # quarter cells between the edges of PRESENT from which a thing went all the way through
_SAME_PLACE = const(6)  # and up to which it left where it had come in
_DEAD_EDGES = const(40)  # so many edges within a single mark: one of the clock lines is dead
_GLITCH_US = const(4000)  # nothing goes in and out again that fast at 20 m/s2
_CARD_US = const(17000)  # the shorter card at 3.3 m/s
_TOO_FAST_MM_S = const(3300)
_REENTRY_US = const(10000)  # what comes back so soon after a card is that card's edge, moved to and fro
_UNSEEN_MARKS = const(22)  # a card shows 3 at most before it reaches the card sensor; 4 of its 26 may be lost
_ALL_MARKS = const(25)  # one lost
_HALT_US = const(1000000)  # and with fewer a card may have stopped on its way
_AGAIN_US = const(1000000)  # a storm that goes on is named again
_BLANKS = const(3)  # so many blanks in a row are a blinded head rather than face-up cards

_PHASES = b"\x00\x01\x03\x02"  # place within a cell by clock pair

_ONE_TIME = array("i", [0])
_ONE_STATE = bytearray(1)


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
        self._state = array("i", [0] * STATE)
        self._marks = array("i", [0] * MARKS)
        self._cells = bytearray(CELLS_KEPT)
        self.done = None  # the Pass that the last `take` ended with
        self._named_us = -1  # last edge before the head was named dirty
        self._storm_us = 0  # last edge before the head was named flooded
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
        return bool(self._state[LINES] & PRESENT)

    @property
    def untouched(self):
        """Whether no sensor has seen anything since the last thing left, and that left no mark behind."""
        return not (self._state[EDGES] or self._state[LINES]) and self._state[PLACE] == self._state[BASE]

    @property
    def flooded(self):
        """Whether edges are ignored until they have been silent for 100 ms."""
        return bool(self._state[STORM])

    def reset(self):
        """Forget the pass under way, as after lost edges; a card now in the throat will be unreadable."""
        self._clear()
        self._named_us = -1
        self._blanks = 0
        self._spoiled = bool(self._state[LINES] & PRESENT)

    def feed(self, ticks_us, lines):
        """Take one edge: its time (wrapping 30-bit µs) and the new state of the lines. Return a Pass when one ended.

        The Pass is the same object each time.
        """
        _ONE_TIME[0] = ticks_us
        _ONE_STATE[0] = lines
        self.take(_ONE_TIME, _ONE_STATE, 0, 1)
        return self.done

    def take(self, times, lines, at, end):
        """Take the edges `at`..`end` - 1 of `times` (`array("i")`) and `lines` until one ends a pass.

        Return the index behind the last one taken; the pass is in `done`, which is None when none has ended.
        """
        state = self._state
        marks = self._marks
        cells = self._cells
        self.done = None
        while at < end and self.done is None:
            at = track(state, marks, cells, times, lines, at, end)
            event = state[EVENT]
            if event == LEFT:
                self.done = self._leave(state[LAST_US])
            elif event == ENTERED:
                self._enter(state[LAST_US])
                if state[EDGES] - state[CALM] > STORM_EDGES:
                    self.done = self.flood()
            elif event == FLOODED:
                self.done = self.flood()
            elif event == PASSED:
                state[STORM] = 0
                self._clear()
                self._spoiled = self.in_throat
        return at

    def poll(self, ticks_us):
        """Return a Pass that names a blocked head, otherwise None.

        Dirty when lines have stayed dark without movement, stuck when a card went by unseen by the card sensor,
        saturated when a storm goes on.
        """
        state = self._state
        still_us = ticks_us - state[LAST_US] & _TICKS_MASK
        if still_us > CALM_US:
            if not state[LINES] & PRESENT:
                state[CALM] = state[EDGES]
            if self._went_unseen(still_us):
                result = self._blocked_pass(UNREADABLE_STUCK)
                self._blanks = 0
                if state[LINES] & PRESENT:
                    state[BASE] = state[PLACE]  # the next one counts anew
                else:
                    self._clear()
                return result
        if state[STORM] and (state[LAST_US] - self._storm_us & _TICKS_MASK) > _AGAIN_US:
            return self.flood()  # somebody may have gone on in the middle of it
        if state[LINES] and still_us > self._blocked_us and state[LAST_US] != self._named_us:
            self._named_us = state[LAST_US]
            return self._blocked_pass(UNREADABLE_DIRTY)
        return None

    def _went_unseen(self, still_us):
        """Whether the marks of a card went by that did not move the card sensor, and have been still for so long.

        A card that is touched and slid back unwinds. Light that flickers makes both clocks run, but no print. While
        the card sensor is dark the first card may be the one that lies there.
        """
        last = self._state[PLACE] >> 2
        count = last - (self._state[BASE] + 3 >> 2)
        if self._state[LINES] & PRESENT:
            if count < CELLS + _UNSEEN_MARKS or still_us < _HALT_US:
                return False
        elif count < _UNSEEN_MARKS or (count < _ALL_MARKS and still_us < _HALT_US):
            return False
        if count > CELLS:
            count = CELLS
        return self._reader.is_print(self._marks, self._cells, last - count, count)

    # ----------------------------------------------------------------------------------------- begin and end

    def _clear(self):
        """Begin anew: no mark behind the clock sensors belongs to what comes next."""
        state = self._state
        place = ORIGIN + _PHASES[(state[LINES] & _CLOCKS) >> 1]
        state[PLACE] = place
        state[BASE] = place
        state[TOP] = place
        state[AHEAD] = 1
        self._entered = 0
        self._entered_base = 0
        self._entered_us = 0
        self._entered_edges = 0
        self._forget()

    def _forget(self):
        """Begin new counts for the next pass."""
        state = self._state
        state[EDGES] = 0
        state[SEEN] = 0
        state[SKIPS] = 0
        state[OFF_CENTRE] = 0
        state[CALM] = 0
        self._spoiled = False

    def _enter(self, ticks_us):
        """A card's edge came under the card sensor."""
        self._entered = self._state[PLACE]
        self._entered_base = self._state[BASE]
        self._entered_us = ticks_us
        self._entered_edges = self._state[EDGES]
        self._reentered = (ticks_us - self._left_us & _TICKS_MASK) < _REENTRY_US
        self._state[TOP] = self._state[PLACE]
        self._state[SEEN] = 0

    def _leave(self, ticks_us):
        """The card sensor sees no card any more: name the pass."""
        duration = ticks_us - self._entered_us & _TICKS_MASK
        self._left_us = ticks_us
        at_base = self._state[PLACE] <= (self._state[BASE] + 3 & ~3)
        if at_base and not self._state[SEEN] & ~PRESENT and not self._spoiled:
            return self._nothing_seen(duration)
        travel = self._state[PLACE] - self._entered
        if -_SAME_PLACE <= travel <= _SAME_PLACE and not self._spoiled:
            return self._came_back(duration, at_base)
        result = self._start_pass(PASS_UNREADABLE, duration)
        if self._spoiled:
            result.reason = UNREADABLE_SHORT
        elif travel <= -_THROUGH:
            result.reason = UNREADABLE_REVERSED
        elif travel < _THROUGH:
            result.reason = UNREADABLE_SHORT
        elif self._state[LINES] & DATA and not self._state[SEEN] & DATA:
            result = self._blocked_pass(UNREADABLE_STUCK)
        elif self._state[LINES] & (_CLOCKS | DATA):
            # The card has left all sensors: what is dark now is no print.
            result.reason = UNREADABLE_STUCK if self._state[LINES] & _CLOCKS else UNREADABLE_FRAME
        else:
            self._went_through(result)
        self._blanks = 0
        self._clear()
        return result

    def _went_through(self, result):
        """Count the cells and read them."""
        first = self._state[BASE] + 3 >> 2
        count = (self._state[PLACE] >> 2) - first
        reader = self._reader
        result.peak_mm_s = reader.peak_mm_s(self._marks, first, count)
        if count > 27:
            result.kind = PASS_DOUBLE_FEED
        elif count == 27:
            result.reason = UNREADABLE_LONG
        else:
            reader.read(self._marks, self._cells, first, count, self._state[SKIPS])
            result.kind = reader.kind
            result.reason = reader.reason
            result.card = reader.card
            result.batch = reader.batch
            result.corrected = reader.corrected
            if result.card != UNKNOWN_CARD:
                result.margin = max(0, reader.margin - 8 * self._state[OFF_CENTRE])
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
        if self._state[TOP] < self._state[PLACE]:
            self._state[TOP] = self._state[PLACE]
        edges = self._state[EDGES] - self._entered_edges
        dead = edges >= _DEAD_EDGES and self._state[TOP] - self._state[BASE] <= 4
        if dead or (at_base and not self._state[SEEN] & _CLOCKS):
            result = self._blocked_pass(UNREADABLE_STUCK)
            self._clear()
            return result
        result = self._start_pass(PASS_PULL_BACK, duration)
        if self._state[BASE] < self._entered_base:
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
        result.edges = self._state[EDGES]
        return result

    def _blocked_pass(self, reason):
        """Name a blocked head."""
        result = self._start_pass(PASS_BLOCKED, self._state[LAST_US] - self._entered_us & _TICKS_MASK)
        result.reason = reason
        return result

    # ------------------------------------------------------------------------------------------------ storms

    def flood(self):
        """More edges than any card makes, or faster: return the Pass that names the head; silent until it is over."""
        result = self._blocked_pass(UNREADABLE_SATURATED)
        self._clear()
        self._state[STORM] = 1
        self._storm_us = self._state[LAST_US]
        return result
