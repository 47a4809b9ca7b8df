"""The rig as a process keeper, on a stand-in firmware that speaks the stimulus protocol and nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from power_rig import PowerCutError, PowerRig
from shoesim import rig as rig_module
from shoesim import stimulus
from shoesim.errors import SimulationError
from shoesim.piles import Item
from shoesim.rig import Rig, firmware_command
from shoetool.model.cards import COVER_CARD
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Key, Lamp

# Answers syncs, shows the last key as lamps, notes edges and times; key 5 ends it, key 6 makes it deaf.
STAND_IN = r"""
import os, struct, sys
state, fd = sys.argv[1], int(sys.argv[2])
def send(letter, body):
    os.write(1, struct.pack("<cH", letter, len(body)) + body)
send(b"X", b"unknown")
send(b"R", struct.pack("<H", 3))
notes = open(state + "/notes", "a")
data = sys.stdin.buffer
while True:
    header = data.read(3)
    if len(header) < 3:
        break
    kind, length = struct.unpack("<cH", header)
    body = data.read(length)
    notes.write(kind.decode() + " " + body.hex() + "\n"); notes.flush()
    if kind == b"S":
        send(b"S", body)
    elif kind == b"K":
        if body[0] == 5:
            print("out of order", file=sys.stderr)
            sys.exit(7)
        if body[0] == 6:
            import time; time.sleep(60)
        send(b"L", struct.pack("<HB", 1 << body[1], body[0] == 12))
    elif kind == b"P" and body != b"\xff\xff\xff\xff":
        os._exit(137)
    elif kind == b"Q":
        os.write(fd, b"bye")
        break
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN)

    def command(interpreter: str, state: Path, link_fd: int) -> list[str]:
        return [sys.executable, "-S", str(script), str(state), str(link_fd)]

    monkeypatch.setattr(rig_module, "firmware_command", command)
    before = set(Path("/proc/self/fd").iterdir())
    yield tmp_path / "state"
    assert set(Path("/proc/self/fd").iterdir()) <= before, "the rig leaves files open"


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def notes(state: Path, kind: str) -> list[bytes]:
    lines = (state / "notes").read_text().splitlines()
    return [bytes.fromhex(line[2:]) for line in lines if line.startswith(kind)]


def test_a_key_reaches_the_firmware_and_its_lamps_come_back(stand_in: Path) -> None:
    with Rig(stand_in) as rig:
        assert rig.boot == 3
        rig.key(Key.SEATS, 2)
        lamps = rig.lamps()
        assert lamps.side == 1 and lamps.on(Lamp.DEAL_B) and not lamps.card_stop
        rig.key(Key.SUPERVISOR, 1)
        assert rig.lamps().card_stop
    assert notes(stand_in, "K") == [bytes((1, 2)), bytes((12, 1))]


def test_a_card_becomes_edges_in_order_of_time(stand_in: Path) -> None:
    with Rig(stand_in, seed=4) as rig:
        rig.draw(1, Item(17, 2))
        rig.draw(1, Item(COVER_CARD, 2))
        rig.sync()
    messages = notes(stand_in, "E")
    assert {body[0] for body in messages} == {1}
    times = [int.from_bytes(body[at : at + 4], "little") for body in messages for at in range(1, len(body), 5)]
    span = [(later - first) % stimulus.TICKS_PERIOD for first, later in pairwise(times)]
    assert len(times) > 100 and max(span) < 12_000_000


def test_the_firmware_never_outlives_the_rig(stand_in: Path) -> None:
    with pytest.raises(ZeroDivisionError), Rig(stand_in) as rig:
        pid = rig.pid
        assert pid is not None and is_running(pid)
        raise ZeroDivisionError
    assert not is_running(pid)


def test_a_deaf_firmware_is_killed(stand_in: Path) -> None:
    with Rig(stand_in) as rig:
        pid = rig.pid
        assert pid is not None
        rig.key(Key.SURRENDER)
    assert not is_running(pid)


def test_a_firmware_that_ends_is_named_with_its_last_words(stand_in: Path) -> None:
    with Rig(stand_in) as rig:
        rig.key(Key.SPLIT)
        with pytest.raises(SimulationError, match=r"status 7; its log ends: out of order"):
            rig.sync()


def test_a_power_cut_is_told_apart_and_the_rig_starts_again(stand_in: Path) -> None:
    with PowerRig(stand_in) as rig:
        first = rig.pid
        rig.cut_power_after(0)
        with pytest.raises(PowerCutError):
            rig.sync()
        rig.restart()
        assert rig.pid != first
        rig.key(Key.DEAL, 0)
        assert rig.lamps().on(Lamp.READY)


def test_the_link_is_a_port_that_both_ends_share(stand_in: Path) -> None:
    with Rig(stand_in) as rig, Path(rig.link_path).open("rb", buffering=0) as port:
        rig.stop()
        assert port.read(3) == b"bye"


def test_time_is_simulated_and_wraps(stand_in: Path) -> None:
    with Rig(stand_in, start_us=stimulus.TICKS_PERIOD - 1_000_000) as rig:
        rig.wait(3.0)
        rig.sync()
    micros = [int.from_bytes(body[:4], "little") for body in notes(stand_in, "T")]
    assert micros == [stimulus.TICKS_PERIOD - 1_000_000, 2_000_000]


def test_real_time_is_kept_when_asked_for(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 100.0, sleep=slept.append)
    with Rig(stand_in, speed=10.0) as rig:
        monkeypatch.setattr(rig_module, "time", clock)
        rig.wait(2.0)
        monkeypatch.undo()
    assert len(slept) == 1


def test_an_interpreter_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="no interpreter is called 'lua'"):
        firmware_command("lua", tmp_path, 3)
    monkeypatch.setattr(rig_module, "ROOT", tmp_path)
    with pytest.raises(BadInput, match="checkout of the project"):
        firmware_command("amd64", tmp_path, 3)


def test_outputs_are_cut_from_any_pieces() -> None:
    stream = b"L\x03\x00\x05\x00\x01Z\x02\x00xxS\x04\x00\x01\x02\x00\x00R\x02\x00\x09\x00"
    for size in (1, 2, 5, 100):
        decoder = stimulus.OutputDecoder()
        found = [output for at in range(0, len(stream), size) for output in decoder.feed(stream[at : at + size])]
        assert found == [
            stimulus.Output("L", 5, True),
            stimulus.Output("S", 0x201),
            stimulus.Output("R", 9),
        ]
