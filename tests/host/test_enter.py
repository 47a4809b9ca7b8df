"""`shoetool enter`: a person answers questions, and a round file comes out that settles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from evidence_files import kind_at
from shoetool.cli import build
from shoetool.model.file_kinds import ROUND

DISPUTE = [
    *("blackjack", "Table 7, 21:14", "9S 7D KC"),
    *("3", "", "25", "", "AC JD", "", "", "+25"),
    *("5", "Bob", "40", "lucky_ladies 5", "10C 6D 5H", "", "hit", ""),
    "",
]


def enter(out: Path, answers: list[str], *more: str) -> Result:
    words = ["enter", "--out", str(out), *more]
    return CliRunner().invoke(build(), words, input="\n".join(answers) + "\n")


def test_the_answers_become_a_file_that_settles_as_it_was_shown(tmp_path: Path) -> None:
    out = tmp_path / "dispute.json"
    found = enter(out, DISPUTE)
    assert found.exit_code == 1 and "DIFFERS" in found.stdout, found.output
    document = json.loads(out.read_text(encoding="utf-8"))
    assert kind_at(out) is ROUND and "is there already" in enter(out, DISPUTE).stderr
    assert document["positions"][1] == {
        "position": 5,
        "player": "Bob",
        "wager": "40",
        "side": {"lucky_ladies": "5"},
        "hands": "10C 6D 5H",
        "decisions": ["hit"],
    }
    assert document["paid"] == [{"position": 3, "amount": "+25"}]
    again = CliRunner().invoke(build(), ["settle", str(out)])
    assert again.exit_code == 1 and again.stdout.removesuffix("1 payment not as due\n") in found.stdout


def test_an_answer_that_cannot_be_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    answers = ["blackjak", *DISPUTE[:2], "9S 7X", DISPUTE[2], "8", *DISPUTE[3:5], "much", *DISPUTE[5:]]
    found = enter(tmp_path / "r.json", answers)
    said = found.stderr
    assert found.exit_code == 1 and (tmp_path / "r.json").exists()
    for told in ("neither a file nor an example", "'7X' is not a card", "'8' is no position", "not an amount of money"):
        assert told in said


def test_what_cannot_be_left_out_is_asked_for_again_with_the_reason(tmp_path: Path) -> None:
    """The dealer's hand, a main wager and a first hand."""
    answers = [*DISPUTE[:2], "", *DISPUTE[2:5], "", *DISPUTE[5:7], "", *DISPUTE[7:]]
    found = enter(tmp_path / "r.json", answers)
    assert found.exit_code == 1 and "DIFFERS" in found.stdout, found.output
    assert found.stderr.count("this cannot be left out") == 3


def test_what_the_rules_do_not_allow_is_entered_again(tmp_path: Path) -> None:
    wrong = [*DISPUTE[:-3], "stand", "", "", "5", "", "40", "", "10C 6D 5H", "", "hit", "+40"]
    found = enter(tmp_path / "r.json", wrong)
    assert "has 5♥ listed too" in found.stderr and "position 5  10♣ 6♦ 5♥  21" in found.stdout
    document = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert len(document["positions"]) == 2 and document["positions"][1]["decisions"] == ["hit"]


def test_insurance_is_asked_for_with_an_ace_up(tmp_path: Path) -> None:
    answers = ["blackjack", "", "AS KC", "3", "", "25", "", "10C 9D", "", "12.50", "", "", "", ""]
    found = enter(tmp_path / "r.json", answers)
    assert found.exit_code == 0 and "insurance" in found.stdout, found.output
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["positions"][0]["insurance"] == "12.50"


def test_a_round_that_is_written_unsettled_is_not_called_right(tmp_path: Path) -> None:
    answers = ["blackjack", "", "9S 7D", "3", "", "25", "", "10C 9D", "", "", "", "", ""]
    found = enter(tmp_path / "r.json", answers)
    assert found.exit_code == 2 and "made no decision" in found.stderr, found.output
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["dealer"] == "9S 7D"


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    out.write_text("mine", encoding="utf-8")
    found = enter(out, DISPUTE)
    assert found.exit_code == 2 and "--force" in found.stderr and out.read_text(encoding="utf-8") == "mine"
    assert enter(out, DISPUTE, "--force").exit_code == 1


@pytest.mark.parametrize("until", [0, 3, 8, len(DISPUTE) - 1])
def test_who_goes_away_leaves_no_file(tmp_path: Path, until: int) -> None:
    """The answers end: Ctrl-D, or Ctrl-C at a question."""
    found = enter(tmp_path / "r.json", DISPUTE[:until])
    assert found.exit_code == 130 and not list(tmp_path.iterdir()) and "Traceback" not in found.output


def test_a_hybrid_table_is_refused_before_the_questions(tmp_path: Path) -> None:
    found = enter(tmp_path / "r.json", [], "--table", "hybrid")
    assert found.exit_code == 2 and "cards are shared" in found.stderr
