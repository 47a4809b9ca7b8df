"""Serial ports of USB devices: the same one again under another name, and which is a MicroPython board's prompt."""

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
    """One port of a USB device, whatever the system calls it today.

    `place`: number of its USB interface, or, where the system does not tell it, of the port within its device.
    """

    vendor: int
    product: int
    serial_number: str
    place: int
    micropython: bool

    @property
    def is_prompt(self) -> bool:
        """Whether this is where MicroPython's prompt is: its first interface, whatever else the board offers."""
        return self.micropython and self.place == 0


def usb_ports() -> dict[str, UsbPort]:
    """Ports of USB devices that have a serial number, by their names."""
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
    """The USB port that is called `name`, or that the link `name` leads to; None when it is of no USB device."""
    ports = usb_ports()
    return ports.get(name) or ports.get(os.path.realpath(name))


def find(port: UsbPort | None) -> str | None:
    """Name of `port` now; None when it is not there."""
    return next((name for name, one in usb_ports().items() if one == port), None)
