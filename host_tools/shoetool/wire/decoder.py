"""Byte stream to frames, damaged frames and stray text. It does no input or output, so any transport can feed it."""

from __future__ import annotations

from typing import NamedTuple

from .frames import DELIMITER, MAX_BODY, BadFrame, Frame, FrameStatus, StrayText, as_text, decode_body

Item = Frame | BadFrame | StrayText


class Piece(NamedTuple):
    """Bytes of a stream without a zero, and what they are. `more`: they go on with a piece that is longer than a frame.

    A piece is what lies between two zeros, or a part of it when it is longer than a frame can be.
    """

    item: Item
    raw: bytes
    more: bool = False


class FrameDecoder:
    """Cuts a stream at its zero bytes and judges each piece. After any damage it finds the next whole frame.

    Memory is bounded. A piece that grows beyond a frame is returned as text, or as one BadFrame(LONG). The rest of it
    up to the next zero is text or, by `feed`, left out. Counters: `damaged`, `left_out` (bytes).
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._overlong = False
        self.damaged = 0
        self.left_out = 0

    def feed(self, data: bytes) -> list[Item]:
        """Return the items that are complete with these bytes, in their order on the line."""
        items: list[Item] = []
        for piece in self.pieces(data):
            if piece.more and isinstance(piece.item, BadFrame):
                self.left_out += len(piece.raw)
            else:
                items.append(piece.item)
        return items

    def pieces(self, data: bytes) -> list[Piece]:
        """Return the same with their bytes, and nothing left out: all bytes but the zeros are in one of the pieces."""
        found: list[Piece] = []
        parts = data.split(DELIMITER)
        last = len(parts) - 1
        for index, part in enumerate(parts):
            if index == 0 and self._buffer:
                part = self._buffer + part
                self._buffer = b""
            ended = index < last
            if part and (ended or self._overlong or len(part) > MAX_BODY):
                found.append(Piece(self._judge(part, ended and not self._overlong), part, self._overlong))
                self._overlong = True
            elif not ended:
                self._buffer = part
            if ended:
                self._overlong = False
        return found

    def flush(self) -> list[Item]:
        """Return what still waits for a delimiter, at the end of a recording or before a port is given up."""
        return [piece.item for piece in self.rest()]

    def rest(self) -> list[Piece]:
        """Return the same with its bytes."""
        raw, self._buffer = self._buffer, b""
        self._overlong = False
        if not raw:
            return []
        text = as_text(raw)
        if text is not None:
            return [Piece(StrayText(text, raw), raw)]
        self.damaged += 1
        return [Piece(BadFrame(FrameStatus.TRUNCATED, raw), raw)]

    def _judge(self, raw: bytes, whole: bool) -> Item:
        result = decode_body(raw) if whole else FrameStatus.LONG
        if isinstance(result, Frame):
            return result
        text = as_text(raw)
        if text is not None:
            return StrayText(text, raw)
        self.damaged += not self._overlong
        return BadFrame(result, raw)
