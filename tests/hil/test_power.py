"""Power that fails at seeded random instants, also in the middle of a flash operation; resets; a hanging processor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench import check, connect, fetch, records_since
from rig.emulated import EmulatedShoe, PowerCutError
from rig.flash import PROGRAM_NS
from shoetool.client import Client
from shoetool.model.protocol_table import BootCause, Key, RecordKind
from shoetool.simulate.dealer_draw import Lamps
from shoetool.simulate.scenario import Scenario, run_scenario
from shoetool.simulate.table import Item

SHORT = Scenario(decks=1, players=(2, 2), rounds=1, seed=81, reader=False, count=False)


class ShakyShoe:
    """A shoe that is interrupted in the middle of some of the dealer's steps.

    After it the dealer looks whether the last card or key counted, and repeats it if not, as a dealer does. A load
    counts when the side is loaded, since the end of the history before it may have been written alone.
    """

    def __init__(self, shoe: Any, client: Client, steps: set[int], seed: int) -> None:
        self.shoe = shoe
        self.client = client
        self.steps = steps
        self.step = 0
        self.fired: list[str] = []
        self.rng = Random(f"shaky {seed}")

    def _interrupt(self, act: Callable[[], None]) -> bool:
        """Act, with something in the middle of it; return whether that happened."""
        raise NotImplementedError

    def _act(self, act: Callable[[], None], load: bool = False) -> None:
        self.step += 1
        if self.step not in self.steps:
            act()
            return
        before = self.client.status().next_record
        if not self._interrupt(act):
            return
        self.client.session.identity = None
        self.client.identify()
        new = {record.kind for record in self.client.records(before, idle_s=0.1)} - {RecordKind.BOOT}
        if not (RecordKind.LOADED in new if load else new):
            act()

    def key(self, key: Key, argument: int = 0) -> None:
        self._act(lambda: self.shoe.key(key, argument), key == Key.LOAD)

    def draw(self, head: int, item: Item) -> None:
        self._act(lambda: self.shoe.draw(head, item))

    def peek(self, item: Item) -> None:
        self._act(lambda: self.shoe.peek(item))

    def lamps(self) -> Lamps:
        return self.shoe.lamps()

    def wait(self, seconds: float) -> None:
        self.shoe.wait(seconds)


class CutShoe(ShakyShoe):
    """The power fails at a random instant of the step."""

    def _interrupt(self, act: Callable[[], None]) -> bool:
        self.shoe.cut_power_in(self.rng.uniform(1_000, 250_000))
        try:
            act()
            self.shoe.wait(0.2)
        except PowerCutError as cut:
            self.fired.append(str(cut))
            self.shoe.power_on()
            return True
        self.shoe.spare_power()
        return False


class TornShoe(ShakyShoe):
    """The power fails in the middle of the next flash operation."""

    def _interrupt(self, act: Callable[[], None]) -> bool:
        flash = self.shoe.chip.flash

        def strike(name: str, address: int, size: int) -> None:
            takes = PROGRAM_NS if name == "program" else 45e6
            flash.fails_at = flash.rp2040.clock.nanos + self.rng.uniform(0.05, 0.95) * takes
            flash.on_operation = None

        flash.on_operation = strike
        try:
            act()
            self.shoe.wait(0.3)
        except PowerCutError as cut:
            self.fired.append(str(cut))
            self.shoe.power_on()
            return True
        flash.on_operation = None
        return False


class ResetShoe(ShakyShoe):
    """Somebody presses reset at a random instant of the step."""

    def _interrupt(self, act: Callable[[], None]) -> bool:
        self.shoe.press_reset_in(self.rng.uniform(1_000, 200_000))
        boot = self.shoe.boot
        act()
        self.shoe.wait_ready()
        self.fired.append("reset")
        assert self.shoe.boot == boot + 1
        return True


def shaken(shoe: Any, kind: type[ShakyShoe], steps: set[int], seed: int, path: Path) -> ShakyShoe:
    """Deal a scenario on a shoe that is interrupted in these steps, and check what it says of it."""
    scenario = replace(SHORT, seed=seed)
    print("seed", scenario.seed)
    client = connect(shoe, scenario)
    shaky = kind(shoe, client, steps, scenario.seed)
    truth = run_scenario(scenario, shaky)
    fetch(shoe, client, path)
    records = check(truth, path)
    opened = [record.kind for record in records].index(RecordKind.SHOE_OPENED)
    assert sum(record.kind == RecordKind.BOOT for record in records[opened:]) == len(shaky.fired)
    return shaky


@pytest.mark.parametrize(
    ("kind", "steps", "what"), [(CutShoe, {2, 7}, "power failed"), (TornShoe, {5, 9}, "middle of a flash")]
)
def test_a_step_that_the_power_cuts_is_whole_or_not_there_and_the_game_goes_on(
    emulated: EmulatedShoe, kind: type[ShakyShoe], steps: set[int], what: str, tmp_path: Path
) -> None:
    shaky = shaken(emulated, kind, steps, SHORT.seed + len(what), tmp_path / "shoe.shoelog")
    assert any(what in text for text in shaky.fired), "it never happened"


def test_a_step_that_a_reset_cuts_is_whole_or_not_there_and_the_game_goes_on(shoe: Any, tmp_path: Path) -> None:
    shaky = shaken(shoe, ResetShoe, {6}, SHORT.seed + len("reset"), tmp_path / "shoe.shoelog")
    assert shaky.fired, "it never happened"


def test_a_processor_that_hangs_is_reset_by_the_watchdog_and_the_shoe_says_so(emulated: EmulatedShoe) -> None:
    client = connect(emulated)
    resets = len(emulated.chip.resets)
    began = emulated.now_us
    emulated.chip.hang(12e6)
    emulated.wait_ready(20e6)
    assert len(emulated.chip.resets) == resets + 1 and emulated.chip.reset_kinds[-1] == 1, "the watchdog never bit"
    assert emulated.chip.resets[-1] - began < 9e6
    client.session.identity = None
    client.identify()
    (boot,) = [record for record in client.records(0, idle_s=0.2) if record.kind == RecordKind.BOOT][1:]
    assert boot.get("cause") == BootCause.WATCHDOG


def test_a_reset_by_the_button_is_told_apart_from_it(shoe: Any) -> None:
    before = connect(shoe).status().next_record
    shoe.press_reset()
    records = records_since(connect(shoe), before)
    causes = [record.get("cause") for record in records if record.kind == RecordKind.BOOT]
    # Whether what the chip keeps over a reset outlives this one is the chip's own affair.
    assert len(causes) == 1 and causes[0] in (BootCause.POWER_ON, BootCause.SOFT)
