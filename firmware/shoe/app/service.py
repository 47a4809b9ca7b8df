"""What the host may ask: one method per request of protocol.toml, named and answered as there; refusals are errors.

Nothing here can reach the vault or the face of a card that lies face down; `trace` serves public passes only.
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


class Service:
    """The requests, carried out on `app`; `Link` calls them."""

    def __init__(self, app):
        self._app = app
        self._rows = bytearray(_DATA)
        self._tested = -1  # ticks_ms of the last self-test
        self._heap_free = 0
        self._looked_ms = 0

    def identify(self):
        """Who this is."""
        app = self._app
        return (
            MAJOR, MINOR, app.device_id, VERSION, app.journal.boot, app.link.epoch, app.board.name.encode(),
        )  # fmt: skip

    def status(self):
        """How the table stands, without any card."""
        app = self._app
        dealing = app.dealing
        fault = app.faults.first()
        now = app.silence.ticks_ms()
        # Behind a card the last figure stands: what it left on the heap is its own affair. And a host that asks all the
        # time leaves no heap full of holes to the next card.
        if app.silence.calm() and not (self._heap_free and 0 <= ticks_diff(now, self._looked_ms) < _LOOK_MS):
            self._looked_ms = now
            gc.collect()  # so that the figure says what is really left
            mem_free = getattr(gc, "mem_free", None)
            self._heap_free = 0 if mem_free is None else mem_free() // _KILOBYTE * _KILOBYTE
        return (
            dealing.phase, fault[0], fault[1], app.lamps(), dealing.round, app.journal.shoe, app.steps.next_record,
            app.journal.next_record, app.silence.ticks_ms(), dealing.drawn(0), dealing.drawn(1), self._heap_free,
        )  # fmt: skip

    def config_read(self):
        """The configuration in force."""
        config = self._app.config
        return config.crc(), config.pack()

    def config_write(self, pairs):
        """Replace the settings named in `pairs`, all or none."""
        app = self._app
        if len(pairs) % 5:
            raise ServiceError(ERROR_BAD_VALUE)
        try:
            config = Config.unpack(app.config.pack() + pairs)
        except (ValueError, KeyError):
            raise ServiceError(ERROR_BAD_VALUE, pairs[0] if pairs else 0)
        wrong = config.validate()
        if wrong:
            raise ServiceError(ERROR_BAD_VALUE, wrong)
        if app.dealing.phase not in (PHASE_EMPTY, PHASE_READY, PHASE_FINISHED) or app.in_throat():
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
        if app.dealing.shoe_open and app.config_valid and not _same_game(app.config, config):
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
        if not app.steps.room():
            raise ServiceError(ERROR_BUSY)
        app.configure(config)
        app.steps.commit([(REC_CONFIGURED, config.crc())])
        return (config.crc(),)

    def history_list(self, from_shoe):
        """The shoes in the ring from `from_shoe` on."""
        app = self._app
        more = 0
        at = 0
        for shoe, page, pages, record, records, closed in app.journal.shoes(from_shoe):
            if at + struct.calcsize(_ROW) > _DATA:
                more = 1
                break
            fetched = app.fetched.is_fetched(shoe, record + records - 1)
            struct.pack_into(_ROW, self._rows, at, shoe, page, pages, record, records, closed, fetched)
            at += struct.calcsize(_ROW)
        return more, memoryview(self._rows)[:at]

    def history_read(self, page, offset, into):
        """Fill `into` from the page as it lies in flash; returns how far, and how much of the page is durable."""
        journal = self._app.journal
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
        app = self._app
        oldest = -1
        for number, _, _, record, records, closed in app.journal.shoes():
            if oldest < 0:
                oldest = number
            if number == shoe:
                if not closed:
                    raise ServiceError(ERROR_NOT_ALLOWED_NOW, shoe)
                if app.in_throat():
                    raise ServiceError(ERROR_BUSY)
                app.fetched.mark(shoe, record + records - 1, app.journal.shoe, oldest)
                app.steps.flush()
                return ()
        raise ServiceError(ERROR_NO_SUCH_SHOE, shoe)

    def signing_key(self):
        """The public half of the signing key, and how far its making is."""
        signing = self._app.signing
        made, total = signing.progress()
        return signing.state, signing.height, signing.next_index, made, total, signing.public_key()

    def signature(self, shoe, offset):
        """Statement and signature of a closed shoe, from byte `offset` on."""
        app = self._app
        state = SIGNATURE_NONE
        size = 0
        for number, _, _, _, _, closed in app.journal.shoes(shoe):
            if number == shoe and shoe and closed:
                state, size = app.signing.result(shoe)
            break
        if offset > size:
            raise ServiceError(ERROR_BAD_VALUE, offset)
        view = memoryview(self._rows)[: min(_DATA, size - offset)]
        if len(view):
            app.signing.read_signature(shoe, offset, view)
        return state, shoe, size, offset, view

    def levels(self, head):
        """The light of one read head."""
        return self._calibration("levels", head)

    def calibrate(self, head, step, threshold):
        """One step of the calibration of a read head."""
        return self._calibration("calibrate", head, step, threshold)

    def _calibration(self, name, *arguments):
        """Carry out one of the functions of `calibrate`."""
        from shoe.app import calibrate

        return getattr(calibrate, name)(self._app, *arguments)

    def subscribe(self, on, from_record):
        """Live events from `from_record` on, each durable before it is sent."""
        return (self._app.cursor.follow(on, None if from_record == _NEXT else from_record),)

    def event_read(self, from_record, count):
        """Send durable records again, as many as the line takes now."""
        app = self._app
        sent = 0
        cursor = app.cursor
        if from_record >= app.journal.next_record or not cursor.seek(from_record) or not cursor.next():
            raise ServiceError(ERROR_NO_SUCH_RECORD, from_record)
        first = cursor.number
        while sent < count:
            if not app.link.send_event(cursor.number, cursor.boot, cursor.ticks_ms, cursor.kind, cursor.payload):
                break
            sent += 1
            if not cursor.next():
                break
        return first, sent

    def self_test(self):
        """Test the parts; not while a round is open."""
        app = self._app
        if app.dealing.phase not in (PHASE_EMPTY, PHASE_READY, PHASE_FINISHED) or app.in_throat():
            raise ServiceError(ERROR_NOT_ALLOWED_NOW)
        if not app.steps.room():
            raise ServiceError(ERROR_BUSY)  # the journal takes nothing: records wait already
        now = app.silence.ticks_ms()
        since = ticks_diff(now, self._tested) if self._tested >= 0 else -1
        if app.gate.keys and 0 <= since < _TEST_EVERY_MS:  # else a stranger fills the journal and wears out the flash
            raise ServiceError(ERROR_WAIT, _TEST_EVERY_MS - since)
        self._tested = now
        failed = app.self_test()
        return (1 if failed else 0), failed

    def trace(self, index, offset):
        """Raw edges of a public pass, from byte `offset` on (three bytes an edge)."""
        trace = self._app.trace
        found = trace.read(index, offset // 3, _DATA)
        if found is None:
            raise ServiceError(ERROR_BAD_VALUE, trace.passes())
        head, kind, edges, data = found
        return trace.passes(), head, kind, edges, offset, data[offset % 3 :]

    def key(self, key, argument):
        """A panel key from the host; answered once what it did is durable."""
        app = self._app
        if app.in_throat() or app.steps.waiting():
            raise ServiceError(ERROR_BUSY)
        accepted = app.press(key, argument)
        return (1 if accepted else 0), app.dealing.phase

    def ticks(self):
        """Time as this boot counts it."""
        silence = self._app.silence
        ticks_ms = silence.ticks_ms()
        return self._app.journal.boot, ticks_ms, silence.ticks_us(), min(silence.turns(ticks_ms), _MOST_TURNS)


def _same_game(old, new):
    """True when only settings differ that do not touch a shoe in play."""
    probe = Config.unpack(new.pack())
    for name in _FREE_SETTINGS:
        setattr(probe, name, getattr(old, name))
    return probe.pack() == old.pack()
