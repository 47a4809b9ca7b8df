"""The hidden value of a mystery bonus: committed before the first contribution, opened when it is hit.

    commitment = SHA-256(nonce (32 bytes) || value in cents (8 bytes, unsigned, little-endian))

The commitment binds to one value and does not tell it. Whoever has value and nonce can check it: ROUND_FORMAT.md. Both
come from 32 bytes of entropy, so that a laboratory can draw them again:

    nonce = SHA-256("mystery nonce" || entropy)
    value = minimum + draw mod (maximum - minimum + 1)

A draw is the first 8 bytes of SHA-256("mystery value" || entropy || number of the draw (4 bytes)). The first one below
the largest multiple of the number of values is taken: so each cent of the range is equally likely.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import count
from typing import Final

from shoetool.model.errors import BadInput

NONCE_SIZE: Final = 32
ENTROPY_SIZE: Final = 32
COMMITMENT_SIZE: Final = 32
LARGEST_VALUE: Final = 2**64 - 1
_DRAWS: Final = 2**64


@dataclass(frozen=True, slots=True)
class Opening:
    """What opens a commitment: the value in cents, and the nonce of 32 bytes."""

    value: int
    nonce: bytes

    def commitment(self) -> bytes:
        """The 32 bytes that bind to it. BadInput for a nonce or a value that the encoding cannot hold."""
        if len(self.nonce) != NONCE_SIZE:
            raise BadInput(f"a nonce has {NONCE_SIZE} bytes, not {len(self.nonce)}")
        if not 0 <= self.value <= LARGEST_VALUE:
            raise BadInput(f"{self.value} cents are no value of a mystery bonus")
        return hashlib.sha256(self.nonce + self.value.to_bytes(8, "little")).digest()

    def opens(self, commitment: bytes) -> bool:
        """Whether the commitment was made to this value with this nonce."""
        return self.commitment() == commitment


def draw(minimum: int, maximum: int, entropy: bytes) -> Opening:
    """Return a value between these cents, both included, with its nonce. BadInput for another size of entropy."""
    if len(entropy) != ENTROPY_SIZE:
        raise BadInput(f"entropy has {ENTROPY_SIZE} bytes, not {len(entropy)}")
    if not 0 <= minimum <= maximum <= LARGEST_VALUE:
        raise BadInput(f"there is no value between {minimum} and {maximum} cents")
    values = maximum - minimum + 1
    fair = _DRAWS - _DRAWS % values
    for number in count():
        digest = hashlib.sha256(b"mystery value" + entropy + number.to_bytes(4, "little")).digest()
        drawn = int.from_bytes(digest[:8], "little")
        if drawn < fair:
            break
    return Opening(minimum + drawn % values, hashlib.sha256(b"mystery nonce" + entropy).digest())
