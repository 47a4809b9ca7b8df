"""Latched faults survive a restart and a power cut."""

import unittest

from flash_memory import MemoryFlash, Power, PowerCut
from shoe.app.faults import Faults
from shoe.wire_table import FAULT_JOURNAL_DAMAGED, FAULT_UNREADABLE, FAULT_WATCHDOG


class FaultsTest(unittest.TestCase):
    def setUp(self):
        self.power = Power(seed=2)
        self.flash = MemoryFlash(4, self.power, 512)
        self.faults = self.started()

    def started(self):
        faults = Faults(self.flash, 2)
        faults.start()
        return faults

    def test_faults_keep_their_order_head_and_detail(self):
        self.assertTrue(self.faults.latch(FAULT_UNREADABLE, 1, 3))
        self.assertTrue(self.faults.latch(FAULT_WATCHDOG))
        self.assertFalse(self.faults.latch(FAULT_UNREADABLE, 0, 0))
        again = self.started()
        self.assertEqual(again.items(), [(FAULT_UNREADABLE, 1, 3), (FAULT_WATCHDOG, 0, 0)])
        self.assertEqual(again.first(), (FAULT_UNREADABLE, 1, 3))

    def test_clearing_lasts(self):
        self.faults.latch(FAULT_UNREADABLE)
        self.assertTrue(self.faults.clear(FAULT_UNREADABLE))
        self.assertFalse(self.faults.clear(FAULT_UNREADABLE))
        self.assertEqual(self.started().codes(), ())

    def test_only_some_faults_stop_the_game(self):
        self.faults.latch(FAULT_JOURNAL_DAMAGED)
        self.assertIsNone(self.faults.stopping())
        self.assertEqual(self.faults.first(), (FAULT_JOURNAL_DAMAGED, 0, 0))
        self.faults.latch(FAULT_WATCHDOG)
        self.assertEqual(self.faults.stopping(), (FAULT_WATCHDOG, 0, 0))

    def test_a_power_cut_keeps_the_set_before_or_after(self):
        fired = 0
        for budget in range(0, 60, 4):
            self.setUp()
            self.faults.latch(FAULT_UNREADABLE)
            self.power.arm(budget)
            try:
                self.faults.latch(FAULT_WATCHDOG)
            except PowerCut:
                fired += 1
            self.power.arm(None)
            self.assertIn(self.started().codes(), ((FAULT_UNREADABLE,), (FAULT_UNREADABLE, FAULT_WATCHDOG)))
        self.assertGreaterEqual(fired, 3)

    def test_years_of_faults_fit(self):
        for _ in range(500):
            self.faults.latch(FAULT_UNREADABLE, 1, 2)
            self.faults.clear(FAULT_UNREADABLE)
            self.faults.idle()
        self.faults.latch(FAULT_WATCHDOG)
        self.assertEqual(self.started().codes(), (FAULT_WATCHDOG,))


if __name__ == "__main__":
    unittest.main()
