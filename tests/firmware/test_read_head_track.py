"""Edges to a place along the code, beside a plain quadrature counter that keeps every mark and cell by its number."""

import unittest
from array import array

from rng import Rng
from shoe.reading.track import (
    AHEAD,
    ALL_TAKEN,
    BASE,
    CALM,
    CALM_US,
    CELLS_KEPT,
    EDGES,
    ENTERED,
    EVENT,
    FLOODED,
    LAST_US,
    LEFT,
    LINES,
    MARKS,
    OFF_CENTRE,
    ORIGIN,
    PASSED,
    PLACE,
    SEEN,
    SKIPS,
    STATE,
    STILL_US,
    STORM,
    STORM_EDGES,
    TOP,
    track,
)

TICKS = 1 << 30
PRESENT, CLOCK_A, CLOCK_B, DATA = 1, 2, 4, 8
CLOCKS = (0, CLOCK_A, CLOCK_A | CLOCK_B, CLOCK_B)  # in the order in which a cell shows them


class Plain:
    """The same as `track` says it, edge by edge: sets and dictionaries in place of masks and rings."""

    def __init__(self):
        self.lines = self.last = self.still = 0
        self.place = self.base = self.top = ORIGIN
        self.ahead = True
        self.edges = self.skips = self.off_centre = 0
        self.seen = set()
        self.marks = {}
        self.cells = {}

    def edge(self, now, new):
        changed = {line for line in (PRESENT, CLOCK_A, CLOCK_B, DATA) if (self.lines ^ new) & line}
        if not changed:
            return ALL_TAKEN
        self.edges += 1
        self.last = now
        if changed != {DATA} or self.lines == 0:
            self.still = now
        self.seen |= changed
        steps = (CLOCKS.index(new & 6) - CLOCKS.index(self.lines & 6)) % 4
        if steps == 2:
            self.skips += 1
        if steps == 3 or (steps == 2 and not self.ahead):
            self.top = max(self.top, self.place)
            self.place -= 4 - steps
            self.base = min(self.base, self.place)
            self.ahead = False
        elif steps:
            for _ in range(steps):
                self.place += 1
                cell = self.place // 4
                phase = self.place % 4
                if phase == 1:
                    self.marks[cell % 64] = now
                elif phase == 2:
                    self.cells[cell % 64] = new // DATA
                elif phase == 0:
                    self.marks[64 + (cell - 1) % 64] = now
                elif steps == 1 and new // DATA != self.cells.get(cell % 64, 0):
                    self.cells[cell % 64] = self.cells.get(cell % 64, 0) | 2
            self.ahead = True
        if DATA in changed and new & 6:
            self.off_centre += 1
        self.lines = new
        if PRESENT in changed:
            return ENTERED if new & PRESENT else LEFT
        return ALL_TAKEN


class Track:
    """`track` with its arrays."""

    def __init__(self):
        self.state = array("i", [0] * STATE)
        self.marks = array("i", [0] * MARKS)
        self.cells = bytearray(CELLS_KEPT)
        for place in (PLACE, BASE, TOP):
            self.state[place] = ORIGIN
        self.state[AHEAD] = 1

    def take(self, times, lines, at=0, end=None):
        return track(self.state, self.marks, self.cells, array("i", times), bytes(lines), at, end or len(times))

    def get(self, *names):
        return [self.state[name] for name in names]


def walk(rng, count):
    """Edges of a hand that goes on, back and to and fro, with data, card sensor and clocks that jump now and then."""
    times, lines = [], []
    now = TICKS - 50000
    at = 0
    other = 0
    ahead = True
    for _ in range(count):
        now = (now + rng.below(3000)) % TICKS
        event = rng.below(100)
        if event < 6:
            ahead = not ahead
        if event < 70:
            at += 1 if ahead else -1
        elif event < 76:
            at += 2
        elif event < 92:
            other ^= DATA
        elif event < 94:
            other ^= PRESENT
        elif event < 98:
            other ^= DATA
            at += 1 if ahead else -1
        times.append(now)
        lines.append(CLOCKS[at % 4] | other)
    return times, lines


class TestTrack(unittest.TestCase):
    def test_place_times_and_cells_of_any_edges(self):
        for seed in range(12):
            one, plain = Track(), Plain()
            times, lines = walk(Rng(seed), 400)
            at = 0
            while at < len(times):
                begin = at
                at = one.take(times, lines, begin)
                for number in range(begin, at):
                    event = plain.edge(times[number], lines[number])
                    self.assertTrue(event == ALL_TAKEN or number == at - 1)  # nothing is passed over
                self.assertEqual(
                    one.get(LINES, LAST_US, STILL_US, PLACE, BASE, TOP, AHEAD, EDGES, SKIPS, OFF_CENTRE, SEEN, EVENT),
                    [plain.lines, plain.last, plain.still, plain.place, plain.base, plain.top, int(plain.ahead),
                     plain.edges, plain.skips, plain.off_centre, sum(plain.seen), event],
                    (seed, at),
                )  # fmt: skip
            for number, when in plain.marks.items():
                self.assertEqual(one.marks[number], when)
            for number in range(64):
                self.assertEqual(one.cells[number], plain.cells.get(number, 0))

    def test_only_the_edges_asked_for_are_taken(self):
        times, lines = [10, 20, 30, 40, 50], [CLOCK_A, CLOCK_A | CLOCK_B, CLOCK_B, 0, CLOCK_A]
        for begin in range(5):
            for end in range(begin + 1, 6):
                one = Track()
                one.state[LINES] = lines[begin - 1] if begin else 0
                self.assertEqual(one.take(times, lines, begin, end), end)
                self.assertEqual(one.get(LAST_US, EDGES), [times[end - 1], end - begin])

    def test_data_that_change_between_centre_and_the_next_border_are_marked(self):
        for later in (0, DATA):
            one = Track()
            one.take([1, 2, 3, 4], [CLOCK_A, CLOCK_A | CLOCK_B, CLOCK_B | later, later])
            self.assertEqual(one.cells[ORIGIN >> 2 & 63], 2 if later else 0)

    def test_data_that_change_where_the_next_border_was_missed_are_not_marked(self):
        one = Track()
        one.take([1, 2, 3, 4], [CLOCK_A, CLOCK_A | CLOCK_B, CLOCK_A | CLOCK_B | DATA, DATA])
        self.assertEqual(one.get(PLACE, SKIPS), [ORIGIN + 4, 1])
        self.assertEqual(one.cells[ORIGIN >> 2 & 63], 0)

    def test_a_step_into_a_lower_place_than_ever_moves_the_base(self):
        one = Track()
        one.take([1, 2, 3], [CLOCK_B, CLOCK_A | CLOCK_B, CLOCK_B])
        self.assertEqual(one.get(PLACE, BASE, TOP), [ORIGIN - 1, ORIGIN - 2, ORIGIN])


class TestStorm(unittest.TestCase):
    def edges(self, count, calm=0):
        """A track after `count` edges of DATA with the last silence at edge `calm`: (track, index behind)."""
        one = Track()
        one.state[CALM] = calm
        lines = [DATA * (number & 1 ^ 1) for number in range(count)]
        return one, one.take(list(range(count)), lines)

    def test_more_edges_than_any_card_makes_are_a_flood(self):
        one, behind = self.edges(STORM_EDGES)
        self.assertEqual((behind, one.state[EVENT]), (STORM_EDGES, ALL_TAKEN))
        one, behind = self.edges(STORM_EDGES + 5)
        self.assertEqual((behind, one.state[EVENT], one.state[EDGES]), (STORM_EDGES + 1, FLOODED, STORM_EDGES + 1))
        self.assertEqual(STORM_EDGES, 3000)

    def test_edges_before_the_last_silence_do_not_count(self):
        one, behind = self.edges(STORM_EDGES + 105, 100)
        self.assertEqual((behind, one.state[EVENT]), (STORM_EDGES + 101, FLOODED))

    def test_in_a_storm_edges_only_say_when_it_ends(self):
        for silence, event in ((CALM_US - 1, ALL_TAKEN), (CALM_US, ALL_TAKEN), (CALM_US + 1, PASSED)):
            one = Track()
            one.state[STORM] = 1
            start = TICKS - 300
            times = [start, (start + 200) % TICKS, (start + 200 + silence) % TICKS]
            one.state[LAST_US] = start
            behind = one.take(times, [CLOCK_A, CLOCK_A | CLOCK_B, PRESENT])
            self.assertEqual((behind, one.state[EVENT]), (2 if event == PASSED else 3, event))
            self.assertEqual(one.get(PLACE, EDGES, SEEN, SKIPS), [ORIGIN, 0, 0, 0])
            self.assertEqual(one.get(LINES, LAST_US), [CLOCK_A | CLOCK_B, times[1]] if event else [PRESENT, times[2]])
        self.assertEqual(CALM_US, 100000)


if __name__ == "__main__":
    unittest.main()
