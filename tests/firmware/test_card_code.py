"""The printed code: every word, every bound of CARD_CODE.md that a device can check in a second."""

import unittest

from shoe import card_code
from shoe.compat import heap_lock, heap_unlock

CARDS = range(card_code.LAST_CARD + 1)
BATCHES = range(card_code.FIRST_BATCH, card_code.LAST_BATCH + 1)


def _packed(card, batch, corrected=0):
    return corrected << 12 | card << 6 | batch


class TestCardCode(unittest.TestCase):
    def test_every_card_of_every_batch_reads_as_itself(self):
        for card in CARDS:
            for batch in BATCHES:
                self.assertEqual(card_code.decode_packed(card_code.encode(card, batch)), _packed(card, batch))

    def test_one_wrong_cell_anywhere_is_corrected(self):
        decode = card_code.decode_packed
        for card in CARDS:
            for batch in (1, 2, 33, 62):
                word = card_code.encode(card, batch)
                for cell in range(card_code.CODE_CELLS):
                    self.assertEqual(decode(word ^ 1 << cell), _packed(card, batch, 1))

    def test_two_to_four_wrong_cells_are_never_corrected(self):
        # The code is linear: which patterns are detected does not depend on the word; tests/contract has all words.
        word = card_code.encode(37, 5)
        decode = card_code.decode_packed
        seen = 0
        for a in range(24):
            for b in range(a):
                self.assertEqual(decode(word ^ 1 << a ^ 1 << b), card_code.NO_CODEWORD)
                for c in range(b):
                    three = word ^ 1 << a ^ 1 << b ^ 1 << c
                    self.assertEqual(decode(three), card_code.NO_CODEWORD)
                    for d in range(c):
                        seen += 1
                        if decode(three ^ 1 << d) != card_code.NO_CODEWORD:
                            self.assertTrue(False, "four wrong cells were corrected")
        self.assertEqual(seen, 10626)

    def test_words_that_no_card_carries_are_unassigned(self):
        for card in range(64):
            for batch in (0, 1, 62, 63):
                assigned = card <= card_code.LAST_CARD and 1 <= batch <= 62
                word = card_code._encode_message(card << 6 | batch) ^ card_code.MASK
                self.assertEqual(card_code.decode(word) is not None, assigned)
                if not assigned:
                    self.assertEqual(card_code.decode_packed(word), card_code.UNASSIGNED)

    def test_what_is_never_printed_is_refused(self):
        for card, batch in ((-1, 1), (57, 1), (63, 1), (0, 0), (0, 63), (0, -1)):
            with self.assertRaises(ValueError):
                card_code.encode(card, batch)

    def test_all_dark_and_all_bright_are_no_card(self):
        self.assertIsNone(card_code.decode(0))
        self.assertIsNone(card_code.decode(0xFFFFFF))

    def test_decoding_allocates_nothing(self):
        word = card_code.encode(51, 62)
        card_code.decode_packed(word ^ 1)
        heap_lock()
        try:
            card_code.decode_packed(word)
            card_code.decode_packed(word ^ 0x800000)
            card_code.decode_packed(word ^ 3)
        finally:
            heap_unlock()

    def test_a_broken_table_would_be_noticed(self):
        """The checks above can fail: one wrong sum in the decoder's table turns them."""
        kept = card_code._SUMS[5]
        card_code._SUMS[5] = kept ^ 1
        try:
            wrong = [c for c in CARDS if card_code.decode(card_code.encode(c, 1)) != (c, 1, 0)]
        finally:
            card_code._SUMS[5] = kept
        self.assertTrue(wrong)


if __name__ == "__main__":
    unittest.main()
