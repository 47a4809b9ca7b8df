"""Which board `shoetool flash` takes without PORT, and what it says when there is none, several, or a boot loader."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial
from click.testing import CliRunner, Result
from fake_shoes import PtyDevice
from flash_stand_in import StandIn, bundle
from shoetool.cli import build
from shoetool.cli import flash as cli_flash
from shoetool.flash import repl as repl_module
from shoetool.flash.device_files import DeviceFiles
from shoetool.link import boot_loader, virtual_ports

ROOT = Path(__file__).resolve().parents[2]
PICO, PICO_LIPO, ADAPTER, DEBUG_PROBE = (0x2E8A, 0x0005), (0x2E8A, 0x1003), (0x0403, 0x6001), (0x2E8A, 0x000C)
RP2040, RP2350 = ("2e8a", "0003"), ("2e8a", "000f")
INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: {}\r\n"


@pytest.fixture
def present(monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    """The serial ports of this computer, for the test to fill in."""
    there: list[SimpleNamespace] = []
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: list(there))
    monkeypatch.setattr(virtual_ports, "virtual_folder", lambda: Path("/nowhere"))
    return there


@pytest.fixture(autouse=True)
def computer(present: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Linux computer without USB devices; below it `usb/NAME` are its devices, and `media/USER/LABEL` its drives."""
    place = tmp_path / "computer"
    (place / "usb").mkdir(parents=True)
    monkeypatch.setattr(boot_loader, "USB_DEVICES", place / "usb")
    monkeypatch.setattr(boot_loader, "MOUNTED", (f"{place}/media", f"{place}/media/*"))
    return place


def port(path: str, ids: tuple[int, int], number: str, interface: int = 0) -> SimpleNamespace:
    """What pyserial says of a port of a USB device."""
    vid, pid = ids
    return SimpleNamespace(
        device=path, vid=vid, pid=pid, serial_number=number, location=f"1-2:1.{interface}", manufacturer=None,
        description="",
    )  # fmt: skip


def plug_in(computer: Path, name: str, ids: tuple[str, str]) -> None:
    device = computer / "usb" / name
    device.mkdir()
    (device / "idVendor").write_text(f"{ids[0]}\n")
    (device / "idProduct").write_text(f"{ids[1]}\n")


def mount(computer: Path, label: str, under: str = "media/me") -> Path:
    drive = computer / under / label
    drive.mkdir(parents=True)
    (drive / "INFO_UF2.TXT").write_text(INFO.format(label))
    return drive


def shoetool(*words: str) -> Result:
    return CliRunner().invoke(build(), list(words))


def one_line(said: Result) -> str:
    """The one line that a command ends with when device or link are not as they should be."""
    assert said.exit_code == 3 and said.stdout == "", said.output
    (line,) = said.stderr.splitlines()
    return line


# ------------------------------------------------------------------------------------------------ one board


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> DeviceFiles:
    return bundle(tmp_path_factory.mktemp("firmware") / "pico")


@pytest.fixture
def board(
    firmware: DeviceFiles, tmp_path: Path, present: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> Iterator[StandIn]:
    monkeypatch.setattr(cli_flash, "find", lambda: firmware)
    with StandIn(tmp_path / "flash.bin") as stand_in:
        present.append(port(stand_in.port, PICO, "E6614103E7452D2F"))
        yield stand_in


def test_the_only_board_is_flashed_and_named_before_anything_is_done_to_it(board: StandIn) -> None:
    said = shoetool("flash")
    assert said.exit_code == 0, said.output
    assert said.stdout.splitlines()[0] == (
        f"port        {board.port}, the only MicroPython board (USB serial number e6614103e7452d2f)"
    )
    assert re.search(r"^flashed: shoe \w{16} runs", said.stdout, re.M)


def test_a_dry_run_finds_it_too_and_the_document_names_its_port(board: StandIn) -> None:
    said = shoetool("flash", "--dry-run", "--json")
    assert said.exit_code == 0, said.output
    assert json.loads(said.stdout)["port"] == board.port


def test_other_ports_are_no_boards_and_a_boards_line_is_not_its_prompt(
    board: StandIn, present: list[SimpleNamespace]
) -> None:
    present.append(port("/dev/no_such_line", PICO, "E6614103E7452D2F", interface=2))
    present.append(port("/dev/no_such_adapter", ADAPTER, "A50285BI"))
    present.append(port("/dev/no_such_probe", DEBUG_PROBE, "E6632891"))
    said = shoetool("flash", "--dry-run")
    assert said.exit_code == 0 and board.port in said.stdout.splitlines()[0], said.output


def test_a_port_that_is_named_is_taken_and_nothing_is_looked_for(
    board: StandIn, present: list[SimpleNamespace]
) -> None:
    present.append(port("/dev/no_such_board", PICO_LIPO, "E6630000"))
    said = shoetool("flash", board.port, "--dry-run")
    assert said.exit_code == 0 and said.stdout.startswith("board       "), said.output


# ------------------------------------------------------------------------------------------------ several, or none


def test_several_boards_are_listed_and_none_of_them_hears_anything(present: list[SimpleNamespace]) -> None:
    heard = bytearray()

    def listen(data: bytes) -> bytes:
        heard.extend(data)
        return b""

    with PtyDevice(listen) as one, PtyDevice(listen) as other:
        present += [port(one.path, PICO, "E6614103E7452D2F"), port(other.path, PICO_LIPO, "DE6100AB")]
        line = one_line(shoetool("flash"))
    first, second = sorted((one.path, other.path))
    ids = {one.path: "e6614103e7452d2f", other.path: "de6100ab"}
    assert line == (
        f"shoetool: 2 MicroPython boards are plugged in: {first} (id {ids[first]}), {second} (id {ids[second]}); "
        f"name one: shoetool flash {first}"
    )
    assert not heard


def test_without_a_board_it_says_what_to_try() -> None:
    line = one_line(shoetool("flash"))
    for word in ("no MicroPython board is plugged in", "cable", "hold BOOTSEL", "UF2", "RPI-RP2", "dialout"):
        assert word in line


def test_a_board_that_may_not_be_opened_says_which_group_may(
    present: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: serial.Serial) -> None:
        raise serial.SerialException(errno.EACCES, "Permission denied")

    present.append(port("/dev/ttyACM0", PICO, "E6614103E7452D2F"))
    monkeypatch.setattr(serial.Serial, "open", refuse)
    said = shoetool("flash")
    assert said.exit_code == 3 and "/dev/ttyACM0: you may not open this port" in said.stderr, said.output
    assert "sudo usermod -aG dialout $USER" in said.stderr


def test_a_file_that_is_wrong_is_told_before_a_board_is_missed(tmp_path: Path) -> None:
    config = tmp_path / "table7.toml"
    config.write_text("decks = 'many'\n")
    said = shoetool("flash", "--config", str(config))
    assert said.exit_code == 2 and "decks" in said.stderr


# ------------------------------------------------------------------------------------------------ in its boot loader


def test_a_board_in_its_boot_loader_is_known_by_its_usb_numbers(computer: Path) -> None:
    plug_in(computer, "usb1", ("1d6b", "0002"))
    plug_in(computer, "1-2", RP2040)
    (computer / "usb" / "1-2:1.0").mkdir()  # an interface has no numbers
    line = one_line(shoetool("flash"))
    assert line == (
        "shoetool: a board in its boot loader (BOOTSEL) is plugged in: copy a MicroPython UF2 (1.24 or newer, "
        "micropython.org/download) onto its drive RPI-RP2; it restarts by itself, then run shoetool flash"
    )


@pytest.mark.parametrize("under", ["media", "media/me"])
def test_its_drive_is_named_where_it_is_mounted(computer: Path, under: str) -> None:
    plug_in(computer, "1-2", RP2040)
    drive = mount(computer, "RPI-RP2", under)
    assert f"onto its drive RPI-RP2, {drive};" in one_line(shoetool("flash"))


def test_without_usb_numbers_its_drive_tells(computer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a Mac. A folder of that name without the boot loader's file is something else."""
    monkeypatch.setattr(boot_loader, "USB_DEVICES", computer / "none")
    (computer / "media" / "RPI-RP2").mkdir(parents=True)
    assert "no MicroPython board is plugged in" in one_line(shoetool("flash"))
    drive = mount(computer, "RPI-RP2")
    assert f"RPI-RP2, {drive};" in one_line(shoetool("flash"))


def test_an_rp2350_is_told_apart(computer: Path) -> None:
    plug_in(computer, "1-2", RP2350)
    mount(computer, "RP2350")
    assert "a board with an RP2350 is in its boot loader; the firmware needs an RP2040" in one_line(shoetool("flash"))


def test_a_board_with_a_prompt_goes_before_one_in_its_boot_loader(board: StandIn, computer: Path) -> None:
    plug_in(computer, "1-2", RP2040)
    said = shoetool("flash", "--dry-run")
    assert said.exit_code == 0 and board.port in said.stdout.splitlines()[0], said.output


def test_a_port_that_went_when_bootsel_was_held_says_so(computer: Path, tmp_path: Path) -> None:
    plug_in(computer, "1-2", RP2040)
    line = str(repl_module.why_not_opened(str(tmp_path / "ttyACM0")))
    assert "there is no such port; a board in its boot loader (BOOTSEL) is plugged in" in line


@pytest.mark.parametrize("words", [("devices",), ("info",)], ids=lambda words: words[0])
@pytest.mark.parametrize("others", [0, 1])
def test_who_looks_for_a_shoe_is_told_of_the_board_too(
    words: tuple[str, ...], others: int, computer: Path, present: list[SimpleNamespace], tmp_path: Path
) -> None:
    present += [port(str(tmp_path / "no_such_adapter"), ADAPTER, "A50285BI")] * others
    plug_in(computer, "1-2", RP2040)
    assert re.match(r"shoetool: no shoe answers.*a board in its boot loader", one_line(shoetool(*words)))


# ------------------------------------------------------------------------------------------------ make


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ((), "shoetool flash"),
        (("PORT=/dev/ttyACM1",), "shoetool flash '/dev/ttyACM1'"),
        (("CONFIG=table7.toml", "BOARD=board.json"), "shoetool flash --config 'table7.toml' --board 'board.json'"),
    ],
    ids=["alone", "port", "settings"],
)
def test_make_flash_needs_no_port(words: tuple[str, ...], command: str) -> None:
    would = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "flash", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},  # of `make test`
    )
    assert " ".join(would.stdout.splitlines()[-1].split()) == f".venv/bin/{command}"
