"""Serial ports of USB devices: find a port again under another name, and find a MicroPython board's prompt."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from serial.tools import list_ports
from serial.tools.list_ports_common import numsplit

_RASPBERRY_PI: Final = 0x2E8A
_ADAPTERS: Final = {0x0004, 0x000C}  # Picoprobe and Debug Probe: behind them is a UART
_INTERFACE: Final = re.compile(r":\w+\.(\d+)$")  # `1-2:1.0` on Linux, `1-2:x.0` on Windows; not known elsewhere


@dataclass(frozen=True, slots=True)
class UsbPort:
    """One port of a USB device, independent of its present name.

    `place`: the number of its USB interface. When the system does not tell it, the number of the port in its device.
    """

    vendor: int
    product: int
    serial_number: str
    place: int
    micropython: bool

    @property
    def is_prompt(self) -> bool:
        """Whether MicroPython's prompt is here: it is always on the board's first interface."""
        return self.micropython and self.place == 0


def usb_ports() -> dict[str, UsbPort]:
    """Return the ports of USB devices that have a serial number, by their names."""
    found = {}
    before: Counter[tuple[int, int, str]] = Counter()
    for info in sorted(list_ports.comports(), key=lambda info: numsplit(info.device)):
        if info.vid is None or info.pid is None or not info.serial_number:
            continue
        device = (info.vid, info.pid, info.serial_number)
        number = _INTERFACE.search(info.location or "")
        micropython = (info.manufacturer or "").startswith("MicroPython")
        micropython |= info.vid == _RASPBERRY_PI and info.pid not in _ADAPTERS
        found[info.device] = UsbPort(*device, int(number[1]) if number else before[device], micropython)
        before[device] += 1
    return found


def usb_port(name: str) -> UsbPort | None:
    """Return the USB port with this name, or to which a link of this name leads. None when it is no USB device's."""
    ports = usb_ports()
    return ports.get(name) or ports.get(os.path.realpath(name))


def find(port: UsbPort | None) -> str | None:
    """Return the present name of `port`; None when it is not there."""
    return next((name for name, one in usb_ports().items() if one == port), None)
