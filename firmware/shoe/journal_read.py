"""Reading the journal: a cursor that goes from record to record over pages and never past what is durable."""

import binascii
import struct

from shoe.compat import const
from shoe.journal_page import HEADER_SIZE, OVERHEAD, WHOLE, Header
from shoe.wire_table import REC_BOOT

_LONGEST = const(265)


class Cursor:
    """Walks records in order. After `next()` returned True the attributes describe one record.

    number, boot, ticks_ms, kind: int; payload: memoryview that the next step overwrites; page: absolute page number.
    """

    def __init__(self, journal):
        self._journal = journal
        self._device = journal.device
        self._header = Header()
        self._buf = bytearray(_LONGEST)
        self._view = memoryview(self._buf)
        self._held = -1  # page of which the buffer holds the bytes from `_from` up to `_till`
        self._from = 0
        self._number = bytearray(4)
        self._till = 0
        self.at = 0
        self.page = -1
        self.shoe = 0
        self.number = -1
        self.boot = 0
        self._place = 0  # of the record in hand in the buffer
        self.kind = 0
        self.payload = self._view[:0]
        self.upcoming = -1

    def open_page(self, page):
        """Stand before the first record of absolute page `page`; False when the page is not there or damaged."""
        header = self._header
        if not header.read(self._device, page % self._device.pages) or header.page != page:
            return False
        self.page = page
        self.at = HEADER_SIZE
        self.shoe = header.shoe
        self.boot = header.boot
        self.upcoming = header.first_record
        return True

    def seek(self, number):
        """Stand before record `number`, or before the first one after it that is still there; False when none is."""
        journal = self._journal
        if self.page < journal.first_page or self.page > journal.tail or self.upcoming > number or self.upcoming < 0:
            if not self._open_page_of(number):
                return False
        while self.upcoming < number:
            if not self.next():
                return False
        return number < journal.next_record

    def _open_page_of(self, number):
        """Open the last page that starts at or before record `number`; the oldest when all start after it."""
        low = self._journal.first_page
        high = self._journal.tail
        if high < 0:
            return False
        while low < high:
            middle = (low + high + 1) // 2
            self._skip_to(middle)
            if self.upcoming <= number:
                low = middle
            else:
                high = middle - 1
        return self._skip_to(low)

    def next(self):
        """Go to the next durable record; False at the end."""
        journal = self._journal
        while True:
            if self.page < 0 or self.upcoming >= journal.next_record:
                return False
            if self.page < journal.first_page:
                if not self._skip_to(journal.first_page):
                    return False
                continue
            if self._parse():
                return True
            if self.page >= journal.tail or not self._skip_to(self.page + 1):
                return False

    def _skip_to(self, page):
        boot = self.boot
        while page <= self._journal.tail:
            if self.open_page(page):
                return True
            page += 1
        self.boot = boot
        return False

    def _fill(self):
        """Fill the buffer from `at` on with what is durable there and so will not change; the number of bytes."""
        journal = self._journal
        device = self._device
        page = self.page
        # While a start looks for the end of the tail, nothing is used of it yet, and nothing is written.
        end = journal.used if page == journal.tail and journal.used else device.page_size
        at = self.at
        n = min(_LONGEST, end - at)
        if n >= OVERHEAD:
            device.read(page % device.pages, at, self._view[:n])
            self._held = page
            self._from = at
            self._till = at + n
        return n

    def _parse(self):
        at = self.at
        buf = self._buf
        place = at - self._from
        if (
            self._held != self.page
            or place < 0
            or at + OVERHEAD > self._till
            or at + buf[place] + OVERHEAD > self._till
        ):
            place = 0
            n = self._fill()
            if n < OVERHEAD or buf[0] == 0xFF or buf[0] + OVERHEAD > n:
                return False
        length = buf[place]
        end = place + 6 + length
        number = self.upcoming
        struct.pack_into("<I", self._number, 0, number)
        if binascii.crc32(self._view[place : end + 4], binascii.crc32(self._number)) != WHOLE:
            return False
        self.number = number
        self.upcoming = number + 1
        self.kind = kind = buf[place + 1]
        self._place = place
        self.payload = self._view[place + 6 : end]
        self.at = at + length + OVERHEAD
        if kind == REC_BOOT:
            self.boot = (self.boot + 1) & 0xFFFF
        return True

    @property
    def ticks_ms(self):
        """When the record was written."""
        return struct.unpack_from("<I", self._buf, self._place + 2)[0]


class Live(Cursor):
    """Where a subscriber is: `due` is the next record to send, -1 without one; `behind`: more could be sent at once."""

    def __init__(self, journal):
        super().__init__(journal)
        self.due = -1
        self.behind = False

    def follow(self, on, from_record):
        """Start, at `from_record` or with None at the next one, or end. Returns the number of the next record."""
        durable = self._journal.next_record
        self.due = -1
        if on:
            self.due = durable if from_record is None else min(from_record, durable)
        return durable

    def send(self, link, most):
        """Send what `link` takes, `most` events at most."""
        self.behind = False
        while 0 <= self.due < self._journal.next_record and link.subscribed:
            if not most:
                self.behind = True
                return
            most -= 1
            if not self.seek(self.due) or not self.next():
                return
            if not link.send_event(self.number, self.boot, self.ticks_ms, self.kind, self.payload):
                return
            self.due = self.number + 1
