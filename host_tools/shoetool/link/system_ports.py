"""The ports that this computer's system lists: who they are on USB, and which of them is a MicroPython prompt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from serial.tools import list_ports
from serial.tools.list_ports_common import numsplit

from shoetool.model.errors import LinkError

from .port_errors import library_calls, reason
from .port_names import PortKeys, port_keys
from .transport import PromptPort

_RASPBERRY_PI: Final = 0x2E8A
_ADAPTERS: Final = {0x0004, 0x000C}  # Picoprobe and Debug Probe: behind them is a UART
_INTERFACE: Final = re.compile(r":\w+\.(\d+)$")  # `1-2:1.0` on Linux, `1-2:x.0` on Windows; not known elsewhere
_TRIES: Final = 3  # a device that is unplugged while the ports are listed ends pyserial's list


@dataclass(frozen=True, slots=True)
class UsbUnit:
    """What a USB device says of itself. Cheap adapters of one kind all have the same serial number, or none."""

    vendor: int
    product: int
    serial_number: str | None


@dataclass(frozen=True, slots=True)
class UsbPort:
    """One port of a USB device, independent of its present name.

    `location`: the socket, such as `1-2`. `interface`: the number of the port's USB interface. When the system does not
    tell it, the number of the port in its device.
    """

    unit: UsbUnit
    location: str | None
    interface: int
    micropython: bool

    @property
    def is_prompt(self) -> bool:
        """Whether MicroPython's prompt is here: it is always on the board's first interface."""
        return self.micropython and self.interface == 0


@dataclass(frozen=True, slots=True)
class SystemPort:
    """A port of this computer, with the system's description. `usb` is None for a port that is no USB device's."""

    name: str
    description: str = ""
    usb: UsbPort | None = None


def system_ports() -> list[SystemPort]:
    """Return the ports of this computer, always in the same order and without pseudo-terminals.

    LinkError when the system does not list them.
    """
    listed = _listed()
    before: Counter[tuple[UsbUnit, str]] = Counter()
    found = []
    for info in sorted(listed, key=lambda info: numsplit(info.device)):
        usb = None
        if info.vid is not None and info.pid is not None:
            unit = UsbUnit(info.vid, info.pid, info.serial_number or None)
            location = _INTERFACE.sub("", info.location or "")
            number = _INTERFACE.search(info.location or "")
            micropython = (info.manufacturer or "").startswith("MicroPython")
            micropython |= info.vid == _RASPBERRY_PI and info.pid not in _ADAPTERS
            interface = int(number[1]) if number else before[unit, location]
            usb = UsbPort(unit, location or None, interface, micropython)
            before[unit, location] += 1
        found.append(SystemPort(info.device, info.description or "", usb))
    return sorted(found, key=lambda port: port.name)


def _listed() -> list[Any]:
    """Return pyserial's list. It is asked again when it fails: a device may go while it is looked at."""
    for left in reversed(range(_TRIES)):
        try:
            with library_calls(
                lambda error: LinkError(f"the ports of this computer cannot be listed: {reason(error)}")
            ):
                return list(list_ports.comports())
        except LinkError:
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


def ports_if_listed() -> list[SystemPort]:
    """Return the ports of this computer; none when the system does not list them."""
    try:
        return system_ports()
    except LinkError:
        return []


def known_as(keys: PortKeys, ports: Iterable[SystemPort]) -> SystemPort | None:
    """Return the one of `ports` that is known by one of these keys; None when the system does not list it."""
    return next((port for port in ports if keys & port_keys(port.name)), None)


def reject_prompt(name: str, port: SystemPort | None) -> None:
    """Raise PromptPort when the port that was named so is a MicroPython board's prompt."""
    if port is not None and port.usb is not None and port.usb.is_prompt:
        raise PromptPort(
            f"{name}: this is a MicroPython board's prompt, and a request there would stop what it runs; the line of a "
            'shoe is the port of its UART adapter, or the board\'s second port with "link": "cdc"'
        )


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a port was when it was opened first, to find it again. `alone`: no other port said the same of itself."""

    name: str
    usb: UsbPort | None
    alone: bool

    @classmethod
    def of(cls, name: str, port: SystemPort | None, ports: Iterable[SystemPort]) -> Whereabouts:
        """Note where the port that was named so is among `ports`."""
        usb = None if port is None else port.usb
        twins = [one for one in ports if usb is not None and _same_unit(one.usb, usb)]
        return cls(name, usb, len(twins) == 1)

    def names_now(self) -> list[str]:
        """Return the names under which the port may be now, the likeliest first.

        They are: what is in the same socket, the first name, and the same device in another socket when its serial
        number is its own. Only the shoe's id tells whether it is the same line.
        """
        usb, ports = self.usb, ports_if_listed()
        same_place = [port.name for port in ports if usb is not None and port.usb == usb]
        moved = [port.name for port in ports if usb is not None and self.alone and _same_unit(port.usb, usb)]
        # A port that is listed as the first name, but spelled in another way, is not tried twice.
        names = [*same_place, self.name, *moved]
        return [
            name for at, name in enumerate(names) if not any(port_keys(name) & port_keys(one) for one in names[:at])
        ]


def _same_unit(one: UsbPort | None, usb: UsbPort) -> bool:
    """Whether both are the same port of a device with this serial number. Without a number nobody knows."""
    return one is not None and bool(usb.unit.serial_number) and (one.unit, one.interface) == (usb.unit, usb.interface)
