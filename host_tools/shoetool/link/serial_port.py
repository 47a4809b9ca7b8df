"""A serial port, a pseudo-terminal by its path, or any URL that pyserial knows, opened for this program alone."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Collection
from typing import Any, Final

import serial

from shoetool.model.errors import LinkError

from .port_errors import close_quietly, error_number, library_calls, reason
from .port_holder import holder
from .port_names import PortKeys, device_keys, port_keys
from .system_ports import Whereabouts, known_as, ports_if_listed, reject_prompt
from .transport import Disconnected, PortBusy, PortMissing, Transport

BAUD: Final = 921_600  # of a shoe's UART, see PROTOCOL.md; it has no effect over USB and pseudo-terminals
# read() wakes this often to check its deadline. Bytes that come wake it at once.
_SLICE_S: Final = 0.02
_WRITE_TIMEOUT_S: Final = 2.0


class SerialTransport:
    """Bytes over pyserial. PortMissing, PortBusy or PromptPort, each one line, when the port cannot be opened."""

    def __init__(self, port: str, baud: int = BAUD) -> None:
        self._name = port
        self._baud = baud
        self._port: serial.Serial | None = None
        self._first: Whereabouts | None = None
        self._open(port)

    @property
    def name(self) -> str:
        """The port as the user named it; its present name when it came back under another one."""
        return self._name

    @property
    def whereabouts(self) -> Whereabouts:
        """Where the port was when it was opened first."""
        assert self._first is not None
        return self._first

    def reopen(self, without: Collection[str] = ()) -> None:
        """Open the port again, exclusively if the system can do that. LinkError when that fails.

        A USB device that was plugged in again may have another name: see `Whereabouts`. The ports named in `without`
        are not tried.
        """
        self.close()
        self._name = self.whereabouts.name
        failure: LinkError | None = None
        for name in self.whereabouts.names_now():
            if name in without:
                continue
            try:
                return self._open(name)
            except LinkError as error:
                failure = failure or error
        raise failure or PortMissing(f"{self._name}: the port is not there")

    def _open(self, name: str) -> None:
        """Open the port of this name. Nothing is sent. A port that is a prompt is not opened, however it is named."""
        listed = ports_if_listed()
        keys = port_keys(name)
        reject_prompt(name, known_as(keys, listed))
        port = open_port(name, self._baud)
        try:
            # A URL hides the device. Now that it is open, the system tells which it is.
            here = known_as(keys | _opened_keys(port), listed)
            reject_prompt(name, here)
        except BaseException:
            close_quietly(port)
            raise
        self._port, self._name = port, name
        if self._first is None:
            self._first = Whereabouts.of(name, here, listed)

    def write(self, data: bytes) -> None:
        """Send all of `data`. Disconnected when the port is gone, or accepts nothing for two seconds."""
        port = self._opened()
        with library_calls(self._lost):
            port.write(data)

    def read(self, timeout_s: float) -> bytes:
        """Return bytes that have come, at the latest after `timeout_s`. Disconnected when the port is gone."""
        deadline = time.monotonic() + timeout_s
        while True:
            port = self._opened()
            with library_calls(self._lost):
                # The first byte wakes this loop. Mostly the rest has come with it.
                data = bytes(port.read(1))
                if data:
                    data += bytes(port.read(port.in_waiting))
                    return data
            if time.monotonic() >= deadline:
                return b""

    def close(self) -> None:
        """Close the port."""
        port, self._port = self._port, None
        if port is not None:
            close_quietly(port)

    def now(self) -> float:
        """Seconds of the steady clock of this computer."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def _opened(self) -> Any:
        if self._port is None:
            raise Disconnected(f"{self._name}: the port is closed")
        return self._port

    def _lost(self, error: Exception) -> Disconnected:
        # When a cable is pulled, pyserial reports "multiple access on port?" and such. The user needs one plain line.
        self.close()
        if isinstance(error, serial.SerialTimeoutException):
            return Disconnected(f"{self._name}: the device takes no more bytes")
        number = error_number(error)
        why = f" ({os.strerror(number)})" if number else ""
        return Disconnected(f"{self._name}: the line was lost{why}; is the shoe unplugged or switched off?")


def whereabouts_of(transport: Transport) -> Whereabouts | None:
    """Return where a line's port was when it was opened first; None for what is no serial port."""
    while (inner := getattr(transport, "inner", None)) is not None:
        transport = inner
    return transport.whereabouts if isinstance(transport, SerialTransport) else None


def open_port(name: str, baud: int = BAUD) -> Any:
    """Return the open port of the library. PortMissing or PortBusy, one line, when it cannot be opened."""
    if name.lower().startswith("spy:"):  # this one kind of URL writes a file, past the one writer
        raise PortMissing(f"{name}: spy: writes a file of its own; record the line with --record FILE")
    with library_calls(lambda error: _opening(name, error)):
        port = serial.serial_for_url(
            name, baudrate=baud, timeout=_SLICE_S, write_timeout=_WRITE_TIMEOUT_S, do_not_open=True
        )
        if "://" not in name:
            port.exclusive = True
        port.open()  # reads: a port, not a file
    return port


def _opened_keys(port: Any) -> PortKeys:
    """Return what an open port is known by: the name that the library found for a URL, and its device's number."""
    keys: PortKeys = frozenset()
    with contextlib.suppress(LinkError), library_calls(lambda error: LinkError(reason(error))):
        if isinstance(port.name, str):
            keys = port_keys(port.name)
        keys |= device_keys(os.fstat(port.fileno()))  # not every back end has a file
    return keys


def _opening(name: str, error: Exception) -> PortMissing | PortBusy:
    """Turn pyserial's error about opening a port into one line."""
    number = error_number(error)
    text = str(error)
    # On Windows the number is in the text alone: `PermissionError(13, ...)`, and it means that somebody has the port.
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "PermissionError(" in text:
        who = holder(name) or "another program (shoetool monitor?)"
        return PortBusy(f"{name}: the port is busy: {who} has it open")
    if number in (errno.EACCES, errno.EPERM):
        return PortMissing(
            f"{name}: you may not open this port; on Linux join the group dialout (sudo usermod -aG dialout $USER) "
            "and log in again"
        )
    if number == errno.EISDIR:
        return PortMissing(f"{name}: this is a directory, not a serial port")
    if number == errno.ENOTTY or "Could not configure port" in text:
        return PortMissing(f"{name}: this is not a serial port")
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV) or "could not open port" in text:
        return PortMissing(f"{name}: there is no such port; is the shoe plugged in? 'shoetool devices' lists the ports")
    return PortMissing(f"{name}: the port cannot be opened: {reason(error)}")
