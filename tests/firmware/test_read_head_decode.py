"""Marks and cells to a card or the reason why there is none, beside the rules of CARD_CODE.md in plain words."""

import unittest
from array import array

from plain_code import (
    NAMES,
    WORDS,
    fewest_wrong,
    looks,
    looks_as_mark,
    looks_as_space,
    ones,
    printed,
    without,
)
from rng import Rng
from shoe.reading import refused_frames
from shoe.reading.decode import CellReader
from shoe.reading.track import DOWN, MARKS
from shoe.reading.widths import ALIKE, LONG, LONGER, SURE
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

REFUSED = tuple(refused_frames.REFUSED)
FORGED_CODES = tuple(refused_frames.FORGED)
FIRST = 50  # number of the first mark, so that the rings of 64 come round


# Words that another word comes near when marks look hidden before these marks: name, the marks, whether near enough.
# The same mark may hide two. Found by fewest_wrong over words and marks drawn at random.
FORGED = (
    [(name, (mark,), True) for name, mark in ((2819, 20), (1732, 7), (1412, 8), (1668, 23), (1539, 5), (3137, 22))]
    + [(name, (mark,), False) for name, mark in ((1732, 8), (1028, 7), (579, 23), (1347, 1), (1, 20), (2306, 13))]
    + [(name, marks, True) for name, marks in ((3138, (12, 19)), (195, (16, 21)), (3265, (5, 13)))]
    + [(name, marks, False) for name, marks in ((3332, (6, 10)), (2178, (1, 13)), (2305, (1, 16)), (641, (5, 26)))]
)
# With cell `place` hidden and one more mark that looks so: name, place, the other mark, and whether near enough.
FORGED_HIDDEN = [
    (1155, 14, 16, True),
    (3267, 9, 19, True),
    (2178, 13, 14, True),
    (2049, 19, 18, True),
    (2051, 21, 14, True),
    (1409, 14, 11, False),
    (2563, 14, 10, False),
    (1409, 17, 22, False),
    (2627, 22, 9, False),
    (2819, 20, 10, False),
]


class Seen:
    """What went by: cells as a number, how many, doubts among them, how often both clocks jumped, widths, the edge."""

    def __init__(self, cells, count, front=5, doubts=0, skips=0):
        self.cells = cells
        self.count = count
        self.front = front
        self.doubts = doubts
        self.skips = skips
        self.marks = [600] * count
        self.spaces = [200] * (count - 1)

    def hide(self, place):
        """The space before mark `place` looks just as if a mark were lost there, at a speed at which nobody stops."""
        self.spaces[place - 1] = 1000

    def join(self, place):
        """The mark before the hidden cell `place` looks joined with it."""
        self.marks[place - 1] = 1400

    def rest(self, place):
        """The hand went slowly and rested before mark `place`: longer, and no more is known."""
        self.marks[place - 1] = self.marks[place] = 9000
        self.spaces[place - 1] = 90000

    def slower(self, times):
        """The hand was so many times as slow: so slow that it may stop in any space."""
        self.marks = [width * times for width in self.marks]
        self.spaces = [width * times for width in self.spaces]

    def read(self, batches, size=""):
        """What CellReader says: (kind, reason, card, batch, corrected, margin)."""
        marks = array("i", [0] * MARKS)
        cells = bytearray(64)
        now = (1 << 30) - 9000
        for number in range(self.count):
            if number:
                now += self.spaces[number - 1]
            marks[FIRST + number & 63] = now & 0x3FFFFFFF
            now += self.marks[number]
            marks[DOWN + (FIRST + number & 63)] = now & 0x3FFFFFFF
            doubt = 2 if number < self.doubts else 0
            cells[FIRST + number & 63] = self.cells >> self.count - 1 - number & 1 | doubt
        reader = CellReader(size)
        reader.set_batches(batches)
        reader.read(marks, cells, FIRST, self.count, self.skips, self.front)
        return reader.kind, reader.reason, reader.card, reader.batch, reader.corrected, reader.margin


def plain(seen, batches):
    """What CARD_CODE.md says of it, as (kind, reason, card, batch, corrected, margin)."""
    damage = seen.doubts + seen.skips
    margin = 255 - 24 * damage

    def no(reason, kind=PASS_UNREADABLE):
        return kind, reason, 63, 0, 0, margin

    if seen.count < 25:
        return no(UNREADABLE_SHORT)
    if ones(seen.cells) in (0, seen.count):
        return no(UNREADABLE_STUCK, PASS_BLOCKED)
    if damage > 1:
        return no(UNREADABLE_CODE)
    if seen.count == 25 and damage:
        return no(UNREADABLE_SHORT)
    reason, name, wrong = (plain_whole if seen.count == 26 else plain_hidden)(seen, batches, damage)
    if reason != UNREADABLE_NONE:
        return no(reason)
    card, batch = name >> 6, name & 63
    hidden = 26 - seen.count
    kind = PASS_COVER_CARD if card == 52 else PASS_TEST_CARD if card > 52 else PASS_CARD
    if batch not in batches:
        kind = PASS_FOREIGN_BATCH
    return kind, UNREADABLE_NONE, card, batch, wrong + hidden, margin - 70 * wrong - 60 * hidden


def plain_whole(seen, batches, damage):
    """All 26 cells are there: (reason, name, wrong cells)."""
    near = [(name, ones(word ^ seen.cells)) for name, word in zip(NAMES, WORDS) if ones(word ^ seen.cells) < 2]
    if not near:
        good = seen.cells >> 25 == 1 and seen.cells & 1 == 0
        return (UNREADABLE_CODE if good else UNREADABLE_FRAME), 0, 0
    ((name, wrong),) = near
    told = looks(seen.marks, seen.spaces)
    longer = [one for _, one in told if one]
    marks, spaces = seen.marks, seen.spaces
    ends = (
        8 * spaces[0] < min(marks[0], marks[1])
        or 8 * spaces[24] < min(marks[24], marks[25])
        or looks_as_space(spaces[0], marks[0], marks[1])
        or looks_as_space(spaces[24], marks[24], marks[25])
        or looks_as_mark(marks[0], marks[1], marks[1], False)
        or looks_as_mark(marks[25], marks[24], marks[24], False)
    )
    if wrong and (damage or (name & 63) not in batches or (longer and ends)):
        return UNREADABLE_CODE, 0, 0
    if not 2 <= seen.front <= 14:
        return UNREADABLE_AMBIGUOUS, 0, 0
    alike = [place for place, one in told if one & ALIKE]
    long = [place for place, one in told if one & LONG]
    forged = bool(alike or long) and seen.cells in REFUSED
    for place in alike[-1:] + long[-1:]:
        forged = forged or (place << 24 | seen.cells >> 1 & 0xFFFFFF) in FORGED_CODES
    if len(alike) == 1 and not forged:
        forged = fewest_wrong(name, seen.cells, 26, alike[0]) <= 3
        forged = forged or fewest_wrong(name, seen.cells, 26, alike[0], alike[0]) <= 2
    elif len(alike) == 2 and not forged:
        forged = fewest_wrong(name, seen.cells, 26, alike[0], alike[1]) <= 1
    return (UNREADABLE_AMBIGUOUS if forged else UNREADABLE_NONE), name, wrong


def plain_hidden(seen, batches, _damage):
    """One mark of 26 is hidden: (reason, name, wrong cells)."""
    designs = {(batch - 1) // 2 for batch in batches}
    best = []
    for name, word in zip(NAMES, WORDS):
        if ((name & 63) - 1) // 2 in designs:
            wrong = [ones(without(word, 26, place) ^ seen.cells) for place in range(26)]
            least = min(wrong)
            best.append((least, name, [place for place in range(26) if wrong[place] == least]))
    best.sort(key=lambda one: one[0])
    wrong, name, places = best[0]
    if wrong > 1:
        return UNREADABLE_SHORT, 0, 0
    if best[1][0] < wrong + 2 or seen.cells in REFUSED or not plain_in_time(seen, name, wrong, places):
        return UNREADABLE_AMBIGUOUS, 0, 0
    if wrong and (name & 63) not in batches:
        return UNREADABLE_CODE, 0, 0
    return UNREADABLE_NONE, name, wrong


def plain_in_time(seen, name, wrong, places):
    """Whether the times leave room for a hidden mark at one of the places, and for nothing else."""
    told = looks(seen.marks, seen.spaces)
    longer = [one for _, one in told if one]
    if 0 in places and -2 <= seen.front <= 10 and not longer:
        return True
    if not 2 <= seen.front <= 14:
        return False
    if 25 in places and not longer:
        return True
    alike = [place for place, one in told if one & ALIKE]
    for place in places:
        if 0 < place < 25:
            here = [one for at, one in told if at == place and one]
            if not here:
                continue
            # The mark before the cell comes first in the pull, the space behind it: the space is believed first.
            look = here[-1]
            if look & LONG:
                continue
            if wrong:
                if len(longer) == 1:
                    return True
                continue
            if sum(one & SURE != 0 for one in longer) > (look & SURE != 0):
                continue
            others = len(alike) - (look & ALIKE != 0)
            if others == 0:
                return True
            second = alike[-1] if len(alike) == 1 or alike[-1] != place else alike[-2]
            if any(one & LONG for one in longer) or abs(second - place) < 2:
                continue
            low, high = min(place, second), max(place, second)
            if others == 1 and fewest_wrong(name, seen.cells, 25, low, high) > 2:
                return True
    return False


class TestAgainstTheRules(unittest.TestCase):
    BATCHES = ((1,), (2,), (1, 2), (3, 4), (4,))

    def check(self, rng, make, count):
        """Read `count` things that `make(rng)` makes; return how often each (kind, reason) came."""
        found = {}
        for number in range(count):
            batches = self.BATCHES[rng.below(5)]
            seen = make(rng, batches)
            wanted = plain(seen, batches)
            told = seen.read(batches)
            self.assertEqual(told, wanted, (number, batches, seen.__dict__))
            found[told[:2]] = found.get(told[:2], 0) + 1
        return found

    def name(self, rng, batches):
        """A word, mostly of a batch in play."""
        if rng.below(6):
            return rng.below(57) << 6 | batches[rng.below(len(batches))]
        return NAMES[rng.below(len(NAMES))]

    def front(self, rng):
        return (5, 11, 5, 11, 1, 2, 10, 11, 14, 15)[rng.below(10)]

    def test_26_marks_with_damage_and_rests(self):
        def make(rng, batches):
            cells = printed(self.name(rng, batches))
            for _ in range((0, 0, 1, 1, 1, 2)[rng.below(6)]):
                cells ^= 1 << rng.below(26)
            seen = Seen(cells, 26, self.front(rng), rng.below(8) == 0, rng.below(8) == 0)
            place = (1, 25, 1 + rng.below(25))[rng.below(3)]
            kind = rng.below(8)
            if kind == 0:
                seen.rest(place)
            elif kind == 1:
                seen.spaces[place - 1] = (74, 75)[rng.below(2)]  # an eighth of a mark
                seen.rest(12)
            elif kind == 2:
                seen.spaces[place - 1] = 74
            elif kind == 3:
                seen.marks[(0, 25)[rng.below(2)]] = 1000
            return seen

        found = self.check(Rng(1), make, 160)
        for wanted in ((PASS_CARD, 0), (PASS_FOREIGN_BATCH, 0), (PASS_UNREADABLE, UNREADABLE_AMBIGUOUS)):
            self.assertGreater(found[wanted], 5)

    def test_a_narrow_first_or_last_space_beside_a_narrow_mark_is_not_crowded(self):
        """An eighth of the narrower mark beside it is the bound: a wrong cell is put right."""
        for place, mark, width, space in ((1, 0, 300, 60), (25, 24, 380, 50)):
            seen = Seen(printed(578) ^ 1 << 9, 26)
            seen.marks[mark] = width
            seen.spaces[place - 1] = space
            seen.rest(12)
            found = seen.read((2,))
            self.assertEqual(found, plain(seen, (2,)), place)
            self.assertEqual((found[0], found[4]), (PASS_CARD, 1), place)

    def test_26_marks_that_look_as_if_others_were_hidden(self):
        """To the cell: with one wrong cell fewer than is needed to be taken for another word, and with just as many."""
        for name, places, forged in FORGED:
            seen = Seen(printed(name), 26)
            for place in places:
                if place < 26:
                    seen.hide(place)
                else:
                    seen.join(place)
            batches = (name & 63,)
            found = seen.read(batches)
            self.assertEqual(found, plain(seen, batches), (name, places))
            self.assertEqual(found[1], UNREADABLE_AMBIGUOUS if forged else UNREADABLE_NONE, (name, places))

    def test_a_whole_code_is_refused_where_a_forger_may_have_hidden_a_mark_and_read_elsewhere(self):
        """Few spots of ink make these of another card, in ways that no search for near words finds."""
        read = 0
        for one in FORGED_CODES:
            frame, place = 1 << 25 | (one & 0xFFFFFF) << 1, one >> 24
            for space in (1000, 2600):  # as long as one that hides a mark, or three
                seen = Seen(frame, 26)
                seen.spaces[place - 1] = space
                seen.slower(14)
                self.assertEqual(seen.read((1, 2, 3, 4))[1], UNREADABLE_AMBIGUOUS, (one, space))
            seen = Seen(frame, 26)
            seen.spaces[place - 1] = 6000  # the hand stopped there
            seen.slower(14)
            read += seen.read((1, 2, 3, 4))[1] == UNREADABLE_NONE
        self.assertEqual(read, len(FORGED_CODES))

    def test_a_wrong_cell_is_not_put_right_where_a_forger_may_have_left_it(self):
        for frame in [one for one in REFUSED if one >> 25][:40]:
            for space, reason in ((1000, UNREADABLE_AMBIGUOUS), (6000, UNREADABLE_NONE)):
                seen = Seen(frame, 26)
                seen.spaces[12] = space
                seen.slower(14)
                self.assertEqual(seen.read((1, 2, 3, 4))[1], reason, frame)

    def test_25_marks_and_one_more_place_that_looks_hidden(self):
        for name, place, other, forged in FORGED_HIDDEN:
            seen = Seen(without(printed(name), 26, place), 25)
            seen.hide(place)
            if other < 25:
                seen.hide(other)
            else:
                seen.join(other)
            seen.slower(14)
            batches = (name & 63,)
            found = seen.read(batches)
            self.assertEqual(found, plain(seen, batches), (name, place, other))
            self.assertEqual(found[1], UNREADABLE_AMBIGUOUS if forged else UNREADABLE_NONE, (name, place, other))

    def test_a_rest_at_the_hidden_mark_leaves_the_mark_that_looks_hidden_before_it(self):
        """Whatever looked hidden in the pass before."""
        before = Seen(without(printed(578), 26, 24), 25)
        before.hide(24)
        before.read((2,))
        seen = Seen(without(printed(578), 26, 17), 25)
        seen.rest(17)
        seen.hide(9)
        seen.slower(14)
        found = seen.read((2,))
        self.assertEqual(found, plain(seen, (2,)))
        self.assertEqual(found[:2], (PASS_UNREADABLE, UNREADABLE_AMBIGUOUS))

    def test_a_joined_mark_before_a_rest_is_read_alike_whatever_went_by_before(self):
        """The mark looks as long as two, the space behind it only longer: nothing looks so before that one mark."""
        read = set()
        for other in (7, 9, 14, 20):
            before = Seen(without(printed(578), 26, other), 25)
            before.hide(other)
            before.hide(other + 2)
            before.read((2,))
            seen = Seen(without(printed(3267), 26, 18), 25)
            seen.hide(18)
            seen.join(18)
            seen.slower(14)
            found = seen.read((3,))
            self.assertEqual(found, plain(seen, (3,)), other)
            read.add(found)
        self.assertEqual(len(read), 1)

    def test_a_hidden_first_mark_is_believed_up_to_the_edge_of_a_bridge_card_and_no_further(self):
        """Found by the code alone; 10 quarter cells is the most that CARD_CODE.md has for it."""
        for front, reason in ((10, UNREADABLE_NONE), (11, UNREADABLE_AMBIGUOUS)):
            seen = Seen(without(printed(578), 26, 0), 25, front)
            found = seen.read((2,))
            self.assertEqual(found, plain(seen, (2,)), front)
            self.assertEqual(found[1], reason, front)

    def test_25_marks(self):
        def make(rng, batches):
            name = self.name(rng, batches)
            place = (0, 25, 1 + rng.below(24), 1 + rng.below(24))[rng.below(4)]
            cells = without(printed(name), 26, place)
            for _ in range((0, 0, 0, 1, 2)[rng.below(5)]):
                cells ^= 1 << rng.below(25)
            seen = Seen(cells, 25, self.front(rng), rng.below(9) == 0)
            if 0 < place < 25 and rng.below(8):
                if rng.below(2):
                    seen.hide(place)
                elif rng.below(2):
                    seen.join(place)
                else:
                    seen.rest(place)
            for _ in range((0, 0, 1, 2)[rng.below(4)]):
                other = 1 + rng.below(24)
                (seen.hide, seen.join, seen.rest)[rng.below(3)](other)
            if rng.below(2):
                seen.slower(14)
            return seen

        found = self.check(Rng(3), make, 160)
        for wanted in ((PASS_CARD, 0), (PASS_UNREADABLE, UNREADABLE_AMBIGUOUS), (PASS_UNREADABLE, UNREADABLE_SHORT)):
            self.assertGreater(found[wanted], 5)

    def test_fewer_marks_or_data_that_never_moved(self):
        for count in (10, 23, 24):
            self.assertEqual(Seen(5, count).read((1,))[:2], (PASS_UNREADABLE, UNREADABLE_SHORT))
        for count in (25, 26):
            for cells in (0, (1 << count) - 1):
                self.assertEqual(Seen(cells, count).read((1,))[:2], (PASS_BLOCKED, UNREADABLE_STUCK))
                self.assertNotEqual(Seen(cells ^ 1, count).read((1,))[0], PASS_BLOCKED)


class TestCardsEnd(unittest.TestCase):
    def too_long(self, front, cells_us, tail_us):
        marks = array("i", [0] * MARKS)
        last = (1 << 30) - 50
        marks[DOWN + (FIRST + 25 & 63)] = last
        marks[DOWN + (FIRST + 23 & 63)] = last - cells_us
        return CellReader().is_too_long(marks, FIRST + 26, front, last + tail_us & 0x3FFFFFFF)

    def test_half_as_long_again_as_the_last_cells_say_is_a_card_behind_it(self):
        """32 quarter cells less `front` are left behind the last mark; its two cells are 8."""
        for front, tail in ((5, 27), (11, 21), (14, 18), (20, 18), (0, 32), (-9, 32)):
            for cells_us in (1600, 2896):
                usual_us = tail * cells_us // 8
                most = usual_us * 3 // 2
                self.assertFalse(self.too_long(front, cells_us, most))
                self.assertTrue(self.too_long(front, cells_us, most + 1))

    def test_a_slower_hand_may_stop(self):
        self.assertTrue(self.too_long(5, 2899, 60000))
        self.assertFalse(self.too_long(5, 2900, 60000))


class TestPrint(unittest.TestCase):
    """What goes by unseen is print when nearly all of it is as wide as print."""

    def is_print(self, cells, count, odd=0, doubts=0):
        seen = Seen(cells, count)
        for number in range(odd):
            seen.rest(2 + 4 * number)
        marks = array("i", [0] * MARKS)
        ring = bytearray(64)
        now = 0
        for number in range(count):
            now += seen.spaces[number - 1] if number else 70
            marks[FIRST + number & 63] = now
            now += seen.marks[number]
            marks[DOWN + (FIRST + number & 63)] = now
            ring[FIRST + number & 63] = cells >> count - 1 - number & 1 | (2 if number < doubts else 0)
        told = sum(one & LONGER for _, one in looks(seen.marks, seen.spaces))
        return CellReader().is_print(marks, ring, FIRST, count), told

    def test_five_odd_marks_or_spaces_are_print_and_six_are_not(self):
        for count in (22, 26):
            cells = printed(NAMES[9]) >> 26 - count
            for odd in range(6):
                shown, told = self.is_print(cells, count, odd)
                self.assertEqual(shown, told <= 5, (odd, told))

    def test_data_that_never_move_or_move_inside_two_cells_are_no_print(self):
        cells = printed(NAMES[9]) >> 4
        self.assertEqual(self.is_print(cells, 22), (True, 0))
        self.assertTrue(self.is_print(cells, 22, doubts=1)[0])
        self.assertFalse(self.is_print(cells, 22, doubts=2)[0])
        self.assertFalse(self.is_print(0, 22)[0])
        self.assertFalse(self.is_print((1 << 22) - 1, 22)[0])
        self.assertTrue(self.is_print((1 << 22) - 2, 22)[0])


if __name__ == "__main__":
    unittest.main()
