"""What the host asks about the light of a read head, and the steps of its calibration. Loaded when somebody asks.

From `begin` to `end` a head is not the table's: what goes through it is seen by the calibration alone. Only while no
shoe is open, so that the history of no card is touched and no card that will be dealt can be looked at.
"""

import struct
from array import array

from shoe import wire_table as t
from shoe.compat import const, ticks_diff
from shoe.reading.head_margins import UNKNOWN
from shoe.service_error import ServiceError

PATIENCE_MS = const(60000)
_SAMPLES = const(16)
_UNKNOWN_CARD = const(63)
_MOST = const(255)
_LEAST = const(4000)  # 0.2 V between threshold and any level: noise and hysteresis several times over


class Session:
    """The calibration of one head."""

    def __init__(self, board, heads, margins, table, head):
        self.head = head
        self.step = t.CALIBRATION_BEGIN
        self.raw = array("H", [0] * 4)
        self.light = array("H", [UNKNOWN] * 4)
        self.dark = array("H", [0] * 4)
        self.passes = 0
        self.kind = t.PASS_BLANK
        self.card = _UNKNOWN_CARD
        self._board = board
        self._heads = heads
        self._margins = margins
        self._table = table
        self._asked_ms = board.ticks_ms()

    def asked(self):
        """The host is there."""
        self._asked_ms = self._board.ticks_ms()

    def turn(self):
        """Once a round of the tasks: measure while a card is slid, end when the host or the reason has gone."""
        if self._table.dealing.shoe_open or ticks_diff(self._board.ticks_ms(), self._asked_ms) > PATIENCE_MS:
            self.end()
        elif self.step == t.CALIBRATION_CARD:
            self.measure()
            for line in range(4):
                self.light[line] = min(self.light[line], self.raw[line])
                self.dark[line] = max(self.dark[line], self.raw[line])

    def measure(self):
        """The levels of this moment."""
        self._board.levels(self.head, self.raw, 15)

    def empty(self):
        """Bright as it is with nothing in the throat: the mean of some measurements."""
        sums = [0] * 4
        for _ in range(_SAMPLES):
            self.measure()
            for line in range(4):
                sums[line] += self.raw[line]
        for line in range(4):
            self.light[line] = sums[line] // _SAMPLES
            self.dark[line] = 0

    def passed(self, done):
        """Something went through: a test card is named, any other card stays secret."""
        self.passes = min(_MOST, self.passes + 1)
        self.kind = done.kind
        self.card = done.card if done.kind == t.PASS_TEST_CARD else _UNKNOWN_CARD

    def end(self):
        """The head is the table's again."""
        self._margins.session = None
        self._board.threshold(self.head, self._margins.thresholds[self.head])
        self._heads.rest(self.head)


def levels(board, margins, head):
    """Answer `levels`."""
    if head >= board.heads:
        raise ServiceError(t.ERROR_BAD_VALUE, head)
    session = margins.session
    rows = bytearray(24)
    if session is not None and session.head == head:
        session.asked()
        session.measure()
        for line in range(4):
            dark = session.dark[line] or UNKNOWN
            struct.pack_into("<HHH", rows, 6 * line, session.raw[line], session.light[line], dark)
        about = (session.passes, session.kind, session.card)
        step = session.step
    else:
        for line in range(4):
            at = 4 * head + line
            struct.pack_into("<HHH", rows, 6 * line, UNKNOWN, margins.light[at], margins.dark[at])
        about = (0, 0, _UNKNOWN_CARD)
        step = t.CALIBRATION_NONE
    return (head, step, margins.thresholds[head], margins.margin(head), margins.soon >> head & 1) + about + (rows,)


def calibrate(board, heads, margins, table, steps, head, step, threshold):
    """Answer `calibrate`."""
    if head >= board.heads or step > t.CALIBRATION_END or (step != t.CALIBRATION_SET and threshold):
        raise ServiceError(t.ERROR_BAD_VALUE, head)
    session = margins.session
    if session is not None and session.head != head:
        session = None
    if step == t.CALIBRATION_END:
        if session is not None:
            session.end()
        return t.CALIBRATION_NONE, margins.thresholds[head], margins.margin(head)
    if step == t.CALIBRATION_BEGIN:
        if table.dealing.shoe_open or steps.waiting() or (margins.session is not None and session is None):
            raise ServiceError(t.ERROR_NOT_ALLOWED_NOW)
        heads.rest(head)
        margins.session = session = Session(board, heads, margins, table, head)
    elif session is None:
        raise ServiceError(t.ERROR_NOT_ALLOWED_NOW)
    session.asked()
    if step == t.CALIBRATION_EMPTY:
        session.empty()
    elif step == t.CALIBRATION_CARD:
        if session.step == t.CALIBRATION_BEGIN:
            raise ServiceError(t.ERROR_NOT_ALLOWED_NOW)
        session.passes = 0
    elif step == t.CALIBRATION_SET:
        _set(board, heads, margins, steps, session, threshold)
    session.step = step
    return step, margins.thresholds[head], margins.margin(head)


def _set(board, heads, margins, steps, session, threshold):
    """Keep a threshold that lies well between all that was measured."""
    if session.step != t.CALIBRATION_CARD:
        raise ServiceError(t.ERROR_NOT_ALLOWED_NOW)
    head = session.head
    light, dark = max(session.light), min(session.dark)
    if threshold - light < _LEAST or dark - threshold < _LEAST:
        raise ServiceError(t.ERROR_BAD_VALUE, threshold)
    if heads.in_throat() or not steps.room():
        board.threshold(head, threshold)  # a line that is dark for want of this threshold turns bright now
        raise ServiceError(t.ERROR_BUSY)
    before = margins.margin(head)
    margins.keep_threshold(head, threshold, session.light, session.dark)
    event = (t.REC_CALIBRATED, head, threshold, before, margins.margin(head), light, dark)
    steps.commit((event,) + margins.judge(head))
