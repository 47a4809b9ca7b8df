"""Frames of PROTOCOL.md on the device: COBS, header, CRC-32, in buffers that are made once.

A frame on the line is 0x00, the COBS code of (header, payload, CRC), 0x00. The host's codec is other code on purpose
(the `cobs` and `crcmod` packages), so the two check each other; tests/vectors/wire.json drives both. What looks at
every byte is machine code on the chip: as bytecode it takes longer than the line does.
"""

import binascii
import struct
from array import array

from shoe.compat import const, micropython, ptr8, ptr32
from shoe.wire_table import HEADER_FORMAT, MAJOR, MAX_COVERED, MINOR

_HEADER = const(8)
_CRC = const(4)
_FULL = const(255)  # code byte of a COBS block without a zero behind it
_WHOLE = const(0x2144DF1C)  # CRC-32 over bytes and their own CRC-32

# Where a reader stands, an array("i"): bytes since the delimiter, decoded bytes in its buffer, data bytes until the
# next code byte, whether a zero stands before the next block, whether a delimiter came.
_RAW = const(0)
_FILL = const(1)
_LEFT = const(2)
_ZERO = const(3)
_ENDED = const(4)

HEADER_SIZE = _HEADER
MAX_PAYLOAD = MAX_COVERED - _HEADER  # 363 bytes
MAX_DECODED = MAX_COVERED + _CRC  # 375 bytes: header, payload, CRC
MAX_BODY = MAX_DECODED + MAX_DECODED // 254 + 1  # 377 bytes between the two delimiters
MAX_FRAME = MAX_BODY + 2  # 379 bytes on the line
VERSION = MAJOR << 4 | MINOR

# What FrameReader.status says after feed(); the names of the host's FrameStatus.
NONE = const(0)  # the data ended before a frame did
OK = const(1)
SHORT = const(2)  # fewer bytes than header and CRC
LONG = const(3)  # more bytes than a frame can have
TRUNCATED = const(4)  # the last COBS block ends too early
LENGTH = const(5)  # the length field says something else
CRC = const(6)


class Prefix:
    """The first bytes of a buffer as a memoryview, which is kept: most frames are as long as the one before."""

    def __init__(self, buffer):
        self._whole = memoryview(buffer)
        self._last = self._whole

    def of(self, size):
        """The first `size` bytes."""
        if len(self._last) != size:
            self._last = self._whole[:size]
        return self._last


class FrameReader:
    """Finds frames in a byte stream, byte by byte, without allocating until a frame of another length stands there.

    After `feed` returned with status OK the frame lies in `buffer`: header fields in the attributes `version`, `kind`,
    `epoch`, `sequence`, `length`, payload from HEADER_SIZE on, `length` bytes, until the next call of `feed`.
    """

    def __init__(self):
        # One byte more than a body can decode to, so that storing needs no bound of its own.
        self.buffer = bytearray(MAX_BODY)
        self._prefix = Prefix(self.buffer)
        self._state = array("i", [0] * 5)
        self.status = NONE
        self.version = 0
        self.kind = 0
        self.epoch = 0
        self.sequence = 0
        self.length = 0

    def feed(self, data, start, end):
        """Take data[start:end] up to the first delimiter that ends something; return the index behind what was taken.

        `status` is NONE when the data ended first, else OK or what is wrong. Call again until all is taken.
        """
        state = self._state
        at = _decode(state, data, self.buffer, start, end, MAX_BODY)
        self.status = NONE
        if state[_ENDED]:
            self.status = self._judge(state[_RAW], state[_FILL], state[_LEFT])
            for i in range(_ENDED + 1):
                state[i] = 0
        return at

    def _judge(self, raw, size, left):
        # Cheap checks first: noise seldom gets as far as the CRC, whose value allocates on a 32-bit build.
        buffer = self.buffer
        if raw > MAX_BODY:
            return LONG
        if left:
            return TRUNCATED
        if size < _HEADER + _CRC:
            return SHORT
        if size > MAX_DECODED:
            return LONG
        length = buffer[6] | buffer[7] << 8
        if length != size - _HEADER - _CRC:
            return LENGTH
        if binascii.crc32(self._prefix.of(size)) != _WHOLE:
            return CRC
        self.version = buffer[0]
        self.kind = buffer[1]
        self.epoch = buffer[2] | buffer[3] << 8
        self.sequence = buffer[4] | buffer[5] << 8
        self.length = length
        return OK


@micropython.viper
def _decode(state: ptr32, data: ptr8, buffer: ptr8, at: int, end: int, most: int) -> int:  # pyright: ignore
    """Decode data[at:end] into `buffer` up to a delimiter that ends something; return the index behind it."""
    raw = int(state[_RAW])
    fill = int(state[_FILL])
    left = int(state[_LEFT])
    zero = int(state[_ZERO])
    ended = 0
    while at < end and ended == 0:
        byte = int(data[at])
        at += 1
        if byte == 0:
            if raw != 0:
                ended = 1
        elif raw >= most:
            raw = most + 1
        else:
            raw += 1
            if left != 0:
                buffer[fill] = byte
                fill += 1
                left -= 1
            else:
                if zero != 0:
                    buffer[fill] = 0
                    fill += 1
                left = byte - 1
                zero = 1 if byte != _FULL else 0
    state[_RAW] = raw
    state[_FILL] = fill
    state[_LEFT] = left
    state[_ZERO] = zero
    state[_ENDED] = ended
    return at


@micropython.viper
def encode_cobs(data: ptr8, size: int, out: ptr8, at: int) -> int:  # pyright: ignore
    """Write the COBS code of data[:size] into `out` from `at` on; return the index behind it."""
    code_at = at
    at += 1
    code = 1
    i = 0
    while i < size:
        byte = int(data[i])
        i += 1
        if byte != 0:
            out[at] = byte
            at += 1
            code += 1
        # A full block that ends the data needs no empty one behind it.
        if byte == 0 or (code == _FULL and i < size):
            out[code_at] = code
            code_at = at
            at += 1
            code = 1
    out[code_at] = code
    return at


class FrameWriter:
    """Makes frames of the payloads that its owner puts into `buffer` (MAX_DECODED bytes) from HEADER_SIZE on."""

    def __init__(self):
        self.buffer = bytearray(MAX_DECODED)
        self._prefix = Prefix(self.buffer)

    def encode(self, kind, epoch, sequence, length, out, at):
        """Write one frame into `out` from `at` on, both delimiters included; return the index behind it.

        Header and CRC are put around the payload of `length` bytes in `buffer`. `out` needs room for MAX_FRAME bytes.
        ValueError when the payload is longer than MAX_PAYLOAD.
        """
        if length > MAX_PAYLOAD:
            raise ValueError("payload too long")
        work = self.buffer
        struct.pack_into(HEADER_FORMAT, work, 0, VERSION, kind, epoch, sequence, length)
        covered = _HEADER + length
        struct.pack_into("<I", work, covered, binascii.crc32(self._prefix.of(covered)))
        out[at] = 0
        at = encode_cobs(work, covered + _CRC, out, at + 1)
        out[at] = 0
        return at + 1
