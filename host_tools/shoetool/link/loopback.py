"""A line inside this process, with its own clock: a test puts a device, or a bad line to one, at the other end."""

from __future__ import annotations

from collections.abc import Callable

from .transport import Disconnected, PortMissing

Exchange = Callable[[bytes], bytes]


class LoopbackTransport:
    """Hands written bytes to `exchange` and gives back what that returns; nothing waits in real time.

    `exchange(b"")` is called when the host listens, so that a device may speak unasked. Set `plugged` to False to pull
    the cable; `reopen` fails until it is True again.
    """

    def __init__(self, exchange: Exchange, name: str = "loopback") -> None:
        self._exchange = exchange
        self._name = name
        self._waiting = b""
        self._clock = 0.0
        self._open = True
        self.plugged = True
        self.on_sleep: Callable[[float], None] | None = None

    @property
    def name(self) -> str:
        """Name given by the test."""
        return self._name

    def write(self, data: bytes) -> None:
        """Hand the bytes to the device."""
        self._check()
        self._waiting += self._exchange(data)

    def read(self, timeout_s: float) -> bytes:
        """What the device has sent; when that is nothing, the timeout passes on this line's clock."""
        self._check()
        self._waiting += self._exchange(b"")
        data, self._waiting = self._waiting, b""
        self.sleep(0.0001 if data else max(timeout_s, 0.001))
        return data

    def reopen(self) -> None:
        """Plug in again; PortMissing while the test keeps the cable out."""
        if not self.plugged:
            raise PortMissing(f"{self._name}: there is no such port")
        self._open = True
        self._waiting = b""

    def close(self) -> None:
        """Unplug."""
        self._open = False

    def now(self) -> float:
        """Seconds on this line's clock."""
        return self._clock

    def sleep(self, seconds: float) -> None:
        """Let time pass on this line's clock."""
        self._clock += seconds
        if self.on_sleep is not None:
            self.on_sleep(seconds)

    def _check(self) -> None:
        if not (self.plugged and self._open):
            self._open = False
            raise Disconnected(f"{self._name}: the line was lost; is the shoe unplugged or switched off?")
