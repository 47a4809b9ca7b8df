"""What a progressive wager may leave for the house to say of its meters, on a wager that no chapter has.

Several players can win the whole of its meter in one round, and others a tenth of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Final

import pytest
from shoetool.rules import paytable
from shoetool.rules.round import Box, Settlement, Stage
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers import WAGERS, Outcome, View, Wager
from shoetool.rules.wagers.choice import Choice
from shoetool.rules.wagers.progressive import MeterReadings, MeterRule, secondary, sharing, together
from wager_table import box_of, round_of, rules_for, settled_optional

KEY: Final = "pair_hunt"
CLAUSE: Final = "633c.99(a)"
PARTS: Final = Choice("pair_hunt_parts", CLAUSE, "winners of a tenth share it", ("each_tier", "whole"))
TOML: Final = """
wager = "pair_hunt"
title = "Pair Hunt"
games = ["blackjack"]

[[paytable]]
clause = "633c.99(b)"
stake = "$5"
rows = [
    { key = "aces", outcome = "Aces", odds = "100% of progressive" },
    { key = "kings", outcome = "Kings", odds = "10% of progressive" },
]
meters = [{ seed = "$1,000", primary = "15%", secondary = "6%" }]
"""


def _pair(rank: int, view: View) -> bool:
    return view.first % 13 == view.second % 13 == rank


def _declared(readings: MeterReadings) -> Wager:
    return Wager(
        key=KEY,
        title="Pair Hunt",
        offered=CLAUSE,
        settles=CLAUSE,
        collects=CLAUSE,
        pays="633c.99(b)",
        stage=Stage.AFTER_DEAL,
        subject="two_cards",
        nothing="no pair",
        outcomes=(Outcome("aces", lambda view: _pair(0, view)), Outcome("kings", lambda view: _pair(12, view))),
        meter=MeterRule(0, CLAUSE, "", CLAUSE, (), apart="633c.99(c)", readings=readings),
        amounts=(5_00,),
    )


READINGS: Final = MeterReadings(sharing(KEY, CLAUSE), PARTS, secondary(KEY, CLAUSE), together(KEY, CLAUSE))


@pytest.fixture(autouse=True)
def pair_hunt(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The wager stands in the catalogue."""
    monkeypatch.setitem(WAGERS, KEY, _declared(READINGS))
    tables = tuple(paytable.parse_paytables(tomllib.loads(TOML), "pair_hunt.toml"))
    monkeypatch.setitem(paytable._all_tables(), KEY, tables)
    yield


def boxes(*hands: str) -> list[Box]:
    return [box_of(held, {KEY: "5.00"}, place) for place, held in enumerate(hands, 1)]


def settled(*hands: str, **choices: str) -> Settlement:
    """A round in which these hands are dealt and the meter shows $5,000.10."""
    rules = rules_for(KEY)
    rules.choices.update(choices)  # type: ignore[attr-defined]  # as the file would have set them
    return settled_optional(round_of(rules, "9C 8D", *boxes(*hands), meters={KEY: "5000.10"}), rules)


def won(settlement: Settlement) -> dict[int | None, tuple[int, str]]:
    return {one.position: (one.won, one.source) for one in settlement.lines if one.won and one.position}


ACES, KINGS, NONE = "AC AD", "KC KD", "9C 8C"


def test_a_tenth_beside_the_whole_is_one_of_the_meter_as_it_stood_and_the_house_pays_it() -> None:
    """T6."""
    found = settled(ACES, KINGS, NONE)
    assert won(found) == {1: (5_000_10, "meter"), 2: (500_01, "house")}
    assert found.meters == {KEY: 1_000_00 - 5_000_10}
    assert found.tray == 15_00


def test_a_tenth_beside_the_whole_may_be_one_of_the_reset_amount() -> None:
    found = settled(ACES, KINGS, pair_hunt_together="of_reset")
    assert won(found) == {1: (5_000_10, "meter"), 2: (100_00, "house")}


def test_winners_of_a_part_share_it_or_get_it_each() -> None:
    """T5, as 633c.10(j) stretches to both tiers; parts of a cent stay in the meter."""
    assert won(settled(KINGS, KINGS)) == {1: (250_00, "meter"), 2: (250_00, "meter")}
    found = settled(KINGS, KINGS, pair_hunt_parts="whole")
    assert won(found) == {1: (500_01, "meter"), 2: (500_01, "meter")}
    assert found.meters == {KEY: -1_000_02}


def test_winners_of_the_whole_get_it_equally_or_in_turn() -> None:
    assert won(settled(ACES, ACES)) == {1: (2_500_05, "meter"), 2: (2_500_05, "meter")}
    in_turn = settled(ACES, ACES, ACES, pair_hunt_sharing="in_turn")
    assert won(in_turn) == {3: (5_000_10, "meter"), 2: (1_000_00, "meter"), 1: (1_000_00, "meter")}
    assert in_turn.meters == {KEY: 1_000_00 - 5_000_10}


def test_what_is_asked_is_asked_only_when_it_matters() -> None:
    assert won(settled(ACES, NONE, pair_hunt_sharing="")) == {1: (5_000_10, "meter")}
    with pytest.raises(RuleError, match="pair_hunt_sharing") as caught:
        settled(ACES, ACES, pair_hunt_sharing="")
    assert caught.value.clause == CLAUSE


def test_a_wager_that_leaves_nothing_open_shares_equally_and_gives_each_his_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(WAGERS, KEY, _declared(MeterReadings()))
    assert won(settled(ACES, ACES)) == {1: (2_500_05, "meter"), 2: (2_500_05, "meter")}
    assert won(settled(KINGS, KINGS)) == {1: (500_01, "meter"), 2: (500_01, "meter")}


def test_each_payout_of_a_meter_names_the_clause_that_keeps_it_out_of_the_tray() -> None:
    for line in settled(ACES, KINGS).lines[:2]:
        assert [clause for clause, _ in line.notes][-2:] == ["633c.99(c)"] * 2
