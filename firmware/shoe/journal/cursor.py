"""Reading the journal: a cursor that goes from record to record over pages and never past what is durable."""

import binascii
import struct

from shoe.compat import const
from shoe.journal.flash import WHOLE
from shoe.journal.page import HEADER_SIZE, OVERHEAD, Header
from shoe.wire_table import REC_BOOT

_LONGEST = const(265)
_NUMBER = const(4)  # bytes of a record's number, see `Cursor`; behind it lie length, kind, ticks and the payload
_KIND = const(5)
_TICKS = const(6)
_PAYLOAD = const(10)


def event_form(form):
    """Format of a record from its kind on, over its ticks, to the end of the fields, which have format `form`."""
    return "<B4x" + form[1:]


class Cursor:
    """Walks records in order. After `next()` returned True the attributes describe one record.

    number, boot, ticks_ms, kind: int; payload: memoryview that the next step overwrites; page: absolute page number.
    `number` is -1 when no record is in hand.

    A start reads every record of its shoe with one, so a step takes two small blocks of the heap and looks for no more.
    What it holds it hands out, and be it of a history that was given up since: after an append `seek` comes first.
    """

    def __init__(self, journal):
        self._journal = journal
        self._device = journal.device
        self._header = Header()
        # A record's number is written before it, where the CRC of the one before lay: its CRC is over both. The last
        # byte is the length of no record: what stands behind a buffer that is used up.
        self._buf = bytearray(_NUMBER + _LONGEST + 1)
        self._view = memoryview(self._buf)
        self._from = 0  # offset in the page of the byte at `_NUMBER` in the buffer
        self._place = 0  # in the buffer, of the number before the record in hand
        self._next = 0  # and before the next one
        self._till = 0  # end of what the buffer holds; all of it is durable
        self.page = -1
        self.shoe = 0
        self.number = -1
        self.boot = 0
        self.kind = 0
        self.upcoming = -1

    def open_page(self, page):
        """Stand before the first record of absolute page `page`; False when the page is not there or damaged."""
        header = self._header
        if not header.read(self._device, page % self._device.pages) or header.page != page:
            return False
        self.page = page
        self.number = -1
        self._from = HEADER_SIZE
        self._next = self._till = 0
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
        return self._parse() or self._further()

    def _further(self):
        """Go to the next durable record behind what the buffer holds."""
        journal = self._journal
        while 0 <= self.page and self.upcoming < journal.next_record:
            if self.page < journal.first_page:
                if not self._skip_to(journal.first_page):
                    return False
                continue
            self._fill()
            if self._parse():
                return True
            if self.page >= journal.tail or not self._skip_to(self.page + 1):
                return False
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
        """Fill the buffer with what lies from `at` on, is durable and so will not change."""
        journal = self._journal
        device = self._device
        page = self.page
        # While a start looks for the end of the tail, nothing is used of it yet, and nothing is written.
        end = journal.used if page == journal.tail and journal.used else device.page_size
        self._from = at = self.at
        self._next = self._till = 0
        self.number = -1  # what was in hand is overwritten
        n = min(_LONGEST, end - at)
        if n >= OVERHEAD:
            device.read(page % device.pages, at, self._view[_NUMBER : _NUMBER + n])
            self._till = _NUMBER + n

    def _parse(self):
        """Go to the next record that the buffer holds; False when it holds no whole one."""
        # One local more, and MicroPython takes each call's frame from the heap.
        buf = self._buf
        place = self._next
        end = place + _NUMBER + OVERHEAD + buf[place + _NUMBER]
        if end > self._till:
            return False
        number = self.upcoming
        struct.pack_into("<I", buf, place, number)
        if binascii.crc32(self._view[place:end]) != WHOLE:
            return False
        self.number = number
        self.upcoming = number + 1
        self._place = place
        self._next = end - _NUMBER
        self.kind = buf[place + _KIND]
        if self.kind == REC_BOOT:
            self.boot = (self.boot + 1) & 0xFFFF
        return True

    @property
    def at(self):
        """Offset in the page of the next record."""
        return self._from + self._next

    @property
    def payload(self):
        """The fields of the record, packed."""
        at = self._place + _PAYLOAD
        return self._view[at : at + self._buf[self._place + _NUMBER]]

    def event(self, form, size):
        """(kind, field, ...) of the record; `form` is what `event_form` made of the format of its fields.

        Raises ValueError for a record with fewer than `size` bytes of fields.
        """
        if self._buf[self._place + _NUMBER] < size:
            raise ValueError("record")
        return struct.unpack_from(form, self._buf, self._place + _KIND)

    @property
    def ticks_ms(self):
        """When the record was written."""
        return struct.unpack_from("<I", self._buf, self._place + _TICKS)[0]


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
            self.seek(self.due)  # now: the first event may have no time to read the page before it
        return durable

    def send(self, link, most):
        """Send what `link` takes, `most` events at most."""
        self.behind = False
        while 0 <= self.due < self._journal.next_record and link.subscribed:
            if not most:
                self.behind = True
                return
            most -= 1
            # The record that the link did not take is still in hand: no need to read its page again up to it.
            held = self.number == self.due and self.page >= self._journal.first_page
            if not held and (not self.seek(self.due) or not self.next()):
                return
            if not link.send_event(self.number, self.boot, self.ticks_ms, self.kind, self.payload):
                return
            self.due = self.number + 1
