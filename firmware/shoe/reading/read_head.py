"""From the edges of one read head's four lines to passes: what one thing did while it went through.

The two clock lines are decoded as quadrature, so that position and direction survive any speed, stop or pull-back:
backing up unwinds. The data line is sampled at each cell's centre: that is track, for each edge.
decode turns the cells into a card. Nothing here allocates after construction, and all integers stay below 2^30.
"""

from array import array

from shoe.compat import const
from shoe.reading.card_code import CELLS
from shoe.reading.decode import CellReader
from shoe.reading.passes import UNKNOWN_CARD, Pass
from shoe.reading.track import (
    AHEAD,
    BASE,
    CALM,
    CALM_US,
    CELLS_KEPT,
    CLOCK_US,
    DOWN,
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
    STILL_US,
    STORM,
    STORM_EDGES,
    TOP,
    track,
)
from shoe.reading.waiting import Waiting
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

_CLOCKS = const(6)
_TICKS_MASK = const(0x3FFFFFFF)
_THROUGH = const(60)  # quarter cells between the edges of PRESENT from which a thing went all the way through
_SAME_PLACE = const(6)  # and up to which it left where it had come in
_DEAD_EDGES = const(40)  # so many edges within a single mark: one of the clock lines is dead
_GLITCH_US = const(4000)  # nothing goes in and out again that fast at 20 m/s2
_CARD_US = const(12000)  # the shorter card at 4.7 m/s
_TOO_FAST_MM_S = const(3300)
_TWO_CARDS = const(30)  # with more marks than that it is two cards; one may have some that were added
_FLUTTER_US = const(5000)  # no hand takes a card's edge out of the card sensor and back so fast
_FLICKER_US = const(12000)  # nor in and out of it: lamps on the mains flicker 100 or 120 times a second
_FLUTTERS = const(4)  # in a row: light that flickers
_FOLLOWS_US = const(200000)  # what shows no print so soon after a card may be that card's edge, moved to and fro
_BACK = const(3)  # quarter cells by which a thing goes on back inside after it has left the card sensor
_UNSEEN_MARKS = const(22)  # a card shows 3 at most before it reaches the card sensor; 4 of its 26 may be lost
_ALL_MARKS = const(25)  # one lost
_HALT_US = const(1000000)  # and with fewer a card may have stopped on its way
_AGAIN_US = const(1000000)  # a storm that goes on is named again
_BLANKS = const(3)  # so many blanks in a row are a blinded head rather than face-up cards

_PHASES = b"\x00\x01\x03\x02"  # place within a cell by clock pair

_ONE_TIME = array("i", [0])
_ONE_STATE = bytearray(1)


class ReadHead:
    """Decoder of one head. `batches`: those whose cards belong here; a card of another one is foreign. `blocked_s`: so
    long without movement a dark head is blocked. `cards`: "poker" or "bridge", "" for both."""

    def __init__(self, head, batches, blocked_s=15, cards=""):
        self._pass = Pass(head)
        self._reader = CellReader(cards)
        self._state = array("i", [0] * STATE)
        self._marks = array("i", [0] * MARKS)
        self._cells = bytearray(CELLS_KEPT)
        self.done = None  # the Pass that the last `take` ended with
        self.due_us = 0  # when the Pass was due that the last `poll` returned: no edge of DATA moves it
        self._named_us = -1  # last edge before the head was named dirty
        self._storm_us = 0  # last edge before the head was named flooded
        self._blanks = self._flutters = 0
        self._blocked_us = blocked_s * 1000000
        self._left_us = -1  # when something left, while that is not long ago
        self._dark_us = 0  # and how long it had been under the card sensor
        self._follows = False
        self._before = 0  # lines that moved before the thing came under the card sensor
        self._waiting = Waiting()
        self.set_batches(batches)
        self._clear()

    def set_batches(self, batches):
        """Set the batches (1..4) whose cards belong to this head."""
        self._reader.set_batches(batches)

    @property
    def in_throat(self):
        """Whether something lies under the card sensor now."""
        return bool(self._state[LINES] & PRESENT)

    @property
    def untouched(self):
        """Whether no sensor has seen anything since the last thing left, and that left no mark behind."""
        state = self._state
        return not (state[EDGES] or state[LINES] or self._waits) and state[PLACE] == state[BASE]

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
        """Take one edge: time (30-bit µs), new lines. Return a Pass, always the same object, when one ended."""
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
                self.done = self._enter(state[LAST_US])
                if state[EDGES] - state[CALM] > STORM_EDGES or self._flutters >= _FLUTTERS:
                    self.done = self.flood()
            elif event == FLOODED:
                self.done = self.flood()
            elif event == PASSED:
                self._storm_over()
        return at

    def poll(self, ticks_us):
        """Return a Pass that names a head dirty (dark, without movement), stuck (a card unseen), saturated, or None."""
        state = self._state
        begin_us = self.due_us = state[STILL_US]
        still_us = ticks_us - begin_us & _TICKS_MASK
        if self._waits and state[BASE] <= self._waiting.place - _BACK:
            return self._came_back()
        if self._waits and still_us > _HALT_US and not state[LINES] & PRESENT:
            self.due_us = begin_us + _HALT_US & _TICKS_MASK
            return self._gone()
        if still_us > _FOLLOWS_US:
            self._left_us = -1
        if state[STORM] and (ticks_us - state[LAST_US] & _TICKS_MASK) > CALM_US:
            self._storm_over()  # now: the next edge may come so late that the ticks have begun anew
        if still_us > CALM_US:
            if not state[LINES] & PRESENT:
                state[CALM] = state[EDGES]
            if self._went_unseen(still_us):
                self.due_us = begin_us + (_HALT_US if still_us > _HALT_US else CALM_US) & _TICKS_MASK
                result = self._blocked_pass(UNREADABLE_STUCK)
                self._blanks = 0
                if state[LINES] & PRESENT:
                    state[BASE] = state[PLACE]  # the next one counts anew
                else:
                    self._clear()
                return result
        if state[STORM] and (state[LAST_US] - self._storm_us & _TICKS_MASK) > _AGAIN_US:
            self.due_us = ticks_us
            return self.flood()  # somebody may have gone on in the middle of it
        if state[LINES] and still_us > self._blocked_us and begin_us != self._named_us:
            self._named_us = begin_us
            self.due_us = begin_us + self._blocked_us & _TICKS_MASK
            return self._blocked_pass(UNREADABLE_DIRTY)
        return None

    def _went_unseen(self, still_us):
        """Whether the marks of a card went by that did not move the card sensor, and have been still for so long.

        A card that is touched and slid back unwinds. Light that flickers makes both clocks run, but no print. While
        the card sensor is dark the first card may be the one that lies there.
        """
        last = self._state[PLACE] >> 2
        count = last - ((self._waiting.base if self._waits else self._state[BASE]) + 3 >> 2)
        if self._state[LINES] & PRESENT:
            if count < CELLS + _UNSEEN_MARKS or still_us < _HALT_US:
                return False
        elif count < _UNSEEN_MARKS or (count < _ALL_MARKS and still_us < _HALT_US):
            return False
        count = min(count, CELLS)
        return self._reader.is_print(self._marks, self._cells, last - count, count)

    def _clear(self):
        """Begin anew: no mark behind the clock sensors belongs to what comes next."""
        state = self._state
        place = ORIGIN + _PHASES[(state[LINES] & _CLOCKS) >> 1]
        state[PLACE] = state[BASE] = state[TOP] = place
        state[AHEAD] = 1
        self._entered = self._entered_base = self._entered_us = self._entered_edges = 0
        self._waits = False  # for what shows whether the last thing came back or went out
        self._forget()

    def _forget(self):
        """Begin new counts for the next pass."""
        state = self._state
        state[EDGES] = state[SEEN] = state[SKIPS] = state[OFF_CENTRE] = state[CALM] = 0
        self._spoiled = False

    def _enter(self, ticks_us):
        """A card's edge came under the card sensor. Return the Pass that this ends, if any."""
        state = self._state
        result = None
        away_us = ticks_us - self._left_us & _TICKS_MASK if self._left_us >= 0 else _FOLLOWS_US
        if self._waits and state[BASE] <= self._waiting.place - _BACK:
            result = self._came_back()
        elif self._waits and (state[PLACE] > self._waiting.place + _BACK or away_us >= _CARD_US):
            # A print went by in between; or perhaps a card that hides its marks, and this one hides its first.
            result = self._gone()
        flutters = away_us < _FLUTTER_US or away_us + self._dark_us < _FLICKER_US
        self._flutters = self._flutters + 1 if flutters else 0
        if self._waits:
            self._waits = False  # no card goes by so fast: the same one goes on
            self._entered_edges = state[EDGES] - self._waiting.goes_on(state)
            return None
        self._entered = state[PLACE]
        self._entered_base = state[BASE]
        self._entered_us = ticks_us
        self._entered_edges = state[EDGES]
        self._follows = away_us < _FOLLOWS_US
        state[TOP] = state[PLACE]
        self._before = state[SEEN] & ~PRESENT
        state[SEEN] = 0
        return result

    def _leave(self, ticks_us):
        """The card sensor sees no card any more: name the pass."""
        duration = self._dark_us = ticks_us - self._entered_us & _TICKS_MASK
        self._left_us = ticks_us
        at_base = self._state[PLACE] <= (self._state[BASE] + 3 & ~3)
        if at_base and not self._state[SEEN] & ~PRESENT and not self._spoiled:
            return self._nothing_seen(duration)
        travel = self._state[PLACE] - self._entered
        few = self._state[EDGES] - self._entered_edges < _DEAD_EDGES
        if few and 0 < travel <= _SAME_PLACE and self._entered <= (self._entered_base + 3 & ~3) and not self._spoiled:
            self._forget()  # the first marks came as it left: they are those of a card right behind it
            return self._begin(PASS_UNREADABLE, duration, UNREADABLE_SHORT)
        if -_SAME_PLACE <= travel <= _SAME_PLACE and not self._spoiled:
            return self._same_place(duration, at_base)
        result = self._begin(PASS_UNREADABLE, duration)
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
            self._went_through(result, ticks_us)
        self._blanks = 0
        self._clear()
        return result

    def _went_through(self, result, ticks_us):
        """Count the cells and read them; `ticks_us`: when the card sensor saw the end. No clock moves behind them."""
        first = self._state[BASE] + 3 >> 2
        count = (self._state[PLACE] >> 2) - first
        reader = self._reader
        result.peak_mm_s = reader.peak_mm_s(self._marks, first, count)
        front = self._entered - 4 * first
        still = self._state[CLOCK_US] == self._marks[DOWN + (first + count - 1 & 63)]
        if count > _TWO_CARDS:
            result.kind = PASS_DOUBLE_FEED
        elif count > CELLS or not still or reader.is_too_long(self._marks, first + count, front, ticks_us):
            result.reason = UNREADABLE_LONG
        else:
            reader.read(self._marks, self._cells, first, count, self._state[SKIPS], front)
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
        """Neither clock nor data moved: a blank, or no card at all. Ink that was seen before speaks against a blank."""
        follows = self._follows or self._before
        self._clear()
        if duration < _CARD_US:
            return None
        self._blanks += 1
        if self._blanks >= _BLANKS:
            self._blanks = 0
            return self._blocked_pass(UNREADABLE_SATURATED)
        if follows:
            return self._begin(PASS_UNREADABLE, duration, UNREADABLE_SHORT)
        return self._begin(PASS_BLANK, duration)

    def _same_place(self, duration, at_base):
        """The clock is where it was when the card came: it came back, it went out past weak clocks, or they are dead.

        Which of the first two it was shows when something moves: what came back goes on back, or is pulled again from
        there. Until then nothing is reported.
        """
        state = self._state
        state[TOP] = max(state[TOP], state[PLACE])
        edges = state[EDGES] - self._entered_edges
        dead = edges >= _DEAD_EDGES and state[TOP] - state[BASE] <= 4
        if dead or (at_base and not state[SEEN] & _CLOCKS):
            result = self._blocked_pass(UNREADABLE_STUCK)
            self._clear()
            return result
        self._blanks = 0
        if state[BASE] < self._entered_base:  # it came from outside and is there again, or went out past weak clocks
            result = self._begin(PASS_UNREADABLE, duration, UNREADABLE_SHORT)
            self._clear()
            return result if duration >= _GLITCH_US else None
        if duration >= _GLITCH_US:
            self._waits = True
            self._waiting.keep(state, duration, edges)
        self._forget()  # it may still lie under the clock sensors: the place is kept
        return None

    def _gone(self):
        """Nothing shows that what left the card sensor is still inside: it may have gone out unread."""
        self._waits = False
        self._blanks = 0
        return self._begin(PASS_UNREADABLE, self._waiting.us, UNREADABLE_SHORT)

    def _came_back(self):
        """What left the card sensor went on back inside: a pull-back. Not if a print went forward first: another's."""
        if self._state[TOP] > self._waiting.place:
            return self._gone()
        self._waits = False
        self._state[BASE] = min(self._state[BASE], self._waiting.base)
        return self._begin(PASS_PULL_BACK, self._waiting.us)

    def _begin(self, kind, duration, reason=UNREADABLE_NONE):
        return self._pass.begin(kind, duration, reason, self._state[EDGES])

    def _blocked_pass(self, reason):
        """Name a blocked head."""
        return self._begin(PASS_BLOCKED, self._state[LAST_US] - self._entered_us & _TICKS_MASK, reason)

    def flood(self):
        """More edges than any card makes, or faster: return the Pass that names the head; silent until it is over."""
        result = self._blocked_pass(UNREADABLE_SATURATED)
        self._clear()
        self._state[STORM] = 1
        self._flutters = 0
        self._storm_us = self._state[LAST_US]
        return result

    def went_by(self, ticks_us):
        """Edges went by until now and were lost: a storm that the board saw begins or goes on here."""
        self._state[LAST_US] = ticks_us

    def _storm_over(self):
        """100 ms without an edge: edges count again; what lies in the throat is unreadable."""
        self._state[STORM] = 0
        self._clear()
        self._spoiled = self.in_throat
