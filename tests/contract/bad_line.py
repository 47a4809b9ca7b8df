"""The real firmware link in this process, behind a line that loses, flips and repeats bytes; all of it seeded."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("firmware", "host")]

from link_fake import FakeService, Line  # noqa: E402
from loopback import LoopbackTransport  # noqa: E402


class BadLine:
    """Damages a stream byte by byte. Rates are per byte; a loss takes a run of `run` bytes on average."""

    def __init__(
        self,
        seed: int,
        *,
        loss: float = 0.0,
        run: float = 1.0,
        flips: float = 0.0,
        repeats: float = 0.0,
        text: float = 0.0,
    ) -> None:
        self._rng = Random(seed)
        self._loss = loss / run
        self._end = 1 / run
        self._flips = flips
        self._repeats = repeats
        self._text = text
        self._losing = False
        self.counts: Counter[str] = Counter()

    def __call__(self, data: bytes) -> bytes:
        """The data as it arrives."""
        chance = self._rng.random
        out = bytearray()
        self.counts["bytes"] += len(data)
        for byte in data:
            if self._losing or chance() < self._loss:
                self._losing = chance() >= self._end
                self.counts["lost"] += 1
                continue
            if chance() < self._flips:
                byte ^= 1 << self._rng.randrange(8)
                self.counts["flipped"] += 1
            out.append(byte)
            if chance() < self._repeats:
                out += out[-self._rng.randint(1, 20) :]
                self.counts["repeated"] += 1
            if chance() < self._text:
                out += b"Traceback (most recent call last):\r\n"
                self.counts["texts"] += 1
        return bytes(out)


class Shoe:
    """The firmware's Link with a fake service, behind a bad line; `transport` is the host's end.

    `crash()` starts a new life of the device: new link, new epoch, the same records.
    """

    def __init__(self, *, to_device: BadLine | None = None, to_host: BadLine | None = None, **service: int) -> None:
        self.service = FakeService(**service)
        self.line = Line(self.service)
        self.to_device = to_device or BadLine(0)
        self.to_host = to_host or BadLine(0)
        self.transport = LoopbackTransport(self._exchange)
        self.deaf = False
        self.exchanges = 0
        self.crash_at: set[int] = set()
        self.unplug_at: set[int] = set()
        self.plug_in_after = 0.0
        self.transport.on_sleep = self._time

    def crash(self) -> None:
        """Restart: what was under way is forgotten, the records stay."""
        self.service.boot += 1
        self.service.epoch += 1
        self.line = Line(self.service)

    def deal(self) -> int:
        """One more record, pushed if anybody listens; return its number."""
        number: int = self.service.append()
        self.service.push(number)
        return number

    @property
    def counts(self) -> Counter[str]:
        """What the line did in both directions."""
        return self.to_device.counts + self.to_host.counts

    def _exchange(self, data: bytes) -> bytes:
        self.exchanges += 1
        if self.exchanges in self.crash_at:
            self.crash()
        if self.exchanges in self.unplug_at:
            self.transport.plugged = False
            self.plug_in_after = 1.0
        if self.deaf:
            return b""
        data = self.to_device(data)
        if data:
            self.line.give(data)
        self.line.link.pump()
        return self.to_host(self.line.take())

    def _time(self, seconds: float) -> None:
        if not self.transport.plugged and self.plug_in_after > 0:
            self.plug_in_after -= seconds
            if self.plug_in_after <= 0:
                self.transport.plugged = True
