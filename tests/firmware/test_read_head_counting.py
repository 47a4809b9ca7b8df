"""A pass that began is told, whatever the card sensor does; and a card that is slid back is not one that went out."""

import unittest

from card_pulls import CLOCK_A, CLOCK_B, PRESENT, feed_all, frame, move, pulled, strip
from shoe.reading import card_code
from shoe.reading.read_head import ReadHead
from shoe.wire_table import (
    PASS_BLOCKED,
    PASS_CARD,
    PASS_UNREADABLE,
    UNREADABLE_LONG,
    UNREADABLE_NONE,
    UNREADABLE_SHORT,
)

GOAL = card_code.POKER_UM + card_code.PRESENT_UM + 3000
GAPS_US = (12, 100, 1000, 2900, 3100, 5100, 11900, 13000)


def thin(card, first, size=card_code.POKER_UM):
    """The card, whose marks from `first` on are so thin that both clock lines are never dark together."""
    low = (size - card_code.CODE_UM) // 2 + 500
    found = strip(frame(card, 1), lost=range(first, 26), length=size)
    for number in range(first, 26):
        middle = low + number * card_code.CELL_UM + card_code.MARK_UM // 2
        found += [(middle - 400, CLOCK_A), (middle - 100, CLOCK_A), (middle + 100, CLOCK_B), (middle + 400, CLOCK_B)]
    return sorted(found)


def told(edges, waits=(3000, 12500, 500000, 1500000)):
    """(kind, reason) of every pass; the head is polled behind the last edge."""
    head = ReadHead(0, (1, 2))
    found = [(kind, reason) for kind, _, _, reason, _ in feed_all(head, edges)]
    for wait in waits:
        result = head.poll(edges[-1][0] + wait & 0x3FFFFFFF)
        if result is not None:
            found.append((result.kind, result.reason))
    return found


def chattering(edges, gaps):
    """The card sensor goes on to chatter as the card leaves: dark, bright, ... after each of `gaps`."""
    edges = list(edges)
    now, lines = edges[-1]
    for gap in gaps:
        now += gap
        lines ^= PRESENT
        edges.append((now, lines))
    return edges


class TestEveryEntryIsTold(unittest.TestCase):
    def test_a_card_with_weak_marks_is_told_whatever_the_card_sensor_does_as_it_leaves(self):
        """All ways to chatter once or twice; a sensor that chatters on and on is light that flickers."""
        for marks in (1, 2):
            edges = move(thin(5, marks), [(GOAL, 500)])
            self.assertEqual(told(edges), [(PASS_UNREADABLE, UNREADABLE_SHORT)])
            for dark in GAPS_US:
                for bright in GAPS_US:
                    found = told(chattering(edges, (dark, bright)))
                    self.assertEqual(found[0], (PASS_UNREADABLE, UNREADABLE_SHORT), (marks, dark, bright))
                    if dark < 12000:
                        self.assertEqual(len(found), 1, (marks, dark, bright))
                    for again in (100, 3100):
                        for more in (100, 3100):
                            found = told(chattering(edges, (dark, bright, again, more)))
                            self.assertIn((PASS_UNREADABLE, UNREADABLE_SHORT), found, (dark, bright, again, more))

    def test_a_clean_card_is_told_once_whatever_the_card_sensor_does_as_it_leaves(self):
        edges = pulled(frame(5, 1), 500)
        for dark in GAPS_US:
            for bright in GAPS_US:
                found = told(chattering(edges, (dark, bright)))
                self.assertEqual(found[0][0], PASS_CARD)
                self.assertEqual([kind for kind, _ in found[1:]], [PASS_UNREADABLE] if bright > 12000 else [])

    def test_a_card_is_told_whatever_the_card_sensor_does_as_it_comes(self):
        for gaps in ((12,), (100, 12), (2900, 100, 3100, 12)):
            edges = move(strip(frame(5, 1)), [(GOAL, 60)])
            at = next(number for number, (_, lines) in enumerate(edges) if lines & PRESENT)
            now, lines = edges[at]
            more = []
            for gap in gaps + (50,) * (len(gaps) % 2):
                now += gap
                lines ^= PRESENT
                more.append((now, lines))
            self.assertEqual([kind for kind, _ in told(edges[: at + 1] + more + edges[at + 1 :])], [PASS_CARD], gaps)

    def test_flicker_is_still_told_as_flicker(self):
        edges = chattering(move(thin(5, 2), [(GOAL, 500)]), (100, 100) * 8)
        self.assertIn(PASS_BLOCKED, [kind for kind, _ in told(edges)])


class TestSlidBack(unittest.TestCase):
    def test_a_card_that_is_slid_back_past_thin_marks_is_not_named(self):
        """Held with its tail under the card sensor; on the way back the clock lines pulse one after the other."""
        for hold in (69000, 70500):
            for card in (5, 17, 40):
                out = move(strip(frame(card, 1)), [(hold, 500)])
                back = move(thin(card, 0), [(hold, 500), (-3000, 500)])
                start = len(move(thin(card, 0), [(hold, 500)]))
                edges = out + [(ticks + 200000, lines) for ticks, lines in back[start:]]
                found = told(edges)
                self.assertEqual(found[0][0], PASS_UNREADABLE)
                self.assertNotIn(PASS_CARD, [kind for kind, _ in found])

    def test_one_pulse_behind_the_last_mark_is_enough(self):
        """Of A: one of B alone is what a hand makes that goes back by a quarter of a millimetre, and on."""
        for line, named in ((CLOCK_A, (PASS_UNREADABLE, UNREADABLE_LONG)), (CLOCK_B, (PASS_CARD, UNREADABLE_NONE))):
            edges = pulled(frame(5, 1), 500)
            last = [number for number, (_, lines) in enumerate(edges) if lines & PRESENT][-1]
            ticks, lines = edges[last]
            more = [(ticks + 3000, lines ^ line), (ticks + 3400, lines)]
            found = told(edges[: last + 1] + more + edges[last + 1 :])
            self.assertEqual(found, [named])

    def test_a_hand_that_goes_back_over_the_last_marks_and_on_is_read(self):
        for back in (64000, 58000, 40000):
            edges = move(strip(frame(5, 1)), [(69000, 500), (back, 300), (GOAL, 400)])
            self.assertEqual([kind for kind, _ in told(edges)], [PASS_CARD])


if __name__ == "__main__":
    unittest.main()
