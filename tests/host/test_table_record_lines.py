"""Lines of a table record that are out of place, stand twice or tell of what the table has not: only they are named."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from shoetool.regulation.submission.rules import RulesSubmission
from shoetool.verify import CANNOT_TELL, Finding, Report
from shoetool.verify import registry_table as reg
from table_session import judge_of, judged, recorded, rules_of, session

SEED = 61


def lines_of(shoes: int, told: bool) -> tuple[Any, RulesSubmission, list[dict[str, Any]]]:
    """A session with its record, with the number of the shoe in each line or without."""
    history, rules = session(seed=SEED, shoes=shoes), rules_of()
    _, lines = recorded(history, rules, SEED)
    found = copy.deepcopy(lines)
    shoe, before = 1, 0
    for line in found:
        number = line["history"]["round"]
        shoe, before = shoe + (number < before), number
        line["history"] = {"shoe": shoe, "round": number} if told else {"round": number}
    assert shoe == shoes and not judged(history, found, rules).findings
    return history, rules, found


def of_rounds(report: Report) -> list[Finding]:
    assert {finding.check for finding in report.findings} == {reg.ROUNDS}, report.findings
    assert all(finding.verdict == CANNOT_TELL for finding in report.findings)
    return list(report.findings)


@pytest.mark.clause("633a.7(s)")
@pytest.mark.parametrize("shoes", [1, 2])
@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("at", [0, 1, 4])
@pytest.mark.parametrize("wrong", ["round", "shoe", "inserted"])
def test_a_line_of_a_wrong_round_costs_no_other_line(wrong: str, at: int, told: bool, shoes: int) -> None:
    history, rules, lines = lines_of(shoes, told)
    if wrong == "shoe":
        if not told:
            return
        lines[at]["history"]["shoe"] = 77
    else:
        if wrong == "inserted":
            lines.insert(at, copy.deepcopy(lines[at]))
        lines[at]["history"]["round"] = 999
    report = judged(history, lines, rules)
    found = of_rounds(report)
    assert f"Line {at + 1} of the table record is for round" in "".join(one.sentence for one in found)
    assert len(found) == (1 if wrong == "inserted" else 2), found
    assert report.summary.table_rounds == report.summary.rounds - (wrong != "inserted")


@pytest.mark.clause("633a.7(s)")
def test_two_lines_of_a_wrong_shoe_cost_no_other_line() -> None:
    history, rules, lines = lines_of(2, told=True)
    for at in (2, 3):
        lines[at]["history"]["shoe"] = 77
    report = judged(history, lines, rules)
    assert report.summary.table_rounds == report.summary.rounds - 2
    of_rounds(report)


@pytest.mark.clause("633a.7(s)")
@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("at", [3, -1])
def test_a_second_line_with_other_payments_is_named_and_none_is_chosen(at: int, told: bool) -> None:
    history, rules, lines = lines_of(1, told)
    at %= len(lines)
    for first in (False, True):  # whichever of the two is the wrong one
        twice = copy.deepcopy(lines)
        other = copy.deepcopy(twice[at])
        other["positions"][0]["wager"] = "99.00"
        other["paid"] = [{"position": other["positions"][0]["position"], "amount": "+1000.00"}]
        twice.insert(at if first else at + 1, other)
        report = judged(history, twice, rules)
        (finding,) = of_rounds(report)
        assert f"ines {at + 1} and {at + 2} of the table record are both for this round and differ" in finding.sentence
        assert finding.round == lines[at]["history"]["round"]


@pytest.mark.clause("633a.7(s)")
def test_a_line_that_stands_twice_is_named_and_its_round_is_judged() -> None:
    history, rules, lines = lines_of(1, told=True)
    lines[4]["paid"] = [{"position": lines[4]["positions"][0]["position"], "amount": "+1000.00"}]
    lines.insert(4, copy.deepcopy(lines[4]))
    report = judged(history, lines, rules)
    sentences = [finding.sentence for finding in report.findings]
    assert any("ines 5 and 6 of the table record are both for this round and say the same" in one for one in sentences)
    assert any("+1,000.00 paid" in one for one in sentences)


@pytest.mark.clause("633a.6(e)")
def test_a_meter_of_a_wager_that_the_table_does_not_offer_is_named_once() -> None:
    history, rules, lines = lines_of(1, told=False)
    for line in lines:
        line.setdefault("meters", {})["push_22"] = "100.00"
    (finding,) = judged(history, lines, rules).findings
    assert finding.check == reg.SIDE_WAGER and finding.clause == "633a.6(e)"
    assert "meter of Push 22, which this table does not offer (it has: Bad Beat Progressive" in finding.sentence
    judge = judge_of(lines, rules)
    assert judge.matched == 0
