"""The card reader device between its read head and the table: which pass is a reading, and when it is answered.

The hole card is slid face down along the groove, its short edge under the head, to the stop and back. One of the two
ways is read; the other one is the same card backwards and says nothing. The answer comes a fixed time after the card
has left the card sensor, whatever it was: decoding, comparing and refusing are long over by then.
"""

from shoe.compat import const, ticks_diff
from shoe.wire_table import (
    HEAD_READER,
    PASS_BLANK,
    PASS_BLOCKED,
    PASS_CARD,
    PASS_UNREADABLE,
    UNREADABLE_NONE,
    UNREADABLE_REVERSED,
)

ANSWER_US = const(180000)  # and seen at most 0.3 s after the card has left: see LOOK_US of silence
_UNKNOWN = const(63)


class Reading:
    """What was read: a Pass without what could tell one card from another by the way (duration, margin, edges)."""

    def __init__(self):
        self.kind = PASS_CARD
        self.card = _UNKNOWN
        self.batch = 0
        self.head = HEAD_READER
        self.reason = UNREADABLE_NONE

    def clear(self):
        """Forget the card."""
        self.card = _UNKNOWN
        self.batch = 0


class CardReader:
    """Keeps a reading until it is due. Times are µs, wrapping at 2^30."""

    def __init__(self):
        self._reading = Reading()
        self._waits = False
        self._left_us = 0
        self.answer_us = 0  # when the answer was due
        self._blank_in = False

    def passed(self, done, ticks_us):
        """A Pass of the reader's head was over at `ticks_us`. Return it when it is for now: the head is blocked."""
        kind = done.kind
        if kind == PASS_BLOCKED:
            self._waits = self._blank_in = False
            return done
        if kind == PASS_UNREADABLE and done.reason == UNREADABLE_REVERSED:
            return None  # the other way
        if kind == PASS_BLANK and not self._blank_in:
            self._blank_in = True  # a card that lies face up shows nothing either way: this was the way in
            return None
        self._blank_in = False
        reading = self._reading
        reading.kind = kind
        reading.card = done.card
        reading.batch = done.batch
        self._left_us = ticks_us
        self._waits = True
        return None

    def due(self, ticks_us):
        """The reading that is to be answered at `ticks_us`, else None. Call `answered` next."""
        if self._waits and ticks_diff(ticks_us, self._left_us) >= ANSWER_US:
            self._waits = False
            self.answer_us = self._left_us + ANSWER_US & 0x3FFFFFFF
            return self._reading
        return None

    def answered(self):
        """The table has had it: its face is nobody's any more."""
        self._reading.clear()
