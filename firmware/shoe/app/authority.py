"""Behind the gate: who may, every attempt recorded, what a hybrid table may press. Loaded when somebody knocks.

Functions with the names of requests carry them out; each gets the gate first, whose `keys` hold the state.
"""

import hashlib
import struct

from shoe.compat import const, ticks_diff
from shoe.service_error import ServiceError
from shoe.trust import authority as rules
from shoe.trust.authority_state import EXPIRES_MS
from shoe.trust.authority_tag import hmac_sha256, same
from shoe.wire_table import (
    ATTEMPT_ACCEPTED,
    ATTEMPT_NO_CHALLENGE,
    ATTEMPT_TOO_EARLY,
    ATTEMPT_WITHOUT_KEY,
    ATTEMPT_WRONG_KEY,
    AUTHORITY_OPEN,
    ERROR_BAD_VALUE,
    ERROR_BUSY,
    ERROR_NOT_ALLOWED_NOW,
    ERROR_NOT_AUTHORISED,
    ERROR_NOT_PROVISIONED,
    ERROR_WAIT,
    KEY_RESHUFFLE,
    KEY_SUPERVISOR,
    KEY_VOID_ROUND,
    MSG_PLAY,
    PRIVILEGED_REQUESTS,
    REC_ATTEMPT,
    SIGNING_MAKING,
)

_QUIET_MS = const(10000)  # attempts that test no key get one record in so long, so that they cannot fill the journal
_FLOORPERSON = (KEY_SUPERVISOR, KEY_RESHUFFLE, KEY_VOID_ROUND)


def start(gate, said):
    """Look for a command key; say which is in force and whether the firmware fits. An open shoe keeps nothing.

    Each start and each history of a provisioned shoe says so: a key that is gone with no record of it was never in
    force (the power failed while the shoe was provisioned), and one that is gone with such a record is damaged.
    """
    keys = _keys(gate)
    keys.start()
    if not keys.key or keys.damaged:
        keys.damaged = said
        keys.key = b""
    if keys.is_open():
        gate.keys = None
        return
    if keys.key:
        keys.say(gate.app)
        check_firmware(gate)
    keys.follow(gate.app, ())


def _keys(gate):
    if gate.keys is None:
        from shoe.app.keys import Keys

        gate.keys = Keys(gate.app)
    return gate.keys


def authority(gate):
    """Request authority."""
    of = gate.keys
    signing = gate.app.signing
    done, total = signing.progress() if signing.state == SIGNING_MAKING else (0, 0)
    if of is None:
        return AUTHORITY_OPEN, bytes(8), 0, 0, 0, done, total
    return of.state, of.fingerprint, of.wait_ms(), of.failures, 1 if of.announced else 0, done, total


def challenge(gate, request):
    """Request challenge: 32 bytes for one privileged request."""
    if request not in PRIVILEGED_REQUESTS:
        raise ServiceError(ERROR_BAD_VALUE)
    _provisioned(gate)
    if not gate.app.board.entropy_ready(rules.CHALLENGE):
        raise ServiceError(ERROR_BUSY)  # it comes at a few ms a byte: nobody waits for it, least of all a table
    try:
        return rules.challenge(gate.keys, request, gate.app.link.session), EXPIRES_MS
    except ServiceError as error:
        if error.code == ERROR_WAIT:
            _note(gate, request, ATTEMPT_TOO_EARLY, b"")
        raise


def _provisioned(gate):
    if gate.keys is None or gate.keys.is_open():
        raise ServiceError(ERROR_NOT_PROVISIONED)


def refuse(gate, request, body):
    """A privileged request without a tag came to a shoe that is provisioned."""
    _note(gate, request, ATTEMPT_WITHOUT_KEY, body)
    raise ServiceError(ERROR_NOT_AUTHORISED)


def tagged(gate, request, tag, body):
    """A privileged request with its tag: return when it may be carried out, now."""
    app = gate.app
    of = gate.keys
    if request not in PRIVILEGED_REQUESTS:
        raise ServiceError(ERROR_BAD_VALUE)
    _provisioned(gate)
    if app.in_throat() or (app.steps.waiting() and not (app.steps.stuck and app.steps.room())):
        raise ServiceError(ERROR_BUSY)
    context = app.device_id + struct.pack("<H", app.link.epoch)
    try:
        of.proved = rules.check(of, request, tag, body, context, app.link.session)
    except ServiceError:
        _note(gate, request, of.verdict, body)
        raise
    _note(gate, request, ATTEMPT_ACCEPTED, body)


def _note(gate, request, result, body):
    """Record an attempt; those that test no key at most once in a while, and then how many there were."""
    app = gate.app
    of = gate.keys
    if result > ATTEMPT_WRONG_KEY:
        now = app.silence.ticks_ms()
        if not 0 <= ticks_diff(now, of.noted) < _QUIET_MS:
            of.quiet = False
        if of.quiet or not app.steps.room():
            of.unrecorded = min(of.unrecorded + 1, 0xFFFF)
            return
        of.quiet = True
        of.noted = now
    arguments = hashlib.sha256(body).digest()[:8]
    app.steps.commit([(REC_ATTEMPT, request, result, of.failures, of.unrecorded, arguments)])
    of.unrecorded = 0


def play_open(gate):
    """Request play_open: whoever has the play key presses keys from now on, until the next session."""
    _provisioned(gate)  # request `key` does the same at an open shoe
    of = gate.keys
    of.playing = gate.app.link.session
    of.counter = 0
    of.play = hmac_sha256(rules.play_key(of), b"shoe play 1" + of.proved)


def play(gate, counter, record, phase, key, argument, tag):
    """Request play: a panel key of a hybrid table, within an open play, for the table as its controller saw it."""
    _provisioned(gate)
    app = gate.app
    of = gate.keys
    if key in _FLOORPERSON:
        raise ServiceError(ERROR_BAD_VALUE)
    if app.in_throat() or app.steps.waiting():
        raise ServiceError(ERROR_BUSY)
    pressed = struct.pack("<IIBBB", counter, record, phase, key, argument)
    if not of.play or of.playing != app.link.session or counter <= of.counter:
        _note(gate, MSG_PLAY, ATTEMPT_NO_CHALLENGE, pressed)
        raise ServiceError(ERROR_NOT_AUTHORISED)
    if not same(hmac_sha256(of.play, pressed), tag):
        of.play = b""  # a second try needs the play key
        _note(gate, MSG_PLAY, ATTEMPT_WRONG_KEY, pressed)
        raise ServiceError(ERROR_NOT_AUTHORISED)
    of.counter = counter
    if record != app.steps.next_record or phase != app.dealing.phase:
        raise ServiceError(ERROR_NOT_ALLOWED_NOW)  # something happened since: it was held back, or came too late
    return (1 if app.press(key, argument) else 0), app.dealing.phase


def key_offer(gate, secret):
    """Request key_offer."""
    from shoe.app import provision as app_provision

    return app_provision.offer(gate.app, _keys(gate), secret)


def provision(gate, height, tag):
    """Request provision."""
    from shoe.app import provision as app_provision

    return app_provision.provision(gate.app, _keys(gate), height, tag)


def update(gate, version, digest):
    """Request update."""
    from shoe.app import provision as app_provision

    app_provision.announce(gate.app, gate.keys, version, digest)


def check_firmware(gate):
    """At each start of a provisioned shoe."""
    from shoe.app import provision as app_provision

    app_provision.check_firmware(gate.app, gate.keys)
