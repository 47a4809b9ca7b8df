"""`shoetool paytables`: the regulation's own words and figures, all of them, as text and JSON."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.round_file.file import paid_keys
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.wager_checks import offerable

SCHEMA = json.loads((resources.files("shoetool") / "schemas" / "paytables.schema.json").read_text())
WAGERS = sorted({table.wager for table in paytables()})


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build(), ["paytables", *arguments])


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_all_paytables_in_the_order_of_the_clauses() -> None:
    result = run("--json")
    document = json.loads(result.stdout)
    Draft202012Validator(SCHEMA).validate(document)
    assert len(document["paytables"]) == len(paytables())
    order = list(dict.fromkeys(table["wager"] for table in document["paytables"]))
    assert sorted(order) == WAGERS
    assert order.index("lucky_ladies") < order.index("house_money") < order.index("push_22") < order.index("bonus")
    assert set(offerable()) <= set(order)


@pytest.mark.parametrize("wager", WAGERS)
def test_every_row_and_figure_of_a_wager_is_printed(wager: str) -> None:
    text = run("--wager", wager).stdout
    flat = squeezed(text)
    assert paytables(wager)[0].paid_as in text
    for table in paytables(wager):
        assert table.clause in text and table.conditions() in text
        for row in table.rows:
            assert row.odds.text in flat
            assert set(row.outcome.split()) <= set(flat.split())


def test_lettered_paytables_stand_side_by_side() -> None:
    lines = [squeezed(line) for line in run("--wager", "royal_match_21").stdout.splitlines()]
    assert "Paytable C Paytable D Paytable E" in lines
    assert "Royal Match 30 to 1 25 to 1 50 to 1" in lines
    assert "Crown Treasure (optional) 1,000 for 1 1,000 for 1 1,000 for 1" in lines


def test_the_regulations_forms_of_odds() -> None:
    text = squeezed(run().stdout)
    for odds in ("1,000 to 1", "25 for 1", "100% of meter", "2.5 to 1", "100% of meter and 200 to 1", "$5,000"):
        assert odds in text


def test_a_wager_that_does_not_exist_is_named_with_the_nearest() -> None:
    result = run("--wager", "lucky_lady")
    assert result.exit_code == 2
    assert result.stderr == "shoetool: there is no wager 'lucky_lady'; did you mean lucky_ladies?\n"


@pytest.mark.parametrize(
    ("bonus", "wager", "outcome"),
    [
        ("crown_treasure", "royal_match_21", "Crown Treasure (optional) 1,000 for 1"),
        ("magic_card", "bad_beat", "Magic Card Bonus (optional) 20 for 1"),
        ("lucky_player", "bad_beat", "Lucky Player Bonus (optional) 5 for 1"),
        ("bonus", "bonus", "The player's original wager was $25 or more $5,000"),
    ],
)
def test_a_bonus_is_found_in_the_paytables_that_hold_its_row(bonus: str, wager: str, outcome: str) -> None:
    text = squeezed(run("--wager", bonus).stdout)
    assert outcome in text and wager in text
    found = json.loads(run("--wager", bonus, "--json").stdout)["paytables"]
    assert found and {one["wager"] for one in found} == {wager}
    if bonus != wager:
        assert all(bonus in [row["key"] for row in one["rows"]] for one in found)
        held = [one for one in paytables(wager) if one.has(bonus)]
        assert len(found) == len(held)


def test_every_key_after_a_title_is_one_that_a_round_s_payments_name() -> None:
    for table in paytables():
        assert table.paid_as in paid_keys(), table.title
    text = run().stdout
    headings = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert [line for line in headings if line.split("  ")[-1].removeprefix("paid as ") not in paid_keys()] == []
    titles = squeezed(run("--wager", "main").stdout)
    assert "Even money paid as main" in titles and "Spanish 21 Wager, additional payouts paid as main" in titles


@pytest.mark.clause("633a.13(o) option", "633a.13(o) floor")
def test_what_excepts_hands_from_the_figures_or_limits_them_is_printed_with_its_clause() -> None:
    for wager, words in (
        (
            "card_bonus",
            ("doubled is paid 1 to 1 in place of these. (635a.12(b))", "split is paid 1 to 1", "635a.11(e)"),
        ),
        ("bonus", ("Not paid for a hand that was doubled or split. (635a.12(c)(4))",)),
        ("lucky_ladies", ("may limit what all", "(633a.13(o) option)", "at least $25,000", "(633a.13(o) floor)")),
        ("kings_bounty", ("may limit what all", "(633a.13(o) option)", "at least $25,000", "(633a.13(o) floor)")),
    ):
        text = squeezed(run("--wager", wager).stdout)
        for part in words:
            assert part in text, (wager, part)
        (table,) = json.loads(run("--wager", wager, "--json").stdout)["paytables"]
        assert [note["clause"] for note in table["notes"]]


def test_a_misspelt_bonus_is_named_with_the_nearest() -> None:
    assert "did you mean crown_treasure?" in run("--wager", "crown_tresure").stderr


def test_it_is_readable_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoetool.cli.output.PIPE_WIDTH", 80)
    tables = [line for line in run().stdout.splitlines() if line.startswith("   ")]
    assert tables and max(len(line) for line in tables) <= 80
