"""Face-down cards: the commitment binds, the opening survives, and what never got durable is forgotten."""

import gc
import hashlib
import struct
import unittest

from flash_memory import MemoryFlash, Power, PowerCut
from shoe import wire_table as t
from shoe.dealing.state import Sealed
from shoe.journal.durable_notes import Notes
from shoe.trust.sealing import EntropyError, Sealer, _roomy, commitment
from shoe.wire_table import REC_OPENED, REC_SEALED

EVENT = (REC_SEALED, 2, 0, 0, 0, 12, 1)


def heap_free():
    """Free bytes of MicroPython's heap; CPython's is not ours."""
    gc.collect()
    return gc.mem_free() if hasattr(gc, "mem_free") else 0  # pyright: ignore[reportAttributeAccessIssue]


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
        nonce = hashlib.sha256(b"\x01" * 32 + b"\x07\0\0\0").digest()[:16]
        self.assertEqual(sealed[5], hashlib.sha256(nonce + b"\x0c\x01").digest())

    def test_each_card_has_a_nonce_of_its_own_and_each_time_that_none_lies_face_down_another_secret(self):
        nonces = set()
        for number in range(7, 10):
            self.sealer.seal(EVENT, number)
        for number in (7, 8, 9, 7):
            nonces.add(self.sealer.open((REC_OPENED, number, 2, 0, 0, 12, 1))[7])
        self.assertEqual((len(nonces), self.entropy.count), (3, 1))
        for number in range(7, 10):
            self.sealer.opened(number)
        self.sealer.seal(EVENT, 7)
        nonces.add(self.sealer.open((REC_OPENED, 7, 2, 0, 0, 12, 1))[7])
        self.assertEqual((len(nonces), self.entropy.count), (4, 2))

    def test_after_a_restart_another_secret_seals_on_and_the_one_before_still_opens(self):
        first = self.sealer.seal(EVENT, 7)
        self.sealer = self.started()
        second = self.sealer.seal(EVENT, 8)
        third = self.sealer.seal(EVENT, 9)
        self.assertEqual(self.entropy.count, 2)
        again = self.started()
        for number, sealed in ((7, first), (8, second), (9, third)):
            self.assertTrue(again.check(number, sealed[5]))
        again.keep_only({7, 9})
        again = self.started()
        self.assertTrue(again.check(7, first[5]) and again.check(9, third[5]))

    def test_a_number_that_a_restart_gives_to_another_card_has_another_nonce(self):
        """The record of card 8 was never durable, or its page is damaged; what it opened with is known."""
        self.sealer.seal(EVENT, 7)
        lost = self.sealer.seal(EVENT, 8)
        told = self.sealer.open((REC_OPENED, 8, 2, 0, 0, 12, 1))[7]
        self.sealer = self.started()
        self.sealer.keep_only({7})
        other = self.sealer.seal(EVENT, 8)
        nonce = self.sealer.open((REC_OPENED, 8, 2, 0, 0, 12, 1))[7]
        self.assertNotEqual(nonce, told)
        self.assertNotEqual(other[5], lost[5])
        self.assertTrue(self.started().check(8, other[5]))

    def test_a_step_that_is_tried_again_gives_the_same_commitment(self):
        self.sealer.seal(EVENT, 7)
        first = self.sealer.seal(EVENT, 8)
        self.assertEqual(self.sealer.seal(EVENT, 8), first)
        self.assertEqual(self.entropy.count, 1)
        self.assertTrue(self.started().check(8, first[5]))

    def test_a_cut_at_any_write_leaves_every_sealed_card_its_opening_and_no_nonce_to_two(self):
        """Cards come and go over starts at every possible moment; those whose `seal` came back can be opened."""
        fired = 0
        for at in range(1, 60):
            power = Power(seed=at)
            flash = MemoryFlash(2, power, 512)
            entropy = Entropy()
            sealer = Sealer(entropy, flash)
            sealer.start()
            nonces = set()
            held = {}
            power.arm(at)
            number = 0
            cards = 0
            while cards < 24:
                try:
                    held[number] = sealer.seal((REC_SEALED, 2, 0, 0, 0, cards % 52, 1), number)[5], cards % 52
                    nonce = sealer.open((REC_OPENED, number, 2, 0, 0, 0, 1))[7]
                    self.assertNotIn(nonce, nonces)
                    nonces.add(nonce)
                    number += 1
                    if cards % 4 == 0:
                        sealer.idle()
                except PowerCut:
                    fired += 1
                    power.arm(None)
                    sealer = Sealer(entropy, flash)
                    sealer.start(set(held))
                    sealer.keep_only(set(held))
                cards += 1
                if cards % 7 == 0:
                    for one in list(held) if cards % 14 == 0 else [number - 2]:
                        sealer.opened(one)
                        held.pop(one, None)
                if cards % 10 == 0:
                    sealer = Sealer(entropy, flash)
                    sealer.start(set(held))
                for one in held:
                    self.assertTrue(sealer.check(one, held[one][0]))
                    self.assertEqual(sealer.face(one), (held[one][1], 1))
        self.assertGreater(fired, 50)

    def test_an_opening_of_the_firmware_before_is_read_and_kept(self):
        nonce = bytes(range(16))
        old = Notes(self.flash, 0, lambda: [(1, struct.pack("<I16sBB", 5, nonce, 12, 1))])
        old.start()
        old.rewrite()
        sealer = self.started()
        wanted = commitment(nonce, 12, 1)
        self.assertTrue(sealer.check(5, wanted))
        sealer.seal(EVENT, 6)
        sealer.seal(EVENT, 7)
        sealer.keep_only({5, 7})
        again = self.started()
        self.assertTrue(again.check(5, wanted))
        self.assertEqual(again.open((REC_OPENED, 5, 2, 0, 0, 12, 1))[5:], (12, 1, nonce))
        self.assertEqual(again.face(7), (12, 1))

    def test_all_cards_that_a_shoe_of_eight_decks_can_have_face_down_fit(self):
        flash = MemoryFlash(2, Power(seed=9), 4096)
        sealer = Sealer(self.entropy, flash)
        sealer.start()
        for number in range(330):  # 13 rounds of seven players who keep: 182, and what was drawn while stopped
            sealer.seal(EVENT, 100000 + number)
        again = Sealer(self.entropy, flash)
        again.start()
        self.assertEqual(again.face(100000), (12, 1))
        self.assertEqual(again.face(100329), (12, 1))

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
        self.assertEqual(self.sealer.face(7), (63, 0))
        self.assertTrue(self.sealer.idle())
        again = self.started()
        self.assertEqual(again.face(7), (63, 0))
        self.assertEqual(again.face(8), (12, 1))

    def test_after_a_pause_the_first_card_waits_for_no_erase_and_no_entropy(self):
        while self.sealer.idle():
            pass
        for number in (7, 8):
            before = self.flash.erases, self.entropy.count
            sealed = self.sealer.seal(EVENT, number)
            self.assertEqual((self.flash.erases, self.entropy.count), before)
            self.assertTrue(self.started().check(number, sealed[5]))
        told = self.sealer.open((REC_OPENED, 8, 2, 0, 0, 12, 1))[7]
        self.sealer.opened(7)
        self.assertFalse(self.sealer.idle())  # one card lies there still
        self.sealer.opened(8)
        self.assertTrue(self.sealer.idle())
        before = self.entropy.count
        self.sealer.seal(EVENT, 8)
        self.assertEqual(self.entropy.count, before)
        self.assertNotEqual(self.sealer.open((REC_OPENED, 8, 2, 0, 0, 12, 1))[7], told)
        self.sealer.opened(8)
        self.sealer.seal(EVENT, 8)  # without a pause
        self.assertEqual(self.entropy.count, before + 1)

    def test_a_source_that_fails_in_a_pause_is_asked_once_and_its_card_asks_again(self):
        asked = []

        def entropy(n):
            asked.append(n)
            if len(asked) == 2:
                raise OSError(5)
            return bytes((len(asked),)) * n

        sealer = Sealer(entropy, self.flash)
        sealer.start()
        sealer.seal(EVENT, 7)
        told = sealer.open((REC_OPENED, 7, 2, 0, 0, 12, 1))[7]
        sealer.opened(7)
        while sealer.idle():
            pass
        self.assertFalse(sealer.idle())
        self.assertEqual(len(asked), 2)
        sealer.seal(EVENT, 7)
        self.assertEqual(len(asked), 3)
        self.assertNotEqual(sealer.open((REC_OPENED, 7, 2, 0, 0, 12, 1))[7], told)

    def test_the_vault_lets_go_at_the_first_idle_of_what_a_start_left_out(self):
        self.sealer.seal(EVENT, 7)
        self.sealer.seal(EVENT, 8)
        sealer = Sealer(self.entropy, self.flash)
        sealer.start({8})
        sealer.keep_only({8})
        self.assertEqual(self.started().face(7), (12, 1))
        self.assertTrue(sealer.idle())
        again = self.started()
        self.assertEqual(again.face(7), (63, 0))
        self.assertEqual(again.face(8), (12, 1))

    def test_thirty_cards_come_and_go_without_a_block_of_the_heap(self):
        """A block that is given back in the full part of the heap makes the next search begin there, in mid-card."""
        table = Sealed()
        held = _roomy()
        free = full = heap_free()
        for turn in range(3):
            for ref in range(30):
                table.add(ref, t.ROLE_BURN, 1, 0, 0, 12, 1)
                held[1000 * turn + ref] = ref
            full = min(full, heap_free())
            while table.many:
                del held[1000 * turn + table.refs[table.many // 2]]
                table.drop(table.many // 2)
        self.assertEqual((full, heap_free()), (free, free))
        self.assertEqual(len(held), 0)

    def test_more_cards_than_there_is_room_for_keep_their_order(self):
        table = Sealed()
        for ref in range(100):
            table.add(ref, t.ROLE_HOLE, 0, 0, ref & 1, ref % 52, 1)
        for ref in range(0, 100, 3):
            table.drop(table.find(ref))
        left = [ref for ref in range(100) if ref % 3]
        self.assertEqual(table.refs[: table.many], left)
        self.assertEqual([table.get(i)[4] for i in range(table.many)], [ref % 52 for ref in left])
        self.assertEqual([table.find(0), table.find(99), table.find(98)], [-1, -1, len(left) - 1])

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
        stuck.opened(1)
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
