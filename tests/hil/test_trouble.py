"""Garbage collections and flash commits forced while cards go through the heads: no edge is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench import check, connect, fetch
from rig import files, uf2
from rig.emulated import EmulatedShoe
from shoesim.scenario import Scenario, run_scenario
from shoetool.model.protocol_table import ShoeKind

SCENARIO = Scenario(
    decks=2, shoe_kind=ShoeKind.DOUBLE, players=(2, 2), rounds=1, seed=111, reader=False, count=False
)  # fmt: skip

# In the place of a slot's main: the shoe as it is, and beside it a task that collects garbage and writes flash.
MAIN = """
import asyncio
import gc

from pico.shoe_main import run_pico as _run


async def _trouble(board):
    block = b"\\x5a" * 256
    turns = 0
    while True:
        gc.collect()
        board.store.erase(7)
        for offset in range(0, 1024, 256):
            board.store.program(7, offset, block)
        turns += 1
        print("trouble", turns)
        await asyncio.sleep_ms(40)


def run_pico(slot, said):
    from pico.board import PicoBoard

    ready = PicoBoard.ready

    def troubled(self, boot):
        ready(self, boot)
        asyncio.create_task(_trouble(self))

    PicoBoard.ready = troubled
    return _run(slot, said)
"""


@pytest.fixture(scope="session")
def troubled(slots: uf2.Firmware, tmp_path_factory: pytest.TempPathFactory) -> EmulatedShoe:
    """A booted shoe that never has its processor or its flash for itself."""
    main = files.compiled(MAIN, tmp_path_factory.mktemp("trouble"))
    shoe = EmulatedShoe(files.flash_of(slots, more=files.with_main(main)), seed=111)
    shoe.power_on()
    return shoe


def test_no_card_is_lost_beside_collections_and_erased_pages(
    troubled: EmulatedShoe, only_emulated: None, tmp_path: Path
) -> None:
    print("seed", SCENARIO.seed)
    client = connect(troubled, replace(SCENARIO))
    during: list[int] = []  # erases that went on while a card was in a throat
    in_throat = [0, 0, 0]
    show = troubled.wires.show

    def watch(head: int, dark: int) -> None:
        in_throat[head] = dark & 1
        show(head, dark)

    def erased(name: str, address: int, size: int) -> None:
        if name == "erase" and any(in_throat):
            during.append(address)

    troubled.wires.show = watch  # type: ignore[method-assign]
    troubled.chip.flash.on_operation = erased
    before = troubled.log.count(b"trouble")
    troubled.look_s = 0.8  # a shoe that is kept so busy shows later what it saw
    troubled.held_us = 300_000
    truth = run_scenario(SCENARIO, troubled)
    assert troubled.log.count(b"trouble") - before > 10 and len(during) >= 2, "there was no trouble"
    path = tmp_path / "shoe.shoelog"
    fetch(troubled, client, path)
    check(truth, path)
    assert troubled.chip.uart.overruns == 0
