"""The printed code: every word of every batch, and what a device finds in 26 cells."""

import unittest

from shoe.compat import heap_lock, heap_unlock
from shoe.reading import card_code
from shoe.reading import words as read_head_words
from shoe.reading.card_words import WORDS
from shoe.reading.words import NOBODY, named

CARDS = range(card_code.LAST_CARD + 1)
BATCHES = range(card_code.FIRST_BATCH, card_code.LAST_BATCH + 1)


def _frame(card, batch):
    return 1 << 25 | card_code.encode(card, batch) << 1


class TestCardCode(unittest.TestCase):
    def test_every_card_of_every_batch_reads_as_itself(self):
        for card in CARDS:
            for batch in BATCHES:
                self.assertEqual(named(_frame(card, batch)), card << 6 | batch)

    def test_one_wrong_cell_anywhere_start_and_stop_included_is_corrected(self):
        for card in range(0, 57, 8):
            for batch in (1, 2, 3, 4):
                for cell in range(card_code.CELLS):
                    self.assertEqual(named(_frame(card, batch) ^ 1 << cell), 4096 | card << 6 | batch)

    def test_two_and_three_wrong_cells_are_never_corrected(self):
        # Any two words differ in eight cells; tests/contract has all words.
        frame = _frame(37, 3)
        for a in range(26):
            for b in range(a):
                self.assertEqual(named(frame ^ 1 << a ^ 1 << b), NOBODY)
        for a in range(2, 26, 3):
            for b in range(1, a):
                for c in range(b):
                    self.assertEqual(named(frame ^ 1 << a ^ 1 << b ^ 1 << c), NOBODY)

    def test_half_of_the_cells_of_every_word_are_dark(self):
        """So ink alone, or varnish alone, on the data track never makes another word, with one cell put right."""
        for batch in BATCHES:
            for card in CARDS:
                self.assertEqual(bin(card_code.encode(card, batch)).count("1"), 12)

    def test_what_is_never_printed_is_refused(self):
        for card, batch in ((-1, 1), (57, 1), (63, 1), (0, 0), (0, 5), (0, -1)):
            with self.assertRaises(ValueError):
                card_code.encode(card, batch)

    def test_all_dark_and_all_bright_are_no_card(self):
        for cells in (0, 0x3FFFFFF, 1 << 25, 0x3FFFFFE):
            self.assertEqual(named(cells), NOBODY)

    def test_decoding_allocates_nothing(self):
        frame = _frame(51, 4)
        named(frame ^ 1)
        heap_lock()
        try:
            named(frame)
            named(frame ^ 0x800000)
            named(frame ^ 3)
        finally:
            heap_unlock()

    def test_a_broken_table_would_be_noticed(self):
        """The checks above can fail: one wrong word in the table turns them."""
        broken = bytearray(WORDS)
        broken[5 * 3] ^= 3
        read_head_words.WORDS = broken
        try:
            wrong = [c for c in CARDS if named(_frame(c, 1)) != c << 6 | 1]
        finally:
            read_head_words.WORDS = WORDS
        self.assertEqual(wrong, [5])


if __name__ == "__main__":
    unittest.main()
