"""`shoetool table`: examples that can be used, every refusal with its line, clause and what to do, and JSON."""

from __future__ import annotations

import json
import re
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.rules.submission.file import example_names, parse

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "regulation"))

from submission_document import tables  # noqa: E402

SCHEMA = Draft202012Validator(json.loads((resources.files("shoetool") / "schemas" / "table.schema.json").read_text()))
BAD = """game = "blackjack"
decks = 7
shoe = "double"
surender = "none"
chip_unit = 2.5

[wagers.bad_beat]
meter = { start = 1000, reset = 6000, rate = "10%" }

[wagers.bet_the_set_21]
paytable = "A"
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def checked(tmp_path: Path, text: str, *options: str) -> Result:
    path = tmp_path / "t.toml"
    path.write_text(text)
    return run("table", path, *options)


def document(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    SCHEMA.validate(found)
    return found


@pytest.mark.parametrize("name", example_names())
def test_an_example_is_commented_cites_clauses_and_can_be_used(name: str, tmp_path: Path) -> None:
    text = run("table", "--example", name).stdout
    assert text.startswith("# ") and len(re.findall(r"\b(633a|633c|590|635a)\.\d+", text)) >= 5
    result = checked(tmp_path, text)
    assert result.exit_code == 0 and result.stdout.endswith("t.toml: usable, 0 refusals\n")
    found = document(checked(tmp_path, text, "--json"))
    assert found["usable"] and found["refusals"] == []
    assert found["submission"]["wagers"].keys() == parse(text).wagers.keys()


def test_every_refusal_is_shown_with_line_clause_and_what_to_do(tmp_path: Path) -> None:
    result = checked(tmp_path, BAD)
    assert result.exit_code == 1
    heads = re.findall(r"REFUSED  (\S+)(?:  line (\d+))?(?:  (633a.*))?$", result.stdout, re.M)
    assert heads == [
        ("red_side", "", "633a.7(d)(1) mapping"),
        ("decks", "2", "633a.3(c) decks"),
        ("surender", "4", ""),
        ("chip_unit", "5", "633a.8(b) amount"),
        ("wagers.bad_beat.meter.start", "8", "633a.13(j)(2)"),
        ("wagers.bet_the_set_21.paytable", "11", "633a.13(g)(1)"),
    ]
    assert "Did you mean surrender?" in result.stdout
    assert "Write 5000 or more" in result.stdout
    assert 'With 7 decks write "C" or "D"' in result.stdout
    assert result.stdout.endswith("not usable, 6 refusals\n")


def test_the_refusals_as_json(tmp_path: Path) -> None:
    result = checked(tmp_path, BAD, "--json")
    assert result.exit_code == 1
    found = document(result)
    assert not found["usable"] and len(found["refusals"]) == 6
    assert all(one["what"] and one["do"] for one in found["refusals"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["game: ", "decks: "]),
        ('game = "blackjak"\ndecks = 6', ["did you mean blackjack?"]),
        ('game = "blackjack"\ndecks = "six"', ["'six' is not a whole number"]),
        ('game = "blackjack"\ndecks = true', ["true is not a whole number"]),
        ('game = "blackjack"\ndecks = 6\neven_money = "yes"', ["'yes' is neither true nor false"]),
        ('game = "blackjack"\ndecks = 6\nwagers = 3', ["3 is not a table"]),
        ('game = "blackjack"\ndecks = 6\n[wagers]\nlucky_ladies = 5', ["5 is not a table"]),
        ('game = "blackjack"\ndecks = 6\nmin_wager = "-5"', ["'-5' is not an amount of money"]),
        ('game = "blackjack"\ndecks = 6\nhouse_money_portion = "3/2"', ["'3/2' is not a part of the winnings"]),
    ],
)
def test_wrong_types_and_missing_keys_are_named(text: str, words: list[str], tmp_path: Path) -> None:
    found = document(checked(tmp_path, text, "--json"))["refusals"]
    said = " | ".join(f"{one['where']}: {one['what']}" for one in found)
    assert all(word in said for word in words), said


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"game = ", "not TOML: Invalid value (at end of document)"),
        (b"[wagers", "not TOML: "),
        (b"\xff", "not UTF-8 text"),
        (b"a = " + b"[" * 5000, "not TOML: nested too deeply"),
        (b"a = 1" + b"0" * 5000, "not TOML: a number of too many digits"),
        (b"#" * 70000, "longer than 65536 bytes"),
    ],
)
def test_what_is_no_toml_is_bad_input(data: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_bytes(data)
    result = run("table", path)
    assert result.exit_code == 2 and words in result.stderr and len(result.stderr.splitlines()) == 1


def test_usage_and_names_that_do_not_exist(tmp_path: Path) -> None:
    for words, told in (
        (["table"], "name a file, or one of --example NAME and --list"),
        (["table", "--example", "spanish"], "did you mean spanish-21?"),
        (["table", "none.toml"], "no such file"),
        (["table", str(tmp_path)], "is a directory"),
    ):
        result = run(*words)
        assert result.exit_code == 2 and told in result.stderr and len(result.stderr.splitlines()) == 1


def test_an_example_is_found_by_the_name_of_its_game_too() -> None:
    assert run("table", "--example", "free_bet").stdout == run("table", "--example", "free-bet").stdout


def test_the_list_names_every_example() -> None:
    assert [line.split()[0] for line in run("table", "--list").stdout.splitlines()] == list(example_names())
    assert [one["name"] for one in document(run("table", "--list", "--json"))["examples"]] == list(example_names())


def test_the_tables_of_the_format_document_are_those_of_the_settings() -> None:
    """`python tests/regulation/submission_document.py` prints them anew."""
    text = (ROOT / "host_tools" / "SUBMISSION_FORMAT.md").read_text()
    for heading, lines in tables().items():
        section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
        assert "\n".join(lines) in section, heading


def test_the_example_of_the_format_document_can_be_used() -> None:
    text = (ROOT / "host_tools" / "SUBMISSION_FORMAT.md").read_text()
    parse(re.findall(r"^```toml\n(.*?)^```", text, re.M | re.S)[0])


def test_the_layout_names_areas_devices_and_every_payout_with_its_clause(tmp_path: Path) -> None:
    text = run("table", "--example", "blackjack").stdout
    shown = " ".join(checked(tmp_path, text, "--layout").stdout.split())
    for words in (
        "layout for each player an area for the Lucky Ladies Twenty Point Bonus Wager 633a.2(b)(4)-(9), (11)-(14)",
        "Queen of hearts pair and dealer Blackjack 1,000 to 1",
        "device a discard rack as high as 6 decks",
    ):
        assert words in shown
    found = document(checked(tmp_path, text, "--layout", "--json"))
    assert {need["where"] for need in found["layout"]} == {"layout", "layout or sign", "device", "cards"}
    assert "layout" not in document(checked(tmp_path, text, "--json"))
    assert document(checked(tmp_path, BAD, "--layout", "--json"))["layout"] == []


@pytest.mark.parametrize("options", [(), ("--layout",)])
@pytest.mark.parametrize("name", example_names())
def test_a_submission_is_readable_at_80_columns(
    name: str, options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoetool.cli.output.PIPE_WIDTH", 80)
    lines = checked(tmp_path, run("table", "--example", name).stdout, *options).stdout.splitlines()
    assert max(len(line) for line in lines[:-1]) <= 80


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'game = "blackjack"\ndecks = 4\n[wagers.match_the_dealer]\n',
            "Take the wager out, or use six decks or eight decks",
        ),
        ('game = "blackjack"\ndecks = 6\nmin_wager = 2026-11-20\n', "2026-11-20 is not an amount of money"),
    ],
)
def test_refusals_are_in_words_that_people_use(text: str, words: str, tmp_path: Path) -> None:
    assert words in checked(tmp_path, text).stdout


@pytest.mark.parametrize(
    ("wager", "keys"),
    [
        ("lucky_ladies", "min, max"),
        ("royal_match_21", "paytable, min, max, crown_treasure"),
        ("bad_beat", "min, max, linked, player_20, magic_card, lucky_player, meter"),
        ("hit_and_run", "min, max, linked, meter"),
    ],
)
def test_an_unknown_key_of_a_wager_is_told_the_keys_of_that_wager(wager: str, keys: str, tmp_path: Path) -> None:
    text = f'game = "blackjack"\ndecks = 6\n[wagers.{wager}]\nzzz = 1\n'
    (found,) = [
        one for one in document(checked(tmp_path, text, "--json"))["refusals"] if one["where"] == f"wagers.{wager}.zzz"
    ]
    assert found["do"] == f"there are {keys}"


@pytest.mark.parametrize("word", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("key", ["decks", "min_wager", "game", "even_money", "house_money_portion"])
def test_a_float_that_is_no_number_is_quoted_as_it_was_written(key: str, word: str, tmp_path: Path) -> None:
    values = {"game": '"blackjack"', "decks": "6", key: word}
    text = "".join(f"{name} = {value}\n" for name, value in values.items())
    shown = checked(tmp_path, text).stdout
    assert f'"{word}" is ' in shown and "Nan" not in shown and "Inf" not in shown
