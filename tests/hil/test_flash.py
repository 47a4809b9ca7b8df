"""`shoetool flash` on the emulated chip, over its USB port: a board with nothing but MicroPython, and a shoe that runs.

Copying is slow there: of the update an earlier run was cut off in the middle, and all modules but three are in the
running slot too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from bench import connect
from hands import Hands
from rig import files, image, uf2
from rig.emulated import EmulatedShoe
from rig.link import Terminal, run_beside

OTHERS = ("shoe/config.mpy", "shoe/journal/flash.mpy", "pico/settings.mpy")
BEGUN = 20  # files that the earlier run has written

# The tool's patience is of real time, in which the emulated board gets a tenth as far, less on a busy computer.
PATIENT = (
    "from shoetool.flash import flasher, repl; repl.ENTER_S = 120.0; flasher.READY_S = 600.0; "
    "from shoetool.cli import main; main()"
)
STEP_US = 500
FORMATS_US = 2e6  # MicroPython's first start makes a file system; its prompt came before USB was there
MOST_TURNS = 20_000_000  # simulated time flies while the tool thinks


@pytest.fixture(scope="module")
def outdated(slots: uf2.Firmware) -> EmulatedShoe:
    """A shoe with an older firmware in slot a, which runs, and the beginning of the new one in slot b."""
    built = files.built()
    slot = sorted(name[2:] for name in built if name.startswith("a/") and name != "a/files.json")
    new = {f"b/{name}": built[f"a/{name}"] for name in slot[:BEGUN]}
    old = {name: built[f"a/{name}"] + b"\0" for name in OTHERS}  # what follows a module is not read
    rest = {name: data for name, data in built.items() if not name.startswith("a/")}
    older = files.slot_with({**old, "shoe/older.mpy": b"in no newer one"})
    storage = image.build(slots.pages, {**rest, **older, **new})
    blank = slots.flash + b"\xff" * (slots.storage - len(slots.flash)) + storage
    shoe = EmulatedShoe(blank, seed=7)
    shoe.power_on()
    return shoe


@pytest.fixture(scope="module")
def stock(slots: uf2.Firmware) -> EmulatedShoe:
    """The board as it comes: MicroPython was copied onto it, and nothing else was ever written."""
    shoe = EmulatedShoe(slots.flash, seed=8)
    shoe.power_on(wait=False)
    shoe.advance(FORMATS_US)
    return shoe


def flash(shoe: EmulatedShoe, *options: str) -> dict[str, object]:
    with Terminal() as terminal:
        shoe.chip.usb.take()

        def carry() -> None:
            if came := terminal.exchange(shoe.chip.usb.take()):
                shoe.chip.usb.write(came)
            shoe.advance(STEP_US)

        command = [sys.executable, "-c", PATIENT, "flash", terminal.path, "--json", *options]
        done = run_beside(command, carry, most_turns=MOST_TURNS)
    assert done.returncode == 0, (done.stdout, shoe.log[-1500:])
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_a_board_with_stock_micropython_becomes_a_shoe_that_reads_cards(
    only_emulated: None, stock: EmulatedShoe, tmp_path: Path
) -> None:
    config = tmp_path / "table.toml"
    config.write_text("table = 7\n")
    told = flash(stock, "--config", str(config))
    assert told["slot"] == "a"
    assert told["read_back"] == told["digest"]
    assert told["self_test"] == {"passed": True, "failed": []}
    stock.restart()  # nothing of it was in RAM alone
    client = connect(stock)
    assert client.config_read()["table"] == 7
    hands = Hands(stock, client, 8)
    hands.start()
    hands.draws(2)


def test_a_running_shoe_is_updated_over_usb(only_emulated: None, outdated: EmulatedShoe, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("table = 7\n")
    told = flash(outdated, "--config", str(config))
    slot = {name[2:]: data for name, data in files.built().items() if name.startswith("a/")}
    del slot["files.json"]
    copied = told["copied"]
    assert isinstance(copied, list) and copied == [f"b/{name}" for name in sorted(slot)[BEGUN:]]
    sent = sum(len(slot[name]) for name in OTHERS if f"b/{name}" in copied)
    assert told["copied_bytes"] == sent > 0
    assert told["slot"] == "b" and told["read_back"] == told["digest"]
    assert told["self_test"] == {"passed": True, "failed": []}
    assert told["boot"] == 2, "it was ready again, so its files are whole"
    assert outdated.chip.execute("import start; print(start.named())").split() == ["b"]
