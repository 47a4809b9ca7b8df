"""A bad line around a real transport, for the real firmware at its other end."""

from __future__ import annotations

from bad_line import BadLine
from shoetool.link.serial_port import SerialTransport


class BadTransport(SerialTransport):
    """A serial port whose bytes are damaged on the way out and on the way in."""

    def __init__(self, port: str, to_device: BadLine, to_host: BadLine) -> None:
        self.to_device = to_device
        self.to_host = to_host
        super().__init__(port)

    def write(self, data: bytes) -> None:
        """Send what is left of the data."""
        super().write(self.to_device(data))

    def read(self, timeout_s: float) -> bytes:
        """Receive what is left."""
        return self.to_host(super().read(timeout_s))
