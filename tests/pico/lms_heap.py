"""Chains, a signature and its verification on MicroPython: are they right, and how many bytes of the heap they take.

    micropython lms_heap.py <firmware folder> <tests/firmware>

From source, so that what is marked as machine code is that.
"""

import gc
import hashlib
import sys

for folder in sys.argv[2:0:-1]:
    sys.path.insert(0, folder)

from rng import Rng  # noqa: E402
from shoe.compat import MACHINE_CODE  # noqa: E402
from shoe.trust import lms, lms_chain  # noqa: E402
from shoe.trust.lms import Chains, inner, leaf  # noqa: E402

SEED = bytes(range(32))
NAME = bytes(range(16))
HEIGHT = 10
MESSAGE = bytes(94)


def chains_are_right(rounds):
    """Whether the machine code hashes random blocks as hashlib does; and the bytes that it took."""
    rng = Rng(1)
    words = lms_chain.words()
    taken = 0
    for _ in range(rounds):
        block = lms_chain.block()
        block[:55] = rng.data(55)
        first = rng.below(240)
        right = bytearray(block[:55])
        for step in range(first, first + 15):
            right[22] = step
            right[23:] = hashlib.sha256(right).digest()
        before = gc.mem_alloc()
        lms_chain.walk(words, block, first, first + 15)
        taken += gc.mem_alloc() - before
        if block[:55] != right:
            return False, taken
    return True, taken


def finish(work):
    """(hashes, value) of a generator of slices."""
    hashes = 0
    try:
        while True:
            hashes += next(work)
    except StopIteration as end:
        return hashes, end.value


def public(q):
    """The public key of one-time key `q`, with hashlib alone."""
    digest = hashlib.sha256(NAME + q.to_bytes(4, "big") + b"\x80\x80")
    for chain in range(67):
        start = NAME + q.to_bytes(4, "big") + chain.to_bytes(2, "big")
        value = hashlib.sha256(start + b"\xff" + SEED).digest()
        for step in range(15):
            value = hashlib.sha256(start + bytes((step,)) + value).digest()
        digest.update(value)
    return digest.digest()


try:
    Chains(NAME, 4)
except OSError:
    print("chains refused")
    sys.exit(0)
node = bytearray(32)
out = bytearray(4000)
view = memoryview(out)
end = 0


def put(data):
    global end
    out[end : end + len(data)] = data
    end += len(data)


right, taken = chains_are_right(200)
print("machine code", bool(MACHINE_CODE), "chains right", right, "bytes", taken)
gc.collect()
gc.threshold(-1)
before = gc.mem_alloc()
signing, _ = finish(lms.sign(NAME, SEED, HEIGHT, 4, 3, bytes(32), MESSAGE, lambda number: node, put))
verifying, root = finish(lms.root_of(NAME, HEIGHT, 4, MESSAGE, lambda at, n: view[at : at + n]))
taken = gc.mem_alloc() - before
value = leaf(NAME, (1 << HEIGHT) + 3, public(3))
for level in range(HEIGHT):
    number = (1 << HEIGHT) + 3 >> level
    value = inner(NAME, number >> 1, bytes(32), value) if number & 1 else inner(NAME, number >> 1, value, bytes(32))
print("hashes", signing + verifying, "root right", root == value, "bytes a hash", taken // (signing + verifying))
