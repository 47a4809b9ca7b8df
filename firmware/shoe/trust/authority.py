"""Who may give privileged commands: challenges that are used once, and a delay that grows with failures.

A provisioned shoe takes a privileged command only with a tag over everything that the command is: HMAC-SHA-256 of the
command key, 256 bits, over device, epoch, session, request, challenge and all arguments. A failure counts before the
tag is compared, durably, so that switching the shoe off saves nobody the delay. SECURITY.md says against whom.

The functions work on an `authority_state.Authority`; this module is loaded when somebody asks.
"""

import struct

from shoe.compat import const
from shoe.service_error import ServiceError
from shoe.trust.authority_state import FAILURES
from shoe.trust.authority_tag import hmac_sha256, same
from shoe.wire_table import (
    ATTEMPT_EXPIRED,
    ATTEMPT_NO_CHALLENGE,
    ATTEMPT_WRONG_KEY,
    ERROR_NO_CHALLENGE,
    ERROR_NO_ENTROPY,
    ERROR_NOT_AUTHORISED,
    ERROR_NOT_PROVISIONED,
    ERROR_WAIT,
    ERROR_WRONG_KEY,
    MSG_PLAY_OPEN,
)

CHALLENGE = const(32)  # bytes


def draw(entropy, last):
    """CHALLENGE fresh random bytes. ServiceError when there are none, or when they are those of the last time."""
    try:
        drawn = bytes(entropy(CHALLENGE))
    except OSError:
        raise ServiceError(ERROR_NO_ENTROPY)
    if len(drawn) != CHALLENGE or drawn == last or drawn == bytes(CHALLENGE):
        raise ServiceError(ERROR_NO_ENTROPY)
    return drawn


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
    of.failures = failures
    of.notes.put(FAILURES, struct.pack("<H", failures))


def keep(of, key, firmware, announced=b""):
    """Make a command key, the digest of the firmware that belongs here and an announced one durable, all or none."""
    before = of.key, of.firmware, of.announced, of.failures
    of.key, of.firmware, of.announced, of.failures = key, firmware, announced, 0
    try:
        of.notes.rewrite()
    except OSError:
        of.key, of.firmware, of.announced, of.failures = before
        raise
    of.name_key()
    of.nonce = b""
    of.waiting = False
