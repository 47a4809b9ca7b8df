"""Trouble at the table: power cuts in the middle of a round, an unplugged link, a host that does not listen, noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import live_records
import pytest
from deal_table import Table, difference, records_of, report_of, table
from power_rig import PowerCutError
from sampled import some
from shoesim.dealer_draw import Lamps
from shoesim.piles import Item
from shoesim.scenario import Scenario, run_scenario
from shoetool.link.transport import Disconnected
from shoetool.model.protocol_table import Game, Key, RecordKind, ShoeKind
from word_sizes import AS_ON_THE_CHIP

SHORT = Scenario(decks=1, players=(2, 3), rounds=3, seed=31)


class ShakyShoe:
    """A shoe whose power is cut again and again in the middle of a step.

    After the restart the dealer does what a dealer does: he looks whether the last card or key counted, and repeats
    the step if not. Whether it counted is read off the records: a load counts when the side is loaded, since the end of
    the history before it may have been written alone.
    """

    most = 120  # bytes programmed before the cut

    def __init__(self, shoe: Table, cuts: float) -> None:
        self.shoe = shoe
        self.cuts = 0
        self.chance = cuts
        self.rng = Random(f"cuts {shoe.scenario.seed}")

    def _counted(self, before: int, load: bool) -> bool:
        told = {RecordKind.BOOT, RecordKind.MARGIN}  # of the start, and before a history is closed: steps of their own
        new = {record.kind for record in live_records.records(self.shoe.client, before, idle_s=0.1)} - told
        return RecordKind.LOADED in new if load else bool(new)

    def _step(self, act: Callable[[], None], load: bool = False) -> None:
        rig, client = self.shoe.rig, self.shoe.client
        if self.rng.random() >= self.chance:
            act()
            return
        rig.sync()
        before = client.status().next_record
        rig.cut_power_after(self.rng.randrange(0, self.most))
        try:
            act()
            rig.sync()
            rig.spare_power()
            rig.sync()
        except PowerCutError:
            self.cuts += 1
            rig.restart()
            if not self._counted(before, load):
                act()

    def key(self, key: Key, argument: int = 0) -> None:
        self._step(lambda: self.shoe.rig.key(key, argument), load=key == Key.LOAD)

    def draw(self, head: int, item: Item) -> None:
        self._step(lambda: self.shoe.rig.draw(head, item))

    def peek(self, item: Item) -> None:
        self._step(lambda: self.shoe.rig.peek(item))

    def lamps(self) -> Lamps:
        return self.shoe.rig.lamps()

    def wait(self, seconds: float) -> None:
        self.shoe.rig.wait(seconds)


@pytest.mark.parametrize(
    ("interpreter", "kind", "game"),
    [
        ("amd64", ShoeKind.DOUBLE, Game.BLACKJACK),
        ("i386", ShoeKind.SINGLE, Game.BLACKJACK),
        ("amd64", ShoeKind.SINGLE, Game.SWITCH),
        ("i386", ShoeKind.SINGLE, Game.FROM_THE_HAND),
    ],
)
def test_after_power_cuts_the_game_goes_on_and_the_history_is_whole(
    interpreter: str, kind: ShoeKind, game: Game, tmp_path: Path
) -> None:
    scenario = replace(SHORT, shoe_kind=kind, decks=2, game=game)
    with table(scenario, tmp_path, interpreter) as shoe:
        shaky = ShakyShoe(shoe, 0.4)
        truth = run_scenario(scenario, shaky)
        path = shoe.pull()
    assert shaky.cuts >= 2, "the power was never cut"
    records = records_of(path)
    assert difference(truth, records) is None
    assert [record.number for record in records] == list(range(len(records)))
    assert sum(record.kind == RecordKind.BOOT for record in records) == shaky.cuts + 1
    assert not report_of(path).findings


class CutAtThePeek(ShakyShoe):
    """A shoe whose power is cut only between the card in the reader and the end of its answer."""

    most = 13  # about as many as the record of an answer takes

    def _step(self, act: Callable[[], None], load: bool = False) -> None:
        act()

    def peek(self, item: Item) -> None:
        super()._step(lambda: self.shoe.rig.peek(item))


@pytest.mark.clause("633a.7(h) result")
@pytest.mark.parametrize("seed", some([33, 34]))
def test_power_cuts_between_peek_and_answer_lose_nothing(seed: int, tmp_path: Path) -> None:
    """The answer is recorded or it is asked for again: one to a round, the right one, and no hole card is lost."""
    scenario = replace(SHORT, decks=2, rounds=8, seed=seed)
    with table(scenario, tmp_path) as shoe:
        shaky = CutAtThePeek(shoe, 1.0)
        truth = run_scenario(scenario, shaky)
        path = shoe.pull()
    assert shaky.cuts >= 2, "the power was never cut at a peek"
    records = records_of(path)
    assert difference(truth, records) is None
    answers = [record.values[0] for record in records if record.kind == RecordKind.PEEK]
    assert answers == [answer for _, answer in truth.peeks] and len(answers) >= 2
    assert not report_of(path).findings


class RestartedShoe(ShakyShoe):
    """A shoe that is switched off and on between two steps, again and again over a long shoe."""

    def _step(self, act: Callable[[], None], load: bool = False) -> None:
        if self.rng.random() < self.chance:
            self.shoe.rig.restart()
            self.cuts += 1
        act()


@pytest.mark.parametrize("interpreter", AS_ON_THE_CHIP)
def test_the_firmware_starts_again_anywhere_in_a_long_shoe_in_its_heap(interpreter: str, tmp_path: Path) -> None:
    scenario = Scenario(decks=8, shoe_kind=ShoeKind.DOUBLE, seed=32)
    with table(scenario, tmp_path, interpreter) as shoe:
        restarted = RestartedShoe(shoe, 0.04)
        truth = run_scenario(scenario, restarted)
        path = shoe.pull()
    assert restarted.cuts >= 10, "the shoe was hardly ever switched off"
    assert difference(truth, records_of(path)) is None
    assert not report_of(path).findings


def test_a_link_that_is_unplugged_in_the_middle_of_a_transfer_loses_nothing(tmp_path: Path) -> None:
    with table(replace(SHORT, decks=4, rounds=12), tmp_path) as shoe:
        truth = shoe.deal()
        whole = shoe.pull("whole.shoelog").read_bytes()
        transport = shoe.client.transport
        read, pulled, came, rest = transport.read, [], 0, b""

        def pulled_out(timeout_s: float) -> bytes:
            nonlocal came, rest
            if len(pulled) < 3 and came >= (len(pulled) + 1) * len(whole) // 4:
                pulled.append(came)
                rest = b""  # what was still on the line is lost
                transport.close()
                raise Disconnected("unplugged")
            rest = rest or read(timeout_s)
            part, rest = rest[:64], rest[64:]  # so that a quick line cannot jump over the places to unplug it
            came += len(part)
            return part

        transport.read = pulled_out  # type: ignore[method-assign]
        path = shoe.pull("again.shoelog")
        assert len(pulled) == 3, "the link was never unplugged"
    assert path.read_bytes() == whole
    assert difference(truth, records_of(path)) is None


def test_a_host_that_stops_reading_gets_every_record_later(tmp_path: Path) -> None:
    with table(SHORT, tmp_path, "i386") as shoe:
        live = shoe.client.subscribe(0)
        heard = list(live.poll(1.0))
        truth = shoe.deal()  # nobody reads the port meanwhile: its buffer runs over
        records = records_of(shoe.pull())
        while len(heard) < len(records):
            more = live.poll(5.0)
            assert more, f"only {len(heard)} of {len(records)} records came"
            heard += more
    assert heard == records
    assert difference(truth, records) is None


def test_stray_text_on_the_link_harms_nothing(tmp_path: Path) -> None:
    with table(SHORT, tmp_path) as shoe:
        texts: list[tuple[str, str]] = []
        shoe.client.session.on_text = lambda source, text: texts.append((source, text))
        read, reads = shoe.client.transport.read, count()

        def noisy(timeout_s: float) -> bytes:
            if next(reads) % 3 == 0:
                shoe.rig.send_raw_link(b"\r\nTraceback (most recent call last):\r\n  MemoryError\r\n")
                shoe.client.transport.write(b"AT+GMM\r\n")
            return read(timeout_s)

        shoe.client.transport.read = noisy  # type: ignore[method-assign]
        truth = shoe.deal()
        path = shoe.pull()
    assert any("MemoryError" in text for _, text in texts), "the noise never came through"
    assert difference(truth, records_of(path)) is None
    assert not report_of(path).findings
