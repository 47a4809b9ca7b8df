"""A wager's facts stand in its declaration: a made-up plain one and a made-up progressive one work everywhere at once.

Nothing but `made_up_wagers` names them: one declaration and one paytable each.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from made_up_wagers import made_up
from shoetool.cli import build
from shoetool.judge import registry_table as reg
from shoetool.rules.submission.file import SubmissionError, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS
from short_shoe import Short
from table_case import event, findings, line, seat, usual_round

__all__ = ["made_up"]
pytestmark = pytest.mark.usefixtures("made_up")

TABLE = """
game = "blackjack"
decks = 6

[wagers.royal_visit]
paytable = "A"
min = 5
max = 50

[wagers.king_hunt]
min = 1
max = 5
meter = { start = 2000, reset = 2000, rate = "10%" }
"""
SIDE = {"royal_visit": "10.00", "king_hunt": "5.00"}
ROUND = {
    "format": "shoetool-round/1",
    "cards": ["K♣", "9♣", "7♣", "8♣", "K♦", "K♥"],
    "positions": [
        {"position": 1, "wager": "10.00", "side": SIDE, "decisions": ["stand"]},
        {"position": 2, "wager": "10.00", "side": {"king_hunt": "1.00"}, "decisions": ["stand"]},
    ],
    "meters": {"king_hunt": "2500.00"},
    "paid": [{"position": 1, "wager": "royal_visit", "amount": "15.00"}],
}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def refused(text: str) -> list[tuple[str, str]]:
    with pytest.raises(SubmissionError) as caught:
        parse(text)
    return [(one.where, one.clause) for one in caught.value.refusals]


def test_no_module_but_the_declarations_names_a_wager() -> None:
    """`super_match` is also a word of the setting `switch_side_wagers`, 633a.12(a)(2)."""
    tools = Path(__file__).parents[2] / "host_tools"
    found = {
        (str(path.relative_to(tools)), node.value)
        for part in ("shoetool", "shoesim")
        for path in (tools / part).rglob("*.py")
        if path.parent.name != "wagers"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in WAGERS
    }
    assert found == {("shoetool/rules/submission/rules.py", "super_match")}


def test_a_submission_offers_them_with_a_letter_and_a_meter() -> None:
    rules = parse(TABLE)
    assert rules.wagers["royal_visit"].maximum == 50_00
    assert rules.meters["king_hunt"].start == 2_000_00
    assert refused(TABLE.replace('paytable = "A"\n', "")) == [("wagers.royal_visit", "633a.13(p)")]
    assert refused(TABLE.replace("start = 2000", "start = 1999")) == [("wagers.king_hunt.meter.start", "633a.13(q)(2)")]
    assert refused(TABLE.replace('game = "blackjack"', 'game = "spanish_21"')) == [
        ("wagers.royal_visit", "633a.6(e)(13)"),
        ("wagers.king_hunt", "633a.6(e)(14)"),
    ]


def test_the_layout_and_the_settings_that_matter_follow_the_declaration(tmp_path: Path) -> None:
    asked = {(need.what, need.clause) for need in needs(parse(TABLE))}
    assert ("for each player an area for the Royal Visit Wager", "633a.2(b)(4)-(9), (11)-(14)") in asked
    assert ("a hunter for the King Hunt Progressive Wager", "633a.2(d)(4)") in asked
    path = tmp_path / "table.toml"
    path.write_text(TABLE)
    shown = run("table", path)
    assert shown.exit_code == 0, shown.output
    assert "meter_counts_round" in shown.output


@pytest.mark.parametrize(("key", "title"), [("royal_visit", "Royal Visit Wager"), ("king_hunt", "King Hunt Progress")])
def test_paytables_prints_them(key: str, title: str) -> None:
    text = run("paytables", "--wager", key)
    assert (text.exit_code, title in text.output) == (0, True)
    assert title in run("paytables").output
    (table, *_) = json.loads(run("paytables", "--wager", key, "--json").output)["paytables"]
    assert table["wager"] == key


def test_a_round_file_is_settled_with_their_clauses_and_what_was_paid_is_compared(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(TABLE)
    (tmp_path / "round.json").write_text(json.dumps(ROUND))
    found = run("settle", tmp_path / "round.json", "--table", tmp_path / "table.toml", "--json")
    assert found.exit_code == 0, found.output
    settled = json.loads(found.output)["files"][0]["rounds"][0]["settled"]
    lines = [
        (one["position"], one["wager"], one["outcome"], one["net"], one["clause"], one["source"])
        for one in settled["lines"]
        if one["wager"] != "main"
    ]
    assert lines == [
        (1, "royal_visit", "one_king", 15_00, "633a.7(g)(11)", "tray"),
        (2, "king_hunt", "king_in_two_cards", 1_250_00 - 1_00, "633a.7(o)(4)(i)", "meter"),
        (1, "king_hunt", "king_in_two_cards", 1_250_00 - 5_00, "633a.7(o)(4)(i)", "meter"),
        (None, "king_hunt", "meter_reset", 2_000_00, "633a.13(q)(2)", "house"),
    ]
    assert settled["meters"] == {"king_hunt": 2_000_00 - 2_500_00}
    assert "Royal Visit" in run("settle", tmp_path / "round.json", "--table", tmp_path / "table.toml").output


def verified(*events: dict[str, Any], meter: str = "2500.00", paid: str = "15.00") -> list[tuple[str, str]]:
    """(clause, check) of what the record of the usual round, with both wagers, is held against."""
    s = Short()
    usual_round(s)
    s.end()
    seats = seat(1, "stand", side=SIDE), seat(2, "stand")
    whole = f"{float(meter) - 5:.2f}"
    payments = [{"position": 1, "wager": key, "amount": won} for key, won in zip(SIDE, (paid, whole), strict=True)]
    told = line(1, *seats, meters={"king_hunt": meter}, events=list(events), paid=payments)
    rules: RulesSubmission = parse(TABLE)
    of_them = ("Royal Visit", "King Hunt")
    return [
        (one.clause, one.check) for one in findings(s, [told], rules) if any(name in one.sentence for name in of_them)
    ]


def settling(royal_visit: int, king_hunt: int) -> list[dict[str, Any]]:
    """The events that settle what lies at both positions, after so many cards."""
    checks = [event("verified", 1), event("floorperson", 1)]
    after = [event("settled", 1, "king_hunt", after_card=king_hunt)]
    return [event("settled", 1, "royal_visit", after_card=royal_visit), *checks, *after]


def test_verify_reads_their_record_and_finds_nothing_in_a_good_one() -> None:
    assert verified(*settling(6, 6)) == []


def test_verify_names_a_wrong_payment_and_each_breach_by_the_declared_clause() -> None:
    assert [check for _, check in verified(*settling(6, 6), paid="20.00")] == [reg.PAID]
    assert verified(*settling(6, 6), meter="1500.00") == [("633a.13(q)(2)", reg.METER)]
    late = event("bet_placed", 1, "king_hunt", after_card=1)
    assert verified(event("bets_closed", after_card=0), late, *settling(6, 6)) == [("633a.2(d)(3)", reg.LOCKED)]
    unchecked = [one for one in settling(6, 6) if one["event"] != "verified"]
    assert verified(*unchecked) == [("633a.7(o)(4)(ii)(A)", reg.VERIFIED)]
    assert [check for _, check in verified(*settling(3, 6))] == [reg.EARLY]
