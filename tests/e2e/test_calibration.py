"""A virtual shoe is calibrated end to end: `shoetool calibrate` over the link, a hand that slides the test card."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import live_records
import numpy as np
import pytest
from click.testing import CliRunner, Result
from head_light import HeadLight
from lit_rig import SLOW, LitRig
from sampled import some
from shoesim.piles import Item
from shoesim.pull import NOMINAL, pull
from shoetool.cli import build, exits
from shoetool.cli.calibration import calibrate_head
from shoetool.client.client import Client
from shoetool.client.requests import Refused
from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import Calibration, Error, Head, Key, Lamp, Margin, Pass, RecordKind
from shoetool.model.records import Record
from shoetool.wire.answers import Levels
from word_sizes import AS_ON_THE_CHIP

T1 = 53
SCHEMAS = Path(__file__).resolve().parents[2] / "host_tools" / "shoetool" / "schemas"


class Hand(threading.Thread):
    """Slides a card past one head again and again with a second in between, as the technician does."""

    def __init__(self, rig: LitRig, head: int, card: int = T1, batch: int = 1) -> None:
        super().__init__(daemon=True)
        self.rig, self.head, self.card, self.batch = rig, head, card, batch
        self.over = threading.Event()
        self.slid = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.over.wait(1.2):
                self.rig.wait(0.3)
                self.rig.slide(self.head, self.card, self.batch, kind="peek" if self.head == Head.READER else "card")
                self.rig.sync()
                self.slid += 1
        except BaseException as error:
            self.error = error

    def __enter__(self) -> Hand:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.join(60)
        assert self.error is None, self.error


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[LitRig]:
    with LitRig(tmp_path / "shoe", interpreter="python", seed=7) as shoe:
        yield shoe


def calibrate(rig: LitRig, *words: str) -> Result:
    return CliRunner().invoke(build(), ["calibrate", "--port", rig.link_path, *words], prog_name="shoetool")


def document(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    jsonschema.validate(found, json.loads((SCHEMAS / "calibrate.schema.json").read_text()))
    return found


def journal(client: Client) -> list[Record]:
    return list(live_records.records(client, 0, idle_s=0.5))


@pytest.mark.parametrize("interpreter", some([*AS_ON_THE_CHIP, "python"]))
def test_a_head_is_calibrated_and_its_threshold_outlives_a_restart(interpreter: str, tmp_path: Path) -> None:
    light = [HeadLight(bright=[9000.0, 11000.0, 12000.0, 10000.0], dark=[47000.0, 45000.0, 46000.0, 44000.0])]
    with LitRig(tmp_path / "shoe", [*light, HeadLight(), HeadLight()], interpreter=interpreter, seed=3) as rig:
        with Hand(rig, Head.SIDE_A) as hand:
            result = calibrate(rig, "--head", "a", "--yes", "--json")
        assert result.exit_code == exits.FINE, result.stderr
        (head,) = document(result)["heads"]
        assert hand.slid >= 2
        assert head["result"] == "calibrated" and abs(head["threshold"] - 28000) < 800 and head["margin"] >= 95
        assert abs(rig.light[0].threshold - head["threshold"]) == 0
        with Client.open(rig.link_path) as client:
            (record,) = [one for one in journal(client) if one.kind == RecordKind.CALIBRATED]
            assert (record.head, record.threshold) == (0, head["threshold"])
        rig.thresholds.clear()
        rig.restart()
        rig.sync()
        assert rig.thresholds == {0: head["threshold"], 1: 32768, 2: 32768}
        assert "threshold" in calibrate(rig, "--show").stdout


def test_a_head_that_sees_dark_everywhere_is_brought_back(rig: LitRig) -> None:
    """Its levels have moved beyond the threshold: nothing of it can be read before it is calibrated."""
    rig.light[1] = HeadLight(bright=[34000.0] * 4, dark=[61000.0] * 4)
    rig.sync()
    rig.wait(16)  # until its fault is told the head may hold a card, and nothing leaves the shoe
    with Client.open(rig.link_path) as client:
        assert rig.light[1].stuck_dark() == 15
        with Hand(rig, Head.SIDE_B, batch=2):
            result = calibrate_open(client, rig, Head.SIDE_B)
    assert result == "calibrated" and rig.light[1].stuck_dark() == 0


def calibrate_open(client: Client, rig: LitRig, head: int) -> str:
    return calibrate_head(client, head, lambda _: True, lambda _: None, lambda _: True).result


def test_the_reader_is_calibrated_with_a_card_slid_in_and_out(rig: LitRig) -> None:
    with Hand(rig, Head.READER):
        result = calibrate(rig, "--head", "reader", "--yes")
    assert result.exit_code == exits.FINE, result.stderr
    assert "The card reader device: threshold" in result.stdout and "was read" in result.stdout


def test_a_card_that_leaves_the_reader_after_the_end_is_recorded_by_nobody(rig: LitRig) -> None:
    """The guide ends at the first pass that is right, which may be the way in. From side A the rest would be told."""

    def ended_within(head: Head, kind: str, part: float) -> None:
        client.calibrate(head, Calibration.BEGIN)
        edges, end_us = pull(T1, 1, head, rig.now_us + 300_000, np.random.default_rng(5), NOMINAL, SLOW, kind=kind)
        before = edges[: int(len(edges) * part)]
        if before:
            rig.feed(head, before, before[-1][0])
            rig.sync()
        client.calibrate(head, Calibration.END)
        rig.feed(head, edges[len(before) :], end_us)
        rig.wait(1.0)
        rig.sync()

    with Client.open(rig.link_path) as client:
        rig.wait(1.0)
        rig.sync()
        first = len(journal(client))
        for kind, part in (("reversed", 0.0), ("peek", 0.5), ("peek", 0.75), ("peek", 0.95)):
            ended_within(Head.READER, kind, part)
        assert len(journal(client)) == first
        ended_within(Head.SIDE_A, "card", 0.75)
        assert [one.kind for one in journal(client)[first:]] == [RecordKind.IRREGULARITY]


def test_a_head_with_too_little_light_keeps_its_threshold(rig: LitRig) -> None:
    rig.light[0].dirt[3] = 0.75
    rig.sync()
    with Hand(rig, Head.SIDE_A):
        result = calibrate(rig, "--head", "a", "--yes", "--json")
    (head,) = document(result)["heads"]
    assert result.exit_code == exits.FINDINGS
    assert (head["result"], head["threshold"], rig.light[0].threshold) == ("weak", 32768, 32768)


def test_what_is_declined_is_not_written(rig: LitRig) -> None:
    with Hand(rig, Head.SIDE_A):
        result = CliRunner().invoke(
            build(), ["calibrate", "--port", rig.link_path, "--head", "a"], input="y\nn\n", prog_name="shoetool"
        )
    assert result.exit_code == exits.FINE and "nothing was changed" in result.stdout
    with Client.open(rig.link_path) as client:
        assert not [one for one in journal(client) if one.kind == RecordKind.CALIBRATED]


def test_it_is_refused_while_a_shoe_is_open_and_ended_by_a_load(rig: LitRig) -> None:
    with Client.open(rig.link_path) as client:
        client.calibrate(0, Calibration.BEGIN)
        client.calibrate(0, Calibration.EMPTY)
        assert client.levels(0).calibrating  # type: ignore[union-attr]
        rig.key(Key.LOAD, 0)
        rig.sync()
        levels = client.levels(0)
        assert levels is not None and not levels.calibrating
        assert all(line.now is None for line in levels.lines)
        for step in Calibration:
            if step not in (Calibration.NONE, Calibration.END):
                with pytest.raises(Refused) as refused:
                    client.calibrate(0, step)
                assert refused.value.code == Error.NOT_ALLOWED_NOW
    result = calibrate(rig, "--head", "a", "--yes")
    assert result.exit_code == exits.DEVICE_OR_LINK and "close the shoe first" in result.stderr
    assert "wait a minute if a calibration was broken off" in result.stderr


def test_a_threshold_is_taken_only_between_what_was_measured(rig: LitRig) -> None:
    with Client.open(rig.link_path) as client:
        client.calibrate(0, Calibration.BEGIN)
        client.calibrate(0, Calibration.EMPTY)
        with pytest.raises(Refused):
            client.calibrate(0, Calibration.SET, 30000)
        client.calibrate(0, Calibration.CARD)
        rig.slide(0, T1, 1)
        rig.sync()
        for threshold in (0, 12500, 51500, 65535):
            with pytest.raises(Refused) as refused:
                client.calibrate(0, Calibration.SET, threshold)
            assert refused.value.code == Error.BAD_VALUE
        client.calibrate(0, Calibration.SET, 31000)
        levels = client.levels(0)
        assert levels is not None and (levels.threshold, levels.passes, levels.kind, levels.card) == (
            31000, 1, Pass.TEST_CARD, T1,
        )  # fmt: skip
        rig.slide(0, 7, 1)
        rig.sync()
        client.calibrate(0, Calibration.CARD)
        rig.slide(0, 7, 1)
        rig.sync()
        levels = client.levels(0)
        assert levels is not None and (levels.kind, levels.card) == (Pass.CARD, 63)  # which card stays secret
        client.calibrate(0, Calibration.END)
        assert not [one for one in journal(client) if one.kind in (RecordKind.CARD, RecordKind.IRREGULARITY)]


def test_a_head_that_nobody_asks_about_goes_back_to_the_table(rig: LitRig) -> None:
    with Client.open(rig.link_path) as client:
        client.calibrate(0, Calibration.BEGIN)
        rig.wait(61)
        rig.sync()
        levels = client.levels(0)
        assert levels is not None and not levels.calibrating


class Person:
    """Answers yes to both questions of a calibration and slides the test card when told to. `thinks` is what they do
    before each answer; `told`, before each slide, says whether there is to be one. Both get how many there were."""

    def __init__(self, rig: LitRig, thinks: Callable[[int], object], told: Callable[[int], bool]) -> None:
        self.rig, self.thinks, self.told = rig, thinks, told
        self.answers = self.slides = 0
        self._sliding: threading.Thread | None = None

    def answer(self, _: str) -> bool:
        self.rest()
        self.thinks(self.answers)
        self.answers += 1
        return True

    def do(self, _: str) -> None:
        self.rest()
        if self.told(self.slides):
            self.slides += 1
            self._sliding = threading.Thread(target=self._slide, daemon=True)
            self._sliding.start()

    def rest(self) -> None:
        """The card is out again: the rig is for one hand at a time."""
        if self._sliding is not None:
            self._sliding.join()

    def _slide(self) -> None:
        self.rig.wait(0.3)
        self.rig.slide(0, T1, 1)
        self.rig.sync()

    def calibrate(self, client: Client) -> str:
        """Side A; how it ended."""
        try:
            return calibrate_head(client, 0, self.answer, self.do, self.answer).result
        finally:
            self.rest()


def at_once(_: int) -> bool:
    """No thought before an answer, no wait before a slide."""
    return True


def test_a_person_may_take_longer_than_the_shoe_waits_for_a_request(
    rig: LitRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = threading.Semaphore(0)
    levels = Client.levels

    def counted(client: Client, head: int) -> Levels | None:
        try:
            return levels(client, head)
        finally:
            asked.release()

    monkeypatch.setattr(Client, "levels", counted)

    def think(_: int) -> None:
        """Two minutes of the shoe's clock, no faster than it is asked."""
        for _ in range(4):
            rig.wait(30)
            rig.sync()
            while asked.acquire(blocking=False):
                pass
            for _ in range(2):  # the first may have been under way
                assert asked.acquire(timeout=20), "nobody asks the shoe while the person thinks"

    with Client.open(rig.link_path) as client:
        assert Person(rig, think, at_once).calibrate(client) == "calibrated"
        assert [one.head for one in journal(client) if one.kind == RecordKind.CALIBRATED] == [0]


@pytest.mark.parametrize(
    ("cause", "slide", "said"),
    [
        ("silence", 0, "since it got no request for a minute; nothing was changed: calibrate this head again"),
        ("silence", 1, "a minute; its new threshold stays, not tried by reading: calibrate this head again"),
        ("restart", 0, "since it restarted; nothing was changed: calibrate this head again"),
        ("load", 0, "since a shoe was loaded; nothing was changed: close that shoe, then calibrate this head again"),
    ],
)
def test_why_the_shoe_ended_a_calibration_is_said_in_a_line(
    rig: LitRig, monkeypatch: pytest.MonkeyPatch, cause: str, slide: int, said: str
) -> None:
    def end(slides: int) -> bool:
        if slides != slide:
            return True
        if cause == "silence":
            rig.wait(61)
        elif cause == "restart":
            rig.restart()
        else:
            rig.key(Key.LOAD, 0)
        rig.sync()
        return False

    monkeypatch.setattr("shoetool.cli.calibrate.say", Person(rig, at_once, end).do)
    result = calibrate(rig, "--head", "a", "--yes")
    assert result.exit_code == exits.DEVICE_OR_LINK
    assert result.stderr.startswith(f"shoetool: {rig.link_path}: the shoe ended the calibration of side A, ")
    assert result.stderr.endswith(f"{said}\n") and result.stderr.count("\n") == 1


def test_a_step_that_comes_after_the_end_says_why_as_well(rig: LitRig) -> None:
    for question in (0, 1):

        def load(answers: int, question: int = question) -> None:
            if answers == question:
                rig.key(Key.LOAD, 0)
                rig.sync()

        with Client.open(rig.link_path) as client:
            why = "of side A, since a shoe was loaded; nothing was changed: close that shoe"
            with pytest.raises(DeviceError, match=why):
                Person(rig, load, at_once).calibrate(client)
        rig.key(Key.CLOSE_SHOE)
        rig.sync()


def test_a_shoe_that_is_open_says_so_before_anybody_cleans_its_throat(rig: LitRig) -> None:
    rig.key(Key.LOAD, 0)
    rig.sync()
    person = Person(rig, at_once, at_once)
    with Client.open(rig.link_path) as client, pytest.raises(DeviceError, match="close the shoe first"):
        person.calibrate(client)
    assert not person.answers


def test_dirt_is_warned_of_shown_and_cleaned(rig: LitRig) -> None:
    """The warning comes while every card is still read, and ends with cleaning."""
    with Client.open(rig.link_path) as client:
        rig.key(Key.LOAD, 0)
        rig.draw(0, Item(5, 1))
        rig.key(Key.SEATS, 1)
        dirt = 0.0
        while not rig.lamps().mask >> Lamp.CLEAN & 1:
            dirt += 0.01
            assert dirt < 0.4
            rig.light[0].dirt = [dirt] * 4
            for _ in range(6):
                rig.wait(1.0)
                rig.sync()
        status = client.status()
        assert status.fault == 0
        levels = client.levels(0)
        assert levels is not None and levels.clean_soon and levels.margin is not None and levels.margin <= 65
        rig.light[0].dirt = [0.0] * 4
        for _ in range(40):
            rig.wait(1.0)
            rig.sync()
        assert not rig.lamps().mask >> Lamp.CLEAN & 1
        rig.key(Key.CLOSE_SHOE)
        rig.sync()
        kinds = [(one.head, one.why) for one in journal(client) if one.kind == RecordKind.MARGIN]
    said = [(0, Margin.CLEAN_SOON), (0, Margin.CLEAN)]
    assert kinds == said + [(head, Margin.SHOE_CLOSED) for head in range(3)]


def test_a_state_of_a_firmware_with_ten_pages_of_store_still_starts(tmp_path: Path) -> None:
    state = tmp_path / "shoe"
    with LitRig(state, interpreter="python") as rig:
        rig.stop()
        store = state / "store.bin"
        store.write_bytes(store.read_bytes()[: 10 * 4096])
        rig.start()
        with Client.open(rig.link_path) as client:
            assert client.status().fault == 0
        assert store.stat().st_size == 12 * 4096


def test_damaged_thresholds_stop_the_game_and_are_said(tmp_path: Path) -> None:
    state = tmp_path / "shoe"
    with LitRig(state, interpreter="python") as rig:
        with Hand(rig, Head.SIDE_A):
            assert calibrate(rig, "--head", "a", "--yes").exit_code == exits.FINE
        rig.stop()
        store = state / "store.bin"
        data = bytearray(store.read_bytes())
        before = bytes(data)
        for page in (10, 11):
            data[page * 4096 + 30] &= 0x5A
        assert bytes(data) != before
        store.write_bytes(data)
        rig.start()
        with Client.open(rig.link_path) as client:
            assert client.status().fault_name == "thresholds_lost"
        assert rig.lamps().mask >> Lamp.STOP & 1


def test_no_such_head_is_said_in_one_line(rig: LitRig) -> None:
    with Client.open(rig.link_path) as client:
        assert client.levels(3) is None
        with pytest.raises(DeviceError):
            client.calibrate(3, Calibration.BEGIN)
