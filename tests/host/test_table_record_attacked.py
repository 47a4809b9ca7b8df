"""`verify` with table records that lie or cannot be settled: nothing wrong passes, and nobody is accused wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shoesim.scenario import Scenario
from shoetool.cli.wager_record import plan_wagers
from shoetool.judge import registry_table as reg
from shoetool.model.money import cents
from shoetool.model.protocol_table import Game
from shoetool.round_file.file import FORMAT, BadLine, each_record, paid_keys
from table_session import judged, recorded, rules_of, session


@pytest.mark.clause("633a.13(a)")
def test_a_wager_that_was_paid_twice_is_named_with_the_sum() -> None:
    history, rules = session(seed=61), rules_of()
    _, lines = recorded(history, rules, 61)
    twice = next(one for line in lines for one in line["paid"] if cents(one["amount"].lstrip("+-")) > 0)
    planted = [{**line, "paid": [*line["paid"], twice] if twice in line["paid"] else line["paid"]} for line in lines]
    assert len(planted) == len(lines) and planted != lines
    findings = judged(history, planted, rules).findings
    assert findings and {finding.check for finding in findings} == {reg.PAID}
    payment = findings[0].payment
    assert payment is not None and payment.paid == 2 * payment.due


def test_a_round_that_cannot_be_settled_accuses_nobody_of_its_wagers() -> None:
    """A wager that does not exist is named; that the others were settled is no finding then."""
    history, rules = session(seed=61), rules_of()
    _, lines = recorded(history, rules, 61)
    changed = json.loads(json.dumps(lines))
    changed[2]["positions"][0].setdefault("side", {})["nowhere"] = "5.00"
    assert any(event["event"] == "settled" for event in changed[2]["events"])
    findings = judged(history, changed, rules).findings
    assert findings and not any("had not been placed" in finding.sentence for finding in findings), findings
    assert any("'nowhere' is not offered" in finding.sentence for finding in findings)


def test_a_payment_for_a_wager_that_no_game_has_is_refused_with_its_place() -> None:
    """A misspelt key with 0 would hide what was due."""
    line = {"history": {"round": 1}, "positions": [{"position": 1, "wager": "25.00"}]}
    paid = [{"position": 1, "wager": "lucky_ladys", "amount": "0"}]
    (bad,) = each_record([json.dumps({"format": FORMAT, **line, "paid": paid})], "r")
    assert isinstance(bad, BadLine)
    assert "paid[0].wager: 'lucky_ladys' is no key of a wager; did you mean lucky_l" in str(bad.error)


def test_errors_without_an_opportunity_are_named_as_they_were_asked_for(tmp_path: Path) -> None:
    wagers = plan_wagers(tmp_path / "r.jsonl", None, ["overpaid", "underpaid@3"], Scenario())
    assert wagers is not None and wagers.write([]) == ["overpaid", "underpaid@3"]


@pytest.mark.parametrize("game", [Game.BLACKJACK, Game.FREE_BET, Game.SPANISH_21])
def test_every_wager_of_a_settlement_may_be_named_by_a_payment(game: Game) -> None:
    history, rules = session(game, 61), rules_of(game)
    _, lines = recorded(history, rules, 61)
    keys = {one["wager"] for line in lines for one in line["paid"]}
    assert keys <= set(paid_keys()) and {"main", "double"} <= keys
