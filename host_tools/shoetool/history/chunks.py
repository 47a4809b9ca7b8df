"""Chunks of a `*.shoelog` file, byte by byte as in HISTORY_FORMAT.md: header, framing, bodies.

A chunk is tag (4 letters), length u32, body, CRC-32 u32 over all before it. Everything is little-endian.
"""

from __future__ import annotations

import struct
from binascii import crc32
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, NamedTuple

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import HISTORY_MAGIC
from shoetool.model.input_file import LONGEST_DAMAGE
from shoetool.model.naming import VIRTUAL_BOARD
from shoetool.model.protocol_table import PAGE_SIZE

MAGIC: Final = HISTORY_MAGIC
FORMAT: Final = 1
_HEADER: Final = struct.Struct("<8sHHI")
HEADER_SIZE: Final = _HEADER.size
_CHUNK: Final = struct.Struct("<4sI")
_CRC: Final = struct.Struct("<I")
LONGEST_BODY: Final = 65536
MOST_WASTED: Final = 1 << 28
"""Bytes. Damage by chance stays far below this: by chance, a tag appears once in a gigabyte."""

IDENTITY: Final = b"IDEN"
CONFIGURATION: Final = b"CONF"
CLOCK: Final = b"CLOK"
PAGE: Final = b"PAGE"
SIGNATURE: Final = b"SIGN"
"""The signature of a closed shoe, or why there is none."""

KNOWN_TAGS: Final = (IDENTITY, CONFIGURATION, CLOCK, PAGE, SIGNATURE)
_IDENTITY_BODY: Final = struct.Struct("<8sBB3s")
_PAIR: Final = struct.Struct("<BI")
_CLOCK_BODY: Final = struct.Struct("<HIqI")
CLOCK_SIZE: Final = _CLOCK_BODY.size
_TURNS: Final = struct.Struct("<H")  # follows it since protocol 1.2
_SIGNATURE_BODY: Final = struct.Struct("<IB56s94s")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who wrote the journal: device id (8 bytes), protocol and firmware version, name of the board."""

    device: bytes
    major: int
    minor: int
    firmware: bytes
    board: str

    @property
    def simulated(self) -> bool:
        """Whether the board is the virtual one, which has the time of its simulation."""
        return self.board == VIRTUAL_BOARD

    def pack(self) -> bytes:
        """Body of an IDEN chunk."""
        return _IDENTITY_BODY.pack(self.device, self.major, self.minor, self.firmware) + self.board.encode()

    @classmethod
    def unpack(cls, body: bytes) -> Identity:
        """Return the identity from an IDEN chunk's body. BadInput when it is too short."""
        if len(body) < _IDENTITY_BODY.size:
            raise BadInput(f"an IDEN chunk has {len(body)} bytes and needs {_IDENTITY_BODY.size}")
        device, major, minor, firmware = _IDENTITY_BODY.unpack_from(body)
        return cls(device, major, minor, firmware, body[_IDENTITY_BODY.size :].decode(errors="replace"))


@dataclass(frozen=True, slots=True)
class Configuration:
    """The device's settings at the time of the fetch: their CRC and (id, value) pairs."""

    crc: int
    pairs: tuple[tuple[int, int], ...]

    def pack(self) -> bytes:
        """Body of a CONF chunk."""
        return _CRC.pack(self.crc) + b"".join(_PAIR.pack(*pair) for pair in self.pairs)

    @classmethod
    def unpack(cls, body: bytes) -> Configuration:
        """Return the configuration from a CONF chunk's body. BadInput when its length is not 4 + 5 n."""
        if len(body) < 4 or (len(body) - 4) % _PAIR.size:
            raise BadInput(f"a CONF chunk of {len(body)} bytes holds no whole settings")
        return cls(_CRC.unpack_from(body)[0], tuple(_PAIR.iter_unpack(body[4:])))


class ClockPoint(NamedTuple):
    """One reading of both clocks: device boot counter and ticks (30-bit ms), host wall clock (Unix ms, UTC).

    `uncertainty_ms` is half of the round trip of the request. `turns` is how often the device's ticks had wrapped since
    its start; None: it does not tell.
    """

    boot: int
    ticks_ms: int
    wall_ms: int
    uncertainty_ms: int = 0
    turns: int | None = None

    def pack(self) -> bytes:
        """Body of a CLOK chunk."""
        told = b"" if self.turns is None else _TURNS.pack(self.turns)
        return _CLOCK_BODY.pack(self.boot, self.ticks_ms, self.wall_ms, self.uncertainty_ms) + told

    @classmethod
    def unpack(cls, body: bytes) -> ClockPoint:
        """Return the reading from a CLOK chunk's body. BadInput when it is too short."""
        if len(body) < _CLOCK_BODY.size:
            raise BadInput(f"a CLOK chunk has {len(body)} bytes and needs {_CLOCK_BODY.size}")
        told = len(body) >= CLOCK_SIZE + _TURNS.size
        turns = _TURNS.unpack_from(body, CLOCK_SIZE)[0] if told else None
        return cls(*_CLOCK_BODY.unpack_from(body))._replace(turns=turns)


@dataclass(frozen=True, slots=True)
class SignatureChunk:
    """What a device reported about the signature of one closed shoe. Unchecked.

    `state` is a value of enum.signature. A signed shoe has the public key (56 bytes), the statement (94) and the LMS
    signature over it; else these are empty.
    """

    shoe: int
    state: int
    public: bytes = b""
    statement: bytes = b""
    signature: bytes = b""

    def pack(self) -> bytes:
        """Body of a SIGN chunk."""
        return _SIGNATURE_BODY.pack(self.shoe, self.state, self.public, self.statement) + self.signature

    @classmethod
    def unpack(cls, body: bytes) -> SignatureChunk:
        """Return the signature from a SIGN chunk's body. BadInput when it is too short."""
        if len(body) < _SIGNATURE_BODY.size:
            raise BadInput(f"a SIGN chunk has {len(body)} bytes and needs {_SIGNATURE_BODY.size}")
        shoe, state, public, statement = _SIGNATURE_BODY.unpack_from(body)
        signature = body[_SIGNATURE_BODY.size :]
        return cls(shoe, state, public, statement, signature) if signature else cls(shoe, state)


def pack_header() -> bytes:
    """Return the 16 bytes at the start of every file."""
    start = MAGIC + struct.pack("<HH", FORMAT, 0)
    return start + _CRC.pack(crc32(start))


def pack_chunk(tag: bytes, body: bytes) -> bytes:
    """Return a whole chunk."""
    start = _CHUNK.pack(tag, len(body)) + body
    return start + _CRC.pack(crc32(start))


def check_header(path: Path, header: bytes) -> int:
    """Return the flags of a history's first bytes. BadInput unless they are those of one that this host can read."""
    if not header:
        raise BadInput(f"{path}: the file is empty, not a shoe history")
    if header[: len(MAGIC)] != MAGIC[: len(header)]:
        raise BadInput(f"{path}: not a shoe history (a *.shoelog file starts with SHOELOG)")
    if len(header) < HEADER_SIZE:
        raise BadInput(f"{path}: the file ends within its header; nothing can be read from it")
    _, file_format, flags, crc = _HEADER.unpack(header)
    if crc != crc32(header[:12]):
        raise BadInput(f"{path}: the header of the history is damaged (CRC)")
    if file_format != FORMAT:
        raise BadInput(f"{path}: history format {file_format} is newer than this shoetool reads ({FORMAT}): update it")
    return int(flags)


@dataclass(slots=True)
class Scan:
    """The result of reading the chunks: where the last whole chunk ended, and what is wrong with the file."""

    whole_until: int = HEADER_SIZE
    truncated: int = 0
    """Bytes after the last whole chunk: a write that was not finished."""
    torn: bytes = b""
    """The beginning (at most 12 bytes: tag, length, 4 of the body) of a last chunk that is longer than the file."""
    damaged: list[str] = field(default_factory=list)
    """One line for each damaged place in the middle of the file (at most 100 are kept)."""
    skipped: int = 0
    """Whole chunks with a tag that this host does not know."""
    wasted: int = 0
    """Bytes after damaged places that were checked in vain, because a known tag came before them."""

    searched: int = 0
    """Bytes after damaged places that were looked through for the next whole chunk."""

    @property
    def given_up(self) -> bool:
        """Whether the search for whole chunks ended early: the file has a huge hole, or was made to waste time."""
        return self.wasted > MOST_WASTED or self.searched > LONGEST_DAMAGE

    def notes(self) -> Iterator[str]:
        """Yield one line for each thing that was left out, but for the damaged places."""
        if self.given_up:
            yield (
                f"the search for whole chunks was given up after byte {self.whole_until}: too much is no history; "
                f"{self.truncated} bytes were left out, all before them was read"
            )
        elif self.truncated:
            yield (
                f"the file ends in a half-written or damaged chunk: {self.truncated} bytes after byte "
                f"{self.whole_until} were left out, all before them was read"
            )
        if self.skipped:
            yield f"{self.skipped} chunks come from a newer shoetool and were left out"


def read_chunks(file: IO[bytes], scan: Scan) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield (offset, tag, body) of each whole chunk. `scan` gets everything that is no whole chunk.

    After a damaged place the reading goes on at the next whole chunk with a known tag, so one flipped bit costs one
    chunk. Memory: one chunk.
    """
    offset = HEADER_SIZE
    while True:
        file.seek(offset)
        found = read_one(file)
        if found is not None:
            tag, body = found
            offset += _CHUNK.size + len(body) + _CRC.size
            scan.whole_until = offset
            if tag not in KNOWN_TAGS:
                scan.skipped += 1
            yield offset - len(body) - _CRC.size - _CHUNK.size, tag, body
            continue
        end = file.seek(0, 2)
        if offset >= end:
            return
        resume = _find_chunk(file, offset + 1, end, scan)
        if resume is None:
            scan.truncated = end - offset
            scan.torn = _torn(file, offset, end)
            return
        if len(scan.damaged) < 100:
            scan.damaged.append(f"bytes {offset} to {resume - 1} are damaged and were left out")
        offset = resume


def read_one(file: IO[bytes]) -> tuple[bytes, bytes] | None:
    """Return the chunk at the file's position, or None when there is no whole one with a good CRC."""
    start = file.read(_CHUNK.size)
    if len(start) < _CHUNK.size:
        return None
    tag, length = _CHUNK.unpack(start)
    if length > LONGEST_BODY or (tag == PAGE and length != PAGE_SIZE):
        return None
    rest = file.read(length + _CRC.size)
    if len(rest) < length + _CRC.size:
        return None
    body = rest[:length]
    if crc32(body, crc32(start)) != _CRC.unpack_from(rest, length)[0]:
        return None
    return tag, body


def _torn(file: IO[bytes], offset: int, end: int) -> bytes:
    """Return the beginning of a known chunk at `offset` that is longer than the file. Empty when there is none."""
    file.seek(offset)
    start = file.read(_CHUNK.size + 4)
    if not any(tag.startswith(start[: len(tag)]) for tag in KNOWN_TAGS):
        return b""
    if len(start) >= _CHUNK.size:
        length = _CHUNK.unpack_from(start)[1]
        if length > LONGEST_BODY or offset + _CHUNK.size + length + _CRC.size <= end:
            return b""  # damaged, not cut off
    return start


def _find_chunk(file: IO[bytes], start: int, end: int, scan: Scan) -> int | None:
    """Return the offset of the first whole chunk with a known tag at or after `start`. Memory: a window of the file.

    None when there is none, or when too much was looked through or checked in vain: gigabytes of nothing would take
    minutes, and a tag every few bytes hours.
    """
    window = 1 << 16
    offset = start
    while offset < end:
        file.seek(offset)
        data = file.read(window + 3)
        hits = sorted(place for tag in KNOWN_TAGS for place in _places(data, tag))
        for place in hits:
            file.seek(offset + place)
            if read_one(file) is not None:
                scan.searched += place
                return offset + place
            scan.wasted += file.tell() - offset - place
            if scan.given_up:
                return None
        offset += window
        scan.searched += window
        if scan.given_up:
            return None
    return None


def _places(data: bytes, tag: bytes) -> Iterator[int]:
    place = data.find(tag)
    while place >= 0:
        yield place
        place = data.find(tag, place + 1)
