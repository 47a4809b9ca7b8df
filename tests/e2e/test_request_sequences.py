"""Random sequences of all requests in a small heap: every one is answered, and afterwards each of them still works."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from deal_table import Table, difference, records_of, table
from request_draws import MAY_REFUSE, Answer, Requests, names
from sampled import SOAK
from shoesim import rig as rigs
from shoesim.dealer_draw import Lamps
from shoesim.piles import Item
from shoesim.rig import Rig
from shoesim.scenario import Scenario, run_scenario
from shoetool.cli import build
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.model.protocol_table import Error, FaultCode, Key, MessageKind, Phase

SEED = int(os.environ.get("SEED", "1"))
SEQUENCES = 40 if SOAK else 2
LENGTH = 40
ROUNDS = 6
# The virtual board has more to hold than a Pico: this is what its shoe needs on words of either size, and no more.
RUNS = [(word, seed) for word in ("amd64", "i386") for seed in range(SEED, SEED + SEQUENCES)]


def requests_of(rig: Rig, client: Client, seed: int) -> Requests:
    """Who asks the shoe of `rig` on the line of `client`."""
    session = client.session

    def ask(kind: int, payload: bytes) -> Answer:
        if kind == MessageKind.IDENTIFY:
            session.connect()
            return Answer(None, 0, b"")
        try:
            return Answer(None, 0, session.call(kind, payload))
        except Refused as refused:
            return Answer(refused.code, refused.detail, b"")

    def wait() -> None:
        rig.wait(31)
        rig.sync()

    device = client.identify().device
    return Requests(ask, lambda: (session.epoch, session.number), device, seed, wait, 5)


def check(rig: Rig, client: Client, requests: Requests, where: str) -> None:
    """Every request still works, none found no memory, and the shoe had no error."""
    for name, answer in requests.asked:
        assert answer.error not in (Error.NO_MEMORY, Error.FAILED), f"{where}: {name} {answer}"
    for name, answer in requests.every().items():
        assert answer.error is None or answer.error in MAY_REFUSE.get(name, ()), f"{where}: {name} {answer}"
    assert client.status().fault != FaultCode.INTERNAL, where
    assert not rig.log_path.read_text(), where


def between_rounds(rig: Rig) -> None:
    """Bring the table to where no round is open, whatever was pressed."""
    for key in (Key.SUPERVISOR, Key.VOID_ROUND, Key.END_ROUND, Key.CLOSE_SHOE):
        rig.key(key, 0)
        rig.sync()


@pytest.mark.parametrize(("interpreter", "seed"), RUNS)
def test_after_any_sequence_of_requests_each_of_them_works(interpreter: str, seed: int, tmp_path: Path) -> None:
    print("seed", seed)
    with Rig(tmp_path / "state", interpreter=interpreter) as rig, Client.open(rig.link_path) as client:
        requests = requests_of(rig, client, seed)
        requests.some(LENGTH)
        for key in (Key.LOAD, Key.CLOSE_SHOE):
            between_rounds(rig)
            rig.key(key, 0)
        rig.sync()
        if not requests.secret:
            assert requests.one("provision", True).error is None
        check(rig, client, requests, f"{interpreter}, seed {seed}")
        assert {name for name, _ in requests.asked} == set(names())


class AskedTable:
    """A shoe whose host asks for anything after each round that is dealt."""

    def __init__(self, shoe: Table, requests: Requests) -> None:
        self.shoe = shoe
        self.requests = requests
        self.rounds = 0

    def key(self, key: Key, argument: int = 0) -> None:
        self.shoe.rig.key(key, argument)
        if key == Key.END_ROUND:
            self.rounds += 1
            self.shoe.rig.sync()
            if self.shoe.client.status().phase == Phase.READY:
                self.requests.some(LENGTH // 4)

    def draw(self, head: int, item: Item) -> None:
        self.shoe.rig.draw(head, item)

    def peek(self, item: Item) -> None:
        self.shoe.rig.peek(item)

    def lamps(self) -> Lamps:
        return self.shoe.rig.lamps()

    def wait(self, seconds: float) -> None:
        self.shoe.rig.wait(seconds)


@pytest.mark.parametrize(("interpreter", "seed"), RUNS[:: 1 if SOAK else SEQUENCES])
def test_cards_between_the_requests_are_dealt_as_ever(interpreter: str, seed: int, tmp_path: Path) -> None:
    scenario = Scenario(decks=6, seed=seed, players=(3, 7), rounds=ROUNDS)
    with table(scenario, tmp_path, interpreter) as shoe:
        requests = requests_of(shoe.rig, shoe.client, seed)
        requests.calm = True
        asked = AskedTable(shoe, requests)
        truth = run_scenario(scenario, asked)
        records = records_of(shoe.pull())
        assert asked.rounds >= ROUNDS and len(requests.asked) >= LENGTH
        assert difference(truth, records) is None
        between_rounds(shoe.rig)
        if not requests.secret:
            assert requests.one("provision", True).error is None
        check(shoe.rig, shoe.client, requests, f"{interpreter}, seed {seed}")


@pytest.fixture(params=["amd64", "i386"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "state", interpreter=request.param) as rig:
        yield rig


def test_a_shoe_on_the_desk_is_provisioned_after_info(rig: Rig, tmp_path: Path) -> None:
    """README's order: `simulate --serve`, `info`, then `provision`. It ended the shoe on 64 bits, 8 of 8 times."""
    runner = CliRunner(env={"SHOETOOL_PORT": rig.link_path, "SHOETOOL_KEY": ""})
    words = ["provision", "--yes", "--height", "5", "--out", str(tmp_path / "one.shoekey")]
    for command in (["info"], words, ["info"], words):  # the same command again finds that it is done
        done = runner.invoke(build(), command)
        assert done.exit_code == 0, done.output
    assert "need the key" in runner.invoke(build(), ["info"]).output
    assert not rig.log_path.read_text()


def test_the_heap_of_a_virtual_shoe_is_no_larger_than_needed() -> None:
    """Raised without a word, the tests above would prove nothing."""
    assert rigs.HEAPS == {"amd64": "304k", "i386": "213k"}
