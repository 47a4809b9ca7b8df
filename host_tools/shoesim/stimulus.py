"""Messages between the simulator and the firmware on the virtual board: u8 type, u16 length, body; little-endian.

Towards the firmware go edges, keys, the simulated time, sync tokens and power cuts; back come lamps, sync tokens and
the ready message. `board/virtual` holds the other end.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

TICKS_PERIOD = 1 << 30
EDGES_A_MESSAGE = 120
DISARM = 0xFFFFFFFF

_HEADER = struct.Struct("<cH")
_EDGE = struct.Struct("<IB")


def _message(kind: bytes, body: bytes = b"") -> bytes:
    return _HEADER.pack(kind, len(body)) + body


def edges(head: int, changes: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    """Yield the messages that carry (µs, lines) changes of one head; times are wrapped to 30 bits here."""
    for start in range(0, len(changes), EDGES_A_MESSAGE):
        part = changes[start : start + EDGES_A_MESSAGE]
        body = b"".join([_EDGE.pack(micros % TICKS_PERIOD, lines) for micros, lines in part])
        yield _message(b"E", bytes((head,)) + body)


def levels(head: int, measured: Sequence[int]) -> bytes:
    """Return the message with the levels of a head's four lines from here on, 0..65535."""
    return _message(b"A", struct.pack("<B4H", head, *measured))


def key(code: int, argument: int) -> bytes:
    """Return the message for a panel key with its argument byte."""
    return _message(b"K", bytes((code, argument)))


def time(micros: int) -> bytes:
    """Return the message that moves the simulated clock to `micros` µs; both tick counters follow from it."""
    return _message(b"T", struct.pack("<II", micros % TICKS_PERIOD, micros // 1000 % TICKS_PERIOD))


def sync(token: int) -> bytes:
    """Return the message that makes the firmware finish all it has and answer with `token`."""
    return _message(b"S", struct.pack("<I", token))


def power_cut(after_bytes: int) -> bytes:
    """Return the message that cuts the power after that many further programmed bytes; DISARM takes it back."""
    return _message(b"P", struct.pack("<I", after_bytes))


def leave() -> bytes:
    """Return the message that makes the firmware leave cleanly."""
    return _message(b"Q")


@dataclass(frozen=True, slots=True)
class Output:
    """One message of the firmware: `kind` is L (lamps), S (sync), R (ready) or H (threshold of a head)."""

    kind: str
    value: int  # lamp mask, token, boot counter or threshold
    card_stop: bool = False
    head: int = 0


class OutputDecoder:
    """Cuts the firmware's output stream into messages; unknown kinds are skipped by their length."""

    def __init__(self) -> None:
        self._pending = bytearray()

    def feed(self, data: bytes) -> Iterator[Output]:
        """Take bytes as they came and yield the messages that are complete."""
        self._pending += data
        while len(self._pending) >= _HEADER.size:
            kind, length = _HEADER.unpack_from(self._pending)
            end = _HEADER.size + length
            if len(self._pending) < end:
                return
            body = bytes(self._pending[_HEADER.size : end])
            del self._pending[:end]
            if kind == b"L" and length >= 3:
                mask, stop = struct.unpack_from("<HB", body)
                yield Output("L", mask, bool(stop))
            elif kind == b"S" and length >= 4:
                yield Output("S", struct.unpack_from("<I", body)[0])
            elif kind == b"R" and length >= 2:
                yield Output("R", struct.unpack_from("<H", body)[0])
            elif kind == b"H" and length >= 3:
                yield Output("H", struct.unpack_from("<H", body, 1)[0], head=body[0])
