"""The signing key of this device, and the signatures of its closed shoes, in the flash partition `keys`.

Everything long is done by `step`, a few hashes at a time: making the tree of a key, and signing each shoe that closed.
What a power cut ends goes on at the next start. A one-time index is spent durably before the first hash that uses it,
and never used again; a signature that a cut ended takes the next one. Layout and order of writing: board/README.md.
A shoe without a key loads nothing of LMS.
"""

import struct
from binascii import crc32

from shoe.compat import const
from shoe.journal.flash import WHOLE, is_blank, is_ready, make_ready
from shoe.trust import signing_key
from shoe.trust.sign_shoe import NO_INDEX
from shoe.trust.signing_key import HEAD, SLOT, WIDTH, Area
from shoe.wire_table import (
    SIGNATURE_NO_KEY,
    SIGNATURE_NONE,
    SIGNATURE_PENDING,
    SIGNATURE_SIGNED,
    SIGNING_DAMAGED,
    SIGNING_MAKING,
    SIGNING_NO_KEY,
    SIGNING_READY,
    SIGNING_USED_UP,
)

_SLOT_SIZE = const(20)
_SLOT_MAGIC = b"SGND"
_CHUNK = const(256)


class Signing:
    """Key and signatures. `journal` is asked for closed shoes, `entropy(n)` for random bytes, `may_overwrite(shoe,
    last_record)` whether a history was fetched, `config_crc()` for the configuration in force.

    state: enum.signing; height: of the tree; made, total: leaves made so far, of all; next_index: first unspent one.
    """

    def __init__(self, device, device_id, journal, entropy, may_overwrite, config_crc):
        self.device = device
        self.device_id = device_id
        self.journal = journal
        self.entropy = entropy
        self.may_overwrite = may_overwrite
        self.config_crc = config_crc
        self.state = SIGNING_NO_KEY
        self.height = 0
        self.made = 0
        self.total = 0
        self.next_index = 0
        self.identifier = b""
        self.root = b""
        self.handled = -1  # last shoe that was signed or closed unsigned
        self.slot_pages = 0
        self.slots = 0
        self.first_slot = 0
        self.tree = None
        self.ordered = 0  # height of a key that is to be begun
        self._begun = self.abandon  # until an order brings another
        self._work = None  # generator under way
        self._next_blank = False  # the slot of the next shoe is erased
        self._head = bytearray(_SLOT_SIZE)
        self._magic = memoryview(self._head)[: len(_SLOT_MAGIC)]

    # ------------------------------------------------------------------------------------------------ start
    def start(self):
        """Find key, spent indices and signatures. A key whose making was cut off is gone on with by `step`."""
        self._work = None
        self._next_blank = False
        self.ordered = 0
        signing_key.load(self)

    # ------------------------------------------------------------------------------------------------ the key
    def begin(self, height):
        """Give up the key in force and begin a new one with a tree of `height`; `step` makes it.

        Signatures that are stored stay. ValueError: no such height here. OSError: no entropy, or the flash fails; then
        there is no key.
        """
        self._work = None
        self.ordered = 0
        signing_key.begin(self, height)

    def order(self, height, begun):
        """Give up the key in force; `step` begins a new one with a tree of `height` and makes it.

        The order is durable already; `begun()` lets go of it, durably, once the seed of the new key is stored.
        """
        self._begun = begun
        self.ordered = height
        self.height = height
        self.made = 0
        self.total = 1 << height
        self._work = None
        self.state = SIGNING_MAKING

    def _begin_ordered(self):
        """Generator for `step`: begin the key that was ordered."""
        signing_key.begin(self, self.ordered)
        yield 1
        self._begun()  # before a leaf is made: a key that was told is never begun again
        self.ordered = 0
        yield 1

    def progress(self):
        """(made, total) leaves of the tree; (0, 0) without a key."""
        return self.made, self.total

    def public_key(self):
        """The 56 bytes of RFC 8554, section 5.3; empty until the tree is made."""
        if self.state not in (SIGNING_READY, SIGNING_USED_UP):
            return b""
        from shoe.trust.lms import public_key

        return public_key(self.height, WIDTH, self.identifier, self.root)

    # ------------------------------------------------------------------------------------------------ work
    @property
    def busy(self):
        """True while `step` has something to do."""
        return self._work is not None or self.state == SIGNING_MAKING or self._due() >= 0

    def _due(self):
        """The shoe that is to be signed next, -1 when none is."""
        if self.state in (SIGNING_NO_KEY, SIGNING_MAKING) or self.journal.tail < 0:
            return -1
        newest = self.journal.shoe if self.journal.closed else self.journal.shoe - 1
        return self.handled + 1 if self.handled < newest else -1

    def step(self, hashes, enough=None):
        """Do about `hashes` hashes of what is due; an event for the journal when something came about, else None.

        No more once `enough()` is true, which is asked first and between chains, PIECE hashes at most.
        """
        while hashes > 0 and not (enough and enough()):
            if self._work is None:
                self._work = self._next_work()
            work = self._work
            if work is None:
                return None
            try:
                done = next(work)
            except StopIteration:
                self._work = None
                continue
            except OSError:
                self._work = None
                if self.state == SIGNING_DAMAGED:
                    self.handled += 1  # not even that it failed can be kept
                self.state = SIGNING_DAMAGED
                return None
            if isinstance(done, tuple):
                return done
            hashes -= done
        return None

    def abandon(self):
        """Leave what is under way; a signature that was begun takes another index."""
        self._work = None

    def _next_work(self):
        if self.state == SIGNING_MAKING:
            return self._begin_ordered() if self.ordered else signing_key.make(self)
        shoe = self._due()
        if shoe < 0:
            return None
        blank = self._next_blank
        self._next_blank = False
        from shoe.trust.sign_shoe import sign_shoe

        return sign_shoe(self, shoe, blank)

    # ------------------------------------------------------------------------------------------------ signatures
    def slot(self, shoe):
        """Where the signature of `shoe` has its place."""
        return Area(self.device, self.first_slot + shoe % self.slots * self.slot_pages)

    def result(self, shoe):
        """(state of enum.signature, bytes of statement and signature) of a closed `shoe`; the journal has it."""
        if self.slots:
            held, result, size, _ = self.read_slot(shoe % self.slots)
            if held == shoe:
                return result, size
        if self.handled < shoe and self.state not in (SIGNING_NO_KEY, SIGNING_MAKING):
            return SIGNATURE_PENDING, 0
        return SIGNATURE_NO_KEY, 0

    def read_signature(self, shoe, offset, view):
        """Fill `view` with statement and signature of `shoe` from byte `offset` on."""
        self.slot(shoe).read(HEAD + offset, view)

    def slot_head(self, number):
        """The head of slot `number`, a bytearray that the next look overwrites; None when the slot holds none."""
        head = self._head
        self.device.read(self.first_slot + number * self.slot_pages, 0, head)
        if head[0] == 0xFF or crc32(head) != WHOLE or self._magic != _SLOT_MAGIC:  # blank, as most are at most starts
            return None
        return head

    def read_slot(self, number):
        """(shoe, result, size, index) that slot `number` holds; shoe -1 when it holds none."""
        head = self.slot_head(number)
        if head is None:
            return -1, SIGNATURE_NONE, 0, NO_INDEX
        _, shoe, result, _, size, index, _ = struct.unpack(SLOT, head)
        return shoe, result, size, index

    def close_slot(self, shoe, result, size, index):
        """What is in the slot of `shoe` counts from here on."""
        struct.pack_into(SLOT, self._head, 0, _SLOT_MAGIC, shoe, result, 0, size, index, 0)
        struct.pack_into("<I", self._head, _SLOT_SIZE - 4, crc32(memoryview(self._head)[: _SLOT_SIZE - 4]))
        self.slot(shoe).write(0, memoryview(self._head))
        self.handled = shoe

    # ------------------------------------------------------------------------------------------------ room
    def room(self):
        """False when the shoe to come would need the place of a signature that nobody fetched."""
        if self.state in (SIGNING_NO_KEY, SIGNING_MAKING) or not self.slots:
            return True
        shoe = self.handled + 1
        while shoe <= self.journal.shoe + 1:
            if not self._may_go(shoe):
                return False
            shoe += 1
        return True

    def _may_go(self, shoe):
        """True when the slot of `shoe` holds nothing that must stay."""
        held, result, _, _ = self.read_slot(shoe % self.slots)
        if held < 0 or held == shoe or result != SIGNATURE_SIGNED:
            return True
        for number, _, _, record, records, _ in self.journal.shoes(held):
            return number != held or self.may_overwrite(held, record + records - 1)
        return True

    def clear_slot(self, shoe):
        """Make the slot of `shoe` ready to be written, see shoe/journal/flash.py; True when it was erased."""
        device = self.device
        scratch = bytearray(_CHUNK)
        first = self.slot(shoe).first
        rest = range(first + 1, first + self.slot_pages)  # none with pages of 4096 bytes
        if is_ready(device, first, _SLOT_MAGIC, scratch) and all(is_blank(device, page, 0, scratch) for page in rest):
            return False
        for page in rest:
            device.erase(page)
        make_ready(device, first, _SLOT_MAGIC)
        return True

    def idle(self):
        """Erase ahead for the next shoe; True when the flash was erased."""
        if self._next_blank or self._work is not None or self.state in (SIGNING_NO_KEY, SIGNING_MAKING):
            return False
        if not self.slots or self._due() >= 0:
            return False
        if not self._may_go(self.handled + 1):
            return False
        if self.clear_slot(self.handled + 1):
            return True
        self._next_blank = True
        return False
