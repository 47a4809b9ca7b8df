"""The device's end of the line: carries out requests once, answers them, pushes events, and never waits for the host.

`Link(write)` is fed raw bytes by `receive` and calls one method of the services that `serve` named per request (names
and arguments as in protocol.toml; `identify` gets none, `history_list` and `trace` do not get `most`, which the link
heeds itself). A method returns the answer's fields as a tuple, a `rest` field last, or raises ServiceError.
`history_read` alone gets page, offset and a buffer, which it fills; it returns how far, and `used`, since what an
answer takes of the heap is collected in the middle of a history. `write(buffer, n)` is offered the buffer's first n
bytes and returns how many it took; what it did not take waits in a bounded queue until `pump` is called again. An event
that finds the queue full is left out: the host sees the gap and asks again.
"""

import struct

from shoe.compat import const
from shoe.line.wire import HEADER_SIZE, MAX_FRAME, MAX_PAYLOAD, NONE, OK, FrameReader, FrameWriter, Prefix
from shoe.service_error import ServiceError
from shoe.wire_table import (
    ANSWER,
    ANSWER_FORMATS,
    ERROR_BAD_LENGTH,
    ERROR_STALE_EPOCH,
    ERROR_UNKNOWN_MESSAGE,
    ERROR_VERSION,
    GATE_REQUESTS,
    MAJOR,
    MINOR,
    MSG_ERROR,
    MSG_EVENT,
    MSG_EVENT_READ,
    MSG_HISTORY_LIST,
    MSG_HISTORY_READ,
    MSG_IDENTIFY,
    MSG_LOG,
    MSG_PRIVILEGED,
    MSG_SUBSCRIBE,
    MSG_TRACE,
    PRIVILEGED_REQUESTS,
    REQUEST_FORMATS,
    REQUEST_NAMES,
    REST_REQUESTS,
    UNASKED_FORMATS,
)

_FIRST_UNASKED = const(64)
_WINDOW = const(16)  # sequences behind the newest one that are still told apart
_CACHED = const(8)  # answers kept for duplicates; the host keeps at most this many requests under way
# An answer with a longer payload is not kept, and its request, which only reads, is carried out again when it comes
# again: so answers to requests that change something must be this short.
KEPT_PAYLOAD = const(48)
_KEPT_FRAME = const(63)  # header, CRC, one byte of COBS and both delimiters more
_NO_SEQUENCE = const(-1)
_SHOE_ROW = const(20)  # bytes of one shoe in a history_list answer
_ENVELOPE = const(33)  # bytes of `privileged` before the command's own

_PAGE_FIELDS = struct.calcsize(ANSWER_FORMATS[MSG_HISTORY_READ])  # bytes of such an answer before the page's own
MAX_HISTORY_DATA = MAX_PAYLOAD - _PAGE_FIELDS  # bytes of a page in one answer


class Link:
    """One line to one host. Its owner calls `serve`, sets `epoch` (1..65535, new at each boot) before the first byte.

    Counters, for self-test and tests: `frames` good ones, `damaged` pieces between delimiters that were no frame (noise
    and stray text), `ignored` frames that were no request, `duplicates` answered from the cache, `replayed` refused as
    too old or done already, `stale` meant for another epoch, `dropped_events` and `dropped_answers` for want of room.
    """

    def __init__(self, write, queue=2048):
        self.epoch = 1
        self.subscribed = False
        self.fetching = False  # histories or a piece of one were asked for since the owner set it back
        self._services = ()
        self._gate = self._requests = None
        self._write = write
        self._reader = FrameReader()
        self._writer = FrameWriter()
        self._work = self._writer.buffer
        self._page_bytes = Prefix(memoryview(self._work)[HEADER_SIZE + _PAGE_FIELDS :])
        self._out = bytearray(queue)
        self._out_view = memoryview(self._out)
        self._head = 0  # first byte that waits
        self._tail = 0  # behind the last byte that waits
        self._unasked = 0  # sequence of events and log lines
        self._resending = False
        self._session = b""
        self._newest = _NO_SEQUENCE
        self._seen = 0  # bit i: the request i behind the newest was carried out
        self._keys = bytearray(4 * _CACHED)  # CRC of the request, which covers its sequence too
        self._answers = [bytearray(_KEPT_FRAME) for _ in range(_CACHED)]
        self._sizes = [0] * _CACHED
        self._slot = 0
        self.frames = self.damaged = self.ignored = 0
        self.duplicates = self.replayed = self.stale = 0
        self.dropped_events = self.dropped_answers = 0

    def serve(self, services, gate=None, requests=None):
        """Carry out requests by the methods of `services`; `gate` is asked before each privileged one.

        `requests.carry_out` surrounds each of them, and ends one that is broken off.
        """
        self._services, self._gate, self._requests = services, gate, requests
        self._read_history = self._method("history_read")  # found once: a piece of a history takes nothing of the heap

    def _method(self, name):
        for service in self._services:
            if hasattr(service, name):
                return getattr(service, name)
        raise ServiceError(ERROR_UNKNOWN_MESSAGE)

    # ------------------------------------------------------------------------------------------------- towards us
    def receive(self, buf, n):
        """Take n raw bytes from the line, carry out the requests in them, and write what the line takes."""
        reader = self._reader
        at = 0
        while at < n:
            at = reader.feed(buf, at, n)
            status = reader.status
            if status == OK:
                self.frames += 1
                if self._requests is None:
                    self.answer()
                else:
                    self._requests.carry_out(self)
                self.pump()  # before the next answer needs the room
            elif status != NONE:
                self.damaged += 1
        self.pump()

    def fail(self, code, detail):
        """Answer a request that was broken off; it is not carried out again when it comes again."""
        self._remember(self._pack_error(self._reader.kind, code, detail))

    def answer(self):
        """Carry out the request that the reader holds, and answer it."""
        reader = self._reader
        kind = reader.kind
        if reader.version >> 4 != MAJOR:
            self._refuse(kind, ERROR_VERSION, MAJOR << 8 | MINOR)
            return
        if kind == 0 or kind >= _FIRST_UNASKED:
            self.ignored += 1  # our own frames come back on an echoing line
            return
        if reader.epoch != self.epoch and not (reader.epoch == 0 and kind == MSG_IDENTIFY):
            # A key press from before a restart must not be carried out after it.
            self.stale += 1
            self._refuse(kind, ERROR_STALE_EPOCH, self.epoch)
            return
        # One that is newer than all others was not carried out before.
        newest = self._newest
        if newest >= 0 and not 0 < (reader.sequence - newest) & 0xFFFF < 0x8000 and self._repeat():
            return
        if self._room() < MAX_FRAME:
            self.dropped_answers += 1  # not carried out: the host asks again
            return
        if kind == MSG_IDENTIFY and not self._open_session():
            self._refuse(kind, ERROR_BAD_LENGTH, 4)
            return
        if not self._fresh(reader.sequence):
            self.replayed += 1
            return
        self._remember(self._carry_out(kind))

    def _carry_out(self, kind):
        """Call its method; return the length of the answer that now stands in the work buffer, kind in byte 1."""
        reader = self._reader
        work = self._work
        start = HEADER_SIZE
        gate = self._gate
        try:
            name = REQUEST_NAMES.get(kind)
            if name is None or (gate is None and kind in GATE_REQUESTS):
                raise ServiceError(ERROR_UNKNOWN_MESSAGE)
            if gate is not None and kind == MSG_PRIVILEGED:
                asked, tag, body = self._arguments(kind, start)
                gate.tagged(asked, tag, body)
                if self._requests is not None:
                    self._requests.begin()  # what was recorded of the attempt is no part of it
                name = REQUEST_NAMES[asked]
                kind = asked
                start += _ENVELOPE
            elif gate is not None and kind in PRIVILEGED_REQUESTS:
                gate.plain(kind, bytes(memoryview(reader.buffer)[start : start + reader.length]))
            arguments = self._arguments(kind, start)
            if kind == MSG_HISTORY_READ:
                self.fetching = True
                return self._read_page(arguments[0], arguments[1], min(arguments[2], MAX_HISTORY_DATA))
            most = 0
            if kind == MSG_HISTORY_LIST:
                self.fetching = True
            if kind == MSG_HISTORY_LIST or kind == MSG_TRACE:
                most = int(arguments[-1])  # how long the answer may be is the link's affair
                arguments = arguments[:-1]
            if kind == MSG_EVENT_READ:
                self._resending = True
            try:
                fields = self._method(name)(*arguments)
            finally:
                self._resending = False
            if kind == MSG_SUBSCRIBE:
                self.subscribed = bool(arguments[0])
            if most and kind == MSG_HISTORY_LIST and len(fields[1]) > most * _SHOE_ROW:
                fields = (1, fields[1][: most * _SHOE_ROW])
            elif most and kind == MSG_TRACE:
                fields = fields[:5] + (fields[5][:most],)
            work[1] = reader.kind + ANSWER
            return self._pack(ANSWER_FORMATS[kind], fields or ())
        except ServiceError as error:
            return self._pack_error(reader.kind, error.code, error.detail)

    def _pack_error(self, kind, code, detail):
        """Put an error into the work buffer; return its length."""
        self._work[1] = MSG_ERROR
        struct.pack_into(UNASKED_FORMATS[MSG_ERROR], self._work, HEADER_SIZE, kind, code, detail)
        return struct.calcsize(UNASKED_FORMATS[MSG_ERROR])

    def _arguments(self, kind, start):
        reader = self._reader
        layout = "<" if kind == MSG_IDENTIFY else REQUEST_FORMATS[kind]
        size = struct.calcsize(layout)
        if HEADER_SIZE + reader.length < start + size:
            raise ServiceError(ERROR_BAD_LENGTH, size)
        # Bytes behind the fields come from a newer minor version and are left out.
        arguments = struct.unpack_from(layout, reader.buffer, start)
        if kind in REST_REQUESTS:
            arguments += (bytes(memoryview(reader.buffer)[start + size : HEADER_SIZE + reader.length]),)
        return arguments

    def _read_page(self, page, offset, most):
        """Put the answer with at most `most` bytes of a page into the work buffer; return its length."""
        n, used = self._read_history(page, offset, self._page_bytes.of(most))
        work = self._work
        struct.pack_into(ANSWER_FORMATS[MSG_HISTORY_READ], work, HEADER_SIZE, page, offset, used)
        work[1] = self._reader.kind + ANSWER
        return _PAGE_FIELDS + n

    def _pack(self, layout, fields):
        """Put the fields of a message into the work buffer, a rest field behind the fixed ones; return the length."""
        work = self._work
        size = struct.calcsize(layout)
        rest = b""
        # The last field is a rest when the format's last letter does not stand for bytes.
        if fields and not isinstance(fields[-1], int) and not layout.endswith("s"):
            rest = fields[-1]
            fields = fields[:-1]
        length = size + len(rest)
        if length > MAX_PAYLOAD:
            raise ServiceError(ERROR_BAD_LENGTH, length)
        struct.pack_into(layout, work, HEADER_SIZE, *fields)
        if len(rest):
            work[HEADER_SIZE + size : HEADER_SIZE + length] = rest
        return length

    # --------------------------------------------------------------------------------- once and only once
    def _open_session(self):
        """A host that names a new session starts with clean books; the same one coming back keeps its cache."""
        reader = self._reader
        if reader.length < 4:
            return False
        session = bytes(memoryview(reader.buffer)[HEADER_SIZE : HEADER_SIZE + 4])
        if session != self._session:
            self._session = session
            self._newest = _NO_SEQUENCE
            self._seen = 0
            self.subscribed = False
            for slot in range(_CACHED):
                self._sizes[slot] = 0
        return True

    def _repeat(self):
        """Answer a request that was carried out before from the cache; False when it is not there."""
        buffer = self._reader.buffer
        at = HEADER_SIZE + self._reader.length
        keys = self._keys
        for slot in range(_CACHED):
            key = 4 * slot
            if (
                self._sizes[slot]
                and keys[key] == buffer[at]
                and keys[key + 1] == buffer[at + 1]
                and keys[key + 2] == buffer[at + 2]
                and keys[key + 3] == buffer[at + 3]
            ):
                self.duplicates += 1
                if not self._queue(self._answers[slot], self._sizes[slot], 0):
                    self.dropped_answers += 1
                return True
        return False

    def _fresh(self, sequence):
        """Note a sequence as carried out; False when it was already, or is too old to tell."""
        if self._newest == _NO_SEQUENCE:
            ahead = _WINDOW
        else:
            ahead = (sequence - self._newest) & 0xFFFF
        if 0 < ahead < 0x8000:
            self._seen = (self._seen << ahead | 1) & 0xFFFF if ahead < _WINDOW else 1
            self._newest = sequence
            return True
        behind = (self._newest - sequence) & 0xFFFF
        if behind >= _WINDOW or self._seen >> behind & 1:
            return False
        self._seen |= 1 << behind
        return True

    def _remember(self, length):
        """Queue the answer in the work buffer; keep it for duplicates, or if it is long, let them be carried out."""
        reader = self._reader
        sequence = reader.sequence
        if length > KEPT_PAYLOAD:
            self._seen &= ~(1 << ((self._newest - sequence) & 0xFFFF))
            if not self._send(self._work[1], sequence, length, 0):
                self.dropped_answers += 1
            return
        slot = self._slot
        self._slot = (slot + 1) % _CACHED
        at = HEADER_SIZE + reader.length
        for i in range(4):
            self._keys[4 * slot + i] = reader.buffer[at + i]
        answer = self._answers[slot]
        size = self._writer.encode(self._work[1], self.epoch, sequence, length, answer, 0)
        self._sizes[slot] = size
        if not self._queue(answer, size, 0):
            self.dropped_answers += 1

    def _refuse(self, kind, code, detail):
        """Answer with an error that nothing needs to remember."""
        length = self._pack_error(kind, code, detail)
        if not self._send(MSG_ERROR, self._reader.sequence, length, 0):
            self.dropped_answers += 1

    # ------------------------------------------------------------------------------------------------ towards the host
    def send_event(self, record_no, boot, ticks_ms, kind, payload):
        """Push one durable record; False when nobody subscribed or the queue is full (the host asks for it again)."""
        if not (self.subscribed or self._resending):
            return False
        layout = UNASKED_FORMATS[MSG_EVENT]
        length = self._pack(layout, (record_no, boot, ticks_ms, kind, payload))
        # Events leave room for one answer, so that a silent host can always be talked to again.
        if self._send(MSG_EVENT, self._unasked, length, MAX_FRAME):
            self._unasked = (self._unasked + 1) & 0xFFFF
            self.pump()
            return True
        self.dropped_events += 1
        return False

    def send_log(self, text):
        """Send a line of text for people, cut to what fits a frame; left out when the queue is full."""
        data = text.encode()
        length = min(len(data), MAX_PAYLOAD)
        while length < len(data) and data[length] & 0xC0 == 0x80:
            length -= 1  # cut before a character, not inside it
        self._work[HEADER_SIZE : HEADER_SIZE + length] = data[:length]
        if self._send(MSG_LOG, self._unasked, length, MAX_FRAME):
            self._unasked = (self._unasked + 1) & 0xFFFF
            self.pump()

    @property
    def session(self):
        """The number that the host drew when it identified us, 4 bytes; empty before."""
        return self._session

    def pump(self):
        """Hand waiting bytes to the line as far as it takes them; return how many still wait."""
        while self._head < self._tail:
            n = self._tail - self._head
            taken = self._write(self._out_view[self._head : self._tail] if self._head else self._out, n)
            if not taken or taken < 0:
                return n
            self._head += taken
        self._head = self._tail = 0
        return 0

    def _room(self):
        return len(self._out) - (self._tail - self._head)

    def _send(self, kind, sequence, length, reserve):
        """Encode the payload in the work buffer straight into the queue; False when it does not fit."""
        if self._room() < MAX_FRAME + reserve:
            return False
        self._make_room(MAX_FRAME)
        self._tail = self._writer.encode(kind, self.epoch, sequence, length, self._out, self._tail)
        return True

    def _queue(self, frame, size, reserve):
        if self._room() < size + reserve:
            return False
        self._make_room(size)
        tail = self._tail
        self._out[tail : tail + size] = memoryview(frame)[:size]
        self._tail = tail + size
        return True

    def _make_room(self, size):
        """Move what waits to the front when the end of the buffer is near."""
        if len(self._out) - self._tail >= size:
            return
        n = self._tail - self._head
        self._out_view[:n] = self._out_view[self._head : self._tail]
        self._head = 0
        self._tail = n
