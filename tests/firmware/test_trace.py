"""The trace of the last passes: times between edges, what fits, and that nothing is left of one that is not public."""

import unittest
from array import array

from shoe.reading.trace import Trace

WRAP = 1 << 30


def edges(data):
    """(delta, lines) of each entry."""
    data = bytes(data)
    return [(data[at] | data[at + 1] << 8, data[at + 2]) for at in range(0, len(data), 3)]


class TraceTest(unittest.TestCase):
    def setUp(self):
        self.trace = Trace(2, 2, 6)

    def record(self, head, *times):
        """Edges at these times, with their numbers as the lines."""
        self.trace.record(head, array("i", times), bytes(range(1, len(times) + 1)), 0, len(times))

    def kept(self, *times):
        self.record(0, *times)
        self.trace.keep(0, 1)
        return edges(self.trace.read(0, 0, 99)[3])

    def test_an_edge_has_the_time_since_the_one_before_and_the_first_none(self):
        self.assertEqual(self.kept(5000, 5001, 5301), [(0, 1), (1, 2), (300, 3)])
        self.assertEqual(self.kept(5400, 5402), [(0, 1), (2, 2)])

    def test_edges_go_on_behind_those_that_are_there(self):
        self.record(0, 100, 200)
        self.trace.record(0, array("i", [0, 250, 270, 0]), bytes([9, 7, 8, 9]), 1, 3)
        self.trace.keep(0, 1)
        self.assertEqual(edges(self.trace.read(0, 0, 99)[3]), [(0, 1), (100, 2), (50, 7), (20, 8)])

    def test_a_long_time_takes_more_entries(self):
        self.assertEqual(self.kept(1, 1 + 65534), [(0, 1), (65534, 2)])
        self.assertEqual(self.kept(1, 1 + 65535), [(0, 1), (65535, 2), (0, 2)])
        self.assertEqual(self.kept(1, 1 + 2 * 65535 + 7), [(0, 1), (65535, 2), (65535, 2), (7, 2)])

    def test_the_clock_may_wrap_and_a_time_that_lies_back_takes_none(self):
        self.assertEqual(self.kept(WRAP - 3, 4), [(0, 1), (7, 2)])
        self.assertEqual(self.kept(1000, 999, 1002), [(0, 1), (0, 2), (3, 3)])
        self.assertEqual(self.kept(0, WRAP // 2), [(0, 1), (0, 2)])

    def test_what_does_not_fit_is_left_out(self):
        self.assertEqual(self.kept(1, 2, 3, 4, 5, 6, 7, 8), [(0, 1)] + [(1, at) for at in range(2, 7)])
        self.assertEqual(len(self.kept(1, 1 + 65535 * 9)), 6)

    def test_a_pass_has_its_head_and_kind_and_the_newest_comes_first(self):
        self.record(1, 1, 2)
        self.record(0, 1, 2, 3)
        self.trace.keep(1, 4)
        self.trace.keep(0, 5)
        self.assertEqual(self.trace.passes(), 2)
        self.assertEqual(self.trace.read(0, 0, 99)[:3], (0, 5, 3))
        self.assertEqual(self.trace.read(1, 0, 99)[:3], (1, 4, 2))
        self.record(1, 7)
        self.trace.keep(1, 6)
        self.assertEqual(self.trace.passes(), 2)
        self.assertEqual([self.trace.read(at, 0, 99)[1] for at in (0, 1)], [6, 5])

    def test_a_part_of_a_pass_can_be_read(self):
        self.kept(1, 2, 4, 7)
        self.assertEqual(edges(self.trace.read(0, 1, 8)[3]), [(1, 2), (2, 3)])
        self.assertEqual(edges(self.trace.read(0, 3, 99)[3]), [(3, 4)])
        self.assertEqual(self.trace.read(0, 4, 99)[2:], (4, b""))
        self.assertEqual(self.trace.read(0, 5, 99), None)
        for index in (1, 2, 9):
            self.assertEqual(self.trace.read(index, 0, 99), None)

    def test_nothing_is_left_of_a_pass_that_was_wiped(self):
        self.record(0, 1000, 70000, 80000)
        self.trace.wipe(0)
        self.assertEqual(self.trace.passes(), 0)
        self.assertTrue(all(not any(slot) for slot in self.trace._slots))
        self.assertEqual(self.kept(5, 6), [(0, 1), (1, 2)])


if __name__ == "__main__":
    unittest.main()
