"""Each bound of the read head to the microsecond, quarter cell and edge, as read_head names them."""

import unittest
from array import array

from card_pulls import CLOCK_A, CLOCK_B, DATA, PRESENT, TICKS, frame, pulled
from shoe.reading.passes import Pass
from shoe.reading.read_head import ReadHead
from shoe.wire_table import (
    PASS_BLANK,
    PASS_BLOCKED,
    PASS_CARD,
    PASS_DOUBLE_FEED,
    PASS_PULL_BACK,
    PASS_UNREADABLE,
    UNREADABLE_DIRTY,
    UNREADABLE_FRAME,
    UNREADABLE_LONG,
    UNREADABLE_NONE,
    UNREADABLE_REVERSED,
    UNREADABLE_SATURATED,
    UNREADABLE_SHORT,
    UNREADABLE_SPEED,
    UNREADABLE_STUCK,
)

CLOCKS = (0, CLOCK_A, CLOCK_A | CLOCK_B, CLOCK_B)
BLANK = (PASS_BLANK, UNREADABLE_NONE)
SHORT = (PASS_UNREADABLE, UNREADABLE_SHORT)
STUCK = (PASS_BLOCKED, UNREADABLE_STUCK)
DIRTY = (PASS_BLOCKED, UNREADABLE_DIRTY)
SATURATED = (PASS_BLOCKED, UNREADABLE_SATURATED)
PULL_BACK = (PASS_PULL_BACK, UNREADABLE_NONE)


class Thing:
    """Something in a throat, moved by quarter cells; `found` has (kind, reason) of each pass."""

    def __init__(self, head=None, now=TICKS - 3000):
        self.head = head or ReadHead(0, (1,))
        self.now = now
        self.at = 0
        self.other = 0
        self.found = []
        self.last = None

    def _take(self, result):
        if result is not None:
            self.last = result
            self.found.append((result.kind, result.reason))
        return self

    def _edge(self):
        return self._take(self.head.feed(self.now % TICKS, CLOCKS[self.at % 4] | self.other))

    def step(self, quarters, us=500):
        """So many quarter cells on, or back, each after `us`."""
        for _ in range(abs(quarters)):
            self.now += us
            self.at += 1 if quarters > 0 else -1
            self._edge()
        return self

    def turn(self, line, us=500):
        """PRESENT or DATA goes dark or bright after `us`."""
        self.now += us
        self.other ^= line
        return self._edge()

    def rest(self, us):
        self.now += us
        return self

    def poll(self, us=0):
        """A poll `us` after the last edge or rest, which does not move the time on."""
        return self._take(self.head.poll((self.now + us) % TICKS))

    def cells(self, count, us=500):
        """So many cells of print, in which data change from cell to cell."""
        for _ in range(count):
            self.turn(DATA, 0)
            self.step(4, us)
        if count & 1:
            self.turn(DATA, 0)
        return self

    def blank(self, us=20000, apart_us=500000):
        """A card that shows no print, `apart_us` behind what was before."""
        return self.turn(PRESENT, apart_us).turn(PRESENT, us)


class TestNothingSeen(unittest.TestCase):
    def test_12_ms_without_print_are_a_blank_and_less_is_nothing(self):
        self.assertEqual(Thing().blank(11999).found, [])
        self.assertEqual(Thing().blank(12000).found, [BLANK])

    def test_within_200_ms_behind_something_it_may_be_that_thing(self):
        self.assertEqual(Thing().blank().blank(apart_us=199999).found, [BLANK, SHORT])
        self.assertEqual(Thing().blank().blank(apart_us=200000).found, [BLANK, BLANK])

    def test_the_third_in_a_row_is_a_blinded_head_and_then_it_is_counted_anew(self):
        thing = Thing().blank().blank().blank(5000).blank()  # what is nothing counts neither way
        self.assertEqual(thing.found, [BLANK, BLANK, SATURATED])
        self.assertEqual(thing.blank().blank().blank().found[3:], [BLANK, BLANK, SATURATED])

    def test_whatever_else_comes_ends_the_row(self):
        def same_place(thing):
            thing.turn(PRESENT).step(30).step(-30).turn(PRESENT).rest(1000001).poll()

        def poked(thing):
            thing.turn(PRESENT, 500000).step(-10).step(10).turn(PRESENT)

        def unseen(thing):
            thing.cells(26).poll(100001)

        def short(thing):
            thing.turn(PRESENT, 500000).step(40).turn(PRESENT)

        def reset(thing):
            thing.head.reset()

        for what in (same_place, poked, unseen, short, reset):
            thing = Thing().blank().blank()
            what(thing)
            thing.rest(500000)
            del thing.found[:]
            self.assertEqual(thing.blank().blank().found, [BLANK, BLANK], what)
            self.assertEqual(thing.blank().found[2:], [SATURATED], what)

    def test_a_card_sensor_that_flutters_four_times_within_5_ms_or_in_12_ms_in_all_is_light(self):
        thing = Thing().turn(PRESENT).turn(PRESENT)
        for _ in range(4):
            self.assertEqual(thing.found, [])
            thing.turn(PRESENT, 4999).turn(PRESENT)
        self.assertEqual(thing.found, [SATURATED])
        for dark, apart in ((7000, 5000), (500, 11500)):  # in and out again in 12 ms or more: not on the mains
            thing = Thing().turn(PRESENT).turn(PRESENT, dark)
            for _ in range(8):
                thing.turn(PRESENT, apart).turn(PRESENT, dark)
            self.assertEqual(thing.found, [])
            for fourth in (11499, 11499, 11499, 11500) * 3:
                thing.turn(PRESENT, fourth).turn(PRESENT)
            self.assertEqual(thing.found, [])
        thing = Thing().turn(PRESENT).turn(PRESENT)
        for _ in range(4):
            self.assertEqual(thing.found, [])
            thing.turn(PRESENT, 11499).turn(PRESENT)
        self.assertEqual(thing.found, [SATURATED])

    def test_after_a_flood_the_fluttering_is_counted_anew(self):
        thing = Thing().turn(PRESENT).turn(PRESENT)
        for _ in range(4):
            thing.turn(PRESENT, 100).turn(PRESENT)
        self.assertEqual(thing.found, [SATURATED])
        thing.rest(200000).turn(PRESENT).turn(PRESENT)
        for _ in range(3):
            thing.turn(PRESENT, 100).turn(PRESENT)
        self.assertEqual(thing.found, [SATURATED])


class TestThrough(unittest.TestCase):
    def drawn(self, count, data=False, us=500):
        """`count` marks; the card's edge comes under the card sensor behind the first, and its end behind the last."""
        thing = Thing().step(5, us).turn(PRESENT)
        if data:
            thing.turn(DATA)
        return thing.step(4 * count - 5, us).turn(PRESENT)

    def test_by_the_number_of_marks(self):
        wanted = {24: SHORT, 25: STUCK, 26: STUCK, 30: (PASS_UNREADABLE, UNREADABLE_LONG), 31: (PASS_DOUBLE_FEED, 0)}
        wanted[27] = wanted[30]
        for count in wanted:
            self.assertEqual(self.drawn(count).found, [wanted[count]], count)

    def test_what_stays_dark_behind_it_is_no_print(self):
        self.assertEqual(self.drawn(28, data=True).found, [(PASS_UNREADABLE, UNREADABLE_FRAME)])
        thing = Thing().turn(DATA).rest(500000)
        thing.head.reset()  # dark since long ago
        self.assertEqual(thing.step(5).turn(PRESENT).step(60).turn(PRESENT).found, [STUCK])
        for more in (0, 1, 2, 3):
            thing = Thing().step(5).turn(PRESENT).step(59 + more).turn(PRESENT)
            self.assertEqual(thing.found, [(PASS_UNREADABLE, UNREADABLE_STUCK)] if more else [SHORT], more)

    def test_60_quarter_cells_between_its_edges_are_all_the_way(self):
        for travel, peak in ((59, 0), (60, 1000)):
            thing = Thing().step(4).turn(PRESENT).step(travel).turn(PRESENT)
            self.assertEqual((thing.found, thing.last.peak_mm_s), ([SHORT], peak))
        for travel, reason in ((-59, UNREADABLE_SHORT), (-60, UNREADABLE_REVERSED)):
            thing = Thing().turn(PRESENT).step(travel).turn(PRESENT)
            self.assertEqual(thing.found, [(PASS_UNREADABLE, reason)])

    def test_what_cannot_be_read_above_3300_mm_s_was_too_fast(self):
        for last, reason in ((156, UNREADABLE_SHORT), (155, UNREADABLE_SPEED)):
            thing = Thing().step(4).turn(PRESENT)
            for _ in range(15):
                thing.step(3, 150).step(1, last)
            self.assertEqual(thing.turn(PRESENT).found, [(PASS_UNREADABLE, reason)])

    def test_each_change_of_data_beside_a_cells_border_costs_8_of_margin_and_never_more_than_there_is(self):
        for glitches in (1, 2, 15, 16, 20):
            head = ReadHead(0, (1,))
            dark = 0
            for ticks, lines in pulled(frame(5, 1), 500):
                result = head.feed(ticks, lines) or None
                if lines & 6 == 6 and lines & PRESENT and dark < glitches:
                    dark += 1
                    head.feed(ticks + 20, lines ^ DATA)
                    head.feed(ticks + 40, lines)
            self.assertEqual((result.kind, result.card), (PASS_CARD, 5))
            self.assertEqual(result.margin, max(0, 255 - 16 * glitches))

    def test_several_edges_are_taken_as_far_as_the_end_of_a_pass(self):
        edges = pulled(frame(5, 1), 500)
        more = edges + [(edges[-1][0] + 500000, PRESENT)]
        head = ReadHead(0, (1,))
        behind = head.take(array("i", [0] + [ticks for ticks, _ in more]), bytes([0] + [at for _, at in more]), 1, 99)
        self.assertEqual((behind, head.done), (99, None))
        times, lines = array("i", [ticks for ticks, _ in more]), bytes([at for _, at in more])
        behind = head.take(times, lines, 98, len(more))
        self.assertEqual((behind, head.done.card), (len(edges), 5))
        self.assertEqual((head.take(times, lines, behind, len(more)), head.done), (len(more), None))


class TestSamePlace(unittest.TestCase):
    """It left the card sensor where it had come in: it came back, went out past weak clocks, or they are dead."""

    def test_six_quarter_cells_are_the_same_place(self):
        for net, found in ((6, []), (7, [SHORT]), (-6, [SHORT]), (0, [])):
            thing = Thing().turn(PRESENT).step(30).step(net - 30).turn(PRESENT)
            self.assertEqual(thing.found, found, net)

    def test_three_quarter_cells_back_inside_are_a_pull_back(self):
        for back, found in ((2, []), (3, [PULL_BACK])):
            thing = Thing().step(8).turn(PRESENT).step(30).step(-30).turn(PRESENT)
            self.assertEqual(thing.step(-back).poll().found, found)
            thing = Thing().step(8).turn(PRESENT).step(30).step(-30).turn(PRESENT)
            self.assertEqual(thing.step(-back).turn(PRESENT).found, found)

    def test_more_than_three_on_are_another_card(self):
        for on, found in ((3, []), (4, [SHORT])):
            thing = Thing().step(8).turn(PRESENT).step(30).step(-30).turn(PRESENT)
            self.assertEqual(thing.step(on).turn(PRESENT).found, found)

    def test_what_does_not_go_back_within_a_second_may_have_gone_out(self):
        thing = Thing().turn(PRESENT).step(30).step(-30).turn(PRESENT)
        ended = thing.now
        self.assertEqual(thing.poll(1000000).found, [])
        self.assertEqual(thing.poll(1000001).found, [SHORT])
        self.assertEqual(thing.head.due_us, (ended + 1000000) % TICKS)
        self.assertEqual(thing.last.duration_ms, 30)
        self.assertEqual(thing.poll(3000000).found, [SHORT])  # once

    def test_while_the_card_sensor_is_dark_again_nothing_has_gone_out(self):
        for steps in (0, 8):
            thing = Thing().step(steps).turn(PRESENT).step(30).step(-30).turn(PRESENT).turn(PRESENT)
            self.assertEqual(thing.poll(3000000).found, [])

    def test_what_is_dark_again_after_12_ms_may_be_another_card(self):
        for us, found in ((11999, []), (12000, [SHORT])):
            thing = Thing().step(8).turn(PRESENT).step(30).step(-30).turn(PRESENT).turn(PRESENT, us)
            self.assertEqual(thing.found, found, us)
            self.assertEqual(thing.poll(3000000).found, found, us)

    def test_within_4_ms_nothing_goes_in_and_out(self):
        for us, found in ((3999, []), (4000, [SHORT])):
            thing = Thing().turn(PRESENT).step(10, 20).step(-10, 20).turn(PRESENT, us - 400)
            self.assertEqual(thing.poll(1000001).found, found, us)
            thing = Thing().step(20).turn(PRESENT).step(-21, 20).step(21, 20).turn(PRESENT, us - 840)
            self.assertEqual(thing.found, found, us)  # from outside and there again

    def test_40_edges_within_a_mark_are_a_dead_clock(self):
        for rounds, data, found in ((18, 2, []), (19, 0, []), (18, 4, [STUCK]), (20, 0, [STUCK])):
            thing = Thing().turn(PRESENT)
            for _ in range(rounds):
                thing.step(1).step(-1)
            for _ in range(data):
                thing.turn(DATA)
            # the edge that ends it counts
            self.assertEqual(thing.turn(PRESENT).found, found, (rounds, data))
        for far, found in ((4, [STUCK]), (5, [])):
            thing = Thing().turn(PRESENT)
            for _ in range(5):
                thing.step(far).step(-far)
            self.assertEqual(thing.turn(PRESENT).found, found, far)

    def test_first_marks_as_it_leaves_are_those_of_the_next_card(self):
        for on, found in ((1, [SHORT]), (6, [SHORT]), (0, [BLANK])):
            thing = Thing().turn(PRESENT, 500000).rest(20000).step(on).turn(PRESENT)
            self.assertEqual(thing.found, found, on)
            thing.turn(PRESENT).step(104 - on).turn(PRESENT)
            self.assertEqual(thing.found[1:], [STUCK], on)  # all 26 marks are there; data never moved
        for pairs, found in ((18, [SHORT]), (19, [STUCK])):  # 38 and 40 edges
            thing = Thing().turn(PRESENT)
            for _ in range(pairs):
                thing.step(1).step(-1)
            self.assertEqual(thing.step(1).turn(PRESENT).found, found)


class TestUnseen(unittest.TestCase):
    def test_25_marks_are_a_card_after_100_ms_and_22_after_a_second(self):
        for count, us, found in (
            (21, 2000000, []),
            (22, 999999, []),
            (22, 1000000, [STUCK]),
            (24, 999999, []),
            (25, 100000, []),
            (25, 100001, [STUCK]),
            (26, 100001, [STUCK]),
        ):
            thing = Thing().cells(count)
            ended = thing.head._state[13]  # STILL_US: an edge of DATA alone, on a line that is dark, does not move it
            thing.rest((ended - thing.now) % TICKS if (ended - thing.now) % TICKS < TICKS // 2 else 0)
            behind = (thing.now - ended) % TICKS
            self.assertEqual(thing.poll(us - behind).found, found, (count, us))
            if found:
                self.assertEqual(thing.head.due_us, (ended + 100000) % TICKS)
                self.assertTrue(thing.head.untouched)
                self.assertEqual(thing.poll(us + 1).found, found)

    def test_what_an_earlier_pass_left_behind_is_no_mark_of_it(self):
        for moved in (0, 2, 4):
            thing = Thing().turn(PRESENT).cells(64 - moved)
            for _ in range(moved):
                thing.step(2).turn(DATA, 0).step(2)  # data that move in the middle of a cell are no print
            thing.turn(PRESENT).poll(1500000)
            told = len(thing.found)
            self.assertEqual(thing.rest(1500000).cells(22).poll(1500000).found[told:], [STUCK], moved)

    def test_told_late_it_was_due_at_a_second(self):
        thing = Thing().cells(26)
        ended = thing.head._state[13]
        thing.poll(1500000)
        self.assertEqual((thing.found, thing.head.due_us), ([STUCK], (ended + 1000000) % TICKS))

    def test_under_a_dark_card_sensor_the_first_card_may_lie_there(self):
        for count, us, found in ((47, 5000000, []), (48, 999000, []), (48, 1000001, [STUCK])):
            thing = Thing().turn(PRESENT).cells(count)
            self.assertEqual(thing.poll(us).found, found, (count, us))
        self.assertEqual(thing.cells(47).poll(2000000).found, [STUCK])  # counted anew
        self.assertEqual(thing.cells(1).poll(2000000).found, [STUCK, STUCK])


class TestOnlyTheCardSensor(unittest.TestCase):
    """That a card lies there is said by its sensor alone: a clock or data line that is dark says nothing of it."""

    def test_a_reset_with_another_line_dark_spoils_no_card(self):
        for line in (DATA, CLOCK_A, CLOCK_B):
            head = ReadHead(0, (1,))
            head.feed(0, line)
            head.reset()
            self.assertFalse(head.in_throat)
            head.feed(1000, 0)
            head.poll(500000)
            found = [head.feed(*edge) for edge in pulled(frame(5, 1), 500, 1000000)]
            self.assertEqual([(one.kind, one.card) for one in found if one], [(PASS_CARD, 5)], line)

    def test_what_came_back_on_a_mark_is_given_up_after_a_second(self):
        for net in (0, 1, 2, 3):
            thing = Thing().turn(PRESENT).step(30).step(net - 30).turn(PRESENT)
            self.assertEqual(thing.poll(1000000).found, [], net)
            self.assertEqual(thing.poll(1000001).found, [SHORT], net)

    def test_an_unseen_card_that_stops_on_a_mark_is_named_after_100_ms_and_counted_anew(self):
        for more in (0, 1, 2, 3):
            thing = Thing().cells(26).step(more)
            self.assertEqual(thing.poll(100001).found, [STUCK], more)
            self.assertEqual(thing.step(-more).cells(20).poll(2000000).found, [STUCK], more)

    def test_the_margin_of_an_unseen_card_that_stops_on_a_mark_is_not_the_next_ones(self):
        thing = Thing().cells(26).step(1)
        for _ in range(4):
            thing.turn(DATA)
        self.assertEqual(thing.poll(100001).found, [STUCK])
        thing.step(-1)
        found = [thing.head.feed(*edge) for edge in pulled(frame(5, 1), 500, thing.now + 500000)]
        self.assertEqual([(one.kind, one.card, one.margin) for one in found if one], [(PASS_CARD, 5, 255)])

    def test_what_is_touched_for_hours_and_rests_on_a_mark_is_no_storm(self):
        thing = Thing().step(1)
        for _ in range(40):
            self.assertEqual(thing.step(40).step(-40).poll(100001).found, [])


class TestBlocked(unittest.TestCase):
    def test_a_dark_line_is_named_after_15_seconds_to_the_microsecond_and_again_after_a_reset(self):
        for line in (PRESENT, DATA):
            thing = Thing().turn(line)
            since = thing.now % TICKS
            self.assertEqual(thing.poll(15000000).found, [])
            self.assertEqual(thing.poll(15000001).found, [DIRTY])
            self.assertEqual(thing.head.due_us, (since + 15000000) % TICKS)
            self.assertEqual(thing.poll(16000000).found, [DIRTY])
            thing.head.reset()
            self.assertEqual(thing.poll(16000000).found, [DIRTY, DIRTY])
        self.assertEqual(Thing(ReadHead(0, (1,), 3)).turn(PRESENT).poll(3000001).found, [DIRTY])

    def test_a_storm_that_goes_on_is_named_again_after_a_second_of_edges(self):
        thing = Thing().turn(DATA)
        thing.head.flood()
        for _ in range(20):
            thing.turn(DATA, 50000)
        self.assertEqual(thing.poll().found, [])
        self.assertEqual(thing.turn(DATA, 1).poll(5).found, [SATURATED])
        self.assertEqual(thing.head.due_us, (thing.now + 5) % TICKS)
        self.assertEqual(thing.poll(900000).found, [SATURATED])  # silence is none

    def test_what_lay_in_the_throat_when_a_storm_ended_is_unreadable(self):
        for lies in (True, False):
            thing = Thing()
            if lies:
                thing.turn(PRESENT)
            thing.head.flood()
            thing.rest(200000)
            if not lies:
                thing.step(5).turn(PRESENT)
            self.assertEqual(thing.step(30).step(-30).turn(PRESENT).found, [SHORT] if lies else [])

    def test_a_storm_counts_the_edge_that_brings_a_card(self):
        for before, found in ((2999, []), (3000, [SATURATED])):
            thing = Thing()
            for _ in range(before):
                thing.turn(DATA, 30)
            self.assertEqual(thing.turn(PRESENT).found, found)

    def test_after_100_ms_of_silence_edges_are_counted_anew(self):
        for us, found in ((100000, [SATURATED]), (100001, [])):
            thing = Thing().turn(DATA).turn(DATA)
            for _ in range(1500):
                thing.step(1, 30).step(-1, 30)
                if not thing.found and thing.head._state[6] == 2000:
                    self.assertEqual(thing.poll(us).found, [])
            self.assertEqual(thing.found, found)


class TestWhatTheHeadKnows(unittest.TestCase):
    def known(self, head):
        return head.in_throat, head.untouched, head.flooded

    def test_what_lies_in_the_throat_was_touched_or_is_flooded(self):
        thing = Thing()
        self.assertEqual(self.known(thing.head), (False, True, False))
        self.assertEqual(self.known(thing.turn(DATA).head), (False, False, False))
        self.assertEqual(self.known(thing.turn(PRESENT).head), (True, False, False))
        thing.head.flood()
        self.assertEqual(self.known(thing.head), (True, False, True))
        thing.turn(PRESENT).turn(DATA).turn(PRESENT, 200000).turn(PRESENT, 20000)
        self.assertEqual((thing.found, self.known(thing.head)), ([BLANK], (False, True, False)))

    def test_a_mark_left_behind_or_a_thing_that_may_have_gone_is_not_untouched(self):
        self.assertFalse(Thing().step(1).step(-1).head.untouched)
        self.assertFalse(Thing().turn(PRESENT).step(30).step(-30).turn(PRESENT).head.untouched)


class TestPass(unittest.TestCase):
    def test_a_new_one_has_no_card_in_it(self):
        found = Pass(2)
        self.assertEqual((found.head, found.kind, found.card, found.batch, found.reason), (2, PASS_BLANK, 63, 0, 0))
        found.card = found.batch = found.peak_mm_s = found.corrected = found.margin = 9
        found.begin(PASS_UNREADABLE, 1999, UNREADABLE_SHORT, 7)
        self.assertEqual((found.card, found.batch, found.duration_ms, found.edges), (63, 0, 1, 7))
        self.assertEqual((found.peak_mm_s, found.corrected, found.margin), (0, 0, 0))

    def test_no_duration_over_65535_ms(self):
        for us, ms in ((65534999, 65534), (65536000, 65535), (70000000, 65535)):
            self.assertEqual(Thing().blank(us).last.duration_ms, ms)


class TestPlaceWithinACell(unittest.TestCase):
    def test_what_comes_again_up_to_3_quarters_further_on_may_be_the_same_thing(self):
        for quarters in range(1, 5):
            for on in range(1, 6):
                thing = Thing().step(8).turn(PRESENT).step(quarters).rest(4000).turn(PRESENT).step(on).turn(PRESENT)
                self.assertEqual(thing.found, [] if on <= 3 else [SHORT], (quarters, on))

    def test_a_cell_that_had_begun_before_a_reset_is_not_counted(self):
        for cells, kind, reason in ((31, PASS_UNREADABLE, UNREADABLE_LONG), (32, PASS_DOUBLE_FEED, UNREADABLE_NONE)):
            thing = Thing().step(1)
            thing.head.reset()
            thing.turn(PRESENT).step(4 * cells - 1).turn(PRESENT)
            self.assertEqual(thing.found, [(kind, reason)])


if __name__ == "__main__":
    unittest.main()
