"""Power that fails at seeded random instants, also in the middle of a flash operation; resets; a hanging processor."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench import check, connect, fetch, records_since
from hands import TWOS, Hands
from rig import files, uf2
from rig.emulated import EmulatedShoe, PowerCutError
from rig.flash import PROGRAM_NS
from shoesim.dealer_draw import Lamps
from shoesim.piles import Item
from shoesim.scenario import Scenario, run_scenario
from shoetool.client.client import Client
from shoetool.model.protocol_table import BootCause, Key, RecordKind

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
        new = {record.kind for record in records_since(self.client, before)} - {RecordKind.BOOT}
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


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("kind", "what"), [(CutShoe, "power failed"), (TornShoe, "middle of a flash")])
def test_steps_that_the_power_cuts_are_done_again_and_the_game_goes_on(
    emulated: EmulatedShoe, kind: type[ShakyShoe], what: str, seed: int, tmp_path: Path
) -> None:
    """Five of the first fourteen steps of a round, others with each seed."""
    steps = set(Random(f"steps {seed}").sample(range(1, 15), 5))
    shaky = shaken(emulated, kind, steps, SHORT.seed + seed, tmp_path / "shoe.shoelog")
    assert sum(what in text for text in shaky.fired) >= 2, f"it hardly happened: {shaky.fired}"
    assert not emulated.chip.flash.misused


# ----------------------------------------------------------------------------------------- a step, record by record

# What is done, in which of its programs it is cut off, and with which seeds.
CUTS = [("reveal", nth, seed) for nth in (0, 1) for seed in (1, 2)] + [("card", 0, seed) for seed in (1, 2, 3, 4)]
Cut = tuple[str, int, int]
KINDS = {"reveal": [RecordKind.REVEALED, RecordKind.OPENED], "card": [RecordKind.CARD]}


def forked(act: Callable[[], Any]) -> Any:
    """What `act` returns in a fork, of which nothing else is left; what it raises is raised here."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            try:
                outcome = (True, act())
            except BaseException as error:
                outcome = (False, f"{type(error).__name__}: {error}")
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(outcome, pipe)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        good, value = pickle.load(pipe)
    os.waitpid(child, 0)
    if not good:
        raise AssertionError(value)
    return value


def step(hands: Hands, what: str, cut: Cut | None) -> list[tuple[int, Any]]:
    """Do a step, with the power cut within a record of it; return what a start then says of it (kind, fields).

    To turn the hole card makes two records, that it was turned and which card it is.
    """
    shoe, client = hands.shoe, hands.client
    before = client.status().next_record
    flash = shoe.chip.flash

    def act() -> None:
        if what == "card":
            hands.pull(card=TWOS[2])
        else:
            shoe.key(Key.REVEAL)
        shoe.wait(0.3)

    if cut is None:
        act()
        shoe.restart()
    else:
        random = Random(f"cut {cut}")
        left = [cut[1]]

        def strike(name: str, address: int, size: int) -> None:
            if not left[0]:
                assert name == "program"
                meant = [at for at, byte in enumerate(flash.data) if byte != 0xFF]
                place = random.randrange(meant[0] + 2, meant[-1]) + 0.5  # behind length and kind
                flash.fails_at = flash.rp2040.clock.nanos + place / size * PROGRAM_NS
            left[0] -= 1

        flash.on_operation = strike
        with pytest.raises(PowerCutError, match="middle of a flash program"):
            act()
        shoe.power_on()
    client.session.identity = None
    client.identify()
    records = [record for record in records_since(client, before) if record.kind != RecordKind.BOOT]
    return [(record.kind, record.values) for record in records]


def what_is_wrong(shoe: EmulatedShoe) -> list[str]:
    """Cut steps in each of their programs, within a record; return those that are there in part, or wrong."""
    hands = Hands(shoe, connect(shoe), 2)
    wrong: list[str] = []
    for what, kinds in KINDS.items():
        wrong += forked(lambda what=what, kinds=kinds: outcomes(hands, what, kinds))
    return wrong


def outcomes(hands: Hands, what: str, kinds: list[RecordKind]) -> list[str]:
    """The same of one kind of step."""
    if what == "reveal":
        hands.shoe.key(Key.NEXT_HAND)
    hands.shoe.wait(0.6)
    whole = forked(lambda: step(hands, what, None))
    assert [kind for kind, _ in whole] == kinds
    wrong = []
    for cut in (one for one in CUTS if one[0] == what):
        try:
            found = forked(lambda cut=cut: step(hands, what, cut))
        except AssertionError as error:
            wrong.append(f"{cut}: {error}")
            continue
        if found not in ([], whole):
            wrong.append(f"{cut}: {found}")
    return wrong


def test_a_step_that_is_cut_within_a_record_is_there_whole_or_not_at_all(
    only_emulated: None, booted_in_play: EmulatedShoe
) -> None:
    assert what_is_wrong(booted_in_play) == []


BUGS = {
    "the records of a step programmed first to last": (
        "shoe.journal.journal",
        """        position = stop
        for i in range(end - 1, start - 1, -1):
            event = events[i]
            kind = event[0]
            n = pack_record(self._buf, self.next_record + i - start, ticks_ms, kind, RECORD_FORMATS[kind], event[1:])
            position -= n
            self._program(index, position, view[:n])
""",
        """        position = at
        for i in range(start, end):
            event = events[i]
            kind = event[0]
            n = pack_record(self._buf, self.next_record + i - start, ticks_ms, kind, RECORD_FORMATS[kind], event[1:])
            self._program(index, position, view[:n])
            position += n
""",
    ),
    "a torn step taken as whole": (
        "shoe.journal.cursor",
        "if binascii.crc32(self._view[place:end]) != WHOLE:",
        "if binascii.crc32(self._view[place:end]) != WHOLE and buf[place + _NUMBER] > 200:",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_the_test_before_this_one_finds(bug: str, only_emulated: None, slots: uf2.Firmware, tmp_path: Path) -> None:
    """A bug of this kind is planted in the firmware, which is then cut in the same way."""
    wrong = files.planted(*BUGS[bug], tmp_path)
    shoe = EmulatedShoe(files.flash_of(slots, more=wrong), seed=2)
    shoe.power_on()
    Hands(shoe, connect(shoe), 2).start()
    found = what_is_wrong(shoe)
    print("\n".join(found))
    assert len(found) >= 2


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
    (boot,) = [record for record in records_since(client, 0) if record.kind == RecordKind.BOOT][1:]
    assert boot.get("cause") == BootCause.WATCHDOG


def test_a_reset_by_the_button_is_told_apart_from_it(shoe: Any) -> None:
    before = connect(shoe).status().next_record
    shoe.press_reset()
    records = records_since(connect(shoe), before)
    causes = [record.get("cause") for record in records if record.kind == RecordKind.BOOT]
    # Whether what the chip keeps over a reset outlives this one is the chip's own affair.
    assert len(causes) == 1 and causes[0] in (BootCause.POWER_ON, BootCause.SOFT)
