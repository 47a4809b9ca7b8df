"""From the clock marks and data cells of one pass to a card, or to the reason why there is none.

The bounds are those of CARD_CODE.md. The code alone chooses the card: 26 cells, or 25 with one clock mark hidden (lost,
or joined with its neighbour by dirt); at most one wrong data cell; and no other word in play comes near. Times and the
place of the card's edge may only say no. Unreadable is an answer, a guess is not.
"""

from shoe.compat import const
from shoe.reading.card_code import CELLS, COVER_CARD, FIRST_BATCH, FIRST_TEST_CARD, LAST_BATCH
from shoe.reading.refused_frames import FORGED, REFUSED
from shoe.reading.track import DOWN
from shoe.reading.widths import (
    ALIKE,
    BEFORE,
    EVEN,
    FAST,
    LONG,
    LONG_PLACE,
    ODD,
    PLACE,
    SPACES,
    SURE,
    WIDTHS,
    doubtful,
    gather,
    measure,
    odd_mark,
    odd_place,
    odd_space,
    scan,
    shortest_cell,
)
from shoe.reading.words import FOUND, OTHER, PLACES, WORD, WRONG, explain, listed, named, near
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
# bridge card, give or take 1.5 mm of print; 4 fewer when the first mark is hidden.
_FRONTS = {"": (2, 14), "poker": (2, 8), "bridge": (8, 14)}
_FRONT_MOST = const(14)
_HIDDEN_FRONT = const(4)
_LAST_CELLS = const(2)
_QUICK_US = const(2900)  # for these, at 1.4 m/s
_TICKS_MASK = const(0x3FFFFFFF)
_CORRECTED_COST = const(70)
_BRIDGED_COST = const(60)
_UNSURE_COST = const(24)
_ODD_MOST = const(5)  # of 26 marks and spaces, in what counts as print: tests/bench/unseen_campaign.py


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
        scan(WIDTHS, count)
        moved = frame != 0 and frame != (1 << count) - 1
        return moved and doubtful(cells, first, count) < 2 and WIDTHS[ODD] <= _ODD_MOST

    def read(self, marks, cells, first, count, skips, front):
        """Read `count` marks from number `first` on: `marks` and `cells` as track fills them.

        `skips`: how often both clock lines moved at once. `front`: quarter cells from the first mark to where the
        card's edge came under the card sensor.
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
                self._whole(frame, damage, front)
            elif damage:
                self.reason = UNREADABLE_SHORT
            else:
                self._hidden(frame, front)
        self.margin -= _UNSURE_COST * damage

    def _whole(self, frame, damage, front):
        """All 26 cells are there: correct one at most, none where the clock is odd beside the code."""
        packed = named(frame)
        scan(WIDTHS, CELLS)
        own = packed & 4095
        if packed < 0:
            self.reason = UNREADABLE_FRAME if frame >> 25 == 0 or frame & 1 else UNREADABLE_CODE
        elif packed > 4095 and (damage or not self._accepted[own & 63] or self._is_odd()):
            self.reason = UNREADABLE_CODE
        elif not self._least <= front <= self._most or self._may_be_forged(frame, own):
            self.reason = UNREADABLE_AMBIGUOUS
        else:
            self._accept(packed, 0)

    def _may_be_forged(self, frame, own):
        """Whether it looks as if marks were hidden on the way and others printed beside the code, from another card.

        A stop may look like that as well, so the code decides: fewer than six spots of ink must not lead here.
        """
        even = WIDTHS[EVEN]
        last = WIDTHS[PLACE] if even else 0
        if last or WIDTHS[LONG_PLACE]:
            code = frame >> 1 & 0xFFFFFF
            count = len(FORGED)
            if listed(FORGED, count, last << 24 | code) or listed(FORGED, count, WIDTHS[LONG_PLACE] << 24 | code):
                return True
            if listed(REFUSED, len(REFUSED), frame):
                return True
        if even == 1:
            return self._comes_near(frame, own, last, 0, 3) or self._comes_near(frame, own, last, last, 2)
        return even == 2 and self._comes_near(frame, own, WIDTHS[BEFORE], last, 1)

    def _comes_near(self, frame, own, first, second, most, cells=CELLS):
        """Whether another word gives the `cells` of `frame`, with marks hidden before its marks `first` and `second`.

        0 is no second one. What is read more than the word has then was added before its cells or behind them.
        """
        count = 24 if second else 25
        added = cells - count
        for ahead in range(added + 1):
            at = max(first - ahead, 0)
            behind = min(second - ahead + 1, CELLS - 1) if second else 0
            part = frame >> added - ahead & (1 << count) - 1
            if at <= count and near(self._in_play, own, part, at, behind, most):
                return True
        return False

    def _is_odd(self):
        """Whether a stop or dirt at the first or last mark leaves room for one lost and one added: correct no cell."""
        return WIDTHS[ODD] and bool(
            self._is_crowded(1)
            or self._is_crowded(CELLS - 1)
            or odd_space(WIDTHS, 1)
            or odd_space(WIDTHS, CELLS - 1)
            or odd_mark(WIDTHS, 0, CELLS - 1)
            or odd_mark(WIDTHS, CELLS - 1, CELLS - 1)
        )

    def _is_crowded(self, space):
        """Whether the space before mark `space` is too narrow for a print."""
        return WIDTHS[SPACES + space] << 3 < min(WIDTHS[space - 1], WIDTHS[space])

    def _hidden(self, frame, front):
        """One mark is hidden: the code says which card it is, wherever that is, and then the times may say no.

        One wrong cell is put right when no other word comes as near as two cells more. What a card of the other design
        with two damages shows, one with a stain, or one with two marks lost and one added, is refused.
        """
        scan(WIDTHS, CELLS - 1)
        explain(self._in_play, frame)
        wrong = FOUND[WRONG]
        own = FOUND[WORD]
        if wrong > 1:
            self.reason = UNREADABLE_SHORT
        elif FOUND[OTHER] < wrong + 2 or listed(REFUSED, len(REFUSED), frame):
            self.reason = UNREADABLE_AMBIGUOUS
        elif not self._in_time(frame, own, FOUND[PLACES], wrong, front):
            self.reason = UNREADABLE_AMBIGUOUS
        elif not self._accepted[own & 63] and wrong:
            self.reason = UNREADABLE_CODE  # too little to accuse a card of another batch
        else:
            self._accept(wrong << 12 | own, 1)

    def _in_time(self, frame, own, places, wrong, front):
        """Whether the times, and where the card's edge came, leave room for a hidden mark at one of `places` alone."""
        if places & 1 and self._least <= front + _HIDDEN_FRONT <= self._most and not WIDTHS[ODD]:
            return True
        if not self._least <= front <= self._most:
            return False
        if places >> CELLS - 1 and not WIDTHS[ODD]:
            return True
        for place in range(1, CELLS - 1):
            odd = odd_place(WIDTHS, place, CELLS - 2) if places >> place & 1 else 0
            if odd and not odd & LONG and not self._odd_elsewhere(frame, own, place, odd, wrong):
                return True
        return False

    def _odd_elsewhere(self, frame, own, place, odd, wrong):
        """Whether the times say more than that the mark of cell `place` is hidden, which looks `odd`.

        With a wrong cell nothing else may be odd. Else no hand may have to stop faster than hands do; and where a
        second mark looks hidden, with one printed behind the code, no other word may come near.
        """
        if wrong:
            return WIDTHS[ODD] > 1
        if WIDTHS[FAST] > (1 if odd & SURE else 0):
            return True
        even = WIDTHS[EVEN] - (1 if odd & ALIKE else 0)
        if not even:
            return False
        # Only where two look alike is there one before the last; the one may be the mark before this very space.
        second = WIDTHS[PLACE] if WIDTHS[EVEN] == 1 or WIDTHS[PLACE] != place else WIDTHS[BEFORE]
        if even > 1 or WIDTHS[LONG_PLACE] or -2 < second - place < 2:
            return True
        return self._comes_near(frame, own, min(place, second), max(place, second), 2, CELLS - 1)

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
