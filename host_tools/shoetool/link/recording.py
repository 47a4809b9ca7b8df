"""Recordings of a line: everything that went over it in both directions, with times, in one file `*.shoelink`.

The file, all numbers little-endian:

    8 bytes  magic "SHOELINK"
    u8       format, 1
    u64      wall-clock time of the start, µs since 1970-01-01 UTC
    entries until the end of the file, each:
      u8     what: 1 sent to the device, 2 come from the device, 3 note (UTF-8 text: opened, lost, opened again)
      u64    µs since the start, on a steady clock
      u16    length n
      n bytes

A last entry that is incomplete was being written when the recorder stopped. It is left out. Bytes are as the transport
gave them: entries need not begin or end with a frame.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Collection, Iterator
from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import RECORDING, RECORDING_MAGIC
from shoetool.model.input_file import open_input, read_start, unreadable
from shoetool.model.output_file import open_new

from .transport import Disconnected, Transport

WANTED: Final = "a recording of a line"
SUFFIX: Final = ".shoelink"
MAGIC: Final = RECORDING_MAGIC
FORMAT: Final = 1
HEAD: Final = struct.Struct("<8sBQ")
ENTRY: Final = struct.Struct("<BQH")
_MOST: Final = 0xFFFF


class Direction(IntEnum):
    """The kind of an entry of a recording."""

    SENT = 1
    CAME = 2
    NOTE = 3


class Traffic(NamedTuple):
    """One entry: direction, µs since the start of the recording, bytes."""

    direction: int
    time_us: int
    data: bytes


class RecordingTransport:
    """Passes everything on to another transport, `inner`, and writes a copy to a new file."""

    def __init__(self, inner: Transport, path: Path) -> None:
        self.inner = inner
        try:
            self._file = open_new(path, RECORDING)
        except BadInput:
            inner.close()
            raise
        except OSError as error:
            inner.close()
            raise BadInput(f"{path}: the recording cannot be written: {error.strerror}") from None
        self._start = inner.now()
        self._file.write(HEAD.pack(MAGIC, FORMAT, time.time_ns() // 1000))
        self._note(f"opened {inner.name}")

    @property
    def name(self) -> str:
        """Name of the recorded transport."""
        return self.inner.name

    def write(self, data: bytes) -> None:
        """Record, then send."""
        self._put(Direction.SENT, data)
        try:
            self.inner.write(data)
        except Disconnected as error:
            self._note(f"lost: {error}")
            raise

    def read(self, timeout_s: float) -> bytes:
        """Receive, then record."""
        try:
            data = self.inner.read(timeout_s)
        except Disconnected as error:
            self._note(f"lost: {error}")
            raise
        if data:
            self._put(Direction.CAME, data)
        return data

    def reopen(self, without: Collection[str] = ()) -> None:
        """Reopen the line, with a note in the recording."""
        self.inner.reopen(without)
        self._note(f"opened {self.inner.name} again")

    def close(self) -> None:
        """Close the line and the file."""
        self.inner.close()
        self._file.close()

    def now(self) -> float:
        """Clock of the recorded transport."""
        return self.inner.now()

    def sleep(self, seconds: float) -> None:
        """Wait on that clock."""
        self.inner.sleep(seconds)

    def _note(self, text: str) -> None:
        self._put(Direction.NOTE, text.encode())

    def _put(self, direction: Direction, data: bytes) -> None:
        if self._file.closed:
            return
        at = max(0, round((self.inner.now() - self._start) * 1e6))
        for begin in range(0, len(data), _MOST):
            part = data[begin : begin + _MOST]
            self._file.write(ENTRY.pack(direction, at, len(part)) + part)
        # A recording must hold what was on the line when a program died.
        self._file.flush()


def read_recording(path: Path) -> Iterator[Traffic]:
    """Yield the entries of a recording in order. A half-written last one is left out. BadInput: no recording."""
    return iter(Recording(path))


def recorded_since_us(path: Path) -> int:
    """Return when a recording began: µs since 1970, by the clock of its computer. BadInput when it is no recording."""
    return Recording(path).began_us


class Recording:
    """A recording to read. Iterating yields its entries; then `left_out` says how many bytes at the end are none.

    BadInput when the file is no recording, or cannot be read. `began_us`: when it began, µs since 1970, by the clock of
    its computer.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.left_out = 0
        head = read_start(path, WANTED, HEAD.size)
        if len(head) < HEAD.size or not head.startswith(MAGIC):
            raise BadInput(f"{path}: this is not a recording of a line")
        if head[len(MAGIC)] != FORMAT:
            raise BadInput(f"{path}: a recording of format {head[len(MAGIC)]}; this shoetool reads format {FORMAT}")
        self.began_us: int = HEAD.unpack(head)[2]

    def __iter__(self) -> Iterator[Traffic]:
        try:
            yield from self._entries()
        except OSError as error:
            raise unreadable(self.path, error) from None

    def _entries(self) -> Iterator[Traffic]:
        with open_input(self.path, WANTED) as file:
            at = file.seek(HEAD.size)
            while len(entry := file.read(ENTRY.size)) == ENTRY.size:
                direction, time_us, length = ENTRY.unpack(entry)
                data = file.read(length)
                # Blank bytes after the last entry: a crash of this computer can leave gigabytes of them.
                if not direction or len(data) < length:
                    break
                at += ENTRY.size + length
                yield Traffic(direction, time_us, data)
            self.left_out = file.seek(0, os.SEEK_END) - at
