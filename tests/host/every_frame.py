"""A frame of each message and record of the protocol, and recordings made of pieces, for what shows a line."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from shoetool.link.recording import ENTRY, FORMAT, HEAD, MAGIC, Direction
from shoetool.model.protocol_table import MESSAGES, RECORDS, RESTS, MessageKind
from shoetool.wire.frames import encode_frame
from shoetool.wire.messages import ANSWER

SENT, CAME, NOTE = Direction.SENT, Direction.CAME, Direction.NOTE
BEGAN_US = 1_795_000_000_123_456
EPOCH = 0x1234


class Sample(NamedTuple):
    """A message: its name and part, its direction, and the frame's kind, sequence and payload."""

    name: str
    part: str
    direction: Direction
    kind: int
    sequence: int
    payload: bytes

    @property
    def line(self) -> bytes:
        """Its bytes on the line."""
        return encode_frame(self.kind, EPOCH, self.sequence, self.payload)


def every_message() -> Iterator[Sample]:
    """Each message in each of its parts, with fields that hold any value; an event with each kind of record."""
    rng = random.Random(5)
    sequence = 500

    def value(form: str, place: str) -> bytes:
        if form != "rest":
            size = {"u8": 1, "u16": 2, "u32": 4}.get(form) or int(form[1:])
            return rng.randbytes(size - 1) + b"\x01" if form == "u32" else rng.randrange(8).to_bytes(size, "little")
        kind = RESTS.get(place)
        if kind == "text":
            return "Straße ♣ <&>".encode()
        if isinstance(kind, tuple):
            return b"".join(value(one, f"{place}.{name}") for _ in range(3) for name, one in kind)
        return rng.randbytes(9)

    for kind, row in MESSAGES.items():
        for part in ("request", "answer", "unasked"):
            if part not in row or kind == MessageKind.EVENT or row["name"] == "privileged":
                continue
            payload = b"".join(value(form, f"{row['name']}.{name}") for name, form in row[part])
            if row["name"] in ("trace", "signature") and part == "answer":
                # An offset of which the first item of `trace` is not whole, and so the last one is not either.
                payload = payload[:5] + struct.pack("<H", 7) + payload[7:]
            sequence += part != "answer"
            number = kind + ANSWER if part == "answer" else kind
            yield Sample(row["name"], part, SENT if part == "request" else CAME, number, sequence, payload)
    for kind, row in RECORDS.items():
        body = b"".join(value(form, f"{row['name']}.{name}") for name, form in row["fields"])
        sequence += 1
        payload = struct.pack("<IHIB", 1000 + kind, 3, 77_000, kind) + body
        yield Sample("event", "unasked", CAME, MessageKind.EVENT, sequence, payload)
    # A privileged key press, and its answer, which only the request makes readable.
    sequence += 1
    yield Sample(
        "privileged", "request", SENT, MessageKind.PRIVILEGED, sequence, bytes([12]) + rng.randbytes(32) + b"\x02\x01"
    )
    yield Sample("privileged", "answer", CAME, MessageKind.PRIVILEGED + ANSWER, sequence, b"\x01\x05")
    # One within another, which no shoe takes.
    within = bytes([22]) + bytes(32) + bytes([22]) + bytes(32) + b"\x09"
    sequence += 1
    yield Sample("privileged", "request", SENT, MessageKind.PRIVILEGED, sequence, within)
    yield Sample("privileged", "answer", CAME, MessageKind.PRIVILEGED + ANSWER, sequence, b"\x01\x05")


def write_recording(path: Path, entries: Iterable[tuple[int, int, bytes]], began_us: int = BEGAN_US) -> Path:
    """Write entries (kind, µs, bytes) as a recording."""
    body = b"".join(ENTRY.pack(kind, time_us, len(data)) + data for kind, time_us, data in entries)
    path.write_bytes(HEAD.pack(MAGIC, FORMAT, began_us) + body)
    return path


def every_frame(path: Path) -> list[Sample]:
    """Write a recording with a frame of each, one each millisecond, and return them."""
    samples = list(every_message())
    write_recording(path, ((one.direction, 1000 * at, one.line) for at, one in enumerate(samples)))
    return samples
