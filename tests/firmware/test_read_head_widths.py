"""How long marks and spaces took, which may hide a mark and which cells are uneven: beside CARD_CODE.md's fractions."""

import unittest
from array import array

import plain_code
from rng import Rng
from shoe.reading.track import DOWN, MARKS
from shoe.reading.widths import (
    LONGEST,
    SPACES,
    doubtful,
    gather,
    long_mark,
    long_places,
    long_space,
    measure,
    shortest_cell,
    uneven_cells,
)

TICKS = 1 << 30


def widths(marks, spaces):
    """As `measure` leaves them; spaces[0] is the one before mark 1."""
    found = array("i", [0] * 64)
    for number, width in enumerate(marks):
        found[number] = width
    for number, width in enumerate(spaces):
        found[SPACES + 1 + number] = width
    return found


def around(*bounds):
    """Each bound in eighths, and one µs to either side."""
    return [bound // 8 + more for bound in bounds for more in (-1, 0, 1) if bound // 8 + more > 0]


PAIRS = [(4499, 4499), (4500, 3000), (3000, 4500), (6999, 6999), (7000, 5000), (5000, 7000), (1000, 1003), (999, 640),
         (8, 16), (20001, 9000)]  # fmt: skip


class TestLong(unittest.TestCase):
    def test_a_space_is_long_to_the_microsecond(self):
        for before, after in PAIRS:
            for width in around(6 * min(before, after)) + [LONGEST - 1, LONGEST]:
                found = long_space(widths((500, before, after, 500), (1, width, 1)), 2)
                self.assertEqual(found, plain_code.is_long_space(width, before, after), (before, after, width))
        for before, after in ((LONGEST, LONGEST), (LONGEST, 100)):
            self.assertEqual(long_space(widths((500, before, after, 500), (1, LONGEST, 1)), 2), 1)

    def test_nothing_stands_before_the_first_mark(self):
        self.assertEqual(long_space(widths((500, 500), (90000,)), 0), 0)

    def test_a_mark_is_long_to_the_microsecond(self):
        for before, after in PAIRS:
            for width in around(13 * max(before, after)) + [LONGEST - 1, LONGEST]:
                found = long_mark(widths((700, before, width, after, 700), (1, 1, 1, 1)), 2, 4)
                self.assertEqual(found, plain_code.is_long_mark(width, before, after), (before, after, width))
        self.assertEqual(long_mark(widths((700, LONGEST, LONGEST, LONGEST, 700), (1, 1, 1, 1)), 2, 4), 1)

    def test_the_first_and_last_mark_are_held_against_their_only_neighbour(self):
        for beside in (640, 3000, 4499):
            for width in around(13 * beside, 14 * beside):
                wanted = plain_code.is_long_mark(width, beside, beside)
                self.assertEqual(long_mark(widths((width, beside, 9), (1, 1)), 0, 2), wanted, width)
                self.assertEqual(long_mark(widths((9, beside, width), (1, 1)), 2, 2), wanted, width)


class TestPass(unittest.TestCase):
    def test_long_places_and_uneven_cells_are_counted(self):
        rng = Rng(1)
        seen = [0, 0]
        for _ in range(200):
            count = 24 + rng.below(3)
            marks = [400 + rng.below(200) for _ in range(count)]
            spaces = [150 + rng.below(30) for _ in range(count - 1)]
            for _ in range(rng.below(5)):
                marks[rng.below(count)] = (1300, 600, 5000, 40000, 100)[rng.below(5)]
                spaces[rng.below(count - 1)] = (880, 350, 6000, 40000)[rng.below(4)]
            found = widths(marks, spaces)
            wanted = len(plain_code.long_places(marks, spaces)), len(plain_code.uneven_cells(marks, spaces))
            self.assertEqual((long_places(found, count), uneven_cells(found, count)), wanted)
            seen = [most if most > now else now for most, now in zip(seen, wanted)]
        self.assertTrue(seen[0] > 4 and seen[1] > 2)

    def test_a_cell_is_uneven_to_the_microsecond(self):
        """800 µs is the trend: 1,300 is 13/8 of it, 480 is 3/5."""
        for time, uneven in ((479, 1), (480, 0), (1300, 0), (1301, 1), (LONGEST, 1)):
            for cell in range(25):
                marks, spaces = [600] * 26, [200] * 25
                marks[cell] = time // 2
                spaces[cell] = time - time // 2
                self.assertEqual(uneven_cells(widths(marks, spaces), 26), uneven, (time, cell))

    def test_two_doubled_cells_side_by_side_are_both_uneven_wherever_they_are(self):
        """Each is damaged like its neighbour: the trend of five cells shows them."""
        for cell in range(24):
            marks, spaces = [600] * 26, [200] * 25
            for at in (cell, cell + 1):
                marks[at] = 1400
            self.assertEqual(uneven_cells(widths(marks, spaces), 26), 2, cell)

    def test_a_hand_that_speeds_up_by_a_sixth_in_each_cell_is_even(self):
        for faster in (False, True):
            times = [8000 * 7**number // 6**number for number in range(25)]
            if faster:
                times.reverse()
            marks = [time * 3 // 4 for time in times] + [100]
            spaces = [time - time * 3 // 4 for time in times]
            self.assertEqual(uneven_cells(widths(marks, spaces), 26), 0)


class TestRings(unittest.TestCase):
    """Rings of 64 from any place, over the wrap of the ticks."""

    def passed(self, rng, first, count, start):
        """Marks of a pass: the ring, and (into, out of) each mark."""
        ring = array("i", [rng.below(TICKS) for _ in range(MARKS)])
        times = []
        now = start
        for number in range(count):
            into = now + 100 + rng.below(900)
            now = into + 300 + rng.below(3000)
            times.append((into, now))
            ring[first + number & 63] = into % TICKS
            ring[DOWN + (first + number & 63)] = now % TICKS
        return ring, times

    def test_widths_are_times_between_edges(self):
        rng = Rng(2)
        for first in (0, 20, 40, 63, 262144 + 50):
            for start in (5, TICKS - 40000):
                count = 20 + rng.below(7)
                ring, times = self.passed(rng, first, count, start)
                found = array("i", [0] * 64)
                measure(ring, found, first, count)
                self.assertEqual(list(found[:count]), [out - into for into, out in times])
                between = [times[i][0] - times[i - 1][1] for i in range(1, count)]
                self.assertEqual(list(found[SPACES + 1 : SPACES + count]), between)

    def test_what_took_longer_than_67_seconds_counts_as_67(self):
        for more in (-1, 0, 1, 5):
            ring = array("i", [0] * MARKS)
            ring[0], ring[DOWN] = 100, 100 + LONGEST + more
            ring[1] = ring[DOWN] + LONGEST + more
            ring[DOWN + 1] = ring[1] + 7
            found = array("i", [0] * 64)
            measure(ring, found, 0, 2)
            least = min(LONGEST, LONGEST + more)
            self.assertEqual((found[0], found[SPACES + 1], found[1]), (least, least, 7))

    def test_a_mark_behind_the_last_one_is_in_no_cell_of_the_pass(self):
        ring, times = self.passed(Rng(4), 40, 27, 5)
        ring[40 + 26 & 63] = times[25][0] + 1
        cells = [times[i + 1][0] - times[i][0] for i in range(25)]
        self.assertEqual(shortest_cell(ring, 40, 26), min(cells))

    def test_the_shortest_cell_is_the_shortest_of_all_but_0(self):
        rng = Rng(3)
        for first in (0, 37, 38, 62, 63, 127, 262144 + 45):
            for start in (5, TICKS - 40000):
                ring, times = self.passed(rng, first, 26, start)
                cells = [times[i + 1][0] - times[i][0] for i in range(25)]
                for quick in (0, 1, 24):  # wherever it is
                    at = first + quick + 1
                    self.assertEqual(shortest_cell(ring, first, 26), min(cells))
                    cells[quick] = min(cells) - 1
                    for later in range(quick + 1, 26):
                        times[later] = (times[later - 1][0] + cells[later - 1], 0)
                        ring[first + later & 63] = times[later][0] % TICKS
                    self.assertEqual(shortest_cell(ring, first, 26), min(cells))
                    self.assertEqual(min(cells), cells[quick], at)
        for between in (1, 2):
            ring = array("i", [0] * MARKS)
            ring[1] = 0  # both clocks moved at once: no time at all
            ring[2] = between
            self.assertEqual(shortest_cell(ring, 0, 3), between)

    def test_cells_are_gathered_first_one_highest_and_doubts_are_counted_apart(self):
        rng = Rng(4)
        for first in (0, 38, 39, 60, 63, 262144 + 33):
            for count in (1, 25, 26, 27, 30):
                ring = bytearray(rng.below(4) for _ in range(64))
                shown = [ring[first + number & 63] for number in range(min(count, 26))]
                bits = "".join(str(cell & 1) for cell in shown)
                self.assertEqual(gather(ring, first, count), int(bits, 2))
                self.assertEqual(doubtful(ring, first, count), sum(cell > 1 for cell in shown))


if __name__ == "__main__":
    unittest.main()
