"""The journal: durable on return, readable after any power cut, chained, and never overwriting what was not fetched."""

import struct
import unittest

from flash_memory import FlashMisuse, MemoryFlash, Power, PowerCut
from shoe.journal.cursor import Cursor, Live
from shoe.journal.durable_notes import BLANK, DAMAGED, GOOD, Notes
from shoe.journal.fetched import Fetched
from shoe.journal.journal import Journal, JournalError, JournalFull
from shoe.wire_table import (
    REC_BOOT,
    REC_CARD,
    REC_DEALER_CHANGED,
    REC_SHOE_CLOSED,
    REC_SHOE_OPENED,
    RECORD_FORMATS,
)

BOOT = (REC_BOOT, 0, b"\x00\x01\x00", 0, 1)
OPENED = (REC_SHOE_OPENED, 0, 0, 6, 1, 2, 0, 7, 0, 0)
CLOSED = (REC_SHOE_CLOSED, 0, 1, 2)
CARD = (REC_CARD, 0, 1, 0, 0, 51, 1, 120, 200)
PAGE = 512
BUFFER = 265  # bytes of a cursor's
LAST_TICKS = (1 << 30) - 2


def keep(shoe, record):
    """May nothing be overwritten."""
    return False


def give(shoe, record):
    """Everything may be overwritten."""
    return True


def journal_on(flash, may_overwrite=keep):
    """A started journal on `flash`."""
    journal = Journal(flash, b"testshoe", may_overwrite)
    journal.start()
    return journal


def numbers(journal):
    """Record numbers that can be read, in order."""
    cursor = Cursor(journal)
    found = []
    if journal.tail >= 0 and cursor.open_page(journal.first_page):
        while cursor.next():
            found.append(cursor.number)
    return found


class JournalTest(unittest.TestCase):
    def setUp(self):
        self.power = Power(seed=3)
        self.flash = MemoryFlash(16, self.power, PAGE)

    def test_an_empty_flash_holds_nothing(self):
        journal = journal_on(self.flash)
        self.assertEqual(journal.tail, -1)
        self.assertEqual(journal.next_record, 0)
        self.assertEqual(numbers(journal), [])
        self.assertEqual(journal.room(), 16)

    def test_records_are_numbered_from_zero_and_survive_a_restart(self):
        journal = journal_on(self.flash)
        self.assertEqual(journal.append(BOOT, LAST_TICKS), 0)
        self.assertEqual(journal.append(CARD, LAST_TICKS + 1), 1)
        again = journal_on(self.flash)
        self.assertEqual(numbers(again), [0, 1])
        self.assertEqual(again.next_record, 2)
        cursor = Cursor(again)
        self.assertTrue(cursor.seek(1) and cursor.next())
        self.assertEqual(cursor.kind, REC_CARD)
        self.assertEqual(cursor.ticks_ms, LAST_TICKS + 1)
        self.assertEqual(bytes(cursor.payload), bytes((0, 1, 0, 0, 51, 1, 120, 0, 200)))

    def test_records_that_fill_a_cursors_buffer_to_its_last_byte_are_read_and_so_is_the_next(self):
        sizes = {}  # a kind that a journal of one shoe may hold, by the bytes of its record
        for kind in RECORD_FORMATS:
            if kind not in (REC_SHOE_OPENED, REC_SHOE_CLOSED, REC_BOOT):
                sizes[struct.calcsize(RECORD_FORMATS[kind]) + 10] = kind
        rows = {0: ()}  # kinds whose records take so many bytes together
        for total in range(1, BUFFER + 1):
            for size in sizes:
                if total not in rows and total - size in rows:
                    rows[total] = rows[total - size] + (sizes[size],)
        for total in range(BUFFER - 3, BUFFER + 1):
            flash = MemoryFlash(4, self.power, PAGE)
            journal = journal_on(flash)
            for kind in rows[total]:
                form = RECORD_FORMATS[kind]
                journal.append((kind,) + struct.unpack(form, bytes(struct.calcsize(form))), 5)
            self.assertEqual(journal.used, 64 + total)
            self.assertEqual(numbers(journal), list(range(len(rows[total]))))
            cursor = Cursor(journal)
            cursor.seek(len(rows[total]))
            self.assertFalse(cursor.next())
            journal.append(CARD, 6)
            self.assertTrue(cursor.next(), total)
            self.assertEqual((cursor.kind, cursor.ticks_ms, cursor.payload[5]), (REC_CARD, 6, 1))
            self.assertEqual(numbers(journal_on(flash)), list(range(len(rows[total]) + 1)))

    def test_each_page_tells_how_often_the_ticks_began_anew_for_all_its_records(self):
        turns = [0]
        journal = journal_on(self.flash)
        journal.turns = lambda ticks_ms: turns[0]
        for turns[0] in (0, 0, 1, 1, 3, 254, 255, 300):
            journal.append(CARD, 7)
        flags = [self.flash.data[page * PAGE + 5] for page in range(journal.tail + 1)]
        self.assertEqual(flags, [1, 2, 4, 255, 0], "0: not told, they began anew too often")
        self.assertEqual(numbers(journal_on(self.flash)), list(range(8)))

    def test_after_a_restart_a_page_of_another_turn_is_not_gone_on_with(self):
        for turns, pages in ((None, 1), (0, 2), (0, 2), (2, 3), (0, 4)):
            journal = journal_on(self.flash)
            if turns is not None:
                journal.turns = lambda ticks_ms, turns=turns: turns
            journal.append(BOOT, 7)
            self.assertEqual(journal.tail + 1, pages)

    def test_the_boot_counter_goes_up_with_each_boot_record(self):
        for boot in (1, 2, 3):
            journal = journal_on(self.flash)
            journal.append(BOOT, 0)
            self.assertEqual(journal.boot, boot)
        self.assertEqual(journal_on(self.flash).boot, 3)

    def test_a_shoe_starts_in_a_new_page(self):
        journal = journal_on(self.flash)
        journal.append(BOOT, 0)
        journal.append_step([OPENED, CARD], 0)
        self.assertEqual(journal.tail, 1)
        self.assertEqual(journal.shoe, 1)
        self.assertEqual([row[0] for row in journal.shoes()], [0, 1])
        again = journal_on(self.flash)
        self.assertEqual(list(again.shoes()), list(journal.shoes()))

    def test_closing_and_opening_in_one_step_ends_one_shoe_and_begins_the_next(self):
        journal = journal_on(self.flash)
        journal.append(OPENED, 0)
        journal.append_step([CARD, CLOSED, OPENED, CARD], 0)
        rows = list(journal.shoes())
        self.assertEqual([(row[0], row[4], row[5]) for row in rows], [(1, 3, True), (2, 2, False)])
        self.assertEqual(numbers(journal), [0, 1, 2, 3, 4])

    def test_closed_is_known_after_a_restart_even_when_records_follow(self):
        journal = journal_on(self.flash)
        journal.append_step([OPENED, CARD, CLOSED], 0)
        for _ in range(40):
            journal.append((REC_DEALER_CHANGED, 1), 0)
        self.assertGreater(journal.tail, 0)
        self.assertTrue(journal_on(self.flash).closed)

    def test_pages_are_chained_by_sha256(self):
        journal = journal_on(self.flash)
        for _ in range(100):
            journal.append(CARD, 0)
        previous = bytearray(32)
        for page in range(1, journal.tail + 1):
            journal.read(page, 28, memoryview(previous))
            self.assertEqual(bytes(previous), journal.digest(page - 1))

    def test_a_torn_record_is_dropped_and_its_number_used_again(self):
        journal = journal_on(self.flash)
        journal.append(BOOT, 0)
        self.power.arm(11)
        with self.assertRaises(PowerCut):
            journal.append(CARD, 0)
        self.assertTrue(self.power.fired)
        self.power.arm(None)
        again = journal_on(self.flash)
        self.assertEqual(numbers(again), [0])
        self.assertEqual(again.append(CARD, 5), 1)
        self.assertEqual(again.tail, 1)
        self.assertEqual(numbers(journal_on(self.flash)), [0, 1])

    def test_a_step_is_there_whole_or_not_at_all(self):
        fired = 0
        for budget in range(0, 60, 3):
            flash = MemoryFlash(4, self.power, PAGE)
            journal = journal_on(flash)
            journal.append(BOOT, 0)
            self.power.arm(budget)
            try:
                journal.append_step([CARD, CARD, CARD], 0)
            except PowerCut:
                fired += 1
            self.power.arm(None)
            self.assertIn(len(numbers(journal_on(flash))), (1, 4))
        self.assertGreaterEqual(fired, 15)

    def test_a_torn_page_header_takes_the_new_page_away(self):
        journal = journal_on(self.flash)
        journal.append(BOOT, 0)
        self.power.arm(30)  # the record of 28 bytes is whole, the header is not
        with self.assertRaises(PowerCut):
            journal.append(OPENED, 0)
        self.power.arm(None)
        again = journal_on(self.flash)
        self.assertEqual((again.tail, again.shoe), (0, 0))
        self.assertEqual(again.append(OPENED, 0), 1)
        self.assertEqual(numbers(journal_on(self.flash)), [0, 1])

    def test_a_half_erased_page_is_erased_again_before_use(self):
        journal = journal_on(self.flash, give)
        while journal.first_page == 0:
            journal.append_step([OPENED, CARD, CLOSED], 0)
        self.power.arm(10)
        with self.assertRaises(PowerCut):
            while True:
                journal.append_step([OPENED, CARD, CLOSED], 0)
        self.power.arm(None)
        again = journal_on(self.flash, give)
        last = again.next_record
        for _ in range(60):
            again.append_step([OPENED, CARD, CLOSED], 0)
        self.assertEqual(numbers(again)[-1], last + 179)
        self.assertEqual(self.power.misuse, 0)

    def test_wherever_an_erase_was_cut_off_the_page_is_erased_again(self):
        """Also where it reads blank afterwards, which a chip near the end of its erase does."""
        read_blank = 0
        for budget in range(0, 256, 5):
            flash = MemoryFlash(4, self.power, PAGE)
            journal = journal_on(flash)
            journal.append(BOOT, 0)
            flash.program(1, 0, bytes(64))  # what another turn of the ring has left
            self.power.arm(budget)
            with self.assertRaises(PowerCut):
                journal.idle()
            self.power.arm(None)
            self.assertEqual(flash.torn, [1])
            read_blank += bytes(flash.data[PAGE : 2 * PAGE]) == b"\xff" * PAGE
            again = journal_on(flash)
            again.append(OPENED, 0)
            self.assertEqual(again.tail, 1)
            self.assertEqual(numbers(journal_on(flash)), [0, 1])
        self.assertGreater(read_blank, 5)
        self.assertEqual(self.power.misuse, 0)

    def test_a_page_whose_erase_has_ended_is_not_erased_once_more(self):
        journal = journal_on(self.flash)
        journal.append(BOOT, 0)
        while journal.idle():
            pass
        erases = self.flash.erases
        again = journal_on(self.flash)
        self.assertFalse(again.idle())
        again.append(OPENED, 0)
        self.assertEqual(self.flash.erases, erases)

    def test_a_page_that_the_flash_does_not_erase_is_not_used_and_not_tried_in_each_pause(self):
        journal = journal_on(self.flash)
        journal.append(BOOT, 0)
        erase = self.flash.erase
        asked = []

        def fails(page):
            asked.append(page)
            raise OSError(5)

        self.flash.erase = fails
        with self.assertRaises(OSError):
            journal.idle()
        for _ in range(5):
            self.assertFalse(journal.idle())
        self.assertEqual(asked, [1])
        with self.assertRaises(OSError):
            journal.append(OPENED, 0)
        self.flash.erase = erase
        self.assertEqual(journal.append(OPENED, 0), 1)
        self.assertTrue(journal.idle())
        self.assertEqual(numbers(journal_on(self.flash)), [0, 1])

    def test_what_was_not_fetched_is_never_overwritten(self):
        journal = journal_on(self.flash)
        with self.assertRaises(JournalFull):
            while True:
                journal.append_step([OPENED, CARD, CLOSED], 0)
        self.assertEqual([row[0] for row in journal.shoes()], list(range(1, 17)))
        self.assertEqual(numbers(journal), list(range(48)))
        self.assertFalse(journal.room_for_shoe())

    def test_the_oldest_fetched_shoe_goes_first_and_as_a_whole(self):
        fetched = [1]
        journal = journal_on(self.flash, lambda shoe, record: shoe in fetched)
        journal.append_step([OPENED] + [CARD] * 60 + [CLOSED], 0)
        with self.assertRaises(JournalFull):
            while True:
                journal.append_step([OPENED, CARD, CLOSED], 0)
        self.assertEqual(next(iter(journal.shoes()))[0], 2)
        self.assertEqual(journal_on(self.flash).first_page, journal.first_page)

    def test_room_counts_only_what_may_go_in_order(self):
        fetched = [2]
        journal = journal_on(self.flash, lambda shoe, record: shoe in fetched)
        for _ in range(4):
            journal.append_step([OPENED, CARD, CLOSED], 0)
        self.assertEqual(journal.room(), 12)
        fetched.append(1)
        self.assertEqual(journal.room(), 14)

    def test_erasing_ahead_happens_in_idle_and_not_while_appending(self):
        journal = journal_on(self.flash, give)
        for _ in range(30):
            while journal.idle():
                pass
            before = self.flash.erases
            journal.append_step([OPENED, CARD, CLOSED], 0)
            self.assertEqual(self.flash.erases, before)
        self.assertGreater(self.flash.erases, 10)

    def test_a_damaged_page_is_left_out_and_counted(self):
        journal = journal_on(self.flash)
        for _ in range(80):
            journal.append(CARD, 0)
        self.flash.data[PAGE + 5] ^= 1
        again = journal_on(self.flash)
        self.assertEqual(again.damaged, 1)
        found = numbers(again)
        self.assertEqual(found[-1], 79)
        self.assertLess(len(found), 80)

    def test_a_page_in_a_place_that_is_not_its_own_is_none_of_the_ring(self):
        journal = journal_on(self.flash)
        for _ in range(3):
            journal.append_step([OPENED, CARD, CLOSED], 0)
        data = self.flash.data
        data[9 * PAGE : 10 * PAGE] = data[PAGE : 2 * PAGE]
        again = journal_on(self.flash)
        self.assertEqual((again.first_page, again.tail, again.damaged), (0, 2, 0))
        data[0:PAGE] = data[PAGE : 2 * PAGE]
        again = journal_on(self.flash)
        self.assertEqual((again.first_page, again.tail, again.damaged), (1, 2, 0))

    def test_a_record_that_was_not_acknowledged_is_not_read(self):
        journal = journal_on(self.flash)
        journal.append_step([BOOT, CARD], 0)
        read = self.flash.read

        def fails(page, offset, buf):
            raise OSError(5)

        self.flash.read = fails  # what it programs is whole in the flash, and cannot be read back
        with self.assertRaises(JournalError):
            journal.append(CARD, 0)
        self.flash.read = read
        self.assertEqual(numbers(journal), [0, 1])

    def test_a_cursor_in_a_history_that_is_given_up_goes_on_with_the_oldest_that_is_left(self):
        journal = journal_on(self.flash, give)
        for event in [OPENED] + [CARD] * 40 + [CLOSED]:
            journal.append(event, 0)
        journal.append_step([OPENED, CARD, CLOSED], 0)
        cursor = Cursor(journal)
        cursor.open_page(1)
        first = cursor.upcoming
        cursor.next()
        while journal.first_page == 0:
            journal.append_step([OPENED, CARD, CLOSED], 0)
        self.assertEqual(journal.first_page, 2)
        last = first
        while cursor.next() and cursor.number < 42:
            last = cursor.number  # what it held of the page already
        self.assertLess(last, 41)
        self.assertEqual((cursor.page, cursor.number), (2, 42))

    def test_every_record_can_be_found_by_its_number(self):
        journal = journal_on(self.flash)
        for _ in range(100):
            journal.append(CARD, 0)
        cursor = Cursor(journal)
        for number in (99, 0, 57, 56, 23, 24, 98, 1):
            self.assertTrue(cursor.seek(number) and cursor.next())
            self.assertEqual(cursor.number, number)
        self.assertFalse(cursor.seek(100))


class NarrowLink:
    """A link that takes `room` events and then no more until it has room again."""

    subscribed = True

    def __init__(self):
        self.room = 0
        self.sent = []

    def send_event(self, number, boot, ticks_ms, kind, payload):
        if not self.room:
            return False
        self.room -= 1
        self.sent.append((number, boot, kind, bytes(payload)))
        return True


class ReadsCounted(MemoryFlash):
    """A flash that counts how often it is read."""

    reads = 0

    def read(self, page, offset, into):
        self.reads += 1
        super().read(page, offset, into)


class LiveTest(unittest.TestCase):
    def setUp(self):
        self.flash = ReadsCounted(4, Power(seed=3), 2048)
        self.journal = journal_on(self.flash, give)
        for _ in range(2):
            self.journal.append(OPENED, 0)
            for card in range(70):
                self.journal.append((REC_CARD, 0, 1, 0, 0, card % 52, 1, 120, 200), card)
            self.journal.append(CLOSED, 0)
        self.live = Live(self.journal)
        self.link = NarrowLink()

    def wanted(self):
        """What a cursor of its own reads: all records."""
        cursor = Cursor(self.journal)
        cursor.open_page(self.journal.first_page)
        found = []
        while cursor.next():
            found.append((cursor.number, cursor.boot, cursor.kind, bytes(cursor.payload)))
        return found

    def test_a_line_that_takes_few_events_at_a_time_gets_each_of_them_once(self):
        """The record that it did not take is not looked for from the beginning of its page: that took whole slots."""
        self.flash.reads = 0
        wanted = self.wanted()
        once = self.flash.reads
        self.flash.reads = 0
        self.live.follow(True, 0)
        while self.live.due < self.journal.next_record:
            self.link.room = 8
            self.live.send(self.link, 16)
        self.assertEqual(self.link.sent, wanted)
        self.assertTrue(self.flash.reads <= once + 8, self.flash.reads)  # and the way to the first page

    def test_what_is_sent_is_what_is_due_wherever_else_the_cursor_was_sent_meanwhile(self):
        wanted = self.wanted()
        self.live.follow(True, 0)
        for turn in range(700):
            self.link.room = turn % 5
            self.live.send(self.link, 4)
            self.live.seek(turn * 37 % 160)  # as the request `event_read` does; there are 144 records
            for _ in range(turn % 4):
                self.live.next()
        self.assertEqual(self.link.sent, wanted)

    def test_a_record_whose_history_was_given_up_is_no_longer_in_hand(self):
        self.live.follow(True, 0)
        self.live.send(self.link, 4)  # takes none
        while self.journal.first_page == 0:
            self.journal.append(OPENED, 0)
            self.journal.append(CLOSED, 0)
            while self.journal.idle():
                pass
        self.link.room = 1
        self.live.send(self.link, 4)
        cursor = Cursor(self.journal)
        cursor.open_page(self.journal.first_page)
        self.assertTrue(cursor.next())
        self.assertEqual([sent[0] for sent in self.link.sent], [cursor.number])


class FlashTest(unittest.TestCase):
    """The simulator refuses what real flash cannot do."""

    def setUp(self):
        self.power = Power()
        self.flash = MemoryFlash(2, self.power, PAGE)

    def test_programming_clears_bits_and_never_sets_them(self):
        self.flash.program(0, 0, b"\x0f")
        self.flash.program(0, 0, b"\x0e")
        with self.assertRaises(FlashMisuse):
            self.flash.program(0, 0, b"\x10")
        self.assertEqual(self.power.misuse, 1)
        self.assertEqual(self.flash.data[0], 0x0E)

    def test_a_program_does_not_cross_a_block(self):
        with self.assertRaises(FlashMisuse):
            self.flash.program(0, 250, bytes(10))

    def test_a_cut_erase_goes_through_zero_and_reads_blank_before_it_is_done(self):
        old = bytes(range(256)) * 2
        seen = set()
        for budget in range(256):
            flash = MemoryFlash(2, self.power, PAGE)
            flash.program(0, 0, old[:256])
            flash.program(0, 256, old[256:])
            self.power.arm(budget)
            with self.assertRaises(PowerCut):
                flash.erase(0)
            left = bytes(flash.data[:PAGE])
            down = any(was & ~now for was, now in zip(old, left))
            up = any(now & ~was for was, now in zip(old, left))
            seen.add("blank" if left == b"\xff" * PAGE else (down, up))
            self.assertEqual(bytes(flash.data[PAGE:]), b"\xff" * PAGE)
            with self.assertRaises(FlashMisuse):
                flash.program(0, 0, b"\x00")
            self.power.arm(None)
            flash.erase(0)
            flash.program(0, 0, b"\x00")
        self.assertLessEqual({"blank", (True, False), (True, True)}, seen)


class NotesTest(unittest.TestCase):
    def setUp(self):
        self.power = Power(seed=9)
        self.flash = MemoryFlash(2, self.power, PAGE)
        self.kept = []
        self.notes = Notes(self.flash, 0, lambda: self.kept)

    def put(self, text):
        self.kept = [(1, text)]
        self.notes.put(1, text)

    def test_blank_flash_is_told_from_damaged(self):
        self.notes.start()
        self.assertEqual(self.notes.state, BLANK)
        self.put(b"one")
        self.flash.data[3] ^= 8
        self.notes.start()
        self.assertEqual(self.notes.state, DAMAGED)

    def test_entries_survive_a_restart_and_many_rewrites(self):
        self.notes.start()
        for i in range(200):
            self.put(b"entry %d" % i)
            self.notes.idle()
        again = Notes(self.flash, 0, lambda: self.kept)
        found = []
        again.start(lambda kind, payload: found.append((kind, bytes(payload))))
        self.assertEqual(found[-1], (1, b"entry 199"))
        self.assertEqual(again.state, GOOD)
        self.assertEqual(self.power.misuse, 0)

    def test_wherever_an_erase_was_cut_off_the_page_is_erased_again(self):
        fired = 0
        found = []
        for budget in range(0, 256, 5):
            flash = MemoryFlash(2, self.power, PAGE)
            notes = Notes(flash, 0, lambda: self.kept)
            notes.start()
            self.kept = [(1, b"one")]
            notes.put(1, b"one")
            notes.rewrite()  # the other page now holds what is old
            self.power.arm(budget)
            try:
                notes.idle()
            except PowerCut:
                fired += 1
            self.power.arm(None)
            again = Notes(flash, 0, lambda: self.kept)
            again.start()
            again.idle()
            self.kept = [(1, b"two")]
            again.rewrite()
            found.clear()
            again.start(lambda kind, payload: found.append(bytes(payload)))
            self.assertEqual((again.state, found), (GOOD, [b"two"]))
        self.assertGreater(fired, 50)
        self.assertEqual(self.power.misuse, 0)

    def test_damage_in_what_was_written_whole_is_named(self):
        self.notes.start()
        self.put(b"entry")
        self.flash.data[23] ^= 1
        self.notes.start()
        self.assertEqual(self.notes.state, DAMAGED)


class FetchedTest(unittest.TestCase):
    def setUp(self):
        self.flash = MemoryFlash(8, Power(), PAGE)
        self.marks = Fetched(self.flash, 4)
        self.marks.start()

    def test_a_mark_survives_a_restart(self):
        self.marks.mark(3, 90, 5, 0)
        again = Fetched(self.flash, 4)
        again.start()
        self.assertTrue(again.is_fetched(3, 90))
        self.assertFalse(again.is_fetched(2, 60))
        self.assertTrue(again.may_overwrite(3, 90))

    def test_a_history_that_grew_is_not_fetched(self):
        self.marks.mark(5, 90, 5, 0)
        self.assertTrue(self.marks.is_fetched(5, 90))
        self.assertFalse(self.marks.is_fetched(5, 91))

    def test_thousands_of_marks_in_order_need_no_room(self):
        for shoe in range(1000):
            self.marks.mark(shoe, shoe * 9, shoe + 1, max(0, shoe - 20))
        again = Fetched(self.flash, 4)
        again.start()
        self.assertTrue(again.is_fetched(999, 0))
        self.assertFalse(again.is_fetched(1000, 0))

    def test_leave_to_overwrite_needs_no_mark(self):
        self.assertFalse(self.marks.may_overwrite(1, 2))
        self.marks.overwrite = True
        self.assertTrue(self.marks.may_overwrite(1, 2))


if __name__ == "__main__":
    unittest.main()
