"""A restart over real pages: the table that comes back is the table that was, sealed cards and their openings included.

Random play (dealing_chaos) goes through Steps into a journal and a vault in memory; at random moments a second table is
brought back from them and compared field by field with the one that lived through it all.
"""

import sys
import unittest

from dealing_chaos import Chaos, press
from dealing_table import Pass, Random, Table, card, difference, double_shoe, snapshot
from flash_memory import MemoryFlash, Power
from shoe import wire_table as t
from shoe.app.table import restore
from shoe.config import OPTION_BURN_DOUBLE
from shoe.dealing.machine import Dealing
from shoe.journal.cursor import Cursor
from shoe.journal.journal import Journal
from shoe.trust.sealing import Sealer
from shoe.wire_table import REC_OPENED, REC_SEALED, RECORD_FORMATS

MICROPYTHON = sys.implementation.name == "micropython"
BURNED = card(9)
PAGE = 512
PAGES = 40 if MICROPYTHON else 128
STEPS = 60 if MICROPYTHON else 120
_CHIPS = (bytearray(PAGES * PAGE), bytearray(4 * PAGE))  # one set for all: a small heap goes to pieces otherwise


class Memory:
    """Journal and vault of a table, in memory."""

    def __init__(self, seed=1):
        self.random = Random(seed)
        self.power = Power(seed=seed)
        for chip in _CHIPS:
            for start in range(0, len(chip), PAGE):
                chip[start : start + PAGE] = b"\xff" * PAGE
        self.flash = MemoryFlash(PAGES, self.power, PAGE, _CHIPS[0])
        self.vault = MemoryFlash(2, self.power, 2 * PAGE, _CHIPS[1])
        self.journal, self.sealer = self.start()

    def start(self):
        """Journal and sealer as a start finds them."""
        journal = Journal(self.flash, b"testshoe", lambda *_: False)
        journal.start()
        return journal, Sealer(self.entropy, self.vault)

    def entropy(self, n):
        return bytes([self.random.below(256) for _ in range(n)])

    def write(self, table):
        """Make the last step of `table` durable, as Steps does."""
        ready = []
        first = table.number - len(table.step)
        for i in range(len(table.step)):
            event = table.step[i]
            if event[0] == REC_SEALED:
                event = self.sealer.seal(event, first + i)
            elif event[0] == REC_OPENED:
                event = self.sealer.open(event)
            ready.append(event)
        if ready:
            self.journal.append_step(ready, 7)
        for event in table.step:
            if event[0] == REC_OPENED:
                self.sealer.opened(event[1])

    def restart(self, config):
        """(Restored, Dealing) of a start from the pages; goes on with its journal and sealer."""
        self.journal, self.sealer = self.start()
        dealing = Dealing(config)
        found = restore(self.journal, self.sealer, dealing)
        return found, dealing


class Player:
    """A table whose every step is durable in `memory` before the next."""

    def __init__(self, settings, seed=1):
        self.memory = Memory(seed)
        self.table = Table(settings, 0)
        self.histories = 0

    def take(self, step):
        """Give the table an input, ("key", key, argument) or ("pass", Pass)."""
        press(self.table, step)
        self.memory.write(self.table)
        for event in self.table.step:
            self.histories += event[0] == t.REC_SHOE_OPENED

    def keys(self, *keys):
        """Press keys, each (key, argument), that must be accepted."""
        for key, argument in keys:
            self.take(("key", key, argument))
            assert self.table.accepted, key

    def card(self, face, head):
        """Draw a card of the batch on side `head`."""
        batch = self.table.dealing.batches(head)[0]
        self.take(("pass", Pass(t.PASS_CARD, face, batch, head)))

    def old_refs(self):
        """Cards face down that were sealed before the history at the journal's tail began."""
        cursor = Cursor(self.memory.journal)
        cursor.open_page(self.memory.journal.first_page_of_shoe())
        return [ref for ref in lying(self.table.dealing) if ref < cursor.upcoming]


def lying(dealing):
    """Record numbers of the cards that lie face down, in the order in which they came."""
    return dealing.st.sealed.refs[: dealing.st.sealed.many]


class BringBackTest(unittest.TestCase):
    def two_histories(self):
        """Side B's burn card lies face down since the first history; side A was loaded anew."""
        player = Player(double_shoe(options=OPTION_BURN_DOUBLE))
        player.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1), (t.KEY_NEW_DEALER, 0))
        player.card(BURNED, 1)
        (burned,) = lying(player.table.dealing)
        player.keys((t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))
        self.assertEqual(player.histories, 2)
        self.assertEqual(player.old_refs(), [burned])
        return player, burned

    def test_a_record_that_is_shorter_than_its_format_is_not_taken_for_a_whole_one(self):
        journal, sealer = Memory().start()
        form = RECORD_FORMATS[t.REC_BOOT]
        RECORD_FORMATS[t.REC_BOOT] = form[:-1]
        try:
            journal.append((t.REC_BOOT, 0, b"\0\1\0", 7), 5)
        finally:
            RECORD_FORMATS[t.REC_BOOT] = form
        with self.assertRaises(ValueError):
            restore(journal, sealer, Dealing(double_shoe()))

    def test_records_that_a_damaged_page_takes_away_are_missing_and_those_of_a_newer_firmware_are_not(self):
        memory = Memory()
        newer = max(RECORD_FORMATS) + 1
        RECORD_FORMATS[newer] = "<B"
        try:
            while memory.journal.tail < 3:
                memory.journal.append((newer, 5), 7)
        finally:
            del RECORD_FORMATS[newer]
        found, _ = memory.restart(double_shoe())
        self.assertEqual((found.records, found.missing), (0, 0))
        cursor = Cursor(memory.journal)
        cursor.open_page(1)
        cursor.next()
        cursor.next()
        first = cursor.number  # the rest of the page cannot be found behind it
        memory.flash.data[PAGE + cursor.at - 1] ^= 1
        cursor.open_page(2)
        found, _ = memory.restart(double_shoe())
        self.assertEqual(memory.journal.damaged, 0, "its header is whole")
        self.assertEqual(found.missing, cursor.upcoming - first)

    def test_633a_7_c_a_burn_card_of_the_side_that_goes_on_outlives_a_restart_in_the_next_history(self):
        player, burned = self.two_histories()
        for restarts in range(3):
            found, back = player.memory.restart(player.table.config)
            self.assertEqual(found.lost, 0)
            self.assertEqual(difference(snapshot(player.table.dealing), snapshot(back)), "")
            player.table.dealing = back
            player.memory.sealer.idle()  # tidies the vault
            if restarts == 1:
                player.keys((t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))  # a third history, and B still goes on
        self.assertEqual(player.old_refs(), [burned])
        player.keys((t.KEY_RESHUFFLE, 1), (t.KEY_LOAD, 1))
        opened = [event for event in player.table.step if event[0] == t.REC_OPENED]
        self.assertEqual([(event[1], event[5]) for event in opened], [(burned, BURNED)])
        self.assertEqual(lying(player.memory.restart(player.table.config)[1]), [])

    def test_633a_7_c_a_burn_card_that_was_turned_is_not_turned_again_by_what_the_vault_still_holds(self):
        player, burned = self.two_histories()
        player.keys((t.KEY_RESHUFFLE, 1), (t.KEY_LOAD, 1))
        self.assertEqual(player.memory.sealer.oldest(), burned)  # its opening is in the flash until the next erase
        _, back = player.memory.restart(player.table.config)
        self.assertEqual(difference(snapshot(player.table.dealing), snapshot(back)), "")
        self.assertTrue(player.memory.sealer.idle())
        self.assertEqual(player.memory.sealer.oldest(), -1)

    def test_a_restart_at_any_step_of_a_random_double_shoe_brings_the_same_table_back(self):
        old = restarts = 0
        for seed in range(1, 5 if MICROPYTHON else 21):
            random = Random(seed * 7919)
            settings = double_shoe(options=random.of((OPTION_BURN_DOUBLE, OPTION_BURN_DOUBLE | 1)))
            settings.decks = 2
            player = Player(settings, seed)
            chaos = Chaos(random, settings, 6)
            for index in range(STEPS):
                player.take(chaos.next(player.table.dealing))
                player.table.forget()
                if random.below(6) or not player.histories:
                    continue
                found, back = player.memory.restart(settings)
                where = "seed %d step %d" % (seed, index)
                back.st.faults = [list(fault) for fault in player.table.dealing.st.faults]  # theirs is another store
                self.assertEqual((found.lost, found.missing), (0, 0), where)
                self.assertEqual(difference(snapshot(player.table.dealing), snapshot(back)), "", where)
                player.table.dealing = back
                if index & 1:  # else another start finds the vault as this one found it
                    player.memory.sealer.idle()
                restarts += 1
                old += bool(player.old_refs())
        self.assertGreater(restarts, 30 if MICROPYTHON else 300)
        if not MICROPYTHON:  # its shoes are too short for that; the tests above are not
            self.assertGreater(old, 20)


if __name__ == "__main__":
    unittest.main()
