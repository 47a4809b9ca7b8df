"""Shoes dealt on the silicon: light in, frames out, replayed and verified against what the simulated dealer dealt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench import check, connect, deal, fetch
from rig.emulated import TICKS_PERIOD, EmulatedShoe
from shoesim.scenario import Scenario, run_scenario
from shoetool.model.protocol_table import RecordKind, ShoeKind

SINGLE = Scenario(decks=1, players=(2, 2), rounds=2, seed=71, reader=False, count=False)
DOUBLE = replace(SINGLE, shoe_kind=ShoeKind.DOUBLE, decks=2, seed=72)
READER = replace(SINGLE, reader=True, decks=2, rounds=3, seed=73)


@pytest.mark.parametrize("scenario", [SINGLE, DOUBLE, READER], ids=["single", "double", "reader"])
def test_a_shoe_is_shown_card_for_card(shoe: Any, scenario: Scenario, tmp_path: Path) -> None:
    print("seed", scenario.seed)
    truth, _ = deal(shoe, scenario, tmp_path / "shoe.shoelog")
    assert truth.rounds == scenario.rounds


def test_records_come_live_while_the_dealer_deals(shoe: Any, tmp_path: Path) -> None:
    """What a host that listens hears is what it later fetches."""
    scenario = replace(SINGLE, rounds=1, seed=74)
    client = connect(shoe, scenario)
    live = client.subscribe()
    heard = live.poll(0.0)  # asks for what comes from here on
    first = client.status().next_record - len(heard)
    run_scenario(scenario, shoe, lambda progress: heard.extend(live.poll(0.2)))
    while more := live.poll(0.3):
        heard += more
    records = [record for record in fetch(shoe, client, tmp_path / "shoe.shoelog") if record.number >= first]
    assert records and heard[-len(records) :] == records
    # What came before a real shoe was loaded lies in the history before.
    assert [record.number for record in heard] == list(range(first, records[-1].number + 1))


def test_both_ticks_wrap_while_cards_are_dealt(only_emulated: None, blank: bytes, tmp_path: Path) -> None:
    """ticks_us and ticks_ms go through 2^30 in the middle of a round; nothing in the history shows it."""
    scenario = replace(SINGLE, rounds=1, seed=75)
    shoe = EmulatedShoe(blank, seed=75, wraps_after_s=8.0)
    shoe.power_on()
    client = connect(shoe, scenario)
    before = client.ticks()
    shoe.wait(max(0.0, (TICKS_PERIOD - before.ticks_ms) / 1000 - 2.0))
    assert client.ticks().ticks_ms > before.ticks_ms
    truth = run_scenario(scenario, shoe)
    after = client.ticks()
    assert after.ticks_ms < 1 << 29 and after.ticks_us < 1 << 29 < before.ticks_us, "the ticks did not wrap"
    path = tmp_path / "shoe.shoelog"
    fetch(shoe, client, path)
    records = check(truth, path)
    assert any(record.kind == RecordKind.CARD for record in records)
