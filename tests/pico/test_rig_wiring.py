"""The rig's own statement of the wiring (tests/hil/rig/wiring.py) against the tables that the firmware has."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pico import panel_keys, pins
from shoetool.model.protocol_table import Key

ROOT = Path(__file__).resolve().parents[2]
RIG = ROOT / "tests" / "hil" / "rig"


@pytest.fixture(scope="module")
def wiring() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(RIG / "wiring.py")))


# What a place of the chain says, as board/pico/panel_keys.py numbers it: the names of the rig's panel.
ENTERED = {
    **{panel_keys.BOX + i: f"position-{i}" for i in range(1, 8)},
    panel_keys.SIDE_A: "side-a",
    panel_keys.SIDE_B: "side-b",
    panel_keys.EXPOSED: "exposed",
    panel_keys.FIRST: "first",
    panel_keys.SECOND: "second",
    panel_keys.SECOND_HAND: "second-hand",
    panel_keys.CANCEL: "cancel",
    panel_keys.SWITCH_LOCK: "key-switch",
}


def differences(wiring: SimpleNamespace, pins: Any, meanings: bytes) -> list[str]:
    """Where the firmware's tables and the rig's wiring differ."""
    pairs = {
        "UART_TX": wiring.LINK_TX,
        "UART_RX": wiring.LINK_RX,
        "UART_DRIVER_ENABLE": wiring.LINK_DRIVER_ENABLE,
        "HEAD_A": wiring.HEADS[0][0],
        "HEAD_B": wiring.HEADS[1][0],
        "HEAD_READER": wiring.HEADS[2][0],
        "THRESHOLD_A": wiring.THRESHOLDS[0],
        "THRESHOLD_B": wiring.THRESHOLDS[1],
        "THRESHOLD_READER": wiring.THRESHOLDS[2],
        "LEVEL_A": wiring.LEVELS[0],
        "LEVEL_B": wiring.LEVELS[1],
        "LEVEL_READER": wiring.LEVELS[2],
        "PANEL_IN": wiring.PANEL_IN,
        "PANEL_LATCH": wiring.PANEL_LATCH,
        "PANEL_CLOCK": wiring.PANEL_CLOCK,
        "PANEL_OUT": wiring.PANEL_OUT,
        "CARD_STOP": wiring.CARD_STOP,
    }
    found = [name for name, gpio in pairs.items() if getattr(pins, name) != gpio]
    for place, meaning in enumerate(meanings):
        names = {Key(meaning).name.lower()} if 0 < meaning < panel_keys.BOX else {ENTERED.get(meaning)} - {None}
        if names != {name for name, at in wiring.PLACES.items() if at == place}:
            found.append(f"place {place}")
    return found


def test_the_firmwares_tables_are_as_the_rig_is_wired(wiring: SimpleNamespace) -> None:
    assert differences(wiring, pins, panel_keys.MEANINGS) == []
    assert len(panel_keys.MEANINGS) == 8 * panel_keys.REGISTERS == 8 * wiring.REGISTERS
    assert [list(head) for head in wiring.HEADS] == [
        [head[0] + i for i in range(pins.HEAD_LINES)] for head in wiring.HEADS
    ]
    assert panel_keys.LOCK == wiring.KEY_SWITCH
    assert range(panel_keys.LOCKED, 48) == wiring.LOCKED


NAMES = [name for name in dir(pins) if name[0].isupper() and name not in ("HEAD_LINES", "BOARD_LAMP", "SUPPLY_LEVEL")]


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_pin_shows(name: str, wiring: SimpleNamespace) -> None:
    wrong = SimpleNamespace(**{**vars(pins), name: getattr(pins, name) + 1})
    assert differences(wiring, wrong, panel_keys.MEANINGS) == [name]


def test_two_keys_in_each_others_places_show(wiring: SimpleNamespace) -> None:
    for one in range(47):
        meanings = bytearray(panel_keys.MEANINGS)
        meanings[one], meanings[one + 1] = meanings[one + 1], meanings[one]
        if meanings != panel_keys.MEANINGS:
            assert differences(wiring, pins, bytes(meanings)) == [f"place {one}", f"place {one + 1}"]


def test_the_panel_is_the_one_that_its_document_draws(wiring: SimpleNamespace) -> None:
    rows = re.findall(r"^\| (\d)([A-H]) \| (.*?) \|$", (ROOT / "board/pico/PANEL.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) == 48
    for register, letter, text in rows:
        name = text.strip("`").replace(" ", "-")
        place = 8 * (int(register) - 1) + ord(letter) - ord("A")
        assert wiring.PLACES.get(name) == (None if name == "spare" else place), text


def test_the_rig_takes_no_table_of_the_firmware() -> None:
    taken = []
    for path in sorted(RIG.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "pico":
                taken += [f"{path.name}: {alias.name}" for alias in node.names if alias.name in ("pins", "panel_keys")]
            if isinstance(node, (ast.Import, ast.ImportFrom)) and "pico.p" in ast.unparse(node):
                taken.append(f"{path.name}: {ast.unparse(node)}")
    assert taken == []


def bytes_that_the_firmware_takes_for(key: Key, places: list[int], module: ModuleType) -> int:
    """The argument that the tables of `panel_keys` make of these places, the function's last."""
    entered = [module.MEANINGS[place] for place in places[:-1]]
    boxes = [meaning - module.BOX for meaning in entered if 0 < meaning - module.BOX <= 7]
    if key in module.BOXES:
        return sum(1 << box - 1 for box in boxes)
    if key in module.NUMBER:
        return boxes[-1] if boxes else 0
    if key in module.BOX_AND_MORE:
        more = {module.FIRST: 16, module.SECOND: 32, module.SECOND_HAND: 64}
        return (boxes[-1] if boxes else 0) + sum(more.get(meaning, 0) for meaning in entered)
    if key in module.SIDES:
        return int(module.SIDE_B in entered)
    return int(key in module.SHOWN and module.EXPOSED in entered)


def test_the_strokes_of_the_rig_are_the_arguments_of_the_firmwares_tables(wiring: SimpleNamespace) -> None:
    said = 0
    for key in Key:
        for argument in range(128):
            try:
                places = wiring.strokes(key, argument)
            except ValueError:
                continue
            assert panel_keys.MEANINGS[places[-1]] == key
            assert bytes_that_the_firmware_takes_for(key, places, panel_keys) == argument
            said += 1
    assert said > 400
