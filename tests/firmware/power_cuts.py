"""Power cuts against journal, vault and store together: a shoe's life with a cut in it, and what must hold afterwards.

Used by test_journal.py (a sample, on CPython and MicroPython) and tests/bench/power_cut_campaign.py (thousands).
Small pages make page changes, ring overwrites and erases frequent. All randomness comes from the seed.
"""

import struct

from flash_memory import MemoryFlash, Power, PowerCut
from rng import Rng
from shoe.app.config_store import ConfigStore
from shoe.app.faults import Faults
from shoe.app.steps import Steps
from shoe.config import Config
from shoe.journal.cursor import Cursor
from shoe.journal.fetched import Fetched
from shoe.journal.journal import Journal
from shoe.trust.sealing import Sealer
from shoe.wire_table import (
    REC_BOOT,
    REC_CARD,
    REC_CLEARED,
    REC_FAULT,
    REC_IRREGULARITY,
    REC_LOADED,
    REC_OPENED,
    REC_SEALED,
    REC_SHOE_CLOSED,
    REC_SHOE_OPENED,
    RECORD_FORMATS,
)

PAGE = 512
PAGES = 16


class _Board:
    def ticks_ms(self):
        """A constant will do."""
        return 7

    def card_stop(self, on):
        """Engaged with each fault, and of no matter here."""


class _Table:
    """In place of `dealing`: only the latched faults."""

    def __init__(self):
        self.faults = []

    def apply(self, event):
        """Latch or clear."""
        if event[0] == REC_FAULT and event[1] not in self.faults:
            self.faults.append(event[1])
        if event[0] == REC_CLEARED and event[1] in self.faults:
            self.faults.remove(event[1])

    def recorded(self, event, number):
        """Not of interest here."""


def never():
    """No card is in a throat, no lamp is there."""
    return False


class Life:
    """The device and, beside it, what it has acknowledged."""

    def __init__(self, seed, page_size=PAGE, pages=PAGES, flash=MemoryFlash):
        self.rng = Rng(seed)
        self.power = Power(seed=seed + 1)
        self.journal_flash = flash(pages, self.power, page_size)
        self.vault_flash = flash(2, self.power, page_size)
        self.store_flash = flash(8, self.power, page_size)
        self.records = {}  # number -> (kind, payload without commitment and nonce)
        self.trying = []  # events of the step under way
        self.trying_from = 0
        self.sealed = {}  # number -> (card, batch): acknowledged and not opened
        self.opening = -1
        self.fetched = set()  # with those whose mark was cut off
        self.faults = set()
        self.fault_in_doubt = -1
        self.decks = 0  # acknowledged configuration, 0 none
        self.trying_decks = 0
        self.boots = 0
        self.shoe_end = {}  # shoe -> its last record
        self.cuts = 0
        self.seals = 0

    def start(self):
        """Power on: load everything."""
        self.fetched_marks = Fetched(self.store_flash, 4)
        self.fault_set = Faults(self.store_flash, 2)
        self.config_store = ConfigStore(self.store_flash, 0)
        self.journal = Journal(self.journal_flash, b"testshoe", self.fetched_marks.may_overwrite)
        self.sealer = Sealer(self.rng.data, self.vault_flash)
        self.fetched_marks.start()
        self.fault_set.start()
        self.journal.start()
        self.sealer.start()
        self.config = self.config_store.load()
        self.table = _Table()
        self.steps = Steps(
            _Board().ticks_ms, self.journal, self.sealer, self.fault_set, never, never, never, self.table
        )
        self.steps.start(self.table)

    # ------------------------------------------------------------------------------------------ what it does
    def commit(self, events):
        """One step, acknowledged when this returns."""
        self.trying = events
        self.trying_from = self.journal.next_record
        self.steps.commit(events)
        if self.steps.stuck:
            raise AssertionError("the journal refused a step")
        self._acknowledge(len(events))

    def _acknowledge(self, n):
        number = self.trying_from
        for event in self.trying[:n]:
            self.records[number] = event
            if event[0] == REC_SEALED:
                self.sealed[number] = event[5:7]
            elif event[0] == REC_OPENED:
                del self.sealed[event[1]]
            elif event[0] == REC_BOOT:
                self.boots += 1
            number += 1
        self.trying = []

    def act(self):
        """Do one random thing that a shoe does."""
        rng = self.rng
        choice = rng.below(20)
        if self.journal.room() < 6:  # the operator fetches, or the shoe ends
            choice = 14
            self._fetch_one()
        if choice < 10:
            events = []
            for _ in range(1 + rng.below(4)):
                events.append(
                    (REC_CARD, rng.below(15), rng.below(8), 0, 0, rng.below(52), 1, rng.below(900), rng.below(256))
                )
            self.commit(events)
        elif choice < 12 and len(self.sealed) < 8:
            self.seals += 1
            self.commit([(REC_SEALED, 2, 0, 0, 0, rng.below(52), 1), (REC_IRREGULARITY, 1, 0, 0, 0, 0)])
        elif choice < 14 and self.sealed:
            number = sorted(self.sealed)[rng.below(len(self.sealed))]
            card, batch = self.sealed[number]
            self.commit([(REC_OPENED, number, 2, 0, 0, card, batch)])
        elif choice == 14:
            self._change_shoe()
        elif choice == 15:
            self.trying_decks = 1 + rng.below(8)
            config = Config()
            config.decks = self.trying_decks
            self.config_store.save(config)
            self.decks = self.trying_decks
        elif choice == 16:
            code = 1 + rng.below(8)
            event = (REC_CLEARED, code, 0) if code in self.faults else (REC_FAULT, code, 0, 0)
            self.fault_in_doubt = code
            self.commit([event])
            self.faults.symmetric_difference_update({code})
            self.fault_in_doubt = -1
        else:
            self.journal.idle() or self.sealer.idle() or self.fault_set.idle() or self.fetched_marks.idle()

    def _change_shoe(self):
        events = []
        for number in sorted(self.sealed):
            card, batch = self.sealed[number]
            events.append((REC_OPENED, number, 7, 14, 0, card, batch))
        events += [
            (REC_SHOE_CLOSED, 0, 1, 2),
            (REC_SHOE_OPENED, 0, 0, 6, 1, 2, 0, 7, 0, 0),
            (REC_LOADED, 0, 312),
        ]
        self.commit(events)
        self._fetch_one()

    def _fetch_one(self):
        """Mark the oldest shoe that is closed and not fetched yet."""
        oldest = -1
        for shoe, _, _, first, count, closed in self.journal.shoes():
            oldest = shoe if oldest < 0 else oldest
            if closed and not self.fetched_marks.is_fetched(shoe, first + count - 1):
                self.fetched.add(shoe)
                self.fetched_marks.mark(shoe, first + count - 1, self.journal.shoe, oldest)
                break

    # ------------------------------------------------------------------------------------------ what must hold
    def check(self):
        """After a restart: raise AssertionError unless everything acknowledged is there and all of it is consistent."""
        journal = self.journal
        cursor = Cursor(journal)
        last = max(self.records) if self.records else -1
        if journal.next_record <= last:
            raise AssertionError("record %d was acknowledged, the journal ends before %d" % (last, journal.next_record))
        new = journal.next_record - max(last + 1, self.trying_from if self.trying else last + 1)
        self._check_step(new)
        if new:
            self._acknowledge(new)
        else:
            self.trying = []
        expected = -1
        if journal.tail >= 0:
            if not cursor.open_page(journal.first_page):
                raise AssertionError("the oldest page cannot be read")
            expected = cursor.upcoming
            for number in sorted(self.records):  # overwritten by now; _check_chain says whether that was allowed
                if number < expected and number != last:
                    del self.records[number]
            while cursor.next():
                if cursor.number != expected:
                    raise AssertionError("record %d is missing" % expected)
                self._compare(cursor)
                expected += 1
        if expected >= 0 and expected != journal.next_record:
            raise AssertionError("reading stops at %d of %d" % (expected, journal.next_record))
        if journal.damaged:
            raise AssertionError("a power cut damaged %d pages" % journal.damaged)
        self._check_chain()
        self._check_rest()

    def _check_step(self, new):
        """A step is there whole or not at all; only a new shoe or a step longer than a page may part it."""
        if new in (0, len(self.trying)):
            return
        size = 0
        for event in self.trying:
            size += struct.calcsize(RECORD_FORMATS[event[0]]) + 10
        if size > self.journal_flash.page_size - 64:
            return
        if not (0 < new < len(self.trying) and self.trying[new][0] == REC_SHOE_OPENED):
            raise AssertionError("%d of %d records of a step are there" % (new, len(self.trying)))

    def _compare(self, cursor):
        event = self.records[cursor.number]
        if cursor.kind != event[0]:
            raise AssertionError("record %d changed its kind" % cursor.number)
        values = struct.unpack_from(RECORD_FORMATS[cursor.kind], cursor.payload)
        if event[0] == REC_SEALED:
            same = values[:4] == event[1:5]
        elif event[0] == REC_OPENED:
            same = values[:6] == event[1:]
        else:
            same = values == event[1:]
        if not same:
            raise AssertionError("record %d changed" % cursor.number)

    def _check_chain(self):
        journal = self.journal
        previous = bytearray(32)
        shoe = 0
        for page in range(journal.first_page, journal.tail + 1):
            journal.read(page, 24 + 4, memoryview(previous))
            if page > journal.first_page and bytes(previous) != journal.digest(page - 1):
                raise AssertionError("page %d does not continue page %d" % (page, page - 1))
        for number, _, _, _, _, _ in journal.shoes():
            shoe = number
            break
        for gone in range(shoe):
            if gone not in self.fetched:
                raise AssertionError("shoe %d was overwritten and never fetched" % gone)

    def _check_rest(self):
        config, valid, written = self.config
        decks = config.decks if written else 0
        if not valid and not self.decks and self.trying_decks:
            decks = 0  # torn within the header of the first one ever: named as damaged, which stops the game
        elif not valid or decks not in (self.decks, self.trying_decks):
            raise AssertionError("configuration %r, wanted %d or %d" % (decks, self.decks, self.trying_decks))
        self.decks = decks
        if valid:
            self.trying_decks = decks
        codes = set(self.fault_set.codes())
        doubt = codes.symmetric_difference(self.faults)
        if doubt - {self.fault_in_doubt}:
            raise AssertionError("faults %r, wanted %r" % (codes, self.faults))
        self.faults = codes
        self.fault_in_doubt = -1
        for number in self.sealed:
            want = self._commitment(number)
            if not self.sealer.check(number, want) or self.sealer.face(number) != self.sealed[number]:
                raise AssertionError("the opening of record %d is lost" % number)
        self.sealer.keep_only(set(self.sealed))
        if self.journal.boot != self.boots:
            raise AssertionError("boot counter %d, wanted %d" % (self.journal.boot, self.boots))

    def _commitment(self, number):
        cursor = Cursor(self.journal)
        if not cursor.seek(number) or not cursor.next() or cursor.number != number:
            raise AssertionError("record %d cannot be found" % number)
        return bytes(cursor.payload[4:36])


def run(seed, lives=10, acts=60, page_size=PAGE, pages=PAGES, flash=MemoryFlash):
    """Live through `lives` power cuts; return the number of cuts that fired. Raises AssertionError naming the seed.

    `flash(pages, power, page_size)` makes a block device whose power raises PowerCut.
    """
    life = Life(seed, page_size, pages, flash)
    try:
        for _ in range(lives):
            try:
                life.power.arm(life.rng.below(acts * 60))
                life.start()
                life.check()
                life.commit([(REC_BOOT, 0, b"\x00\x01\x00", 0, 1)])
                for _ in range(acts):
                    life.act()
            except PowerCut:
                life.cuts += 1
        life.power.arm(None)
        life.start()
        life.check()
        for _ in range(5):
            life.act()
        if life.power.misuse:
            raise AssertionError("the flash was misused")
    except Exception as error:
        raise AssertionError("seed %d: %r" % (seed, error))  # noqa: B904 - MicroPython has no `from`
    return life.cuts
