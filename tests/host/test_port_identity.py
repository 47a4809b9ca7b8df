"""A port is its device, however it is named; and nothing that a prompt obeys is sent before a shoe has spoken."""

from __future__ import annotations

import os
import random
import select
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from fake_shoes import IDENTITY, PtyDevice, ScriptedShoe, answer
from shoetool.cli import build
from shoetool.client.client import Client
from shoetool.client.requests import NotAShoe, OtherShoe, Timeouts
from shoetool.link import port_holder, serial_port, virtual_ports
from shoetool.link.port_filter import PortFilter
from shoetool.link.port_names import port_keys
from shoetool.link.ports import open_transport
from shoetool.link.serial_port import SerialTransport, open_port
from shoetool.link.system_ports import SystemPort, UsbPort, UsbUnit
from shoetool.link.transport import PortBusy, PortMissing, PromptPort
from shoetool.model.errors import BadInput, LinkError
from shoetool.model.protocol_table import MessageKind
from shoetool.serve.table_port import TablePort
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import Frame, encode_frame
from shoetool.wire.greeting import IGNORED, greeting

PICO = (0x2E8A, 0x0005)
ADAPTER = (0x1A86, 0x7523)
SHORT = Timeouts(answer_s=0.05, tries=2, identify_tries=3, reconnect_s=0)
PATIENT = Timeouts(answer_s=0.2, identify_tries=2, reconnect_s=20, reconnect_every_s=0.05)
ROOT = Path(__file__).resolve().parents[2]
MICROPYTHON = ROOT / "build" / "micropython" / "micropython-amd64"


def listed(name: object, ids: tuple[int, int], number: str | None, location: str | None) -> SimpleNamespace:
    """What pyserial says of a port of a USB device."""
    vid, pid = ids
    return SimpleNamespace(
        device=str(name), vid=vid, pid=pid, serial_number=number, location=location, manufacturer="Microsoft",
        description="",
    )  # fmt: skip


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[SimpleNamespace]:
    """The ports of this computer, for the test to fill in."""
    there: list[SimpleNamespace] = []
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: list(there))
    monkeypatch.setattr(virtual_ports, "virtual_folder", lambda: tmp_path / "virtual")
    return there


# ------------------------------------------------------------------------------------------------ one port, many names


@pytest.mark.parametrize(
    ("system", "user"),
    [
        ("/dev/cu.usbmodem1", "/dev/tty.usbmodem1"),
        ("/dev/cu.usbmodem1", "/dev/cu.usbmodem1"),
        ("COM10", "com10"),
        ("COM10", r"\\.\COM10"),
        ("COM3", r"\\.\com3"),
        ("COM3", "//./COM3"),
        ("COM3", r"\\?\COM3"),
        ("COM3", "COM3:"),
    ],
)
@pytest.mark.parametrize("number", ["E660", None])
def test_a_prompt_is_known_by_any_of_its_names(
    system: str, user: str, number: str | None, present: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(serial_port, "open_port", lambda name, baud: opened.append(name))
    present.append(listed(system, PICO, number, "20-1"))
    with pytest.raises(PromptPort) as error:
        open_transport(user)
    assert opened == [] and str(error.value).startswith(f"{user}: ")


@pytest.mark.parametrize(
    ("one", "other"), [("COM1", "COM10"), ("/dev/cu.a", "/dev/tty.b"), ("/dev/ttyS0", "/dev/ttyS1")]
)
def test_other_ports_have_no_name_in_common(one: str, other: str) -> None:
    assert not port_keys(one) & port_keys(other)


def test_a_prompt_is_known_by_its_device_number_and_behind_a_url(
    present: list[SimpleNamespace], tmp_path: Path
) -> None:
    heard = bytearray()
    with PtyDevice(lambda data: (heard.extend(data), b"")[1]) as prompt:
        present.append(listed(prompt.path, PICO, None, "1-2:1.0"))
        link = tmp_path / "shoe"
        link.symlink_to(prompt.path)
        around = prompt.path.replace("/pts/", "/pts/../pts/")
        for name in (prompt.path, str(link), around, f"alt://{prompt.path}?class=PosixPollSerial"):
            with pytest.raises(PromptPort):
                open_transport(name)
        serial_port.open_port(prompt.path).close()  # it was given back
    assert not heard


# ------------------------------------------------------------------------------------------------ the first bytes


def test_a_greeting_is_a_frame_of_bytes_that_a_prompt_ignores() -> None:
    for seed in range(500):
        data = greeting(random.Random(seed))
        (frame,) = FrameDecoder().feed(data)
        assert isinstance(frame, Frame) and frame.epoch >= 0x8080 and len(data) == 30
        assert IGNORED.issuperset(data)
    assert not IGNORED & {1, 2, 3, 4, 5, 10, 13, *b" abcz~"}


def test_a_port_that_no_system_calls_a_prompt_is_sent_nothing_that_a_prompt_obeys(
    present: list[SimpleNamespace],
) -> None:
    """A board of another vendor, as Windows lists it, without a number; and one that is not listed at all."""
    heard = bytearray()
    with PtyDevice(lambda data: (heard.extend(data), b">>> ")[1]) as board:
        for there in ([], [listed(board.path, (0x303A, 0x4001), None, None)]):
            present[:] = there
            heard.clear()
            with pytest.raises(NotAShoe):
                Client.open(board.path, SHORT)
            assert len(heard) == 30 * (2 * SHORT.identify_tries - 1) and IGNORED.issuperset(heard)


def test_the_first_request_follows_the_first_frame_of_a_shoe() -> None:
    shoe = ScriptedShoe()
    with PtyDevice(shoe.exchange) as line, Client.open(line.path, SHORT) as client:
        client.ticks()
    assert [one.kind for one in shoe.asked] == [MessageKind.SIGNING_KEY, MessageKind.IDENTIFY, MessageKind.TICKS]


@pytest.mark.skipif(not MICROPYTHON.exists(), reason="MicroPython is not built")
def test_the_real_prompt_ignores_a_greeting_and_ends_at_an_identify() -> None:
    master, slave = os.openpty()
    program = subprocess.Popen([MICROPYTHON], stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)

    def said(until: bytes) -> bytes:
        data, ends = b"", time.monotonic() + 20
        while until not in data and time.monotonic() < ends:
            if select.select([master], [], [], 0.05)[0]:
                data += os.read(master, 4096)
        return data

    try:
        said(b">>> ")
        for seed in range(50):
            os.write(master, greeting(random.Random(seed)))
        os.write(master, b"print(6*7)\r")
        told = said(b"42\r\n>>> ")  # nothing was typed before it, and nothing was said
        assert told.split() == [b"print(6*7)", b"42", b">>>"], told
        # Of `identify` its 0x04 alone, from the length, ends this MicroPython.
        os.write(master, encode_frame(MessageKind.IDENTIFY, 0, 0x8080, b"\x81\x82\x83\x84"))
        assert program.wait(20) is not None
    finally:
        program.kill()
        program.wait()
        os.close(master)


# ------------------------------------------------------------------------------------------------ twins


def shoe_named(device: bytes) -> ScriptedShoe:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.IDENTIFY] = lambda r: answer(r, IDENTITY[:2] + device + IDENTITY[10:])
    return shoe


@pytest.mark.parametrize("number", ["0001", None, ""])
@pytest.mark.parametrize("back", ["ttyUSB0", "ttyUSB2"])
def test_a_line_comes_back_in_its_socket_and_not_on_its_neighbour(
    number: str | None, back: str, present: list[SimpleNamespace], tmp_path: Path
) -> None:
    ours, theirs = shoe_named(b"our-shoe"), shoe_named(b"neighbor")
    with PtyDevice(theirs.exchange) as neighbour:
        first, twin = tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"
        before, after = PtyDevice(ours.exchange), PtyDevice(ours.exchange)
        first.symlink_to(before.path)
        twin.symlink_to(neighbour.path)
        present += [listed(first, ADAPTER, number, "1-1"), listed(twin, ADAPTER, number, "1-2")]
        client = Client.open(str(first), PATIENT)
        tries: list[str] = []

        def plug_in(seconds: float) -> None:
            tries.append(client.transport.name)
            if len(tries) == 5:
                (tmp_path / back).symlink_to(after.path)
                present.append(listed(tmp_path / back, ADAPTER, number, "1-1"))
            time.sleep(seconds)

        client.transport.sleep = plug_in  # type: ignore[method-assign]
        first.unlink()
        del present[0]
        before.unplug()
        assert client.ticks().boot == 3
        assert client.transport.name == str(tmp_path / back)
        assert len(tries) == 5 and set(tries) == {str(first)}
        assert theirs.asked == [], "nobody spoke with the neighbour"
        client.close()
        after.unplug()


def test_a_neighbour_that_took_the_name_is_known_by_its_id_and_left_alone(
    present: list[SimpleNamespace], tmp_path: Path
) -> None:
    ours, theirs = shoe_named(b"our-shoe"), shoe_named(b"neighbor")
    first, moved = tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"
    with PtyDevice(theirs.exchange) as neighbour, PtyDevice(ours.exchange) as after:
        before = PtyDevice(ours.exchange)
        first.symlink_to(before.path)
        present.append(listed(first, ADAPTER, "0001", "1-1"))
        client = Client.open(str(first), PATIENT)
        tries = []

        def plug_in(seconds: float) -> None:
            tries.append(client.transport.name)
            if len(tries) == 3:
                moved.symlink_to(after.path)
                present.append(listed(moved, ADAPTER, "0001", "1-1"))
            time.sleep(seconds)

        client.transport.sleep = plug_in  # type: ignore[method-assign]
        first.unlink()
        before.unplug()
        first.symlink_to(neighbour.path)
        present[:] = [listed(first, ADAPTER, "0001", "1-2")]
        assert client.ticks().boot == 3
        assert client.transport.name == str(moved)
        assert len(theirs.asked_for(MessageKind.IDENTIFY)) == 1, "the neighbour was asked once"
        client.close()


def test_another_shoe_for_good_is_one_line(present: list[SimpleNamespace], tmp_path: Path) -> None:
    first = tmp_path / "ttyUSB0"
    with PtyDevice(shoe_named(b"neighbor").exchange) as neighbour:
        before = PtyDevice(shoe_named(b"our-shoe").exchange)
        first.symlink_to(before.path)
        present.append(listed(first, ADAPTER, "0001", "1-1"))
        client = Client.open(str(first), Timeouts(answer_s=0.2, identify_tries=2, reconnect_s=0.2))
        first.unlink()
        first.symlink_to(neighbour.path)
        before.unplug()
        with pytest.raises(OtherShoe, match="another shoe is on this port now"):
            client.ticks()
        client.close()


def test_a_table_is_not_given_the_shoe_of_another_socket(present: list[SimpleNamespace], tmp_path: Path) -> None:
    first, other = tmp_path / "ttyUSB0", tmp_path / "ttyUSB1"
    with (
        PtyDevice(shoe_named(b"our-shoe").exchange) as ours,
        PtyDevice(shoe_named(b"neighbor").exchange) as neighbour,
        PtyDevice(shoe_named(b"a-spare!").exchange) as spare,
    ):
        first.symlink_to(ours.path)
        other.symlink_to(neighbour.path)
        present += [listed(first, ADAPTER, "0001", "1-1"), listed(other, ADAPTER, "0001", "1-2")]
        port = TablePort(str(first), lambda name: Client.open(name, SHORT))
        port().close()
        first.unlink()
        first.symlink_to(neighbour.path)
        present[:] = [listed(first, ADAPTER, "0001", "1-2")]
        with pytest.raises(LinkError, match=r"another shoe .*it is not taken for this table") as error:
            port()
        assert "\n" not in str(error.value)
        other.unlink()
        other.symlink_to(spare.path)
        present.append(listed(other, ADAPTER, "0001", "1-1"))  # a spare shoe, in the socket of the table
        with port() as client:
            assert client.identify().device == b"a-spare!" and client.transport.name == str(other)


# ------------------------------------------------------------------------------------------------ filters, busy ports

PORTS = [
    SystemPort("/dev/ttyUSB0", "", UsbPort(UsbUnit(0x0403, 0x6001, "A50285BI"), "1-1", 0, False)),
    SystemPort("/dev/ttyUSB1", "", UsbPort(UsbUnit(0x1A86, 0x7523, None), "1-2", 0, False)),
    SystemPort("/dev/ttyS0"),
    SystemPort("/dev/pts/7"),
]


@pytest.mark.parametrize(
    ("filters", "taken"),
    [
        ([], [0, 1, 2, 3]),
        (["vid=0403"], [0]),
        (["vid=0x403"], [0]),
        (["vid=403", "vid=1A86"], [0, 1]),
        (["vid=0403", "pid=7523"], []),
        (["vid!=0403"], [1, 2, 3]),
        (["name!=ttyS"], [0, 1, 3]),
        (["name=usb", "name!=USB1"], [0]),
        (["serial=a502"], [0]),
        (["serial!=A502", "name=tty"], [1, 2]),
    ],
)
def test_filters_choose_the_ports_as_esptool_has_it(filters: list[str], taken: list[int]) -> None:
    chosen = PortFilter.parse(filters)
    assert [chosen.takes(port) for port in PORTS] == [at in taken for at in range(len(PORTS))]


@pytest.mark.parametrize("text", ["", "vid", "vid=", "vid=xyz", "vid=12345", "baud=9600", "name", "=x", "vid=-1"])
def test_a_filter_that_is_none_is_one_line(text: str) -> None:
    with pytest.raises(BadInput, match="--ports"):
        PortFilter.parse([text])
    said = CliRunner().invoke(build(), ["devices", "--ports", text])
    assert said.exit_code == 2 and len(said.stderr.splitlines()) == 1 and "--ports" in said.stderr


@pytest.mark.parametrize("words", [["devices"], ["info"], ["pull"], ["serve"]], ids=lambda words: words[0])
def test_every_search_leaves_out_what_is_left_out(
    words: list[str], present: list[SimpleNamespace], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = bytearray()
    monkeypatch.delenv("SHOETOOL_PORT", raising=False)
    with PtyDevice(lambda data: (heard.extend(data), b"")[1]) as printer:
        present.append(listed(printer.path, ADAPTER, None, "1-1"))
        said = CliRunner().invoke(build(), [*words, "--ports", "vid!=1a86"])
        assert said.exit_code == 3 and len(said.stderr.splitlines()) == 1, said.output
        said = CliRunner(env={"SHOETOOL_PORTS": "vid!=1a86"}).invoke(build(), words)
        assert said.exit_code == 3 and not heard


def test_flash_takes_the_board_that_is_chosen(present: list[SimpleNamespace]) -> None:
    present += [listed("/dev/none0", PICO, "E1", "1-1:1.0"), listed("/dev/none1", PICO, "E2", "1-2:1.0")]
    said = CliRunner().invoke(build(), ["flash", "--ports", "serial=E2"])
    assert said.exit_code == 3 and "/dev/none1: there is no such port" in said.stderr, said.output


@pytest.mark.skipif(not Path("/proc/self/fdinfo").exists(), reason="needs /proc")
def test_a_busy_port_names_the_process_that_has_it() -> None:
    program = (
        "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True); "
        "print('open', flush=True); sys.stdin.read()"
    )
    with PtyDevice(lambda data: b"") as line:
        command = [sys.executable, "-c", program, line.path]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
            assert other.stdout is not None and other.stdout.readline() == b"open\n"
            with pytest.raises(PortBusy, match=rf"the port is busy: python.* \(process {other.pid}\) has it open"):
                SerialTransport(line.path)
            other.communicate()


def test_without_a_system_that_tells_a_busy_port_is_busy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(port_holder, "PROCESSES", tmp_path)
    with PtyDevice(lambda data: b"") as line:
        first = SerialTransport(line.path)
        with pytest.raises(PortBusy, match="the port is busy: another program"):
            SerialTransport(line.path)
        first.close()


@pytest.mark.parametrize("scheme", ["spy", "SPY"])
def test_a_url_that_writes_a_file_is_refused(scheme: str, tmp_path: Path) -> None:
    """pyserial's spy:// would overwrite any file that it names, such as a history."""
    history = tmp_path / "night.shoelog"
    history.write_bytes(b"evidence")
    with pytest.raises(PortMissing, match="--record FILE"):
        open_port(f"{scheme}://loop://?file={history}")
    assert history.read_bytes() == b"evidence"
