"""LMS verification (RFC 8554 with SHA-256, n = 32), by our own code and by the library pyhsslms.

Both must agree. When they do not, one of them is wrong, and no signature counts.
"""

from __future__ import annotations

import struct
from hashlib import sha256
from typing import Any, Final

import pyhsslms

from shoetool.model.errors import ShoetoolError

IDENTIFIER: Final = 16
HASH: Final = 32
PUBLIC_KEY: Final = 8 + IDENTIFIER + HASH
HEIGHTS: Final = {5: 5, 6: 10, 7: 15, 8: 20, 9: 25}
"""Height by LMS type: LMS_SHA256_M32_H5 .. H25."""
_OTS: Final = {1: (1, 265, 7), 2: (2, 133, 6), 3: (4, 67, 4), 4: (8, 34, 0)}
"""(w, p, ls) by LMOTS type: LMOTS_SHA256_N32_W1 .. W8."""
_D_PBLC, _D_MESG, _D_LEAF, _D_INTR = (bytes((value, value)) for value in (0x80, 0x81, 0x82, 0x83))

_STEPS: Final = tuple(bytes((step,)) for step in range(255))


class VerifiersDisagree(ShoetoolError):
    """Our verification and the library's differ about one signature: a defect in one of them."""


def signature_size(public: bytes) -> int | None:
    """Return the size of a signature of this key in bytes; None for an unknown type of key."""
    if len(public) != PUBLIC_KEY:
        return None
    lms_type, ots_type = struct.unpack_from(">II", public)
    if lms_type not in HEIGHTS or ots_type not in _OTS:
        return None
    return 12 + HASH * (_OTS[ots_type][1] + 1 + HEIGHTS[lms_type])


def verify_own(public: bytes, message: bytes, signature: bytes) -> bool:
    """Verify by our own code: RFC 8554, algorithms 6a and 4b."""
    return len(public) == PUBLIC_KEY and key_of(public[8:24], message, signature) == public


def key_of(identifier: bytes, message: bytes, signature: bytes) -> bytes | None:
    """Return the public key that follows from `signature` and `message`, with the types in it. None: no signature.

    This proves nothing unless that key is known: every well-formed signature leads to some key.
    """
    if len(signature) < 8:
        return None
    q, ots_type = struct.unpack_from(">II", signature)
    if ots_type not in _OTS:
        return None
    width, chains, shift = _OTS[ots_type]
    path = 8 + HASH * (chains + 1)
    if len(signature) < path + 4:
        return None
    (lms_type,) = struct.unpack_from(">I", signature, path)
    height = HEIGHTS.get(lms_type, 0)
    if not height or q >> height or len(signature) != path + 4 + HASH * height:
        return None
    key = identifier + struct.pack(">I", q)
    hashed = sha256(key + _D_MESG + signature[8:40] + message).digest()
    public_hash = sha256(key + _D_PBLC)
    steps = _STEPS[: (1 << width) - 1]
    for chain, digit in enumerate(_digits(hashed, width, chains, shift)):
        value = signature[40 + HASH * chain : 72 + HASH * chain]
        prefix = key + struct.pack(">H", chain)
        for step in steps[digit:]:
            value = sha256(prefix + step + value).digest()
        public_hash.update(value)
    node = (1 << height) + q
    value = sha256(identifier + struct.pack(">I", node) + _D_LEAF + public_hash.digest()).digest()
    at = path + 4
    while node > 1:
        other = signature[at : at + HASH]
        both = other + value if node & 1 else value + other
        node >>= 1
        value = sha256(identifier + struct.pack(">I", node) + _D_INTR + both).digest()
        at += HASH
    return struct.pack(">II", lms_type, ots_type) + identifier + value


def _digits(hashed: bytes, width: int, chains: int, shift: int) -> list[int]:
    """Return the digits of `width` bits of a hash and of its checksum, one a chain."""
    top = (1 << width) - 1
    number = int.from_bytes(hashed, "big")
    digits = [number >> at & top for at in range(256 - width, -1, -width)]
    checksum = sum(top - digit for digit in digits) << shift
    return [*digits, *(checksum >> at & top for at in range(16 - width, -1, -width))][:chains]


def verify_library(public: bytes, message: bytes, signature: bytes) -> bool:
    """Verify by pyhsslms. An error that it raises for a malformed signature means False."""
    if len(signature) != signature_size(public):
        return False
    library: Any = pyhsslms.pyhsslms
    try:
        return bool(library.LmsPublicKey.deserialize(public).verify(message, signature))
    except (ValueError, IndexError, KeyError):
        return False


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether `signature` is a signature of `message` by `public` (56 bytes), by both. VerifiersDisagree: see there."""
    own = verify_own(public, message, signature)
    if own != verify_library(public, message, signature):
        raise VerifiersDisagree(
            f"shoetool and pyhsslms disagree about the signature with index {signature[:4].hex()}: nothing is proved; "
            "keep the history and report the case"
        )
    return own
