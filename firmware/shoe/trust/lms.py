"""LMS signatures of RFC 8554 with SHA-256 and 32-byte hashes: making a key, signing, verifying.

Only hashes and integers. A one-time key is a row of hash chains (LM-OTS). The leaves of a tree are the public keys of
its one-time keys, the root, node 1, is the public key of all. Node r has the children 2r and 2r + 1; leaf q is node
2^height + q.
"""

import hashlib
import struct

from shoe.compat import MACHINE_CODE, const
from shoe.trust.lms_size import CHAINS, HASH, signature_size

if MACHINE_CODE:
    from shoe.trust import lms_chain

IDENTIFIER = const(16)  # bytes of I, which names the key
PUBLIC_KEY = const(56)  # u32str(type) || u32str(otstype) || I || T[1]
_OTS_TYPES = {4: 3, 8: 4}  # LMOTS_SHA256_N32_W4, _W8 by width
_LMS_TYPES = {5: 5, 10: 6, 15: 7, 20: 8, 25: 9}  # LMS_SHA256_M32_H5 .. H25 by height
_SHIFT = {4: 4, 8: 0}  # ls
_STEP_SIZE = const(55)  # bytes that a step of a chain hashes
_SECRET = const(0xFF)  # in place of a step: appendix A
_INNER = const(3)  # hashes of one inner node
_HEIGHTS = (5, 10, 15, 20, 25)
_WIDTHS = (4, 8)
_HEAD = const(8)  # q and otstype stand before the randomizer
_OF_PUBLIC = b"\x80\x80"  # D_PBLC
_OF_MESSAGE = b"\x81\x81"
_OF_LEAF = b"\x82\x82"
_OF_NODE = b"\x83\x83"


def types(height, width):
    """(type, otstype) of RFC 8554 for a tree of `height` over one-time keys of `width` bits. KeyError: no such."""
    return _LMS_TYPES[height], _OTS_TYPES[width]


def public_key(height, width, identifier, root):
    """The 56 bytes of RFC 8554, section 5.3."""
    return struct.pack(">II", *types(height, width)) + identifier + root


class Chains:
    """The hash chains of one-time keys of the key `identifier`; `value` is a memoryview of the hash in hand.

    OSError: the machine code for them computes something else than `hashlib` does.
    """

    def __init__(self, identifier, width):
        self.count = CHAINS[width]
        self.last = (1 << width) - 1  # step at which a chain ends
        if MACHINE_CODE:
            self._hash = lms_chain.walk
            self._words = lms_chain.words()
            self._block = lms_chain.block()
        else:
            self._block = bytearray(_STEP_SIZE)
        self._message = memoryview(self._block)[:_STEP_SIZE]  # I || u32str(q) || u16str(chain) || u8str(step) || value
        self._block[:IDENTIFIER] = identifier
        self.value = self._message[23:]
        if MACHINE_CODE:
            right = hashlib.sha256(self._message).digest()
            self.walk(0, 0, 1)
            if self.value != right:
                raise OSError(5)

    def begin(self, q):
        """Go to one-time key `q`; return the hash that takes the ends of its chains."""
        struct.pack_into(">I", self._block, IDENTIFIER, q)
        digest = hashlib.sha256(self._message[: IDENTIFIER + 4])
        digest.update(_OF_PUBLIC)
        return digest

    def secret(self, chain, seed):
        """`value` becomes the secret start of `chain`, derived from `seed` (32 bytes) as in appendix A."""
        self.value[:] = seed
        self.walk(chain, _SECRET, _SECRET + 1)

    def walk(self, chain, start, stop):
        """Take `value` from step `start` of `chain` to step `stop`."""
        block = self._block
        block[20] = chain >> 8
        block[21] = chain & 0xFF
        if MACHINE_CODE:
            self._hash(self._words, block, start, stop)
            return
        for step in range(start, stop):
            block[22] = step
            self.value[:] = hashlib.sha256(self._message).digest()


def _digest(identifier, number, kind, first, second=b""):
    digest = hashlib.sha256(identifier)
    digest.update(struct.pack(">I", number))
    digest.update(kind)
    digest.update(first)
    digest.update(second)
    return digest.digest()


def leaf(identifier, node, ots_public):
    """Leaf `node` (2^height + q) over the public key of its one-time key."""
    return _digest(identifier, node, _OF_LEAF, ots_public)


def inner(identifier, node, left, right):
    """Inner node over its two children."""
    return _digest(identifier, node, _OF_NODE, left, right)


def digits(identifier, q, randomizer, message, width):
    """Step of each chain that the signature of `message` shows: digits of its hash, then of their checksum."""
    hashed = _digest(identifier, q, _OF_MESSAGE, randomizer, message)
    out = bytearray(CHAINS[width])
    top = (1 << width) - 1
    missing = 0
    at = 0
    for byte in hashed:
        for shift in range(8 - width, -1, -width):
            digit = byte >> shift & top
            out[at] = digit
            missing += top - digit
            at += 1
    missing <<= _SHIFT[width]
    for shift in range(16 - width, -1, -width):
        if at < len(out):
            out[at] = missing >> shift & top
            at += 1
    return out


# -------------------------------------------------------------------------------------------- making a key
def leaves(identifier, seed, height, width, first, put):
    """Generator: make the leaves of the one-time keys from `first` on; `put(node, hash)` keeps each."""
    chains = Chains(identifier, width)
    for q in range(first, 1 << height):
        digest = chains.begin(q)
        for chain in range(chains.count):
            chains.secret(chain, seed)
            chains.walk(chain, 0, chains.last)
            digest.update(chains.value)
            yield chains.last + 1
        node = (1 << height) + q
        put(node, leaf(identifier, node, digest.digest()))


def inner_nodes(identifier, height, get, put):
    """Generator: make all nodes above the leaves, the root last.

    `get(node)` gives 32 bytes, `put(node, hash)` keeps them.
    """
    for node in range((1 << height) - 1, 0, -1):
        left = bytes(get(2 * node))
        put(node, inner(identifier, node, left, get(2 * node + 1)))
        yield _INNER


# ------------------------------------------------------------------------------------------------- signing
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


# ----------------------------------------------------------------------------------------------- verifying
# The device checks its own signature before anybody gets it, so that a fault in it betrays nothing.
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
