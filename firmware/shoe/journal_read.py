"""Reading the journal: a cursor that goes from record to record over pages and never past what is durable."""

import struct

from shoe.compat import const
from shoe.journal_page import HEADER_SIZE, OVERHEAD, Header, record_crc
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
        self.at = 0
        self.page = -1
        self.shoe = 0
        self.number = -1
        self.boot = 0
        self.ticks_ms = 0
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

    def stand_by(self, other):
        """Stand where the cursor `other` stands; its record in hand is not taken over."""
        self.page = other.page
        self.at = other.at
        self.shoe = other.shoe
        self.boot = other.boot
        self.upcoming = other.upcoming

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

    def _parse(self):
        at = self.at
        page_size = self._device.page_size
        if at + OVERHEAD > page_size:
            return False
        index = self.page % self._device.pages
        view = self._view
        self._device.read(index, at, view[:6])
        length = self._buf[0]
        if length == 0xFF or at + length + OVERHEAD > page_size:
            return False
        self._device.read(index, at + 6, view[6 : length + OVERHEAD])
        (crc,) = struct.unpack_from("<I", self._buf, 6 + length)
        if crc != record_crc(self.upcoming, view[: 6 + length]):
            return False
        self.number = self.upcoming
        self.upcoming += 1
        self.kind = self._buf[1]
        (self.ticks_ms,) = struct.unpack_from("<I", self._buf, 2)
        self.payload = view[6 : 6 + length]
        self.at = at + length + OVERHEAD
        if self.kind == REC_BOOT:
            self.boot = (self.boot + 1) & 0xFFFF
        return True
