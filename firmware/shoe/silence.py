"""Nothing begins to leave the shoe while a card is in a head; what a card causes leaves on a grid of the device's time.

How long it takes to decode a card, to seal and to store it may depend on its face. So while a head sees something, or
has edges that are not decided, `closed` is True, and line, lamps and card stop wait. They are let go at the first point
of the grid that lies WORK_US or more after the last edge. Requests that are read behind that point are answered off the
grid: what their times still tell stands in SECURITY.md.
"""

from shoe.compat import const, ticks_diff
from shoe.wire_table import LAMP_STOP

WORK_US = const(20000)  # in which all that a card causes is done: PROTOCOL.md, Silence
GRID_US = const(4096)  # divides 2^30, so that the grid goes on where the ticks wrap
_MASK = const(0x3FFFFFFF)


class Silence:
    """The gate of all outputs of `board`. `in_throat(heads) -> bool`: a card is in one of them.

    `told`: mask of the heads that count no longer, since a fault tells that they are blocked. `excused`: of the one
    that is being calibrated, through which no card of the table goes.
    """

    def __init__(self, board, in_throat):
        self._board = board
        self._in_throat = in_throat
        self._last_us = 0
        self._waits = False
        self._lamps = -1  # what is to be shown when it may
        self._stopped = False  # the card stop was engaged
        self.told = self.excused = 0

    def counts(self):
        """Mask of the heads that count."""
        return ~(self.told | self.excused)

    def edge(self, head, ticks_us):
        """Edges of `head` were decided; the last one was at `ticks_us`."""
        if self.counts() >> head & 1:
            self.after(ticks_us)

    def after(self, ticks_us):
        """What happened at `ticks_us` causes something, which is to leave on the grid."""
        self._last_us = ticks_us
        self._waits = True

    def write(self, buf, n):
        """As the board's `link_write`; the line is full while nothing may begin to leave."""
        return 0 if self.closed() else self._board.link_write(buf, n)

    def show(self, lamps):
        """Set lamps (mask of enum.lamp) and card stop, now or when they may change."""
        self._lamps = lamps
        if not self.closed():
            self._light()

    def _light(self):
        if self._lamps >= 0:
            self._board.lamp_mask(self._lamps)
            self._stopped = bool(self._lamps >> LAMP_STOP & 1)
            self._board.card_stop(self._stopped)
            self._lamps = -1

    def holds(self):
        """Whether the flash is left alone: a card is in a head, or the card stop waits for the grid.

        An erase would put that off.
        """
        return self._in_throat(-1) or (self._waits and self._stops())

    def _stops(self):
        """Whether the card stop is to be engaged and is not yet."""
        return self._lamps >= 0 and self._lamps >> LAMP_STOP & 1 and not self._stopped

    def closed(self):
        """Whether nothing may begin to leave now."""
        return self._waits or self._near()

    def _near(self):
        return self._in_throat(self.counts()) or self._board.edges_wait(self.counts())

    def opens(self):
        """Wait for the point of the grid when there is one to wait for; whether things may leave now."""
        if self._near():
            return False
        board = self._board
        if self._waits:
            due = self._last_us + WORK_US + GRID_US - 1 & ~(GRID_US - 1) & _MASK
            late = ticks_diff(board.ticks_us(), due)
            if late >= 0:  # the work took longer, or nothing was to leave at that time
                due = due + (late // GRID_US + 1) * GRID_US & _MASK
            if not board.until(due, self.counts()):
                return False
            self._waits = False
        board.link_write(b"", 0)  # a line that paused for a card goes on
        self._light()
        return True
