"""Simulated sessions with a table record: what is dealt by the book has no finding, and none says what is not so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from in_process_shoe import InProcessShoe
from shoesim.scenario import PRESETS, run_scenario
from shoetool.cli.wager_record import at_the_table, rules_values
from shoetool.judge import registry_table as reg
from shoetool.rules.submission.file import from_values
from shoetool.verify import BREACH, CANNOT_TELL, Report, verify
from table_session import judge_of, recorded


def judged(name: str, seed: int, required: bool = False, **changes: int) -> Report:
    """The scenario of this name, dealt and paid at the table that `simulate --table-record` takes for it."""
    print("seed", seed)
    rules = from_values(rules_values(None, PRESETS[name]), name)
    scenario = at_the_table(replace(PRESETS[name], seed=seed, **changes), rules)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    history = tuple(shoe.history())
    _, lines = recorded(history, rules, seed)
    return verify(history, judge_of(lines, rules, required=required))


@pytest.mark.clause("633a.2(a)", "633a.12(b)(1)", "633a.11(c) resplits")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_from_the_hand_is_seated_and_split_as_its_table_has_it(seed: int) -> None:
    """Its example has six positions and one more split, which the dealer did not know: a false breach each."""
    report = judged("from-the-hand", seed, shoes=2)
    assert [finding.sentence for finding in report.findings if finding.verdict == BREACH] == []


@pytest.mark.parametrize("name", ["switch-hands-last", "blackjack-premium"])
def test_rounds_with_switch_hands_are_counted_as_not_settled_and_are_no_findings(name: str) -> None:
    report = judged(name, 1, rounds=4)
    assert report.ok and report.verdict == "part"
    assert report.headline() == "0 findings in what can be checked; not every round is settled"
    (row,) = report.summary.left_out
    assert row.words == "settlement by the rules in 0 of 4 rounds" and row.missing == [1, 2, 3, 4]
    rows = {row.what: (row.count, row.of) for row in report.summary.evidence}
    assert rows["payments"] == (4, 4)  # what the record has of them is counted too


def test_a_round_of_the_premium_table_without_antes_is_settled_and_counted_so() -> None:
    report = judged("blackjack-premium", 20261101, rounds=10)
    (row,) = report.summary.left_out
    assert row.words == "settlement by the rules in 1 of 10 rounds"


def test_with_payments_required_each_round_with_switch_hands_is_named() -> None:
    report = judged("switch-hands-last", 1, required=True, rounds=4)
    assert {(finding.check, finding.verdict) for finding in report.findings} == {(reg.LEFT_OUT, CANNOT_TELL)}
    text = "it was dealt with switch hands (633c.4); its wagers are not settled."
    assert [finding.sentence for finding in report.findings] == [f"Round {number}: {text}" for number in (1, 2, 3, 4)]
