"""The programs of board/bringup on a model of the controller board: pins, lamps and keys, and what the page prints."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from bringup_page import commands
from pico import panel_keys, pins
from shoetool.model.protocol_table import Lamp
from wiring.data import load

FOLDER = Path(__file__).resolve().parents[2] / "board" / "bringup"
BRIGHT, DARK = 12000, 52000


class Board:
    """Pins, converter, PWM and the panel's chain. `events` happen at their ms; a look after the last one ends it."""

    def __init__(self) -> None:
        self.ms = 0
        self.levels: dict[int, int] = {}  # of output pins
        self.released: list[tuple[int, int]] = []  # (ms, level) of the card stop
        self.thresholds: dict[int, tuple[int, int]] = {}
        self.heads = [[False] * 4 for _ in range(3)]  # dark
        self.keys = bytearray(b"\xff" * panel_keys.REGISTERS)
        self.shown: list[tuple[int, int]] = []  # lamps and select bits, as they change
        self.events: list[tuple[int, Callable[[], None]]] = []
        self._shifted = bytes(8)
        self._taken = bytes(panel_keys.REGISTERS)

    # ------------------------------------------------------------------------------------------- MicroPython
    def modules(self) -> dict[str, Any]:
        board = self
        first = {pins.HEAD_A: 0, pins.HEAD_B: 1, pins.HEAD_READER: 2}
        lines = {pin + i: (head, i) for pin, head in first.items() for i in range(4)}
        inputs = {pins.LEVEL_A: 0, pins.LEVEL_B: 1, pins.LEVEL_READER: 2}

        class Pin:
            IN, OUT, PULL_UP, PULL_DOWN = range(4)

            def __init__(self, number: int, mode: int = -1, pull: int = -1, value: int | None = None) -> None:
                self.number = number
                if value is not None:
                    self.value(value)

            def value(self, level: int | None = None) -> int:
                if level is None:
                    head, line = lines[self.number]
                    return int(board.heads[head][line])
                if self.number == pins.PANEL_LATCH:
                    board.latch(level)
                if self.number == pins.CARD_STOP:
                    board.released.append((board.ms, level))
                board.levels[self.number] = level
                return level

        class PWM:
            def __init__(self, pin: Pin, freq: int, duty_u16: int) -> None:
                board.thresholds[pin.number] = (freq, duty_u16)

        class ADC:
            def __init__(self, pin: Pin) -> None:
                self._head = inputs[pin.number]

            def read_u16(self) -> int:
                return DARK if board.heads[self._head][board.shown[-1][0] >> 1 & 3] else BRIGHT

        class SPI:
            def __init__(self, number: int, baudrate: int, sck: Pin, mosi: Pin, miso: Pin) -> None:
                assert number == 0 and baudrate <= 1_000_000
                assert (sck.number, mosi.number, miso.number) == (pins.PANEL_CLOCK, pins.PANEL_OUT, pins.PANEL_IN)

            def write(self, data: bytes) -> None:
                board._shifted += data

            def write_readinto(self, data: bytes, into: bytearray) -> None:
                board._shifted += data
                into[:] = board._taken

        clock = SimpleNamespace(
            ticks_ms=lambda: self.ms, ticks_diff=lambda a, b: a - b, sleep_ms=self.sleep_ms,
            sleep=lambda seconds: self.sleep_ms(1000 * seconds),
        )  # fmt: skip
        return {"machine": SimpleNamespace(Pin=Pin, PWM=PWM, ADC=ADC, SPI=SPI), "time": clock}

    def latch(self, level: int) -> None:
        if level:  # the rise shows the last two bytes: the one that was shifted last is next to the Pico
            self.shown.append((self._shifted[-2], self._shifted[-1]))
        else:
            self._taken = bytes(self.keys)

    def sleep_ms(self, ms: int) -> None:
        self.ms += ms
        while self.events and self.events[0][0] <= self.ms:
            self.events.pop(0)[1]()

    # ------------------------------------------------------------------------------------------- hands
    def at(self, ms: int, happens: Callable[[], None]) -> None:
        self.events.append((ms, happens))

    def press(self, place: int, down: bool) -> None:
        register, bit = divmod(place, 8)
        self.keys[register] = self.keys[register] & ~(1 << bit) & 0xFF | (0 if down else 1 << bit)

    def cover(self, head: int, *dark: int) -> None:
        self.heads[head] = [line in dark for line in range(4)]


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def run(board: Board, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Run a program of the folder; return what it printed. Ctrl-C ends it where it would go on for ever."""

    def stop() -> None:
        raise KeyboardInterrupt

    def running(name: str) -> str:
        if board.events:
            board.at(board.events[-1][0] + 2000, stop)
        for module, content in board.modules().items():
            made = ModuleType(module)
            made.__dict__.update(vars(content))
            monkeypatch.setitem(sys.modules, module, made)
        try:
            exec(compile((FOLDER / name).read_text(encoding="utf-8"), name, "exec"), {"__name__": "__main__"})
        except KeyboardInterrupt:
            assert not board.events
        monkeypatch.undo()
        return capsys.readouterr().out

    return running


def told(name: str) -> str:
    """What the page says that the program prints."""
    (command,) = (command for command in commands() if command.line.endswith(f" run board/bringup/{name}"))
    assert command.text is not None
    return command.text


def test_head_prints_what_stays_and_its_levels(board: Board, run: Callable[[str], str]) -> None:
    board.at(2000, lambda: board.cover(0, 0, 1, 2, 3))
    board.at(2500, lambda: board.cover(0, 0, 1))  # on its way: not printed
    board.at(2600, lambda: board.cover(0, 0, 3))
    board.at(4000, lambda: board.cover(0))
    assert run("head.py") == told("head.py")
    middle = dict.fromkeys((pins.THRESHOLD_A, pins.THRESHOLD_B, pins.THRESHOLD_READER), (30000, 32768))
    assert board.thresholds == middle
    assert {lamps for _, lamps in board.shown} == {0}, "no lamp is lit by it"
    assert board.released == [(0, 0)], "the cards are held"


@pytest.mark.parametrize("head", range(3))
@pytest.mark.parametrize("line", range(4))
def test_each_line_of_each_head_is_told_by_its_name(
    head: int, line: int, board: Board, run: Callable[[str], str]
) -> None:
    board.at(1000, lambda: board.cover(head, line))
    last = run("head.py").splitlines()[-1]
    assert last.startswith(("side A", "side B", "reader")[head])
    dark = re.findall(r"(\w+) 1 2\.62 V", last)
    assert dark == [("PRESENT", "CLOCK_A", "CLOCK_B", "DATA")[line]]
    assert len(re.findall(r"\w+ 0 0\.60 V", last)) == 3


def test_panel_lights_each_lamp_and_names_each_key(board: Board, run: Callable[[str], str]) -> None:
    for i in range(11):
        board.at(500 * i + 250, lambda: None)  # the lamps take their time
    board.at(6000, lambda: board.press(0, True))
    board.at(6200, lambda: board.press(0, False))
    assert run("panel.py") == told("panel.py")
    lit = [now for now in dict.fromkeys(board.shown) if now != (0, 0)]
    lamps = {
        lamp["name"]: (lamp.get("register", 0), lamp.get("output", i)) for i, lamp in enumerate(load().raw["lamp"])
    }
    names = [line.removeprefix("lamp ") for line in told("panel.py").splitlines() if line.startswith("lamp ")]
    assert set(names) == set(lamps) >= {lamp.name.lower() for lamp in Lamp}
    assert lit == [(1 << output, 0) if register else (0, 1 << output) for register, output in map(lamps.get, names)]
    assert board.shown[-1] == (0, 0), "all lamps are dark again"


@pytest.mark.parametrize("place", range(48))
def test_each_key_is_named_as_panel_md_names_its_input(place: int, board: Board, run: Callable[[str], str]) -> None:
    board.at(6000, lambda: board.press(place, True))
    board.at(6500, lambda: board.press(place, False))
    name = f"{place // 8 + 1}{'ABCDEFGH'[place % 8]}"
    assert run("panel.py").splitlines()[-2:] == [f"key {name} down", f"key {name} let go"]


def test_card_stop_is_drawn_back_and_let_go(board: Board, run: Callable[[str], str]) -> None:
    assert run("card_stop.py") == told("card_stop.py")
    assert board.released[:7] == [(0, 0), (0, 1), (2000, 0), (4000, 1), (6000, 0), (8000, 1), (10000, 0)]


def test_card_stop_is_let_go_whatever_ends_the_program(board: Board, run: Callable[[str], str]) -> None:
    board.at(3000, lambda: None)  # Ctrl-C comes two seconds later, while it is drawn back
    run("card_stop.py")
    assert board.released[-2:] == [(4000, 1), (6000, 0)]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_a_program_says_how_to_run_it_and_takes_nothing_of_the_firmware(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert f"mpremote run board/bringup/{path.name}" in text
    imported = {
        name
        for node in ast.walk(ast.parse(text))
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    assert imported <= {"time", "machine"}


def test_the_page_runs_every_program() -> None:
    run = {command.line.rpartition("/")[2] for command in commands() if " run board/bringup/" in command.line}
    assert run == {path.name for path in FOLDER.glob("*.py")}
