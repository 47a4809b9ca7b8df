"""How far each read head is from misreading: thresholds, levels followed over time, the warning before it fails.

What is bright is measured with nothing in the throat and nothing seen since the last pass ended. What is dark is
measured a few times in a pass, of the card sensor and the clock lines, and counts only when the face of that card was
public: all cards have the same clock, but when exactly a measurement falls may depend on the data. DATA is never
measured while a card of the table is in a throat. So nothing here can tell anything of a card that lies face down.
"""

import struct
from array import array

from shoe.compat import const, ticks_diff
from shoe.wire_table import MARGIN_CLEAN, MARGIN_CLEAN_SOON, MARGIN_SHOE_CLOSED, REC_MARGIN, REC_SHOE_CLOSED

PAGE = const(10)  # of the store, and the next one
UNKNOWN = const(65535)  # a level, and below a margin, that is not known
UNKNOWN_MARGIN = const(255)
LIMIT = const(65)  # the warning, in margins; CLEAR ends it. Measured: tests/bench/dirt_campaign.py
CLEAR = const(75)
WINDOW = const(16)  # public passes from which one dark level is made
MEASURED = const(3)  # measurements a pass: a third of them falls onto a mark of a clock line
_MIDDLE = const(32768)
_DISTANCE = const(20000)  # of the threshold from the levels of a head that was never calibrated
_EVERY_MS = const(500)
_PRESENT = const(1)
_PASSING = const(7)  # PRESENT, CLOCK_A, CLOCK_B
_ALL = const(15)
_NOTE = "<H4H4H"  # threshold, bright and dark of a calibration; the kind is the head + 1


class Margins:
    """Thresholds, levels and warnings of the heads of `board`; `notes`, a class like `Notes`, keeps them in its store.

    `soon`: bit h set while head h is to be cleaned soon. `session`: the calibration under way, None for none.
    """

    def __init__(self, board, notes):
        heads = board.heads
        self._board = board
        self.thresholds = array("H", [_MIDDLE] * heads)
        self._distance = array("H", [_DISTANCE] * heads)  # what a margin of 100 is
        self.light = array("H", [UNKNOWN] * (4 * heads))
        self.dark = array("H", [UNKNOWN] * (4 * heads))
        self._peak = array("H", [0] * (4 * heads))
        self._own = array("H", [0] * (4 * heads))  # of the pass under way
        self._raw = array("H", [0] * 4)
        self._taken = bytearray(heads)
        self._passes = bytearray(heads)
        self._kept = {}
        self._next = 0
        self._last_ms = 0
        self._notes = notes(board.store, PAGE, self._live)
        self.soon = 0
        self.session = None

    def start(self):
        """Load and apply the thresholds; False when what is stored is damaged."""
        self._notes.start(self._take)
        for head in range(len(self.thresholds)):
            self._board.threshold(head, self.thresholds[head])
        return not self._notes.damaged()

    def _take(self, kind, payload):
        head = kind - 1
        if 0 <= head < len(self.thresholds) and len(payload) == struct.calcsize(_NOTE):
            self._kept[kind] = bytes(payload)
            self._adopt(head)

    def _live(self):
        return self._kept.items()

    def _adopt(self, head):
        """Go on with what the calibration of `head` found."""
        values = struct.unpack(_NOTE, self._kept[head + 1])
        self.thresholds[head] = values[0]
        self._distance[head] = max(1, min(values[0] - max(values[1:5]), min(values[5:]) - values[0]))
        for line in range(4):
            self.light[4 * head + line] = values[1 + line]
            self.dark[4 * head + line] = values[5 + line]
            self._peak[4 * head + line] = 0
        self._passes[head] = 0

    def keep_threshold(self, head, threshold, light, dark):
        """Make a calibration durable and apply it. Raises OSError and NotesFull."""
        payload = struct.pack(_NOTE, threshold, *(tuple(light) + tuple(dark)))
        before = self._kept.get(head + 1)
        try:
            self._kept[head + 1] = payload
            self._notes.put(head + 1, payload)
        except Exception:
            if before is None:
                self._kept.pop(head + 1, None)
            else:
                self._kept[head + 1] = before
            raise
        self._adopt(head)
        self._board.threshold(head, threshold)

    # ------------------------------------------------------------------------------------------------ margins
    def margin(self, head):
        """The least distance of the threshold from a level of `head`, in percent of that at its calibration, 0..254.

        255 when no level is known.
        """
        threshold = self.thresholds[head]
        least = 65536
        for at in range(4 * head, 4 * head + 4):
            if self.light[at] != UNKNOWN:
                least = min(least, threshold - self.light[at])
            if self.dark[at] != UNKNOWN:
                least = min(least, self.dark[at] - threshold)
        if least == 65536:
            return UNKNOWN_MARGIN
        return max(0, min(least * 100 // self._distance[head], UNKNOWN_MARGIN - 1))

    def record(self, head, why):
        """The event that says how `head` stands."""
        light = 0
        dark = UNKNOWN
        for at in range(4 * head, 4 * head + 4):
            if self.light[at] != UNKNOWN:
                light = max(light, self.light[at])
            dark = min(dark, self.dark[at])
        return (REC_MARGIN, head, why, self.margin(head), self.thresholds[head], light, dark)

    def closing(self, events, steps):
        """After a key: a shoe that it opened ends a calibration before the first card; when `events` end a history, let
        it say how every head is of which something is known.
        """
        self.turn()
        for event in events:
            if event[0] == REC_SHOE_CLOSED:
                found = []
                for head in range(len(self.thresholds)):
                    if self.margin(head) != UNKNOWN_MARGIN:
                        found.append(self.record(head, MARGIN_SHOE_CLOSED))
                if found:
                    steps.commit(found)

    # ------------------------------------------------------------------------------------------------ measuring
    def passing(self, head, lines):
        """Edges of `head` were read, and `lines` are dark now: measure while a card is under the card sensor."""
        if lines & _PRESENT and self._taken[head] < MEASURED and not self.session:
            self._taken[head] += 1
            raw = self._raw
            self._board.levels(head, raw, _PASSING)
            for line in range(3):
                at = 4 * head + line
                self._own[at] = max(self._own[at], raw[line])

    def passed(self, head, public):
        """A pass ended: what was measured in it counts when its face is `public`, else it is gone."""
        taken = self._taken[head]
        self._taken[head] = 0
        for at in range(4 * head, 4 * head + 3):
            if taken and public and self._own[at] > self._peak[at]:
                self._peak[at] = self._own[at]
            self._own[at] = 0
        if not (taken and public):
            return
        self._passes[head] += 1
        if self._passes[head] >= WINDOW:
            self._passes[head] = 0
            for at in range(4 * head, 4 * head + 3):
                self.dark[at] = self._peak[at]
                self._peak[at] = 0

    def turn(self):
        """Once a round of the tasks: a calibration goes on."""
        if self.session:
            self.session.turn()

    def calibrating(self):
        """Mask of the head that is being calibrated, through which no card of the table goes."""
        return 1 << self.session.head if self.session else 0

    def calibrates(self, head, done):
        """Give the Pass `done` to the calibration of `head` when there is one; False when it is the table's."""
        session = self.session
        if session is None or session.head != head:
            return False
        self._taken[head] = 0
        session.passed(done)
        return True

    def empty(self, ticks_ms, heads, steps):
        """Nothing is in any throat: look at one head now and then, and record a warning. `heads`: the ReadHeads."""
        if 0 <= ticks_diff(ticks_ms, self._last_ms) < _EVERY_MS:
            return
        self._last_ms = ticks_ms
        head = self._next
        self._next = (head + 1) % len(self.thresholds)
        if not heads[head].untouched or self.session:
            return
        raw = self._raw
        self._board.levels(head, raw, _ALL)
        for line in range(4):
            at = 4 * head + line
            known = self.light[at] != UNKNOWN
            self.light[at] = 3 * self.light[at] + raw[line] + 2 >> 2 if known else min(raw[line], UNKNOWN - 1)
        if steps.room():
            events = self.judge(head)
            if events:
                steps.commit(events)

    def judge(self, head):
        """Turn the warning of `head` on or off; the events when it changed."""
        margin = self.margin(head)
        bit = 1 << head
        if not self.soon & bit and margin <= LIMIT:
            self.soon |= bit
            return (self.record(head, MARGIN_CLEAN_SOON),)
        if self.soon & bit and margin >= CLEAR:
            self.soon &= ~bit
            return (self.record(head, MARGIN_CLEAN),)
        return ()

    def idle(self):
        """Erase ahead; True when the flash was erased."""
        return self._notes.idle()
