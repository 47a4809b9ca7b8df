"""Simulated sessions with a table record: what is dealt by the book has no finding, and none says what is not so."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from in_process_shoe import InProcessShoe
from shoesim.scenario import PRESETS, run_scenario
from shoetool.cli.wager_record import at_the_table, rules_values
from shoetool.rules.submission.file import from_values
from shoetool.verify import BREACH, CANNOT_TELL, Report
from table_session import judged as judged_with
from table_session import recorded


def judged(name: str, seed: int, **changes: int) -> Report:
    """The scenario of this name, dealt and paid at the table that `simulate --table-record` takes for it."""
    print("seed", seed)
    rules = from_values(rules_values(None, PRESETS[name]), name)
    scenario = at_the_table(replace(PRESETS[name], seed=seed, **changes), rules)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    history = tuple(shoe.history())
    _, lines = recorded(history, rules, seed)
    return judged_with(history, lines, rules)


@pytest.mark.clause("633a.2(a)", "633a.12(b)(1)", "633a.11(c) resplits")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_from_the_hand_is_seated_and_split_as_its_table_has_it(seed: int) -> None:
    """Its example has six positions and one more split, which the dealer did not know: a false breach each."""
    report = judged("from-the-hand", seed, shoes=2)
    assert [finding.sentence for finding in report.findings if finding.verdict == BREACH] == []


@pytest.mark.parametrize("name", ["switch-hands-last", "blackjack-premium"])
def test_a_round_with_switch_hands_is_not_said_to_miss_records(name: str) -> None:
    report = judged(name, 1, rounds=4)
    told = Counter((finding.verdict, finding.sentence) for finding in report.findings)
    assert {verdict for verdict, _ in told} <= {CANNOT_TELL}
    assert not [text for _, text in told if "records are missing" in text]
    assert [text for _, text in told if "dealt with switch hands (633c.4); its wagers are not settled" in text]
