"""Which ports a search asks: filters by name, USB numbers and serial number, as esptool has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shoetool.model.errors import BadInput

from .system_ports import SystemPort

KEYS: Final = ("vid", "pid", "name", "serial")
_FILTER: Final = re.compile(r"(\w+)(!?=)(.+)", re.DOTALL)
_HEX: Final = re.compile(r"(?:0[xX])?([0-9a-fA-F]{1,4})")


@dataclass(frozen=True, slots=True)
class PortFilter:
    """The filters of one search. Each row is key, value, and whether ports with that value are left out."""

    rows: tuple[tuple[str, str, bool], ...] = ()

    @classmethod
    def parse(cls, texts: Iterable[str]) -> PortFilter:
        """Read filters such as `vid=0403` or `name!=ttyS`. BadInput says what may be written."""
        return cls(tuple(_row(text) for text in texts))

    def takes(self, port: SystemPort) -> bool:
        """Whether the search asks this port: for each key it has one of the values, and none that is left out."""
        wanted: dict[str, bool] = {}
        for key, value, leaves_out in self.rows:
            has = _has(port, key, value)
            if leaves_out and has:
                return False
            if not leaves_out:
                wanted[key] = wanted.get(key, False) or has
        return all(wanted.values())


def _row(text: str) -> tuple[str, str, bool]:
    parts = _FILTER.fullmatch(text)
    if parts is None or parts[1] not in KEYS:
        raise BadInput(
            f"--ports {text[:60]!r}: write vid=HEX, pid=HEX, name=TEXT or serial=TEXT, or with != to leave ports out, "
            "such as vid=0403 or name!=ttyS"
        )
    key, sign, value = parts.groups()
    if key in ("vid", "pid"):
        number = _HEX.fullmatch(value)
        if number is None:
            raise BadInput(
                f"--ports {text[:60]!r}: a USB number has one to four hexadecimal digits, such as {key}=0403"
            )
        value = f"{int(number[1], 16):04x}"
    return key, value, sign == "!="


def _has(port: SystemPort, key: str, value: str) -> bool:
    """Whether the port has this value: the same number, or a text in which it is, in either case of letters."""
    if key == "name":
        return value.lower() in port.name.lower()
    if port.usb is None:
        return False
    unit = port.usb.unit
    if key == "serial":
        return value.lower() in (unit.serial_number or "").lower()
    return value == f"{unit.vendor if key == 'vid' else unit.product:04x}"
