"""The panel on a chain of shift registers that behaves as 74HC165s and 74HC595s do."""

from __future__ import annotations

import importlib
import random
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pico import panel_keys as keys
from pico import pins
from shoetool.model.protocol_table import Key, Lamp

PANEL_MD = Path(__file__).resolve().parents[2] / "board" / "pico" / "PANEL.md"


class Chain:
    """`down`: the places whose keys are closed. `shown`: the outputs of the 74HC595s, the nearest one first."""

    def __init__(self) -> None:
        self.down: set[int] = set()
        self.there = True
        self.scans = 0
        self.shown = [0, 0]
        self._stages = [0, 0]
        self._in: list[int] = []
        self._latch = 1

    def latch(self, level: int) -> None:
        if not level:  # 74HC165: parallel load while low
            self._in = [1 - (8 * register + bit in self.down) for register in range(6) for bit in range(7, -1, -1)]
        elif not self._latch:  # 74HC595: outputs follow at the rising edge
            self.shown = list(self._stages)
        self._latch = level

    def transfer(self, out: bytearray, into: bytearray) -> None:
        assert len(out) == len(into)
        assert self._latch, "the 74HC165s load instead of shifting"
        self.scans += 1
        for i in range(len(out)):
            value = 0
            for bit in range(7, -1, -1):
                value = value << 1 | (self._in.pop(0) if self._in and self.there else 1)
                top = self._stages[0] >> 7
                self._stages[0] = self._stages[0] << 1 & 0xFF | out[i] >> bit & 1
                self._stages[1] = self._stages[1] << 1 & 0xFF | top
            into[i] = value


class Desk:
    """A panel, its chain and its time."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, start_ms: int = 0, keys_there: bool = True, timer: bool = True
    ) -> None:
        self.chain = chain = Chain()
        self.ticks: list[tuple[int, Any]] = []  # when the timer is due, and what it calls then
        self.asleep = False  # the main program does nothing: it collects memory
        self.erasing = False  # nor is there an interrupt
        self.ms = start_ms & 0x3FFFFFFF
        self.pulls: dict[int, int] = {}
        desk = self

        class Pin:
            IN, OUT, PULL_UP, PULL_DOWN = 0, 1, 1, 2

            def __init__(self, number: int, mode: int = -1, pull: int = -1, value: int | None = None) -> None:
                self.number = number
                if pull >= 0:
                    desk.pulls[number] = pull
                if value is not None:
                    self.value(value)

            def value(self, level: int) -> None:
                assert self.number == pins.PANEL_LATCH
                chain.latch(level)

        class Spi:
            def __init__(self, n: int, baudrate: int, sck: Pin, mosi: Pin, miso: Pin) -> None:
                assert (n, sck.number, mosi.number, miso.number) == (
                    0, pins.PANEL_CLOCK, pins.PANEL_OUT, pins.PANEL_IN
                )  # fmt: skip
                assert baudrate <= 10_000_000
                self.open = True

            def write_readinto(self, out: bytearray, into: bytearray) -> None:
                assert self.open
                chain.transfer(out, into)

            def deinit(self) -> None:
                self.open = False

        class Timer:
            PERIODIC = 1

            def __init__(self, **wanted: Any) -> None:
                if not timer:
                    raise TypeError("extra keyword arguments given")
                assert wanted["mode"] == self.PERIODIC and wanted["hard"]
                self.period = wanted["period"]
                desk.ticks.append((desk.ms + self.period, wanted["callback"]))

            def deinit(self) -> None:
                desk.ticks.clear()

        machine = ModuleType("machine")
        machine.__dict__.update(Pin=Pin, SPI=Spi, Timer=Timer)
        monkeypatch.setitem(sys.modules, "machine", machine)
        monkeypatch.delitem(sys.modules, "pico.panel", raising=False)
        self.module: Any = importlib.import_module("pico.panel")
        monkeypatch.delitem(sys.modules, "pico.panel")
        self.panel = self.module.Panel(lambda: self.ms, keys_there)
        self.wait(40)

    def wait(self, ms: int) -> None:
        for _ in range(ms):
            self.ms = (self.ms + 1) & 0x3FFFFFFF
            while self.ticks and not self.erasing and (self.ms - self.ticks[0][0]) & 0x3FFFFFFF < 0x20000000:
                due, call = self.ticks.pop()
                self.ticks.append(((due + 4) & 0x3FFFFFFF, call))  # as the SDK: what was missed is made up for at once
                call(None)
            if not self.asleep and not self.erasing:
                self.panel.poll()

    def press(self, *places: int) -> None:
        for place in places:
            self.chain.down.add(place)
            self.wait(20)
            self.chain.down.discard(place)
            self.wait(20)

    def read(self) -> list[tuple[int, int]]:
        got = []
        while (key := self.panel.read_key()) >= 0:
            got.append((key & 0xFF, key >> 8))
        return got


@pytest.fixture(params=[True, False], ids=["timer", "polled"])
def desk(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Desk:
    return Desk(monkeypatch, timer=request.param)


def place(meaning: int) -> int:
    return keys.MEANINGS.index(meaning)


# -------------------------------------------------------------------------------------------------- what keys mean
WIRE_ONLY = (Key.HIT, Key.COUNTDOWN, Key.SELECT)
"""What the terminals of a hybrid table choose, 633c.5(k): no key of the panel has it."""


def test_every_function_of_the_protocol_has_one_place_and_the_chain_is_full_length() -> None:
    assert len(keys.MEANINGS) == 8 * keys.REGISTERS
    functions = [meaning for meaning in keys.MEANINGS if keys.NOTHING < meaning < keys.BOX]
    assert sorted(functions) == sorted(int(key) for key in Key if key not in WIRE_ONLY)
    entered = [meaning for meaning in keys.MEANINGS if meaning >= keys.BOX]
    assert sorted(entered) == [*range(keys.BOX + 1, keys.BOX + 8), *range(keys.SIDE_A, keys.SWITCH_LOCK + 1)]
    assert keys.MEANINGS[keys.LOCK] == keys.SWITCH_LOCK


def test_the_page_for_people_says_the_same_as_the_table_of_places() -> None:
    rows = re.findall(r"^\| (\d)([A-H]) \| `?([a-z_0-9 ]+)`? \|", PANEL_MD.read_text(), re.MULTILINE)
    said = {8 * (int(register) - 1) + "ABCDEFGH".index(pin): name for register, pin, name in rows}
    names = {int(key): key.name.lower() for key in Key}
    names |= {keys.BOX + i: f"position {i}" for i in range(1, 8)}
    names |= {
        keys.SIDE_A: "side a", keys.SIDE_B: "side b", keys.EXPOSED: "exposed", keys.FIRST: "first",
        keys.SECOND: "second", keys.SECOND_HAND: "second hand", keys.CANCEL: "cancel", keys.SWITCH_LOCK: "key switch",
        keys.NOTHING: "spare",
    }  # fmt: skip
    assert {at: name.lower() for at, name in said.items()} == {at: names[m] for at, m in enumerate(keys.MEANINGS)}


@pytest.mark.parametrize(
    "entered, key, argument",
    [
        ((), Key.DEAL, 0),
        ((keys.BOX + 1, keys.BOX + 3, keys.BOX + 7), Key.SEATS, 0b1000101),
        ((keys.BOX + 1, keys.BOX + 3, keys.BOX + 1), Key.SEATS, 0b0000100),  # pressed again: taken back
        ((keys.BOX + 2,), Key.INSURANCE, 0b10),
        ((keys.BOX + 6, keys.BOX + 7), Key.ANTES, 0b1100000),
        ((), Key.SURRENDER, 0),
        ((keys.BOX + 5,), Key.SURRENDER, 5),
        ((keys.BOX + 4, keys.BOX + 2), Key.TURN_UP, 2),  # the last one counts
        ((keys.BOX + 4,), Key.DOUBLE, 0),
        ((), Key.LOAD, 0),
        ((keys.SIDE_B,), Key.LOAD, 1),
        ((keys.SIDE_B, keys.SIDE_A), Key.LOAD, 0),
        ((keys.EXPOSED,), Key.HOLD, 1),
        ((), Key.HOLD, 0),
        ((keys.EXPOSED,), Key.DISCARD, 1),
        ((keys.BOX + 3,), Key.NO_CARD, 3),
        ((keys.FIRST, keys.BOX + 3), Key.NO_CARD, 3 + 16),
        ((keys.BOX + 3, keys.SECOND, keys.SECOND_HAND), Key.NO_CARD, 3 + 32 + 64),
        ((keys.BOX + 6, keys.FIRST, keys.SECOND), Key.MISSED, 6 + 48),
        ((keys.SIDE_B, keys.EXPOSED, keys.SECOND), Key.REVEAL, 0),
    ],
)
def test_what_was_entered_becomes_the_argument(desk: Desk, entered: tuple[int, ...], key: Key, argument: int) -> None:
    desk.press(*(place(meaning) for meaning in entered))
    assert desk.read() == []
    desk.press(place(key))
    assert desk.read() == [(key, argument)]
    desk.press(place(key))
    assert desk.read() == [(key, 0)], "what was entered is used once"


def test_cancel_and_time_forget_what_was_entered(desk: Desk) -> None:
    desk.press(place(keys.BOX + 2), place(keys.CANCEL), place(Key.SURRENDER))
    desk.press(place(keys.BOX + 2))
    desk.wait(9_000)
    desk.press(place(keys.BOX + 3))  # each key begins the time anew
    desk.wait(9_000)
    desk.press(place(Key.SEATS))
    desk.press(place(keys.BOX + 2))
    desk.wait(10_010)
    desk.press(place(Key.SURRENDER))
    assert desk.read() == [(Key.SURRENDER, 0), (Key.SEATS, 0b110), (Key.SURRENDER, 0)]


@pytest.mark.parametrize("function", [m for m in keys.MEANINGS[keys.LOCKED :] if m])
def test_supervisor_functions_are_heard_only_while_the_key_switch_is_turned(desk: Desk, function: int) -> None:
    desk.press(place(keys.BOX + 1), place(function))
    assert desk.read() == []
    desk.chain.down.add(keys.LOCK)
    desk.wait(30)
    desk.press(place(keys.BOX + 1), place(function))
    number = 1 if function in keys.NUMBER else 0
    assert desk.read() == [(function, number)]
    desk.chain.down.discard(keys.LOCK)
    desk.wait(30)
    desk.press(place(function))
    assert desk.read() == []


# ------------------------------------------------------------------------------------------------------- debouncing
def test_a_key_that_bounces_counts_once(desk: Desk) -> None:
    rng = random.Random(11)
    bounced = 0
    for _ in range(100):
        for closed in (True, False):
            for _ in range(rng.randrange(1, 8)):
                bounced += 1
                (desk.chain.down.add if rng.random() < 0.5 else desk.chain.down.discard)(place(Key.NEXT_HAND))
                desk.wait(rng.randrange(1, 3))
            (desk.chain.down.add if closed else desk.chain.down.discard)(place(Key.NEXT_HAND))
            desk.wait(rng.randrange(20, 60))
        assert desk.read() == [(Key.NEXT_HAND, 0)]
    assert bounced > 500


PRESS_MS = 60  # what PANEL.md promises
ERASE_MS = 48
COLLECT_MS = 60


@pytest.mark.parametrize("erasing", [True, False], ids=["erase", "collection"])
def test_a_press_of_sixty_milliseconds_counts_whatever_holds_the_shoe_up(
    monkeypatch: pytest.MonkeyPatch, erasing: bool
) -> None:
    """A stall begins at any millisecond of the press, or the press at any of the stall; it was lost in a collection."""
    desk = Desk(monkeypatch)
    length = ERASE_MS if erasing else COLLECT_MS
    tried = 0
    for offset in range(-length, PRESS_MS):
        for phase in range(4):
            desk.wait(phase)
            edges = sorted([(0, "down"), (PRESS_MS, "up"), (offset, "stall"), (offset + length, "go on")])
            at = edges[0][0]
            for when, what in edges:
                desk.wait(when - at)
                at = when
                if what in ("down", "up"):
                    (desk.chain.down.add if what == "down" else desk.chain.down.discard)(place(Key.DOUBLE))
                else:
                    desk.erasing = what == "stall" and erasing
                    desk.asleep = what == "stall" and not erasing
            desk.wait(40)
            assert desk.read() == [(Key.DOUBLE, 0)], (offset, phase)
            tried += 1
    assert tried == 4 * (length + PRESS_MS)


def test_without_the_interrupt_a_press_of_120_milliseconds_outlasts_an_erase_and_a_collection_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = Desk(monkeypatch, timer=False)
    for awake in range(9):  # between the two; there the main program polls
        for before in range(12):
            desk.chain.down.add(place(Key.DOUBLE))
            start = desk.ms
            desk.wait(before)
            for stall, ms in (("erasing", ERASE_MS), ("asleep", COLLECT_MS)):
                setattr(desk, stall, True)
                desk.wait(ms)
                setattr(desk, stall, False)
                if stall == "erasing":
                    desk.wait(min(awake, 12 - before))
            desk.wait(120 - (desk.ms - start))
            desk.chain.down.clear()
            desk.wait(40)
            assert desk.read() == [(Key.DOUBLE, 0)], (awake, before)


def test_both_presses_of_a_key_count_though_memory_is_collected_all_the_while(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    desk.asleep = True
    desk.press(place(keys.BOX + 2), place(Key.DEAL), place(Key.DEAL))
    desk.asleep = False
    desk.wait(1)
    assert desk.read() == [(Key.DEAL, 0), (Key.DEAL, 0)]


def test_more_changes_than_can_wait_are_no_key_that_nobody_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    desk.asleep = True
    desk.press(*[place(Key.DEAL)] * 9)
    desk.asleep = False
    desk.wait(40)
    assert desk.read() == [(Key.DEAL, 0)] * 4  # eight states were kept, and then the last
    desk.press(place(Key.REVEAL))
    assert desk.read() == [(Key.REVEAL, 0)]


def test_interrupts_that_were_missed_and_come_at_once_make_no_key_of_a_bounce(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    for _ in range(20):
        desk.erasing = True
        desk.wait(ERASE_MS)
        desk.erasing = False
        desk.chain.down.add(place(Key.DEAL))
        desk.wait(3)
        desk.chain.down.discard(place(Key.DEAL))
        desk.wait(40)
    assert desk.read() == []


def test_a_timer_that_has_died_leaves_the_panel_to_the_main_program(desk: Desk) -> None:
    desk.ticks.clear()
    desk.chain.down.add(place(Key.DEAL))
    desk.wait(40)
    assert desk.read() == [(Key.DEAL, 0)]


def test_a_spike_is_no_key(desk: Desk) -> None:
    for ms in (1, 3, 5, 7):
        desk.chain.down.add(place(Key.DEAL))
        desk.wait(ms)
        desk.chain.down.discard(place(Key.DEAL))
        desk.wait(30)
    assert desk.read() == []


def test_a_key_is_read_within_twenty_milliseconds_and_once_however_long_it_is_held(desk: Desk) -> None:
    for _ in range(20):
        desk.chain.down.add(place(Key.DEAL))
        pressed = desk.ms
        while not desk.panel._queued:
            desk.wait(1)
        assert desk.ms - pressed <= 20
        assert desk.read() == [(Key.DEAL, 0)]
        desk.wait(3_000)
        assert desk.read() == []
        desk.chain.down.clear()
        desk.wait(23)


def test_a_key_held_at_the_start_counts_when_it_is_pressed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    chain_down = {place(Key.VOID_ROUND), place(Key.DEAL)}
    original = Chain.__init__

    def held(self: Chain) -> None:
        original(self)
        self.down = set(chain_down)

    monkeypatch.setattr(Chain, "__init__", held)
    desk = Desk(monkeypatch)
    desk.wait(100)
    assert desk.read() == []
    desk.chain.down.clear()
    desk.wait(30)
    desk.press(place(Key.DEAL))
    assert desk.read() == [(Key.DEAL, 0)]


def test_keys_wait_in_their_order_and_those_of_the_ninth_press_are_dropped(desk: Desk) -> None:
    wanted = [Key.DEAL, Key.DOUBLE, Key.SPLIT, Key.REVEAL, Key.END_ROUND, Key.DEAL, Key.DOUBLE, Key.SPLIT]
    desk.press(*(place(key) for key in [*wanted, Key.REVEAL]))
    assert desk.read() == [(key, 0) for key in wanted]


def test_a_wrapped_time_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch, start_ms=-100)
    for _ in range(3):
        desk.press(place(keys.BOX + 3), place(Key.TURN_UP))
    assert desk.read() == [(Key.TURN_UP, 3)] * 3
    assert desk.ms < 1_000


def test_a_panel_that_is_not_there_has_no_pressed_key(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    assert desk.pulls[pins.PANEL_IN] == 1, "an open input must read as no key"
    desk.chain.there = False
    desk.wait(200)
    assert desk.read() == []
    without = Desk(monkeypatch, keys_there=False)
    without.press(place(Key.DEAL))
    assert without.read() == []


# ---------------------------------------------------------------------------------------------------------- outputs
def test_each_lamp_has_its_output_and_is_shown_at_once(desk: Desk) -> None:
    for lamp in Lamp:
        desk.panel.lamp_mask(1 << lamp)
        shown = desk.chain.shown[0] | (desk.chain.shown[1] & 1) << 8
        assert shown == 1 << lamp
    desk.panel.lamp_mask(0)
    assert desk.chain.shown[0] == 0 and not desk.chain.shown[1] & 1


def test_the_select_lines_follow_at_once_and_leave_the_lamps_alone(desk: Desk) -> None:
    desk.panel.lamp_mask(0b1_0101_0101)
    for line in (0, 3, 1, 2, 0):
        desk.panel.select(line)
        assert desk.chain.shown[1] >> 1 & 3 == line
        assert desk.chain.shown[0] == 0b0101_0101 and desk.chain.shown[1] & 1
    desk.panel.select(3)
    desk.panel.lamp_mask(0)
    assert desk.chain.shown[1] >> 1 & 3 == 3


@pytest.mark.parametrize("comes", [True, False])
def test_lamps_that_were_made_ready_are_shown_by_the_latch_alone_and_no_held_key_is_let_go(
    desk: Desk, comes: bool
) -> None:
    desk.panel.lamp_mask(5)
    desk.chain.down.add(place(Key.DEAL))
    desk.wait(30)
    assert desk.read() == [(Key.DEAL, 0)]
    for mask in (0x1F2, 0x0FF, 0x100, 0):
        before = list(desk.chain.shown)
        assert desk.panel.shift(mask)
        assert desk.chain.shown == before
        if comes:
            desk.chain.latch(0)
            desk.chain.latch(1)
            assert desk.chain.shown == [mask & 0xFF, mask >> 8] and not desk.panel.shift(mask)
        else:
            desk.panel.take_back()
        desk.wait(30)
        assert desk.chain.shown == ([mask & 0xFF, mask >> 8] if comes else before), "the scans say the same"
    assert desk.read() == [], "the key is held all the while: one press"


def test_measuring_levels_does_not_shorten_the_time_that_a_key_must_be_held(desk: Desk) -> None:
    desk.chain.down.add(place(Key.DEAL))
    for line in range(40):  # many scans in no time
        desk.panel.select(line & 3)
        assert not desk.panel.poll()
    desk.chain.down.clear()
    desk.wait(40)
    assert desk.read() == []


def test_the_panel_s_own_lamps_say_what_was_entered_and_that_the_switch_is_turned(desk: Desk) -> None:
    desk.press(place(keys.BOX + 1))
    assert desk.chain.shown[1] & 8
    desk.press(place(Key.SEATS))
    assert not desk.chain.shown[1] & 8
    desk.chain.down.add(keys.LOCK)
    desk.wait(30)
    assert desk.chain.shown[1] & 16
    desk.chain.down.clear()
    desk.wait(30)
    assert not desk.chain.shown[1] & 16


def test_lamps_that_do_not_change_cost_no_scan(desk: Desk) -> None:
    desk.panel.lamp_mask(5)
    scans = desk.chain.scans
    for _ in range(100):
        desk.panel.lamp_mask(5)
    assert desk.chain.scans == scans


def test_close_leaves_it_dark(desk: Desk) -> None:
    desk.panel.lamp_mask(0x1FF)
    desk.panel.close()
    assert desk.chain.shown == [0, 0]
    assert not desk.ticks, "the timer would scan a bus that is given back"
