"""A line inside this process, with its own clock. A test puts a device, or a bad line to a device, at the other end."""

from __future__ import annotations

from collections.abc import Callable, Collection

from shoetool.link.transport import Disconnected, PortMissing

Exchange = Callable[[bytes], bytes]


class LoopbackTransport:
    """Gives written bytes to `exchange`, and reads what it returns. Nothing waits in real time.

    `exchange(b"")` is called when the host listens, so that a device can send without a request. Set `plugged` to False
    to pull the cable; `reopen` fails until it is True again.
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
        """Give the bytes to the device."""
        self._check()
        self._waiting += self._exchange(data)

    def read(self, timeout_s: float) -> bytes:
        """Return what the device has sent. When it sent nothing, the timeout passes on this line's clock."""
        self._check()
        self._waiting += self._exchange(b"")
        data, self._waiting = self._waiting, b""
        self.sleep(0.0001 if data else max(timeout_s, 0.001))
        return data

    def reopen(self, without: Collection[str] = ()) -> None:
        """Plug the cable in again. PortMissing while the test keeps it out."""
        if not self.plugged or self._name in without:
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
