"""The second USB interface as the line, against a stand-in for usb-device-cdc: its calls, as its source has them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from pico import cdc

READ, WRITE = 1, 4


class Interface:
    """CDCInterface with `timeout=0`: takes what fits, gives what is there."""

    made: Interface

    def __init__(self) -> None:
        Interface.made = self
        self.sent = b""
        self.room = 0
        self.came = b""

    def init(self, timeout: int, txbuf: int, rxbuf: int) -> None:
        assert timeout == 0, "the shoe never waits for the host"
        assert rxbuf >= 64
        self.room = txbuf

    def ioctl(self, request: int, wanted: int) -> int:
        assert request == 3
        return wanted & ((READ if self.came else 0) | (WRITE if self.room else 0))

    def readinto(self, buf: bytearray) -> int | None:
        n = min(len(buf), len(self.came))
        buf[:n] = self.came[:n]
        self.came = self.came[n:]
        return n or None

    def write(self, buf: memoryview) -> int:
        n = min(len(buf), self.room)
        self.sent += bytes(buf[:n])
        self.room -= n
        return n


class Device:
    def __init__(self) -> None:
        self.interfaces: list[tuple[Any, ...]] = []

    def init(self, *interfaces: Any, builtin_driver: bool) -> None:
        assert builtin_driver, "the prompt stays on the first interface"
        self.interfaces.append(interfaces)


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Device:
    found = Device()
    package, core, serial = ModuleType("usb"), ModuleType("usb.device"), ModuleType("usb.device.cdc")
    package.__dict__["device"] = core
    core.__dict__["get"] = lambda: found
    serial.__dict__["CDCInterface"] = Interface
    for module in (package, core, serial):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return found


@pytest.mark.parametrize(
    ("slot", "told"),
    [("/b", "mpremote mip install --target /b usb-device-cdc, after each"), (".frozen", "freeze it into the")],
)
def test_without_the_package_one_line_says_what_is_missing_and_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, slot: str, told: str
) -> None:
    monkeypatch.setitem(sys.modules, "usb", None)
    path = [".frozen", slot]
    monkeypatch.setattr(sys, "path", list(path))
    with pytest.raises(OSError, match=f"needs the package usb-device-cdc: {told}") as raised:
        cdc.CdcLine()
    assert "\n" not in str(raised.value)
    assert sys.path == path


def test_bytes_go_both_ways_and_nobody_waits(device: Device) -> None:
    line = cdc.CdcLine()
    assert device.interfaces == [(Interface.made,)]
    buf = bytearray(8)
    assert line.read(buf) == 0 and not line.ready()
    Interface.made.came = b"0123456789"
    assert line.ready()
    assert (line.read(buf, 3), bytes(buf[:4])) == (3, b"012\0")
    assert (line.read(buf, 300), bytes(buf)) == (7, b"3456789\0") and not line.ready()
    Interface.made.came = b"0123456789"
    assert (line.read(buf), bytes(buf)) == (8, b"01234567")
    assert line.read(buf) == 2 and not line.ready()
    data = bytes(i & 0xFF for i in range(3000))
    taken = line.write(data, 3000)
    assert 0 < taken < 3000 and Interface.made.sent == data[:taken]
    assert line.write(data, 10) == 0 and not line.ready()
    Interface.made.room = 100
    assert line.ready() and not line.ready()
    assert line.write(data, 5) == 5


def test_close_leaves_the_prompts_interface_alone(device: Device) -> None:
    cdc.CdcLine().close()
    assert device.interfaces[-1] == ()
