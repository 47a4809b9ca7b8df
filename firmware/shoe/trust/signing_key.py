"""The signing key in the flash partition `keys`: what lies where, the secret seed, spent indices, a new key's tree.

A tree is made leaf by leaf in flash, so that a power cut costs one leaf.
"""

import struct

from shoe.compat import const
from shoe.journal.durable_notes import DAMAGED, Notes
from shoe.journal.flash import program
from shoe.trust.lms import IDENTIFIER
from shoe.trust.lms_size import HASH, signature_size
from shoe.wire_table import (
    REC_SIGNING_KEY,
    SIGNATURE_SIGNED,
    SIGNING_DAMAGED,
    SIGNING_MAKING,
    SIGNING_NO_KEY,
    SIGNING_READY,
    SIGNING_USED_UP,
)

WIDTH = const(4)  # LMOTS_SHA256_N32_W4
STATEMENT = const(94)  # bytes that are signed; see sign_shoe
KEY_AT = const(16)  # byte of the statement at which the key's identifier stands
KEY_PAGE = const(0)  # two pages of notes
SPENT_PAGE = const(2)
HEAD = const(64)  # bytes of the header of an area
SLOT = "<4sIBBHII"  # magic, shoe, result, 0, size, index, CRC-32 of these
SLOT_SHOE = const(4)  # places in it
SLOT_RESULT = const(8)
SLOT_INDEX = const(12)
_KEY = const(1)
_FORM = "<BBI16s32s32s"  # height, made, first shoe that this key signs, identifier, seed, root
_HEIGHTS = (15, 10, 5)
_TREE_MAGIC = b"LMS TREE"
_CHUNK = const(256)
_UNSPENT = b"\xff" * _CHUNK
_BLANK = b"\xff" * HASH


class Area:
    """Pages from `first` on as one row of bytes."""

    def __init__(self, device, first):
        self._device = device
        self.first = first

    def read(self, at, view):
        """Fill `view` from byte `at` on."""
        size = self._device.page_size
        done = 0
        while done < len(view):
            n = min(len(view) - done, size - (at + done) % size)
            self._device.read(self.first + (at + done) // size, (at + done) % size, view[done : done + n])
            done += n

    def write(self, at, data):
        """Program `data` (memoryview) at byte `at` and read it back. OSError when it differs."""
        size = self._device.page_size
        done = 0
        while done < len(data):
            n = min(len(data) - done, size - (at + done) % size)
            program(self._device, self.first + (at + done) // size, (at + done) % size, data[done : done + n])
            done += n
        check = bytearray(len(data))
        self.read(at, memoryview(check))
        if check != data:
            raise OSError(5)


def pages_for(size, page_size):
    """Pages that `size` bytes take."""
    return -(-size // page_size)


class KeyNote:
    """What the pages of the key hold."""

    def __init__(self, device):
        self.height = 0
        self.made = 0
        self.first_shoe = 0
        self.identifier = self.seed = self.root = b""
        self._notes = Notes(device, KEY_PAGE, self._live)

    def load(self):
        """True when there is a key; `damaged` says whether there was one that cannot be read."""
        self._notes.start(self._take)
        self.damaged = self._notes.state == DAMAGED
        return bool(self.height) and not self.damaged

    def _take(self, kind, payload):
        if kind == _KEY:
            values = struct.unpack(_FORM, payload)
            self.height, self.made, self.first_shoe, self.identifier, self.seed, self.root = values

    def _live(self):
        if self.height:
            values = (self.height, self.made, self.first_shoe, self.identifier, self.seed, self.root)
            yield _KEY, struct.pack(_FORM, *values)

    def save(self):
        """Make it durable; no page but this keeps an older key."""
        self._notes.rewrite()
        self._notes.idle()


def _layout(signing):
    """Places of tree and slots, by the size of the partition alone; return the largest height that fits."""
    device = signing.device
    size = device.page_size
    for height in _HEIGHTS:
        tree = SPENT_PAGE + pages_for(HEAD + (1 << height), size)
        first_slot = tree + pages_for(2 * HASH << height, size)
        slot_pages = pages_for(HEAD + STATEMENT + signature_size(height, WIDTH), size)
        slots = (device.pages - first_slot) // slot_pages
        if slots >= 2:
            signing.tree = Area(device, tree)
            signing.first_slot = first_slot
            signing.slot_pages = slot_pages
            signing.slots = slots
            return height
    return 0


def _tree_head(identifier):
    """Node 0 does not exist; its place says whose tree this is."""
    return _TREE_MAGIC + bytes(HASH - len(_TREE_MAGIC) - IDENTIFIER) + identifier


def load(signing):
    """Bring `signing` to what the flash says."""
    signing.state = SIGNING_NO_KEY
    signing.height = signing.made = signing.total = signing.next_index = 0
    most = _layout(signing)
    note = KeyNote(signing.device)
    loaded = note.load()
    signing.handled, witnessed = _stored(signing, note.identifier)
    if not loaded:
        if note.damaged:
            signing.state = SIGNING_DAMAGED
        return
    if note.height > most:
        signing.state = SIGNING_DAMAGED
        return
    signing.height = note.height
    signing.total = 1 << note.height
    signing.identifier = note.identifier
    signing.root = note.root
    signing.handled = max(signing.handled, note.first_shoe - 1)
    head = bytearray(HASH)
    signing.tree.read(0, memoryview(head))
    whole = head == _tree_head(note.identifier)
    if not note.made:
        if not whole:
            _clear(signing, note)
        signing.state = SIGNING_MAKING
        return
    signing.made = signing.total
    signing.next_index = max(_first_unmarked(signing), witnessed)
    if not whole:
        signing.state = SIGNING_DAMAGED
    elif signing.next_index >= signing.total:
        signing.state = SIGNING_USED_UP
    else:
        signing.state = SIGNING_READY


def first_unspent(signing):
    """The first index of the key that neither its mark nor a stored signature says was spent."""
    return max(_first_unmarked(signing), _stored(signing, signing.identifier)[1])


def _first_unmarked(signing):
    """One more than the highest index whose mark is not blank: a mark torn by a power cut counts as spent."""
    marks = Area(signing.device, SPENT_PAGE)
    view = memoryview(bytearray(_CHUNK))
    at = 1 << signing.height
    while at > 0:
        n = min(_CHUNK, at)
        at -= n
        marks.read(HEAD + at, view[:n])
        if view[:n] == _UNSPENT[:n]:
            continue
        for i in range(n - 1, -1, -1):
            if view[i] != 0xFF:
                return at + i + 1
    return 0


def _word(buf, at):
    """The u32 at `at` of `buf`; `struct.unpack` would take the heap's time for it, more than a hundred times."""
    return buf[at] | buf[at + 1] << 8 | buf[at + 2] << 16 | buf[at + 3] << 24


def _stored(signing, identifier):
    """(last shoe that the slots hold, -1 for none; one more than the highest index in a signature of key `identifier`).

    The index is a second witness beside the marks.
    """
    last = -1
    most = 0
    key = memoryview(bytearray(IDENTIFIER))
    newest = signing.journal.shoe
    for back in range(signing.slots):  # from the newest one on: of an older one the index alone tells enough
        number = (newest - back) % signing.slots
        head = signing.slot_head(number)
        if head is None:
            continue
        shoe = _word(head, SLOT_SHOE)
        index = _word(head, SLOT_INDEX)
        last = max(last, shoe)
        if head[SLOT_RESULT] == SIGNATURE_SIGNED and index >= most:
            signing.slot(number).read(HEAD + KEY_AT, key)
            if key == identifier:
                most = index + 1
    return last, most


def _clear(signing, note):
    """Erase the old tree and its marks; the page with the tree's head goes first and gets its new head last."""
    device = signing.device
    size = device.page_size
    device.erase(signing.tree.first)
    for page in range(SPENT_PAGE, signing.tree.first):
        device.erase(page)
    for page in range(signing.tree.first + 1, signing.tree.first + pages_for(2 * HASH << note.height, size)):
        device.erase(page)
    signing.tree.write(0, memoryview(_tree_head(note.identifier)))


def has_room(signing, height):
    """Whether there is such a height, and the flash has room for its tree."""
    return height in _HEIGHTS and height <= _layout(signing)


def begin(signing, height):
    """A new key: its seed is durable before anything of the old one is erased."""
    if not has_room(signing, height):
        raise ValueError("height")
    signing.state = SIGNING_NO_KEY
    drawn = signing.entropy(IDENTIFIER + HASH)
    if len(drawn) != IDENTIFIER + HASH or drawn == bytes(len(drawn)):
        raise OSError(5)
    note = KeyNote(signing.device)
    note.load()
    note.height = height
    note.made = 0
    note.identifier = drawn[:IDENTIFIER]
    note.seed = drawn[IDENTIFIER:]
    note.root = bytes(HASH)
    note.save()
    _clear(signing, note)
    signing.height = height
    signing.made = signing.next_index = 0
    signing.total = 1 << height
    signing.identifier = note.identifier
    signing.root = note.root
    signing.state = SIGNING_MAKING


def make(signing):
    """Generator for `Signing.step`: the leaves that are missing, the nodes above, the record; then the key counts."""
    from shoe.trust.lms import inner_nodes, leaves

    note = KeyNote(signing.device)
    note.load()
    tree = signing.tree
    height = note.height
    buf = bytearray(HASH)
    view = memoryview(buf)

    def get(node):
        tree.read(HASH * node, view)
        return buf

    def put(node, value):
        tree.write(HASH * node, memoryview(value))
        if node >> height:
            signing.made = node + 1 - (1 << height)

    first = _leaves_made(get, height)
    signing.made = first
    yield 1
    for done in leaves(note.identifier, note.seed, height, WIDTH, first, put):
        yield done
    for done in inner_nodes(note.identifier, height, get, put):
        yield done
    root = bytes(get(1))
    journal = signing.journal
    yield (REC_SIGNING_KEY, note.identifier, height, root)
    note.root = root
    note.made = 1
    note.first_shoe = journal.shoe + 1 if journal.closed or not journal.shoe else journal.shoe
    note.save()
    signing.root = root
    signing.handled = max(signing.handled, note.first_shoe - 1)
    signing.next_index = first_unspent(signing)  # 0, unless an old note came back and the key was made before
    signing.state = SIGNING_USED_UP if signing.next_index >= signing.total else SIGNING_READY


def _leaves_made(get, height):
    """Leaves that are whole: all before the last one that is not blank, which a power cut may have torn."""
    low = 0
    high = 1 << height
    while low < high:
        middle = (low + high) // 2
        if get((1 << height) + middle) == _BLANK:
            high = middle
        else:
            low = middle + 1
    return max(0, low - 1)
