"""A serial port, a pseudo-terminal by its path, or any URL that pyserial knows, opened for this program alone."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from typing import Final

import serial

from . import usb
from .transport import Disconnected, PortBusy, PortMissing

BAUD: Final = 921_600  # of a shoe's UART, see PROTOCOL.md; it has no effect over USB and pseudo-terminals
# read() wakes this often to check its deadline. Bytes that come wake it at once.
_SLICE_S: Final = 0.02
_WRITE_TIMEOUT_S: Final = 2.0


class SerialTransport:
    """Bytes over pyserial. PortMissing or PortBusy, each one line, when the port cannot be opened."""

    def __init__(self, port: str, baud: int = BAUD) -> None:
        self._name = port
        self._baud = baud
        self._port: serial.Serial | None = None
        self._usb: usb.UsbPort | None = None
        self.reopen()

    @property
    def name(self) -> str:
        """The port as the user named it."""
        return self._name

    def reopen(self) -> None:
        """Open the port, exclusively if the system can do that.

        A USB device that was plugged in again may have another name. It is found by its serial number.
        """
        self.close()
        try:
            self._open()
        except PortMissing:
            moved = usb.find(self._usb)
            if moved is None or moved == self._name:
                raise
            self._name = moved
            self._open()
        self._usb = usb.usb_port(self._name) or self._usb

    def _open(self) -> None:
        try:
            port = serial.serial_for_url(
                self._name, baudrate=self._baud, timeout=_SLICE_S, write_timeout=_WRITE_TIMEOUT_S, do_not_open=True
            )
            if "://" not in self._name:
                port.exclusive = True
            port.open()  # reads: a port, not a file
        except (OSError, ValueError) as error:
            raise _opening(self._name, error) from None
        self._port = port

    def write(self, data: bytes) -> None:
        """Send all of `data`. Disconnected when the port is gone, or accepts nothing for two seconds."""
        if self._port is None:
            raise Disconnected(f"{self._name}: the port is closed")
        try:
            self._port.write(data)
        except serial.SerialTimeoutException:
            raise Disconnected(f"{self._name}: the device takes no more bytes") from None
        except (OSError, TypeError) as error:
            raise self._lost(error) from None

    def read(self, timeout_s: float) -> bytes:
        """Return bytes that have come, at the latest after `timeout_s`. Disconnected when the port is gone."""
        deadline = time.monotonic() + timeout_s
        while True:
            if self._port is None:
                raise Disconnected(f"{self._name}: the port is closed")
            try:
                # The first byte wakes this loop. Mostly the rest has come with it.
                data: bytes = self._port.read(1)
                if data:
                    return data + self._port.read(self._port.in_waiting)
            except (OSError, TypeError) as error:
                raise self._lost(error) from None
            if time.monotonic() >= deadline:
                return b""

    def close(self) -> None:
        """Close the port."""
        port, self._port = self._port, None
        if port is not None:
            # An unplugged port may give an error even when it is closed.
            with contextlib.suppress(OSError, TypeError):
                port.close()

    def now(self) -> float:
        """Seconds of the steady clock of this computer."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def _lost(self, error: Exception) -> Disconnected:
        # When a cable is pulled, pyserial reports "multiple access on port?" and such. The user needs one plain line.
        self.close()
        code = getattr(error, "errno", None)
        why = f" ({os.strerror(code)})" if code else ""
        return Disconnected(f"{self._name}: the line was lost{why}; is the shoe unplugged or switched off?")


def _opening(name: str, error: Exception) -> PortMissing | PortBusy:
    """Turn pyserial's error about opening a port into one line."""
    code = getattr(error, "errno", None)
    text = str(error)
    if (
        code in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
        or "exclusively lock" in text
        or "Access is denied" in text
    ):
        return PortBusy(f"{name}: the port is busy; another program has it open (shoetool monitor?)")
    if code in (errno.EACCES, errno.EPERM):
        return PortMissing(
            f"{name}: you may not open this port; on Linux join the group dialout (sudo usermod -aG dialout $USER) "
            "and log in again"
        )
    if code == errno.EISDIR:
        return PortMissing(f"{name}: this is a directory, not a serial port")
    if code == errno.ENOTTY or "Could not configure port" in text:
        return PortMissing(f"{name}: this is not a serial port")
    if code in (errno.ENOENT, errno.ENXIO, errno.ENODEV) or "could not open port" in text:
        return PortMissing(f"{name}: there is no such port; is the shoe plugged in? 'shoetool devices' lists the ports")
    return PortMissing(f"{name}: the port cannot be opened: {text}")
