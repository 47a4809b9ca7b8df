"""The virtual board: its interface, its side channel, and the firmware's life on it, on every interpreter."""

from __future__ import annotations

import contextlib
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flash_memory import Power, PowerCut
from power_rig import PowerCutError, PowerRig
from shoesim import stimulus
from shoetool.model.protocol_table import BootCause, Key, Phase
from virtual.flash import FileFlash, FlashMisuse

ROOT = Path(__file__).resolve().parents[2]
INTERPRETERS = ("python", "amd64", "i386")
TICKS = (1 << 30) - 5_000_000


def interpreter(name: str) -> list[str]:
    """Start of a command line; skips when that MicroPython is not there."""
    if name == "python":
        return [sys.executable]
    path = ROOT / "build" / "micropython" / f"micropython-{name}"
    if not path.exists():
        pytest.skip(f"no MicroPython for {name}: run make setup")
    return [str(path), "-X", "heapsize=304k"]


class Firmware:
    """The firmware on the virtual board, spoken to in raw messages."""

    def __init__(self, start: list[str], state: Path) -> None:
        state.mkdir(exist_ok=True)
        command = [*start, str(ROOT / "firmware" / "main.py"), "--virtual", str(state)]
        self.log = (state / "log.txt").open("ab")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, bufsize=0
        )
        self.lamps: list[tuple[int, bool]] = []
        self._decoder = stimulus.OutputDecoder()
        self._token = 0
        self._raw = b""
        self.send(stimulus.time(TICKS))
        self.boot = self._until("R")

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def _until(self, kind: str) -> int:
        assert self.process.stdout is not None
        while data := self.process.stdout.read(65536):
            self._raw += data
            found = None
            for output in self._decoder.feed(data):
                if output.kind == "L":
                    self.lamps.append((output.value, output.card_stop))
                elif output.kind == kind:
                    found = output.value
            if found is not None:
                return found
        raise EOFError

    def sync(self) -> None:
        self._token += 1
        self.send(stimulus.sync(self._token))
        assert self._until("S") == self._token

    def end(self, message: bytes = b"") -> int:
        """Close its input, after `message`; return its exit status."""
        assert self.process.stdin is not None and self.process.stdout is not None
        if message:
            self.send(message)
        self.process.stdin.close()
        self._raw += self.process.stdout.read()
        self.process.stdout.close()
        status = self.process.wait(60)
        self.log.close()
        return status

    def only_messages(self) -> bool:
        """Whether all it ever wrote were whole messages of known types."""
        at = 0
        while at + 3 <= len(self._raw):
            kind, length = struct.unpack_from("<cH", self._raw, at)
            assert kind in b"HLSR", self._raw[at : at + 40]
            at += 3 + length
        return at == len(self._raw)


@pytest.fixture(params=INTERPRETERS)
def start(request: pytest.FixtureRequest) -> list[str]:
    return interpreter(request.param)


@pytest.fixture
def shoe(start: list[str], tmp_path: Path) -> Iterator[Firmware]:
    firmware = Firmware(start, tmp_path / "state")
    yield firmware
    if firmware.process.poll() is None:
        firmware.process.kill()
        firmware.process.wait()
    for pipe in (firmware.process.stdin, firmware.process.stdout, firmware.log):
        assert pipe is not None
        pipe.close()


def test_every_verb_of_the_board_interface(start: list[str], tmp_path: Path) -> None:
    command = [*start, str(ROOT / "tests" / "e2e" / "board_checks.py"), str(ROOT), str(tmp_path)]
    # The board waits a moment for the simulator's first message; an open pipe that stays silent is one that has none.
    done = subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False)
    assert done.stderr.decode().endswith("checked 9\n"), done.stderr.decode()


def test_it_boots_counts_its_boots_and_leaves_when_told(start: list[str], tmp_path: Path) -> None:
    for boot in (1, 2, 3):
        firmware = Firmware(start, tmp_path / "state")
        assert firmware.boot == boot
        firmware.sync()
        assert firmware.end(stimulus.leave()) == 0
        assert firmware.only_messages()


def test_it_leaves_when_the_simulator_goes(shoe: Firmware) -> None:
    assert shoe.end() == 0


def test_unknown_and_misshapen_messages_are_skipped(shoe: Firmware) -> None:
    shoe.send(struct.pack("<cH", b"?", 300) + bytes(300) + struct.pack("<cH", b"K", 1) + b"\x01")
    shoe.send(struct.pack("<cH", b"E", 0) + struct.pack("<cH", b"E", 4) + b"\x00abc")
    shoe.sync()
    shoe.send(stimulus.key(Key.LOAD, 0))
    shoe.sync()
    assert shoe.lamps[-1][0], "the load key after them is understood"
    assert shoe.end(stimulus.leave()) == 0
    assert shoe.only_messages()


def test_messages_may_come_in_any_pieces(shoe: Firmware) -> None:
    for byte in stimulus.key(Key.LOAD, 0) + stimulus.time(TICKS + 10):
        shoe.send(bytes([byte]))
    shoe.sync()
    assert shoe.lamps[-1][0]


def test_a_power_cut_ends_the_process_at_once_and_the_next_start_is_clean(start: list[str], tmp_path: Path) -> None:
    cuts = 0
    boots = []
    for after in (0, 1, 20, 45, 70):
        firmware = Firmware(start, tmp_path / "state")
        boots.append(firmware.boot)
        firmware.sync()
        firmware.send(stimulus.power_cut(after))
        with pytest.raises((EOFError, BrokenPipeError)):
            for argument in (0, 0, 0):
                firmware.send(stimulus.key(Key.LOAD, argument))
                firmware.sync()
                firmware.send(stimulus.key(Key.CLOSE_SHOE, 0))
                firmware.sync()
        cuts += firmware.end() != 0
    assert cuts == 5, "every cut must have fired"
    assert boots == [1, 2, 3, 4, 5]
    firmware = Firmware(start, tmp_path / "state")
    assert firmware.boot == 6
    assert not firmware.lamps[-1][1], "a power cut is no fault"
    assert firmware.end(stimulus.leave()) == 0


@pytest.mark.parametrize("cause", [BootCause.WATCHDOG, BootCause.CRASH])
def test_a_restart_by_watchdog_or_crash_stops_the_game(cause: BootCause, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "boot_cause").write_text(str(int(cause)))
    firmware = Firmware(interpreter("python"), state)
    assert firmware.lamps[-1][1]
    assert firmware.end(stimulus.leave()) == 0
    firmware = Firmware(interpreter("python"), state)
    assert firmware.lamps[-1][1], "the fault is latched over a restart"
    firmware.send(stimulus.key(Key.SUPERVISOR, 0))
    firmware.sync()
    assert not firmware.lamps[-1][1]
    assert firmware.end(stimulus.leave()) == 0


def test_wrong_usage_is_one_line_and_exit_code_2() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "firmware" / "main.py")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", INTERPRETERS)
def test_a_cut_in_the_middle_of_a_round_loses_nothing_acknowledged(name: str, tmp_path: Path) -> None:
    """Records that a live host has seen are there after the cut, and the round goes on where it was."""
    from shoesim.piles import Item
    from shoetool.client.client import Client
    from shoetool.link.serial_port import SerialTransport

    interpreter(name)
    with PowerRig(tmp_path / "state", interpreter=name, seed=4) as rig:
        rig.key(Key.LOAD, 0)
        rig.draw(0, Item(3, 1))
        rig.key(Key.SEATS, 1)
        rig.key(Key.DEAL)
        for card in (10, 20):
            rig.draw(0, Item(card, 1))
        rig.sync()
        transport = SerialTransport(rig.link_path)
        client = Client(transport)
        client.identify()
        before = client.status()
        transport.close()
        rig.cut_power_after(15)
        with pytest.raises(PowerCutError):
            rig.draw(0, Item(30, 1))
            rig.sync()
        rig.restart()
        transport = SerialTransport(rig.link_path)
        client = Client(transport)
        client.identify()
        after = client.status()
        assert after.phase == Phase.OPENING
        assert after.round == before.round == 1
        assert after.next_record == before.durable_record + 1, "the boot record took the torn record's number"
        assert after.drawn_a == before.drawn_a
        pages = [page.data for entry in client.history_list() for page in client.pull_shoe(entry)]
        transport.close()
    assert len(pages) >= 2


def test_a_cut_erase_is_known_to_the_next_process(tmp_path: Path) -> None:
    """A page that reads blank may not be used then; the flash's file alone does not say so."""
    power = Power(seed=5)

    @contextlib.contextmanager
    def opened() -> Iterator[FileFlash]:
        flash = FileFlash(str(tmp_path / "flash.bin"), 4, power, 512)
        with contextlib.closing(flash._file):
            yield flash

    for page in (1, 2):
        power.arm(200)
        with opened() as flash, pytest.raises(PowerCut):
            flash.erase(page)
    power.arm(None)
    with opened() as flash:
        held = bytearray(512)
        flash.read(2, 0, held)
        assert held == b"\xff" * 512
        with pytest.raises(FlashMisuse, match="cut off"):
            flash.program(2, 0, b"\0")
        for page in (1, 2):
            flash.erase(page)
    with opened() as flash:
        flash.program(2, 0, b"\0")
    assert power.misuse == 1
