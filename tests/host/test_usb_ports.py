"""Serial ports of USB devices: the shoe's line is never taken for its prompt, and is followed when it is moved."""

from __future__ import annotations

import os
import re
import termios
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from fake_shoes import PtyDevice, ScriptedShoe
from shoetool.cli import build
from shoetool.client.discovery import discover
from shoetool.client.requests import Timeouts
from shoetool.link import serial_port
from shoetool.link.ports import open_transport
from shoetool.link.serial_port import BAUD, SerialTransport
from shoetool.link.transport import PortMissing, PromptPort

SHORT = Timeouts(answer_s=0.2, tries=2, identify_tries=2, reconnect_s=0)
PICO = (0x2E8A, 0x0005)
ADAPTER = (0x0403, 0x6001)
DEBUG_PROBE = (0x2E8A, 0x000C)
ROOT = Path(__file__).resolve().parents[2]


def info(
    path: object, ids: tuple[int, int] | tuple[None, None], number: str | None = "E660", location: str | None = None
) -> SimpleNamespace:
    """What pyserial says of a port."""
    vid, pid = ids
    return SimpleNamespace(
        device=str(path), vid=vid, pid=pid, serial_number=number, location=location, manufacturer=None, description=""
    )


@pytest.fixture
def present(monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    """The ports of this computer, for the test to fill in."""
    there: list[SimpleNamespace] = []
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: list(there))
    return there


def test_a_port_is_opened_at_the_baud_rate_of_the_shoes_uart() -> None:
    with PtyDevice(ScriptedShoe().exchange) as pty:
        port = open_transport(pty.path)
        line = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
        speeds = termios.tcgetattr(line)[4:6]
        os.close(line)
        port.close()
    assert speeds == [termios.B921600, termios.B921600]
    assert f"\nBAUD = const({BAUD})\n" in (ROOT / "board" / "pico" / "uart.py").read_text()
    assert f"| line | {BAUD} baud, 8N1 |" in (ROOT / "firmware" / "PROTOCOL.md").read_text()


@pytest.mark.parametrize(
    ("listed", "prompts"),
    [
        pytest.param([("a", PICO, "1-2:1.0")], {"a"}, id="linux"),
        pytest.param([("a", PICO, "1-2:1.0"), ("b", PICO, "1-2:1.2")], {"a"}, id="linux, second interface"),
        pytest.param([("a", PICO, "1-2:1.2"), ("b", PICO, "1-2:1.0")], {"b"}, id="linux, the other way round"),
        pytest.param([("b", PICO, "1-2:1.2")], set(), id="linux, the prompt not there yet"),
        pytest.param([("COM9", PICO, "1-2:x.2"), ("COM10", PICO, "1-2:x.0")], {"COM10"}, id="windows"),
        pytest.param([("cu.usb103", PICO, "20-1"), ("cu.usb101", PICO, "20-1")], {"cu.usb101"}, id="mac"),
        pytest.param([("COM10", PICO, "1-2"), ("COM9", PICO, "1-2")], {"COM9"}, id="by number, not by letter"),
        pytest.param([("a", ADAPTER, "1-1:1.0")], set(), id="adapter"),
        pytest.param([("a", DEBUG_PROBE, "1-1:1.1")], set(), id="debug probe"),
        pytest.param([("a", DEBUG_PROBE, None)], set(), id="debug probe on a mac"),
        pytest.param([("a", (None, None), None)], set(), id="no usb"),
    ],
)
def test_only_the_first_port_of_a_micropython_board_is_its_prompt(
    listed: list[tuple[str, tuple[int, int], str | None]],
    prompts: set[str],
    present: list[SimpleNamespace],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    present += [info(name, ids, location=location) for name, ids, location in listed]
    monkeypatch.setattr(serial_port, "open_port", lambda *_: SimpleNamespace())  # it is about which are opened
    refused = set()
    for name, _, _ in listed:
        try:
            open_transport(name)
        except PromptPort:
            refused.add(name)
    assert refused == prompts


def test_a_board_that_says_it_is_micropython_has_a_prompt_whoever_made_it(present: list[SimpleNamespace]) -> None:
    other = info("/dev/ttyACM3", (0xF055, 0x9800))
    other.manufacturer = "MicroPython"
    present.append(other)
    with pytest.raises(PromptPort):
        open_transport("/dev/ttyACM3")


def test_two_boards_have_a_prompt_each(present: list[SimpleNamespace]) -> None:
    present += [info(f"/dev/cu.{name}", PICO, name[0]) for name in ("a1", "a3", "b1", "b3")]
    asked = {one.port: one.problem or "" for one in discover(timeouts=SHORT)}
    assert ["prompt" in asked[f"/dev/cu.{name}"] for name in ("a1", "a3", "b1", "b3")] == [True, False, True, False]


def test_nothing_is_sent_to_the_prompt_of_a_shoe_that_runs(present: list[SimpleNamespace], tmp_path: Path) -> None:
    """Every `identify` begins 0x00 0x03, and 0x03 is Ctrl-C there: it would end the game with the card stop engaged."""
    pressed = bytearray()

    def prompt_takes(data: bytes) -> bytes:
        pressed.extend(data)
        return b""

    with PtyDevice(prompt_takes) as prompt, PtyDevice(ScriptedShoe().exchange) as line:
        present += [info(prompt.path, PICO, location="1-2:1.0"), info(line.path, ADAPTER, "A50285BI")]
        link = tmp_path / "my-shoe"
        link.symlink_to(prompt.path)
        for name in (prompt.path, str(link)):
            with pytest.raises(PromptPort, match=re.escape(name) + ".*prompt") as error:
                open_transport(name)
            assert error.value.exit_code == 3 and "\n" not in str(error.value)
        found = {one.port: one for one in discover(timeouts=SHORT)}
        assert found[line.path].identity is not None
        assert found[prompt.path].identity is None and "prompt" in str(found[prompt.path].problem)
        result = CliRunner().invoke(build(), ["info", "--port", prompt.path])
        assert result.exit_code == 3 and len(result.stderr.splitlines()) == 1 and "prompt" in result.stderr
        present[:] = present[:1]
        result = CliRunner().invoke(build(), ["info"])
        assert result.exit_code == 3 and len(result.stderr.splitlines()) == 1
        assert f"{prompt.path}, the only serial port: this is a MicroPython board's prompt" in result.stderr
    assert not pressed


def test_a_shoe_that_comes_back_under_another_name_is_followed_by_its_usb_serial_number(
    present: list[SimpleNamespace], tmp_path: Path
) -> None:
    """Plugged in again, ttyACM0 may be ttyACM1; the client still compares the device id before it goes on."""
    first, second = tmp_path / "ttyACM0", tmp_path / "ttyACM1"
    with PtyDevice(lambda data: data) as before, PtyDevice(lambda data: data[::-1]) as after:
        first.symlink_to(before.path)
        present.append(info(first, ADAPTER))
        port = SerialTransport(str(first))
        first.unlink()
        second.symlink_to(after.path)
        present[:] = [info(tmp_path / "other", ADAPTER, "E999")]
        with pytest.raises(PortMissing):
            port.reopen()
        present.append(info(second, ADAPTER))
        port.reopen()
        assert port.name == str(second)
        port.write(b"ab")
        assert port.read(5.0) == b"ba"
        port.close()


def test_a_line_over_usb_that_comes_back_is_followed_to_the_second_interface(
    present: list[SimpleNamespace], tmp_path: Path
) -> None:
    """After a reset the prompt is there first, with the serial number of the board."""
    line = tmp_path / "ttyACM0"
    with PtyDevice(lambda data: data) as prompt, PtyDevice(lambda data: data) as device:
        line.symlink_to(device.path)
        present.append(info(line, PICO, location="1-2:1.2"))
        port = SerialTransport(str(line))
        line.unlink()
        present[:] = [info(prompt.path, PICO, location="1-2:1.0")]
        with pytest.raises(PortMissing):
            port.reopen()
        port.close()
