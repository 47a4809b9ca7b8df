"""Small durable notes beside the journal: two flash pages, one in use, the other next.

A page is header (magic, sequence, length and CRC of the body it was written with), that body, then entries put later.
An entry is length u8, kind u8, payload, CRC-32 over (sequence u32, length, kind, payload). The header goes last, so a
power cut leaves the old page or the new one; a torn entry at the end was never acknowledged and is dropped. The next
page waits erased, marked with the magic of its header: see shoe/journal/flash.py.
"""

import binascii
import struct

from shoe.compat import const
from shoe.journal.flash import WHOLE, is_blank, is_ready, make_ready, program

_HEADER = "<4sIHHI"  # magic, sequence, body length, reserved, crc of body; then crc of these 16 bytes
_BODY = const(20)
_OVERHEAD = const(6)
_LONGEST = const(240)
_MAGIC = b"NOTE"

_scratch = bytearray(256)  # of all notes: nothing in it outlives a call

_UNKNOWN = const(0)
_READY = const(1)  # erased and marked
_FAILED = const(2)  # the flash did not erase it

BLANK = const(0)  # never written
GOOD = const(1)
DAMAGED = const(2)  # written once, and no longer readable


class NotesFull(Exception):
    """What must be kept does not fit one page."""


class Notes:
    """Entries in pages `first` and `first` + 1 of `device`; `live()` gives all (kind, payload) that must be kept."""

    def __init__(self, device, first, live):
        self._device = device
        self._first = first
        self._live = live
        self._buf = _scratch
        self._slot = 0
        self._sequence = 0
        self._at = 0
        self._torn = True
        self._other = _UNKNOWN  # the page that is out of use
        self.state = BLANK

    def start(self, take=None):
        """Find the page in use; call `take(kind, payload)` for each entry in the order in which they were put.

        `payload` is a memoryview that the next entry overwrites.
        """
        best = -1
        for slot in (0, 1):
            sequence = self._read_header(slot)
            if sequence > best:
                best = sequence
                self._slot = slot
        self._other = _UNKNOWN
        self._torn = True
        if best < 0:
            # The header goes last: a first writing that a power cut ended has left none.
            self.state = BLANK if self._no_header(0) and self._no_header(1) else DAMAGED
            self._sequence = 0
            return
        self._sequence = best
        self.state = GOOD
        page = self._first + self._slot
        self._at = at = self._read_entries(page, take)
        if at < _BODY + self._body_length(page):
            self.state = DAMAGED
        self._torn = not is_blank(self._device, page, at, self._buf)

    def _read_header(self, slot):
        """Sequence of the page in `slot`, -1 when its header is not whole."""
        view = memoryview(self._buf)[:_BODY]
        self._device.read(self._first + slot, 0, view)
        magic, sequence, _, _, _ = struct.unpack(_HEADER, view[:16])
        (crc,) = struct.unpack("<I", view[16:])
        return sequence if magic == _MAGIC and crc == binascii.crc32(view[:16]) else -1

    def _no_header(self, slot):
        view = memoryview(self._buf)[:_BODY]
        self._device.read(self._first + slot, 0, view)
        return bytes(view) == b"\xff" * _BODY

    def _body_length(self, page):
        view = memoryview(self._buf)[:16]
        self._device.read(page, 0, view)
        return struct.unpack(_HEADER, view)[2]

    def _read_entries(self, page, take):
        """Hand each entry of `page` to `take` out of the buffer, which holds many of them; return where they end."""
        device = self._device
        buf = self._buf
        view = memoryview(buf)
        first = self._crc(b"")
        at = start = end = _BODY  # the buffer holds the bytes of the page from `start` up to `end`
        while True:
            place = at - start
            if at + _OVERHEAD > end or at + buf[place] + _OVERHEAD > end:
                start = at
                end = min(at + len(buf), device.page_size)
                place = 0
                if at + _OVERHEAD > end:
                    return at
                device.read(page, at, view[: end - at])
            n = buf[place]
            stop = place + 2 + n
            if n > _LONGEST or at + n + _OVERHEAD > end:
                return at
            if binascii.crc32(view[place : stop + 4], first) != WHOLE:
                return at
            if take is not None:
                take(buf[place + 1], view[place + 2 : stop])
            at += n + _OVERHEAD

    def _crc(self, body):
        return binascii.crc32(body, binascii.crc32(struct.pack("<I", self._sequence)))

    def _pack(self, kind, payload):
        n = len(payload)
        self._buf[0] = n
        self._buf[1] = kind
        self._buf[2 : 2 + n] = payload
        struct.pack_into("<I", self._buf, 2 + n, self._crc(memoryview(self._buf)[: 2 + n]))
        return n + _OVERHEAD

    def put(self, kind, payload):
        """Make one entry durable. The owner has put it into what `live()` gives before. Raises NotesFull."""
        if self._torn or self.state != GOOD or self._at + len(payload) + _OVERHEAD > self._device.page_size:
            self.rewrite()
            return
        n = self._pack(kind, payload)
        end = self._at + n
        self._torn = True
        self._program(self._first + self._slot, self._at, n)
        self._at = end
        self._torn = False

    def _program(self, page, at, n):
        """Program `n` bytes of the buffer and read them back."""
        view = memoryview(self._buf)[:n]
        want = binascii.crc32(view)
        program(self._device, page, at, view)
        self._device.read(page, at, view)
        if binascii.crc32(view) != want:
            raise OSError(5)

    def rewrite(self):
        """Write everything that `live()` gives into the other page and go over to it. Raises NotesFull."""
        slot = 1 - self._slot if self.state == GOOD else self._slot
        page = self._first + slot
        size = 0
        for _, payload in self._live():
            size += len(payload) + _OVERHEAD
        if _BODY + size > self._device.page_size:
            raise NotesFull
        if not (self._other == _READY and self.state == GOOD):
            self._device.erase(page)
        self._other = _UNKNOWN
        self._torn = True
        self._sequence += 1
        at = _BODY
        crc = 0
        for kind, payload in self._live():
            n = self._pack(kind, payload)
            crc = binascii.crc32(memoryview(self._buf)[:n], crc)
            self._program(page, at, n)
            at += n
        struct.pack_into(_HEADER, self._buf, 0, _MAGIC, self._sequence, size, 0, crc)
        struct.pack_into("<I", self._buf, 16, binascii.crc32(memoryview(self._buf)[:16]))
        self._program(page, 0, _BODY)
        self._slot = slot
        self._at = at
        self._torn = False
        self.state = GOOD

    def damaged(self):
        """True when notes were written once and cannot be read."""
        return self.state == DAMAGED

    def idle(self):
        """Erase the page that is out of use; True when the flash was erased."""
        if self.state != GOOD or self._other:
            return False
        page = self._first + 1 - self._slot
        erase = not is_ready(self._device, page, _MAGIC, self._buf)
        if erase:
            self._other = _FAILED  # then the next rewriting tries again, and not each pause
            make_ready(self._device, page, _MAGIC)
        self._other = _READY
        return erase
