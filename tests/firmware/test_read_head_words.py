"""Which word the cells are, whole or without one: beside a plain search through every word and every place."""

import unittest

from plain_code import NAMES, WORDS, ones, printed, without
from rng import Rng
from shoe.reading.words import NOBODY, PLACES, named, shortened

# Each word with each of its cells hidden in turn.
HIDDEN = {name: [without(printed(name), 26, place) for place in range(26)] for name in NAMES}
ALL = b"\0\1\1\1\1"


class TestWhole(unittest.TestCase):
    def test_cells_near_words_and_anywhere_are_named_as_a_plain_search_names_them(self):
        rng = Rng(1)
        for _ in range(60):
            cells = WORDS[rng.below(len(WORDS))]
            for _ in range(rng.below(4)):
                cells ^= 1 << rng.below(26)
            near = [ones(word ^ cells) << 12 | name for name, word in zip(NAMES, WORDS) if ones(word ^ cells) < 2]
            self.assertEqual(named(cells), near[0] if near else NOBODY)


class TestOneHiddenMark(unittest.TestCase):
    def test_the_word_and_the_places_are_found_wherever_the_hidden_mark_is(self):
        for name in NAMES[::7]:
            for place in range(26):
                cells = HIDDEN[name][place]
                self.assertEqual(shortened(ALL, cells), name)
                self.assertEqual(PLACES[0], sum(1 << at for at in range(26) if HIDDEN[name][at] == cells))

    def test_only_words_in_play_are_found(self):
        for name in NAMES[::9]:
            in_play = bytearray(ALL)
            in_play[name & 63] = 0
            self.assertEqual(shortened(in_play, HIDDEN[name][11]), NOBODY)

    def test_one_wrong_cell_is_too_many(self):
        for name in NAMES[::30]:
            for place in range(0, 26, 5):
                for cell in range(25):
                    cells = HIDDEN[name][place] ^ 1 << cell
                    wanted = name if cells in HIDDEN[name] else NOBODY
                    self.assertEqual(shortened(ALL, cells), wanted)


if __name__ == "__main__":
    unittest.main()
