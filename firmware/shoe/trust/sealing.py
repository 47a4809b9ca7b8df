"""Face-down cards: a commitment goes into the journal, the opening stays in the vault until the card is turned.

commitment = SHA-256(nonce (16 bytes) || card (1) || batch (1)), nonce = SHA-256(secret (32) || record number (4))[:16].
Whenever no card lies face down, the next one that does gets another secret, and so does the first one after a start: a
record that a power cut or a damaged page took away leaves its number to another card, and with one nonce for two cards
opening one would open the other. A nonce that was told says nothing about the secret, nor about another card's. So a
card takes 12 bytes of the vault and a secret 38, and all that a shoe can have face down fits a page: with switch hands
(633c.4) close to half of a shoe may lie in the rack unexposed.

The vault is written before the record, so a power cut between the two leaves an opening without a record, which `check`
drops, and never a record without its opening.
Nothing here prints, logs or returns the face of a card that is still sealed but to `dealing`.
"""

import hashlib
import struct

from shoe.compat import const
from shoe.journal.durable_notes import BLANK, Notes
from shoe.wire_table import REC_OPENED, REC_SEALED

_SEALED = const(1)  # as firmware 1.1 and older wrote it, with a nonce of its own
_FORM = "<I16sBB"
_SECRET = const(2)
_CARD = const(3)
_CARD_FORM = "<IBB"
UNKNOWN_CARD = const(63)
_ROOM = const(32)


class EntropyError(Exception):
    """No entropy: a card cannot be sealed."""


def commitment(nonce, card, batch):
    """SHA-256 that binds to `card` of `batch` without telling it."""
    return hashlib.sha256(nonce + bytes((card, batch))).digest()


def _roomy():
    """An empty dict with room for what mostly lies face down: see `dealing.state.Sealed`."""
    room = dict.fromkeys(range(_ROOM), 0)
    for number in range(_ROOM - 1, -1, -1):  # from its end, so that MicroPython leaves no marks of deleted keys
        del room[number]
    return room


class Sealer:
    """Seals and opens. `entropy(n)` returns n random bytes; `vault` is a block device of two pages or more."""

    def __init__(self, entropy, vault):
        self._entropy = entropy
        self._held = _roomy()  # record number -> place of its secret << 16 | card << 8 | batch
        self._old = {}  # record number -> nonce of its own
        self._secrets = []  # in the order in which they were drawn
        self._fresh = False  # the last of them was drawn since the start
        self._ahead = False  # it was asked for in a pause, and no card was sealed since
        self._notes = Notes(vault, 0, self._live)
        self._last = b""
        self._wanted = None
        self._stale = False  # the vault holds an opening that was left out

    def start(self, wanted=None):
        """Load the openings of the sealed records `wanted` (None: all) from the vault; `check` them next.

        The vault may still hold a whole shoe's; those of cards that were turned are left out at once.
        """
        self._held = _roomy()
        self._old = {}
        self._secrets = []
        self._fresh = False
        self._ahead = False
        self._wanted = wanted
        self._notes.start(self._take)

    def _take(self, kind, payload):
        if kind == _SECRET:
            self._secrets.append(bytes(payload))  # of the cards behind it
            return
        nonce = b""
        at = 0
        if kind == _CARD and self._secrets:
            number, card, batch = struct.unpack(_CARD_FORM, payload)
            at = len(self._secrets) - 1
        elif kind == _SEALED:
            number, nonce, card, batch = struct.unpack(_FORM, payload)
        else:
            return
        if self._wanted is not None and number not in self._wanted:
            self._stale = True
            return
        self._held[number] = at << 16 | card << 8 | batch
        if nonce:
            self._old[number] = nonce

    def _live(self):
        last = len(self._secrets) - 1
        for at in range(last + 1):
            told = at == last  # the next cards may stand behind it
            if told:
                yield _SECRET, self._secrets[at]
            for number in self._held:
                held = self._held[number]
                if held >> 16 != at or number in self._old:
                    continue
                if not told:
                    told = True
                    yield _SECRET, self._secrets[at]
                yield _CARD, struct.pack(_CARD_FORM, number, held >> 8 & 255, held & 255)
        for number in self._old:
            held = self._held[number]
            yield _SEALED, struct.pack(_FORM, number, self._old[number], held >> 8 & 255, held & 255)

    def _nonce(self, number):
        """16 bytes of sealed record `number`, which is held."""
        if number in self._old:
            return self._old[number]
        secret = self._secrets[self._held[number] >> 16]
        return hashlib.sha256(secret + struct.pack("<I", number)).digest()[:16]

    def oldest(self):
        """The lowest record number of which the vault has an opening, turned or not; -1 when it has none."""
        self._oldest = -1
        self._notes.start(self._take_oldest)
        return self._oldest

    def _take_oldest(self, kind, payload):
        if kind in (_CARD, _SEALED):
            (number,) = struct.unpack_from("<I", payload)
            if self._oldest < 0 or number < self._oldest:
                self._oldest = number

    def holds(self, number):
        """True when the opening of sealed record `number` is here."""
        return number in self._held

    def check(self, number, wanted):
        """True when the opening of sealed record `number` is here and fits its commitment `wanted` (32 bytes)."""
        held = self._held.get(number)
        return held is not None and commitment(self._nonce(number), held >> 8 & 255, held & 255) == bytes(wanted)

    def keep_only(self, numbers):
        """Forget every opening whose record number is not in `numbers`: opened, or its record never got durable.

        The vault lets go of them at the next `idle`.
        """
        for number in [number for number in self._held if number not in numbers]:
            self.opened(number)
            self._stale = True

    def face(self, number):
        """(card, batch) of sealed record `number` for `dealing` alone; unknown when the opening is lost."""
        held = self._held.get(number)
        return (UNKNOWN_CARD, 0) if held is None else (held >> 8 & 255, held & 255)

    def seal(self, event, number):
        """Turn (REC_SEALED, role, box, hand, head, card, batch) into the record-ready event; its opening is durable.

        `number` is the record number that the journal will give. Raises EntropyError.
        """
        _, role, box, hand, head, card, batch = event
        if number not in self._held:  # else the step is tried again
            if not (self._fresh and (self._held or self._ahead)):
                self._draw_secret()
            self._ahead = False
            self._held[number] = len(self._secrets) - 1 << 16 | card << 8 | batch
        self._notes.put(_CARD, struct.pack(_CARD_FORM, number, card, batch))
        return (REC_SEALED, role, box, hand, head, commitment(self._nonce(number), card, batch))

    def _draw_secret(self):
        """Another secret, for the cards that are sealed from now on."""
        self._fresh = False
        try:
            secret = self._entropy(32)
        except OSError:
            raise EntropyError
        if len(secret) != 32 or secret == self._last or secret == bytes(32):
            raise EntropyError
        if not self._held:
            self._secrets = []
        self._last = secret
        self._secrets.append(secret)
        self._notes.put(_SECRET, secret)
        self._fresh = True

    def open(self, event):
        """Turn (REC_OPENED, sealed, role, box, hand, card, batch) into the record-ready event with its nonce.

        An opening that was lost gives card 63 and a nonce of zeros: the commitment stays unproved. The opening stays
        in the vault until `opened` says that the record is durable.
        """
        _, sealed, role, box, hand = event[:5]
        held = self._held.get(sealed)
        if held is None:
            return (REC_OPENED, sealed, role, box, hand, UNKNOWN_CARD, 0, bytes(16))
        return (REC_OPENED, sealed, role, box, hand, held >> 8 & 255, held & 255, self._nonce(sealed))

    def opened(self, sealed):
        """The opened record of `sealed` is durable: let go of its opening."""
        self._held.pop(sealed, None)
        self._old.pop(sealed, None)

    def idle(self):
        """Write the vault anew without what `keep_only` forgot, erase ahead, or draw the next secret ahead.

        True when it wrote to the flash or erased it. So no card that lies face down waits for an erase or for entropy.
        """
        if self._stale or self._notes.state == BLANK:
            self._notes.rewrite()
            self._stale = False
            return True
        if self._notes.idle():
            return True
        if self._held or self._ahead:
            return False
        self._ahead = True
        try:
            self._draw_secret()
        except (EntropyError, OSError):
            return False  # the first card tries again, and tells
        return True
