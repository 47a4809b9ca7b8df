"""Face-down cards: the commitment binds, the opening survives, and what never got durable is forgotten."""

import hashlib
import unittest

from shoe.sealing import EntropyError, Sealer, commitment
from shoe.wire_table import REC_OPENED, REC_SEALED
from virtual.flash_memory import MemoryFlash, Power, PowerCut

EVENT = (REC_SEALED, 2, 0, 0, 0, 12, 1)


class Entropy:
    """Counts up."""

    def __init__(self):
        self.count = 0

    def __call__(self, n):
        self.count += 1
        return bytes([(self.count - 1) % 255 + 1]) * n


class SealingTest(unittest.TestCase):
    def setUp(self):
        self.power = Power(seed=5)
        self.flash = MemoryFlash(2, self.power, 512)
        self.entropy = Entropy()
        self.sealer = self.started()

    def started(self):
        sealer = Sealer(self.entropy, self.flash)
        sealer.start()
        return sealer

    def test_the_commitment_is_sha256_over_nonce_card_and_batch(self):
        sealed = self.sealer.seal(EVENT, 7)
        self.assertEqual(sealed[:5], (REC_SEALED, 2, 0, 0, 0))
        self.assertEqual(sealed[5], hashlib.sha256(b"\x01" * 16 + b"\x0c\x01").digest())

    def test_the_opening_proves_the_commitment(self):
        sealed = self.sealer.seal(EVENT, 7)
        opened = self.sealer.open((REC_OPENED, 7, 2, 0, 0, 12, 1))
        self.assertEqual(commitment(opened[7], opened[5], opened[6]), sealed[5])

    def test_an_opening_survives_a_restart(self):
        sealed = self.sealer.seal(EVENT, 7)
        again = self.started()
        self.assertTrue(again.check(7, sealed[5]))
        self.assertEqual(again.face(7), (12, 1))

    def test_a_cut_before_the_opening_is_durable_leaves_no_record(self):
        self.sealer.seal(EVENT, 7)
        self.power.arm(9)
        with self.assertRaises(PowerCut):
            self.sealer.seal(EVENT, 8)
        self.power.arm(None)
        again = self.started()
        self.assertEqual(again.face(7), (12, 1))
        self.assertEqual(again.face(8), (63, 0))

    def test_a_ghost_is_forgotten_for_good(self):
        self.sealer.seal(EVENT, 7)
        self.sealer.seal(EVENT, 8)
        self.sealer.keep_only({8})
        again = self.started()
        self.assertEqual(again.face(7), (63, 0))
        self.assertEqual(again.face(8), (12, 1))

    def test_a_changed_opening_does_not_fit(self):
        sealed = self.sealer.seal(EVENT, 7)
        self.assertFalse(self.sealer.check(7, bytes(32)))
        self.assertFalse(self.sealer.check(6, sealed[5]))

    def test_a_lost_opening_says_unknown(self):
        opened = self.sealer.open((REC_OPENED, 99, 2, 0, 0, 12, 1))
        self.assertEqual(opened, (REC_OPENED, 99, 2, 0, 0, 63, 0, bytes(16)))

    def test_a_source_that_repeats_or_fails_is_no_entropy(self):
        stuck = Sealer(lambda n: b"\x07" * n, self.flash)
        stuck.start()
        stuck.seal(EVENT, 1)
        with self.assertRaises(EntropyError):
            stuck.seal(EVENT, 2)
        dead = Sealer(lambda n: bytes(n), self.flash)
        with self.assertRaises(EntropyError):
            dead.seal(EVENT, 3)

    def test_hundreds_of_cards_come_and_go(self):
        for number in range(300):
            self.sealer.seal((REC_SEALED, 2, 0, 0, 0, number % 52, 1), number)
            if number >= 5:
                self.sealer.opened(number - 5)
            self.sealer.idle()
        again = self.started()
        for number in range(296, 300):
            self.assertEqual(again.face(number), (number % 52, 1))
        self.assertEqual(self.power.misuse, 0)


if __name__ == "__main__":
    unittest.main()
