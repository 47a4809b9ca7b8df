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
from shoetool.rules.wagers.progressive import MeterReadings, MeterRule, secondary, sharing, sharing_parts, together
from wager_table import box_of, round_of, rules_for, settled_optional

KEY: Final = "pair_hunt"
CLAUSE: Final = "633c.99(a)"
OF_PARTS: Final = "633c.99(d)"
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


READINGS: Final = MeterReadings(
    sharing(KEY, CLAUSE), sharing_parts(KEY, OF_PARTS), secondary(KEY, CLAUSE), together(KEY, CLAUSE)
)


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


def test_a_tenth_and_the_whole_may_be_won_in_the_order_of_settling() -> None:
    """T6: from the highest position on, and the meter pays each of them."""
    found = settled(KINGS, ACES, KINGS, pair_hunt_together="in_turn")
    assert won(found) == {3: (500_01, "meter"), 2: (4_500_09, "meter"), 1: (100_00, "meter")}
    assert found.meters == {KEY: 1_000_00 - 5_000_10 - 100_00}


def test_several_who_win_the_whole_in_turn_share_it_at_the_first_ones_turn_or_each_gets_what_is_there() -> None:
    """T5, T6: the second one's turn comes after the meter was set back and a tenth of it was won."""
    shared = settled(ACES, KINGS, ACES, KINGS, pair_hunt_together="in_turn")
    assert won(shared) == {4: (500_01, "meter"), 3: (2_250_04, "meter"), 2: (100_00, "meter"), 1: (2_250_04, "meter")}
    assert shared.meters == {KEY: 1_000_00 - 500_01 - 4_500_08 - 100_00}
    each = settled(ACES, KINGS, ACES, KINGS, pair_hunt_together="in_turn", pair_hunt_sharing="in_turn")
    assert won(each) == {4: (500_01, "meter"), 3: (4_500_09, "meter"), 2: (100_00, "meter"), 1: (900_00, "meter")}
    assert each.meters == {KEY: 1_000_00 - 5_000_10}


def test_winners_of_a_part_share_it_or_get_it_each_or_in_turn() -> None:
    """T5; parts of a cent stay in the meter."""
    assert won(settled(KINGS, KINGS)) == {1: (250_00, "meter"), 2: (250_00, "meter")}
    found = settled(KINGS, KINGS, pair_hunt_sharing_parts="each")
    assert won(found) == {1: (500_01, "meter"), 2: (500_01, "meter")}
    assert found.meters == {KEY: -1_000_02}
    in_turn = settled(KINGS, KINGS, KINGS, pair_hunt_sharing_parts="in_turn")
    assert won(in_turn) == {3: (500_01, "meter"), 2: (450_00, "meter"), 1: (405_00, "meter")}
    assert in_turn.meters == {KEY: -1_355_01}


def test_winners_of_a_part_beside_the_whole_share_what_the_house_pays() -> None:
    """T5, T6: a tenth of the reset amount of $1,000, or of the $5,000.10 that the meter stood at."""
    for together_, parts, amounts in (
        ("as_it_stood", "equally", (250_00, 250_00)),
        ("as_it_stood", "each", (500_01, 500_01)),
        ("as_it_stood", "in_turn", (450_00, 500_01)),
        ("of_reset", "equally", (50_00, 50_00)),
        ("of_reset", "in_turn", (90_00, 100_00)),
    ):
        words = {"pair_hunt_together": together_, "pair_hunt_sharing_parts": parts}
        found = settled(ACES, KINGS, KINGS, **words)
        assert won(found) == {1: (5_000_10, "meter"), 2: (amounts[0], "house"), 3: (amounts[1], "house")}, words
        assert found.meters == {KEY: 1_000_00 - 5_000_10}


def test_winners_of_the_whole_get_it_equally_or_in_turn() -> None:
    assert won(settled(ACES, ACES)) == {1: (2_500_05, "meter"), 2: (2_500_05, "meter")}
    in_turn = settled(ACES, ACES, ACES, pair_hunt_sharing="in_turn")
    assert won(in_turn) == {3: (5_000_10, "meter"), 2: (1_000_00, "meter"), 1: (1_000_00, "meter")}
    assert in_turn.meters == {KEY: 1_000_00 - 5_000_10}


def test_what_is_asked_is_asked_only_when_it_matters() -> None:
    assert won(settled(ACES, NONE, pair_hunt_sharing="")) == {1: (5_000_10, "meter")}
    assert won(settled(KINGS, NONE, pair_hunt_sharing_parts="")) == {1: (500_01, "meter")}
    for hands, key in (((ACES, ACES), "pair_hunt_sharing"), ((KINGS, KINGS), "pair_hunt_sharing_parts")):
        with pytest.raises(RuleError, match=f"write {key} = ") as caught:
            settled(*hands, **{key: ""})
        assert caught.value.clause == (OF_PARTS if hands == (KINGS, KINGS) else CLAUSE)


def test_each_note_on_sharing_names_the_clause_that_leaves_it_open() -> None:
    for word, said in (("equally", "2 winners share $500.01 of the meter's $5,000.10"), ("in_turn", "winner 1 of 2")):
        lines = settled(KINGS, KINGS, pair_hunt_sharing_parts=word).lines
        assert [clause for clause, words in lines[0].notes if words.startswith(said)] == [OF_PARTS]


def test_a_wager_that_leaves_nothing_open_shares_equally_and_gives_each_his_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(WAGERS, KEY, _declared(MeterReadings()))
    assert won(settled(ACES, ACES)) == {1: (2_500_05, "meter"), 2: (2_500_05, "meter")}
    assert won(settled(KINGS, KINGS)) == {1: (500_01, "meter"), 2: (500_01, "meter")}


def test_each_payout_of_a_meter_names_the_clause_that_keeps_it_out_of_the_tray() -> None:
    for line in settled(ACES, KINGS).lines[:2]:
        assert [clause for clause, _ in line.notes][-2:] == ["633c.99(c)"] * 2
