"""From the clock marks and data cells of one pass to a card, or to the reason why there is none.

The rule is that of CARD_CODE.md. The code alone names the card: 26 cells that are a word, or a word with one wrong
cell; or 25 that are a word without one of its cells. Only where a cell is wrong or a mark is hidden are times asked,
and they, and the place of the card's edge, may only say no. Unreadable is an answer, a guess is not.
"""

from shoe.compat import const
from shoe.reading.card_code import CELLS, COVER_CARD, FIRST_BATCH, FIRST_TEST_CARD, LAST_BATCH
from shoe.reading.track import DOWN
from shoe.reading.widths import (
    WIDTHS,
    doubtful,
    gather,
    long_mark,
    long_places,
    long_space,
    measure,
    shortest_cell,
    uneven_cells,
)
from shoe.reading.words import PLACES, named, shortened
from shoe.wire_table import (
    PASS_BLOCKED,
    PASS_CARD,
    PASS_COVER_CARD,
    PASS_FOREIGN_BATCH,
    PASS_TEST_CARD,
    PASS_UNREADABLE,
    UNREADABLE_AMBIGUOUS,
    UNREADABLE_CODE,
    UNREADABLE_FRAME,
    UNREADABLE_NONE,
    UNREADABLE_SHORT,
    UNREADABLE_STUCK,
)

_UNKNOWN_CARD = const(63)
# Quarter cells from the first mark to where the card's edge comes under the card sensor: 5 with a poker card, 11 with a
# bridge card, give or take 1 mm of print and cut; 4 fewer when the first mark is hidden.
_FRONTS = {"": (3, 13), "poker": (3, 7), "bridge": (9, 13)}
_FRONT_MOST = const(14)
_HIDDEN_FRONT = const(4)
_LAST_CELLS = const(2)
_QUICK_US = const(2900)  # for these, at 1.4 m/s
_TICKS_MASK = const(0x3FFFFFFF)
_CORRECTED_COST = const(70)
_BRIDGED_COST = const(60)
_UNSURE_COST = const(24)
_LONG_MOST = const(5)  # of 26 marks and spaces, in what counts as print: tests/bench/unseen_campaign.py


class CellReader:
    """Reads the cells of one pass; the result stands in kind, reason, card, batch, corrected and margin.

    `cards`: the size of the cards, "poker" or "bridge"; "" for both.
    """

    def __init__(self, cards=""):
        self._least, self._most = _FRONTS[cards]
        self._accepted = bytearray(LAST_BATCH + 1)  # 1 for each batch that belongs here
        self._in_play = bytearray(LAST_BATCH + 1)  # and for each of the same design: the other side's cards
        self._start(0)

    def set_batches(self, batches):
        """Set the batches (1..4) that belong to this head."""
        for batch in range(FIRST_BATCH, LAST_BATCH + 1):
            self._accepted[batch] = batch in batches
            self._in_play[batch] = batch in batches or (batch - 1 ^ 1) + 1 in batches

    def _start(self, margin):
        self.kind = PASS_UNREADABLE
        self.reason = UNREADABLE_NONE
        self.card = _UNKNOWN_CARD
        self.batch = 0
        self.corrected = 0
        self.margin = margin

    def peak_mm_s(self, marks, first, count):
        """Return the highest speed (mm/s) over any one cell, from the times at which its mark was entered."""
        return 2000000 // shortest_cell(marks, first, count)

    def is_too_long(self, marks, end, front, ticks_us):
        """Whether the card sensor stayed dark so long behind the last mark, number `end` - 1, that a card hid there.

        From the last mark to the card's end are 32 quarter cells less `front`. A hand that pulls at 1.4 m/s does not
        take half as long again for them at 50 m/s2; a slower one may stop.
        """
        last = marks[DOWN + (end - 1 & 63)]
        cells_us = last - marks[DOWN + (end - 1 - _LAST_CELLS & 63)] & _TICKS_MASK
        tail_us = ticks_us - last & _TICKS_MASK
        tail = 32 - max(0, min(front, _FRONT_MOST))
        return cells_us < _QUICK_US and 8 * _LAST_CELLS * tail_us > 3 * tail * cells_us

    def is_print(self, marks, cells, first, count):
        """Whether `count` marks (26 at most) from number `first` on are those of a card, readable or not.

        Nearly all as wide as print, and data that differ from cell to cell and do not move inside one. No card has all
        cells alike, so which card it is makes no difference.
        """
        frame = gather(cells, first, count)
        measure(marks, WIDTHS, first, count)
        moved = frame != 0 and frame != (1 << count) - 1
        return moved and doubtful(cells, first, count) < 2 and long_places(WIDTHS, count) <= _LONG_MOST

    def read(self, marks, cells, first, count, skips, front):
        """Read `count` marks from number `first` on: `marks` and `cells` as track fills them.

        `skips`: how often both clock lines moved at once. `front`: quarter cells from the first mark to where the
        card's edge came under the card sensor.
        """
        self._start(255)
        frame = gather(cells, first, count)
        damage = doubtful(cells, first, count) + skips
        if count < CELLS - 1:
            self.reason = UNREADABLE_SHORT
        elif frame == 0 or frame == (1 << count) - 1:
            self.kind = PASS_BLOCKED
            self.reason = UNREADABLE_STUCK  # the data line never moved
        elif skips > 1:
            self.reason = UNREADABLE_CODE
        else:
            measure(marks, WIDTHS, first, count)
            if count == CELLS:
                self._whole(frame, damage, front)
            else:
                self._hidden(frame, skips, front)
        self.margin -= _UNSURE_COST * damage

    def _whole(self, frame, damage, front):
        """All 26 cells are there. One wrong cell is put right when nothing else is odd, on a card that belongs here."""
        packed = named(frame)
        if packed < 0:
            self.reason = UNREADABLE_FRAME if frame >> 25 == 0 or frame & 1 else UNREADABLE_CODE
        elif packed > 4095 and (damage or not self._accepted[packed & 63] or uneven_cells(WIDTHS, CELLS)):
            self.reason = UNREADABLE_CODE
        elif not self._least <= front <= self._most:
            self.reason = UNREADABLE_AMBIGUOUS
        else:
            self._accept(packed, 0)

    def _hidden(self, frame, skips, front):
        """One mark is hidden: the cells must be exactly those of a word without one, and that one must look hidden."""
        name = -1 if skips else shortened(self._in_play, frame)
        if name < 0:
            self.reason = UNREADABLE_SHORT
        elif not self._looks_hidden(PLACES[0], front):
            self.reason = UNREADABLE_AMBIGUOUS
        else:
            self._accept(name, 1)

    def _looks_hidden(self, places, front):
        """Whether the times, and where the card's edge came, show a hidden mark at one of `places`.

        A hidden first mark moves the edge, and a hidden last one shows nothing: then all else must be even.
        """
        if places & 1 and self._least <= front + _HIDDEN_FRONT <= self._most and not uneven_cells(WIDTHS, CELLS - 1):
            return True
        if not self._least <= front <= self._most:
            return False
        for place in range(1, CELLS - 1):
            if places >> place & 1 and (long_space(WIDTHS, place) or long_mark(WIDTHS, place - 1, CELLS - 2)):
                return True
        return bool(places >> CELLS - 1) and not uneven_cells(WIDTHS, CELLS - 1)

    def _accept(self, packed, bridged):
        """Name the card of wrong cells << 12 | card << 6 | batch."""
        self.card = packed >> 6 & 63
        self.batch = packed & 63
        flips = packed >> 12
        self.corrected = flips + bridged
        self.margin -= _CORRECTED_COST * flips + _BRIDGED_COST * bridged
        if not self._accepted[self.batch]:
            self.kind = PASS_FOREIGN_BATCH
        elif self.card == COVER_CARD:
            self.kind = PASS_COVER_CARD
        elif self.card >= FIRST_TEST_CARD:
            self.kind = PASS_TEST_CARD
        else:
            self.kind = PASS_CARD
