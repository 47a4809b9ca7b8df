"""A sample of tests/bench/signing_power_cuts.py: power cuts at any moment of making a key and of signing."""

import sys
import unittest

import signing_cuts

MICROPYTHON = sys.implementation.name == "micropython"
SEEDS = 2 if MICROPYTHON else 12


class SigningCutsTest(unittest.TestCase):
    def test_no_index_is_used_twice_and_no_signature_is_lost_over_power_cuts(self):
        making = signing = emitted = 0
        for seed in range(SEEDS):
            a, b, _, d = signing_cuts.run(seed, 8 if MICROPYTHON else 14)
            making += a
            signing += b
            emitted += d
        self.assertGreaterEqual(making, SEEDS)
        self.assertGreaterEqual(signing, SEEDS)
        self.assertGreaterEqual(emitted, SEEDS)

    def test_the_campaign_finds_a_shoe_that_spends_its_index_after_signing(self):
        """The campaign itself is tested: an index that is not durable before its use is used again after a cut."""
        from shoe.trust import sign_shoe

        right = sign_shoe._spend

        def too_late(signing, q):
            signing.next_index = q + 1  # in RAM alone

        found = 0
        sign_shoe._spend = too_late
        try:
            for seed in range(2 if MICROPYTHON else 6):
                try:
                    signing_cuts.run(seed, 10)
                except AssertionError as error:
                    found += "second time" in str(error) or "twice" in str(error)
        finally:
            sign_shoe._spend = right
        self.assertGreaterEqual(found, 1)


if __name__ == "__main__":
    unittest.main()
