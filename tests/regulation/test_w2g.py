"""Payouts of the size of IRS Form W-2G are named in a settlement, and in the settings of a table."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.model.money import cents
from shoetool.rules.round import Line, Settlement, Stage, TableRound
from shoetool.rules.submission.file import judge
from shoetool.rules.submission.rules import MysteryOffer, RulesSubmission
from shoetool.settle.engine import settle
from shoetool.settle.w2g import with_w2g_notes
from wager_table import box_of, round_of, rules_for

FORM = "IRS Form W-2G"
CASES = json.loads((Path(__file__).parents[1] / "vectors" / "w2g.json").read_text(encoding="utf-8"))["cases"]


def noted(lines: Settlement | list[Line]) -> list[str]:
    """The words of the notes, in the order of the lines."""
    found = lines.lines if isinstance(lines, Settlement) else lines
    return [words for line in found for clause, words in line.notes if clause == FORM]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['won']} for {case['staked']}")
def test_winnings_of_the_least_amount_and_300_times_the_wager_are_named(case: dict[str, Any]) -> None:
    key, staked = case["wager"], case["staked"]
    chosen = {"paytable": case["paytable"]} if "paytable" in case else {}
    rules = rules_for(key, **chosen)
    assert rules.w2g_from == 2_000_00
    if "from" in case:
        rules = replace(rules, w2g_from=cents(case["from"]))
    found = settle(round_of(rules, case["dealer"], box_of(case["cards"], {key: staked})), rules)
    (line,) = (line for line in found.lines if line.wager == key)
    assert line.won == cents(case["won"])
    least = f"{rules.w2g_from // 100:,}.{rules.w2g_from % 100:02}"
    won = f"{line.won // 100:,}.{line.won % 100:02}"
    words = f"${won} won by a wager of ${staked}: at least ${least} and 300 times the wager"
    assert noted(found) == ([words] if case["of_size"] else [])
    if case["of_size"]:
        assert line.notes[-1] == (FORM, words)
        assert {"clause": FORM, "words": words} in line.to_json()["notes"]


# ------------------------------------------------------------------------------------- what one wager wins is one sum
def line_of(wager: str, won: int, position: int | None = 2, source: Any = "tray") -> Line:
    stake = 0 if source != "tray" else 1_00
    return Line(position, None, wager, stake, "x", "words", "633a.7(g)", None, stake, won, source, Stage.AFTER_DEAL)


def of(*lines: Line, **settings: Any) -> list[Line]:
    """These lines, in a round where positions 2 and 3 bet a dollar on each wager."""
    rules = replace(rules_for("bad_beat"), **settings)
    side = {"bad_beat": "1.00", "straight_jack": "1.00"}
    boxes = tuple(box_of("10S 9C", side, position) for position in (2, 3))
    return list(with_w2g_notes(list(lines), TableRound("blackjack", 6, boxes, ()), rules))


def test_a_payout_of_tray_and_meter_is_one_sum_and_is_named_once_at_its_last_line() -> None:
    lines = of(line_of("bad_beat", 1_000_00), line_of("bad_beat", 1_000_00, source="meter"))
    assert [len(line.notes) for line in lines] == [0, 1]
    assert noted(lines)[0].startswith("$2,000.00 won by a wager of $1.00: ")
    assert noted(of(line_of("bad_beat", 1_000_00), line_of("bad_beat", 999_99, source="meter"))) == []


def test_a_bonus_counts_with_its_wager() -> None:
    assert noted(of(line_of("bad_beat", 1_999_00), line_of("magic_card", 20_00))) == [
        "$2,019.00 won by a wager of $1.00: at least $2,000.00 and 300 times the wager"
    ]


def test_different_wagers_players_and_the_meter_s_own_line_are_not_added_up() -> None:
    assert noted(of(line_of("bad_beat", 1_500_00), line_of("straight_jack", 1_500_00))) == []
    assert noted(of(line_of("bad_beat", 1_500_00), line_of("bad_beat", 1_500_00, 3))) == []
    assert noted(of(line_of("bad_beat", 50_000_00, None, "house"), line_of("bad_beat", 0))) == []


def test_a_main_wager_is_never_named() -> None:
    assert noted(of(line_of("main", 300_000_00), line_of("bonus", 5_000_00))) == []


@pytest.mark.parametrize("void", [None, "633a.14(j)"])
def test_a_mystery_bonus_counts_with_the_wager_that_qualifies_for_it(void: str | None) -> None:
    """In a round that is void too: the bonus was won before the deal."""
    offer = {"must_hit_by": MysteryOffer("straight_jack", "B1", "slip")}
    rules = replace(rules_for("straight_jack"), mysteries=offer)
    meters = {"straight_jack": "10000.00", "must_hit_by": "299.99"}
    box = box_of("10D 8C", {"straight_jack": "1.00"})
    one = round_of(rules, "10D 7C", box, meters=meters, opened=(("must_hit_by", 300_00),), void=void)
    (words,) = noted(settle(one, replace(rules, w2g_from=300_04)))
    assert words == "$300.04 won by a wager of $1.00: at least $300.04 and 300 times the wager"
    assert noted(settle(one, replace(rules, w2g_from=300_05))) == []


# ------------------------------------------------------------------------------------------------------------ the table
def table(text: str) -> RulesSubmission:
    found, refusals = judge(f'game = "blackjack"\ndecks = 6\n{text}', "table")
    assert found is not None and not refusals
    return found


def test_a_rules_submission_has_the_amount() -> None:
    assert table('w2g_from = "2100.00"').w2g_from == 2_100_00
    assert table("").w2g_from == 2_000_00
    assert [one.where for one in judge('game = "blackjack"\ndecks = 6\nw2g_from = 0', "table")[1]] == ["w2g_from"]


@pytest.mark.parametrize(
    ("wagers", "shown"),
    [
        ("", False),
        ("[wagers.trilux_deluxe]", False),
        ("[wagers.lucky_ladies]", True),
        ('[wagers.blackjack_match]\npaytable = "C"\nmin = 5\nmax = 5', True),
        ('[wagers.blackjack_match]\npaytable = "A"\nmin = 5\nmax = 5', True),
        ("[wagers.house_money]\n[wagers.axman]", True),
    ],
)
def test_the_table_shows_the_amount_where_an_optional_wager_can_win_so_much(
    tmp_path: Path, wagers: str, shown: bool
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f'game = "blackjack"\ndecks = 6\nw2g_from = 600\n{wagers}\n', encoding="utf-8")
    text = CliRunner().invoke(build(), ["table", str(path)]).stdout
    document = json.loads(CliRunner().invoke(build(), ["table", str(path), "--json"]).stdout)
    schema = resources.files("shoetool") / "schemas" / "table.schema.json"
    Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(document)
    row = [line.split() for line in text.splitlines() if line.startswith("w2g_from")]
    assert row == ([["w2g_from", "$600.00", "IRS", "Form", "W-2G"]] if shown else [])
    assert document["submission"].get("w2g_from") == (600_00 if shown else None)


def test_a_submission_without_a_paytable_is_refused_and_shown_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('game = "blackjack"\ndecks = 6\n[wagers.royal_match_21]\n', encoding="utf-8")
    document = json.loads(CliRunner().invoke(build(), ["table", str(path), "--json"]).stdout)
    assert not document["usable"] and document["submission"]["w2g_from"] == 2_000_00
