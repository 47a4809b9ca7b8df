"""`verify --table-record` and `simulate --table-record` as a user types them: what they print, and how they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from histories import IDENTITY, cut_pages
from jsonschema import Draft202012Validator
from shoesim.wagers import TableRecorder
from shoesim.wagers_plants import WagerPlant
from shoetool.cli import build
from shoetool.history.store import ShoelogWriter
from shoetool.model.protocol_table import Game
from shoetool.rules.submission.file import example, parse
from table_session import session

SCHEMAS = Path(__file__).resolve().parents[2] / "host_tools/shoetool/schemas"
RULES = parse(example("blackjack"), "blackjack")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def files(folder: Path, *plants: str, table: str | None = "blackjack", seed: int = 71) -> tuple[Path, Path]:
    """A history, and the table record of its session with these errors in it."""
    history, record = folder / "night.shoelog", folder / "night.jsonl"
    records = list(session(Game.BLACKJACK, seed))
    with ShoelogWriter(history, sync=False) as writer:
        writer.set_identity(IDENTITY)
        for page in cut_pages(records, 0, 3, bytes(32)):
            writer.append_page(page)
    recorder = TableRecorder(RULES, seed, [WagerPlant(name) for name in plants], table=table)
    lines = list(recorder.lines(records, 3))
    assert len(recorder.planted) == len(plants)
    record.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8")
    return history, record


def document(result: Result, name: str = "verify") -> Any:
    found = json.loads(result.stdout)
    Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))).validate(found)
    return found


def test_a_clean_session_is_verified_with_its_record(tmp_path: Path) -> None:
    history, record = files(tmp_path)
    result = run("verify", history, "--table-record", record)
    assert result.exit_code == 0, result.output
    assert "verified, 0 findings" in result.stdout and "of them with the table record" in result.stdout


def test_a_wrong_payment_is_shown_with_its_clause_and_leaves_with_1(tmp_path: Path) -> None:
    history, record = files(tmp_path, "overpaid")
    result = run("verify", history, "--table-record", record)
    assert result.exit_code == 1
    assert "BREACH" in result.stdout and "was due" in result.stdout and "paid" in result.stdout
    found = document(run("verify", history, "--table-record", record, "--json"))
    (finding,) = found["files"][0]["report"]["findings"]
    assert finding["payment"]["paid"] - finding["payment"]["due"] == 500
    assert finding["clause"].startswith("633a.")
    assert found["files"][0]["report"]["summary"]["table_rounds"] > 5


def test_the_rules_submission_may_be_a_file_an_example_or_in_the_record(tmp_path: Path) -> None:
    history, record = files(tmp_path, table=None)
    refused = run("verify", history, "--table-record", record)
    assert refused.exit_code == 2 and "--table" in refused.stderr and "line 1" in refused.stderr
    assert run("verify", history, "--table-record", record, "--table", "blackjack").exit_code == 0
    rules = tmp_path / "table-7.toml"
    rules.write_text(example("blackjack"), encoding="utf-8")
    assert run("verify", history, "--table-record", record, "--table", rules).exit_code == 0
    lines = record.read_text(encoding="utf-8").splitlines()
    record.write_text("\n".join(['{"format": "shoetool-round/1", "table": "table-7.toml"}', *lines]), encoding="utf-8")
    assert run("verify", history, "--table-record", record).exit_code == 0, "a path beside the record"
    other = run("verify", history, "--table-record", record, "--table", "switch")
    assert other.exit_code == 1 and "the rules submission is for switch" in other.stdout


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "no such file"),
        ("{", "line 1"),
        ('{"format": "shoetool-round/2"}', "shoetool-round/1"),
        ('{"format": "shoetool-round/1", "positions": []}', "positions"),
        ('{"format": "shoetool-round/1", "table": "blackjack", "positions": [{"position": 1, "wager": 1.5}]}', "exact"),
        ('{"format": "shoetool-round/1", "table": "nowhere.toml", "history": {"round": 1}, "positions": []}', "pos"),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, content: str | None, why: str) -> None:
    history, _ = files(tmp_path)
    record = tmp_path / "other.jsonl"
    if content is not None:
        record.write_text(content, encoding="utf-8")
    result = run("verify", history, "--table-record", record)
    assert result.exit_code == 2 and why in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1 and "Traceback" not in result.output


def test_a_table_without_a_record_is_refused(tmp_path: Path) -> None:
    history, _ = files(tmp_path)
    result = run("verify", history, "--table", "blackjack")
    assert result.exit_code == 2 and "--table-record" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--table", "blackjack"), "--table-record"),
        (("--wager-error", "overpaid"), "--table-record"),
        (("--table-record", "{0}/r.jsonl", "--wager-error", "no_such"), "no_such"),
        (("--table-record", "{0}/r.jsonl", "--table", "spanish-21"), "Spanish 21|spanish|decks|game"),
        (("--table-record", "{0}/none/r.jsonl"), "no such folder"),
        (("--table-record", "{0}/there.jsonl"), "never overwritten"),
        (("--table-record", "{0}/r.jsonl", "--serve"), "--serve"),
        (("--table-record", "{0}/r.jsonl", "--table", "double-shoe"), "double shoe"),
    ],
)
def test_what_cannot_be_simulated_is_refused_before_anything_is_dealt(
    tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    (tmp_path / "there.jsonl").write_text("mine\n", encoding="utf-8")
    asked = [argument.format(tmp_path) for argument in arguments]
    result = run("simulate", "six-deck", "--out", tmp_path / "out", *asked)
    assert result.exit_code == 2, result.output
    assert any(word in result.stderr for word in why.split("|")), result.stderr
    assert not (tmp_path / "out").exists() and (tmp_path / "there.jsonl").read_text(encoding="utf-8") == "mine\n"


@pytest.mark.parametrize(("scenario", "rounds"), [("six-deck", 6), ("spanish-21", 4)])
def test_what_was_simulated_verifies_but_for_the_planted_errors(tmp_path: Path, scenario: str, rounds: int) -> None:
    """Deals on the real firmware: a shoe of a few rounds, its record, and `verify` as the last line tells it."""
    out, record = tmp_path / "out", tmp_path / "night.jsonl"
    result = run(
        *("simulate", scenario, "--rounds", rounds, "--seed", 5, "--out", out, "--json"),
        *("--table-record", record, "--wager-error", "overpaid@2"),
    )
    assert result.exit_code == 0, result.output
    told = document(result, "simulate")
    assert told["table_record"] == str(record) and told["not_planted"] == []
    (planted,) = told["wager_errors"]
    found = document(run("verify", *told["files"], "--table-record", record, "--json"))
    findings = [finding for file in found["files"] for finding in file["report"]["findings"]]
    assert [(finding["round"], "payment" in finding) for finding in findings] == [(planted["round"], True)]


def test_the_errors_that_can_be_planted_are_listed() -> None:
    shown = run("simulate", "--list").stdout
    assert "blackjack_paid_6_to_5" in shown and "633a.8(b) timing" in shown
    assert any(
        row["name"] == "overpaid" for row in document(run("simulate", "--list", "--json"), "scenarios")["wager_errors"]
    )
