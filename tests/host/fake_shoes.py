"""Devices for tests of the client, written with the host's own codec: one that answers, and several that do not."""

from __future__ import annotations

import os
import struct
import threading
import tty
from collections.abc import Callable

from loopback import LoopbackTransport
from shoetool.model.protocol_table import Error, MessageKind, RecordKind
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import Frame, encode_frame
from shoetool.wire.messages import unpack

Answerer = Callable[[Frame], bytes]
IDENTITY = bytes((1, 0)) + b"fakeshoe" + bytes((0, 1, 0)) + struct.pack("<HH", 3, 9) + b"fake"


def answer(request: Frame, payload: bytes, epoch: int = 9) -> bytes:
    """The answer frame to a request."""
    return encode_frame(request.kind + 128, epoch, request.sequence, payload)


def refusal(request: Frame, code: int, detail: int = 0, epoch: int = 9) -> bytes:
    """The error frame to a request."""
    payload = struct.pack("<BBI", request.kind, code, detail)
    return encode_frame(MessageKind.ERROR, epoch, request.sequence, payload)


def status(next_record: int, durable: int | None = None) -> bytes:
    """The answer to `status` of a shoe with an empty table, whose next record has this number."""
    durable = next_record if durable is None else durable
    return struct.pack("<BBBHHIIIIHHI", 1, 0, 0, 1, 0, 1, next_record, durable, 0, 0, 0, 0)


def event(
    number: int, sequence: int = 0, epoch: int = 9, kind: int = RecordKind.SIDE_CHOSEN, body: bytes = b"\1"
) -> bytes:
    """An event frame."""
    return encode_frame(MessageKind.EVENT, epoch, sequence, struct.pack("<IHIB", number, 3, 500, kind) + body)


class ScriptedShoe:
    """Answers identify and ticks; other requests as `on` says. Everything that it was asked is in `asked`."""

    def __init__(self) -> None:
        self.asked: list[Frame] = []
        self.on: dict[int, Answerer] = {}
        self.before = b""
        self.transport = LoopbackTransport(self.exchange, "fake port")
        self._decoder = FrameDecoder()

    def exchange(self, data: bytes) -> bytes:
        """Take bytes from the host, return the answers."""
        out, self.before = self.before, b""
        for item in self._decoder.feed(data):
            if isinstance(item, Frame):
                self.asked.append(item)
                out += self.answer(item)
        return out

    def answer(self, request: Frame) -> bytes:
        """The answer to one request."""
        if request.kind in self.on:
            return self.on[request.kind](request)
        if request.kind == MessageKind.IDENTIFY:
            return answer(request, IDENTITY)
        if request.kind == MessageKind.TICKS:
            return answer(request, struct.pack("<HII", 3, 1000, 1_000_000))
        return refusal(request, Error.UNKNOWN_MESSAGE)

    def asked_for(self, kind: int) -> list[dict[str, int | bytes]]:
        """Fields of all requests of one kind."""
        return [unpack(kind, "request", frame.payload) for frame in self.asked if frame.kind == kind]


class PtyDevice:
    """A pseudo-terminal with a thread behind it that gives every read of bytes to `exchange`; `path` is the port."""

    def __init__(self, exchange: Callable[[bytes], bytes]) -> None:
        self._exchange = exchange
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._stop = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        import select

        while not self._stop:
            ready, _, _ = select.select([self._master], [], [], 0.01)
            if ready:
                out = self._exchange(os.read(self._master, 4096))
                if out:
                    os.write(self._master, out)

    def unplug(self) -> None:
        """Take the device away, as pulling the cable does."""
        self._stop = True
        self._thread.join()
        for end in (self._slave, self._master):
            os.close(end)
        self._master = self._slave = -1

    def __enter__(self) -> PtyDevice:
        return self

    def __exit__(self, *_: object) -> None:
        if self._master >= 0:
            self.unplug()
