"""A card that goes by while the card sensor stays bright, or dark, is named; what only touches the others never is."""

import unittest

from card_pulls import CLOCK_A, CLOCK_B, DATA, PRESENT, TICKS, feed_all, frame, move, pulled, strip
from rng import Rng
from shoe.compat import heap_lock, heap_unlock
from shoe.reading import card_code
from shoe.reading.read_head import ReadHead
from shoe.reading.track import BASE, PLACE, STILL_US
from shoe.wire_table import (
    PASS_BLOCKED,
    PASS_CARD,
    PASS_PULL_BACK,
    UNREADABLE_DIRTY,
    UNREADABLE_STUCK,
)

JUST_BELOW_WRAP = TICKS - 20000
GOAL = card_code.POKER_UM + card_code.PRESENT_UM + 3000
STUCK = (PASS_BLOCKED, UNREADABLE_STUCK)
DIRTY = (PASS_BLOCKED, UNREADABLE_DIRTY)
TURN_US = 50000  # how often the application polls


def watched(head, edges, still_us=2000000):
    """Feed edges with a poll every 50 ms and for `still_us` behind them; return (kind, reason) of every pass."""
    found = []

    def take(result):
        if result is not None:
            found.append((result.kind, result.reason))

    last = edges[0][0]
    for ticks, lines in edges:
        for turn in range(TURN_US, (ticks - last) % TICKS, TURN_US):
            take(head.poll((last + turn) % TICKS))
        take(head.feed(ticks, lines))
        last = ticks
    for turn in range(TURN_US, still_us, TURN_US):
        take(head.poll((last + turn) % TICKS))
    return found


def unlit(edges, dark=0):
    """The same edges past a card sensor that stays bright, or dark."""
    return [(ticks, lines & ~PRESENT | dark) for ticks, lines in edges]


class TestBrightCardSensor(unittest.TestCase):
    def test_a_card_that_goes_by_at_any_speed_is_named_once(self):
        for length in (card_code.POKER_UM, card_code.BRIDGE_UM):
            for speed in (50, 120, 1000, 3000):
                for card in (0, 17, 31, 52):
                    edges = pulled(frame(card, 1), speed, JUST_BELOW_WRAP, length, dead=PRESENT)
                    self.assertEqual(watched(ReadHead(0, (1,)), edges), [STUCK])

    def test_a_line_that_stays_dark_behind_it_hides_nothing(self):
        edges = pulled(frame(3, 1), 500, JUST_BELOW_WRAP, dead=PRESENT)
        for dark in (CLOCK_A, CLOCK_B, DATA):
            last = ((edges[-1][0] + 2000) % TICKS, dark)
            self.assertEqual(watched(ReadHead(0, (1,)), edges + [last]), [STUCK], dark)

    def test_nothing_is_named_while_it_moves(self):
        head = ReadHead(0, (1,))
        for ticks, lines in pulled(frame(3, 1), 100, dead=PRESENT):
            self.assertIsNone(head.feed(ticks, lines))
            self.assertIsNone(head.poll(ticks + 60000))
        self.assertIsNotNone(head.poll(ticks + 150000))

    def test_damaged_cards_too(self):
        for lost in ((), (0,), (25,), (9,), (3, 19), (0, 25, 12), (2, 8, 14, 20)):
            for flipped in ((), (5,), (2, 11, 21)):
                edges = pulled(frame(8, 1), 400, lost=lost, flipped=flipped, dead=PRESENT)
                self.assertEqual(watched(ReadHead(0, (1,)), edges), [STUCK])

    def test_a_hand_that_stops_and_goes_back_on_its_way(self):
        changes = [change for change in strip(frame(23, 1)) if change[1] != PRESENT]
        for place in range(12000, 68000, 3390):
            moves = [(place, 400), (0, -700000), (place - 2600, 300), (place - 1000, 90), (GOAL, 700)]
            self.assertEqual(watched(ReadHead(0, (1,)), move(changes, moves, JUST_BELOW_WRAP)), [STUCK])

    def test_cards_right_behind_each_other_are_named_at_the_first_pause(self):
        edges = []
        for number in range(3):
            edges += pulled(frame(number, 1), 1000, 85000 * number, dead=PRESENT)
        self.assertEqual(watched(ReadHead(0, (1,)), edges), [STUCK])

    def test_each_later_card_is_named_as_well_and_read_once_the_sensor_works(self):
        head = ReadHead(0, (1,))
        for number in range(3):
            self.assertEqual(watched(head, pulled(frame(4, 1), 500, 5000000 * number, dead=PRESENT)), [STUCK])
        self.assertTrue(head.untouched)
        self.assertEqual(feed_all(head, pulled(frame(5, 1), 500, 20000000)), [(PASS_CARD, 5, 1, 0, 0)])

    def test_a_sensor_that_wakes_too_late_hides_nothing(self):
        """It sees the end of the card alone, which by itself may be a thing that came and went back."""
        edges = []
        for ticks, lines in pulled(frame(8, 1), 500):
            edges.append((ticks, lines & ~PRESENT if ticks < 119000 else lines))
        self.assertEqual(watched(ReadHead(0, (1,)), edges), [STUCK])

    def test_the_other_way_is_named_on_the_way_back(self):
        """As a card at the card reader device: in backwards, out forwards."""
        changes = [change for change in strip(frame(3, 1)) if change[1] != PRESENT]
        there = move(changes, [(GOAL, 500), (-3000, 500), (0, -300000), (GOAL, 500)])
        edges = [edge for edge in there if edge[0] > (GOAL + 3000) * 2]
        self.assertEqual(watched(ReadHead(2, (1,)), edges), [STUCK])


class TestNoFalseAlarm(unittest.TestCase):
    def slides(self, rng, count, length):
        """A card that is touched and slid back, never as far as the card sensor; then it is drawn."""
        moves = []
        for _ in range(count):
            moves += [(rng.below(7950), 20 + rng.below(900)), (0, -rng.below(300000))]
            for _ in range(rng.below(3)):  # hesitates, to and fro
                moves.append((rng.below(7950), 20 + rng.below(300)))
            moves += [(-rng.below(2900), 20 + rng.below(900)), (0, -rng.below(2000000))]
        return move(strip(frame(rng.below(52), 1), length=length), moves + [(GOAL, 600)])

    def test_touched_and_slid_back_and_drawn(self):
        for seed in range(60):
            rng = Rng(seed)
            length = (card_code.POKER_UM, card_code.BRIDGE_UM)[seed & 1]
            head = ReadHead(0, (1,))
            found = watched(head, self.slides(rng, 12, length))
            self.assertEqual(found, [(PASS_CARD, 0)], seed)

    def test_however_often(self):
        """Edges of hours do not add up to a storm, nor to a dead clock line of the pull-back that follows."""
        head = ReadHead(0, (1,))
        changes = strip(frame(7, 1), length=card_code.BRIDGE_UM)
        touch = move(changes, [(7900, 300), (-3000, 300)])
        self.assertGreater(len(touch), 16)
        for number in range(250):
            start = 250000 * number
            self.assertEqual(watched(head, [(start + ticks, lines) for ticks, lines in touch], 200000), [])
        start += 3000000
        shallow = move(changes, [(8300, 60), (-3000, 300), (0, -200000), (GOAL, 600)], start)
        self.assertEqual(watched(head, shallow), [(PASS_PULL_BACK, 0), (PASS_CARD, 0)])

    def test_touched_and_then_pulled_back_between_its_first_two_marks(self):
        """A card half a millimetre too long shows one mark only where it comes under the card sensor."""
        changes = strip(frame(7, 1), length=card_code.POKER_UM + 1000)
        moves = [(7900, 300), (-3000, 300)] * 12 + [(8200, 40), (-3000, 300), (0, -200000), (GOAL + 1000, 600)]
        self.assertEqual(watched(ReadHead(0, (1,)), move(changes, moves)), [(PASS_PULL_BACK, 0), (PASS_CARD, 0)])

    def test_a_short_foreign_thing(self):
        """A striped corner of 18 marks, slower and faster, that the card sensor does not see."""
        for speed in (60, 500, 2500):
            corner = [change for change in strip(frame(11, 1)) if change[0] < 42000 and change[1] != PRESENT]
            corner = [change for change in corner if change[1] != DATA or change[0] < 30000]
            edges = move(corner, [(GOAL, speed)])
            self.assertEqual(watched(ReadHead(0, (1,)), edges), [])

    def test_stripes_whose_data_stay_dark_are_no_card_though_they_are_more_than_its_marks(self):
        """Only marks that went by count, as far back as a card is long."""
        head = ReadHead(0, (1,))
        edges = pulled(frame(1, 1), 1000, dead=PRESENT) + pulled(frame(2, 1), 1000, 85000, dead=PRESENT)
        seen = [(0, DATA)]
        for ticks, lines in edges:
            seen.append((ticks + 1000, lines | DATA))
            head.feed(*seen[-1])
            if (head._state[PLACE] >> 2) - (head._state[BASE] >> 2) == 28:
                break
        self.assertEqual(watched(ReadHead(0, (1,)), seen), [])

    def flickers(self, head, seed, data):
        """Both clock lines go dark and bright 60 times, in any order and duty, so that they may seem to run.

        Data 0: stay bright, 1: with them, 2: when they like. Return whether they ran for a card's length.
        """
        rng = Rng(seed)
        period = (10000, 8333, 16667, 1000)[rng.below(4)]
        # Data that like it could make a card of marks as wide as print.
        dark = period * (5 + rng.below(90 if data < 2 else 45)) // 100
        lag = (20, 50, 100)[rng.below(3)]
        ahead = (50, 75, 90, 100)[rng.below(4)]
        own = 0
        for number in range(60):
            edges = []
            lines = own
            for goal, at in ((CLOCK_A | CLOCK_B | (data == 1) * DATA, 0), (0, dark)):
                at += number * period + 1000
                first = CLOCK_A if rng.below(100) < ahead else CLOCK_B
                order = [first, (CLOCK_A | CLOCK_B) ^ first]
                if data == 1:
                    order.insert(rng.below(3), DATA)
                for line in order:
                    lines = lines & ~line | goal & line
                    edges.append((at, lines))
                    at += 5 + rng.below(lag)
            if data == 2 and rng.below(3) == 0:
                own ^= DATA
                edges.append((at + 50, own))
            self.assertEqual(feed_all(head, edges), [], seed)
        self.assertEqual(watched(head, edges[-1:]), [], seed)
        return (head._state[PLACE] >> 2) - (head._state[BASE] >> 2) >= 22

    def test_light_that_flickers(self):
        ran = 0
        for seed in range(240):
            ran += self.flickers(ReadHead(0, (1,)), seed, seed % 3)
        self.assertGreater(ran, 60)

    def test_a_line_that_jitters_at_an_edge(self):
        head = ReadHead(0, (1,))
        edges = move(strip(frame(9, 1)), [(5760, 200)])
        time, lines = edges[-1]
        rng = Rng(4)
        for _ in range(1400):
            time += 200 + rng.below(3000)
            edges.append((time, lines ^ CLOCK_A))
            time += 200 + rng.below(3000)
            edges.append((time, lines))
            self.assertEqual(watched(head, edges, 0), [])
            edges.clear()
        self.assertEqual(watched(head, [(time, lines)]), [])


class TestDarkCardSensor(unittest.TestCase):
    def test_a_second_card_under_a_dark_sensor_is_named_and_each_one_after_it(self):
        head = ReadHead(0, (1,))
        self.assertEqual(watched(head, unlit(pulled(frame(1, 1), 500), PRESENT)), [])
        found = []
        for number in range(1, 4):
            found += watched(head, unlit(pulled(frame(number, 1), 500, 5000000 * number), PRESENT))
        self.assertEqual(found[0], STUCK)
        self.assertIn(STUCK, found[1:])

    def test_a_second_card_under_it_is_named_after_a_second_and_not_before(self):
        head = ReadHead(0, (1,))
        edges = []
        for number in (1, 2):
            edges += unlit(pulled(frame(number, 1), 1000, 85000 * number), PRESENT)
        feed_all(head, edges)
        last = head._state[STILL_US]
        self.assertIsNone(head.poll(last + 999999))
        found = head.poll(last + 1000000)
        self.assertEqual((found.kind, found.reason), STUCK)

    def test_one_card_under_it_is_named_when_nothing_moves_any_more(self):
        found = watched(ReadHead(0, (1,)), unlit(pulled(frame(1, 1), 500), PRESENT), 17000000)
        self.assertEqual(found, [DIRTY])

    def test_it_is_named_whenever_its_sensor_went_dark(self):
        for us in (0, 1, 2, 0x3FFFFFFF):
            self.assertEqual(watched(ReadHead(0, (1,)), [(us, PRESENT)], us + 17000000), [DIRTY], us)

    def test_it_is_named_again_after_somebody_went_on_without_mending_it(self):
        head = ReadHead(0, (1,))
        self.assertEqual(watched(head, [(0, PRESENT)], 17000000), [DIRTY])
        edges = unlit(pulled(frame(1, 1), 500, 20000000), PRESENT)
        self.assertEqual(watched(head, edges, 17000000), [DIRTY])

    def test_a_card_that_hangs_out_is_no_fault_and_is_read(self):
        edges = move(strip(frame(40, 1)), [(70000, 400), (0, -9000000), (GOAL, 300)])
        self.assertEqual(watched(ReadHead(0, (1,)), edges), [(PASS_CARD, 0)])

    def test_data_that_stay_dark_are_a_stuck_line(self):
        for card in (0, 20, 51):
            edges = [(ticks, lines | DATA) for ticks, lines in pulled(frame(card, 1), 500)]
            self.assertEqual(watched(ReadHead(0, (1,)), [(0, DATA)] + edges, 1000000), [STUCK])


class TestHeap(unittest.TestCase):
    def test_nothing_is_allocated(self):
        edges = pulled(frame(51, 1), 500, dead=PRESENT)
        head = ReadHead(0, (1,))
        times = [ticks for ticks, _ in edges]
        lines = [state for _, state in edges]
        named = index = 0
        heap_lock()
        try:
            while index < len(times):
                head.feed(times[index], lines[index])
                head.poll(times[index])
                index += 1
            if head.poll(times[index - 1] + 200000) is not None:
                named = 1
        finally:
            heap_unlock()
        self.assertEqual(named, 1)


if __name__ == "__main__":
    unittest.main()
