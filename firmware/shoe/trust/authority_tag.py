"""HMAC-SHA-256 (RFC 2104, FIPS 198-1) over hashlib, and a comparison whose time does not depend on what it compares."""

import hashlib


def hmac_sha256(key, first, second=b""):
    """32 bytes: the tag of `key` over `first` and then `second`; never cut short."""
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
    """True when both are the same 32 bytes. Looks at every byte whatever the first ones say."""
    if len(given) != 32 or len(wanted) != 32:
        return False
    differ = 0
    for i in range(32):
        differ |= wanted[i] ^ given[i]
    return differ == 0
