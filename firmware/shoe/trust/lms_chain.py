"""The chains of one-time keys in machine code: SHA-256 (FIPS 180-4, 6.2.2) of one block, over and over in place.

A step of a chain hashes 55 bytes, which with their padding are one block. `hashlib` makes two objects of 192 bytes for
each, so that the 1,100 steps of a signature would collect memory five times; this takes nothing of the heap. It is only
used where it is machine code: as Python it is right as well, which tests use, but slow.
"""

from array import array
from binascii import unhexlify

from shoe.compat import const, micropython, ptr8, ptr32, uint

BLOCK = const(64)
_LENGTH = const(0x01B8)  # bits of the 55 bytes, behind them in the block
_VALUE = const(23)  # place of the value in the block
_STEP = const(22)
# Words of `words`: the message schedule, 64 constants, 8 words of the initial hash, a mask of 32 bits.
_WORDS = const(137)
_CONSTANTS = unhexlify(
    b"428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5"
    b"d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174"
    b"e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da"
    b"983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967"
    b"27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85"
    b"a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070"
    b"19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3"
    b"748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2"
    b"6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19"
    b"ffffffff"
)


def block():
    """A block of 64 bytes for `walk`: 23 bytes, of which the last is the step, 32 of value, padding."""
    out = bytearray(BLOCK)
    out[55] = 0x80
    out[62] = _LENGTH >> 8
    out[63] = _LENGTH & 0xFF
    return out


def words():
    """The memory in which `walk` computes."""
    out = array("I", bytes(4 * _WORDS))
    _load(out, 64, _CONSTANTS, _WORDS - 64)
    return out


@micropython.viper
def _load(words: ptr32, at: int, data: ptr8, n: int):  # pyright: ignore
    """Put `n` words of `data`, the high byte first, into `words` from `at` on."""
    i = 0
    while i < n:
        k = i << 2
        words[at + i] = data[k] << 24 | data[k + 1] << 16 | data[k + 2] << 8 | data[k + 3]
        i += 1


@micropython.viper
def walk(words: ptr32, block: ptr8, start: int, stop: int):  # pyright: ignore
    """Hash `block` for each step from `start` to before `stop`; each hash is the value of the next.

    A rotation is a shift to the right and one to the left, and those of one word are nested: a >> 22 ^ a >> 13 ^ a >> 2
    is ((a >> 9 ^ a) >> 11 ^ a) >> 2. Sums may pass 32 bits where words have 64; what is shifted to the right has not.
    """
    mask = uint(words[136])
    i = 0
    while i < 16:
        k = i << 2
        words[i] = block[k] << 24 | block[k + 1] << 16 | block[k + 2] << 8 | block[k + 3]
        i += 1
    while start < stop:
        words[5] = words[5] & int(mask) - 0xFF00 | start << 8
        i = 16
        while i < 64:
            e = uint(words[i - 2])
            a = uint(words[i - 15])
            words[i] = int(
                (((e >> 2 ^ e) >> 7 ^ e) >> 10 ^ (e << 2 ^ e) << 13)
                + (((a >> 11 ^ a) >> 4 ^ a) >> 3 ^ (a << 11 ^ a) << 14)
                + uint(words[i - 16]) + uint(words[i - 7]) & mask
            )  # fmt: skip
            i += 1
        a = uint(words[128])
        b = uint(words[129])
        c = uint(words[130])
        d = uint(words[131])
        e = uint(words[132])
        f = uint(words[133])
        g = uint(words[134])
        h = uint(words[135])
        i = 0
        while i < 64:
            h += (
                (((e >> 14 ^ e) >> 5 ^ e) >> 6 ^ ((e << 5 ^ e) << 14 ^ e) << 7)
                + ((f ^ g) & e ^ g) + uint(words[64 + i]) + uint(words[i])
            )  # fmt: skip
            t = (((a >> 9 ^ a) >> 11 ^ a) >> 2 ^ ((a << 11 ^ a) << 9 ^ a) << 10) + ((a | b) & c | a & b) + h & mask
            d = d + h & mask
            h = g
            g = f
            f = e
            e = d
            d = c
            c = b
            b = a
            a = t
            i += 1
        words[16] = int(a)
        words[17] = int(b)
        words[18] = int(c)
        words[19] = int(d)
        words[20] = int(e)
        words[21] = int(f)
        words[22] = int(g)
        words[23] = int(h)
        i = 0
        k = words[5]
        while i < 8:  # the hash is put in three bytes behind the words' beginnings
            a = uint(words[16 + i]) + uint(words[128 + i]) & mask
            words[5 + i] = k & int(mask) - 0xFF | int(a >> 24)
            k = int(a << 8 & mask)
            i += 1
        words[13] = k | 0x80
        start += 1
    block[_STEP] = words[5] >> 8 & 0xFF
    i = 0
    while i < 32:
        k = _VALUE + i
        block[k] = words[k >> 2] >> (3 - (k & 3) << 3) & 0xFF
        i += 1
