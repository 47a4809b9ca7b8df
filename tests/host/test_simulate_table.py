"""Simulated sessions with a table record: what is dealt by the book has no finding, and none says what is not so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from in_process_shoe import InProcessShoe
from shoesim.scenario import PRESETS, run_scenario
from shoesim.wagers_plants import WagerPlant
from shoetool.cli.wager_record import at_the_table, rules_values
from shoetool.judge import registry_table as reg
from shoetool.rules.submission.file import from_values
from shoetool.verify import BREACH, CANNOT_TELL, Report, verify
from table_session import judge_of, recorded


def judged(
    name: str,
    seed: int,
    required: bool = False,
    offered: bool = True,
    plants: tuple[WagerPlant, ...] = (),
    **changes: int,
) -> Report:
    """The scenario of this name, dealt and paid at the table that `simulate --table-record` takes for it; without
    `offered` the rules submission that it is judged by has no switch hands."""
    print("seed", seed)
    values = rules_values(None, PRESETS[name])
    rules = from_values(values, name)
    without = {key: value for key, value in values.items() if not key.startswith("switch_hands")}
    scenario = at_the_table(replace(PRESETS[name], seed=seed, **changes), rules)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    history = tuple(shoe.history())
    _, lines = recorded(history, rules, seed, plants)
    judged_by = rules if offered else from_values(without, name)
    return verify(history, judge_of(lines, judged_by, required=required))


@pytest.mark.clause("633a.2(a)", "633a.12(b)(1)", "633a.11(c) resplits")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_from_the_hand_is_seated_and_split_as_its_table_has_it(seed: int) -> None:
    """Its example has six positions and one more split, which the dealer did not know: a false breach each."""
    report = judged("from-the-hand", seed, shoes=2)
    assert [finding.sentence for finding in report.findings if finding.verdict == BREACH] == []


@pytest.mark.clause("633c.4(e)", "633c.4(f)(1)", "633c.4(f)(2)#1", "633c.4(g)", "633c.4(l)#2", "633c.4(m)")
@pytest.mark.parametrize("name", ["switch-hands-last", "blackjack-premium"])
def test_switch_hands_that_the_rules_submission_offers_are_settled_and_verified(name: str) -> None:
    report = judged(name, 7, required=True, rounds=6)
    assert report.verdict == "verified" and not report.findings


@pytest.mark.parametrize(
    ("name", "plant", "clause"),
    [
        pytest.param("switch-hands-last", "ante_too_small", "633c.4(c)", marks=pytest.mark.clause("633c.4(c)")),
        pytest.param("blackjack-premium", "ante_left_out", "633c.4(c)", marks=pytest.mark.clause("633c.4(l)#1")),
        pytest.param("blackjack-premium", "wager_off_the_steps", "633c.4(b)", marks=pytest.mark.clause("633c.4(b)")),
    ],
)
def test_a_wrong_ante_is_found(name: str, plant: str, clause: str) -> None:
    report = judged(name, 3, plants=(WagerPlant(plant),), rounds=3)
    assert clause in {finding.clause for finding in report.findings if finding.verdict == BREACH}


@pytest.mark.parametrize("name", ["switch-hands-last", "blackjack-premium"])
def test_rounds_with_switch_hands_are_counted_as_not_settled_and_are_no_findings(name: str) -> None:
    report = judged(name, 1, offered=False, rounds=4)
    assert report.ok and report.verdict == "part"
    assert report.headline() == "0 findings in what can be checked; not every round is settled"
    (row,) = report.summary.left_out
    assert row.words == "settlement by the rules in 0 of 4 rounds" and row.missing == [1, 2, 3, 4]
    rows = {row.what: (row.count, row.of) for row in report.summary.evidence}
    assert rows["payments"] == (4, 4)  # what the record has of them is counted too


def test_a_round_of_the_premium_table_without_antes_is_settled_and_counted_so() -> None:
    report = judged("blackjack-premium", 20261101, offered=False, rounds=10)
    (row,) = report.summary.left_out
    assert row.words == "settlement by the rules in 1 of 10 rounds"


def test_with_payments_required_each_round_with_switch_hands_is_named() -> None:
    report = judged("switch-hands-last", 1, required=True, offered=False, rounds=4)
    assert {(finding.check, finding.verdict) for finding in report.findings} == {(reg.LEFT_OUT, CANNOT_TELL)}
    text = "it was dealt with switch hands (633c.4); its wagers are not settled."
    assert [finding.sentence for finding in report.findings] == [f"Round {number}: {text}" for number in (1, 2, 3, 4)]


@pytest.mark.clause("633c.5(a)", "633c.5(w)#1", "633c.5(cc)")
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["hybrid", "hybrid-no-hole"])
def test_a_hybrid_table_that_is_dealt_and_paid_by_the_book_is_verified(name: str, seed: int) -> None:
    report = judged(name, seed, required=True, rounds=8)
    assert [finding.sentence for finding in report.findings] == [] and report.verdict == "verified"


@pytest.mark.parametrize(
    ("name", "plant", "clause"),
    [
        ("hybrid", "blackjack_paid_6_to_5", "633c.5(p)(1)"),
        ("hybrid-no-hole", "push_paid", "633c.5(t)(2)"),
    ],
)
def test_a_wrong_payment_at_a_hybrid_table_is_found(name: str, plant: str, clause: str) -> None:
    found = {
        finding.clause
        for seed in (1, 2, 3, 4)
        for finding in judged(name, seed, plants=(WagerPlant(plant),), rounds=20).findings
        if finding.verdict == BREACH
    }
    assert clause in found
