"""Which word explains cells with hidden marks: beside a plain search through every word and every place."""

import unittest

from plain_code import NAMES, ones, printed, without
from rng import Rng
from shoe.reading.words import FOUND, OTHER, PLACES, WORD, WRONG, explain, near

# Each word with each of its cells hidden in turn.
HIDDEN = {name: [without(printed(name), 26, place) for place in range(26)] for name in NAMES}


def plain_explain(in_play, cells):
    """What FOUND must hold, from a list of every word's wrong cells at every place."""
    best = other = None
    for name in NAMES:
        if in_play[name & 63]:
            wrong = [ones(shown ^ cells) for shown in HIDDEN[name]]
            least = min(wrong)
            places = sum(1 << place for place in range(26) if wrong[place] == least)
            if best is None or least < best[1]:
                best, other = (name, least, places), best
            elif other is None or least < other[1]:
                other = (name, least, places)
    return best + (other[1],)


def damaged(rng, most):
    """A word's cells with one hidden and up to `most` wrong: (name, place, cells)."""
    name = NAMES[rng.below(len(NAMES))]
    place = rng.below(26)
    cells = HIDDEN[name][place]
    for _ in range(rng.below(most + 1)):
        cells ^= 1 << rng.below(25)
    return name, place, cells


class TestOneHiddenMark(unittest.TestCase):
    def test_the_word_its_places_and_the_next_best_are_those_of_a_plain_search(self):
        rng = Rng(1)
        for pair in ((1, 2), (3, 4), (1, 2, 3, 4), (4,)):
            in_play = bytearray(5)
            for batch in pair:
                in_play[batch] = 1
            for _ in range(10):
                _, _, cells = damaged(rng, 4)
                explain(in_play, cells)
                found = (FOUND[WORD], FOUND[WRONG], FOUND[PLACES], FOUND[OTHER])
                self.assertEqual(found, plain_explain(in_play, cells), cells)

    def test_the_true_place_is_among_those_found_wherever_it_is(self):
        in_play = bytearray(b"\0\1\1\1\1")
        for place in range(26):
            name = NAMES[place * 8]
            explain(in_play, HIDDEN[name][place])
            self.assertEqual((FOUND[WORD], FOUND[WRONG]), (name, 0))
            self.assertTrue(FOUND[PLACES] >> place & 1)
            self.assertGreater(FOUND[OTHER], 0)


class TestAnotherWord(unittest.TestCase):
    """A forged card: another word with one or two marks hidden gives what was read."""

    def nearest(self, own, cells, first, second):
        """The fewest wrong cells of any word but `own`."""
        least = 26
        for name in NAMES:
            if name != own:
                shown = HIDDEN[name][second or first]
                if second:
                    shown = without(shown, 25, first)
                least = min(least, ones(shown ^ cells))
        return least

    def check(self, own, cells, first, second, words):
        least = self.nearest(own, cells, first, second)
        for most in (least - 1, least, least + 1):
            self.assertEqual(near(words, own, cells, first, second, most), most >= least, (own, cells, first, second))

    def test_one_hidden_mark_at_a_given_place_alone(self):
        rng = Rng(2)
        for words in (bytearray(5), bytearray(b"\0\1\1\0\0")):  # whichever batches are in play, all count
            for place in range(0, 26, 2):
                name, _, cells = damaged(rng, 3)
                self.check(name, cells, place, 0, words)
                self.check(0, HIDDEN[name][place] ^ 1 << rng.below(25), place, 0, words)

    def test_two_hidden_marks(self):
        rng = Rng(3)
        for first in range(0, 25, 2):
            second = first + 1 + rng.below(25 - first)
            name = NAMES[rng.below(len(NAMES))]
            cells = without(HIDDEN[name][second], 25, first) ^ 1 << rng.below(24)
            self.check(0, cells, first, second, bytearray(5))
            self.check(name, cells, first, second, bytearray(5))


if __name__ == "__main__":
    unittest.main()
