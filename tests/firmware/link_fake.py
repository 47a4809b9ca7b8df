"""A service and a line for tests of the link: N records, some pages, and counters of what was carried out."""

import gc
import struct

from shoe.line.link import Link
from shoe.line.wire import HEADER_SIZE, MAX_FRAME, OK, FrameReader, FrameWriter
from shoe.service_error import ServiceError
from shoe.wire_table import (
    ERROR_BAD_VALUE,
    ERROR_NO_SUCH_PAGE,
    ERROR_NO_SUCH_RECORD,
    ERROR_NO_SUCH_SHOE,
    PAGE_SIZE,
    REC_CARD,
)


def pattern(seed, size, room=0):
    """Return `size` bytes that look random and need no random module, 0xFF behind them up to `room`."""
    out = bytearray(max(size, room))
    for i in range(size, room):
        out[i] = 0xFF
    state = seed * 2654435761 & 0x3FFFFFFF | 1
    for i in range(size):
        state = (state * 1103515245 + 12345) & 0x3FFFFFFF
        out[i] = state >> 16 & 0xFF
    return out


class FakeService:
    """Holds records 1..N (card records) and pages of one shoe; `boot` and `epoch` as the tests set them."""

    def __init__(self, records=0, pages=0, last_used=1000):
        self.link = None
        self.boot = 1
        self.epoch = 17
        self.device = b"shoe0001"
        self.board = b"fake"
        self.records = []
        self.oldest = 1
        self.pages = []
        self.used = []
        gc.collect()  # a page needs its 4 KiB in one piece
        for i in range(pages):
            used = last_used if i == pages - 1 else PAGE_SIZE
            self.pages.append(pattern(i + 1, used, PAGE_SIZE))
            self.used.append(used)
        self.first_page = 5
        self.config = {}
        self.keys = []
        self.fetched = []
        self.calls = 0
        for _ in range(records):
            self.append()

    def append(self):
        """Make one more durable record; return its number."""
        number = len(self.records) + 1
        payload = struct.pack("<BBBBBBHB", 0, 1 + number % 7, 0, 0, number % 52, 1, 100 + number % 50, 255)
        self.records.append((self.boot, number * 10 & 0x3FFFFFFF, REC_CARD, payload))
        return number

    def push(self, number):
        """Send a record live."""
        boot, ticks, kind, payload = self.records[number - 1]
        return self.link.send_event(number, boot, ticks, kind, payload)

    def identify(self):
        return (1, 0, self.device, bytes((0, 1, 0)), self.boot, self.epoch, self.board)

    def status(self):
        self.calls += 1
        n = len(self.records) + 1
        return (1, 0, 0, 1, 0, 1, n, n, 0, 0, 0, 100000)

    def config_read(self):
        out = b""
        for key in sorted(self.config):
            out += struct.pack("<BI", key, self.config[key])
        return (1234, out)

    def config_write(self, pairs):
        for at in range(0, len(pairs), 5):
            key, value = struct.unpack_from("<BI", pairs, at)
            if value > 1000:
                raise ServiceError(ERROR_BAD_VALUE, key)
            self.config[key] = value
        return (1234,)

    def history_list(self, from_shoe):
        rows = b""
        more = 0
        for shoe in range(max(1, from_shoe), 31):
            if len(rows) > 300:
                more = 1
                break
            pages = len(self.pages) if shoe == 1 else 0
            rows += struct.pack("<IIHIIBB", shoe, self.first_page, pages, 1, len(self.records), 1, shoe in self.fetched)
        return (more, rows)

    def history_read(self, page, offset, into):
        index = page - self.first_page
        if not 0 <= index < len(self.pages):
            raise ServiceError(ERROR_NO_SUCH_PAGE)
        used = self.used[index]
        n = max(0, min(len(into), used - offset))
        into[:n] = memoryview(self.pages[index])[offset : offset + n]
        return (n, used)

    def history_fetched(self, shoe):
        if shoe > 30:
            raise ServiceError(ERROR_NO_SUCH_SHOE)
        self.fetched.append(shoe)

    def subscribe(self, on, from_record):
        return (len(self.records) + 1,)

    def event_read(self, from_record, count):
        if from_record > len(self.records):
            raise ServiceError(ERROR_NO_SUCH_RECORD)
        first = max(from_record, self.oldest)
        sent = 0
        while sent < count and first + sent <= len(self.records) and self.push(first + sent):
            sent += 1
        return (first, sent)

    def self_test(self):
        return (0, 0)

    def trace(self, index, offset):
        if index:
            return (1, 0, 0, 0, offset, b"")
        edges = b"".join([struct.pack("<HB", 10 * i, i & 15) for i in range(300)])
        return (1, 0, 0, 300, offset, edges[offset : offset + 351])

    def key(self, key, argument):
        self.keys.append((key, argument))
        return (1, 2)

    def levels(self, head):
        return head, 255, 32768, 255, 0, 0, 0, 63, bytes(24)

    def calibrate(self, head, step, threshold):
        return step, threshold, 255

    def signing_key(self):
        return (0, 0, 0, 0, 0, b"")

    def signature(self, shoe, offset):
        return (3, shoe, 0, offset, b"")

    def ticks(self):
        return (self.boot, 12, 12000, 3)


class Line:
    """The wires of one Link: `sent` collects what the device wrote; `room` bounds what it may write (None: all)."""

    def __init__(self, service, queue=2048):
        self.sent = bytearray()
        self.room = None
        self.link = Link(self.write, queue)
        self.link.serve((service,))
        self.link.epoch = service.epoch
        service.link = self.link

    def write(self, buf, n):
        if self.room is not None:
            n = min(n, self.room)
            self.room -= n
        self.sent += bytes(buf[:n])
        return n

    def give(self, data):
        """Let the device receive bytes."""
        self.link.receive(data, len(data))

    def take(self):
        """Return what the device has written, and forget it."""
        out = bytes(self.sent)
        self.sent = bytearray()
        return out

    def ask(self, kind, payload=b"", sequence=1, epoch=None):
        """Send one request; return the frames that come back as (kind, epoch, sequence, payload)."""
        self.give(frame(kind, payload, sequence, self.link.epoch if epoch is None else epoch))
        return frames(self.take())


def frame(kind, payload=b"", sequence=1, epoch=0):
    """One encoded frame."""
    writer = FrameWriter()
    writer.buffer[HEADER_SIZE : HEADER_SIZE + len(payload)] = payload
    out = bytearray(MAX_FRAME)
    return bytes(out[: writer.encode(kind, epoch, sequence, len(payload), out, 0)])


def frames(data):
    """All whole frames in the data as (kind, epoch, sequence, payload)."""
    reader = FrameReader()
    found = []
    at = 0
    while at < len(data):
        at = reader.feed(data, at, len(data))
        if reader.status == OK:
            payload = bytes(reader.buffer[HEADER_SIZE : HEADER_SIZE + reader.length])
            found.append((reader.kind, reader.epoch, reader.sequence, payload))
    return found
