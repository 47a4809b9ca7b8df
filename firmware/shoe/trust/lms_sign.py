"""Signing with LMS: a generator that gives the signature piece by piece, a chain (16 hashes at most) at a time."""

import struct

from shoe.trust.lms import Chains, digits, types


def sign(identifier, seed, height, width, q, randomizer, message, node, put):
    """Sign `message` with one-time key `q`, which the caller has spent durably and never spends again.

    `node(number)` gives 32 bytes of the tree; `put(bytes)` takes the signature of RFC 8554, section 5.4, in order.
    Yields the number of hashes since the last `yield`.
    """
    lms_type, ots_type = types(height, width)
    put(struct.pack(">II", q, ots_type))
    put(randomizer)
    steps = digits(identifier, q, randomizer, message, width)
    chains = Chains(identifier, width)
    chains.begin(q)
    yield 4
    for chain in range(chains.count):
        chains.secret(chain, seed)
        chains.walk(chain, 0, steps[chain])
        put(chains.value)
        yield steps[chain] + 1
    put(struct.pack(">I", lms_type))
    at = (1 << height) + q
    while at > 1:
        put(node(at ^ 1))
        at >>= 1
    yield 1
