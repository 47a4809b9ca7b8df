"""pins.py is the one source of the shoe's pins, board/stimulus/pins.py of those of the stimulus around it."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from pico import pins
from wiring.data import PICO, constant, pins_of_the_board

STIMULUS = PICO.parent / "stimulus"
README = STIMULUS / "README.md"
SERIAL_PINS = ("tx", "rx", "sck", "mosi", "miso")  # what UART and SPI take pins as


def numbers_of_its_own(path: Path) -> list[str]:
    """Where a module names a pin by a number, or by a constant of its own, instead of one of pins.py."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name == "wait":  # of a PIO program: level, what it is, number
            named = node.args[2:] if len(node.args) == 3 and ast.unparse(node.args[1]) == "gpio" else []
        elif name in ("Pin", "ADC"):
            named = node.args[:1]
        elif name in ("UART", "SPI"):
            named = [keyword.value for keyword in node.keywords if keyword.arg in SERIAL_PINS]
        else:
            continue
        for part in (part for each in named for part in ast.walk(each)):
            if (isinstance(part, ast.Constant) and type(part.value) is int) or (
                isinstance(part, ast.Name) and part.id in own
            ):
                found.append(f"{path.name}: {ast.unparse(node)}")
    return found


def test_the_supply_is_measured_at_the_pin_that_pins_names() -> None:
    assert constant("chip", "_SUPPLY_PIN") == pins.SUPPLY_LEVEL


def test_no_module_of_the_board_names_another_pin_by_its_number() -> None:
    paths = sorted(PICO.rglob("*.py"))
    found = [one for path in paths for one in numbers_of_its_own(path)]
    assert found == ["chip.py: machine.ADC(_SUPPLY_PIN)"], "its constant is compared with pins.py above"


def test_every_pin_is_used_but_for_those_that_nothing_outside_the_board_is_on() -> None:
    """A name that nothing reads any more would go on in the pin table and the diagram."""
    text = "".join(path.read_text(encoding="utf-8") for path in PICO.glob("*.py"))
    unread = {name for name in pins_of_the_board() if f"pins.{name}" not in text}
    assert unread == {"BOARD_LAMP", "SUPPLY_LEVEL"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("stop = Pin(22, Pin.OUT)", True),
        ("MINE = 22\nstop = Pin(MINE, Pin.OUT)", True),
        ("level = machine.ADC(Pin(26))", True),
        ("uart = UART(0, 921600, tx=Pin(pins.UART_TX), rx=1)", True),
        ("def program():\n    wait(0, gpio, 17)", True),
        ("stop = Pin(pins.CARD_STOP, Pin.OUT, value=0)", False),
        ("from pins import LATCH\npin = Pin(LATCH, Pin.IN)", False),
        ("def program(latch=LATCH):\n    wait(0, gpio, latch)", False),
        ("spi = SPI(0, baudrate=4000000, sck=Pin(pins.PANEL_CLOCK))", False),
    ],
)
def test_a_pin_that_is_named_by_a_number_is_found(line: str, found: bool, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(line + "\n")
    assert bool(numbers_of_its_own(module)) == found


# ---------------------------------------------------------------------------------------------------- the stimulus
@pytest.fixture(scope="module")
def stimulus() -> dict[str, Any]:
    """The pins of the stimulus by name; its module has the name that the stimulus imports it by."""
    return {name: value for name, value in runpy.run_path(str(STIMULUS / "pins.py")).items() if name.isupper()}


def test_no_module_of_the_stimulus_names_a_pin_by_its_number() -> None:
    assert [one for path in sorted(STIMULUS.glob("*.py")) for one in numbers_of_its_own(path)] == []


def test_each_pin_of_the_stimulus_is_where_the_shoe_has_what_it_plays(stimulus: dict[str, Any]) -> None:
    assert stimulus == {
        "HEADS": (pins.HEAD_A, pins.HEAD_B, pins.HEAD_READER),
        "HEAD_LINES": pins.HEAD_LINES,
        "KEYS_OUT": pins.PANEL_IN,
        "LATCH": pins.PANEL_LATCH,
        "CLOCK": pins.PANEL_CLOCK,
        "LAMPS_IN": pins.PANEL_OUT,
        "CARD_STOP": pins.CARD_STOP,
        "RESET": stimulus["RESET"],  # to RUN, which is no GPIO
    }


def wires(stimulus: dict[str, Any]) -> dict[int, int | str]:
    """Pin of the stimulus: pin of the shoe."""
    lines = [first + line for first in stimulus["HEADS"] for line in range(stimulus["HEAD_LINES"])]
    names = ("KEYS_OUT", "LATCH", "CLOCK", "LAMPS_IN", "CARD_STOP")
    straight = [*lines, *(stimulus[name] for name in names)]
    assert len(set(straight)) == len(straight) and stimulus["RESET"] not in straight
    return {pin: pin for pin in straight} | {stimulus["RESET"]: "RUN"}


def rows() -> list[tuple[str, str, str]]:
    """The table of the README."""
    text = README.read_text(encoding="utf-8")
    return [row for row in re.findall(r"^\| (.*?) \| (.*?) \| (.*?) ?\|$", text, re.MULTILINE) if row[0] != "stimulus"]


def gpios(cell: str) -> list[int]:
    """The pins that a cell names: `GP3 to GP5` names three."""
    ends = [int(number) for number in re.findall(r"GP(\d+)", cell)]
    return list(range(ends[0], ends[-1] + 1)) if ends else []


def test_the_table_of_the_readme_is_the_wiring(stimulus: dict[str, Any]) -> None:
    told: dict[int, int | str] = {}
    grounds = 0
    for mine, shoes, _ in rows():
        if mine == shoes == "GND":
            grounds += 1
            continue
        here, there = gpios(mine), gpios(shoes)
        assert here and not told.keys() & set(here), mine
        told |= dict(zip(here, there or [shoes] * len(here), strict=True))
    assert told == wires(stimulus)
    (count,) = re.findall(r"with (\d+) wires", README.read_text(encoding="utf-8"))
    assert int(count) == len(told) + grounds


def test_the_table_of_the_readme_says_what_is_on_each_pin(stimulus: dict[str, Any]) -> None:
    words = {gpios(mine)[0]: what for mine, _, what in rows() if gpios(mine)}
    assert words[min(stimulus["HEADS"])] == "four lines each of side A, side B, card reader device"
    assert list(stimulus["HEADS"]) == sorted(stimulus["HEADS"])
    chain = {"keys out": "KEYS_OUT", "LATCH": "LATCH", "clock": "CLOCK", "lamps in": "LAMPS_IN"}
    at = [stimulus[name] for name in chain.values()]
    assert words[at[0]] == f"the panel's chain: {', '.join(chain)}" and at == sorted(at)
    assert words[stimulus["CARD_STOP"]].startswith("card stop")
    assert words[stimulus["RESET"]].startswith("reset")
