"""`shoetool doctor --deal`: a hand pulls what the command asks for through the heads of a virtual shoe."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import live_records
import pytest
from click.testing import CliRunner, Result
from head_light import HeadLight
from jsonschema import Draft202012Validator
from lit_rig import LitRig
from rich.console import Console
from shoetool.cli import build, exits
from shoetool.cli.doctor import _print_row
from shoetool.cli.trial_deal import plan
from shoetool.client.client import Client
from shoetool.model.protocol_table import Head, Key, RecordKind

HEADS = {"Side A": Head.SIDE_A, "Side B": Head.SIDE_B, "The card reader device": Head.READER}
ASKED = re.compile(r"(?P<head>.+), (?P<number>\d+) of \d+: (pull|slide) (?P<what>.+) of batch (?P<batch>\d) face")
CARDS = {"a card": 17, "the cover card": 52, **{f"test card T{n}": 52 + n for n in range(1, 5)}}
COVER = 52
BLANK = -1

Pulled = tuple[int, int] | None
"""Card and batch that a hand pulls; None: it pulls nothing."""
Deal = Callable[..., Result]


@dataclass
class Hand:
    """Pulls what it is told to. `otherwise(head, times, card, batch)`: what it pulls in place of that, with how often
    this card was asked for."""

    rig: LitRig
    otherwise: Callable[[int, int, int, int], Pulled] = lambda head, times, card, batch: (card, batch)
    told: list[str] = field(default_factory=list)
    _at_work: threading.Thread | None = None

    def __call__(self, message: str) -> None:
        self.rest()
        self.told.append(message)
        if asked := ASKED.match(message):
            times = sum(one == message for one in self.told)
            head = HEADS[asked["head"]]
            pulled = self.otherwise(head, times, CARDS[asked["what"]], int(asked["batch"]))
            if pulled is not None:
                self._at_work = threading.Thread(target=self._pull, args=(head, *pulled), daemon=True)
                self._at_work.start()

    def rest(self) -> None:
        if self._at_work is not None:
            self._at_work.join(60)

    def _pull(self, head: int, card: int, batch: int) -> None:
        kind = "peek" if head == Head.READER else {COVER: "cover", BLANK: "blank"}.get(card, "card")
        # a hand that is faster than the shoe asks for light would be measured too late
        self.rig.wait(0.3)
        self.rig.sync()
        self.rig.slide(head, max(card, 0), batch, kind=kind, sample_s=0.003)
        self.rig.sync()


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LitRig]:
    """A virtual shoe. Its time is not this computer's."""
    monkeypatch.setattr("shoetool.cli.health.CLOCK_S", 0.01)
    monkeypatch.setattr("shoetool.cli.health.ASKED", 1)
    monkeypatch.setattr("shoetool.cli.trial_deal.CLEAR_S", 0.2)
    with LitRig(tmp_path / "shoe", interpreter="python", seed=7) as shoe:
        for _ in Head:  # until the light of every head was measured
            shoe.wait(1.0)
            shoe.sync()
        yield shoe


@pytest.fixture(autouse=True)
def few_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """T1, T2, one card and the cover card through each side: enough for all tests but one."""
    monkeypatch.setattr("shoetool.cli.trial_deal.TEST_CARDS", (53, 54))
    monkeypatch.setattr("shoetool.cli.trial_deal.OWN_CARDS", 1)


@pytest.fixture
def deal(rig: LitRig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Deal:
    def run(hand: Hand, *more: str, answers: str = "y\nn\n") -> Result:
        monkeypatch.setattr("shoetool.cli.doctor.say", hand)
        words = ["doctor", "--port", rig.link_path, "--keys", str(tmp_path / "keys"), "--deal", *more]
        result = CliRunner().invoke(build(), words, input=answers, prog_name="shoetool")
        hand.rest()
        return result

    return run


def document(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / "doctor.schema.json").read_text())
    Draft202012Validator(schema).validate(found)
    return found


def verdicts(result: Result) -> dict[str, dict[str, str]]:
    return {one["part"].removeprefix("test deal, "): one for one in document(result)["parts"]}


def kinds(rig: LitRig) -> list[int]:
    with Client.open(rig.link_path) as client:
        return [one.kind for one in live_records.records(client, 0, idle_s=0.3)]


def test_every_card_is_read_with_its_margin_and_no_history_is_made(
    rig: LitRig, deal: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoetool.cli.trial_deal.TEST_CARDS", (53, 54, 55, 56))
    monkeypatch.setattr("shoetool.cli.trial_deal.OWN_CARDS", 2)
    before, thresholds = kinds(rig), dict(rig.thresholds)
    result = deal(Hand(rig), "--json", answers="y\ny\n")
    pulls = document(result)["pulls"]
    asked = ["test card T1", "test card T2", "test card T3", "test card T4", "a card", "a card", "the cover card"]
    assert [one["asked"] for one in pulls if one["side"] == "A"] == [f"{what} of batch 1" for what in asked]
    assert [one["asked"] for one in pulls if one["side"] == "reader"] == ["test card T1 of batch 1"]
    assert all(one["result"] == "read" and one["margin"] > 80 and one["line"] for one in pulls), pulls
    found = verdicts(result)
    for name in ("side A", "the card reader device", "records of the test deal"):
        assert found[name]["verdict"] == "good", found
    new = kinds(rig)[len(before) :]
    assert RecordKind.CARD not in new and RecordKind.SHOE_OPENED not in new and rig.thresholds == thresholds


def test_a_wrong_card_is_told_and_asked_for_again(rig: LitRig, deal: Deal) -> None:
    def swapped(head: int, times: int, card: int, batch: int) -> Pulled:
        if head == Head.SIDE_A and times == 1:
            return {54: (53, batch), 17: (COVER, batch), COVER: (3, batch)}.get(card, (card, batch))
        return card, batch

    result = deal(Hand(rig, swapped))
    assert re.search(r"wrong +side A +test card T2 of batch 1: test card T1 was read; margin \d+ %", result.stdout)
    assert re.search(r"wrong +side A +a card of batch 1: the cover card was read", result.stdout)
    assert re.search(r"wrong +side A +the cover card of batch 1: a card of the 52 was read", result.stdout)
    assert re.search(r"look +test deal, side A +4 cards read.*; 3 times not at once\n +look at those", result.stdout)
    assert not any(name in result.output for name in ("5♣", "4♣", "5♦", "4♦")), "no face of the 52 is told"


def test_a_card_that_is_never_the_one_that_was_asked_for_is_bad(rig: LitRig, deal: Deal) -> None:
    """The shoe cannot tell a wrong card from a head that misreads: the person must look."""
    hand = Hand(rig, lambda head, times, card, batch: (56 if card == 54 else card, batch))
    found = verdicts(deal(hand, "--json"))["side A"]
    assert found["verdict"] == "bad" and "1 of 4 cards read" in found["said"] and "look at that card" in found["act"]


def test_cards_of_another_batch_leave_the_head_untried(rig: LitRig, deal: Deal) -> None:
    found = deal(Hand(rig, lambda head, times, card, batch: (card, 3)), "--json")
    side = verdicts(found)["side A"]
    assert side["verdict"] == "not known" and "another batch than 1" in side["said"] and "configure" in side["act"]
    assert [one["result"] for one in document(found)["pulls"] if one["side"] == "A"] == ["foreign"] * 3


def test_a_card_of_another_batch_that_came_first_is_told_too(rig: LitRig, deal: Deal) -> None:
    """A head that misreads the batch says the same: not every card was read at once."""
    hand = Hand(rig, lambda head, times, card, batch: (card, 3 if times == 1 and card == 54 else batch))
    side = verdicts(deal(hand, "--json"))["side A"]
    assert side["verdict"] == "look" and "1 time not at once" in side["said"], side
    assert "of the batch that was asked for" in side["act"]


def test_a_head_that_is_dirty_is_told_by_its_margin_before_it_fails(rig: LitRig, deal: Deal) -> None:
    rig.light[0] = HeadLight(dirt=[0.0, 0.0, 0.0, 0.3])
    rig.sync()
    result = deal(Hand(rig), "--json")
    side = verdicts(result)["side A"]
    assert side["verdict"] == "look" and "on DATA" in side["said"] and "clean the head" in side["act"], side
    assert all(
        one["result"] == "read" and one["margin"] <= 65 for one in document(result)["pulls"] if one["side"] == "A"
    )


def test_a_line_that_is_always_dark_is_bad(rig: LitRig, deal: Deal) -> None:
    rig.light[0] = HeadLight(dirt=[0.0, 0.0, 0.0, 0.75])
    rig.sync()
    result = deal(Hand(rig), "--json")
    side = verdicts(result)["side A"]
    assert side["verdict"] == "bad" and "DATA dark" in side["said"] and "clean the head" in side["act"]
    assert document(result)["verdict"] == "bad" and result.exit_code == exits.FINDINGS
    assert verdicts(result)["the card reader device"]["said"] == "its throat is not empty", (
        "the others are asked for too"
    )


def test_when_nobody_pulls_the_heads_that_are_left_are_not_asked_for(
    rig: LitRig, deal: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoetool.cli.calibration.PATIENCE_S", 0.4)
    hand = Hand(rig, lambda head, times, card, batch: None)
    found = verdicts(deal(hand, "--json"))
    assert (found["side A"]["verdict"], found["side A"]["said"]) == ("not known", "no card came for 0 s")
    assert found["the card reader device"]["said"] == "not begun, since no card came for 0 s at side A"
    assert sum("1 of" in one for one in hand.told) == 1


def test_a_card_through_another_head_is_recorded_and_told(rig: LitRig, deal: Deal) -> None:
    astray = []

    def both(head: int, times: int, card: int, batch: int) -> Pulled:
        if not astray:
            astray.append(rig.slide(Head.READER, 53, 1, kind="peek", sample_s=0.01))
            astray.append(rig.slide(Head.SIDE_B, 53, 1, sample_s=0.01))
            rig.sync()
        return card, batch

    found = verdicts(deal(Hand(rig, both), "--json"))["records of the test deal"]
    assert found["verdict"] == "look" and "record" in found["said"] and "surveillance" in found["act"]


def test_a_shoe_that_is_open_is_not_touched(rig: LitRig, deal: Deal) -> None:
    rig.key(Key.LOAD, 0)
    rig.sync()
    found = verdicts(deal(Hand(rig), "--json"))["side A"]
    assert found["verdict"] == "not known" and "while a shoe is open" in found["said"]
    assert found["act"].startswith("close the shoe first")


def test_a_head_that_reads_no_code_is_bad(rig: LitRig, deal: Deal) -> None:
    """As a head does whose card shows its back to it."""
    hand = Hand(rig, lambda head, times, card, batch: (BLANK if head == Head.SIDE_A else card, batch))
    result = deal(hand, "--json")
    side = verdicts(result)["side A"]
    assert side["verdict"] == "bad" and "0 of 4 cards read" in side["said"] and "clean the head" in side["act"]
    assert "it shows no code" in document(result)["pulls"][0]["said"]


def test_a_provisioned_shoe_needs_its_key_and_its_uses_are_told(rig: LitRig, deal: Deal, tmp_path: Path) -> None:
    key = str(tmp_path / "table.shoekey")
    provision = ["provision", "--port", rig.link_path, "--out", key, "--height", "5", "--yes"]
    assert CliRunner().invoke(build(), provision).exit_code == exits.FINE
    hand = Hand(rig)
    (without,) = (one for one in document(deal(hand, "--json"))["parts"] if one["part"].startswith("test deal"))
    assert without["verdict"] == "not known" and "name the key file with --key" in without["said"]
    assert not any(map(ASKED.match, hand.told)), "no card is asked for"
    found = verdicts(deal(Hand(rig), "--json", "--key", key))
    assert found["side A"]["verdict"] == "good" and found["self-test"]["verdict"] == "not known"
    # for each head begin and end, and for each card of the first two steps
    assert found["records of the test deal"]["said"] == "none but 12 uses of the command key"


def test_ctrl_c_gives_the_head_back_to_the_table(rig: LitRig, deal: Deal) -> None:
    def stop(head: int, times: int, card: int, batch: int) -> Pulled:
        if card == 54:
            raise KeyboardInterrupt
        return card, batch

    hand = Hand(rig, stop)
    result = deal(hand)
    assert result.exit_code == exits.INTERRUPTED and "the head is the table's again" in hand.told[-1]
    assert "test card T1 of batch 1" in result.stdout, "what was read stays"
    with Client.open(rig.link_path) as client:
        levels = client.levels(Head.SIDE_A)
        assert levels is not None and not levels.calibrating


def test_without_an_answer_nothing_is_dealt(rig: LitRig, deal: Deal) -> None:
    hand = Hand(rig)
    result = deal(hand, answers="")
    assert result.exit_code == exits.INTERRUPTED and "the head is the table's again" in hand.told[-1]
    assert not any("1 of" in one for one in hand.told)
    with Client.open(rig.link_path) as client:
        levels = client.levels(Head.SIDE_A)
        assert levels is not None and not levels.calibrating


def test_on_a_narrow_terminal_every_verdict_can_be_read_and_ctrl_c_ends_it(rig: LitRig, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 60, 0, 0))
    command = [sys.executable, "-m", "shoetool", "doctor", "--deal", "--port", rig.link_path]
    of_the_tests = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment = {**of_the_tests, "TERM": "xterm-256color", "NO_COLOR": "1", "SHOETOOL_KEYS": str(tmp_path / "keys")}
    hand = Hand(rig)
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment) as program:
        os.close(slave)
        seen = ""

        def until(words: str) -> None:
            nonlocal seen
            ends = time.monotonic() + 60
            while words not in seen:
                assert time.monotonic() < ends, f"{words!r} is not in {seen!r}"
                if select.select([master], [], [], 0.1)[0]:
                    seen += os.read(master, 65536).decode().replace("\r", "")

        until("in it or before it? [y/N]:")
        os.write(master, b"y\n")
        until("1 of 7: pull")
        hand("Side A, 1 of 7: pull test card T1 of batch 1 face down")
        until("2 of 7: pull")
        hand.rest()
        program.send_signal(signal.SIGINT)
        until("the table's again")
        assert program.wait(30) == exits.INTERRUPTED
    os.close(master)
    results = [line for line in seen.splitlines() if not line.startswith("shoetool: ")]
    assert "read      side A" in results, seen
    assert any(re.match(r" {10}test card T1 of batch 1: margin \d+ %", line) for line in results)
    assert [line for line in results if "[y/N]" not in line and len(line) > 60] == []


def test_a_name_that_is_too_long_pushes_no_sentence_out_of_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Console(width=100, file=io.StringIO(), force_terminal=True, color_system=None)
    monkeypatch.setattr("shoetool.cli.doctor.console", lambda: shown)
    for name in ("test deal, side A", "test deal, the card reader device"):
        _print_row("good", "green", name, "1 card read")
    assert shown.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "good      test deal, side A           1 card read",
        "good      test deal, the card reader device",
        "                                      1 card read",
    ]


def test_each_side_is_asked_for_cards_of_its_own_batch() -> None:
    for head, batch in ((Head.SIDE_A, 3), (Head.SIDE_B, 4), (Head.READER, 3)):
        assert {one.batch for one in plan(head, (3, 4))} == {batch}
    assert len(plan(Head.SIDE_A, (1, 2))) == 4 and len(plan(Head.READER, (1, 2))) == 1
