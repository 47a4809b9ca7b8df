"""Right names of passes that were once named wrong: ink that hides, light that flickers, cards of another size."""

import unittest

import named_wrong
from card_pulls import frame, pulled
from plain_code import printed, without
from shoe.reading.read_head import ReadHead
from shoe.wire_table import (
    PASS_BLANK,
    PASS_BLOCKED,
    PASS_CARD,
    PASS_PULL_BACK,
    PASS_UNREADABLE,
    UNREADABLE_AMBIGUOUS,
    UNREADABLE_NONE,
    UNREADABLE_SATURATED,
    UNREADABLE_SHORT,
)
from test_read_head_decode import Seen

PRESENT = 1
LOOKS_US = (13000, 60000, 101000, 201000, 1001000)


def named(edges, batches=(1, 2)):
    """(kind, reason, card) of each pass; the head is polled while nothing moves."""
    head = ReadHead(0, batches)
    found = []

    def note(result):
        if result is not None:
            found.append((result.kind, result.reason, result.card))

    last = edges[0][0]
    for ticks, lines in edges:
        for wait in LOOKS_US:
            if last + wait < ticks:
                note(head.poll(last + wait))
        note(head.feed(ticks, lines))
        last = ticks
    for wait in LOOKS_US:
        note(head.poll(last + wait))
    return found


class TestNames(unittest.TestCase):
    def test_a_face_up_card_with_a_worn_edge_does_not_vanish_before_the_card_behind_it(self):
        found = named(named_wrong.FACE_UP)
        self.assertEqual(found[0], (PASS_UNREADABLE, UNREADABLE_SHORT, 63))
        self.assertEqual([one[0] for one in found[1:]], [PASS_CARD])

    def test_a_card_that_went_out_is_no_pull_back_when_the_next_one_is_touched(self):
        found = named(named_wrong.GONE)
        self.assertEqual([one[0] for one in found], [PASS_UNREADABLE, PASS_CARD])
        self.assertEqual(found[1][2], 30)

    def test_ink_that_was_seen_before_the_card_sensor_makes_it_no_blank(self):
        self.assertEqual(named(named_wrong.INK), [(PASS_UNREADABLE, UNREADABLE_SHORT, 63)])

    def test_without_ink_it_is_a_blank(self):
        self.assertEqual([one[0] for one in named(((71924, PRESENT), (484378, 0)))], [PASS_BLANK])

    def test_ink_of_the_card_before_does_not_count(self):
        edges = list(pulled(frame(20, 1), 500))
        later = edges[-1][0] + 900000
        found = named(edges + [(later, PRESENT), (later + 200000, 0)])
        self.assertEqual([one[0] for one in found], [PASS_CARD, PASS_BLANK])


class TestSize(unittest.TestCase):
    """The place of the card's edge beside the code: 5 quarter cells with a poker card, 11 with a bridge card."""

    def read(self, cards, front, hidden=False):
        seen = Seen(printed(578), 26, front)
        if hidden:
            seen = Seen(without(printed(578), 26, 0), 25, front)
        return seen.read((2,), cards)[1]

    def test_a_card_over_another_one_or_of_the_other_size_is_refused(self):
        for cards, least, most in (("poker", 3, 7), ("bridge", 9, 13), ("", 3, 13)):
            for hidden in (False, True):
                shift = 4 if hidden else 0
                for front in range(-8, 24):
                    fits = least - shift <= front <= most - shift
                    reason = UNREADABLE_NONE if fits else UNREADABLE_AMBIGUOUS
                    self.assertEqual(self.read(cards, front, hidden), reason, (cards, front, hidden))


class TestFlicker(unittest.TestCase):
    """A lamp on the mains flickers 100 or 120 times a second."""

    def glimpses(self, dark_us, bright_us, count=8):
        edges = []
        now = 1000
        for _ in range(count):
            edges += [(now, PRESENT), (now + dark_us, 0)]
            now += dark_us + bright_us
        return named(edges)

    def test_a_card_that_goes_by_in_such_light_blinds_the_head_and_does_not_vanish(self):
        for dark_us, bright_us in ((1650, 6350), (1000, 9000), (5000, 5000), (4000, 4300), (200, 11700)):
            self.assertEqual(self.glimpses(dark_us, bright_us)[0][:2], (PASS_BLOCKED, UNREADABLE_SATURATED))

    def test_slower_than_that_it_is_no_light(self):
        self.assertEqual(self.glimpses(1650, 10350), [])


class TestPullBack(unittest.TestCase):
    def test_a_card_that_slides_back_is_one(self):
        there = list(pulled(frame(20, 1), 500))[:30]
        back = [(there[-1][0] + 30000 + there[-1][0] - ticks, lines) for ticks, lines in reversed(there[:-1])]
        self.assertEqual([one[0] for one in named(there + back + [(back[-1][0] + 500, 0)])][:1], [PASS_PULL_BACK])


if __name__ == "__main__":
    unittest.main()
