"""What went over a recorded line, piece by piece: frames, damaged frames, text, and the notes of the recorder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shoetool.wire.decoder import FrameDecoder, Item

from .recording import Direction, Recording


class LinePiece(NamedTuple):
    """One piece: µs since the start at which its last byte came, its direction, what it is, its bytes without zeros.

    `item` is a text for a note: of the recorder, or about what the recording holds beside the line. `more`: the piece
    goes on with one that is longer than a frame can be.
    """

    time_us: int
    direction: Direction
    item: Item | str
    raw: bytes
    more: bool = False


def line_pieces(recording: Recording) -> Iterator[LinePiece]:
    """Yield all that a recording holds, in the order in which it was complete. Nothing is left out but the zeros.

    What waits for its end when the recording ends comes last. BadInput when the file cannot be read.
    """
    decoders = {Direction.SENT: FrameDecoder(), Direction.CAME: FrameDecoder()}
    time_us = 0
    for kind, time_us, data in recording:
        if kind == Direction.NOTE:
            yield LinePiece(time_us, Direction.NOTE, data.decode("utf-8", "replace"), data)
        elif kind in decoders:
            way = Direction(kind)
            for piece in decoders[way].pieces(data):
                yield LinePiece(time_us, way, piece.item, piece.raw, piece.more)
        else:
            told = f"the recording has an entry of unknown kind {kind}: {data.hex()}"
            yield LinePiece(time_us, Direction.NOTE, told, data)
    for way, decoder in decoders.items():
        for piece in decoder.rest():
            yield LinePiece(time_us, way, piece.item, piece.raw, piece.more)
    if recording.left_out:
        told = f"the recording ends here; {recording.left_out} bytes behind it are no whole entry"
        yield LinePiece(time_us, Direction.NOTE, told, b"")
