"""Who may give privileged commands: challenges that are used once, and a delay that grows with failures.

A provisioned shoe takes a privileged command only with a tag over everything that the command is: HMAC-SHA-256 of the
command key, 256 bits, over device, epoch, session, request, challenge and all arguments. A failure counts before the
tag is compared, durably, so that switching the shoe off saves nobody the delay. SECURITY.md says against whom.

Notes in the store: the key, wrong keys in a row, the digests of the firmware that belongs here and of an announced one,
and the height of a signing key that was ordered with the command key and is not begun.
"""

import hashlib
import struct

from shoe.compat import const, ticks_add, ticks_diff
from shoe.journal.durable_notes import DAMAGED, GOOD, Notes
from shoe.service_error import ServiceError
from shoe.wire_table import (
    ATTEMPT_EXPIRED,
    ATTEMPT_NO_CHALLENGE,
    ATTEMPT_WRONG_KEY,
    AUTHORITY_DAMAGED,
    AUTHORITY_OPEN,
    AUTHORITY_PROVISIONED,
    ERROR_NO_CHALLENGE,
    ERROR_NO_ENTROPY,
    ERROR_NOT_AUTHORISED,
    ERROR_NOT_PROVISIONED,
    ERROR_WAIT,
    ERROR_WRONG_KEY,
    MSG_PLAY_OPEN,
)

CHALLENGE = const(32)  # bytes
EXPIRES_MS = const(30000)
KEY = const(1)  # kinds of notes; payload: the command key, 32 bytes
FAILURES = const(2)  # wrong keys in a row, u16
FIRMWARE = const(3)  # 32 bytes
ANNOUNCED = const(4)  # 32 bytes
ORDERED = const(5)  # u8: the height; 0 when it was begun
_FIRST_MS = const(1000)
_LONGEST_MS = const(3600000)


def hmac_sha256(key, first, second=b""):
    """HMAC-SHA-256 (RFC 2104, FIPS 198-1) of `key` over `first` and then `second`: 32 bytes, never cut short."""
    if len(key) > 64:
        key = hashlib.sha256(key).digest()
    pad = bytearray(64)
    for i in range(64):
        pad[i] = 0x36 ^ (key[i] if i < len(key) else 0)
    inner = hashlib.sha256(pad)
    inner.update(first)
    inner.update(second)
    for i in range(64):
        pad[i] ^= 0x36 ^ 0x5C
    outer = hashlib.sha256(pad)
    outer.update(inner.digest())
    return outer.digest()


def same(wanted, given):
    """True when both are the same 32 bytes. The time it takes does not depend on what it compares."""
    if len(given) != 32 or len(wanted) != 32:
        return False
    differ = 0
    for i in range(32):
        differ |= wanted[i] ^ given[i]
    return differ == 0


class Authority:
    """The command key of one shoe in two pages of `device` from `first` on.

    `entropy(n)` gives random bytes, `ticks_ms()` the time, which wraps at 2^30 and starts anew at each start.
    """

    # The challenge: its 32 bytes, for which request and session, when it was given, whether it is not too old.
    nonce = last = session = b""
    request = given = until = verdict = failures = ordered = 0
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
        elif kind == ORDERED:
            self.ordered = payload[0]

    def _live(self):
        yield KEY, self.key
        yield FAILURES, bytes((self.failures & 0xFF, self.failures >> 8))
        if self.firmware:
            yield FIRMWARE, self.firmware
        if self.announced:
            yield ANNOUNCED, self.announced
        if self.ordered:
            yield ORDERED, bytes((self.ordered,))

    def name_key(self):
        """Make the fingerprint: zeros when there is no key."""
        if self.key:
            self.fingerprint = fingerprint(self.key)

    def begun(self):
        """The signing key that was ordered is begun: note it durably."""
        before = self.ordered
        try:
            self.ordered = 0
            self.notes.put(ORDERED, b"\0")
        except Exception:
            self.ordered = before
            raise

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


def draw(entropy, last):
    """CHALLENGE fresh random bytes. ServiceError when there are none, or when they are those of the last time."""
    try:
        drawn = bytes(entropy(CHALLENGE))
    except OSError:
        raise ServiceError(ERROR_NO_ENTROPY)
    if len(drawn) != CHALLENGE or drawn == last or drawn == bytes(CHALLENGE):
        raise ServiceError(ERROR_NO_ENTROPY)
    return drawn


def fingerprint(key):
    """Eight bytes that name a key and tell nothing about it."""
    return hashlib.sha256(b"shoe key fingerprint 1" + key).digest()[:8]


def play_key(of):
    """The key that presses keys for a hybrid table and can do nothing else."""
    return hmac_sha256(of.key, b"shoe play key 1")


def _possible(of):
    if of.damaged:
        raise ServiceError(ERROR_NOT_AUTHORISED)
    if not of.key:
        raise ServiceError(ERROR_NOT_PROVISIONED)


def challenge(of, request, session):
    """32 fresh bytes, good once, for `request` in this session; the challenge before is gone."""
    of.nonce = b""
    _possible(of)
    wait = of.wait_ms()
    if wait:
        raise ServiceError(ERROR_WAIT, wait)
    of.nonce = of.last = draw(of.entropy, of.last)
    of.request = request
    of.session = session
    of.given = of.ticks_ms()
    of.fresh = True
    return of.nonce


def check(of, request, tag, body, context, session):
    """Return the challenge when `tag` proves the key for exactly this; it is used up either way.

    `context`: device id and epoch. ServiceError says what is wrong, `of.verdict` as enum.attempt.
    """
    nonce = of.nonce
    of.nonce = b""
    of.idle()
    of.verdict = ATTEMPT_NO_CHALLENGE
    _possible(of)
    if not nonce or request != of.request or session != of.session:
        raise ServiceError(ERROR_NO_CHALLENGE)
    if not of.fresh:
        of.verdict = ATTEMPT_EXPIRED
        raise ServiceError(ERROR_NO_CHALLENGE)
    _count(of, min(of.failures + 1, 0xFFFF))
    key = play_key(of) if request == MSG_PLAY_OPEN else of.key
    said = b"shoe command 1" + context + session + struct.pack("<BH", request, len(body)) + nonce
    if not same(hmac_sha256(key, said, body), tag):
        of.verdict = ATTEMPT_WRONG_KEY
        of.begin_wait()
        raise ServiceError(ERROR_WRONG_KEY, of.wait_ms())
    _count(of, 0)
    return nonce


def _count(of, failures):
    payload = struct.pack("<H", failures)
    before = of.failures
    try:
        of.failures = failures
        of.notes.put(FAILURES, payload)
    except Exception:
        of.failures = before
        raise


def keep(of, key, firmware, announced=b"", height=0):
    """Make durable, all or none: a command key, the digest of the firmware that belongs here, that of an announced one,
    and with a `height` that a signing key is to be made.
    """
    name = fingerprint(key)
    before = of.key, of.firmware, of.announced, of.failures, of.ordered
    try:
        of.key, of.firmware, of.announced, of.failures, of.ordered = key, firmware, announced, 0, height or of.ordered
        of.notes.rewrite()
    except Exception:
        of.key, of.firmware, of.announced, of.failures, of.ordered = before
        raise
    of.fingerprint = name
    of.nonce = b""
    of.waiting = False
