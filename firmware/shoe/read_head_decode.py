"""From the clock marks and data cells of one pass to a card, or to the reason why there is none.

The bounds are those of CARD_CODE.md: exactly 26 cells; at most one wrong data cell; at most one clock mark bridged
(lost, or joined with its neighbour by dirt), and only where one explanation is left. Unreadable is an answer, a guess
is not.
"""

from shoe.card_code import CELLS, COVER_CARD, FIRST_TEST_CARD, UNASSIGNED, decode_packed
from shoe.compat import const
from shoe.read_head_widths import (
    ALIKE,
    CERTAIN,
    PLACE,
    POSSIBLE,
    SPACES,
    WIDTHS,
    doubtful,
    gather,
    measure,
    odd_mark,
    odd_space,
    scan,
    shortest_cell,
)
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

_UNKNOWN_CARD = const(63)
_NONE = const(-1)
_AMBIGUOUS = const(-3)
_CORRECTED_COST = const(70)
_BRIDGED_COST = const(60)
_UNSURE_COST = const(24)
_ODD_MOST = const(5)  # of 26 marks and spaces, in what counts as print: tests/bench/unseen_campaign.py


class CellReader:
    """Reads the cells of one pass; the result stands in kind, reason, card, batch, corrected and margin."""

    def __init__(self):
        self._accepted = bytearray(64)  # 1 for each batch that belongs here
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

    def peak_mm_s(self, marks, first, count):
        """Return the highest speed (mm/s) over any one cell, from the times at which its mark was entered."""
        return 2000000 // shortest_cell(marks, first, count)

    def is_print(self, marks, cells, first, count):
        """Whether `count` marks (26 at most) from number `first` on are those of a card, readable or not.

        Nearly all as wide as print, and data that differ from cell to cell and do not move inside one. No card has all
        cells alike, so which card it is makes no difference.
        """
        frame = gather(cells, first, count)
        measure(marks, WIDTHS, first, count)
        scan(WIDTHS, count)
        moved = frame != 0 and frame != (1 << count) - 1
        return moved and doubtful(cells, first, count) < 2 and WIDTHS[POSSIBLE] <= _ODD_MOST

    def read(self, marks, cells, first, count, skips):
        """Read `count` marks from number `first` on: `marks` and `cells` as read_head_track fills them.

        `skips`: how often both clock lines moved at once.
        """
        self._start(255)
        frame = gather(cells, first, count)
        unsure = doubtful(cells, first, count)
        damage = unsure + skips
        if count < CELLS - 1:
            self.reason = UNREADABLE_SHORT
        elif frame == 0 or frame == (1 << count) - 1:
            self.kind = PASS_BLOCKED
            self.reason = UNREADABLE_STUCK  # the data line never moved
        elif damage > 1:
            self.reason = UNREADABLE_CODE
        else:
            measure(marks, WIDTHS, first, count)
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
        scan(WIDTHS, CELLS)
        if WIDTHS[CERTAIN] or WIDTHS[ALIKE]:
            return True
        if not WIDTHS[POSSIBLE]:
            return False
        # A stop explains what is wider still. Dirt and a second card make a mark too many only beside the code.
        return (
            not self._accepted[packed & 63]
            or self._is_crowded(1)
            or self._is_crowded(CELLS - 1)
            or odd_space(WIDTHS, 1) > 0
            or odd_space(WIDTHS, CELLS - 1) > 0
        )

    def _is_crowded(self, space):
        """Whether the space before mark `space` is too narrow for a print."""
        return WIDTHS[SPACES + space] << 3 < min(WIDTHS[space - 1], WIDTHS[space])

    def _bridged(self, frame):
        """One mark is missing: find where, by the speed around each space and mark and by the code."""
        scan(WIDTHS, CELLS - 1)
        certain = WIDTHS[CERTAIN]
        found = inner = _NONE
        if certain > 1:
            found = _AMBIGUOUS
        elif certain:
            found = inner = self._explain(found, frame, WIDTHS[PLACE], 1)
        else:
            flips = 1 if WIDTHS[POSSIBLE] == 1 else 0
            for space in range(1, CELLS - 1):
                if odd_space(WIDTHS, space):
                    found = self._explain(found, frame, space, flips)
            for mark in range(CELLS - 1):
                if odd_mark(WIDTHS, mark, CELLS - 2):
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
