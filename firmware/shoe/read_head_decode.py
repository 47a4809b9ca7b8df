"""From the clock marks and data cells of one pass to a card, or to the reason why there is none.

The bounds are those of CARD_CODE.md: exactly 26 cells; at most one wrong data cell; at most one clock mark bridged
(lost, or joined with its neighbour by dirt), and only where one explanation is left. Unreadable is an answer, a guess
is not.
"""

from array import array

from shoe.card_code import CELLS, COVER_CARD, FIRST_TEST_CARD, UNASSIGNED, decode_packed
from shoe.compat import const
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
    UNREADABLE_UNASSIGNED,
)

_TICKS_MASK = const(0x3FFFFFFF)
_RING = const(63)
_FRAME_MASK = const(0x3FFFFFF)
_UNKNOWN_CARD = const(63)
_NONE = const(-1)
_AMBIGUOUS = const(-3)
# A mark takes 1.5 mm from A up to B down, the space after it 0.5 mm, with a lost mark 2.5 mm: the bound between
# 0.33 and 1.67 of a mark is their geometric mean, in quarters of the shorter neighbour.
_GAP_QUARTERS = const(3)
# Two marks that dirt joined take 3.5 mm instead of 1.5: the bound is 13/8 of the longer neighbour.
_JOINED_EIGHTHS = const(13)
# A hand that takes a mark in less than this (0.21 m/s) cannot stop in the space beside it at 20 m/s2.
_MOVING_US = const(7000)
# Nor in a mark when both neighbours take less than this (0.33 m/s).
_MOVING_MARK_US = const(4500)
_CORRECTED_COST = const(70)
_BRIDGED_COST = const(60)
_UNSURE_COST = const(24)


class CellReader:
    """Reads the cells of one pass; the result stands in kind, reason, card, batch, corrected and margin."""

    def __init__(self):
        self._accepted = bytearray(64)  # 1 for each batch that belongs here
        self._first = 0
        self._place = 0
        self._possible = 0
        self._alike = 0
        self._up = self._down = array("i")
        self._start(0)

    def set_batches(self, batches):
        """Set the batches (1..62) that belong to this head."""
        for batch in range(64):
            self._accepted[batch] = 1 if batch in batches else 0

    def _start(self, margin):
        self.kind = PASS_UNREADABLE
        self.reason = UNREADABLE_NONE
        self.card = _UNKNOWN_CARD
        self.batch = 0
        self.corrected = 0
        self.margin = margin

    def peak_mm_s(self, up, first, count):
        """Return the highest speed (mm/s) over any one cell, from the times at which its mark was entered."""
        shortest = _TICKS_MASK
        for mark in range(first, first + count - 1):
            cell_us = up[mark + 1 & 63] - up[mark & 63] & 0x3FFFFFFF
            if 0 < cell_us < shortest:
                shortest = cell_us
        return 2000000 // shortest

    def read(self, up, down, cells, first, count, skips):
        """Read `count` marks from number `first` on: rings of times in and out (µs) and of data at the centre.

        `skips`: how often both clock lines moved at once.
        """
        self._start(255)
        frame = 0
        unsure = 0
        for mark in range(first, first + count):
            cell = cells[mark & 63]
            unsure += cell >> 1
            frame = frame << 1 | cell & 1
            if mark - first == 25:
                break
        damage = unsure + skips
        if count < CELLS - 1:
            self.reason = UNREADABLE_SHORT
        elif frame == 0 or frame == (1 << count) - 1:
            self.kind = PASS_BLOCKED
            self.reason = UNREADABLE_STUCK  # the data line never moved
        elif damage > 1:
            self.reason = UNREADABLE_CODE
        else:
            self._up = up
            self._down = down
            self._first = first
            if count == CELLS:
                self._whole(frame, damage)
            elif damage:
                self.reason = UNREADABLE_SHORT
            else:
                self._bridged(frame)
        self.margin -= _UNSURE_COST * damage

    def _whole(self, frame, damage):
        """All 26 cells are there: correct one at most, none where data or clock moved in an odd way."""
        packed = _frame_value(frame)
        if packed > 4095 and (damage or self._is_odd(packed)):
            packed = _NONE
        if packed >= 0:
            self._accept(packed, 0)
        elif packed == UNASSIGNED:
            self.reason = UNREADABLE_UNASSIGNED
        elif frame >> 25 == 0 or frame & 1:
            self.reason = UNREADABLE_FRAME
        else:
            self.reason = UNREADABLE_CODE

    def _is_odd(self, packed):
        """Whether the clock moved as if a hidden mark and one too many made up the 26, so that no cell is corrected."""
        if self._scan(CELLS) or self._alike:
            return True
        if not self._possible:
            return False
        # A stop explains what is wider still. Dirt and a second card make a mark too many only beside the code.
        return (
            not self._accepted[packed & 63]
            or self._is_crowded(1)
            or self._is_crowded(CELLS - 1)
            or self._space(1) > 0
            or self._space(CELLS - 1) > 0
        )

    def _is_crowded(self, space):
        """Whether the space before mark `space` is too narrow for a print."""
        width = self._up[self._first + space & _RING] - self._down[self._first + space - 1 & _RING] & _TICKS_MASK
        return width << 3 < min(self._length(space - 1), self._length(space))

    def _bridged(self, frame):
        """One mark is missing: find where, by the speed around each space and mark and by the code."""
        certain = self._scan(CELLS - 1)
        found = inner = _NONE
        if certain > 1:
            found = _AMBIGUOUS
        elif certain:
            found = inner = self._explain(found, frame, self._place, 1)
        else:
            flips = 1 if self._possible == 1 else 0
            for space in range(1, CELLS - 1):
                if self._space(space):
                    found = self._explain(found, frame, space, flips)
            for mark in range(CELLS - 1):
                if self._mark(mark, CELLS - 2):
                    found = self._explain(found, frame, mark + 1, flips)
            inner = found
            # A lost first or last mark leaves nothing to see.
            found = self._explain(found, frame, 0, 0)
            found = self._explain(found, frame, CELLS - 1, 0)
        if found >= 0 and not self._accepted[found & 63] and (found > 4095 or found != inner):
            found = _NONE  # too little to accuse a card of another batch
        if found == _NONE:
            self.reason = UNREADABLE_SHORT
        elif found == _AMBIGUOUS:
            self.reason = UNREADABLE_AMBIGUOUS
        else:
            self._accept(found, 1)

    def _scan(self, count):
        """Return how many spaces and marks of `count` marks certainly hide a mark; `_place` is where the last one does.

        `_possible` is how many may hide one, and `_alike` how many spaces are just as wide as if they did.
        """
        certain = 0
        possible = 0
        alike = 0
        for mark in range(count):
            for kind in range(2):
                odd = self._space(mark) if kind else self._mark(mark, count - 1)
                if odd:
                    possible += 1
                    if odd == 2:
                        certain += 1
                        self._place = mark + 1 - kind
                    elif odd == 3:
                        alike += 1
        self._possible = possible
        self._alike = alike
        return certain

    def _space(self, space):
        """Say whether a mark can be lost in the space before mark `space`.

        0 no; 1 it may, 3 and the space is just as wide as if it were; 2 it must be.
        """
        if not space:
            return 0
        up = self._up
        down = self._down
        before = self._first + space - 1 & _RING
        after = self._first + space & _RING
        width = up[after] - down[before] & _TICKS_MASK
        mark_before = down[before] - up[before] & _TICKS_MASK
        mark_after = down[after] - up[after] & _TICKS_MASK
        if width <= min(mark_before, mark_after) * _GAP_QUARTERS >> 2:
            return 0
        if mark_before < _MOVING_US and mark_after < _MOVING_US:
            return 2
        # 1.67 marks, give or take ink and acceleration.
        both = mark_before + mark_after
        return 3 if 5 * both <= width << 3 <= 9 * both else 1

    def _mark(self, mark, last):
        """Say whether mark `mark` of 0..`last` can be two joined by dirt: 0 no, 1 it may, 2 it must be."""
        length = self._length(mark)
        before = self._length(mark - 1 if mark else 1)
        after = self._length(mark + 1 if mark < last else last - 1)
        if length <= max(before, after) * _JOINED_EIGHTHS >> 3:
            return 0
        if not 0 < mark < last:
            return 1  # a single neighbour proves nothing
        return 2 if before < _MOVING_MARK_US and after < _MOVING_MARK_US else 1

    def _length(self, mark):
        """Return how long mark `mark` took, µs."""
        place = self._first + mark & _RING
        return self._down[place] - self._up[place] & _TICKS_MASK

    def _explain(self, found, frame, place, flips):
        """Put an unknown cell before cell `place` of the 25 in `frame`; return the one card that all of this allows.

        `found` is what earlier places allowed; `flips` how many other cells may be wrong.
        """
        low = CELLS - 1 - place
        opened = frame >> low << low + 1 | frame & (1 << low) - 1
        best = _NONE
        for bit in range(2):
            if (bit and place == CELLS - 1) or (not bit and place == 0):
                continue  # the start cell is dark and the stop cell bright
            packed = _frame_value(opened | bit << low)
            # A correction of the unknown cell itself is found again, uncorrected, with the other bit.
            if packed >= 0 and packed >> 12 <= flips and (best < 0 or packed >> 12 < best >> 12):
                best = packed
        if best < 0 or found == _AMBIGUOUS:
            return found
        if found >= 0 and (found ^ best) & 4095:
            return _AMBIGUOUS
        return best if found < 0 or best < found else found

    def _accept(self, packed, bridged):
        """Name the card of a value of `_frame_value`."""
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


def _frame_value(frame):
    """Return wrong cells << 12 | card << 6 | batch of 26 cells with at most one wrong, or a negative number."""
    wrong = (frame >> 25 & 1 ^ 1) + (frame & 1)
    if wrong > 1:
        return _NONE
    packed = decode_packed(frame >> 1 & 0xFFFFFF)
    if packed < 0:
        return packed
    return packed + (wrong << 12) if packed >> 12 == 0 or not wrong else _NONE
