"""`shoetool doctor --deal` on the chip: its ADC, its heads and its line, with a hand that pulls what is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench import connect, records_since
from click.testing import CliRunner
from rig.emulated import EmulatedShoe
from shoesim.pull import NOMINAL, Profile, pull
from shoetool.cli import build
from shoetool.client.client import Client
from shoetool.model.protocol_table import Head, RecordKind

SEED = 31
SLOW = Profile()
ASKED = re.compile(r"(?P<head>.+), \d+ of \d+: (pull|slide) (?P<what>.+) of batch (?P<batch>\d) face")
HEADS = {"Side A": Head.SIDE_A, "The card reader device": Head.READER}
CARDS = {"a card": 17, "the cover card": 52, "test card T1": 53}


class Hand:
    """Pulls the card that it is told to pull, in simulated time."""

    def __init__(self, shoe: EmulatedShoe) -> None:
        self.shoe = shoe
        self.rng = np.random.default_rng(SEED)
        self.pulled = 0

    def __call__(self, message: str) -> None:
        if asked := ASKED.match(message):
            head, card = HEADS[asked["head"]], CARDS[asked["what"]]
            kind = "peek" if head == Head.READER else "cover" if card == 52 else "card"
            start = self.shoe.now_us + 300_000  # the shoe has been asked for light by then
            changes, end = pull(card, int(asked["batch"]), head, start, self.rng, NOMINAL, SLOW, kind=kind)
            self.shoe.feed(head, changes, end)
            self.shoe.wait(0.2)
            self.pulled += 1


def test_a_test_deal_reads_every_card_and_leaves_no_record(
    emulated: EmulatedShoe, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    print(f"seed {SEED}")
    client = connect(emulated)
    hand = Hand(emulated)

    @contextmanager
    def here(*_: Any, **__: Any) -> Iterator[Client]:
        yield client

    monkeypatch.setattr("shoetool.cli.doctor.connected", here)
    monkeypatch.setattr("shoetool.cli.doctor.say", hand)
    monkeypatch.setattr("shoetool.cli.health.CLOCK_S", 0.01)  # simulated time is not this computer's
    monkeypatch.setattr("shoetool.cli.health.ASKED", 2)
    monkeypatch.setattr("shoetool.cli.trial_deal.TEST_CARDS", (53,))
    monkeypatch.setattr("shoetool.cli.trial_deal.OWN_CARDS", 1)
    before = client.status().next_record
    words = ["doctor", "--deal", "--json", "--keys", str(tmp_path)]
    result = CliRunner().invoke(build(), words, input="y\ny\n", catch_exceptions=False)
    document = json.loads(result.stdout)
    assert [one["result"] for one in document["pulls"]] == ["read"] * 4 and hand.pulled == 4
    assert all(one["volts"] > 0.3 and one["line"] for one in document["pulls"]), document["pulls"]
    found = {one["part"]: one["verdict"] for one in document["parts"]}
    assert found["test deal, side A"] == found["test deal, the card reader device"] == "good", document["parts"]
    assert found["records of the test deal"] == "good"
    assert [one.kind for one in records_since(client, before)] == [RecordKind.SELF_TEST], "of the doctor before it"
