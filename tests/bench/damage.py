"""Frames and the ways in which a line damages them; everything is drawn from one seeded generator."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from shoetool.wire.frames import VERSION, encode_frame


class Sent(NamedTuple):
    """One frame as it was sent: what a decoder may say about it, and its bytes on the line."""

    fields: tuple[int, int, int, int, bytes]  # version, kind, epoch, sequence, payload
    line: bytes


class Damaged(NamedTuple):
    """Damaged bytes, and the intact frames that they were made of."""

    data: bytes
    made_of: tuple[Sent, ...]


def make_frame(rng: Random) -> Sent:
    """A frame such as the protocol has: mostly short, some with many zeros, some as long as can be."""
    size = rng.choice((0, 0, 2, 4, 8, 11, 20, 20, 32, 47, 47, 60, 100, rng.randrange(364), 363))
    style = rng.randrange(4)
    if style == 0:
        payload = bytes(rng.choice((0, 0, 1, 255)) for _ in range(size))
    elif style == 1:
        payload = bytes(rng.randrange(1, 256) for _ in range(size))
    else:
        payload = rng.randbytes(size)
    kind, epoch, sequence = rng.randrange(256), rng.randrange(1 << 16), rng.randrange(1 << 16)
    return Sent((VERSION, kind, epoch, sequence, payload), encode_frame(kind, epoch, sequence, payload))


def bit_flips(rng: Random, one: Sent, _: Sent) -> Damaged:
    """One to eight bits wrong, anywhere, delimiters too."""
    data = bytearray(one.line)
    for bit in rng.sample(range(8 * len(data)), rng.randint(1, 8)):
        data[bit >> 3] ^= 1 << (bit & 7)
    return Damaged(bytes(data), (one,))


def burst(rng: Random, one: Sent, _: Sent) -> Damaged:
    """A stretch of 2 to 64 bits replaced by noise, first and last bit wrong for certain."""
    width = rng.randint(2, 64)
    bits = 8 * len(one.line)
    start = rng.randrange(max(1, bits - width))
    width = min(width, bits - start)
    wrong = rng.getrandbits(width) | 1 | 1 << (width - 1)
    value = int.from_bytes(one.line, "little") ^ wrong << start
    return Damaged(value.to_bytes(len(one.line), "little"), (one,))


def drop(rng: Random, one: Sent, _: Sent) -> Damaged:
    """One to eight bytes lost in one place, or in several."""
    data = bytearray(one.line)
    if rng.random() < 0.5:
        start = rng.randrange(len(data))
        del data[start : start + rng.randint(1, 8)]
    else:
        for _ in range(rng.randint(1, 8)):
            if data:
                del data[rng.randrange(len(data))]
    return Damaged(bytes(data), (one,))


def insert(rng: Random, one: Sent, _: Sent) -> Damaged:
    """One to eight bytes that nobody sent, in one place or in several."""
    data = bytearray(one.line)
    if rng.random() < 0.5:
        at = rng.randrange(len(data) + 1)
        data[at:at] = rng.randbytes(rng.randint(1, 8))
    else:
        for _ in range(rng.randint(1, 8)):
            data.insert(rng.randrange(len(data) + 1), rng.randrange(256))
    return Damaged(bytes(data), (one,))


def text_inside(rng: Random, one: Sent, _: Sent) -> Damaged:
    """A line of text printed into the middle of a frame."""
    at = rng.randrange(len(one.line) + 1)
    text = rng.choice((b"Traceback (most recent call last):\r\n", b">>> ", b"MPY: soft reboot\r\n", b"\r\n"))
    return Damaged(one.line[:at] + text + one.line[at:], (one,))


def swap(rng: Random, one: Sent, _: Sent) -> Damaged:
    """Two bytes, or two neighbouring stretches, change places."""
    data = one.line
    if rng.random() < 0.5:
        i, j = sorted(rng.sample(range(len(data)), 2))
        return Damaged(data[:i] + data[j : j + 1] + data[i + 1 : j] + data[i : i + 1] + data[j + 1 :], (one,))
    i, j, k = sorted(rng.sample(range(len(data) + 1), 3))
    return Damaged(data[:i] + data[j:k] + data[i:j] + data[k:], (one,))


def splice(rng: Random, one: Sent, other: Sent) -> Damaged:
    """The beginning of one frame and the end of another; half of the time cut in the same place."""
    i = rng.randrange(len(one.line) + 1)
    j = min(i, len(other.line)) if rng.random() < 0.5 else rng.randrange(len(other.line) + 1)
    return Damaged(one.line[:i] + other.line[j:], (one, other))


def repeat(rng: Random, one: Sent, _: Sent) -> Damaged:
    """A stretch that comes twice."""
    i, j = sorted(rng.sample(range(len(one.line) + 1), 2))
    return Damaged(one.line[:j] + one.line[i:], (one,))


def zeros(rng: Random, one: Sent, _: Sent) -> Damaged:
    """A stretch that reads as zeros, as when a cable is pulled."""
    start = rng.randrange(len(one.line))
    length = min(rng.randint(1, 16), len(one.line) - start)
    return Damaged(one.line[:start] + bytes(length) + one.line[start + length :], (one,))


KINDS: dict[str, Callable[[Random, Sent, Sent], Damaged]] = {
    function.__name__: function
    for function in (bit_flips, burst, drop, insert, text_inside, swap, splice, repeat, zeros)
}


def damage(rng: Random, name: str, pool: list[Sent]) -> Damaged:
    """Damage of one kind to frames of the pool that really changed something."""
    while True:
        one, other = rng.choice(pool), rng.choice(pool)
        result = KINDS[name](rng, one, other)
        if all(result.data != part.line for part in result.made_of):
            return result
