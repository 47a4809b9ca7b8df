"""Signing one closed shoe: find where it begins and ends, spend an index, sign, check, and let it count.

The statement, STATEMENT bytes, is what HISTORY_FORMAT.md has: magic b8, device b8, key b16, index u32, shoe u32, first
page u32, last page u32, first record u32, last record u32, end u16 (bytes of the last page that are meant),
configuration CRC u32, head b32 (SHA-256 of these bytes of the last page, which leads to all pages before it).
"""

import hashlib
import struct

from shoe.compat import const
from shoe.journal.page import HEADER_SIZE, OVERHEAD, Header, record_crc
from shoe.trust.lms import HASH, root_of, sign, signature_size
from shoe.trust.signing_key import HEAD, SPENT_PAGE, STATEMENT, WIDTH, Area, KeyNote
from shoe.wire_table import (
    REC_SHOE_CLOSED,
    REC_SIGNED,
    SIGNATURE_FAILED,
    SIGNATURE_SIGNED,
    SIGNATURE_USED_UP,
    SIGNING_DAMAGED,
    SIGNING_READY,
    SIGNING_USED_UP,
)

NO_INDEX = const(0xFFFFFFFF)
SLICE = const(160)  # hashes of one call of `step` at most: about 33 ms of an RP2040
PIECE = const(16)  # hashes of the longest chain; after each it is asked whether something else is to do
_MAGIC = b"SHOESIG\x01"
_FORM = "<8s8s16sIIIIIIHI32s"
_CHUNK = const(256)
_LONGEST = const(265)
_RANDOMIZER = b"\xff\xfd\xff"  # in place of chain and step: derived like the secrets of appendix A


class _End:
    """Where the history of a shoe begins and ends; `end` 0 when it has no shoe_closed record."""

    first_page = last_page = first_record = last_record = end = -1


def _find(journal, shoe, found):
    """Generator: fill `found` for `shoe`, whose pages lie together."""
    header = Header()
    size = journal.device.pages
    page = journal.tail
    last = -1
    while page >= journal.first_page:
        whole = header.read(journal.device, page % size) and header.page == page
        if whole and header.shoe < shoe:
            break
        if whole and header.shoe == shoe:
            last = max(last, page)
            found.first_page = page
            found.first_record = header.first_record
        page -= 1
        yield 1
    page = last
    found.end = 0
    while page >= found.first_page >= 0 and not found.end:
        if header.read(journal.device, page % size) and header.page == page:
            yield from _closing(journal, page, header.first_record, found)
        page -= 1


def _closing(journal, page, number, found):
    """Generator: look for the record shoe_closed in `page`, whose first record is `number`, by lengths and kinds."""
    device = journal.device
    index = page % device.pages
    buf = bytearray(_LONGEST)
    view = memoryview(buf)
    at = HEADER_SIZE
    while at + OVERHEAD <= device.page_size:
        device.read(index, at, view[:2])
        length = buf[0]
        after = at + length + OVERHEAD
        if length == 0xFF or after > device.page_size:
            return
        if buf[1] == REC_SHOE_CLOSED:
            device.read(index, at, view[: after - at])
            (crc,) = struct.unpack_from("<I", buf, 6 + length)
            if crc != record_crc(number, view[: 6 + length]):
                return  # the end of a step that was cut off; the whole one is in the page after
            found.last_page = page
            found.last_record = number
            found.end = after
            return
        at = after
        number += 1
        yield 1  # about as long as a hash


def _head(journal, found):
    """Generator whose value is the SHA-256 of the first `end` bytes of the last page."""
    digest = hashlib.sha256()
    view = memoryview(bytearray(_CHUNK))
    at = 0
    while at < found.end:
        n = min(_CHUNK, found.end - at)
        journal.read(found.last_page, at, view[:n])
        digest.update(view[:n])
        at += n
        yield 4
    return digest.digest()


def _randomizer(signing, seed, q):
    """C: of the seed alone nobody knows it, of the entropy alone neither; without entropy it is still derived."""
    try:
        fresh = signing.entropy(HASH)
    except OSError:
        fresh = bytes(HASH)
    return hashlib.sha256(signing.identifier + struct.pack(">I", q) + _RANDOMIZER + seed + fresh).digest()


def sign_shoe(signing, shoe, blank):
    """Generator for `Signing.step`: ends with the event that says what became of the signature of `shoe`.

    `blank`: its slot is known to be erased.
    """
    journal = signing.journal
    while not blank and signing.clear_slot(shoe):
        yield SLICE
    found = _End()
    for done in _find(journal, shoe, found):
        yield done
    result = SIGNATURE_FAILED
    if signing.state == SIGNING_USED_UP:
        result = SIGNATURE_USED_UP
    q = NO_INDEX
    size = 0
    if found.end > 0 and signing.state == SIGNING_READY:
        head = yield from _head(journal, found)
        q = signing.next_index
        _spend(signing, q)
        statement = struct.pack(
            _FORM, _MAGIC, signing.device_id, signing.identifier, q, shoe, found.first_page, found.last_page,
            found.first_record, found.last_record, found.end, signing.config_crc(), head,
        )  # fmt: skip
        yield 2
        if (yield from _sign(signing, shoe, q, statement)):
            result = SIGNATURE_SIGNED
            size = STATEMENT + signature_size(signing.height, WIDTH)
        else:
            signing.state = SIGNING_DAMAGED
    signing.close_slot(shoe, result, size, q)
    yield (REC_SIGNED, shoe, result, q, signing.identifier)


def _spend(signing, q):
    """Nothing is computed with index `q` before its mark is in flash and was read back."""
    signing.next_index = q + 1
    Area(signing.device, SPENT_PAGE).write(HEAD + q, memoryview(b"\x00"))
    if signing.next_index >= signing.total:
        signing.state = SIGNING_USED_UP


class _Writer:
    """Writes statement and signature into a slot, a block of the flash at a time."""

    def __init__(self, slot):
        self._slot = slot
        self._buf = bytearray(_CHUNK)
        self._at = self._from = HEAD

    def put(self, data):
        """Take the bytes that follow."""
        done = 0
        while done < len(data):
            place = self._at % _CHUNK
            n = min(len(data) - done, _CHUNK - place)
            self._buf[place : place + n] = data[done : done + n]
            self._at += n
            done += n
            if place + n == _CHUNK:
                self.flush()

    def flush(self):
        """Program what is in hand and read it back."""
        if self._at > self._from:
            first = self._from % _CHUNK
            self._slot.write(self._from, memoryview(self._buf)[first : first + self._at - self._from])
            self._from = self._at


def _sign(signing, shoe, q, statement):
    """Generator: write statement and signature into the slot of `shoe`; its value is whether the signature is right."""
    slot = signing.slot(shoe)
    writer = _Writer(slot)
    writer.put(statement)
    node = bytearray(HASH)

    def of_tree(number):
        signing.tree.read(HASH * number, memoryview(node))
        return node

    note = KeyNote(signing.device)
    if not note.load() or note.identifier != signing.identifier:
        return False
    yield PIECE
    seed = note.seed
    c = _randomizer(signing, seed, q)
    for done in sign(signing.identifier, seed, signing.height, WIDTH, q, c, statement, of_tree, writer.put):
        yield done
    writer.flush()
    piece = bytearray(HASH)

    def read(offset, n):
        slot.read(HEAD + STATEMENT + offset, memoryview(piece)[:n])
        return memoryview(piece)[:n]

    try:
        root = yield from root_of(signing.identifier, signing.height, WIDTH, statement, read)
    except ValueError:
        return False
    return root == signing.root
