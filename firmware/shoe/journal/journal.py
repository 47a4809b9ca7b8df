"""The journal: an append-only ring of pages in flash. What `append` returned from survives any power cut.

Absolute page p lies in physical page p modulo the number of pages. The records of one step are programmed last first,
and a new page's header after its records, so a step becomes readable all at once or, after a power cut, not at all
(unless it is longer than what is left of a page and of the next, or holds a `shoe_opened`, which starts a page).
A torn tail ends its page: what follows goes to the next page, whose first_record says that nothing is missing.
So does a page of which the header does not tell how often the ticks had begun anew: it does for all its records.
A page is used only when its erase was seen to end: see shoe/journal/flash.py.
"""

import hashlib
import struct

from shoe.compat import const
from shoe.journal.cursor import Cursor
from shoe.journal.flash import is_blank, is_ready, make_ready, program
from shoe.journal.page import HEADER_SIZE, OVERHEAD, Header, pack_record
from shoe.wire_table import PAGE_MAGIC, REC_BOOT, REC_SHOE_CLOSED, REC_SHOE_OPENED, RECORD_FORMATS

SHOE_PAGES = const(8)  # no shoe of 416 cards needs more; measured by tests/bench/journal_room.py
SPARE_PAGES = const(2)  # for records that belong to no shoe being dealt: boots, faults, configuration
_AHEAD = const(4)
_CHUNK = const(256)
_MOST_TURNS = const(254)  # nine years


class JournalFull(Exception):
    """No page may be overwritten: the histories in the ring were not fetched."""


class JournalError(Exception):
    """The flash did not take what was programmed."""


def _not_told(ticks_ms):
    """For a journal without a clock."""
    return -1


class Journal:
    """Append, read and find records. `may_overwrite(shoe, last_record) -> bool` is asked before a shoe is given up.

    `turns(ticks_ms) -> int`: how often the ticks had begun anew at this time, -1 when nobody tells.
    """

    def __init__(self, device, device_id, may_overwrite):
        self.device = device
        self._id = device_id
        self._may_overwrite = may_overwrite
        self._header = Header()
        self._buf = bytearray(265)
        self._check = bytearray(_CHUNK)
        self.first_page = 0
        self.tail = -1
        self.shoe = 0
        self.boot = 0
        self.next_record = 0
        self.used = 0  # bytes of the tail page that hold its header and whole records
        self._closed = 0  # the shoe of the tail has its shoe_closed record; -1: nobody has looked yet
        self.damaged = 0  # pages in the ring that could not be read at start
        self._torn = False
        self._failed = False  # the last step ended half way in the tail page
        self._ready = 0  # pages after the tail that are erased and wait
        self._refused = False  # the flash did not erase the page after them
        self.turns = _not_told
        self._flags = 0  # of the tail page's header: 1 + turns, 0 where that is not told

    # ------------------------------------------------------------------------------------------------ start
    def start(self):
        """Find the tail, drop what a power cut left half written, count damaged pages."""
        pages = self.device.pages
        newest, oldest, valid = self._header.find(self.device)
        self.tail = newest
        self.damaged = 0
        self.used = 0
        self._ready = 0
        self._closed = 0
        self.first_page = max(0, oldest)
        if newest < 0:
            return
        if oldest <= newest - pages:  # left over from another turn of the ring
            valid = 0
            for page in range(newest, max(-1, newest - pages), -1):
                if self._page(page):
                    self.first_page = page
                    valid += 1
        self.damaged = newest - self.first_page + 1 - valid
        self._find_end()
        if self.first_page:
            cursor = Cursor(self)
            if cursor.open_page(self.first_page) and cursor.next() and cursor.kind != REC_SHOE_OPENED:
                self._give_up_oldest()  # a power cut came while this shoe was given up

    def _page(self, page):
        header = self._header
        return header.read(self.device, page % self.device.pages) and header.page == page

    def _find_end(self):
        cursor = Cursor(self)
        self.next_record = 0xFFFFFFFF
        cursor.open_page(self.tail)
        self._flags = self._header.flags if self._page(self.tail) else 0
        self.shoe = cursor.shoe
        self._closed = -1
        while cursor.next():
            if cursor.kind == REC_SHOE_CLOSED:
                self._closed = 1
            elif cursor.kind == REC_SHOE_OPENED:
                self._closed = 0
        self.boot = cursor.boot
        self.next_record = cursor.upcoming
        self.used = cursor.at
        self._torn = not is_blank(self.device, self.tail % self.device.pages, self.used, self._check)

    @property
    def closed(self):
        """The shoe of the tail has its shoe_closed record. In mid-shoe the first look at it reads that shoe."""
        if self._closed < 0:
            self._closed = int(self._find_closed())
        return self._closed == 1

    def _find_closed(self):
        """Whether the shoe_closed of the tail's shoe stands in a page before the one in which a start found it."""
        page = self.tail
        cursor = Cursor(self)
        while page >= self.first_page and cursor.open_page(page) and cursor.shoe == self.shoe:
            while cursor.page == page and cursor.next():
                if cursor.kind == REC_SHOE_CLOSED:
                    return True
            page -= 1
        return False

    # ------------------------------------------------------------------------------------------------ append
    def append(self, event, ticks_ms):
        """Write one record-ready event (kind, field, ...); return its record number once it is durable."""
        return self.append_step((event,), ticks_ms)

    def append_step(self, events, ticks_ms):
        """Write the record-ready events of one step; return the first one's record number once all are durable.

        Raises JournalFull when no page may be overwritten, JournalError when the flash fails.
        """
        first = self.next_record
        start = 0
        turns = self.turns(ticks_ms)
        flags = 1 + turns if turns <= _MOST_TURNS else 0
        while start < len(events):
            at = HEADER_SIZE if flags != self._flags or self._needs_page(events, start) else self.used
            new = at == HEADER_SIZE
            end = start
            stop = at
            while end < len(events):
                size = struct.calcsize(RECORD_FORMATS[events[end][0]]) + OVERHEAD
                if stop + size > self.device.page_size or (end > start and events[end][0] == REC_SHOE_OPENED):
                    break
                stop += size
                end += 1
            self._write(events, start, end, at, stop, new, ticks_ms, flags)
            start = end
        return first

    def _needs_page(self, events, start):
        if self.tail < 0 or self._torn or events[start][0] == REC_SHOE_OPENED:
            return True
        size = 0
        for i in range(start, len(events)):
            if events[i][0] == REC_SHOE_OPENED:
                break
            size += struct.calcsize(RECORD_FORMATS[events[i][0]]) + OVERHEAD
        room = self.device.page_size - self.used
        if size > self.device.page_size - HEADER_SIZE:  # cannot be whole anyway: fill this page first
            return struct.calcsize(RECORD_FORMATS[events[start][0]]) + OVERHEAD > room
        return size > room

    def _write(self, events, start, end, at, stop, new, ticks_ms, flags):
        page = self.tail + 1 if new else self.tail
        if self._failed:
            self._spoil()
        if new and not self._ready and not self._prepare_one():
            raise JournalFull
        index = page % self.device.pages
        view = memoryview(self._buf)
        shoe = self.shoe
        boots = 0
        torn = self._torn
        ready = self._ready
        # Whatever ends this half way, what it programmed is never programmed over: the next try takes a fresh page.
        self._torn = True
        self._failed = not new
        if new:
            self._ready = 0
        position = stop
        for i in range(end - 1, start - 1, -1):
            event = events[i]
            kind = event[0]
            n = pack_record(self._buf, self.next_record + i - start, ticks_ms, kind, RECORD_FORMATS[kind], event[1:])
            position -= n
            self._program(index, position, view[:n])
            boots += kind == REC_BOOT
        if new:
            if events[start][0] == REC_SHOE_OPENED:
                shoe += 1
            self._header.pack(
                flags, self.boot, page, shoe, self.next_record, self._id, self.digest(page - 1) if page else bytes(32)
            )
            self._program(index, 0, memoryview(self._header.buf))
            torn = False
            ready -= 1
        closed = self._closed if shoe == self.shoe else 0
        for i in range(start, end):
            if events[i][0] == REC_SHOE_CLOSED:
                closed = 1
        boot = (self.boot + boots) & 0xFFFF
        number = self.next_record + end - start
        # Nothing from here on takes memory: all of it counts, or nothing of it.
        if new:
            self.tail = page
            self._flags = flags
            self.shoe = shoe
        self._closed = closed
        self.used = stop
        self.boot = boot
        self.next_record = number
        self._ready = ready
        self._torn = torn
        self._failed = False

    def _spoil(self):
        """A step that failed may have left whole records behind the last durable one: no start may find them."""
        n = min(OVERHEAD, self.device.page_size - self.used)
        program(self.device, self.tail % self.device.pages, self.used, memoryview(bytes(n)))
        self._failed = False

    def _program(self, index, offset, data):
        """Program and read back: what is acknowledged was seen in the flash."""
        try:
            program(self.device, index, offset, data)
            at = 0
            check = memoryview(self._check)
            while at < len(data):
                n = min(_CHUNK, len(data) - at)
                self.device.read(index, offset + at, check[:n])
                if check[:n] != data[at : at + n]:
                    raise JournalError
                at += n
        except OSError:
            raise JournalError

    @property
    def ahead(self):
        """Whether a page is blank and waits for records."""
        return self._ready > 0

    def digest(self, page):
        """SHA-256 over all bytes of absolute `page` as they lie in flash."""
        digest = hashlib.sha256()
        view = memoryview(self._check)
        index = page % self.device.pages
        for offset in range(0, self.device.page_size, _CHUNK):
            self.device.read(index, offset, view)
            digest.update(self._check)
        return digest.digest()

    # ------------------------------------------------------------------------------------------------ room
    def idle(self):
        """Make one more blank page ahead of the tail if that is due; True when the flash was erased."""
        if self._ready >= _AHEAD or self._refused:  # then the next record tries again, and not each pause
            return False
        return self._prepare_one() == 2

    def _prepare_one(self):
        """0 no page may be had, 1 the next page was ready already, 2 it was erased."""
        page = self.tail + 1 + self._ready
        old = page - self.device.pages
        if self._ready >= self.device.pages - 1:
            return 0
        if self.tail >= 0 and old >= self.first_page and not self._give_up_oldest():
            return 0
        index = page % self.device.pages
        done = 1
        if not is_ready(self.device, index, PAGE_MAGIC, self._check):
            self._refused = True
            make_ready(self.device, index, PAGE_MAGIC)
            self._refused = False
            done = 2
        self._ready += 1
        return done

    def _give_up_oldest(self):
        """Take the oldest shoe out of the ring if it may go: all its headers are spoiled before a page is erased."""
        last = self._last_page_of_oldest()
        if last < 0:
            return False
        spoiled = memoryview(bytes(HEADER_SIZE))
        for page in range(self.first_page, last + 1):
            if self._page(page):
                program(self.device, page % self.device.pages, 0, spoiled)
        self.first_page = last + 1
        return True

    def _last_page_of_oldest(self, first=-1):
        """Last page of the shoe that starts at page `first` (the oldest) if it may go, else -1."""
        first = self.first_page if first < 0 else first
        shoe = -1
        for page in range(first, self.tail + 1):
            if self._page(page):
                if shoe < 0:
                    shoe = self._header.shoe
                elif self._header.shoe != shoe:
                    return page - 1 if self._may_overwrite(shoe, self._header.first_record - 1) else -1
        return -1

    def room(self):
        """Pages that can be had without giving up a history that must stay."""
        if self.tail < 0:
            return self.device.pages
        first = self.first_page
        while True:
            last = self._last_page_of_oldest(first)
            if last < 0:
                return self.device.pages - (self.tail - first + 1)
            first = last + 1

    def room_for_shoe(self):
        """True when a whole shoe can be dealt and some records more."""
        return self.room() >= SHOE_PAGES + SPARE_PAGES

    # ------------------------------------------------------------------------------------------------ reading
    def read(self, page, offset, buf):
        """Read bytes of absolute `page` into `buf`; False when the page is not in the ring."""
        if not self.first_page <= page <= self.tail:
            return False
        self.device.read(page % self.device.pages, offset, buf)
        return True

    def used_of(self, page):
        """Bytes of `page` that are durable and will not change: the whole page unless it is the tail."""
        return self.used if page == self.tail else self.device.page_size

    def shoes(self, from_shoe=0):
        """Yield (shoe, first_page, pages, first_record, records, closed) of each shoe in the ring, oldest first."""
        current = None
        for page in range(self.first_page, self.tail + 1):
            if not self._page(page):
                continue
            header = self._header
            if current is not None and current[0] == header.shoe:
                continue
            if current is not None and current[0] >= from_shoe:
                yield (current[0], current[1], page - current[1], current[2], header.first_record - current[2], True)
                self._page(page)
            current = (header.shoe, page, header.first_record)
        if current is not None and current[0] >= from_shoe:
            shoe, page, record = current
            yield (shoe, page, self.tail + 1 - page, record, self.next_record - record, self.closed)

    def first_page_of_shoe(self, page=-1):
        """First page of the shoe that absolute page `page` belongs to; of the tail's shoe with -1."""
        shoe = self.shoe
        if page < 0:
            page = self.tail
        elif self._page(page):
            shoe = self._header.shoe
        while page > self.first_page and (not self._page(page - 1) or self._header.shoe == shoe):
            page -= 1
        return page
