"""The read head names each thing that goes through, at any speed, over the wrap of the ticks, never a wrong card."""

import unittest

from card_pulls import CLOCK_A, CLOCK_B, DATA, PRESENT, TICKS, feed_all, frame, move, pulled, strip
from shoe.compat import heap_lock, heap_unlock
from shoe.reading import card_code
from shoe.reading.read_head import ReadHead
from shoe.wire_table import (
    PASS_BLANK,
    PASS_BLOCKED,
    PASS_CARD,
    PASS_COVER_CARD,
    PASS_DOUBLE_FEED,
    PASS_FOREIGN_BATCH,
    PASS_PULL_BACK,
    PASS_TEST_CARD,
    PASS_UNREADABLE,
    UNREADABLE_AMBIGUOUS,
    UNREADABLE_CODE,
    UNREADABLE_DIRTY,
    UNREADABLE_FRAME,
    UNREADABLE_LONG,
    UNREADABLE_REVERSED,
    UNREADABLE_SATURATED,
    UNREADABLE_SHORT,
    UNREADABLE_SPEED,
    UNREADABLE_STUCK,
)

JUST_BELOW_WRAP = TICKS - 20000
GOAL = card_code.POKER_UM + card_code.PRESENT_UM + 3000


def _read(card, batch, batches=(1, 2), **how):
    return feed_all(ReadHead(0, batches), pulled(frame(card, batch), **how))


class TestCards(unittest.TestCase):
    def test_every_card_of_either_batch_and_size(self):
        head = ReadHead(1, (1, 2))
        time = JUST_BELOW_WRAP
        for length in (card_code.POKER_UM, card_code.BRIDGE_UM):
            for batch in (1, 2):
                for card in range(52):
                    found = feed_all(head, pulled(frame(card, batch), 800, time, length))
                    self.assertEqual(found, [(PASS_CARD, card, batch, 0, 0)])
                    time = (time + 200000) % TICKS

    def test_any_speed(self):
        for speed in (50, 51, 70, 100, 333, 1000, 2000, 3000):
            self.assertEqual(_read(17, 1, speed=speed, start_us=JUST_BELOW_WRAP), [(PASS_CARD, 17, 1, 0, 0)])

    def test_what_a_pass_carries(self):
        head = ReadHead(1, (1,))
        result = None
        for ticks, lines in pulled(frame(5, 1), 500, JUST_BELOW_WRAP):
            result = head.feed(ticks, lines) or result
        self.assertEqual(result.head, 1)
        self.assertEqual(result.duration_ms, 126)  # 63 mm at 500 mm/s
        self.assertEqual(result.peak_mm_s, 500)
        self.assertEqual(result.margin, 255)
        self.assertGreater(result.edges, 106)

    def test_a_stop_of_ten_seconds_anywhere(self):
        changes = strip(frame(40, 2))
        for place in range(500, 71000, 1250):
            edges = move(changes, [(place, 120), (0, -10000000), (GOAL, 300)], JUST_BELOW_WRAP)
            self.assertEqual(feed_all(ReadHead(0, (2,)), edges), [(PASS_CARD, 40, 2, 0, 0)])

    def test_backing_up_and_stutter_unwind(self):
        changes = strip(frame(23, 1))
        for place in range(12000, 68000, 1130):
            moves = [(place, 400), (place - 2600, 300), (place - 1000, 90), (place - 1700, 60), (GOAL, 700)]
            found = feed_all(ReadHead(0, (1,)), move(changes, moves, JUST_BELOW_WRAP))
            self.assertEqual(found, [(PASS_CARD, 23, 1, 0, 0)])

    def test_cover_card_and_test_cards_have_their_own_names(self):
        self.assertEqual(_read(52, 2), [(PASS_COVER_CARD, 52, 2, 0, 0)])
        self.assertEqual(_read(54, 2), [(PASS_TEST_CARD, 54, 2, 0, 0)])

    def test_a_card_of_another_batch_is_foreign(self):
        self.assertEqual(_read(9, 3), [(PASS_FOREIGN_BATCH, 9, 3, 0, 0)])
        head = ReadHead(0, (1,))
        head.set_batches((3,))
        self.assertEqual(feed_all(head, pulled(frame(9, 3))), [(PASS_CARD, 9, 3, 0, 0)])


class TestDamage(unittest.TestCase):
    def test_one_flipped_cell_anywhere(self):
        for cell in range(26):
            self.assertEqual(_read(31, 1, flipped=(cell,)), [(PASS_CARD, 31, 1, 0, 1)])

    def test_one_lost_mark_anywhere(self):
        for mark in range(26):
            for speed in (60, 300, 3000):
                self.assertEqual(_read(31, 1, lost=(mark,), speed=speed), [(PASS_CARD, 31, 1, 0, 1)])

    def test_one_lost_mark_and_one_wrong_cell_are_unreadable(self):
        for mark in range(1, 25):
            for cell in range(26):
                found = _read(12, 2, lost=(mark,), flipped=(cell,))
                if cell == mark:
                    self.assertEqual(found, [(PASS_CARD, 12, 2, 0, 1)])
                else:  # or it is the word without another cell, whose mark does not look hidden
                    self.assertEqual(found[0][:3], (PASS_UNREADABLE, 63, 0), (mark, cell))
                    self.assertIn(found[0][3], (UNREADABLE_SHORT, UNREADABLE_AMBIGUOUS), (mark, cell))

    def test_a_jerk_that_only_looks_like_a_lost_mark_makes_no_other_card(self):
        """The first mark is lost and the hand dips at 30 m/s2 at another one; or two are joined, and it stops later."""
        for card in range(0, 52, 3):
            cells = frame(card, 1)
            lost = strip(cells, lost=(0,))
            joined = strip(cells, added=((15000, 16000),))  # the space between marks 4 and 5
            joined = [change for change in joined if joined.count(change) == 1]
            for mark in (3, 5, 12, 22):
                place = 6000 + 2000 * mark
                for changes, moves in (
                    (lost, [(place - 500, 260), (place + 500, 60), (place + 1500, 260), (GOAL, 260)]),
                    (joined, [(13000, 50), (15000, 90), (place, 150), (0, -50000), (GOAL, 150)]),
                ):
                    found = feed_all(ReadHead(0, (1, 2)), move(changes, moves))
                    self.assertEqual(len(found), 1)
                    self.assertIn(found[0][:2], ((PASS_UNREADABLE, 63), (PASS_CARD, card)))

    def test_damage_costs_margin(self):
        margins = []
        for lost, flipped in (((), ()), ((7,), ()), ((), (3,))):
            head = ReadHead(0, (1,))
            for ticks, lines in pulled(frame(5, 1), lost=lost, flipped=flipped):
                result = head.feed(ticks, lines)
            margins.append(result.margin)
        self.assertTrue(margins[0] > margins[1] > margins[2])

    def test_what_is_unreadable_has_no_margin(self):
        head = ReadHead(0, (1,))
        for ticks, lines in pulled(frame(31, 1), flipped=(3, 9)):
            result = head.feed(ticks, lines)
        self.assertEqual((result.kind, result.card, result.margin), (PASS_UNREADABLE, 63, 0))

    def test_two_flipped_cells_are_unreadable(self):
        for first in range(26):
            for second in range(first):
                found = _read(31, 1, flipped=(first, second))
                self.assertEqual(len(found), 1)
                self.assertEqual(found[0][:3], (PASS_UNREADABLE, 63, 0))
                self.assertIn(found[0][3], (UNREADABLE_CODE, UNREADABLE_FRAME))

    def test_two_lost_marks_are_unreadable(self):
        for first in range(26):
            for second in range(first):
                found = _read(31, 1, lost=(first, second))
                self.assertEqual(found, [(PASS_UNREADABLE, 63, 0, UNREADABLE_SHORT, 0)])

    def test_a_stop_beside_a_lost_mark_never_makes_another_card(self):
        read = 0
        for mark in range(0, 26, 3):
            changes = strip(frame(8, 1), lost=(mark,))
            for place in range(9500, 70000, 2100):
                edges = move(changes, [(place, 60), (0, -300000), (GOAL, 60)])
                found = feed_all(ReadHead(0, (1, 2)), edges)
                self.assertEqual(len(found), 1)
                self.assertIn(found[0][:2], ((PASS_CARD, 8), (PASS_UNREADABLE, 63)))
                read += found[0][0] == PASS_CARD
        self.assertGreater(read, 200)

    def test_a_mark_too_many_is_long(self):
        changes = strip(frame(8, 1), added=((2000, 3000),))
        found = feed_all(ReadHead(0, (1,)), move(changes, [(GOAL, 500)]))
        self.assertEqual(found, [(PASS_UNREADABLE, 63, 0, UNREADABLE_LONG, 0)])

    def test_a_word_that_no_card_carries(self):
        cells = frame(0, 1)
        for cell in (3, 9):  # a dark and a bright one, so that half of them are dark still
            cells[cell] ^= 1
        found = feed_all(ReadHead(0, (1,)), pulled(cells))
        self.assertEqual(found, [(PASS_UNREADABLE, 63, 0, UNREADABLE_CODE, 0)])

    def test_inverted_cells_are_never_a_card(self):
        for card in range(52):
            found = feed_all(ReadHead(0, (1, 2)), pulled([1 - cell for cell in frame(card, 1)]))
            self.assertEqual(found[0][0], PASS_UNREADABLE)

    def test_mirrored_cells_are_never_a_card(self):
        for card in range(52):
            for cells in (frame(card, 1), [1 - cell for cell in frame(card, 1)]):
                cells.reverse()
                found = feed_all(ReadHead(0, (1, 2)), pulled(cells))
                self.assertEqual(found[0][0], PASS_UNREADABLE)


class TestOtherThings(unittest.TestCase):
    def test_a_blank(self):
        head = ReadHead(0, (1,))
        self.assertEqual(feed_all(head, pulled(None, 900)), [(PASS_BLANK, 63, 0, 0, 0)])

    def test_three_blanks_in_a_row_are_a_blinded_head(self):
        head = ReadHead(0, (1,))
        found = []
        for number in range(3):
            found += feed_all(head, pulled(None, 900, 200000 * number))
        self.assertEqual([f[0] for f in found], [PASS_BLANK, PASS_UNREADABLE, PASS_BLOCKED])
        self.assertEqual(found[2][3], UNREADABLE_SATURATED)

    def test_a_card_between_blanks_shows_that_the_head_sees(self):
        head = ReadHead(0, (1,))
        found = []
        for number, cells in enumerate((None, None, frame(1, 1), None, None)):
            found += feed_all(head, pulled(cells, 900, 200000 * number))
        self.assertNotIn(PASS_BLOCKED, [f[0] for f in found])

    def test_a_pull_back_from_any_depth_then_the_card(self):
        changes = strip(frame(45, 1))
        for depth in range(9000, 58000, 700):
            head = ReadHead(0, (1,))
            moves = [(depth, 400), (-3000, 400), (GOAL, 600)]
            found = feed_all(head, move(changes, moves, JUST_BELOW_WRAP))
            self.assertEqual(found, [(PASS_PULL_BACK, 63, 0, 0, 0), (PASS_CARD, 45, 1, 0, 0)])

    def test_a_pull_back_that_stays_half_way_then_the_card(self):
        changes = strip(frame(45, 1))
        for rest in range(-1000, 7900, 300):
            head = ReadHead(0, (1,))
            moves = [(30000, 400), (rest, 400), (0, -2000000), (GOAL, 600)]
            found = feed_all(head, move(changes, moves, JUST_BELOW_WRAP))
            if rest > 6750:  # within 1.25 mm of the card sensor nothing shows that it came back
                self.assertEqual(found, [(PASS_UNREADABLE, 63, 0, UNREADABLE_SHORT, 0), (PASS_CARD, 45, 1, 0, 1)])
            else:
                self.assertEqual(found, [(PASS_PULL_BACK, 63, 0, 0, 0), (PASS_CARD, 45, 1, 0, 0)])

    def test_a_card_that_went_out_past_weak_clocks_is_never_a_pull_back(self):
        """Its clocks show the first marks alone, so that nothing tells it from a card that was touched."""
        for length in (card_code.POKER_UM, card_code.BRIDGE_UM):
            for shown in range(1, 8):
                gone = strip(frame(30, 1), lost=range(shown, 26), length=length)
                head = ReadHead(0, (1,))
                found = feed_all(head, move(gone, [(GOAL, 500)], JUST_BELOW_WRAP))
                found += feed_all(head, pulled(frame(45, 1), 500, JUST_BELOW_WRAP + 600000, length))
                self.assertNotIn(PASS_PULL_BACK, [f[0] for f in found])
                self.assertEqual(found[0][0], PASS_UNREADABLE)
                self.assertEqual(found[-1][:3], (PASS_CARD, 45, 1))

    def test_the_next_card_that_hides_its_first_marks_does_not_make_it_a_pull_back(self):
        """Nor is the next one another card. Its strip may lie up to 1.5 mm late."""
        for length in (card_code.POKER_UM, card_code.BRIDGE_UM):
            for shown in range(1, 4):
                for hidden in range(4):
                    for late in (0, 300, 800, 1500):
                        gone = strip(frame(30, 1), lost=range(shown, 26), length=length)
                        edges = strip(frame(45, 1), lost=range(hidden), length=length)
                        edges = sorted((at if line == PRESENT else at + late, line) for at, line in edges)
                        head = ReadHead(0, (1,))
                        found = feed_all(head, move(gone, [(GOAL, 500)], JUST_BELOW_WRAP))
                        found += feed_all(head, move(edges, [(GOAL + 1500, 500)], JUST_BELOW_WRAP + 300000), polls=True)
                        case = (length, shown, hidden, late)
                        self.assertEqual(found[0][:2], (PASS_UNREADABLE, 63), case)
                        for kind, card, _, _, _ in found[1:]:
                            self.assertIn((kind, card), ((PASS_CARD, 45), (PASS_UNREADABLE, 63)), case)

    def test_an_edge_that_trembles_under_the_card_sensor_is_no_pass(self):
        """It is back within 12 ms, in which no card goes by; from then on it may be another card."""
        for away_us, card in ((1, 45), (10000, 45), (13000, 63)):
            moves = [(8400, 100), (7900, 100), (0, -away_us), (GOAL, 600)]
            found = feed_all(ReadHead(0, (1,)), move(strip(frame(45, 1)), moves, JUST_BELOW_WRAP), polls=True)
            self.assertEqual([card_ for _, card_, _, _, _ in found], [card] if card == 45 else [63, 63], away_us)

    def test_a_face_up_card_that_lies_over_a_card_does_not_vanish(self):
        for offset in range(2000, 60000, 1000):
            ahead = [(travel + offset if line != PRESENT else travel, line) for travel, line in strip(frame(45, 1))]
            ahead = sorted((t + offset, line) if (t, line) == (card_code.POKER_UM + 8000, PRESENT) else (t, line)
                           for t, line in ahead)  # fmt: skip
            found = feed_all(ReadHead(0, (1,)), move(ahead, [(GOAL + offset, 900)]))
            self.assertEqual([f[0] for f in found], [PASS_UNREADABLE])
        for offset in range(7500, 60000, 1500):
            behind = [(t + offset if (t, line) == (card_code.POKER_UM + 8000, PRESENT) else t, line)
                      for t, line in strip(frame(45, 1))]  # fmt: skip
            found = feed_all(ReadHead(0, (1,)), move(behind, [(GOAL + offset, 1500)]))
            self.assertEqual([f[:4] for f in found], [(PASS_UNREADABLE, 63, 0, UNREADABLE_LONG)])

    def test_a_card_that_never_reached_the_card_sensor_is_no_pass(self):
        changes = strip(frame(45, 1))
        found = feed_all(ReadHead(0, (1,)), move(changes, [(7800, 300), (-3000, 300), (GOAL, 600)]))
        self.assertEqual(found, [(PASS_CARD, 45, 1, 0, 0)])

    def test_an_edge_moved_to_and_fro_behind_a_card_is_no_blank(self):
        """It may be a face-up card as well: so it is neither."""
        leaving = card_code.POKER_UM + card_code.PRESENT_UM
        moves = [(leaving + 200, 300), (leaving - 4000, 60), (0, -50000), (GOAL, 300)]
        found = feed_all(ReadHead(0, (1,)), move(strip(frame(45, 1)), moves, JUST_BELOW_WRAP))
        self.assertEqual(found, [(PASS_CARD, 45, 1, 0, 0), (PASS_UNREADABLE, 63, 0, UNREADABLE_SHORT, 0)])

    def test_a_face_up_card_right_behind_a_card_does_not_vanish(self):
        for gap in (1000, 5000, 20000, 85000, 190000):
            head = ReadHead(0, (1,))
            found = feed_all(head, pulled(frame(45, 1), 1000, 0)) + feed_all(head, pulled(None, 1000, 63000 + gap))
            self.assertEqual([f[0] for f in found], [PASS_CARD, PASS_UNREADABLE])

    def test_a_face_up_card_right_before_a_card_does_not_vanish(self):
        """The card's first marks come while the card sensor still sees the end of the one before."""
        for gap in range(1000, 7000, 500):
            behind = [(travel + card_code.POKER_UM + gap, line) for travel, line in strip(frame(45, 1))]
            changes = sorted(strip(None) + behind)
            found = feed_all(ReadHead(0, (1,)), move(changes, [(GOAL + card_code.POKER_UM + gap, 500)]))
            self.assertIn(found[0][0], (PASS_UNREADABLE,) if gap < 2000 else (PASS_UNREADABLE, PASS_BLANK))
            self.assertEqual([f[0] for f in found[1:]], [PASS_CARD])

    def test_light_that_flickers_is_no_pull_back_and_nothing_goes_by_in_it_unnamed(self):
        edges = []
        for ticks, lines in pulled(frame(45, 1), 400):
            edges.append((ticks, lines))
        dark = [(ticks, 0) for ticks in range(2000, edges[-1][0], 2000)]
        shown = []
        state = 0
        off = False
        for ticks, lines in sorted(edges + dark + [(ticks + 1000, 16) for ticks, _ in dark]):
            if (ticks, lines) in dark:
                off = True
            elif lines == 16:
                off = False
            else:
                state = lines
            now = 0 if off else state
            if not shown or shown[-1][1] != now:
                shown.append((ticks, now))
        head = ReadHead(0, (1,))
        found = feed_all(head, shown)
        self.assertEqual([(f[0], f[3]) for f in found], [(PASS_BLOCKED, UNREADABLE_SATURATED)])

    def test_a_face_up_card_eighteen_minutes_later_is_a_blank(self):
        """When the ticks have come round."""
        head = ReadHead(0, (1,))
        feed_all(head, pulled(frame(45, 1), 1000, 0))
        for minute in range(18):
            self.assertIsNone(head.poll(minute * 60000000 % TICKS))
        found = feed_all(head, pulled(None, 1000, (TICKS + 70000) % TICKS))
        self.assertEqual([f[0] for f in found], [PASS_BLANK])

    def test_a_card_eighteen_minutes_after_a_storm_is_read(self):
        """When the ticks have come round: the storm was over 100 ms after its last edge."""
        head = ReadHead(0, (1,))
        head.flood()
        head.feed(0, CLOCK_A)
        head.feed(1000, 0)
        self.assertIsNone(head.poll(100000))
        self.assertTrue(head.flooded)
        for minute in range(18):
            self.assertIsNone(head.poll((minute * 60000000 + 200000) % TICKS))
            self.assertFalse(head.flooded)
        found = feed_all(head, pulled(frame(45, 1), 1000, 1000))
        self.assertEqual(found, [(PASS_CARD, 45, 1, 0, 0)])

    def test_a_storm_that_the_board_saw_lasts_from_when_it_saw_it(self):
        """Its edges are lost: the last one that the head took may be an hour old."""
        head = ReadHead(0, (1,))
        head.went_by(5000000)
        head.flood()
        self.assertIsNone(head.poll(5100000))
        self.assertTrue(head.flooded)
        head.went_by(5090000)  # it goes on
        head.poll(5190000)
        self.assertTrue(head.flooded)
        head.poll(5190001)
        self.assertFalse(head.flooded)

    def test_a_card_pushed_in_from_outside(self):
        edges = move(strip(frame(3, 1)), [(GOAL, 500), (-3000, 500)])
        back = [e for e in edges if e[0] > (GOAL + 3000) * 2]
        head = ReadHead(0, (1,))
        self.assertEqual(feed_all(head, back), [(PASS_UNREADABLE, 63, 0, UNREADABLE_REVERSED, 0)])
        # And is read when it is drawn again.
        again = pulled(frame(3, 1), 500, 10000000)
        self.assertEqual(feed_all(head, again), [(PASS_CARD, 3, 1, 0, 0)])

    def test_a_card_poked_in_from_outside_and_taken_away(self):
        edges = move(strip(frame(3, 1)), [(GOAL, 500), (40000, 500), (GOAL, 500)])
        head = ReadHead(0, (1,))
        poked = [e for e in edges if e[0] > (GOAL + 3000) * 2]
        self.assertEqual(feed_all(head, poked), [(PASS_UNREADABLE, 63, 0, UNREADABLE_SHORT, 0)])
        self.assertEqual(feed_all(head, pulled(frame(4, 1), 500, 10000000)), [(PASS_CARD, 4, 1, 0, 0)])

    def test_two_cards_end_to_end_are_a_double_feed(self):
        front = strip(frame(3, 1))
        behind = [(travel + card_code.POKER_UM, line) for travel, line in strip(frame(4, 1))]
        seam = card_code.POKER_UM + card_code.PRESENT_UM
        changes = sorted(c for c in front + behind if c != (seam, PRESENT))
        found = feed_all(ReadHead(0, (1,)), move(changes, [(GOAL + card_code.POKER_UM, 500)]))
        self.assertEqual(found, [(PASS_DOUBLE_FEED, 63, 0, 0, 0)])

    def test_too_fast_to_be_read_says_so(self):
        found = _read(5, 1, speed=4000, flipped=(3, 9))
        self.assertEqual(found, [(PASS_UNREADABLE, 63, 0, UNREADABLE_SPEED, 0)])


class TestBlockedHead(unittest.TestCase):
    def test_a_dark_line_without_movement_is_named_once(self):
        for line in (PRESENT, CLOCK_A, CLOCK_B, DATA):
            head = ReadHead(2, (1,), blocked_s=11)
            head.feed(JUST_BELOW_WRAP, line)
            self.assertIsNone(head.poll((JUST_BELOW_WRAP + 10900000) % TICKS))
            result = head.poll((JUST_BELOW_WRAP + 11100000) % TICKS)
            self.assertEqual((result.kind, result.reason, result.head), (PASS_BLOCKED, UNREADABLE_DIRTY, 2))
            self.assertIsNone(head.poll((JUST_BELOW_WRAP + 12000000) % TICKS))

    def test_a_clear_head_is_never_blocked(self):
        head = ReadHead(0, (1,))
        feed_all(head, pulled(frame(1, 1)))
        self.assertIsNone(head.poll(900000000))

    def test_a_card_that_moves_on_after_all_is_read(self):
        changes = strip(frame(40, 1))
        head = ReadHead(0, (1,))
        edges = move(changes, [(30000, 300), (0, -30000000), (GOAL, 300)])
        found = []
        for ticks, lines in edges:
            if ticks > 20000000 and not found:
                found.append(head.poll(20000000).kind)
            result = head.feed(ticks, lines)
            if result:
                found.append(result.kind)
        self.assertEqual(found, [PASS_BLOCKED, PASS_CARD])

    def test_a_dead_line_is_stuck(self):
        for dead in (CLOCK_A, CLOCK_B, DATA):
            found = _read(20, 1, dead=dead)
            self.assertEqual(found, [(PASS_BLOCKED, 63, 0, UNREADABLE_STUCK, 0)])

    def test_a_line_that_is_dark_when_a_card_has_left_is_no_print(self):
        edges = pulled(frame(20, 1))
        last = max(at for at, (_, lines) in enumerate(edges) if lines & PRESENT)
        for dark in range(2, 16, 2):
            out = (edges[last + 1][0], dark)
            reason = UNREADABLE_FRAME if dark == DATA else UNREADABLE_STUCK
            found = feed_all(ReadHead(0, (1,)), edges[: last + 1] + [out])
            self.assertEqual(found, [(PASS_UNREADABLE, 63, 0, reason, 0)], dark)

    def test_both_clock_lines_dead(self):
        found = _read(20, 1, dead=CLOCK_A | CLOCK_B)
        self.assertEqual(found, [(PASS_BLOCKED, 63, 0, UNREADABLE_STUCK, 0)])

    def test_a_storm_is_saturation_named_once_and_cards_are_read_after_it(self):
        head = ReadHead(0, (1,))
        lines = 0
        time = JUST_BELOW_WRAP
        found = []
        for number in range(9000):
            time = (time + 25) % TICKS
            lines ^= (CLOCK_A, CLOCK_B, CLOCK_A, DATA)[number & 3]
            found += feed_all(head, [(time, lines)])
        found += feed_all(head, [((time + 30) % TICKS, 0)])
        self.assertEqual(found, [(PASS_BLOCKED, 63, 0, UNREADABLE_SATURATED, 0)])
        found = feed_all(head, pulled(frame(7, 1), 500, (time + 300000) % TICKS))
        self.assertEqual(found, [(PASS_CARD, 7, 1, 0, 0)])

    def test_a_storm_that_goes_on_is_named_once_a_second_and_a_reset_does_not_end_it(self):
        head = ReadHead(0, (1,))
        lines = named = 0
        for time in range(0, 4000000, 500):
            lines ^= (CLOCK_A, CLOCK_B, CLOCK_A, DATA)[time // 500 & 3]
            found = head.feed(time, lines) or head.poll(time)
            if found is not None:
                self.assertEqual((found.kind, found.reason), (PASS_BLOCKED, UNREADABLE_SATURATED))
                named += 1
                head.reset()
                self.assertTrue(head.flooded)
        self.assertEqual(named, 3)  # after 1.5, 2.5 and 3.5 s
        head.feed(time + 500, 0)
        self.assertEqual(feed_all(head, pulled(frame(7, 1), 500, time + 300000)), [(PASS_CARD, 7, 1, 0, 0)])

    def test_a_flood_that_the_board_saw_is_a_storm(self):
        head = ReadHead(0, (1,))
        feed_all(head, pulled(frame(7, 1), 500)[:40])
        found = head.flood()
        self.assertEqual((found.kind, found.reason), (PASS_BLOCKED, UNREADABLE_SATURATED))
        self.assertEqual(feed_all(head, pulled(frame(7, 1), 500, 90000)), [])
        self.assertEqual(feed_all(head, pulled(frame(7, 1), 500, 1000000)), [(PASS_CARD, 7, 1, 0, 0)])

    def test_in_throat_follows_the_card_sensor(self):
        head = ReadHead(0, (1,))
        self.assertFalse(head.in_throat)
        head.feed(5, PRESENT)
        self.assertTrue(head.in_throat)

    def test_after_a_reset_in_the_middle_the_card_is_unreadable_and_the_next_one_is_read(self):
        for cut in range(6, 118, 3):
            head = ReadHead(0, (1,))
            edges = pulled(frame(7, 1), 500)
            feed_all(head, edges[:cut])
            head.reset()
            found = feed_all(head, edges[cut:])
            if edges[cut - 1][1] & PRESENT:
                self.assertEqual(found, [(PASS_UNREADABLE, 63, 0, UNREADABLE_SHORT, 0)])
            found = feed_all(head, pulled(frame(8, 1), 500, 1000000))
            self.assertEqual(found, [(PASS_CARD, 8, 1, 0, 0)])


class TestHeap(unittest.TestCase):
    def test_nothing_is_allocated(self):
        edges = []
        bridged = move(strip(frame(8, 1), lost=(9,)), [(30000, 60), (0, -300000), (GOAL, 60)])
        hesitant = move(strip(frame(8, 1)), [(30000, 400), (20000, 60), (40000, 60), (-3000, 90), (GOAL, 400)])
        start = JUST_BELOW_WRAP
        for row in (pulled(frame(51, 2)), pulled(frame(51, 2), flipped=(4,)), bridged, hesitant, pulled(None)):
            edges += [((ticks + start) % TICKS, lines) for ticks, lines in row]
            start += 10000000
        head = ReadHead(0, (1, 2))
        self.assertEqual(len(feed_all(head, edges)), 6)
        times = [ticks for ticks, _ in edges]
        lines = [state for _, state in edges]
        passes = 0
        index = 0
        heap_lock()
        try:
            while index < len(times):
                if head.feed(times[index], lines[index]) is not None:
                    passes += 1
                if head.poll(times[index]) is not None:
                    passes += 1
                index += 1
        finally:
            heap_unlock()
        self.assertEqual(passes, 6)


if __name__ == "__main__":
    unittest.main()
