"""The first frame on a line: a shoe answers it, and MicroPython's prompt ignores each byte of it.

A port may turn out to be a prompt that no system lists as one. There 0x03 is Ctrl-C and ends the shoe's game, 0x01 to
0x05 do other things, and 0x0D runs what was typed. `identify` always has 0x03 in it. So something else goes first: a
request that only reads, for an epoch that is not the shoe's. The shoe refuses it (`stale_epoch`) and notes nothing, in
every version of the protocol. A shoe of that very epoch answers it, which does no harm either.
"""

from __future__ import annotations

import random
from typing import Final

from shoetool.model.protocol_table import MessageKind

from .frames import encode_frame

# The prompt edits its line with these, completes a word, begins an escape sequence, or takes them as typed.
_NOT_IGNORED: Final = {*range(1, 8), 9, 10, 11, 12, 13, 14, 16, 21, 23, 27, *range(32, 127)}
IGNORED: Final = frozenset(range(256)) - _NOT_IGNORED
"""The bytes that change nothing at MicroPython's prompt. 0x08 deletes the last character of a line that is begun."""
KIND: Final = MessageKind.SIGNING_KEY
# Chosen so that the bytes that follow from the length are ignored too. With it the frame has 30 bytes, and a shoe that
# works in slots reads 32 at a time.
_PADDING: Final = 15


def greeting(chance: random.Random) -> bytes:
    """Return the bytes of a new greeting, with both delimiters."""
    while True:
        epoch, sequence = (_high(chance, 2) for _ in range(2))
        frame = encode_frame(KIND, int.from_bytes(epoch), int.from_bytes(sequence), _high(chance, _PADDING))
        if IGNORED.issuperset(frame):  # the CRC is what it is: one of some ten fits
            return frame


def _high(chance: random.Random, size: int) -> bytes:
    """Return random bytes that no prompt takes for a character."""
    return bytes(chance.randrange(0x80, 0x100) for _ in range(size))
