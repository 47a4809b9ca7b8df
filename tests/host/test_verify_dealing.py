"""Verify against the firmware's own dealing: what the shoe records of a clean table has no finding, each plant its own.

The number of seeds is SIMULATE_SEEDS (default 20, of which this takes a fifth); a failure names its seed.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from in_process_shoe import InProcessShoe
from shoesim.plants import PLANTS, Plant
from shoesim.scenario import Scenario, run_scenario
from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.rules.games import clause_in
from shoetool.table.table import HANDS_LAST, PREMIUM, SWITCH_HANDS
from shoetool.verify import Report, verify

SEEDS = max(2, int(os.environ.get("SIMULATE_SEEDS", "20")) // 5)
ENOUGH = max(1, SEEDS // 6)  # shoes of four in which a plant happened
TABLES = {
    "single": Scenario(decks=6),
    "one deck": Scenario(decks=1, players=(2, 5)),
    "double": Scenario(shoe_kind=ShoeKind.DOUBLE, decks=8),
    "spanish 21": Scenario(game=Game.SPANISH_21, decks=6),
    "free bet": Scenario(game=Game.FREE_BET, decks=6, players=(3, 6)),
    "face-down doubles": Scenario(decks=4, options=1),
    "switch hands": Scenario(decks=6, players=(3, 7), options=SWITCH_HANDS),
    "switch hands last": Scenario(shoe_kind=ShoeKind.DOUBLE, decks=8, options=SWITCH_HANDS | HANDS_LAST),
    "Blackjack premium": Scenario(decks=6, options=SWITCH_HANDS | PREMIUM),
    "three shoes": Scenario(decks=1, shoes=3, players=(2, 4)),
}


def lines(report: Report) -> str:
    return "\n".join(f"{f.clause} {f.verdict} {f.sentence} {f.records}" for f in report.findings)


@pytest.mark.parametrize("name", TABLES)
def test_a_clean_table_has_no_finding(name: str) -> None:
    for seed in range(1, SEEDS + 1):
        shoe = InProcessShoe(replace(TABLES[name], seed=seed))
        truth = run_scenario(replace(TABLES[name], seed=seed), shoe)
        report = verify(shoe.history())
        assert truth.rounds == report.summary.rounds
        assert report.ok, f"seed {seed}\n{lines(report)}"


@pytest.mark.parametrize(
    ("name", "plant"),
    [
        (name, plant)
        for name in ("single", "double", "spanish 21", "free bet", "switch hands", "switch hands last")
        for plant, kind in PLANTS.items()
        if TABLES[name].game in kind.games and TABLES[name].shoe_kind in kind.shoes
        if TABLES[name].options & SWITCH_HANDS or not kind.switch_hands
    ],
)
def test_what_the_dealer_did_is_what_is_found(name: str, plant: str) -> None:
    happened = 0
    for seed in range(1, 5):
        scenario = replace(TABLES[name], seed=seed, plants=(Plant(plant),))
        shoe = InProcessShoe(scenario)
        truth = run_scenario(scenario, shoe)
        wanted = {(clause_in(scenario.game, one.clause), one.verdict) for one in truth.plants}
        report = verify(shoe.history())
        assert {(f.clause, f.verdict) for f in report.findings} == wanted, f"seed {seed}\n{lines(report)}"
        happened += bool(wanted)
        if happened == ENOUGH:
            break
    assert happened, "it never happened"
