"""Mystery bonuses in a rules submission: what it must say, what it may not say, and what the table then needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.rules.submission.file import judge, parse
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import MysteryOffer
from shoetool.rules.wagers.mystery import MYSTERIES, configurations

SCHEMAS = Path(__file__).resolve().parents[2] / "host_tools" / "shoetool" / "schemas"
HIT_AND_RUN = '\n[wagers.hit_and_run]\nmin = 5\nmeter = { start = 1000, reset = 1000, rate = "10%" }\n'
SUPER_4 = '\n[wagers.super_4]\npaytable = "1-1"\n'
BONUS = '\n[mysteries.must_hit_by]\nwager = "hit_and_run"\nconfiguration = "A5"\npaid_from = "tray"\n'
MYSTERY_4 = "\n[mysteries.super_4_mystery]\nconfiguration = 2\n"
CHOSEN = 'super_4_suit = "clubs"\nsuper_4_sharing = "equally"\n'


def table(*parts: str, game: str = "blackjack", head: str = "") -> str:
    return f'game = "{game}"\ndecks = 6\n{head}{"".join(parts)}'


def refused(text: str) -> list[tuple[str, str]]:
    """(key, clause) of every refusal; each says what to do."""
    found = judge(text, "table")[1]
    assert all(one.do for one in found)
    return [(one.where, one.clause) for one in found]


def printed(*args: str) -> Any:
    done = CliRunner().invoke(build(), [*args, "--json"])
    body = json.loads(done.output)
    Draft202012Validator(json.loads((SCHEMAS / f"{args[0]}.schema.json").read_text())).validate(body)
    return body


@pytest.mark.clause("633c.14(a)", "633c.14(c)(1)", "633c.14(c)(4)", "633c.14(c)(6)", "633c.6(j)")
def test_a_submission_names_the_wager_the_configuration_and_where_a_win_is_paid_from() -> None:
    rules = parse(table(HIT_AND_RUN, SUPER_4, BONUS, MYSTERY_4, head=CHOSEN))
    assert rules.mysteries == {
        "must_hit_by": MysteryOffer("hit_and_run", "A5", "tray"),
        "super_4_mystery": MysteryOffer("super_4", "2", "slip"),  # the text leaves no choice of these two
    }


@pytest.mark.clause("633c.14(c)(1)", "633c.14(c)(4)", "633c.14(c)(6)", "633c.6(j)")
def test_what_the_text_leaves_to_the_submission_must_be_there() -> None:
    bare = "\n[mysteries.must_hit_by]\n[mysteries.super_4_mystery]\n"
    assert refused(table(HIT_AND_RUN, SUPER_4, bare, head=CHOSEN)) == [
        ("mysteries.must_hit_by.wager", "633c.14(c)(1)"),
        ("mysteries.must_hit_by.configuration", "633c.14(c)(4)"),
        ("mysteries.must_hit_by.paid_from", "633c.14(c)(6)"),
        ("mysteries.super_4_mystery.configuration", "633c.6(j)"),
    ]


@pytest.mark.clause("633c.14(a)", "633c.14(c)(1)")
def test_only_a_wager_that_qualifies_and_is_offered_may_be_named() -> None:
    of_super_4 = BONUS.replace("hit_and_run", "super_4")
    found = judge(table(HIT_AND_RUN, SUPER_4, of_super_4, head=CHOSEN), "table")[1]
    assert [(one.where, one.clause) for one in found] == [("mysteries.must_hit_by.wager", "633c.14(c)(1)")]
    for key in MYSTERIES["must_hit_by"].wagers:
        assert f'"{key}"' in found[0].do
    assert refused(table(BONUS)) == [("mysteries.must_hit_by.wager", "633c.14(c)(1)")]
    assert refused(table(MYSTERY_4)) == [("mysteries.super_4_mystery.wager", "633c.6(j)")]


@pytest.mark.clause("633c.14(a)")
def test_only_blackjack_of_chapter_633a_has_the_bonus() -> None:
    for game in ("spanish_21", "free_bet"):
        assert ("mysteries.must_hit_by", "633c.14(a)") in refused(table(HIT_AND_RUN, BONUS, game=game))
    assert refused(table(HIT_AND_RUN, BONUS)) == []


@pytest.mark.clause("633c.14(c)(4)", "633c.6(j)")
def test_only_a_printed_configuration_for_wagers_of_this_size_may_be_named() -> None:
    assert refused(table(HIT_AND_RUN, BONUS.replace("A5", "E5"))) == [
        ("mysteries.must_hit_by.configuration", "633c.14(c)(4)")
    ]
    assert refused(table(SUPER_4, MYSTERY_4.replace("2", "4"), head=CHOSEN)) == [
        ("mysteries.super_4_mystery.configuration", "633c.6(j)")
    ]
    smaller = HIT_AND_RUN.replace("min = 5", "min = 4")
    assert refused(table(smaller, BONUS)) == [("mysteries.must_hit_by.configuration", "633c.14(c)(4)")]
    assert refused(table(smaller, BONUS.replace("A5", "A2"))) == []


@pytest.mark.clause("633c.6(h)(4)#2")
def test_the_super_4_mystery_is_not_paid_from_the_table_inventory() -> None:
    text = table(SUPER_4, MYSTERY_4, 'paid_from = "tray"\n', head=CHOSEN)
    assert refused(text) == [("mysteries.super_4_mystery.paid_from", "633c.6(h)(4)")]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("mysteries = 3\n", "mysteries"),
        ("mysteries = { must_hit_by = 3 }\n", "mysteries.must_hit_by"),
        ("mysteries = { must_hit = { } }\n", "mysteries.must_hit"),
        (BONUS + "start = 100\n", "mysteries.must_hit_by.start"),
        (BONUS.replace('"A5"', "[]"), "mysteries.must_hit_by.configuration"),
        (BONUS.replace('"tray"', '"house"'), "mysteries.must_hit_by.paid_from"),
        (BONUS.replace('"hit_and_run"', "5"), "mysteries.must_hit_by.wager"),
    ],
)
def test_what_is_no_mystery_bonus_is_refused_in_its_place(text: str, where: str) -> None:
    parts = (text, HIT_AND_RUN) if text.startswith("mysteries") else (HIT_AND_RUN, text)
    assert [key for key, _ in refused(table(*parts))] == [where]


@pytest.mark.clause("633c.14(b)", "633c.14(c)(5)(i)", "633c.6(h)(2)")
def test_the_table_needs_a_display_that_tells_of_the_bonus_and_a_light_for_its_winner() -> None:
    rules = parse(table(HIT_AND_RUN, SUPER_4, BONUS, MYSTERY_4, head=CHOSEN))
    found = [(one.where, one.clause) for one in needs(rules) if "ystery" in one.what]
    assert found == [("device", "633c.14(b)"), ("device", "633c.14(c)(5)(i)"), ("device", "633c.6(h)(2)")]
    assert not [one for one in needs(parse(table(HIT_AND_RUN))) if "ystery" in one.what]


def test_table_shows_the_bonus_and_its_readings_only_where_it_is_offered(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(table(HIT_AND_RUN, BONUS))
    body = printed("table", str(file))["submission"]
    assert body["mysteries"]["must_hit_by"] == {"wager": "hit_and_run", "configuration": "A5", "paid_from": "tray"}
    assert body["mystery_order"] == "accepted"
    text = CliRunner().invoke(build(), ["table", str(file)]).output
    assert "maximum $250.00" in text and "a floorperson validates it (633c.14(c)(5)(ii))" in text
    file.write_text(table(HIT_AND_RUN))
    body = printed("table", str(file))["submission"]
    assert not [key for key in body if "myster" in key]


@pytest.mark.clause("633c.14(c)(4)", "633c.6(j)")
def test_paytables_prints_the_configurations_of_a_mystery_bonus() -> None:
    for key, count in (("must_hit_by", 12), ("super_4_mystery", 3)):
        body = printed("paytables", "--wager", key)
        assert body["paytables"] == []
        (found,) = body["mysteries"]
        assert found["configurations"] == [one.to_json() for one in configurations(key).values()]
        text = CliRunner().invoke(build(), ["paytables", "--wager", key]).output
        assert found["title"] in text and len(found["configurations"]) == count
        assert len([row for row in text.splitlines() if "%" in row]) == count
    assert "mysteries" not in printed("paytables", "--wager", "hit_and_run")
    assert [one["mystery"] for one in printed("paytables")["mysteries"]] == list(MYSTERIES)
    assert "did you mean must_hit_by?" in CliRunner().invoke(build(), ["paytables", "--wager", "must_hit_bye"]).output
