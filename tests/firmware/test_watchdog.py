"""The watchdog is fed only when every task has gone round; the trace keeps public passes only."""

import unittest
from array import array

from shoe.app.watchdog import Watchdog
from shoe.reading.trace import Trace

NEAR_WRAP = (1 << 30) - 100


class WatchdogTest(unittest.TestCase):
    def test_all_tasks_must_check_in(self):
        watchdog = Watchdog(("heads", "panel", "link"))
        watchdog.check_in(0)
        watchdog.check_in(2)
        self.assertFalse(watchdog.complete())
        self.assertEqual(watchdog.missing(), ("panel",))
        watchdog.check_in(1)
        self.assertTrue(watchdog.complete())
        self.assertFalse(watchdog.complete())


class TraceTest(unittest.TestCase):
    def setUp(self):
        self.trace = Trace(2, passes=3, edges=10)

    def record(self, head, lines, step=70):
        time = NEAR_WRAP
        for state in lines:
            self.trace.record(head, array("i", [0, time & (1 << 30) - 1, 0]), bytes((15, state, 15)), 1, 2)
            time += step

    def test_edges_come_back_with_their_deltas_over_the_wrap(self):
        self.record(1, (1, 3, 0))
        self.trace.keep(1, 0)
        head, kind, count, data = self.trace.read(0, 0, 100)
        self.assertEqual((head, kind, count), (1, 0, 3))
        self.assertEqual(bytes(data), bytes((0, 0, 1, 70, 0, 3, 70, 0, 0)))

    def test_a_long_pause_is_written_in_pieces(self):
        self.record(0, (1, 0), 0x1FFFE)
        self.trace.keep(0, 0)
        data = bytes(self.trace.read(0, 0, 100)[3])
        self.assertEqual(data, bytes((0, 0, 1, 255, 255, 0, 255, 255, 0, 0, 0, 0)))

    def test_a_wiped_pass_leaves_nothing(self):
        self.record(0, (1, 3, 7, 0))
        self.trace.wipe(0)
        self.assertEqual(self.trace.passes(), 0)
        self.assertIsNone(self.trace.read(0, 0, 100))
        self.record(0, (9, 0))
        self.trace.keep(0, 0)
        self.assertEqual(bytes(self.trace.read(0, 0, 100)[3]), bytes((0, 0, 9, 70, 0, 0)))
        for slot in self.trace._slots:
            self.assertEqual(slot.count(b"\x07"), 0)

    def test_the_pass_under_way_is_not_served(self):
        self.record(0, (1, 3))
        self.assertIsNone(self.trace.read(0, 0, 100))

    def test_the_newest_come_first_and_the_oldest_go(self):
        for number in range(5):
            self.record(0, (number + 1, 0))
            self.trace.keep(0, number)
        self.assertEqual(self.trace.passes(), 3)
        self.assertEqual([self.trace.read(i, 0, 9)[1] for i in range(3)], [4, 3, 2])

    def test_too_many_edges_are_cut_off(self):
        self.record(0, [1] * 40)
        self.trace.keep(0, 0)
        self.assertEqual(self.trace.read(0, 0, 1000)[2], 10)
        self.assertEqual(len(self.trace.read(0, 4, 1000)[3]), 18)
        self.assertIsNone(self.trace.read(0, 11, 10))


if __name__ == "__main__":
    unittest.main()
