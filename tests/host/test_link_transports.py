"""Transports: serial ports by pseudo-terminals, recordings and their replay, discovery; each failure is one line."""

from __future__ import annotations

import struct
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_shoes import PtyDevice, ScriptedShoe, answer
from live_records import records
from loopback import LoopbackTransport
from shoetool.cli import build
from shoetool.client import discovery
from shoetool.client.client import Client
from shoetool.client.discovery import discover
from shoetool.client.requests import NotAShoe, Timeouts
from shoetool.link.ports import open_transport
from shoetool.link.recording import Direction, RecordingTransport, read_recording
from shoetool.link.replay import ReplayTransport
from shoetool.link.serial_port import SerialTransport
from shoetool.link.transport import Disconnected, EndOfRecording, PortBusy, PortMissing
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import MessageKind, RecordKind
from shoetool.wire.frames import Frame, encode_frame

SHORT = Timeouts(answer_s=0.2, tries=2, identify_tries=2, reconnect_s=0)


# ----------------------------------------------------------------------------------------------------- serial ports


def test_a_shoe_on_a_pseudo_terminal_answers() -> None:
    with PtyDevice(ScriptedShoe().exchange) as pty, Client.open(pty.path, SHORT) as client:
        assert client.identify().device == b"fakeshoe"
        assert client.ticks().ticks_us == 1_000_000


def test_every_byte_value_goes_through_a_terminal_unchanged() -> None:
    """0x03, 0x04, 0x11, 0x13, 0x1A, 0x0D and their like mean nothing on a line of frames."""
    seen = bytearray()
    done = threading.Event()

    def take(data: bytes) -> bytes:
        seen.extend(data)
        if len(seen) >= 256:
            done.set()
        return data

    with PtyDevice(take) as pty:
        port = SerialTransport(pty.path)
        port.write(bytes(range(256)))
        back = b""
        while len(back) < 256:
            part = port.read(5.0)
            assert part, "bytes were lost"
            back += part
        port.close()
    assert done.is_set() and bytes(seen) == bytes(range(256)) == back


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(PortMissing, match=r"^/dev/no-such-port: there is no such port") as error:
        open_transport("/dev/no-such-port")
    assert error.value.exit_code == 3 and "\n" not in str(error.value)


def test_a_file_that_is_no_port(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    with pytest.raises(PortMissing, match="file: "):
        open_transport(str(path))


def test_an_unknown_kind_of_url() -> None:
    with pytest.raises(PortMissing, match="nonsense://x: "):
        open_transport("nonsense://x")


def test_a_port_that_somebody_else_has_open() -> None:
    with PtyDevice(ScriptedShoe().exchange) as pty:
        first = SerialTransport(pty.path)
        with pytest.raises(PortBusy, match="the port is busy: this program itself has it open"):
            SerialTransport(pty.path)
        first.close()
        SerialTransport(pty.path).close()


def test_a_device_that_is_unplugged() -> None:
    pty = PtyDevice(ScriptedShoe().exchange)
    client = Client.open(pty.path, SHORT)
    pty.unplug()
    with pytest.raises(Disconnected, match="the line was lost") as error:
        client.ticks()
        client.ticks()
    assert "\n" not in str(error.value)
    client.close()
    client.close()


def test_the_client_finds_its_shoe_again_when_it_is_plugged_in_again(tmp_path: Path) -> None:
    shoe = ScriptedShoe()
    port = tmp_path / "port"
    first = PtyDevice(shoe.exchange)
    port.symlink_to(first.path)
    client = Client.open(str(port), Timeouts(answer_s=0.2, reconnect_s=20, reconnect_every_s=0.05))
    assert client.ticks().boot == 3
    first.unplug()
    port.unlink()

    def plug_in() -> None:
        second.append(PtyDevice(shoe.exchange))
        port.symlink_to(second[0].path)

    second: list[PtyDevice] = []
    timer = threading.Timer(0.3, plug_in)
    timer.start()
    try:
        assert client.ticks().boot == 3
        assert client.session.counters.reconnects == 1
    finally:
        timer.join()
        client.close()
        second[0].unplug()


def test_a_line_where_nobody_answers_is_no_shoe() -> None:
    with PtyDevice(lambda data: b"") as pty, pytest.raises(NotAShoe, match="nothing answers"):
        Client.open(pty.path, Timeouts(answer_s=0.05, identify_tries=2, reconnect_s=0))


# -------------------------------------------------------------------------------------------------------- discovery


def test_discovery_names_the_shoes_and_why_the_others_are_none() -> None:
    with (
        PtyDevice(ScriptedShoe().exchange) as shoe,
        PtyDevice(lambda data: b"login: ") as getty,
        PtyDevice(ScriptedShoe().exchange) as held,
    ):
        holder = SerialTransport(held.path)
        ports = [shoe.path, getty.path, held.path, "/dev/no-such-port"]
        tried: list[str] = []
        found = discover(ports, search=False, timeouts=SHORT, on_port=tried.append)
        holder.close()
    assert [one.port for one in found] == ports and sorted(tried) == sorted(ports)
    assert found[0].identity is not None and found[0].identity.device == b"fakeshoe" and found[0].problem is None
    assert found[1].identity is None and "a shoe does not answer here" in str(found[1].problem)
    assert "busy" in str(found[2].problem)
    assert "no such port" in str(found[3].problem)


def test_discovery_asks_all_ports_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each port answers only when all twenty are being asked."""
    together = threading.Barrier(20)

    def opened(port: str) -> LoopbackTransport:
        together.wait(timeout=20)
        return LoopbackTransport(ScriptedShoe().exchange, port)

    monkeypatch.setattr(discovery, "open_transport", opened)
    ports = [f"/dev/ttyS{number}" for number in range(20)]
    found = discover(ports, search=False)
    assert [one.port for one in found] == ports and all(one.identity for one in found)


def test_what_goes_wrong_while_a_port_is_asked_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(port: str) -> LoopbackTransport:
        raise ZeroDivisionError(port)

    monkeypatch.setattr(discovery, "open_transport", broken)
    with pytest.raises(ZeroDivisionError, match="x"):
        discover(["x"], search=False)


# -------------------------------------------------------------------------------------------------------- recordings


def live_shoe() -> ScriptedShoe:
    shoe = ScriptedShoe()

    def events(numbers: range) -> bytes:
        return b"".join(
            encode_frame(64, 9, n, struct.pack("<IHIBB", n, 3, n, RecordKind.SIDE_CHOSEN, n % 2)) for n in numbers
        )

    def subscribe(request: Frame) -> bytes:
        if not request.payload[0]:
            return answer(request, struct.pack("<I", 15))
        shoe.before = b"stray text\r\n" + events(range(5, 9)) + b"\xfe\xfe\0" + events(range(9, 15))
        return answer(request, struct.pack("<I", 5))

    shoe.on[MessageKind.SUBSCRIBE] = subscribe
    status = struct.pack("<BBBHHIIIIHHI", 1, 0, 0, 1, 0, 1, 15, 15, 0, 0, 0, 0)
    shoe.on[MessageKind.STATUS] = lambda r: answer(r, status)
    return shoe


def recorded(path: Path) -> list[int]:
    shoe = live_shoe()
    with Client(RecordingTransport(shoe.transport, path), SHORT, seed=1) as client:
        client.identify()
        client.ticks()
        return [record.number for record in records(client, 5, idle_s=2.0)]


def test_everything_on_the_line_is_in_the_recording_with_its_time(tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    assert recorded(path) == list(range(5, 15))
    traffic = list(read_recording(path))
    assert traffic[0] == (Direction.NOTE, 0, b"opened fake port")
    assert [t.time_us for t in traffic] == sorted(t.time_us for t in traffic)
    sent = b"".join(t.data for t in traffic if t.direction == Direction.SENT)
    came = b"".join(t.data for t in traffic if t.direction == Direction.CAME)
    assert sent.count(b"\0") >= 8
    assert b"stray text\r\n" in came and b"\xfe\xfe\0" in came
    head = path.read_bytes()[:17]
    assert head[:9] == b"SHOELINK\x01" and int.from_bytes(head[9:], "little") > 1_600_000_000_000_000


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_recording_replays_to_a_client_with_other_sequence_numbers(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "line.shoelink"
    recorded(path)
    texts: list[str] = []
    client = Client(ReplayTransport(path), SHORT, seed=seed, on_text=lambda _, text: texts.append(text))
    assert client.identify().device == b"fakeshoe"
    assert client.ticks().ticks_ms == 1000
    assert [record.number for record in records(client, 5)] == list(range(5, 15))
    assert texts == ["stray text\r\n"]
    assert client.session.counters.damaged == 1
    client.close()


def test_a_request_that_was_not_recorded_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    recorded(path)
    with Client.open(f"recording:{path}", SHORT) as client, pytest.raises(EndOfRecording, match="the recording ends"):
        client.self_test()


def test_a_request_may_be_asked_twice_of_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    recorded(path)
    with Client.open(str(path), SHORT) as client:
        assert client.ticks() == client.ticks()


def test_a_recording_cut_off_anywhere_is_read_up_to_its_last_whole_entry(tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    recorded(path)
    whole = path.read_bytes()
    entries = list(read_recording(path))
    for end in range(17, len(whole), 7):
        path.write_bytes(whole[:end])
        found = list(read_recording(path))
        assert found == entries[: len(found)]


@pytest.mark.parametrize("content", [b"", b"SHOE", b"PK\3\4" + bytes(100), b"SHOELINK\x02" + bytes(8)])
def test_a_file_that_is_no_recording_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "line.shoelink"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="recording"):
        open_transport(str(path))


def test_a_recording_that_is_not_there_and_one_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        open_transport("recording:/no/such/file")
    with PtyDevice(lambda data: b"") as pty:
        with pytest.raises(BadInput, match="cannot be written"):
            open_transport(pty.path, record=tmp_path / "no" / "folder")
        # The port was given back.
        SerialTransport(pty.path).close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_no_file_descriptor_is_left_open() -> None:
    with PtyDevice(ScriptedShoe().exchange) as pty:
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(5):
            Client.open(pty.path, SHORT).close()
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_recording_is_printed_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    recorded(path)
    done = CliRunner().invoke(build(), ["dump", str(path)])
    assert done.exit_code == 0
    for part in (
        "* opened fake port",
        "> identify session=",
        "< identify answered major=1 minor=0 device=66616b6573686f65",
        "< ticks answered boot=3 ticks_ms=1000 ticks_us=1000000  [epoch 9, sequence ",
        "> subscribe on=1 from_record=5",
        "< event record=5 boot=3 ticks_ms=",
        "kind=12 (side_chosen) side_chosen side=1 (side_b)",
        "< text 'stray text\\r\\n'",
        "< damaged (",
    ):
        assert part in done.stdout, part
