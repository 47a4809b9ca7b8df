"""`shoetool settle` on JSON Lines: a line that cannot be read is named, the others are settled."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from shoetool.cli import build

DOCUMENT = Draft202012Validator(
    json.loads((resources.files("shoetool") / "schemas" / "settle.schema.json").read_text())
)
HEAD = '{"format": "shoetool-round/1", "table": "blackjack"}'
# 10 and 9 against the dealer's 10 and 8: 25.00 won.
PLAIN = (
    '{"cards": ["10H", "10S", "9H", "8S"], "positions": [{"position": 1, "wager": "25.00", "decisions": ["stand"]}]}'
)


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
        (PLAIN.replace("10H", "11H"), "line 3, column 12: $.cards[0]: '11H' is no card"),
        (PLAIN.replace('"wager"', '"wagr"'), "line 3, column"),
    ):
        result = settle(tmp_path, HEAD, PLAIN, bad, PLAIN)
        assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and words in result.stderr
        assert result.stdout.endswith("2 rounds\ntray -50.00\n")
        found = rounds(settle(tmp_path, HEAD, PLAIN, bad, PLAIN, options=("--json",)))
        assert [(one["line"], one["error"] is None) for one in found] == [(2, True), (3, False), (4, True)]


def test_a_bad_first_line_does_not_stop_the_rest_either(tmp_path: Path) -> None:
    result = settle(tmp_path, PLAIN[:-3], PLAIN, options=("--table", "blackjack"))
    assert result.exit_code == 2 and "line 1, column" in result.stderr
    assert "position 1" in result.stdout and "+25.00" in result.stdout


def test_no_round_is_settled_by_the_table_before_a_line_that_may_have_set_another(tmp_path: Path) -> None:
    bad = '{"table": "spanish-21"'
    result = settle(tmp_path, HEAD, PLAIN, bad, PLAIN, '{"table": "blackjack"}', PLAIN)
    assert result.exit_code == 2
    assert "line 4: its table is not known: line 3 cannot be read, and may have set it" in result.stderr
    assert result.stdout.endswith("2 rounds\ntray -50.00\n")
    given = settle(tmp_path, HEAD, PLAIN, bad, PLAIN, options=("--table", "blackjack"))
    assert len(given.stderr.splitlines()) == 1 and given.stdout.endswith("2 rounds\ntray -50.00\n")


def test_an_object_on_several_lines_with_a_fault_is_one_round_and_not_lines(tmp_path: Path) -> None:
    whole = json.dumps({**json.loads(HEAD), **json.loads(PLAIN)}, indent=1)
    result = settle(tmp_path, whole.replace('"wager"', "wager"))
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1 and "not JSON" in result.stderr
