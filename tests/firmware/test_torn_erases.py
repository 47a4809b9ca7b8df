"""A page of records whose erase is cut off at each of its steps: journal and notes go on, and erase it again.

A NOR chip programs a page to 0 before it raises its bits. So a torn erase clears bits that were set, from the front or
anywhere, then sets some, and at last leaves a page that reads blank and does not hold what is programmed into it.
"""

import sys
import unittest

from flash_memory import MemoryFlash, Power, PowerCut
from shoe.journal.cursor import Cursor
from shoe.journal.durable_notes import BLANK, DAMAGED, GOOD, Notes
from shoe.journal.journal import Journal
from shoe.journal.page import Header
from shoe.wire_table import REC_CARD, REC_SHOE_CLOSED, REC_SHOE_OPENED
from virtual.flash import ERASE_COST

MICROPYTHON = sys.implementation.name == "micropython"
STEPS = range(0, ERASE_COST, 7 if MICROPYTHON else 1)
SEEDS = (1, 2)
PAGE = 512
PAGES = 6
OPENED = (REC_SHOE_OPENED, 0, 0, 6, 1, 2, 0, 7, 0, 0)
CLOSED = (REC_SHOE_CLOSED, 0, 1, 2)
ALL = {"zeroed from the front", "cleared anywhere", "rising", "blank"}


def give(shoe, record):
    """Everything may be overwritten."""
    return True


class CutFlash(MemoryFlash):
    """Flash whose next erase is cut off after `after` of its steps; it keeps what the page held until then."""

    after = -1
    page = -1
    before = b""

    def erase(self, page):
        if self.after >= 0:
            self._power.arm(self.after)
            self.after = -1
            self.page = page
            self.before = self.held(page)
        super().erase(page)

    def held(self, page):
        """The bytes of `page`."""
        return bytes(self.data[page * self.page_size : (page + 1) * self.page_size])

    def state(self):
        """What the cut has made of the page, one of ALL, or "as it was"."""
        before = self.before
        left = self.held(self.page)
        if left == before:
            return "as it was"
        if left == b"\xff" * len(left):
            return "blank"
        if any(now & ~was for was, now in zip(before, left)):
            return "rising"
        front = 0
        while front < len(left) and not left[front]:
            front += 1
        gone = len([1 for i in range(front) if before[i]])
        if gone > 8 and left[front + 8 :] == before[front + 8 :]:
            return "zeroed from the front"
        return "cleared anywhere"


class TornJournalTest(unittest.TestCase):
    def full(self, seed, pages_a_shoe=1):
        """(flash, journal): a ring in which the next page to be had is one of records."""
        flash = CutFlash(PAGES, Power(seed), PAGE)
        journal = Journal(flash, b"testshoe", give)
        journal.start()
        while journal.first_page == 0:
            self.shoe(journal, pages_a_shoe)
        while journal.tail + 1 - journal.first_page < PAGES:
            self.shoe(journal, pages_a_shoe)
        return flash, journal

    def shoe(self, journal, pages):
        """Deal a shoe that fills so many pages; the ticks of each record are its number."""
        journal.append(OPENED, journal.next_record)
        last = journal.tail + pages - 1
        while journal.tail < last or journal.used < PAGE - 80:
            number = journal.next_record
            journal.append((REC_CARD, 0, 1, 0, 0, number % 52, 1, 120, 200), number)
        journal.append(CLOSED, journal.next_record)

    def records(self, journal):
        """[(number, its ticks, kind)] of all that can be read."""
        cursor = Cursor(journal)
        found = []
        if cursor.open_page(journal.first_page):
            while cursor.next():
                found.append((cursor.number, cursor.ticks_ms, cursor.kind))
        return found

    def check(self, journal, until):
        """All records up to `until` are there, from a shoe's first on, and each page continues the one before."""
        found = self.records(journal)
        first = found[0][0]
        self.assertEqual(found[0][2], REC_SHOE_OPENED, "the ring begins in mid-shoe")
        self.assertEqual([row[:2] for row in found], [(number, number) for number in range(first, until)])
        self.assertEqual(journal.damaged, 0)
        previous = bytearray(32)
        for page in range(journal.first_page + 1, journal.tail + 1):
            journal.read(page, 28, memoryview(previous))
            self.assertEqual(bytes(previous), journal.digest(page - 1))
        return first

    def test_at_each_step_of_an_erase_the_journal_keeps_all_and_erases_the_page_again(self):
        seen = set()
        for seed in SEEDS:
            flash, journal = self.full(seed)
            flash_as_it_was = bytes(flash.data)
            for step in STEPS:
                flash.data[:] = flash_as_it_was
                flash.torn.clear()
                journal = Journal(flash, b"testshoe", give)
                journal.start()
                until = journal.next_record
                flash.after = step
                with self.assertRaises(PowerCut):
                    journal.append(OPENED, until)
                flash._power.arm(None)
                self.assertEqual(flash.torn, [flash.page])
                seen.add(flash.state())
                again = Journal(flash, b"testshoe", give)
                again.start()
                self.assertEqual((again.first_page, again.next_record), (journal.first_page, until))
                first = self.check(again, until)
                self.shoe(again, 1)
                self.assertNotIn(flash.page, flash.torn)
                until = again.next_record
                last = Journal(flash, b"testshoe", give)
                last.start()
                self.assertEqual(self.check(last, until), first)
            self.assertEqual(flash._power.misuse, 0)
        self.assertEqual(seen & ALL, ALL)

    def test_a_page_has_no_header_any_more_when_its_erase_begins(self):
        """A cut may clear what it likes: a header that outlived its records would tell of a damaged history."""
        for pages in (1, 2, 3):
            flash, journal = self.full(1, pages)
            erase = flash.erase
            whole = []

            def look(page, flash=flash, erase=erase, whole=whole):
                whole.append(Header().read(flash, page))
                erase(page)

            flash.erase = look
            for _ in range(3):
                self.shoe(journal, pages)
            self.assertTrue(len(whole) >= 3 and not any(whole), whole)

    def test_a_shoe_that_a_cut_ended_giving_up_is_given_up_by_the_next_start(self):
        for pages in (1, 2, 3):
            for budget in range(0, 64 * pages + 1, 8):
                flash, journal = self.full(budget + 1, pages)
                until = journal.next_record
                flash._power.arm(budget)  # a header costs 64
                with self.assertRaises(PowerCut):
                    journal.append(OPENED, until)
                flash._power.arm(None)
                again = Journal(flash, b"testshoe", give)
                again.start()
                self.check(again, until)


class TornNotesTest(unittest.TestCase):
    def setUp(self):
        self.kept = []

    def notes(self, flash):
        """(notes that were started on `flash`, the entries that they found)."""
        found = []
        notes = Notes(flash, 0, lambda: self.kept)
        notes.start(lambda kind, payload: found.append((kind, bytes(payload))))
        return notes, found

    def written(self, flash, entries):
        """Write so many entries over and over until both pages have held them."""
        notes, _ = self.notes(flash)
        for turn in range(3):
            self.kept = [(1, b"entry %d of turn %d, long enough" % (i, turn)) for i in range(entries)]
            notes.rewrite()
        return notes

    def cut(self, flash, act, step):
        flash.after = step
        with self.assertRaises(PowerCut):
            act()
        flash._power.arm(None)
        self.assertEqual(flash.torn, [flash.page])
        return flash.state()

    def goes_on(self, flash, notes, ahead):
        """The next entries are written, with the erase done again, and are found by the next start."""
        if ahead:
            notes.idle()
        self.kept = self.kept + [(2, b"and one more")]
        notes.rewrite()
        self.assertEqual(flash.torn, [])
        again, found = self.notes(flash)
        self.assertEqual((again.state, found), (GOOD, self.kept))
        self.assertEqual(flash._power.misuse, 0)

    def test_at_each_step_of_an_erase_the_notes_in_use_are_kept_and_the_page_is_erased_again(self):
        for ahead in (True, False):
            seen = set()
            for step in STEPS:
                flash = CutFlash(2, Power(step + 1), PAGE)
                notes = self.written(flash, 8)
                act = notes.idle if ahead else notes.rewrite
                seen.add(self.cut(flash, act, step))
                notes, found = self.notes(flash)
                self.assertEqual((notes.state, found), (GOOD, self.kept))
                self.goes_on(flash, notes, step & 1)
            self.assertEqual(seen & ALL, ALL)

    def test_at_each_step_of_the_very_first_erase_there_are_no_notes_and_the_page_is_erased_again(self):
        """Where it reads blank too: it is no page that nobody has touched."""
        states = set()
        for step in STEPS:
            flash = CutFlash(2, Power(step + 1), PAGE)
            self.kept = [(1, b"first")]
            notes, _ = self.notes(flash)
            self.cut(flash, notes.rewrite, step)
            notes, found = self.notes(flash)
            self.assertEqual(found, [])
            states.add(notes.state)
            self.goes_on(flash, notes, step & 1)
        self.assertEqual(states, {BLANK, DAMAGED})

    def test_at_each_step_of_an_erase_of_damaged_notes_they_are_none_and_the_page_is_erased_again(self):
        seen = set()
        states = set()
        for step in STEPS:
            flash = CutFlash(2, Power(step + 1), PAGE)
            self.written(flash, 8)
            for page in (0, 1):
                flash.data[page * PAGE + 5] ^= 1  # of the sequence: the header's CRC is wrong
            notes, _ = self.notes(flash)
            self.assertEqual(notes.state, DAMAGED)
            seen.add(self.cut(flash, notes.rewrite, step))
            notes, found = self.notes(flash)
            self.assertEqual(found, [])
            states.add(notes.state)
            self.goes_on(flash, notes, step & 1)
        self.assertEqual(seen & ALL, ALL)
        self.assertEqual(states, {DAMAGED})


if __name__ == "__main__":
    unittest.main()
