"""A simulated table with mystery bonuses: an honest session, and the errors that are planted in one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from shoesim.scenario import PRESETS
from shoesim.wagers import TableRecorder
from shoesim.wagers_plants import MYSTERY_PLANTS, WAGER_PLANTS, Planted, WagerPlant
from shoetool.cli import build
from shoetool.cli.wager_record import plan_wagers
from shoetool.judge import registry_table as reg
from shoetool.rules.submission.checks import refusals
from shoetool.rules.submission.rules import MysteryOffer, RulesSubmission
from shoetool.rules.wagers.mystery import ORDER
from shoetool.verify import BREACH, Finding, Report
from shoetool.verify.recorded import HIDDEN_VALUES
from table_session import judged, recorded, rules_of, session
from test_verify_table import SCHEMA
from wagers_offered import offering


def plain() -> RulesSubmission:
    """Many wagers of Blackjack, and the two that win a mystery bonus."""
    return offering(rules_of(), "jackpot_party", "super_4")


def table(name: str = "B5", paid_from: str = "slip", **choices: str) -> RulesSubmission:
    """The same with both bonuses."""
    rules = plain()
    offers = {
        "must_hit_by": MysteryOffer("jackpot_party", name, paid_from),
        "super_4_mystery": MysteryOffer("super_4", "2", "slip"),
    }
    rules = replace(rules, mysteries=offers, choices={**rules.choices, **choices})
    assert not refusals(rules)
    return rules


def openings(lines: list[dict[str, Any]]) -> int:
    return sum(len(line.get("opened", [])) for line in lines)


def hidden(report: Report) -> tuple[int, int]:
    (row,) = [one for one in report.summary.evidence if one.what == HIDDEN_VALUES]
    assert all(row.missing), "the round in which each one was committed"
    return row.count, row.of


@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#1", "633c.14(c)(3)#2", "633c.14(c)(5)(iii)", "633c.6(j)")
@pytest.mark.parametrize("order", ORDER.words)
@pytest.mark.parametrize(("name", "paid_from"), [("B5", "tray"), ("C5", "slip")])
def test_an_honest_session_with_mystery_bonuses_has_no_finding(order: str, name: str, paid_from: str) -> None:
    """Half a cent a dollar (C for $5) too: the displays tell enough of it, or the amount is told as unknown."""
    seed = 71
    rules = table(name, paid_from, mystery_order=order)
    history = session(seed=seed, shoes=2)
    _, lines = recorded(history, rules, seed)
    for line in lines:
        Draft202012Validator(SCHEMA).validate(line)
    report = judged(history, lines, rules)
    assert [finding.sentence for finding in report.findings] == []
    checked, of = hidden(report)
    assert checked == openings(lines) >= 2 and of == checked + 4  # two of each bonus are committed and not opened


@cache
def planted(name: str) -> tuple[Planted, Report]:
    """A session with this error; the seed is the first that gives an opportunity."""
    rules = table()
    for seed in range(81, 89):
        history = session(seed=seed)
        recorder, lines = recorded(history, rules, seed, [WagerPlant(name)])
        if recorder.planted:
            print("seed", seed, "planted", recorder.planted)
            (one,) = recorder.planted
            return one, judged(history, lines, rules)
    raise AssertionError(f"{name} found no opportunity in eight sessions")


NAMED = {
    "mystery_value_exchanged": [(0, reg.HIDDEN)],
    "mystery_nonce_changed": [(0, reg.HIDDEN)],
    "mystery_paid_late": [(0, reg.PAID), (1, reg.PAID)],
    "mystery_ran_on": [(1, reg.PAID), (1, reg.PASSED), (1, reg.NEVER_SETTLED)],
    "mystery_past_maximum": [(0, reg.PASSED)],
}


@pytest.mark.clause("633c.14(c)(3)#1", "633c.14(c)(3)#2", "633c.14(c)(5)(iii)")
@pytest.mark.parametrize("name", MYSTERY_PLANTS)
def test_a_planted_error_is_named_in_its_round_and_nothing_else_is(name: str) -> None:
    one, report = planted(name)

    def row(finding: Finding) -> tuple[int, str]:
        return (finding.round or 0) - one.round, finding.check

    print([finding.sentence for finding in report.findings])
    assert sorted(row(finding) for finding in report.findings if finding.round is not None) == NAMED[name]
    assert {finding.verdict for finding in report.findings} == {BREACH}
    assert {finding.clause for finding in report.findings} <= {MYSTERY_PLANTS[name].clause, "633c.6(j)"}


def test_an_error_of_a_mystery_bonus_finds_no_opportunity_at_a_table_without_one() -> None:
    history = session(seed=81)
    plants = [WagerPlant(name) for name in MYSTERY_PLANTS]
    recorder, lines = recorded(history, rules_of(), 81, plants)
    assert recorder.planted == [] and recorder.book.waiting == plants
    assert not [line for line in lines if "committed" in line or "opened" in line]
    assert judged(history, lines, rules_of()).ok


def test_a_table_without_a_mystery_bonus_is_simulated_as_before() -> None:
    """The system draws its own numbers."""
    history = session(seed=82)
    (_, without), (_, lines) = recorded(history, plain(), 82), recorded(history, table(), 82)
    bets = [[[seat.get("side", {}) for seat in line["positions"]] for line in record] for record in (without, lines)]
    assert bets[0] == bets[1]


def test_the_same_seed_draws_the_same_hidden_values() -> None:
    rules = table()
    lines = [next(iter(TableRecorder(rules, seed).lines(session(seed=83))))["committed"] for seed in (1, 1, 2)]
    assert lines[0] == lines[1] != lines[2]
    assert len({one["commitment"] for one in lines[0]}) == 4


def test_the_errors_of_mystery_bonuses_are_listed_with_the_others() -> None:
    shown = CliRunner().invoke(build(), ["simulate", "--list"]).output
    assert all(name in shown for name in (*WAGER_PLANTS, *MYSTERY_PLANTS))


def test_simulate_takes_a_table_with_a_mystery_bonus(tmp_path: Path) -> None:
    """What the plan of the command needs, without dealing on the firmware."""
    file = tmp_path / "table.toml"
    file.write_text(
        'game = "blackjack"\ndecks = 6\n[wagers.straight_jack]\n'
        'meter = { start = 5000, reset = 5000, rate = "10%" }\n'
        '[mysteries.must_hit_by]\nwager = "straight_jack"\nconfiguration = "A1"\npaid_from = "tray"\n'
    )
    scenario = replace(PRESETS["six-deck"], seed=84)
    wagers = plan_wagers(tmp_path / "night.jsonl", str(file), ["mystery_ran_on@2"], scenario)
    assert wagers is not None and wagers.plants == (WagerPlant("mystery_ran_on", 2),)
    lines = list(wagers.recorder.lines(session(seed=84)))
    assert lines[0]["table"]["mysteries"] and "committed" in lines[1]
