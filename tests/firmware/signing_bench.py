"""Journal and key partition in memory for tests of signing, and what a host would read of them."""

import hashlib

from flash_memory import MemoryFlash, Power
from shoe.journal.fetched import Fetched
from shoe.journal.journal import Journal
from shoe.trust.signing import Signing
from shoe.trust.signing_key import STATEMENT
from shoe.wire_table import REC_LOADED, REC_SHOE_CLOSED, REC_SHOE_OPENED, SIGNATURE_SIGNED

DEVICE = b"testshoe"
PAGE = 4096
KEYS = 7  # pages: notes, marks, tree of height 5, three slots
_CHIP = bytearray(KEYS * PAGE)  # one for all benches: a small heap goes to pieces otherwise


def _blank_chip():
    blank = b"\xff" * 256
    for start in range(0, len(_CHIP), 256):
        _CHIP[start : start + 256] = blank
    return _CHIP


class Bench:
    """Journal and key partition in memory, and what was emitted by any of their lives."""

    def __init__(self, pages=12, page_size=512, keys=KEYS, seed=1):
        self.power = Power(seed)
        self.journal_flash = MemoryFlash(pages, self.power, page_size)
        self.keys_flash = MemoryFlash(keys, self.power, PAGE, _blank_chip())
        self.store_flash = MemoryFlash(6, self.power, page_size)
        self.drawn = seed
        self.start()

    def entropy(self, n):
        out = bytearray(n)
        for i in range(n):
            self.drawn = (self.drawn * 1103515245 + 12345) & 0x3FFFFFFF
            out[i] = self.drawn >> 16 & 0xFF
        return bytes(out)

    def start(self):
        self.fetched = Fetched(self.store_flash, 4)
        self.fetched.start()
        self.journal = Journal(self.journal_flash, DEVICE, self.fetched.may_overwrite)
        self.journal.start()
        self.signing = Signing(
            self.keys_flash, DEVICE, self.journal, self.entropy, self.fetched.may_overwrite, lambda: 0x12345678
        )
        self.signing.start()

    def key(self, height=5):
        """Make a key to its end; return the events of it."""
        self.signing.begin(height)
        return self.work()

    def work(self, hashes=32):
        """Step until nothing is due; return the events, which the journal gets."""
        events = []
        while self.signing.busy:
            event = self.signing.step(hashes)
            if event is not None:
                self.journal.append(event, 5)
                events.append(event)
        return events

    def deal(self, loads=3, close=True):
        """One shoe; return its number."""
        self.journal.append((REC_SHOE_OPENED, 0, 0, 6, 1, 2, 0, 7, 0, 0), 1)
        for i in range(loads):
            self.journal.append((REC_LOADED, 0, i), 2)
        if close:
            self.journal.append((REC_SHOE_CLOSED, 0, 1, 2), 3)
        return self.journal.shoe

    def emitted(self, shoe):
        """(statement, signature) that the wire would give, or None."""
        result, size = self.signing.result(shoe)
        if result != SIGNATURE_SIGNED:
            return None
        data = bytearray(size)
        self.signing.read_signature(shoe, 0, memoryview(data))
        return bytes(data[:STATEMENT]), bytes(data[STATEMENT:])

    def head(self, page, end):
        data = bytearray(end)
        self.journal.read(page, 0, memoryview(data))
        return hashlib.sha256(data).digest()
