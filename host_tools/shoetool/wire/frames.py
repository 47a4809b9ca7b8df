"""One frame of PROTOCOL.md: encode it, and judge the bytes between two delimiters.

COBS comes from the `cobs` package and CRC-32 from `crcmod`; the firmware has its own COBS and `binascii.crc32`. A
damaged frame is a value with a status and its raw bytes, never an exception.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from enum import Enum
from typing import Final

import crcmod.predefined
from cobs import cobs

from shoetool.model.protocol_table import HEADER_FORMAT, MAJOR, MAX_COVERED, MINOR

HEADER: Final = struct.Struct(HEADER_FORMAT)
CRC_SIZE: Final = 4
MAX_PAYLOAD: Final = MAX_COVERED - HEADER.size  # 363 bytes
MAX_DECODED: Final = MAX_COVERED + CRC_SIZE  # 375 bytes
MAX_BODY: Final = MAX_DECODED + MAX_DECODED // 254 + 1  # 377 bytes between the two delimiters
DELIMITER: Final = b"\0"
VERSION: Final = MAJOR << 4 | MINOR

crc32 = crcmod.predefined.mkCrcFun("crc-32")

_PRINTABLE_RUN: Final = re.compile(rb"[\x20-\x7e\t\r\n]{4,}")
# Bytes that a terminal would show: printable ASCII, white space, bell, backspace, escape, and possible UTF-8.
_NOT_TEXT: Final = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f\xf8-\xff]")


class FrameStatus(Enum):
    """What is wrong with the bytes between two delimiters. Only test vectors use `OK`."""

    OK = "ok"
    SHORT = "short"
    """fewer bytes than header and CRC"""
    LONG = "long"
    """more bytes than a frame can have"""
    TRUNCATED = "truncated"
    """the last COBS block ends too early"""
    LENGTH = "length"
    """the length field does not fit"""
    CRC = "crc"
    """the checksum does not fit"""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame whose CRC and length are right. `version` is major << 4 | minor; `epoch` and `sequence` are u16."""

    version: int
    kind: int
    epoch: int
    sequence: int
    payload: bytes

    @property
    def major(self) -> int:
        """Major version. Frames are the same in all major versions, messages are not."""
        return self.version >> 4


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two delimiters that are neither a frame nor text."""

    status: FrameStatus
    raw: bytes

    @property
    def texts(self) -> tuple[str, ...]:
        """Printable runs of at least four characters in the raw bytes: text that may have been printed into a frame."""
        return tuple(run.decode("ascii") for run in _PRINTABLE_RUN.findall(self.raw))


@dataclass(frozen=True, slots=True)
class StrayText:
    """Text on the line that belongs to no frame, such as a boot banner or a traceback."""

    text: str
    raw: bytes


def encode_frame(kind: int, epoch: int, sequence: int, payload: bytes = b"", version: int = VERSION) -> bytes:
    """Return the bytes of a frame on the line, with both delimiters. ValueError: the payload exceeds MAX_PAYLOAD."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(payload)} bytes does not fit a frame ({MAX_PAYLOAD})")
    covered = HEADER.pack(version, kind, epoch & 0xFFFF, sequence & 0xFFFF, len(payload)) + payload
    body: bytes = cobs.encode(covered + struct.pack("<I", crc32(covered)))
    return DELIMITER + body + DELIMITER


def decode_body(body: bytes) -> Frame | FrameStatus:
    """Return the frame from the bytes between two delimiters, or what is wrong. `body` has no zero and is not empty."""
    if len(body) > MAX_BODY:
        return FrameStatus.LONG
    try:
        decoded: bytes = cobs.decode(body)
    except cobs.DecodeError:
        return FrameStatus.TRUNCATED
    size = len(decoded)
    if size < HEADER.size + CRC_SIZE:
        return FrameStatus.SHORT
    if size > MAX_DECODED:
        return FrameStatus.LONG
    version, kind, epoch, sequence, length = HEADER.unpack_from(decoded)
    end = size - CRC_SIZE
    if length != end - HEADER.size:
        return FrameStatus.LENGTH
    if int.from_bytes(decoded[end:], "little") != crc32(decoded[:end]):
        return FrameStatus.CRC
    return Frame(version, kind, epoch, sequence, decoded[HEADER.size : end])


def as_text(raw: bytes) -> str | None:
    """Return the bytes as text if they may be meant for a person, else None."""
    if _NOT_TEXT.search(raw):
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
