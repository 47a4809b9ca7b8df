"""What a shoe keeps about its command key. `authority`, which works on it, is loaded when somebody asks.

Notes in the store: the key, wrong keys in a row, the digests of the firmware that belongs here and of an announced one.
"""

import hashlib

from shoe.compat import const, ticks_add, ticks_diff
from shoe.journal.durable_notes import DAMAGED, GOOD, Notes
from shoe.wire_table import AUTHORITY_DAMAGED, AUTHORITY_OPEN, AUTHORITY_PROVISIONED

EXPIRES_MS = const(30000)
KEY = const(1)  # kinds of notes; payload: the command key, 32 bytes
FAILURES = const(2)  # wrong keys in a row, u16
FIRMWARE = const(3)  # 32 bytes
ANNOUNCED = const(4)  # 32 bytes
_FIRST_MS = const(1000)
_LONGEST_MS = const(3600000)


class Authority:
    """The command key of one shoe in two pages of `device` from `first` on.

    `entropy(n)` gives random bytes, `ticks_ms()` the time, which wraps at 2^30 and starts anew at each start.
    """

    # The challenge: its 32 bytes, for which request and session, when it was given, whether it is not too old.
    nonce = last = session = b""
    request = given = until = verdict = failures = 0
    fresh = waiting = damaged = False
    key = firmware = announced = b""
    fingerprint = bytes(8)

    def __init__(self, device, first, entropy, ticks_ms):
        self.notes = Notes(device, first, self._live)
        self.entropy = entropy
        self.ticks_ms = ticks_ms

    def start(self):
        """Load the key and what failed; a delay that was running begins again in full."""
        self.notes.start(self._take)
        self.damaged = self.notes.state == DAMAGED or (self.notes.state == GOOD and len(self.key) != 32)
        self.name_key()
        self.begin_wait()

    def _take(self, kind, payload):
        if kind == KEY:
            self.key = bytes(payload)
        elif kind == FAILURES:
            self.failures = payload[0] | payload[1] << 8
        elif kind == FIRMWARE:
            self.firmware = bytes(payload)
        elif kind == ANNOUNCED:
            self.announced = bytes(payload)

    def _live(self):
        yield KEY, self.key
        yield FAILURES, bytes((self.failures & 0xFF, self.failures >> 8))
        if self.firmware:
            yield FIRMWARE, self.firmware
        if self.announced:
            yield ANNOUNCED, self.announced

    def name_key(self):
        """Make the fingerprint: eight bytes that name the key and tell nothing about it; zeros when there is none."""
        if self.key:
            self.fingerprint = hashlib.sha256(b"shoe key fingerprint 1" + self.key).digest()[:8]

    @property
    def state(self):
        """enum.authority."""
        if self.damaged:
            return AUTHORITY_DAMAGED
        return AUTHORITY_PROVISIONED if self.key else AUTHORITY_OPEN

    def begin_wait(self):
        """No challenge for a while: 1 s after one wrong key, then 2 s, 4 s ... up to an hour."""
        n = self.failures
        self.waiting = n > 0
        if n:
            self.until = ticks_add(self.ticks_ms(), min(_FIRST_MS << min(n - 1, 12), _LONGEST_MS))

    def wait_ms(self):
        """Milliseconds until a challenge may be given again; 0 for now."""
        left = ticks_diff(self.until, self.ticks_ms()) if self.waiting else 0
        if left > 0:
            return left
        self.waiting = False
        return 0

    def idle(self):
        """Let go of what is over, which must be done now and then, since ticks wrap; True when the flash was erased."""
        self.wait_ms()
        if self.fresh and not 0 <= ticks_diff(self.ticks_ms(), self.given) < EXPIRES_MS:
            self.fresh = False
        return self.notes.idle()
