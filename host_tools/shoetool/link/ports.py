"""The transport that a port's name stands for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .recording import SUFFIX, RecordingTransport
from .replay import ReplayTransport
from .serial_port import BAUD, SerialTransport
from .transport import Transport

RECORDING_SCHEME: Final = "recording:"


def is_recording(port: str) -> bool:
    """Whether `port` names a recording, `recording:PATH` or `*.shoelink`."""
    return port.startswith(RECORDING_SCHEME) or port.endswith(SUFFIX)


def open_transport(port: str, *, baud: int = BAUD, record: Path | None = None) -> Transport:
    """Open what `port` names: a serial port, a pyserial URL, or a recording (`recording:PATH` or `*.shoelink`).

    With `record` all traffic in both directions also goes to that file. LinkError when the port cannot be opened. The
    prompt of a MicroPython board is a LinkError too, and is not opened: the first request would stop the shoe there.
    """
    transport: Transport
    if is_recording(port):
        transport = ReplayTransport(Path(port.removeprefix(RECORDING_SCHEME)))
    else:
        transport = SerialTransport(port, baud)
    return RecordingTransport(transport, record) if record is not None else transport
