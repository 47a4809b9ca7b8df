"""Provisioning and announced updates: loaded when somebody asks for them.

key = HMAC(secret of the host, "shoe command key 1" + device id + share of the shoe): random as long as either side's
half is, and never the same for two shoes, whatever secret the host takes.
"""

import struct

from shoe.service_error import ServiceError
from shoe.trust.authority import draw, fingerprint, hmac_sha256, keep, same
from shoe.trust.signing_key import has_room
from shoe.wire_table import (
    ATTEMPT_WRONG_KEY,
    ERROR_BAD_VALUE,
    ERROR_BUSY,
    ERROR_NO_CHALLENGE,
    ERROR_WRONG_KEY,
    FAULT_FIRMWARE,
    FIRMWARE_AS_ANNOUNCED,
    FIRMWARE_NOT_ANNOUNCED,
    FIRMWARE_RECORDED,
    MSG_PROVISION,
    PROVISIONED_MADE,
    PROVISIONED_RENEWED,
    REC_ATTEMPT,
    REC_CLEARED,
    REC_FIRMWARE,
    REC_PROVISIONED,
    REC_UPDATE_ANNOUNCED,
)


def offer(keys, secret, board, device_id, link):
    """Request key_offer: the host's half came, nothing is stored. Returns the shoe's half."""
    if keys.key:  # only who has the old key can tell the new one on an open line
        mask = hmac_sha256(keys.key, b"shoe key wrap 1" + keys.proved)
        plain = bytearray(32)
        for i in range(32):
            plain[i] = secret[i] ^ mask[i]
        secret = bytes(plain)
    share = draw(board.entropy, keys.last)
    keys.offered = hmac_sha256(secret, b"shoe command key 1" + device_id + share)
    keys.offered_to = link.session
    return (share,)


def provision(keys, height, tag, board, device_id, link, signing, table, steps):
    """Request provision: the host has kept the key and proves it. Returns the fingerprint that is in force now.

    One writing puts the key in force, and orders the signing key with it: all that may fail without a fault of the
    flash comes before. A signing key that was ordered is begun when there is time, also after a restart.
    """
    key = keys.offered
    if steps.waiting():
        raise ServiceError(ERROR_BUSY)
    keys.offered = b""
    if not key or keys.offered_to != link.session:
        raise ServiceError(ERROR_NO_CHALLENGE)
    context = b"shoe provision 1" + device_id + struct.pack("<H", link.epoch) + link.session
    if not same(hmac_sha256(key, context + bytes((height,))), tag):
        steps.commit([(REC_ATTEMPT, MSG_PROVISION, ATTEMPT_WRONG_KEY, keys.failures, 0, bytes(8))])
        raise ServiceError(ERROR_WRONG_KEY)
    if height and not has_room(signing, height):
        raise ServiceError(ERROR_BAD_VALUE)
    why = PROVISIONED_RENEWED if keys.key else PROVISIONED_MADE
    firmware = keys.found = board.firmware_digest()
    answer = (fingerprint(key),)
    events = [(REC_PROVISIONED, answer[0], why), (REC_FIRMWARE, firmware, FIRMWARE_RECORDED)]
    _keep(keys, steps, events, key, firmware, b"", height)
    if height:
        signing.order(height, keys.begun)
    _say(keys, steps, events + _cleared(table.dealing))
    return answer


def _keep(keys, steps, events, key, firmware, announced=b"", height=0):
    """As `keep`. The `events` that follow are said by `Gate.settle` if no memory is left for them."""
    keys.unsaid = events, steps.next_record, (key, firmware, announced)
    keep(keys, key, firmware, announced, height)


def _say(keys, steps, events):
    steps.commit(events)
    keys.unsaid = None


def announce(keys, version, digest, board, table, steps):
    """Request update: this firmware may come; when it is here already, it belongs here."""
    if not steps.room():
        raise ServiceError(ERROR_BUSY)
    if keys is not None and not keys.key:
        keys = None
    if keys is not None:
        keys.found = board.firmware_digest()
    events = [(REC_UPDATE_ANNOUNCED, version, digest)]
    if keys is None:
        steps.commit(events)
        return
    if digest == keys.found:
        events.append((REC_FIRMWARE, digest, FIRMWARE_AS_ANNOUNCED))
        _keep(keys, steps, events, keys.key, digest)
        events += _cleared(table.dealing)
    else:
        _keep(keys, steps, events, keys.key, keys.firmware, digest)
    _say(keys, steps, events)


def _cleared(dealing):
    """What takes the fault of the wrong firmware away."""
    if FAULT_FIRMWARE not in dealing.faults:
        return []
    event = (REC_CLEARED, FAULT_FIRMWARE, 0)
    dealing.apply(event)
    return [event]


def check_firmware(keys, board, table, steps):
    """At each start of a provisioned shoe: are its files those that belong here, or those that were announced?"""
    found = keys.found = board.firmware_digest()
    if found == keys.firmware:
        return
    if found == keys.announced:
        keep(keys, keys.key, found)
        steps.commit([(REC_FIRMWARE, found, FIRMWARE_AS_ANNOUNCED)] + _cleared(table.dealing))
        return
    steps.commit([(REC_FIRMWARE, found, FIRMWARE_NOT_ANNOUNCED)])
