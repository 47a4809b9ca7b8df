"""The ports of this computer, and the transport that a port's name stands for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from .recording import SUFFIX, RecordingTransport
from .replay import ReplayTransport
from .serial_port import BAUD, SerialTransport
from .transport import PromptPort, Transport
from .usb import usb_port

RECORDING_SCHEME: Final = "recording:"


@dataclass(frozen=True, slots=True)
class PortInfo:
    """A serial port of this computer, with the system's description."""

    port: str
    description: str


def serial_ports() -> list[PortInfo]:
    """Return the serial ports of this computer, always in the same order and without pseudo-terminals."""
    found = (PortInfo(info.device, info.description or "") for info in list_ports.comports())
    return sorted(found, key=lambda info: info.port)


def is_recording(port: str) -> bool:
    """Whether `port` names a recording, `recording:PATH` or `*.shoelink`."""
    return port.startswith(RECORDING_SCHEME) or port.endswith(SUFFIX)


def open_transport(port: str, *, baud: int = BAUD, record: Path | None = None) -> Transport:
    """Open what `port` names: a serial port, a pyserial URL, or a recording (`recording:PATH` or `*.shoelink`).

    With `record` all traffic in both directions also goes to that file. LinkError when the port cannot be opened. The
    prompt of a MicroPython board is a LinkError too, and is not opened: the first request would stop the shoe there.
    """
    transport: Transport
    usb = usb_port(port)
    if usb is not None and usb.is_prompt:
        raise PromptPort(
            f"{port}: this is a MicroPython board's prompt, and a request there would stop what it runs; the line of a "
            'shoe is the port of its UART adapter, or the board\'s second port with "link": "cdc"'
        )
    if is_recording(port):
        transport = ReplayTransport(Path(port.removeprefix(RECORDING_SCHEME)))
    else:
        transport = SerialTransport(port, baud)
    return RecordingTransport(transport, record) if record is not None else transport
