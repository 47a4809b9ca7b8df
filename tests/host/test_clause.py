"""`shoetool clause`: ids as people write them, what is told of a clause, lists, and the lookup from Python."""

from __future__ import annotations

import json
import lzma
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
import shoetool
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from readings_page import OUTPUT, readings_document
from shoetool.cli import build
from shoetool.judge.about_clause import AboutClause, about, about_clauses
from shoetool.report.clause_list import clause_list
from shoetool.rules.clauses import cited, clauses, search
from shoetool.rules.readings import readings
from shoetool.rules.wagers.catalogue import CHOICES

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((resources.files("shoetool") / "schemas" / "clause.schema.json").read_text())
FROZEN = ROOT / "tests" / "goldens" / "frozen"
BATCH, DEALER = "633a.7(c) batch", "633a.7(c) dealer"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build(), ["clause", *arguments])


def squeezed(text: str) -> str:
    return " ".join(text.split())


def told(text: str) -> list[str]:
    """The ids of the clauses that an id means."""
    return [one.clause.id for one in about_clauses(text)]


def one(name: str) -> AboutClause:
    return about(clauses()[name])


@pytest.mark.parametrize(
    "written",
    ["633a.14(c) use", "633A.14(C) USE", "633a.14 (c) use", "58 Pa. Code § 633a.14(c) use", "§633a.14( c )  use"],
)
def test_an_id_is_found_as_people_write_it(written: str) -> None:
    assert told(written) == ["633a.14(c) use"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("633a.7(c)", [BATCH, DEALER]),  # a clause that the catalogue cuts in two
        ("633a.7(c) bat", [BATCH]),
        ("633c.1(b)", ["633c.1(b)#1", "633c.1(b)#2"]),
        ("633c.1(b)#2", ["633c.1(b)#2"]),
        ("633a.2(b)(7)", ["633a.2(b)(4)-(9), (11)-(14)"]),  # one that is folded into a row with others
        ("590.7(e)(3)", ["590.7(e)(1)-(4)"]),
        ("633a.9(a)(2)", ["633a.9(a)(2)(i)", "633a.9(a)(2)(ii)"]),  # one that only its parts have rows of
        ("633a.7(g)(1)(I)", ["633a.7(g)(1)(i)"]),
        ("633a.7(o)(3)(i)(b)", ["633a.7(o)(3)(i)(B)"]),  # Roman steps, and capitals below them
        ("633c.5(aa)(2)(i)", ["633c.5(aa)(2)(i)"]),
        ("633a.10(b), 633a.11(d).", ["633a.10(b)", "633a.11(d)"]),
        ("633a.13(a)-(c)", ["633a.13(a)", "633a.13(b)", "633a.13(c)"]),
        ("633a.1 card reader device", ["633a.1 Card reader device"]),
    ],
)
def test_an_id_means_every_row_of_its_clause(written: str, meant: list[str]) -> None:
    assert told(written) == meant


def test_every_id_of_the_catalogue_is_found_by_itself() -> None:
    assert [name for name in clauses() if name not in told(name)] == []


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("633a.9(a)(3)", "the nearest are 633a.9(a), 633a.9(a)(1) and 633a.9(a)(2)"),
        ("633a.7(u)", "the nearest are 633a.7(r), 633a.7(s) and 633a.7(t)"),
        ("633a.6(b)(1)", "the nearest is 633a.6(b)"),
        ("633a.15", "the nearest are 633a.12, 633a.13 and 633a.14"),
        ("633a.1 Flusch", "the nearest is 633a.1 Flush"),
        ("633b.9(a)", "of chapters 633a, 590, 635a and 633c that can be checked"),
        ("surrender", "write one such as 633a.9(a), or --search WORD"),
        ("633a.9(a", "the nearest are 633a.9(a) option"),
        ("Rule 633a.9", "is no id of a clause"),
        ("633a.7(r)-(k)", "is no id of a clause"),  # a range that goes down
    ],
)
def test_an_id_that_is_not_there_is_told_in_one_line_with_the_nearest(written: str, said: str) -> None:
    result = run(written)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.count("\n") == 1 and said in result.stderr


@pytest.mark.parametrize("arguments", [[], ["633a.9", "--list"], ["633a.9", "--search", "x"], ["--chapter", "633b"]])
def test_wrong_usage_is_one_line(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and result.stderr.count("\n") == 1


def test_a_clause_is_told_with_who_does_it_what_checks_it_and_how_it_is_read() -> None:
    shown = squeezed(run("633a.5(d) place").stdout)
    said = "cover card; done or checked by shoe, host After the cut the dealer puts the cover card in, at least 1/4"
    assert shown.startswith(f"633a.5(d) place {said}")
    assert "5(d) place: quarter behind the cover card (breach, cannot tell) At least a quarter of the batch" in shown
    assert "a quarter of the stack (reading 34) at least ceil(N/4) cards behind the cover card" in shown
    assert "games" not in shown, "only checks name it"


def test_what_is_known_of_several_duties_of_a_clause_is_told_once() -> None:
    shown = run("633c.2(i)").stdout
    assert re.findall(r"^633c.2\(i\)(#\d)", shown, re.M) == [f"#{number}" for number in range(1, 7)]
    assert shown.count("table 13: paid as due") == 1
    for row in about_clauses("633c.2(i)"):
        assert row.clause.asks in squeezed(shown)


def test_what_goes_by_a_clause_is_named() -> None:
    surrender = one("633a.9(a)(2)(i)")
    assert [game.name for game in surrender.cited.games] == ["blackjack", "from_the_hand", "hybrid_no_hole"]
    assert [setting.key for setting in surrender.cited.settings] == ["surrender"]
    assert 'by default "way_2"; "none" in Blackjack Switch' in squeezed(run("633a.9(a)(2)(i)").stdout)
    house = one("633a.7(g)(10)(ii)(A)")
    assert [wager.key for wager in house.cited.wagers] == ["house_money"]
    assert [setting.key for setting in house.cited.settings] == ["house_money_portion"]
    paid = one("633a.13(d)(1)")
    assert [(table.wager, table.conditions()) for table in paid.cited.paytables] == [("match_the_dealer", "six decks")]
    assert [wager.key for wager in one("633c.2(a)(5)").cited.wagers] == ["jackpot_party"], "its section is that wager's"


def test_what_a_shoe_reports_of_a_clause_is_told_in_each_chapter() -> None:
    assert [name for name, _ in one("633a.14(h)").reported] == ["wrong_side"]
    assert [name for name, _ in one("590.13(d)").reported] == ["dealer_drew_on_17"]


def test_a_clause_that_nothing_proves_says_why() -> None:
    shown = squeezed(run("633a.7(t)").stdout)
    assert "checked by people Players and onlookers" in shown
    assert "checked by People's duty at the table: neither cards nor wagers show" in shown
    assert "no finding of shoetool verify names this clause by itself" in squeezed(run("633a.2(h)").stdout)


def test_a_section_is_listed_and_a_clause_with_more_below_it_too() -> None:
    section = run("633a.9").stdout
    assert re.findall(r"^(633a\S*(?: option)?)", section, re.M) == [
        row for row in clauses() if row.startswith("633a.9(")
    ]
    assert "checked by" not in section
    shown = run("633a.7(g)(1)").stdout
    assert shown.index("checked by") < shown.index("below 633a.7(g)(1):") < shown.index("\n633a.7(g)(1)(ii) ")


def test_lists_are_of_all_of_a_chapter_or_of_a_word() -> None:
    assert squeezed(run("--list").stdout).endswith(" 914 clauses")
    assert squeezed(run("--chapter", "590").stdout).endswith(" 113 clauses")
    assert [row.id for row in search("Floorperson TORN", clauses().values())] == ["635a.4(b)"], "all words, in any case"
    assert "635a.13(b) one" in run("--search", "tears", "--chapter", "635a").stdout
    assert run("--search", "tears", "--chapter", "590").stdout.strip() == "0 clauses"


def test_a_list_fits_into_a_terminal() -> None:
    lines = clause_list(tuple(clauses().values()), 80).plain.splitlines()
    assert max(map(len, lines)) <= 80


def test_the_document_has_its_schema_for_every_clause() -> None:
    document = json.loads(run("--list", "--json").stdout)
    Draft202012Validator(SCHEMA).validate(document)
    assert [row["clause"] for row in document["clauses"]] == list(clauses())
    (row,) = json.loads(run("633a.14(h)", "--json").stdout)["clauses"]
    assert row["by"] == ["shoe", "host"] and row["unproved"] is None
    assert [check["check"] for check in row["checks"]] == ["14(h): card from the wrong side"]
    assert row["reported"][0]["irregularity"] == "wrong_side"
    assert [reading["reading"] for reading in row["readings"]] == ["44"]


def test_the_lookup_is_there_for_programs() -> None:
    found = shoetool.clauses("58 Pa. Code § 633a.9")
    assert [one.clause.id for one in found] == [row for row in clauses() if row.startswith("633a.9(")]
    assert found[0].clause.by == ("H",) and found[0].clause.asks.startswith("On his first two cards")
    with pytest.raises(shoetool.BadInput, match="nearest"):
        shoetool.clauses("633a.9(z)")


def test_every_finding_of_the_goldens_is_by_a_check_that_its_clause_has() -> None:
    """What `verify` was seen to report of shoes with every irregularity is what `clause` says that it may report."""
    text = (FROZEN / "mistakes.txt").read_text()
    for group in ("clauses", "plants", "wager-errors"):
        text += lzma.decompress((FROZEN / f"{group}.txt.xz").read_bytes()).decode()
    seen = set(re.findall(r'"clause": "([^"]+)",\s*"check": "([^"]+)"', text))
    assert len(seen) > 150
    for clause, check in seen:
        assert cited(clause), clause
        for row in cited(clause):
            assert check in [found.name for found in about(row).checks], f"{check} reports {row.id}"


def test_the_page_of_readings_is_written_from_the_package() -> None:
    assert OUTPUT.read_text() == readings_document(), "run tests/coverage/readings_page.py"


def test_every_reading_of_633c_that_code_names_is_told() -> None:
    """ "T13" in code leads to a row of firmware/READINGS.md, or to the setting that names it."""
    names = {one.name for one in readings()}
    settings = {name for choice in CHOICES.values() for name in re.findall(r"\bT\d+", choice.meaning)}
    for folder in ("rules", "deal", "settle", "table", "odds"):
        for path in (ROOT / "host_tools" / "shoetool" / folder).rglob("*.*"):
            if path.suffix in (".py", ".toml"):
                used = set(re.findall(r"\bT\d+\b", path.read_text()))
                assert used <= names | settings, path.name


def test_a_list_waits_for_no_declaration() -> None:
    program = "import sys, shoetool.cli.clause; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "shoetool.rules.clauses" in loaded
    assert [name for name in loaded if name.startswith(("shoetool.rules.wagers", "shoetool.rules.submission"))] == []
