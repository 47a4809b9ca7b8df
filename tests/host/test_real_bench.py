"""What tests/hil does on a real bench, on a stand-in for one: a shoe that each test finds as the last one left it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hands import BATCH, TWOS, Hands
from rest import DEFAULTS, at_rest, in_play
from rig.real import RealShoe
from rig.stimulus import Stimulus, StimulusError
from rig.wiring import strokes
from sampled import SOAK, some
from shoesim.dealer_draw import READER
from shoesim.piles import Item
from shoetool.client.client import Client
from shoetool.link.serial_port import SerialTransport
from shoetool.model.protocol_table import Key, Phase, ShoeKind
from stand_in_bench import StandInBench, compiled_once

ROOT = Path(__file__).resolve().parents[2]
# Its edges come faster than a chip takes them, which is how a chip tells it; this board loses none.
STORM = "saturated"
LEAST = 30 if SOAK else 15  # of the tests that both benches have
EMULATED = ("only the emulated bench can do this", "no MicroPython for the emulated RP2040")


class Bench:
    """The stand-in with its ports open, as for a session of tests/hil."""

    def __init__(self, stand_in: StandInBench) -> None:
        self.stand_in = stand_in
        self.transport = SerialTransport(str(stand_in.link))
        self.stimulus = Stimulus(stand_in)

    def shoe(self) -> RealShoe:
        """As a test finds it, before the fixtures do anything."""
        return RealShoe(self.transport, self.stimulus, clock=self.stand_in)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    for name, value in compiled_once(str(tmp_path)).items():
        monkeypatch.setenv(name, value)
    with StandInBench(tmp_path) as stand_in:
        found = Bench(stand_in)
        try:
            yield found
        finally:
            found.transport.close()


@pytest.mark.begins_first
def test_all_that_runs_on_a_real_bench_passes_one_after_the_other() -> None:
    """As `make hil PORT=... STIMULUS=...` runs it; every other file of it, in a soak all."""
    others = ("HIL_PORT", "HIL_STIMULUS", "RP2_UF2", "PYTEST_ADDOPTS")
    surroundings = {name: value for name, value in os.environ.items() if name not in others and "XDIST" not in name}
    paths = [str(ROOT / name) for name in ("tests/host", "tests/hil", "host_tools", "firmware", "board")]
    # The stand-in's shoe runs until the very end, after the look for programs that are left; ours sees it then.
    options = [
        "-p",
        "no:left-running",
        "-p",
        "hil_on_stand_in",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "-rs",
        "-k",
        f"not {STORM}",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *some(sorted(map(str, (ROOT / "tests" / "hil").glob("test_*.py")))), *options],
        cwd=ROOT,
        env=surroundings | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-8000:]
    passed = re.search(r"(\d+) passed", said)
    assert passed and int(passed[1]) > LEAST, said[-2000:]
    reasons = [line for line in said.splitlines() if line.startswith("SKIPPED ")]
    assert reasons and all(any(why in line for why in EMULATED) for line in reasons), reasons


def test_a_link_over_an_adapter_stays_at_a_reset(tmp_path: Path) -> None:
    with StandInBench(tmp_path, usb=False) as stand_in:
        shoe = RealShoe(SerialTransport(str(stand_in.link)), Stimulus(stand_in), clock=stand_in)
        Hands(shoe, in_play(shoe), 4).draws(TWOS[1])
        shoe.transport().close()


def test_a_button_that_does_nothing_is_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = bench.shoe()
    at_rest(shoe)
    monkeypatch.setattr(bench.stand_in, "_reset", lambda: None)
    with pytest.raises(StimulusError, match="wired to RUN"):
        shoe.restart()


def double_feed(shoe: RealShoe, client: Client) -> None:
    hands = Hands(shoe, client, 3)
    hands.start()
    hands.pull("double_feed")


def foreign_card(shoe: RealShoe, client: Client) -> None:
    hands = Hands(shoe, client, 3)
    hands.start()
    hands.pull(batch=BATCH + 2)


def scratched_card(shoe: RealShoe, client: Client) -> None:
    Hands(shoe, client, 3).start()
    shoe.draw(0, Item(TWOS[0], BATCH, damaged=True))


def count_under_way(shoe: RealShoe, client: Client) -> None:
    shoe.key(Key.LOAD, 0)
    shoe.draw(0, Item(30, BATCH))
    shoe.key(Key.COUNT, 0)


def half_a_double_shoe(shoe: RealShoe, client: Client) -> None:
    client.config_write({"shoe_kind": ShoeKind.DOUBLE, "decks": 2})
    shoe.key(Key.LOAD, 1)


def reader_test_under_way(shoe: RealShoe, client: Client) -> None:
    client.config_write({"options": READER})
    shoe.key(Key.LOAD, 0)
    shoe.key(Key.READER_TEST, 1)


def reset_under_way(shoe: RealShoe, client: Client) -> None:
    Hands(shoe, client, 3).start()
    shoe.press_reset(wait=False)


def held_key_and_dark_line(shoe: RealShoe, client: Client) -> None:
    Hands(shoe, client, 3).start()
    for place in strokes(Key.DEAL, 0):
        shoe.stimulus.press(place, True)
    shoe.wires.stick(0, 0, True)
    shoe.wait(20.0)


def card_under_way(shoe: RealShoe, client: Client) -> None:
    Hands(shoe, client, 3).start()
    shoe.show(0, [(0, 1), (2_000_000, 3), (2_000_001, 0)])


LEFT = (double_feed, foreign_card, scratched_card, count_under_way, half_a_double_shoe, reader_test_under_way,
        reset_under_way, held_key_and_dark_line, card_under_way)  # fmt: skip


def test_whatever_a_test_has_left_the_next_one_finds_a_shoe_at_rest(bench: Bench) -> None:
    client = at_rest(bench.shoe())
    for leave in LEFT:
        print(leave.__name__)
        before = client.status().shoe
        leave(bench.shoe(), client)
        client = at_rest(bench.shoe())
        status = client.status()
        assert (status.phase, status.fault, status.lamps) == (Phase.EMPTY, 0, 0)
        assert status.shoe == before + 1, "nothing was left to close"
        assert client.config_read() == DEFAULTS
        assert all(entry.fetched for entry in client.history_list() if entry.closed)
    shoe = bench.shoe()
    Hands(shoe, in_play(shoe), 4).draws(TWOS[1])
