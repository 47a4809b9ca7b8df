"""A sample of tests/bench/power_cut_campaign.py: power cuts against journal, vault and store together."""

import sys
import unittest

import power_cuts

MICROPYTHON = sys.implementation.name == "micropython"
SEEDS = 8 if MICROPYTHON else 22
LIVES = 3 if MICROPYTHON else 10


class PowerCutTest(unittest.TestCase):
    def test_power_cuts_lose_nothing_acknowledged(self):
        cuts = 0
        for seed in range(SEEDS):
            with self.subTest(seed=seed):
                cuts += power_cuts.run(seed, LIVES)
        self.assertGreaterEqual(cuts, 20 if MICROPYTHON else 200)

    def test_the_campaign_finds_a_journal_that_acknowledges_too_early(self):
        """The campaign itself is tested: records kept back in RAM are lost by a cut, and it says so."""
        from shoe.journal.journal import Journal

        right = Journal.append_step
        held = []

        def too_early(journal, events, ticks_ms):
            held.append((events, ticks_ms))
            number = journal.next_record
            if len(held) > 2:
                right(journal, *held.pop(0))
                return number
            journal.next_record += 0
            return number

        found = 0
        Journal.append_step = too_early
        try:
            for seed in range(3):
                held.clear()
                try:
                    power_cuts.run(seed, LIVES)
                except AssertionError:
                    found += 1
        finally:
            Journal.append_step = right
        self.assertEqual(found, 3)


if __name__ == "__main__":
    unittest.main()
