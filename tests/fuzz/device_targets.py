"""Fuzz targets of the firmware, on CPython: frames, requests, configuration, journal, notes, keys, a whole start."""

from __future__ import annotations

import struct
from binascii import crc32

from board_fake import PAGE, FakeBoard
from flash_memory import MemoryFlash, Power
from link_fake import frame
from shoe import wire_table as t
from shoe.app.app import App
from shoe.config import Config
from shoe.journal.cursor import Cursor
from shoe.journal.durable_notes import DAMAGED, GOOD, Notes, NotesFull
from shoe.journal.journal import Journal
from shoe.line.wire import HEADER_SIZE, NONE, OK, FrameReader
from shoe.trust.authority import Authority, hmac_sha256

SESSION = b"fuzz"
SECRET = bytes(range(32))
GIVE, PROVE = 252, 251  # steps of who has the key: a privileged command; the end of provisioning
_LIVES = 200  # executions that one application lives through
_MOST_STEPS = 24


def device_frames(data: bytes) -> None:
    """Any bytes, in pieces of any size: every frame that is found fits its length and its buffer."""
    reader = FrameReader()
    piece = data[0] % 61 + 1 if data else 1
    for start in range(1, len(data), piece):
        part = data[start : start + piece]
        at = 0
        while at < len(part):
            before = at
            at = reader.feed(part, at, len(part))
            assert before < at <= len(part)
            if reader.status == OK:
                assert HEADER_SIZE + reader.length + 4 <= len(reader.buffer)
                whole = bytes(reader.buffer[: HEADER_SIZE + reader.length])
                assert crc32(whole) == struct.unpack_from("<I", reader.buffer, len(whole))[0]
        assert reader.status != NONE or at == len(part)


class RoomyBoard(FakeBoard):
    """A board in memory with flashes of its own, and room for a signing key of height 5."""

    def __init__(self) -> None:
        super().__init__()
        pages = (16, 2, 12, 40)
        self.journal, self.vault, self.store, self.keys = (MemoryFlash(n, self.power, PAGE) for n in pages)


class Life:
    """An application that lives through many executions, until it is too old."""

    def __init__(self, provisioned: bool) -> None:
        self.provisioned = provisioned
        self.left = 0
        self.owned = False  # who has the key took part in the execution

    def app(self) -> App:
        """The application, made anew now and then."""
        if not self.left:
            self.board = RoomyBoard()
            self.current = App(self.board)
            self.current.boot()
            self.sequence = 0
            self.ask(t.MSG_IDENTIFY, SESSION)
            if self.provisioned:
                self.provision()
            self.left = _LIVES
        self.left -= 1
        self.owned = False
        return self.current

    def ask(self, kind: int, payload: bytes) -> None:
        """One whole frame of a request in its turn."""
        self.sequence = (self.sequence + 1) & 0xFFFF
        data = frame(kind, payload, self.sequence, self.current.link.epoch)
        self.current.link.receive(data, len(data))

    def give(self, request: int, body: bytes) -> None:
        """A command by who has the key: a challenge, and the tag over it. Nothing when the shoe gives no challenge."""
        keys = self.current.gate.keys
        self.ask(t.MSG_CHALLENGE, bytes((request,)))
        if not (keys and keys.key and keys.nonce):
            return
        said = b"shoe command 1fakeshoe" + struct.pack("<H", self.current.link.epoch) + SESSION
        said += struct.pack("<BH", request, len(body)) + keys.nonce + body
        self.ask(t.MSG_PRIVILEGED, bytes((request,)) + hmac_sha256(keys.key, said) + body)

    def prove(self, height: int) -> None:
        """The end of provisioning by who holds the key that was offered last."""
        keys = self.current.gate.keys
        said = b"shoe provision 1fakeshoe" + struct.pack("<H", self.current.link.epoch) + SESSION + bytes((height,))
        self.ask(t.MSG_PROVISION, bytes((height,)) + hmac_sha256(keys.offered if keys else b"", said))

    def provision(self) -> None:
        """Give it a key that no input of a fuzzer can know, and latch a fault that only the key may clear."""
        self.ask(t.MSG_KEY_OFFER, SECRET)
        key = self.current.gate.keys.offered
        said = b"shoe provision 1" + b"fakeshoe" + struct.pack("<H", self.current.link.epoch) + SESSION + b"\0"
        self.ask(t.MSG_PROVISION, b"\0" + hmac_sha256(key, said))
        assert self.current.gate.keys.key == key
        self.current.steps.raise_fault(t.FAULT_WATCHDOG)


def requests(life: Life, data: bytes, app: App) -> None:
    """Steps out of the data: a length byte, a kind byte, so many bytes of payload."""
    at = 0
    for _ in range(_MOST_STEPS):
        if at + 2 > len(data):
            return
        size, kind = data[at], data[at + 1]
        payload = data[at + 2 : at + 2 + size]
        at += 2 + size
        if kind == 255:  # raw bytes on the line
            app.link.receive(payload, len(payload))
        elif kind == 254:  # time
            life.board.ms = (life.board.ms + int.from_bytes(payload[:4], "little")) & 0x3FFFFFFF
            app._run_idle()
        elif kind == 253:  # another session
            life.ask(t.MSG_IDENTIFY, SESSION)
        elif kind == GIVE and payload:
            life.owned = True
            life.give(payload[0] & 127, payload[1:])
        elif kind == PROVE and payload:
            life.owned = True
            life.prove(payload[0])
        else:
            life.ask(kind & 127, payload)
        life.board.sent = bytearray()
        app._run_link()


_provisioned = Life(True)
_open = Life(False)


def device_provisioned(data: bytes) -> None:
    """Requests without the key change nothing: no setting, no fault, no mark, no key, no card dealt or turned.

    With the key they may; then there is a whole key still, and what was stored of it is what is in force.
    """
    app = _provisioned.app()
    before = (
        app.table.config.crc(),
        app.gate.keys.key,
        app.table.dealing.phase,
        app.fetched._upto,
        tuple(app.fetched._marks),
    )
    latched = app.faults.codes()
    try:
        requests(_provisioned, data, app)
        after = (
            app.table.config.crc(),
            app.gate.keys.key,
            app.table.dealing.phase,
            app.fetched._upto,
            tuple(app.fetched._marks),
        )
        if _provisioned.owned:
            _provisioned.left = 0
            owned(app)
            return
        assert before == after, (before, after)
        assert set(latched) <= set(app.faults.codes()), "a fault was forgiven without the key"
        assert t.FAULT_WATCHDOG in app.faults.codes() and t.FAULT_INTERNAL not in app.faults.codes()
        assert _provisioned.board.power.misuse == 0
    except BaseException:
        _provisioned.left = 0
        raise


def owned(app: App) -> None:
    """What holds of a provisioned shoe whoever gave it commands: it stays one, and its key outlives the power."""
    keys = app.gate.keys
    assert keys is not None and len(keys.key) == 32 and not keys.is_open()
    assert not app.table.config_valid or app.table.config.validate() == 0
    assert t.FAULT_INTERNAL not in app.faults.codes() and _provisioned.board.power.misuse == 0
    again = Authority(_provisioned.board.store, 8, _provisioned.board.entropy, lambda: 5)
    again.start()
    assert again.key == keys.key and again.announced == keys.announced


def device_open(data: bytes) -> None:
    """Whatever is asked of an open shoe is answered or refused; settings stay valid, and nothing crashes."""
    app = _open.app()
    try:
        requests(_open, data, app)
        assert not app.table.config_valid or app.table.config.validate() == 0
        assert t.FAULT_INTERNAL not in app.faults.codes()
        assert _open.board.power.misuse == 0
    except BaseException:
        _open.left = 0
        raise


def device_config(data: bytes) -> None:
    """Any bytes as stored settings: a configuration, or ValueError; what is packed comes back."""
    try:
        config = Config.unpack(data)
    except ValueError:
        return
    assert isinstance(config.validate(), int)
    try:
        packed = config.pack()
    except (struct.error, OverflowError) as error:
        raise AssertionError("a setting that cannot be packed") from error
    assert Config.unpack(packed).pack() == packed


def chip(pages: int, data: bytes) -> MemoryFlash:
    """A flash that holds the data from its first byte on, 0xFF behind it."""
    device = MemoryFlash(pages, Power(), PAGE)
    n = min(len(data), len(device.data))
    device.data[:n] = data[:n]
    return device


def fitting(data: bytes) -> bytes:
    """Pages whose header CRC is right, and whose records' CRCs are, as far as the lengths lead."""
    out = bytearray(data)
    for start in range(0, len(out) - PAGE + 1, PAGE):
        page = memoryview(out)[start : start + PAGE]
        struct.pack_into("<I", page, 60, crc32(page[:60]))
        number = struct.unpack_from("<I", page, 16)[0]
        at = 64
        while at + 10 <= PAGE and page[at] != 0xFF and at + page[at] + 10 <= PAGE:
            end = at + 6 + page[at]
            struct.pack_into("<I", page, end, crc32(page[at:end], crc32(struct.pack("<I", number))))
            number = (number + 1) & 0xFFFFFFFF
            at = end + 4
    return bytes(out)


def device_journal(data: bytes) -> None:
    """Any pages at a start: the tail is found, every record can be walked over, and the next one is appended."""
    if data and data[0] & 1:
        data = fitting(data[1:])
    device = chip(6, data)
    journal = Journal(device, b"fakeshoe", lambda shoe, record: True)
    journal.start()
    assert journal.tail < 0 or journal.first_page <= journal.tail
    cursor = Cursor(journal)
    steps = 0
    last = -1
    if journal.tail >= 0 and cursor.open_page(journal.first_page):
        while cursor.next():
            steps += 1
            last = cursor.number
            assert steps <= 6 * PAGE and last < journal.next_record
    list(journal.shoes())
    journal.first_page_of_shoe()
    if 0 <= journal.next_record < 0xFFFFFFF0 and 0 <= journal.tail < 0xFFFFFFF0:
        journal.append((t.REC_SEATS, 1), 5)
        assert cursor.seek(journal.next_record - 1) and cursor.next() and cursor.kind == t.REC_SEATS


def device_notes(data: bytes) -> None:
    """Any pages of notes: they are read, rewritten, and what was put is there at the next start."""
    device = chip(2, data)
    held: list[tuple[int, bytes]] = []
    notes = Notes(device, 0, lambda: iter(held))
    notes.start(lambda kind, payload: held.append((kind, bytes(payload))))
    held[:] = held[-3:]
    held.append((9, b"fuzz"))
    try:
        notes.put(9, b"fuzz")
    except NotesFull:
        return
    found: list[tuple[int, bytes]] = []
    again = Notes(device, 0, lambda: iter(found))
    again.start(lambda kind, payload: found.append((kind, bytes(payload))))
    assert again.state in (GOOD, DAMAGED) and found[-1] == (9, b"fuzz")


def device_keys(data: bytes) -> None:
    """Any bytes where the command key lies: a key of 32 bytes in good notes, or none, or damaged; never half of one."""
    of = Authority(chip(2, data), 0, lambda n: bytes(range(n)), lambda: 5)
    of.start()
    assert of.state in (t.AUTHORITY_OPEN, t.AUTHORITY_PROVISIONED, t.AUTHORITY_DAMAGED)
    if of.state == t.AUTHORITY_PROVISIONED:
        assert len(of.key) == 32 and of.notes.state == GOOD
    if of.state == t.AUTHORITY_OPEN:
        assert of.notes.state != GOOD
    assert 0 <= of.failures <= 0xFFFF and 0 <= of.wait_ms() <= 3600000


def device_boot(data: bytes) -> None:
    """A shoe in the middle of a round, its flash damaged in places: it starts, and stops the game where it must."""
    board = RoomyBoard()
    images = _images()
    for image, device in zip(images, (board.journal, board.vault, board.store, board.keys), strict=True):
        device.data[:] = image
    for at in range(0, len(data) - 3, 4):
        which, where, value = struct.unpack_from("<BHB", data, at)
        device = (board.journal, board.vault, board.store, board.keys)[which & 3]
        device.data[where % len(device.data)] = value
    app = App(board)
    app.boot()
    app.press(t.KEY_SUPERVISOR, 0)
    app._run_link()
    app._run_idle()
    assert board.power.misuse == 0


_IMAGES: list[bytes] = []


def _images() -> list[bytes]:
    """The flashes of a shoe after its opening deal, provisioned."""
    if not _IMAGES:
        from board_fake import card, run

        life = Life(True)
        life.app()
        board = life.board
        board.script = [
            ("key", t.KEY_SUPERVISOR, 0), ("key", t.KEY_LOAD, 0), card(3), ("key", t.KEY_SEATS, 1),
            ("key", t.KEY_DEAL, 0), card(9), card(11), card(20), card(25),
        ]  # fmt: skip
        run(App(board))
        _IMAGES.extend(bytes(device.data) for device in (board.journal, board.vault, board.store, board.keys))
    return _IMAGES
