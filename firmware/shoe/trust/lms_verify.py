"""Verifying LMS signatures: the device checks its own before anybody gets it, so that a fault in it betrays nothing."""

import struct

from shoe.compat import const
from shoe.trust.lms import PUBLIC_KEY, Chains, digits, inner, leaf, types
from shoe.trust.lms_size import HASH, signature_size

_HEIGHTS = (5, 10, 15, 20, 25)
_WIDTHS = (4, 8)
_HEAD = const(8)  # q and otstype stand before the randomizer


def root_of(identifier, height, width, message, read):
    """The root that a signature of `message` leads to, as the value of the generator.

    `read(offset, size)` gives bytes of the signature, whose types are those of `height` and `width`. Yields the number
    of hashes since the last `yield`. ValueError: no signature of this kind of key.
    """
    q, ots_type = struct.unpack(">II", read(0, _HEAD))
    chains = Chains(identifier, width)
    path = _HEAD + HASH * (chains.count + 1)
    (lms_type,) = struct.unpack(">I", read(path, 4))
    if (lms_type, ots_type) != types(height, width) or q >> height:
        raise ValueError("signature")
    steps = digits(identifier, q, bytes(read(_HEAD, HASH)), message, width)
    digest = chains.begin(q)
    yield 4
    for chain in range(chains.count):
        chains.value[:] = read(_HEAD + HASH * (chain + 1), HASH)
        chains.walk(chain, steps[chain], chains.last)
        digest.update(chains.value)
        yield chains.last - steps[chain]
    node = (1 << height) + q
    value = leaf(identifier, node, digest.digest())
    at = path + 4
    while node > 1:
        other = bytes(read(at, HASH))
        left, right = (other, value) if node & 1 else (value, other)
        node >>= 1
        value = inner(identifier, node, left, right)
        at += HASH
        yield 3
    return value


def verify(message, signature, public):
    """Whether `signature` is one of `message` by the key `public` (56 bytes); all of it at once."""
    view = memoryview(signature)

    def read(offset, n):
        return view[offset : offset + n]

    for height in _HEIGHTS:
        for width in _WIDTHS:
            fits = len(public) == PUBLIC_KEY and len(signature) == signature_size(height, width)
            if fits and struct.unpack(">II", public[:8]) == types(height, width):
                work = root_of(public[8:24], height, width, message, read)
                try:
                    while True:
                        next(work)
                except StopIteration as end:
                    return end.value == public[24:]
                except ValueError:
                    return False
    return False
