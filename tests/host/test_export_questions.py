"""The ten questions to the tables of `export`, in SQL and in Polars, are answered as other commands answer them."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import duckdb
import exported
import pytest
from click.testing import CliRunner
from shoetool.cli import build
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import RecordKind, Role

EXAMPLES = Path(__file__).resolve().parents[2] / "host_tools" / "examples"
QUERIES = sorted((EXAMPLES / "queries").glob("*.sql"))
Row = dict[str, Any]


@pytest.fixture(scope="session")
def casino(made_once: Any) -> Path:
    return Path(made_once("export", exported.make))


def document(*words: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CliRunner().invoke(build(), [*map(str, words), "--json"]).stdout)
    return found


def answer(casino: Path, number: int) -> list[Row]:
    """What the query of this number says."""
    (path,) = (one for one in QUERIES if one.name.startswith(f"{number:02}-"))
    with duckdb.connect() as database:
        database.execute("SET TimeZone='America/New_York'")  # the weeks are UTC whatever the zone is
        database.execute(f"SET file_search_path='{casino / 'tables'}'")
        found = database.execute(path.read_text(encoding="utf-8"))
        names = [one[0] for one in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.fixture(scope="session")
def polars() -> Any:
    spec = importlib.util.spec_from_file_location("ask_polars", EXAMPLES / "ask_polars.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Told:
    """One history as `replay`, `verify` and `settle` tell it, and its table."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.record = path.with_suffix(".jsonl")
        self.rounds = document("replay", path, "--timezone", "UTC")["rounds"]
        words = ["verify", path, "--no-remember", "--timezone", "UTC"]
        words += ["--table-record", self.record] if self.record.exists() else []
        (report,) = document(*words)["files"]
        self.findings = report["report"]["findings"]
        self.table = report["report"]["summary"]["table"]
        self.settled: list[Row] = []
        if self.record.exists():
            (file,) = document("settle", self.record, "--history", path)["files"]
            self.settled = file["rounds"]
        with ShoelogReader(path) as reader:
            self.records = [(record, reader.moment(record)) for record in reader.records()]

    def dealer(self, number: int) -> int:
        """The dealer who was named last before this record."""
        before = [
            one for one, _ in self.records if one.number < number and one.name in ("shoe_opened", "dealer_changed")
        ]
        return before[-1].get("count") if before[-1].name == "dealer_changed" else 0


@pytest.fixture(scope="session")
def told(casino: Path) -> list[Told]:
    return [Told(path) for path in sorted(casino.rglob("*.shoelog"))]


def week(text: str | datetime) -> date:
    day = (datetime.fromisoformat(text) if isinstance(text, str) else text).date()
    return day - timedelta(days=day.weekday())


def near(one: float | None, two: Fraction | float) -> bool:
    return one is not None and abs(float(two) - one) <= 0.05001


def rows(frame: Any) -> list[Row]:
    found: list[Row] = frame.to_dicts()
    return found


# ------------------------------------------------------------------------------------------------ the questions
def test_01_dealers_and_their_errors(casino: Path, told: list[Told], polars: Any) -> None:
    rounds: Counter[tuple[int, int]] = Counter()
    errors: Counter[tuple[int, int]] = Counter()
    for one in told:
        dealers = {row["round"]: (one.table, one.dealer(row["first_record"])) for row in one.rounds}
        rounds.update(dealers.values())
        for finding in one.findings:
            if finding["verdict"] != "cannot tell" and finding["round"] in dealers:
                errors[dealers[finding["round"]]] += 1
    expected = [
        (table, dealer, number, errors[table, dealer], round(100 * errors[table, dealer] / number, 2))
        for (table, dealer), number in rounds.items()
    ]
    assert len(expected) > 5 and sum(errors.values()) > 10
    for found in (answer(casino, 1), rows(polars.dealer_errors(casino / "tables"))):
        assert sorted(tuple(row.values()) for row in found) == sorted(expected)
        assert [row["per_100"] for row in found] == sorted((row[-1] for row in expected), reverse=True)


def test_02_a_clause_by_week(casino: Path, told: list[Told], polars: Any) -> None:
    expected = Counter(
        (week(finding["began_at"]["time"]), finding["clause"], finding["verdict"])
        for one in told
        for finding in one.findings
        if finding["clause"].startswith(("633a.14(", "590.13(", "635a.13("))
    )
    assert len({day for day, _, _ in expected}) > 2 and sum(expected.values()) >= 10
    for found in (answer(casino, 2), rows(polars.clause_by_week(casino / "tables"))):
        assert {(row["week"], row["clause"], row["verdict"]): row["findings"] for row in found} == expected


def test_03_the_seven_of_clubs_wears(casino: Path, told: list[Told], polars: Any) -> None:
    seven: dict[tuple[int, int, date], list[int]] = defaultdict(list)
    others: dict[tuple[int, int, date], list[int]] = defaultdict(list)
    for one in told:
        firsts: dict[tuple[int, int], date] = {}
        for record, moment in one.records:
            if record.kind != RecordKind.CARD or record.card == 63:
                continue
            assert moment is not None
            own = (record.card, record.batch)
            firsts.setdefault(own, week(datetime.fromtimestamp(moment.middle_ms / 1000, UTC)))
            into = seven if record.card == exported.SEVEN_OF_CLUBS else others
            into[one.table, record.batch, firsts[own]].append(record.margin)
    assert len(seven) > 8
    for found, by_sql in ((answer(casino, 3), True), (rows(polars.wear(casino / "tables")), False)):
        assert len(found) == len(seven)
        for row in found:
            key = row["table"], row["batch"], row["week"]
            read = seven[key]
            assert (row["readings"], row["least"]) == (len(read), min(read))
            assert near(row["mean"], Fraction(sum(read), len(read)))
            assert not by_sql or near(row["others"], Fraction(sum(others[key]), len(others[key])))
    worn = [row["mean"] for row in answer(casino, 3) if row["table"] == 20]
    assert worn == sorted(worn, reverse=True) and worn[0] > worn[-1] + 50


def test_04_cut_depth(casino: Path, told: list[Told]) -> None:
    """Each shoe of the casino is counted to its last card, so what comes after the cover card lay behind it."""
    expected = set()
    for one in told:
        shoe = int(one.name.removesuffix(".shoelog")[-5:])
        covers = [record for record, _ in one.records if record.kind == RecordKind.COVER_CARD]
        for cover in covers:
            head = cover.get("head")
            drawn = [
                (record.get("role"), record.number)
                for record, _ in one.records
                if record.name in ("card", "sealed") and record.get("head") == head
            ]
            behind = sum(number > cover.number for _, number in drawn)
            assert (Role.COUNTED, drawn[-1][1]) == drawn[-1]
            expected.add((one.name, shoe, "AB"[head], len(drawn), behind))
    found = answer(casino, 4)
    assert {
        (Path(row["path"]).name, row["shoe"], row["head"], row["loaded"], row["behind"]) for row in found
    } == expected
    assert len(found) == len(expected) >= 30
    sentences = [
        (one.name, *map(int, match.groups()))
        for one in told
        for finding in one.findings
        if (match := re.search(r"(\d+) cards lay behind the cover card; a quarter of (\d+) is", finding["sentence"]))
    ]
    assert len(sentences) == 3
    assert sorted(sentences) == sorted(
        (Path(row["path"]).name, row["behind"], row["loaded"]) for row in found if not row["a_quarter"]
    )


def test_05_payments_that_differ(casino: Path, told: list[Told], polars: Any) -> None:
    expected = sorted(
        (one.name, row["round"], row["line"], differs["position"], differs["due"], differs["paid"])
        for one in told
        for row in one.settled
        for differs in row["settled"]["differences"]
    )
    assert len(expected) == 3
    for found in (answer(casino, 5), rows(polars.payments_that_differ(casino / "tables"))):
        assert expected == sorted(
            (Path(row["path"]).name, row["round"], row["line"], row["position"], row["due_cents"], row["paid_cents"])
            for row in found
        )
        assert all(row["over_cents"] == row["paid_cents"] - row["due_cents"] for row in found)
        over = [abs(row["over_cents"]) for row in found]
        assert over == sorted(over, reverse=True)


def test_06_what_each_wager_brings(casino: Path, told: list[Told]) -> None:
    lines = [line for one in told for row in one.settled for line in row["settled"]["lines"]]
    expected = {
        wager: (len(own), 0, sum(line["staked"] for line in own), -sum(line["net"] for line in own))
        for wager in {line["wager"] for line in lines}
        for own in [[line for line in lines if line["wager"] == wager]]
    }
    assert len(expected) >= 5
    assert expected == {
        row["wager"]: (row["wagers"], row["not_known"], row["staked_cents"], row["house_cents"])
        for row in answer(casino, 6)
    }


def test_07_rounds_that_are_not_settled(casino: Path, told: list[Told]) -> None:
    rounds: Counter[tuple[str, int]] = Counter()
    findings: Counter[tuple[str, int]] = Counter()
    for one in told:
        settled = {row["round"] for row in one.settled}
        key = ("no line" if one.record.exists() else "no table record", one.table)
        for row in one.rounds:
            if row["round"] not in settled:
                rounds[key] += 1
                findings[key] += sum(finding["round"] == row["round"] for finding in one.findings)
    assert rounds["no line", 31] == 1
    assert {(row["settlement"], row["table"]): (row["rounds"], row["findings"]) for row in answer(casino, 7)} == {
        key: (number, findings[key]) for key, number in rounds.items()
    }


def test_08_how_long_a_round_takes(casino: Path, told: list[Told]) -> None:
    took: dict[int, list[timedelta]] = defaultdict(list)
    for one in told:
        for row in one.rounds:
            began, ended = (datetime.fromisoformat(row[name]["time"]) for name in ("began_at", "ended_at"))
            took[len(row["seats"])].append(ended - began)
    found = {row["positions"]: row for row in answer(casino, 8)}
    assert found.keys() == took.keys() and len(took) >= 3
    for positions, own in took.items():
        row = found[positions]
        assert row["rounds"] == len(own)
        assert row["median_s"] == pytest.approx(median(one.total_seconds() for one in own))
        assert row["longest_s"] == pytest.approx(max(own).total_seconds())


def test_09_the_dealer_busts(casino: Path, told: list[Told]) -> None:
    rounds: Counter[str] = Counter()
    busts: Counter[str] = Counter()
    for one in told:
        for row in one.rounds:
            dealer = row["dealer"]
            if row["outcome"] == "settled" and dealer["revealed"] and dealer["total"] is not None:
                up = dealer["cards"][0]["card"].rstrip("♣♦♥♠")
                rounds[up] += 1
                busts[up] += dealer["total"] > 21
    assert sum(rounds.values()) > 200 and sum(busts.values()) > 30
    assert {row["up_card"]: (row["rounds"], row["busts"]) for row in answer(casino, 9)} == {
        up: (number, busts[up]) for up, number in rounds.items()
    }


def test_10_heads_that_read_badly(casino: Path, told: list[Told]) -> None:
    read: dict[tuple[int, str], list[tuple[int, int]]] = defaultdict(list)
    faults: Counter[tuple[int, str]] = Counter()
    for one in told:
        for record, _ in one.records:
            if record.kind == RecordKind.CARD:
                read[one.table, "AB"[record.get("head")]].append((record.get("card"), record.get("margin")))
            elif record.kind == RecordKind.FAULT:
                faults[one.table, "AB"[record.get("head")]] += 1
    found = {(row["table"], row["head"]): row for row in answer(casino, 10)}
    assert found.keys() == read.keys() and sum(faults.values()) == 3
    for key, own in read.items():
        row = found[key]
        unknown = sum(card == 63 for card, _ in own)
        assert (row["readings"], row["unknown"], row["faults"]) == (len(own), unknown, faults[key])
        assert near(row["mean_margin"], Fraction(sum(margin for card, margin in own if card != 63), len(own) - unknown))


# ------------------------------------------------------------------------------------------------ the files
def test_there_are_ten_questions_and_each_says_what_it_asks() -> None:
    assert [path.name[:2] for path in QUERIES] == [f"{number:02}" for number in range(1, 11)]
    for path in QUERIES:
        first, *rest = path.read_text(encoding="utf-8").splitlines()
        assert first.startswith("-- ") and first.endswith("?"), path.name
        assert max(map(len, [first, *rest])) <= 120


def test_the_program_in_polars_prints_its_answers(
    casino: Path, polars: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["ask_polars.py", str(casino / "tables")])
    polars.main()
    printed = capsys.readouterr().out
    asked = {path.read_text(encoding="utf-8").splitlines()[0][3:] for path in QUERIES}
    assert sum(line in asked for line in printed.splitlines()) >= 3
