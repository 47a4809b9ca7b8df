"""Face-down cards: a commitment goes into the journal, the opening stays in the vault until the card is turned.

commitment = SHA-256(nonce (16 bytes) || card (1) || batch (1)). The vault is written before the record, so a power cut
between the two leaves an opening without a record, which `check` drops, and never a record without its opening.
Nothing here prints, logs or returns the face of a card that is still sealed but to `dealing`.
"""

import hashlib
import struct

from shoe.compat import const
from shoe.notes import Notes
from shoe.wire_table import REC_OPENED, REC_SEALED

_SEALED = const(1)
_FORM = "<I16sBB"
UNKNOWN_CARD = const(63)


class EntropyError(Exception):
    """No entropy: a card cannot be sealed."""


def commitment(nonce, card, batch):
    """SHA-256 that binds to `card` of `batch` without telling it."""
    return hashlib.sha256(nonce + bytes((card, batch))).digest()


class Sealer:
    """Seals and opens. `entropy(n)` returns n random bytes; `vault` is a block device of two pages or more."""

    def __init__(self, entropy, vault):
        self._entropy = entropy
        self._held = {}  # record number -> (nonce, card, batch)
        self._notes = Notes(vault, 0, self._live)
        self._last = b""
        self._wanted = None
        self._stale = False  # the vault holds an opening that was left out

    def start(self, wanted=None):
        """Load the openings of the sealed records `wanted` (None: all) from the vault; `check` them next.

        The vault may still hold a whole shoe's; those of cards that were turned are left out at once.
        """
        self._held = {}
        self._wanted = wanted
        self._notes.start(self._take)

    def _take(self, kind, payload):
        if kind == _SEALED:
            number, nonce, card, batch = struct.unpack(_FORM, payload)
            if self._wanted is None or number in self._wanted:
                self._held[number] = (nonce, card, batch)
            else:
                self._stale = True

    def _live(self):
        for number in self._held:
            nonce, card, batch = self._held[number]
            yield _SEALED, struct.pack(_FORM, number, nonce, card, batch)

    def check(self, number, wanted):
        """True when the opening of sealed record `number` is here and fits its commitment `wanted` (32 bytes)."""
        held = self._held.get(number)
        return held is not None and commitment(*held) == bytes(wanted)

    def keep_only(self, numbers):
        """Forget every opening whose record number is not in `numbers`: opened, or its record never got durable."""
        gone = [number for number in self._held if number not in numbers]
        for number in gone:
            del self._held[number]
        if gone or self._stale:
            self._notes.rewrite()
            self._stale = False

    def face(self, number):
        """(card, batch) of sealed record `number` for `dealing` alone; unknown when the opening is lost."""
        held = self._held.get(number)
        return (UNKNOWN_CARD, 0) if held is None else (held[1], held[2])

    def seal(self, event, number):
        """Turn (REC_SEALED, role, box, hand, head, card, batch) into the record-ready event; its opening is durable.

        `number` is the record number that the journal will give. Raises EntropyError.
        """
        _, role, box, hand, head, card, batch = event
        try:
            nonce = self._entropy(16)
        except OSError:
            raise EntropyError
        if len(nonce) != 16 or nonce == self._last or nonce == bytes(16):
            raise EntropyError
        self._last = nonce
        self._held[number] = (nonce, card, batch)
        self._notes.put(_SEALED, struct.pack(_FORM, number, nonce, card, batch))
        return (REC_SEALED, role, box, hand, head, commitment(nonce, card, batch))

    def open(self, event):
        """Turn (REC_OPENED, sealed, role, box, hand, card, batch) into the record-ready event with its nonce.

        An opening that was lost gives card 63 and a nonce of zeros: the commitment stays unproved. The opening stays
        in the vault until `opened` says that the record is durable.
        """
        _, sealed, role, box, hand = event[:5]
        held = self._held.get(sealed)
        if held is None:
            return (REC_OPENED, sealed, role, box, hand, UNKNOWN_CARD, 0, bytes(16))
        return (REC_OPENED, sealed, role, box, hand, held[1], held[2], held[0])

    def opened(self, sealed):
        """The opened record of `sealed` is durable: let go of its opening."""
        self._held.pop(sealed, None)

    def idle(self):
        """Erase ahead; True when the flash was erased."""
        return self._notes.idle()
