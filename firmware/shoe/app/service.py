"""What the host may ask: one method per request of protocol.toml, named and answered as there; refusals are errors.

One class for each subject; `Link` finds the method by its name. Nothing here can reach the vault or the face of a card
that lies face down; `trace` serves public passes only.
"""

import gc
import struct

from shoe.compat import const, ticks_diff
from shoe.config import Config
from shoe.service_error import ServiceError
from shoe.version import VERSION
from shoe.wire_table import (
    ERROR_BAD_VALUE,
    ERROR_BUSY,
    ERROR_NO_SUCH_PAGE,
    ERROR_NO_SUCH_RECORD,
    ERROR_NO_SUCH_SHOE,
    ERROR_NOT_ALLOWED_NOW,
    ERROR_WAIT,
    MAJOR,
    MINOR,
    PAGE_SIZE,
    PHASE_EMPTY,
    PHASE_FINISHED,
    PHASE_READY,
    REC_CONFIGURED,
    SIGNATURE_NONE,
)

_ROW = "<IIHIIBB"
_DATA = const(352)
_KILOBYTE = const(1024)
_LOOK_MS = const(1000)
_NEXT = const(0xFFFFFFFF)
_MOST_TURNS = const(0xFFFF)
_TEST_EVERY_MS = const(30000)  # each test erases a page and adds a record, and needs no key
_FREE_SETTINGS = ("table", "blocked_s")  # may change while a shoe is open


class ShoeService:
    """Requests about the shoe and its table: who it is, how it stands, its settings, its keys, the test of its parts.

    `press(key, argument) -> bool` presses a key of the panel; `lamps()` is the mask of enum.lamp.
    """

    def __init__(self, board, device_id, journal, link, silence, heads, steps, table, faults, gate, press, lamps):
        self._board = board
        self._device_id = device_id
        self._journal = journal
        self._link = link
        self._silence = silence
        self._heads = heads
        self._steps = steps
        self._table = table
        self._faults = faults
        self._gate = gate
        self._press = press
        self._lamps = lamps
        self._tested = -1  # ticks_ms of the last self-test
        self._heap_free = 0
        self._looked_ms = 0

    def identify(self):
        """Who this is."""
        return (
            MAJOR, MINOR, self._device_id, VERSION, self._journal.boot, self._link.epoch, self._board.name.encode(),
        )  # fmt: skip

    def ticks(self):
        """Time as this boot counts it."""
        silence = self._silence
        ticks_ms = silence.ticks_ms()
        return self._journal.boot, ticks_ms, silence.ticks_us(), min(silence.turns(ticks_ms), _MOST_TURNS)

    def self_test(self):
        """Test the parts; not while a round is open."""
        if self._table.dealing.phase not in (PHASE_EMPTY, PHASE_READY, PHASE_FINISHED) or self._heads.in_throat():
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
        if not self._steps.room():
            raise ServiceError(ERROR_BUSY)  # the journal takes nothing: records wait already
        now = self._silence.ticks_ms()
        since = ticks_diff(now, self._tested) if self._tested >= 0 else -1
        if self._gate.keys and 0 <= since < _TEST_EVERY_MS:  # else a stranger fills the journal and wears out the flash
            raise ServiceError(ERROR_WAIT, _TEST_EVERY_MS - since)
        from shoe.app.self_test import run_self_test  # loaded when somebody asks

        self._tested = now
        failed = run_self_test(self._board, self._journal, self._table, self._steps, self._heads.lines)
        return (1 if failed else 0), failed

    def status(self):
        """How the table stands, without any card."""
        dealing = self._table.dealing
        fault = self._faults.first()
        now = self._silence.ticks_ms()
        # Behind a card the last figure stands: what it left on the heap is its own affair. And a host that asks all the
        # time leaves no heap full of holes to the next card.
        if self._silence.calm() and not (self._heap_free and 0 <= ticks_diff(now, self._looked_ms) < _LOOK_MS):
            self._looked_ms = now
            gc.collect()  # so that the figure says what is really left
            mem_free = getattr(gc, "mem_free", None)
            self._heap_free = 0 if mem_free is None else mem_free() // _KILOBYTE * _KILOBYTE
        return (
            dealing.phase, fault[0], fault[1], self._lamps(), dealing.round, self._journal.shoe,
            self._steps.next_record, self._journal.next_record, self._silence.ticks_ms(),
            dealing.drawn(0), dealing.drawn(1), self._heap_free,
        )  # fmt: skip

    def config_read(self):
        """The configuration in force."""
        config = self._table.config
        return config.crc(), config.pack()

    def config_write(self, pairs):
        """Replace the settings named in `pairs`, all or none."""
        table = self._table
        if len(pairs) % 5:
            raise ServiceError(ERROR_BAD_VALUE)
        try:
            config = Config.unpack(table.config.pack() + pairs)
        except (ValueError, KeyError):
            raise ServiceError(ERROR_BAD_VALUE, pairs[0] if pairs else 0)
        wrong = config.validate()
        if wrong:
            raise ServiceError(ERROR_BAD_VALUE, wrong)
        if table.dealing.phase not in (PHASE_EMPTY, PHASE_READY, PHASE_FINISHED) or self._heads.in_throat():
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
        if table.dealing.shoe_open and table.config_valid and not _same_game(table.config, config):
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
        if not self._steps.room():
            raise ServiceError(ERROR_BUSY)
        table.configure(config)
        self._steps.commit([(REC_CONFIGURED, config.crc())])
        return (config.crc(),)

    def key(self, key, argument):
        """A panel key from the host; answered once what it did is durable."""
        if self._heads.in_throat() or self._steps.waiting():
            raise ServiceError(ERROR_BUSY)
        accepted = self._press(key, argument)
        return (1 if accepted else 0), self._table.dealing.phase


class HistoryService:
    """Requests about what the shoe recorded: the histories, their signatures, the records as they come."""

    def __init__(self, journal, fetched, cursor, link, steps, heads, signing):
        self._journal = journal
        self._fetched = fetched
        self._cursor = cursor
        self._link = link
        self._steps = steps
        self._heads = heads
        self._signing = signing
        self._rows = bytearray(_DATA)

    def history_list(self, from_shoe):
        """The shoes in the ring from `from_shoe` on."""
        more = 0
        at = 0
        for shoe, page, pages, record, records, closed in self._journal.shoes(from_shoe):
            if at + struct.calcsize(_ROW) > _DATA:
                more = 1
                break
            fetched = self._fetched.is_fetched(shoe, record + records - 1)
            struct.pack_into(_ROW, self._rows, at, shoe, page, pages, record, records, closed, fetched)
            at += struct.calcsize(_ROW)
        return more, memoryview(self._rows)[:at]

    def history_read(self, page, offset, into):
        """Fill `into` from the page as it lies in flash; returns how far, and how much of the page is durable."""
        journal = self._journal
        if not journal.first_page <= page <= journal.tail:
            raise ServiceError(ERROR_NO_SUCH_PAGE, page)
        used = journal.used_of(page)
        if offset > PAGE_SIZE:
            raise ServiceError(ERROR_BAD_VALUE, offset)
        n = max(0, min(len(into), used - offset))
        if n:
            journal.read(page, offset, into if n == len(into) else into[:n])
        return n, used

    def history_fetched(self, shoe):
        """The host keeps this history: it may be overwritten."""
        oldest = -1
        for number, _, _, record, records, closed in self._journal.shoes():
            if oldest < 0:
                oldest = number
            if number == shoe:
                if not closed:
                    raise ServiceError(ERROR_NOT_ALLOWED_NOW, shoe)
                if self._heads.in_throat():
                    raise ServiceError(ERROR_BUSY)
                self._fetched.mark(shoe, record + records - 1, self._journal.shoe, oldest)
                self._steps.flush()
                return ()
        raise ServiceError(ERROR_NO_SUCH_SHOE, shoe)

    def subscribe(self, on, from_record):
        """Live events from `from_record` on, each durable before it is sent."""
        return (self._cursor.follow(on, None if from_record == _NEXT else from_record),)

    def event_read(self, from_record, count):
        """Send durable records again, as many as the line takes now."""
        sent = 0
        cursor = self._cursor
        if from_record >= self._journal.next_record or not cursor.seek(from_record) or not cursor.next():
            raise ServiceError(ERROR_NO_SUCH_RECORD, from_record)
        first = cursor.number
        while sent < count:
            if not self._link.send_event(cursor.number, cursor.boot, cursor.ticks_ms, cursor.kind, cursor.payload):
                break
            sent += 1
            if not cursor.next():
                break
        return first, sent

    def signing_key(self):
        """The public half of the signing key, and how far its making is."""
        signing = self._signing
        made, total = signing.progress()
        return signing.state, signing.height, signing.next_index, made, total, signing.public_key()

    def signature(self, shoe, offset):
        """Statement and signature of a closed shoe, from byte `offset` on."""
        state = SIGNATURE_NONE
        size = 0
        for number, _, _, _, _, closed in self._journal.shoes(shoe):
            if number == shoe and shoe and closed:
                state, size = self._signing.result(shoe)
            break
        if offset > size:
            raise ServiceError(ERROR_BAD_VALUE, offset)
        view = memoryview(self._rows)[: min(_DATA, size - offset)]
        if len(view):
            self._signing.read_signature(shoe, offset, view)
        return state, shoe, size, offset, view


class HeadService:
    """Requests about the read heads: their light, their calibration, the traces of public passes."""

    def __init__(self, board, heads, margins, trace, table, steps):
        self._board = board
        self._heads = heads
        self._margins = margins
        self._trace = trace
        self._table = table
        self._steps = steps

    def levels(self, head):
        """The light of one read head."""
        from shoe.app import calibrate

        return calibrate.levels(self._board, self._margins, head)

    def calibrate(self, head, step, threshold):
        """One step of the calibration of a read head."""
        from shoe.app import calibrate

        return calibrate.calibrate(
            self._board, self._heads, self._margins, self._table, self._steps, head, step, threshold
        )

    def trace(self, index, offset):
        """Raw edges of a public pass, from byte `offset` on (three bytes an edge)."""
        trace = self._trace
        found = trace.read(index, offset // 3, _DATA)
        if found is None:
            raise ServiceError(ERROR_BAD_VALUE, trace.passes())
        head, kind, edges, data = found
        return trace.passes(), head, kind, edges, offset, data[offset % 3 :]


def _same_game(old, new):
    """True when only settings differ that do not touch a shoe in play."""
    probe = Config.unpack(new.pack())
    for name in _FREE_SETTINGS:
        setattr(probe, name, getattr(old, name))
    return probe.pack() == old.pack()
