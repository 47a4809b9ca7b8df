"""Margins of the read heads: which measurements count, when the warning comes and goes, thresholds that last."""

import unittest

from board_fake import FakeBoard
from shoe import wire_table as t
from shoe.journal.durable_notes import DAMAGED, Notes
from shoe.reading.head_margins import CLEAR, LIMIT, MEASURED, UNKNOWN, UNKNOWN_MARGIN, WINDOW, Margins

BRIGHT = (12000, 12000, 12000, 12000)
DARK = (52000, 52000, 52000, 52000)


class Head:
    untouched = True


class Steps:
    def __init__(self):
        self.events = []

    def room(self):
        return True

    def commit(self, events):
        self.events += events


class MarginsTest(unittest.TestCase):
    def setUp(self):
        self.board = FakeBoard()
        self.margins = Margins(self.board, Notes)
        self.assertTrue(self.margins.start())
        self.heads = [Head() for _ in range(self.board.heads)]
        self.steps = Steps()
        self.ms = 1000

    def look(self, times=1):
        """As idle work does, for side A and B in turn."""
        for _ in range(times):
            self.ms += 500
            self.margins.empty(self.ms, self.heads, self.steps)

    def draw(self, public, dark=7, count=WINDOW):
        for _ in range(count):
            self.board.dark[0] = dark
            self.margins.passing(0, 1)
            self.board.dark[0] = 0
            self.margins.passed(0, public)

    def test_nothing_is_known_before_anything_was_measured(self):
        self.assertEqual(self.margins.margin(0), UNKNOWN_MARGIN)
        self.margins.closing([(t.REC_SHOE_CLOSED, 0, 0, 0)], self.steps)
        self.assertEqual(self.steps.events, [])

    def test_every_head_of_which_something_is_known_is_told_when_a_shoe_is_closed_and_only_then(self):
        self.margins.keep_threshold(1, 32000, BRIGHT, DARK)
        for events, told in (([(t.REC_SEATS, 1)], []), ([(t.REC_SEATS, 1), (t.REC_SHOE_CLOSED, 0, 0, 0)], [1])):
            self.steps.events = []
            self.margins.closing(events, self.steps)
            self.assertEqual([event[1] for event in self.steps.events], told)

    def test_bright_comes_from_the_empty_throat_alone(self):
        self.heads[0].untouched = False
        self.look(4)
        self.assertEqual(self.margins.light[0], UNKNOWN)
        self.assertEqual(list(self.margins.light[4:8]), list(BRIGHT))
        self.assertEqual(self.margins.margin(1), 103)  # 20,768 of 20,000

    def test_dark_counts_only_when_the_face_was_public_and_never_on_data(self):
        self.draw(False, 15)
        self.assertEqual(list(self.margins.dark[:4]), [UNKNOWN] * 4)
        self.draw(True, 15, WINDOW - 1)
        self.assertEqual(self.margins.dark[0], UNKNOWN)
        self.draw(False, 15)
        self.draw(True, 15, 1)
        self.assertEqual(list(self.margins.dark[:4]), [52000, 52000, 52000, UNKNOWN])
        self.assertEqual({lines for _, lines, _ in self.board.measured}, {7})

    def test_a_pass_is_measured_a_few_times_at_most(self):
        for _ in range(20):
            self.margins.passing(0, 15)
        self.margins.passing(1, 14)  # nothing under the card sensor
        self.assertEqual(len(self.board.measured), MEASURED)
        self.margins.passed(0, True)
        for _ in range(20):
            self.margins.passing(0, 15)
        self.assertEqual(len(self.board.measured), 2 * MEASURED)

    def test_a_pass_without_a_measurement_is_none_of_a_window(self):
        """A window is 16 passes."""
        self.draw(True, 15, 15)
        self.margins.passed(0, True)
        self.assertEqual(self.margins.dark[0], UNKNOWN)
        self.draw(True, 15, 1)
        self.assertEqual(self.margins.dark[0], 52000)
        # The throat was never seen empty: no brightness is known.
        self.assertEqual(self.margins.record(0, t.MARGIN_CLEAN)[5:], (0, 52000))

    def test_nothing_is_left_of_what_was_measured_in_a_pass_that_is_not_public(self):
        for head in (0, 1):
            self.board.dark[head] = 7
            self.margins.passing(head, 1)
            self.margins.passed(head, False)
            self.assertEqual(list(self.margins._own), [0] * 8)
            self.assertEqual(list(self.margins._peak), [0] * 8)

    def test_the_darkest_of_a_window_counts_and_the_next_window_begins_anew(self):
        for level in (50000, 48000):
            self.board.level[4][1] = level
            for at in range(WINDOW):
                self.board.dark[1] = 7 if at == 3 else 0
                self.margins.passing(1, 1)
                self.margins.passed(1, True)
            self.assertEqual(list(self.margins.dark), [UNKNOWN] * 4 + [level, 52000, 52000, UNKNOWN])

    def test_a_second_window_in_which_nothing_was_dark_is_told_as_one(self):
        self.board.level[0][0] = 0
        self.draw(True, 0, 2 * WINDOW)
        self.assertEqual(list(self.margins.dark[:3]), [0, 12000, 12000])

    def test_a_threshold_that_lies_on_a_level_leaves_no_margin(self):
        self.margins.keep_threshold(0, 12000, BRIGHT, DARK)
        self.assertEqual(self.margins.margin(0), 0)

    def test_a_pass_that_ends_leaves_what_was_measured_at_the_other_head(self):
        self.board.dark[1] = 7
        self.margins.passing(1, 1)
        self.margins.passed(0, False)
        self.assertEqual(list(self.margins._own[4:7]), [52000] * 3)

    def test_a_head_is_looked_at_once_in_half_a_second(self):
        for ms, looks in ((1000, 1), (1000, 1), (1499, 1), (1500, 2), (900, 3)):
            self.margins.empty(ms, self.heads, self.steps)
            self.assertEqual(len(self.board.measured), looks, ms)

    def test_a_record_has_the_brightest_and_the_darkest_of_its_own_head(self):
        self.margins.keep_threshold(0, 32000, (1, 2, 3, 4), (60000,) * 4)
        self.margins.keep_threshold(1, 32000, (100, 300, 200, 50), (50000, 49000, 47000, 48000))
        self.assertEqual(self.margins.record(1, t.MARGIN_CLEAN)[4:], (32000, 300, 47000))
        self.assertEqual(self.margins.record(0, t.MARGIN_CLEAN)[4:], (32000, 4, 60000))

    def test_a_calibration_takes_the_passes_of_its_own_head(self):
        class Session:
            head = 1

            def passed(self, done):
                self.done = done

        self.assertFalse(self.margins.calibrates(1, "a pass"))
        self.assertEqual(self.margins.calibrating(), 0)
        self.margins.session = Session()
        self.assertFalse(self.margins.calibrates(0, "a pass"))
        self.assertTrue(self.margins.calibrates(1, "another"))
        self.assertEqual((self.margins.session.done, self.margins.calibrating()), ("another", 2))

    def test_a_note_of_another_head_or_length_is_passed_over(self):
        self.margins._take(3, bytes(18))
        self.margins._take(1, bytes(17))
        self.margins._take(0, bytes(18))
        self.assertEqual(self.margins._kept, {})
        self.assertEqual(list(self.margins.thresholds), [32768, 32768])

    def test_the_warning_comes_at_the_limit_and_goes_well_above_it(self):
        self.margins.keep_threshold(0, 32000, BRIGHT, DARK)
        self.look(2)
        bit = 0
        seen = []
        for level in list(range(12000, 22000, 250)) + list(range(22000, 12000, -250)):
            self.board.level[1][0] = level
            self.look(24)
            if (self.margins.soon & 1) != bit:
                bit ^= 1
                seen.append(self.margins.margin(0))
        self.assertEqual(len(seen), 2)
        self.assertTrue(LIMIT - 3 <= seen[0] <= LIMIT and CLEAR <= seen[1] <= CLEAR + 3, seen)
        self.assertEqual([e[:3] for e in self.steps.events], [(t.REC_MARGIN, 0, t.MARGIN_CLEAN_SOON),
                                                              (t.REC_MARGIN, 0, t.MARGIN_CLEAN)])  # fmt: skip

    def test_each_head_has_a_warning_of_its_own(self):
        for head in range(2):
            self.margins.keep_threshold(head, 32000, BRIGHT, DARK)
        for dirty, soon in (((1,), 2), ((0, 1), 3), ((0,), 1), ((), 0)):
            for head in range(2):
                self.board.level[4 * head + 1][0] = 21000 if head in dirty else 12000
            self.look(80)
            self.assertEqual(self.margins.soon, soon)
        self.assertEqual([(e[1], e[2]) for e in self.steps.events], [
            (1, t.MARGIN_CLEAN_SOON), (0, t.MARGIN_CLEAN_SOON), (1, t.MARGIN_CLEAN), (0, t.MARGIN_CLEAN)])  # fmt: skip

    def test_too_little_dark_is_warned_of_too(self):
        self.margins.keep_threshold(0, 32000, BRIGHT, DARK)
        self.board.level[2][1] = 43000  # CLOCK_B: 11,000 of 20,000
        self.draw(True)
        self.look(2)
        self.assertEqual(self.margins.margin(0), 55)
        self.assertEqual(self.margins.soon, 1)

    def test_the_nearer_level_of_a_calibration_is_its_distance(self):
        self.margins.keep_threshold(0, 40000, BRIGHT, DARK)
        self.margins.keep_threshold(1, 24000, BRIGHT, DARK)
        self.assertEqual((self.margins.margin(0), self.margins.margin(1)), (100, 100))

    def test_a_known_margin_is_254_at_most(self):
        self.margins.keep_threshold(0, 32000, (31990,) * 4, DARK)
        self.look(80)
        self.assertEqual(self.margins.margin(0), 254)

    def test_a_threshold_outlives_a_restart(self):
        self.margins.keep_threshold(1, 28000, BRIGHT, (44000,) * 4)
        again = Margins(self.board, Notes)
        self.assertTrue(again.start())
        self.assertEqual(list(again.thresholds), [32768, 28000])
        self.assertEqual(self.board.thresholds, {0: 32768, 1: 28000})
        self.assertEqual(again.margin(1), 100)

    def test_each_head_s_last_threshold_outlives_a_restart(self):
        """The first one is written with its page, the others behind it."""
        for head, threshold in ((0, 31000), (1, 28000), (0, 30000)):
            self.margins.keep_threshold(head, threshold, BRIGHT, DARK)
        again = Margins(self.board, Notes)
        self.assertTrue(again.start())
        self.assertEqual(list(again.thresholds), [30000, 28000])

    def test_damaged_thresholds_are_said(self):
        self.margins.keep_threshold(1, 28000, BRIGHT, DARK)
        for page in (10, 11):
            self.board.store.program(page, 24, memoryview(b"\0" * 8))
        again = Margins(self.board, Notes)
        self.assertFalse(again.start())
        self.assertEqual(again._notes.state, DAMAGED)

    def test_every_head_that_is_known_stands_in_a_history_that_ends(self):
        self.look(2)
        self.margins.closing([(t.REC_OPENED,), (t.REC_SHOE_CLOSED, 0, 0, 0)], self.steps)
        self.assertEqual([e[:3] for e in self.steps.events], [(t.REC_MARGIN, 0, t.MARGIN_SHOE_CLOSED),
                                                              (t.REC_MARGIN, 1, t.MARGIN_SHOE_CLOSED)])  # fmt: skip


if __name__ == "__main__":
    unittest.main()
