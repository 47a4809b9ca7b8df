"""Whole shoes end to end: light into the firmware under MicroPython, a verdict out of shoetool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from deal_table import difference, expected_findings, findings, records_of, report_of, table
from sampled import SOAK, some
from shoesim.plants import PLANTS, Plant
from shoesim.scenario import Scenario
from shoetool.model.protocol_table import Game, RecordKind, ShoeKind
from shoetool.table.table import SWITCH_HANDS

SINGLE = Scenario(decks=1, players=(2, 3), seed=11)
DOUBLE = Scenario(shoe_kind=ShoeKind.DOUBLE, decks=2, players=(2, 3), seed=12)
CLEAN = {
    "single": SINGLE,
    "double": DOUBLE,
    "spanish 21": Scenario(game=Game.SPANISH_21, players=(4, 4), rounds=3, seed=13),
    "free bet": Scenario(game=Game.FREE_BET, players=(5, 6), rounds=3, seed=14),
    "switch": Scenario(game=Game.SWITCH, decks=2, players=(2, 3), rounds=5, seed=15),
    "from the hand": Scenario(game=Game.FROM_THE_HAND, decks=2, players=(2, 4), seed=16),
}


@pytest.mark.parametrize(
    ("name", "interpreter"), [("single", "amd64"), ("double", "i386"), ("spanish 21", "i386"), ("free bet", "i386"),
                              ("switch", "i386"), ("from the hand", "amd64"),
                              *([("single", "i386"), ("double", "amd64"), ("free bet", "amd64")] if SOAK else [])]
)  # fmt: skip
def test_a_clean_shoe_is_shown_card_for_card_and_has_no_finding(name: str, interpreter: str, tmp_path: Path) -> None:
    with table(CLEAN[name], tmp_path, interpreter) as shoe:
        truth = shoe.deal()
        path = shoe.pull()
    records = records_of(path)
    assert difference(truth, records) is None
    assert sum(record.kind == RecordKind.ROUND_CLOSED for record in records) == truth.rounds
    report = report_of(path)
    assert not report.findings, [finding.sentence for finding in report.findings]
    assert report.summary.cards == len(truth.cards)


# What each plant needs in order to happen within a few rounds.
FULL = {"cover_card_too_deep", "round_after_cover", "missing_card", "extra_card", "too_few_cards"}


def scenario_of(name: str) -> Scenario:
    kind = PLANTS[name]
    game = min(kind.games)
    plants = (Plant(name, None if name in FULL else 2),)
    if game == Game.SPANISH_21:
        return Scenario(game=game, players=(3, 3), rounds=3, seed=21, plants=plants)
    if game == Game.HYBRID:
        return Scenario(game=game, players=(3, 5), rounds=4, seed=21, plants=plants)
    base = SINGLE if ShoeKind.SINGLE in kind.shoes else DOUBLE
    options = base.options | (SWITCH_HANDS if kind.switch_hands else 0)
    return replace(base, plants=plants, options=options, rounds=None if name in FULL else 5)


@pytest.mark.parametrize("name", some(PLANTS))
def test_each_irregularity_is_found_with_its_clause_and_verdict(name: str, tmp_path: Path) -> None:
    scenario = scenario_of(name)
    with table(scenario, tmp_path) as shoe:
        truth = shoe.deal()
        path = shoe.pull()
    assert name in {plant.name for plant in truth.plants}, "the plant never happened"
    assert difference(truth, records_of(path)) is None
    found = findings(report_of(path))
    expected = expected_findings(scenario, truth)
    assert expected <= found, f"not found: {expected - found}"
    assert found == expected, f"found beside it: {found - expected}"


def test_no_record_before_its_opening_names_a_card_that_lies_face_down(tmp_path: Path) -> None:
    """A sealed record holds 32 bytes of commitment and no face; its opening follows in the same history."""
    with table(replace(SINGLE, rounds=3), tmp_path, "i386") as shoe:
        shoe.deal()
        records = records_of(shoe.pull())
    sealed = [record for record in records if record.kind == RecordKind.SEALED]
    opened = {record.values[0]: record for record in records if record.kind == RecordKind.OPENED}
    assert sealed and {record.number for record in sealed} == set(opened)
    for record in sealed:
        assert opened[record.number].number > record.number
        assert len(record.commitment) == 32
