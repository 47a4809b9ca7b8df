"""One page of the journal: its header and its records."""

import binascii
import struct

from shoe.compat import const
from shoe.journal.flash import WHOLE
from shoe.wire_table import PAGE_FORMAT, PAGE_HEADER_FORMAT, PAGE_MAGIC, RECORD_FORMAT

HEADER_SIZE = const(64)
_PAGE_AT = const(8)
OVERHEAD = const(10)  # length, kind, ticks before the payload and the CRC behind it


class Header:
    """The header of one page; `read` says whether it is whole."""

    def __init__(self):
        self.buf = bytearray(HEADER_SIZE)
        self._view = memoryview(self.buf)
        self._magic = self._view[: len(PAGE_MAGIC)]
        self.flags = 0
        self.boot = 0
        self.page = 0
        self.shoe = 0
        self.first_record = 0

    def read(self, device, index):
        """Read the header of physical page `index`; True when its magic, format and CRC are right."""
        device.read(index, 0, memoryview(self.buf))
        if self.buf[0] == 0xFF:
            return False
        magic, form, self.flags, self.boot, self.page, self.shoe, self.first_record, _, _, crc = struct.unpack(
            PAGE_HEADER_FORMAT, self.buf
        )
        return magic == PAGE_MAGIC and form == PAGE_FORMAT and crc == binascii.crc32(memoryview(self.buf)[:60])

    def find(self, device):
        """(newest, oldest, number) of the pages that lie in `device` where they belong, with whole headers; newest -1.

        A start looks at every page there is: all in one loop, and without memory that would have to be collected.
        """
        buf = self.buf
        view = self._view
        magic = self._magic
        read = device.read
        crc32 = binascii.crc32
        pages = device.pages
        newest = -1
        oldest = found = 0
        for index in range(pages):
            read(index, 0, view)
            if buf[0] == 0xFF or crc32(buf) != WHOLE or magic != PAGE_MAGIC or buf[4] != PAGE_FORMAT:
                continue
            page = buf[_PAGE_AT] | buf[_PAGE_AT + 1] << 8 | buf[_PAGE_AT + 2] << 16 | buf[_PAGE_AT + 3] << 24
            if page % pages == index:
                if page > newest:
                    newest = page
                if not found or page < oldest:
                    oldest = page
                found += 1
        return newest, oldest, found

    def pack(self, flags, boot, page, shoe, first_record, device_id, previous):
        """Fill `buf` with a header; `previous` is the SHA-256 of the whole previous page."""
        struct.pack_into(
            PAGE_HEADER_FORMAT,
            self.buf,
            0,
            PAGE_MAGIC,
            PAGE_FORMAT,
            flags,
            boot,
            page,
            shoe,
            first_record,
            device_id,
            previous,
            0,
        )
        struct.pack_into("<I", self.buf, 60, binascii.crc32(memoryview(self.buf)[:60]))


def record_crc(number, body):
    """CRC-32 that binds `body` (length, kind, ticks, payload) to its record number."""
    return binascii.crc32(body, binascii.crc32(struct.pack("<I", number)))


def pack_record(buf, number, ticks_ms, kind, form, values):
    """Write one whole record to the start of bytearray `buf`; return its length in bytes."""
    length = struct.calcsize(form)
    struct.pack_into(RECORD_FORMAT, buf, 0, length, kind, ticks_ms)
    struct.pack_into(form, buf, 6, *values)
    struct.pack_into("<I", buf, 6 + length, record_crc(number, memoryview(buf)[: 6 + length]))
    return length + OVERHEAD
