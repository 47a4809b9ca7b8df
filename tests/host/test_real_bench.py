"""What tests/hil does on a real bench, on a stand-in for one: a shoe that each test finds as the last one left it."""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hands import BATCH, TWOS, Hands
from rest import DEFAULTS, at_rest, in_play
from rig.panel import strokes
from rig.real import RealShoe
from rig.stimulus import Stimulus, StimulusError
from shoetool.client import Client
from shoetool.link.serial_port import SerialTransport
from shoetool.model.protocol_table import Key, Phase, ShoeKind
from shoetool.simulate.dealer_draw import READER
from shoetool.simulate.table import Item
from stand_in_bench import StandInBench

sys.path.append(str(Path(__file__).resolve().parents[1]))  # tests/e2e has modules of the same names
MODULES = ("test_deal", "test_passes", "test_power", "test_link")
pytest.register_assert_rewrite(*(f"hil.{name}" for name in MODULES))

from hil import test_deal, test_link, test_passes, test_power  # noqa: E402

STORM = "saturated"  # its edges come faster than a chip takes them, which tells it; this board loses none
FIXTURES = {"shoe": at_rest, "playing": in_play}


class Case(NamedTuple):
    """One test of tests/hil with its parameters."""

    name: str
    test: Any
    parameters: dict[str, Any]
    fixture: str


def cases_of(module: ModuleType) -> Iterator[Case]:
    """Those tests of a module that run on either bench, in their order."""
    for name, test in vars(module).items():
        if not name.startswith("test_") or not callable(test):
            continue
        rows: list[list[dict[str, Any]]] = []
        for mark in getattr(test, "pytestmark", []):
            names = mark.args[0] if isinstance(mark.args[0], tuple) else (mark.args[0],)
            values = [value if len(names) > 1 else (value,) for value in mark.args[1]]
            rows.append([dict(zip(names, value, strict=True)) for value in values])
        asked = set(inspect.signature(test).parameters)
        for row in itertools.product(*rows):
            parameters = {key: value for part in row for key, value in part.items()}
            fixtures = asked - set(parameters) - {"tmp_path"}
            if parameters.get("kind") != STORM and len(fixtures) == 1 and fixtures <= set(FIXTURES):
                yield Case(f"{name} {parameters}", test, parameters, *fixtures)


class Bench:
    """The stand-in with its ports open, as for a session of tests/hil."""

    def __init__(self, stand_in: StandInBench) -> None:
        self.stand_in = stand_in
        self.transport = SerialTransport(str(stand_in.link))
        self.stimulus = Stimulus(stand_in)

    def shoe(self) -> RealShoe:
        """As a test finds it, before the fixtures do anything."""
        return RealShoe(self.transport, self.stimulus, clock=self.stand_in)

    def run(self, case: Case, folder: Path) -> None:
        """Run one test as pytest does."""
        shoe = self.shoe()
        FIXTURES[case.fixture](shoe)
        folder.mkdir()
        files = {"tmp_path": folder} if "tmp_path" in inspect.signature(case.test).parameters else {}
        case.test(**{case.fixture: shoe}, **case.parameters, **files)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with StandInBench(tmp_path) as stand_in:
        found = Bench(stand_in)
        try:
            yield found
        finally:
            found.transport.close()


def test_all_that_runs_on_a_real_bench_passes_one_after_the_other(bench: Bench, tmp_path: Path) -> None:
    cases = [case for module in (test_deal, test_passes, test_power, test_link) for case in cases_of(module)]
    assert {case.fixture for case in cases} == set(FIXTURES) and len(cases) > 30
    for number, case in enumerate(cases):
        print(case.name)
        bench.run(case, tmp_path / str(number))
    assert bench.stand_in.resets >= len(cases)


def test_a_link_over_an_adapter_stays_at_a_reset(tmp_path: Path) -> None:
    with StandInBench(tmp_path, usb=False) as stand_in:
        bench = Bench(stand_in)
        for number, case in enumerate(cases_of(test_power)):
            print(case.name)
            bench.run(case, tmp_path / str(number))
        bench.transport.close()


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
    hands.pull(batch=BATCH + 6)


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
