"""A recorded line as pcapng (draft-ietf-opsawg-pcapng), for Wireshark and its like.

Each piece between two zeros is a packet of link type USER0: the COBS bytes of a frame, or what was no frame. Each note
of the recorder is a packet of link type USER1: UTF-8 text. Times are µs since 1970 by the clock of the recording
computer. The option epb_flags says which way a packet went, and what was wrong with it.
"""

from __future__ import annotations

import struct
from typing import BinaryIO, Final

from shoetool.wire.frames import BadFrame, FrameStatus

from .pieces import LinePiece
from .recording import Direction

USER0: Final = 147
USER1: Final = 148
INBOUND: Final = 1
OUTBOUND: Final = 2
CRC_ERROR: Final = 1 << 24
TOO_LONG: Final = 1 << 25
TOO_SHORT: Final = 1 << 26
SYMBOL_ERROR: Final = 1 << 31

_SECTION, _INTERFACE, _PACKET = 0x0A0D0D0A, 1, 6
_BYTE_ORDER: Final = 0x1A2B3C4D
_COMMENT, _APPLICATION, _IF_NAME, _IF_RESOLUTION, _FLAGS = 1, 4, 2, 9, 2
_MICROSECONDS: Final = b"\x06"
_ERRORS: Final = {
    FrameStatus.CRC: CRC_ERROR,
    FrameStatus.LONG: TOO_LONG,
    FrameStatus.SHORT: TOO_SHORT,
    FrameStatus.TRUNCATED: SYMBOL_ERROR,
}
"""Of a length that does not fit pcapng has no flag: the dissector says it."""
_NAMES: Final = {USER0: b"line", USER1: b"notes"}


class PcapngWriter:
    """Writes a capture to `file`. `began_us`: µs since 1970 at which it begins; `program` made it, out of `source`."""

    def __init__(self, file: BinaryIO, began_us: int, program: str, source: str) -> None:
        self._file = file
        self._began_us = began_us
        options = _option(_COMMENT, source.encode()) + _option(_APPLICATION, program.encode())
        self._block(_SECTION, struct.pack("<IHHq", _BYTE_ORDER, 1, 0, -1), options)
        for link_type, name in _NAMES.items():
            options = _option(_IF_NAME, name) + _option(_IF_RESOLUTION, _MICROSECONDS)
            self._block(_INTERFACE, struct.pack("<HHI", link_type, 0, 0), options)

    def write(self, piece: LinePiece) -> None:
        """Write one piece, or one note, as a packet."""
        note = isinstance(piece.item, str)
        data = piece.item.encode() if isinstance(piece.item, str) else piece.raw
        flags = {Direction.SENT: OUTBOUND, Direction.CAME: INBOUND}.get(piece.direction, 0)
        if isinstance(piece.item, BadFrame):
            flags |= _ERRORS.get(piece.item.status, 0)
        time_us = min(self._began_us + piece.time_us, (1 << 64) - 1)
        fixed = struct.pack("<IIIII", int(note), time_us >> 32, time_us & 0xFFFFFFFF, len(data), len(data))
        self._block(_PACKET, fixed + _padded(data), _option(_FLAGS, struct.pack("<I", flags)) if flags else b"")

    def _block(self, kind: int, body: bytes, options: bytes) -> None:
        if options:
            body += options + bytes(4)  # opt_endofopt
        size = struct.pack("<I", 12 + len(body))
        self._file.write(struct.pack("<I", kind) + size + body + size)


def _option(code: int, value: bytes) -> bytes:
    return struct.pack("<HH", code, len(value)) + _padded(value)


def _padded(value: bytes) -> bytes:
    return value + bytes(-len(value) % 4)
