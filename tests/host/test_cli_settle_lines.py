"""`shoetool settle` on JSON Lines: a line that cannot be read is named, the others are settled."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from shoetool.cli import build

DOCUMENT = Draft202012Validator(
    json.loads((resources.files("shoetool") / "schemas" / "settle.schema.json").read_text())
)
HEAD = '{"format": "shoetool-round/1", "table": "blackjack"}'
# 10 and 9 against the dealer's 10 and 8: 25.00 won.
PLAIN = '{"cards": ["10H", "10S", "9H", "8S"], "positions": [{"position": 1, "wager": 25, "decisions": ["stand"]}]}'


def settle(tmp_path: Path, *lines: str, options: tuple[str, ...] = ()) -> Result:
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join(lines))
    return CliRunner().invoke(build(), ["settle", str(path), *options])


def rounds(result: Result) -> list[dict[str, Any]]:
    document = json.loads(result.stdout)
    DOCUMENT.validate(document)
    found: list[dict[str, Any]] = document["files"][0]["rounds"]
    return found


def test_one_bad_line_is_named_and_does_not_stop_the_rest(tmp_path: Path) -> None:
    for bad, words in (
        (PLAIN[:-3], "line 3, column"),
        (PLAIN.replace("10H", "11H"), "line 3, column 12: $.cards[0]: '11H' is not a card"),
        (PLAIN.replace('"wager"', '"wagr"'), "line 3, column"),
    ):
        result = settle(tmp_path, HEAD, PLAIN, bad, PLAIN)
        assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and words in result.stderr
        assert result.stdout.endswith("2 rounds\ntray -50.00\n")
        found = rounds(settle(tmp_path, HEAD, PLAIN, bad, PLAIN, options=("--json",)))
        assert [(one["line"], one["error"] is None) for one in found] == [(2, True), (3, False), (4, True)]


def test_a_line_that_is_no_utf_8_does_not_stop_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes("\n".join((HEAD, PLAIN, PLAIN, PLAIN)).encode().replace(b"10H", b"\xff\xfe10H", 1))
    for words in (["settle", str(path)], ["settle", "-"]):
        result = CliRunner().invoke(build(), words, input=path.read_bytes())
        assert result.exit_code == 2 and result.stderr.endswith(": line 2: not UTF-8 text\n")
        assert len(result.stderr.splitlines()) == 1 and result.stdout.endswith("2 rounds\ntray -50.00\n")


def test_a_bad_first_line_does_not_stop_the_rest_either(tmp_path: Path) -> None:
    result = settle(tmp_path, PLAIN[:-3], PLAIN, options=("--table", "blackjack"))
    assert result.exit_code == 2 and "line 1, column" in result.stderr
    assert "position 1" in result.stdout and "+25.00" in result.stdout


def test_no_round_is_settled_by_the_table_before_a_line_that_may_have_set_another(tmp_path: Path) -> None:
    bad = '{"table": "spanish-21"'
    result = settle(tmp_path, HEAD, PLAIN, bad, PLAIN, '{"table": "blackjack"}', PLAIN)
    assert result.exit_code == 2
    assert "line 4: its table is not known: line 3 cannot be read, and may have set it" in result.stderr
    assert "; name it with --table\n" in result.stderr
    assert result.stdout.endswith("2 rounds\ntray -50.00\n")
    given = settle(tmp_path, HEAD, PLAIN, bad, PLAIN, options=("--table", "blackjack"))
    assert len(given.stderr.splitlines()) == 1 and given.stdout.endswith("2 rounds\ntray -50.00\n")


@pytest.mark.parametrize(
    "bad",
    [
        '{"history": {"shoe": 3, "rou',  # cut off: what is left is a round's
        '{"history": {"round": 17}}',
        '{"table": "blackjack", "cards": ["10H"]}',
        "# the second half of the night",
        "null",
        "[]",
        "{}",
        '"table"',
    ],
)
def test_a_bad_line_that_set_no_table_takes_no_round_with_it(tmp_path: Path, bad: str) -> None:
    result = settle(tmp_path, HEAD, PLAIN, bad, PLAIN, PLAIN)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and "line 3" in result.stderr
    assert result.stdout.endswith("3 rounds\ntray -75.00\n")


@pytest.mark.parametrize(
    "bad",
    [
        '{"tabel": "spanish-21"}',
        '{"history": {"shoe": 3, "rou{"table": {"game": "spanish_21", "positions": 6',  # a file put behind a cut one
        '{"table": {"game": "spanish_21", "decks": 6, "positions": 6}',
        '{"format": "shoetool-round/1", "ta',
        "\0\0\0\0",
    ],
)
def test_rounds_whose_table_a_bad_line_may_have_set_are_told_in_one_line(tmp_path: Path, bad: str) -> None:
    own = PLAIN.replace("{", '{"table": "blackjack", ', 1)
    lines = (HEAD, PLAIN, bad, PLAIN, PLAIN, own, PLAIN)
    result = settle(tmp_path, *lines)
    told = result.stderr.splitlines()
    assert result.exit_code == 2 and len(told) == 3 and "line 3" in told[0]
    text = "its table is not known: line 3 cannot be read, and may have set it; name it with --table"
    assert told[1].endswith(f"line 4: {text} (1 more line like it, to line 5)") and told[2].endswith(f"line 7: {text}")
    assert result.stdout.endswith("2 rounds\ntray -50.00\n")
    found = rounds(settle(tmp_path, *lines, options=("--json",)))
    assert [(one["line"], one["error"] is None) for one in found] == [
        *((2, True), (3, False), (4, False), (5, False), (6, True), (7, False))
    ]
    given = settle(tmp_path, *lines, options=("--table", "blackjack"))
    assert given.exit_code == 2 and len(given.stderr.splitlines()) == 1
    assert given.stdout.endswith("5 rounds\ntray -125.00\n")


def test_one_line_is_a_round_and_not_lines(tmp_path: Path) -> None:
    for lines in ((HEAD,), ("", HEAD, "")):
        result = settle(tmp_path, *lines)
        assert result.exit_code == 2 and "no positions; a round needs at least one" in result.stderr
    result = settle(tmp_path, HEAD, HEAD)
    assert result.exit_code == 2 and "no positions" not in result.stderr


def test_an_object_on_several_lines_with_a_fault_is_one_round_and_not_lines(tmp_path: Path) -> None:
    whole = json.dumps({**json.loads(HEAD), **json.loads(PLAIN)}, indent=1)
    result = settle(tmp_path, whole.replace('"wager"', "wager"))
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and "not JSON" in result.stderr


def test_amounts_that_chips_cannot_make_are_settled_and_named(tmp_path: Path) -> None:
    odd = PLAIN.replace('"wager": 25', '"wager": "25.25"')
    result = settle(tmp_path, HEAD, odd)
    assert result.exit_code == 0 and "+25.25" in result.stdout
    assert "position 1: main wager of $25.25 cannot be made of chips of $0.50, the table's chip_unit" in result.stderr
    assert result.stderr.count("chip_unit") == 1
    table = {"game": "blackjack", "decks": 6, "chip_unit": "1.00", "wagers": {"lucky_ladies": {}}}
    one = {
        "format": "shoetool-round/1",
        "table": table,
        "cards": ["6♥", "A♣", "5♥", "8♦", "10♠"],
        "positions": [
            {"position": 1, "wager": "20", "decisions": [{"double": "10.10"}], "insurance": "5.20"}
            | {"side": {"lucky_ladies": "2.30"}}
        ],
    }
    told = " ".join(settle(tmp_path, json.dumps(one)).stderr.split())
    for words in ("insurance of $5.20", "Lucky Ladies Twenty Point Bonus of $2.30", "double of $10.10"):
        assert words in told, told


def test_a_meter_that_a_won_part_brought_below_its_start_is_named(tmp_path: Path) -> None:
    meter = {"start": 5000, "reset": 6000, "rate": "10%"}
    table = {"game": "blackjack", "decks": 6, "wagers": {"straight_jack": {"meter": meter}}}
    head = json.dumps({"format": "shoetool-round/1", "table": table})
    result = settle(tmp_path, head, json.dumps({**json.loads(PLAIN), "meters": {"straight_jack": "4500"}}))
    assert result.exit_code == 0
    assert "Straight Jack Progressive is given as $4,500.00, below its start or reset amount" in result.stderr


def test_two_boxes_that_nobody_names_may_be_one_player_s(tmp_path: Path) -> None:
    """635a.12(c)(3): the winner is no other player, so that it counts who sits at the second box."""
    cards = ["7H", "JH", "7D", "7H", "KH", "KS", "7H"]
    seats = [{"position": 1, "wager": 25, "decisions": ["hit"]}, {"position": 2, "wager": 25, "decisions": ["stand"]}]
    one = {"format": "shoetool-round/1", "table": "spanish-21", "cards": cards, "positions": seats}
    assert "no player is named for position 1, 2" in settle(tmp_path, json.dumps(one)).stderr


def test_boxes_that_nobody_names_are_said_where_every_player_is_paid_once(tmp_path: Path) -> None:
    """635a.12(c)(3): three suited 7s against a 7 pay every other player $50 once."""
    cards = "7H 10H 10S 7D 7H KH KS 10D 7H".replace("10", "J").split()
    seats = [{"position": at, "wager": 25, "decisions": ["stand"]} for at in (1, 2, 3)]
    seats[0]["decisions"] = ["hit"]
    one = {"format": "shoetool-round/1", "table": "spanish-21", "cards": cards, "positions": seats}
    told = settle(tmp_path, json.dumps(one), options=("--json",))
    assert "no player is named for position 1, 2, 3: each is taken for a player of its own" in told.stderr
    (found,) = rounds(told)
    assert [line["won"] for line in found["settled"]["lines"] if line["wager"] == "bonus"][1:] == [50_00, 50_00]
    for seat in seats:
        seat["player"] = "Ann" if seat["position"] == 1 else "Bob"
    named = settle(tmp_path, json.dumps(one), options=("--json",))
    assert named.stderr == ""
    (found,) = rounds(named)
    assert len([line for line in found["settled"]["lines"] if line["wager"] == "bonus"]) == 2
