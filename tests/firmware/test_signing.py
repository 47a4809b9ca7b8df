"""The signing key and the signatures of closed shoes: statements, indices, power cuts, want of room."""

import struct
import sys
import unittest

from flash_memory import PowerCut
from shoe.trust.lms import verify
from shoe.trust.signing_key import STATEMENT
from shoe.wire_table import (
    REC_BOOT,
    REC_SHOE_CLOSED,
    REC_SIGNED,
    REC_SIGNING_KEY,
    SIGNATURE_FAILED,
    SIGNATURE_NO_KEY,
    SIGNATURE_PENDING,
    SIGNATURE_SIGNED,
    SIGNATURE_USED_UP,
    SIGNING_DAMAGED,
    SIGNING_MAKING,
    SIGNING_NO_KEY,
    SIGNING_READY,
    SIGNING_USED_UP,
)
from signing_bench import DEVICE, PAGE, Bench

FORM = "<8s8s16sIIIIIIHI32s"


class SigningTest(unittest.TestCase):
    def test_a_shoe_that_closes_is_signed_and_the_statement_says_which(self):
        bench = Bench()
        self.assertEqual(bench.signing.state, SIGNING_NO_KEY)
        made = bench.key()
        self.assertEqual(made[0][0], REC_SIGNING_KEY)
        self.assertEqual(bench.signing.state, SIGNING_READY)
        public = bench.signing.public_key()
        self.assertEqual(len(public), 56)
        shoe = bench.deal(60)
        self.assertEqual(bench.signing.result(shoe)[0], SIGNATURE_PENDING)
        events = bench.work()
        self.assertEqual(events, [(REC_SIGNED, shoe, SIGNATURE_SIGNED, 0, public[8:24])])
        statement, signature = bench.emitted(shoe)
        self.assertTrue(verify(statement, signature, public))
        magic, device, key, q, number, first, last, low, high, end, crc, head = struct.unpack(FORM, statement)
        self.assertEqual((magic, device, key, q, number), (b"SHOESIG\x01", DEVICE, public[8:24], 0, shoe))
        row = next(bench.journal.shoes(shoe))
        self.assertEqual((first, low), (row[1], row[3]))
        self.assertGreater(last, first)
        self.assertEqual(high, low + 61)
        self.assertEqual(crc, 0x12345678)
        self.assertEqual(head, bench.head(last, end))

    def test_records_behind_the_end_of_a_shoe_leave_its_signature_right(self):
        bench = Bench()
        bench.key()
        shoe = bench.deal()
        bench.journal.append((REC_BOOT, 0, b"\x00\x01\x00", 0, 1), 9)
        bench.work()
        statement, signature = bench.emitted(shoe)
        values = struct.unpack(FORM, statement)
        self.assertEqual(values[8], bench.journal.next_record - 3)  # a boot and the signed record follow
        self.assertTrue(verify(statement, signature, bench.signing.public_key()))

    def test_a_slot_whose_head_is_damaged_holds_no_signature(self):
        bench = Bench()
        bench.key()
        first = bench.deal()
        second = bench.deal()
        bench.work()
        slot = bench.signing.slot(second)
        bench.keys_flash.data[slot.first * PAGE + 5] ^= 1  # of the shoe's number
        bench.start()
        self.assertEqual(bench.signing.result(first)[0], SIGNATURE_SIGNED)
        self.assertIsNone(bench.emitted(second))
        self.assertEqual((bench.signing.handled, bench.signing.next_index), (first, 2))

    def test_a_shoe_is_signed_while_the_next_is_open_already(self):
        bench = Bench()
        bench.key()
        first = bench.deal()
        second = bench.deal(close=False)
        events = bench.work()
        self.assertEqual([event[1] for event in events], [first])
        self.assertEqual(bench.signing.result(second)[0], SIGNATURE_PENDING)
        self.assertTrue(verify(*bench.emitted(first), bench.signing.public_key()))

    def test_an_older_note_of_the_key_that_comes_back_reuses_no_index(self):
        """The note that the key is made becomes unreadable and the one before it, not erased yet, counts again."""
        bench = Bench()
        bench.signing.begin(5)
        bench.signing.step(1)
        notes = bytes(bench.keys_flash.data[: 2 * PAGE])  # the key is begun and not made
        bench.work()
        bench.deal()
        bench.deal()
        spent = [event[3] for event in bench.work() if event[0] == REC_SIGNED]
        self.assertEqual(spent, [0, 1])
        bench.keys_flash.data[: 2 * PAGE] = notes
        bench.start()
        self.assertEqual(bench.signing.state, SIGNING_MAKING, "the old note was not believed: nothing is tested")
        bench.work()
        bench.deal()
        again = [event[3] for event in bench.work() if event[0] == REC_SIGNED]
        self.assertEqual(again, [2])

    def test_shoes_closed_before_there_was_a_key_stay_unsigned_and_say_so(self):
        bench = Bench()
        before = bench.deal()
        during = bench.deal(close=False)
        bench.key()
        bench.journal.append((REC_SHOE_CLOSED, 0, 1, 2), 3)
        events = bench.work()
        self.assertEqual([event[1:3] for event in events], [(during, SIGNATURE_SIGNED)])
        self.assertEqual(bench.signing.result(before)[0], SIGNATURE_NO_KEY)

    def test_the_last_index_used_up_leaves_shoes_unsigned_and_says_so(self):
        bench = Bench()
        bench.fetched.overwrite = True
        bench.key()
        seen = set()
        for _ in range(32):
            self.assertEqual(bench.signing.state, SIGNING_READY)
            shoe = bench.deal(1)
            bench.work(400)
            seen.add(bench.emitted(shoe)[1][:4])
        self.assertEqual(len(seen), 32)
        self.assertEqual(bench.signing.state, SIGNING_USED_UP)
        self.assertEqual(bench.signing.next_index, 32)
        shoe = bench.deal(1)
        events = bench.work()
        self.assertEqual(events[0][1:4], (shoe, SIGNATURE_USED_UP, 0xFFFFFFFF))
        self.assertEqual(bench.signing.result(shoe), (SIGNATURE_USED_UP, 0))
        bench.start()
        self.assertEqual(bench.signing.state, SIGNING_USED_UP)
        self.assertFalse(bench.signing.busy)
        self.assertEqual(bench.signing.result(shoe), (SIGNATURE_USED_UP, 0))

    def test_a_new_key_signs_with_other_secrets_and_leaves_old_signatures(self):
        bench = Bench()
        bench.key()
        old = bench.signing.public_key()
        first = bench.deal()
        bench.work()
        signed = bench.emitted(first)
        bench.key()
        new = bench.signing.public_key()
        self.assertNotEqual(old, new)
        second = bench.deal()
        bench.work()
        self.assertEqual(bench.emitted(first), signed)
        self.assertTrue(verify(*bench.emitted(second), new))
        self.assertFalse(verify(*bench.emitted(second), old))

    def test_heights_that_do_not_fit_are_refused_and_the_old_key_stays(self):
        bench = Bench()
        bench.key()
        public = bench.signing.public_key()
        for height in (0, 4, 10, 15, 25):
            with self.assertRaises(ValueError):
                bench.signing.begin(height)
        bench.start()
        self.assertEqual(bench.signing.public_key(), public)

    def test_a_partition_without_room_has_no_key(self):
        bench = Bench(keys=3)
        self.assertEqual(bench.signing.state, SIGNING_NO_KEY)
        with self.assertRaises(ValueError):
            bench.signing.begin(5)
        self.assertTrue(bench.signing.room())
        self.assertEqual(bench.signing.result(bench.deal())[0], SIGNATURE_NO_KEY)

    def test_no_entropy_no_key(self):
        bench = Bench()

        def fail(n):
            raise OSError(5)

        bench.signing.entropy = fail
        with self.assertRaises(OSError):
            bench.signing.begin(5)
        self.assertEqual(bench.signing.public_key(), b"")

    def test_room_is_kept_for_signatures_that_nobody_fetched(self):
        bench = Bench(pages=40)
        bench.key()
        shoes = []
        for _ in range(3):
            self.assertTrue(bench.signing.room())
            shoes.append(bench.deal())
            bench.work()
        self.assertFalse(bench.signing.room())
        for _ in range(9):
            self.assertFalse(bench.signing.idle(), "a signature that nobody fetched was erased")
        row = next(bench.journal.shoes(shoes[0]))
        bench.fetched.mark(shoes[0], row[3] + row[4] - 1, bench.journal.shoe, 0)
        self.assertTrue(bench.signing.room())
        self.assertTrue(bench.signing.idle())
        self.assertEqual(bench.signing.result(shoes[0])[0], SIGNATURE_NO_KEY)
        self.assertEqual(bench.signing.result(shoes[1])[0], SIGNATURE_SIGNED)

    def test_a_signature_that_does_not_fit_its_tree_is_not_given_out(self):
        """A fault while signing must not betray one-time secrets: the device checks before anybody gets it."""
        bench = Bench()
        bench.key()
        shoe = bench.deal()
        while bench.signing.busy and bench.signing.next_index == 0:
            bench.signing.step(1)
        slot = bench.signing.slot(shoe)
        while True:  # once the first chains are in flash, one of them goes wrong
            bench.signing.step(8)
            byte = bytearray(1)
            slot.read(64 + STATEMENT + 200, memoryview(byte))
            if byte[0] != 0xFF:
                break
        at = slot.first * PAGE + 64 + STATEMENT + 100
        bench.keys_flash.data[at] ^= 0x10
        events = bench.work()
        self.assertEqual(events[-1][1:3], (shoe, SIGNATURE_FAILED))
        self.assertIsNone(bench.emitted(shoe))
        self.assertEqual(bench.signing.state, SIGNING_DAMAGED)

    def test_a_mark_torn_by_a_power_cut_counts_as_spent(self):
        bench = Bench()
        bench.key()
        bench.keys_flash.data[2 * PAGE + 64 + 7] = 0x7F
        bench.start()
        self.assertEqual(bench.signing.next_index, 8)

    def test_stored_signatures_witness_spent_indices_when_the_marks_are_lost(self):
        bench = Bench()
        bench.key()
        for _ in range(2):
            bench.deal()
            bench.work()
        for i in range(32):
            bench.keys_flash.data[2 * PAGE + 64 + i] = 0xFF
        bench.start()
        self.assertEqual(bench.signing.next_index, 2)

    def test_marks_of_another_key_are_never_believed(self):
        bench = Bench()
        bench.key()
        for at in range(16):  # the tree's head names another key
            bench.keys_flash.data[3 * PAGE + 16 + at] = 0
        bench.start()
        self.assertEqual(bench.signing.state, SIGNING_DAMAGED)
        shoe = bench.deal()
        self.assertEqual([event[1:3] for event in bench.work()], [(shoe, SIGNATURE_FAILED)])

    def test_a_step_never_does_more_than_it_was_asked_for_and_one_chain(self):
        import shoe.trust.lms

        bench = Bench()
        count = [0]
        real = shoe.trust.lms.hashlib

        class Counting:
            def sha256(self, *data):
                count[0] += 1
                return real.sha256(*data)

        shoe.trust.lms.hashlib = Counting()
        try:
            bench.signing.begin(5)
            worst = 0
            for close in (False, True):
                if close:
                    bench.deal()
                while bench.signing.busy:
                    count[0] = 0
                    event = bench.signing.step(32)
                    worst = max(worst, count[0])
                    if event:
                        bench.journal.append(event, 5)
        finally:
            shoe.trust.lms.hashlib = real
        self.assertGreater(worst, 16)
        self.assertLessEqual(worst, 32 + 24)

    def test_the_making_of_a_key_goes_on_after_a_power_cut(self):
        bench = Bench()
        bench.signing.begin(5)
        cuts = 0
        kept = 0
        for budget in (40, 150, 300, 33, 500):
            bench.power.arm(budget)
            try:
                bench.work()
            except PowerCut:
                cuts += 1
            bench.power.arm(None)
            bench.start()
            self.assertEqual(bench.signing.state, SIGNING_MAKING)
            bench.signing.step(1)
            self.assertGreaterEqual(bench.signing.progress()[0] + 1, kept)
            kept = bench.signing.progress()[0]
        self.assertEqual(cuts, 5)
        self.assertGreater(kept, 20)
        bench.work()
        self.assertEqual(bench.signing.progress(), (32, 32))
        shoe = bench.deal()
        bench.work()
        self.assertTrue(verify(*bench.emitted(shoe), bench.signing.public_key()))

    def test_a_slot_whose_erase_was_cut_off_is_erased_again_even_where_it_reads_blank(self):
        bench = Bench(pages=40)
        bench.key()
        for budget in (10, 100, 250):
            bench.fetched.overwrite = True
            bench.power.arm(budget)
            with self.assertRaises(PowerCut):
                bench.signing.idle()
            bench.power.arm(None)
            (torn,) = bench.keys_flash.torn
            bench.start()
            bench.fetched.overwrite = True
            self.assertTrue(bench.signing.idle())
            self.assertEqual(bench.keys_flash.torn, [])
            self.assertFalse(bench.signing.idle())
            shoe = bench.deal()
            bench.work()
            self.assertEqual(bench.signing.slot(shoe).first, torn)
            self.assertTrue(verify(*bench.emitted(shoe), bench.signing.public_key()))
        self.assertEqual(bench.power.misuse, 0)

    def test_a_cut_while_the_old_key_goes_leaves_no_way_back_to_it(self):
        budgets = range(0, 3000, 401 if sys.implementation.name == "micropython" else 97)
        fired = 0
        for budget in budgets:
            bench = Bench(seed=budget + 1)
            bench.key()
            shoe = bench.deal()
            bench.work()
            old = bench.signing.identifier
            used = bench.signing.next_index
            bench.power.arm(budget)
            try:
                bench.signing.begin(5)
            except PowerCut:
                fired += 1
            bench.power.arm(None)
            bench.start()
            if bench.signing.identifier == old and bench.signing.state == SIGNING_READY:
                self.assertEqual(bench.signing.next_index, used)
            else:
                self.assertIn(bench.signing.state, (SIGNING_MAKING, SIGNING_NO_KEY, SIGNING_DAMAGED))
            self.assertTrue(bench.emitted(shoe))
        self.assertGreaterEqual(fired, 3)


if __name__ == "__main__":
    unittest.main()
