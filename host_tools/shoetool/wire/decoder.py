"""Byte stream to frames, damaged frames and stray text. It does no input or output, so any transport can feed it."""

from __future__ import annotations

from .frames import DELIMITER, MAX_BODY, BadFrame, Frame, FrameStatus, StrayText, as_text, decode_body

Item = Frame | BadFrame | StrayText


class FrameDecoder:
    """Cuts a stream at its zero bytes and judges each piece. After any damage it finds the next whole frame.

    Memory is bounded. A piece that grows beyond a frame is returned as text, or as one BadFrame(LONG). The rest of it
    up to the next zero is text or left out. Counters: `damaged`, `left_out` (bytes).
    """

    def __init__(self) -> None:
        self._buffer = b""
        self._overlong = False
        self.damaged = 0
        self.left_out = 0

    def feed(self, data: bytes) -> list[Item]:
        """Return the items that are complete with these bytes, in their order on the line."""
        pieces = data.split(DELIMITER)
        items: list[Item] = []
        last = len(pieces) - 1
        for index, piece in enumerate(pieces):
            if index == 0 and self._buffer:
                piece = self._buffer + piece
                self._buffer = b""
            ended = index < last
            if self._overlong:
                self._more_overlong(piece, items)
                self._overlong = not ended
            elif ended:
                if piece:
                    items.append(self._judge(piece))
            elif len(piece) > MAX_BODY:
                self._begin_overlong(piece, items)
            else:
                self._buffer = piece
        return items

    def flush(self) -> list[Item]:
        """Return what still waits for a delimiter, at the end of a recording or before a port is given up."""
        piece, self._buffer = self._buffer, b""
        self._overlong = False
        if not piece:
            return []
        text = as_text(piece)
        if text is not None:
            return [StrayText(text, piece)]
        self.damaged += 1
        return [BadFrame(FrameStatus.TRUNCATED, piece)]

    def _judge(self, piece: bytes) -> Item:
        result = decode_body(piece)
        if isinstance(result, Frame):
            return result
        text = as_text(piece)
        if text is not None:
            return StrayText(text, piece)
        self.damaged += 1
        return BadFrame(result, piece)

    def _begin_overlong(self, piece: bytes, items: list[Item]) -> None:
        self._overlong = True
        text = as_text(piece)
        if text is not None:
            items.append(StrayText(text, piece))
        else:
            self.damaged += 1
            items.append(BadFrame(FrameStatus.LONG, piece))

    def _more_overlong(self, piece: bytes, items: list[Item]) -> None:
        if not piece:
            return
        text = as_text(piece)
        if text is not None:
            items.append(StrayText(text, piece))
        else:
            self.left_out += len(piece)
