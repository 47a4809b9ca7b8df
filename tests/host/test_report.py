"""`shoetool report`: a night as one page, its tables as CSV, and the register of its findings."""

from __future__ import annotations

import csv
import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import case_files
import pytest
from case_files import history, run, table_record, words
from jsonschema import Draft202012Validator
from pypdf import PdfReader
from shoetool.case import gather as gathering
from shoetool.case import page_room, told_night
from shoetool.history.store import ShoelogReader
from shoetool.model.cards import card_name
from shoetool.model.protocol_table import Game, RecordKind
from shoetool.report.time_of_day import round_moments
from shoetool.table.replay import rounds
from table_session import session

SCHEMA = Path(__file__).resolve().parents[2] / "host_tools/shoetool/schemas/report.schema.json"


def report(folder: Path, *more: object) -> Any:
    """The document of a report of the night in this folder, whose page is report.html there."""
    found = run("report", folder / "night.shoelog", "--out", folder / "report.html", "--json", *more)
    assert found.exit_code in (0, 1), found.output
    document = json.loads(found.stdout)
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(document)
    assert (found.exit_code == 1) == bool(document["findings"])
    return document


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A folder with a history, and its table record in which one payment is wrong."""
    history(tmp_path / "night.shoelog")
    table_record(tmp_path / "night.jsonl", "overpaid")
    return tmp_path


def test_every_round_and_finding_is_on_the_page_with_a_link(night: Path) -> None:
    document = report(night, "--table-record", night / "night.jsonl")
    html = (night / "report.html").read_text(encoding="utf-8")
    (finding,) = document["findings"]
    with ShoelogReader(night / "night.shoelog") as reader:
        dealt = list(rounds(reader.records()))
    assert document["histories"][0]["rounds"] == len(dealt) > 5
    links = re.findall(r'<article class="round" id="([^"]*)"', html)
    assert len(set(links)) == len(dealt) and all(f'href="#{link}"' in html for link in links)
    assert f'id="finding-{finding["id"]}"' in html and finding["clause"] in html
    assert "differs" in words(html) and "not signed" in words(html)


def test_the_tables_hold_every_card_wager_round_and_finding(night: Path) -> None:
    """Against the replay, and against `settle`, of the same files."""
    report(night, "--table-record", night / "night.jsonl", "--csv", night / "csv")
    tables = {}
    for path in (night / "csv").iterdir():
        with path.open(encoding="utf-8-sig", newline="") as file:
            tables[path.stem] = list(csv.DictReader(file))
    with ShoelogReader(night / "night.shoelog") as reader:
        dealt = list(rounds(reader.records()))
    drawn = {one.card.record: one.card.card for round_ in dealt for one in round_.placed}
    assert {int(row["record"]): row["card"] for row in tables["cards"]} == {
        record: card_name(card) for record, card in drawn.items()
    }
    assert len(tables["rounds"]) == len(dealt) and len(tables["findings"]) == 1
    settled = run("settle", night / "night.jsonl", "--history", night / "night.shoelog", "--json")
    lines = [
        line["words"]
        for one in json.loads(settled.stdout)["files"][0]["rounds"]
        for line in one["settled"]["lines"]
        if line["position"] is not None
    ]
    assert [row["words"] for row in tables["wagers"]] == lines and len(lines) > 50


def test_no_cell_becomes_a_formula(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = night / "=cmd|calc!A1.shoelog"
    (night / "night.shoelog").rename(moved)
    monkeypatch.chdir(night)
    assert run("report", "=cmd|calc!A1.shoelog", "--out", "page.html", "--csv", "csv").exit_code == 0
    with (night / "csv" / "rounds.csv").open(encoding="utf-8-sig", newline="") as file:
        assert next(csv.DictReader(file))["history"] == "'=cmd|calc!A1.shoelog"


def test_a_night_over_the_hour_that_comes_twice_is_right_on_page_sheet_and_in_the_tables(
    night: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clocks in New York went back at 06:00 UTC on 2025-11-02. A spreadsheet takes the tables by their mark."""
    back, (began, ended) = 1_762_063_200_000, max(rounds_of(night), key=lambda ends: ends[1] - ends[0])
    monkeypatch.setattr(case_files, "EVENING_MS", case_files.EVENING_MS + back - (began + ended) // 2)
    (night / "night.shoelog").unlink()
    history(night / "night.shoelog")
    report(night, "--table-record", night / "night.jsonl", "--csv", night / "csv", "--timezone", "America/New_York")
    page = words((night / "report.html").read_text(encoding="utf-8"))
    assert "Times are in America/New_York, EDT (UTC-04:00) and EST (UTC-05:00)." in page
    rows = {}
    for name in ("rounds", "cards", "findings"):
        data = (night / "csv" / f"{name}.csv").read_bytes()
        assert data.startswith(b"\xef\xbb\xbf")
        rows[name] = list(csv.DictReader(data.decode("utf-8-sig").splitlines()))
        for row in rows[name]:
            times = [datetime.fromisoformat(row[key]) for key in ("began", "ended", "time") if key in row]
            assert times == sorted(times) and all(time.utcoffset() for time in times)
            assert int(row["uncertainty_ms"]) >= 0
    over = next(row for row in rows["rounds"] if row["began"][-6:] != row["ended"][-6:])
    assert over["began"] > over["ended"], "by the clock on the wall it ended before it began"
    number = over["round"].split()[1]
    found = run("case", night / "night.shoelog", "--round", number, "--timezone", "America/New_York", "--out", night)
    assert found.exit_code == 0, found.output
    name = night / f"case-shoe-3-round-{number}.html"
    sheet = " ".join(PdfReader(name.with_suffix(".pdf")).pages[0].extract_text().split())
    for text in (words(name.read_text(encoding="utf-8")), sheet):
        assert re.search(r"2025-11-02 01:59:\d\d EDT \(UTC-04:00\) to 01:00:\d\d EST \(UTC-05:00\)", text), text
        assert re.search(r"[Mm]ade by shoetool \S+ at \S+ \S+ E[DS]T \(UTC-0[45]:00\)", text), text[-300:]


def rounds_of(night: Path) -> list[tuple[int, int]]:
    """When each round began and ended, in Unix ms."""
    with ShoelogReader(night / "night.shoelog") as reader:
        pairs = [round_moments(one, reader.moment) for one in rounds(reader.records())]
    return [(first.middle_ms, last.middle_ms) for first, last in pairs if first and last]


def test_the_register_says_who_closed_a_finding_and_leaves_the_history_alone(night: Path) -> None:
    record = ("--table-record", night / "night.jsonl")
    name = report(night, *record)["findings"][0]["id"]
    before = (night / "night.shoelog").read_bytes()
    report(night, *record, "--mark", f"{name}=reviewed", "--by", "A. Smith")
    told = report(night, *record, "--mark", f"{name}=closed", "--by", "B. <Jones>", "--note", "paid back")
    assert told["findings"][0]["state"] == "closed" and (night / "night.shoelog").read_bytes() == before
    text = words((night / "report.html").read_text(encoding="utf-8"))
    assert "reviewed by A. Smith" in text and "closed by B. <Jones>" in text and "paid back" in text
    assert report(night, *record)["findings"][0]["state"] == "closed", "it is there the next time"
    lines = (night / "night.shoelog.register.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["reviewed", "closed"]


def test_a_register_that_was_cut_off_loses_no_more_than_that_line(night: Path) -> None:
    record = ("--table-record", night / "night.jsonl")
    name = report(night, *record)["findings"][0]["id"]
    report(night, *record, "--mark", f"{name}=reviewed", "--by", "A")
    path = night / "night.shoelog.register.jsonl"
    path.write_bytes(path.read_bytes() + b'{"finding": "' + name.encode() + b'", "sta')
    told = report(night, *record, "--mark", f"{name}=closed", "--by", "B")
    assert told["findings"][0]["state"] == "closed"
    assert "1 line of the register cannot be read" in words((night / "report.html").read_text(encoding="utf-8"))
    assert len(path.read_bytes().splitlines()) == 3


def test_a_register_of_findings_that_are_gone_is_told(night: Path) -> None:
    record = ("--table-record", night / "night.jsonl")
    name = report(night, *record)["findings"][0]["id"]
    report(night, *record, "--mark", f"{name}=closed", "--by", "A")
    report(night)
    assert "findings that are not found any more" in words((night / "report.html").read_text(encoding="utf-8"))


def test_lines_of_another_shoe_are_never_settled_with_these_cards(tmp_path: Path) -> None:
    """Two histories of shoes with one number, and a table record of the first."""
    history(tmp_path / "night.shoelog")
    other = history(tmp_path / "other.shoelog", seed=72)
    record, _ = table_record(tmp_path / "night.jsonl")
    found = run("report", tmp_path / "night.shoelog", other, "--table-record", record, "--out", tmp_path / "page.html")
    assert found.exit_code == 1
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    with ShoelogReader(other) as reader:
        second = len(list(rounds(reader.records())))
    assert html.count("The table record has no line for this round") >= second
    assert "are not in the table record" in words(html)


def test_a_face_down_card_is_nowhere_on_the_page(tmp_path: Path) -> None:
    turned = next(one for one in session(Game.BLACKJACK, 71) if one.kind == RecordKind.REVEALED)
    history(tmp_path / "night.shoelog", until=turned.number)
    report(tmp_path, "--csv", tmp_path / "csv")
    text = words((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "dealt face down, not opened" in text
    with (tmp_path / "csv" / "cards.csv").open(encoding="utf-8-sig", newline="") as file:
        hidden = [row for row in csv.DictReader(file) if "not opened" in row["note"]]
    assert [row["card"] for row in hidden] == ["face down"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--mark", "x"), "--by NAME"),
        (("--mark", "x", "--by", "A"), "write ID=STATE"),
        (("--mark", "x=gone", "--by", "A"), "open, reviewed, closed"),
        (("--mark", "ffffffff=closed", "--by", "A"), "there is no such finding"),
        (("--table", "blackjack"), "--table goes with --table-record"),
        (("nowhere.shoelog",), "nowhere.shoelog: no such file"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    night: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(night)
    found = run("report", "night.shoelog", *more)
    assert found.exit_code == 2 and said in found.output and "Traceback" not in found.output
    assert not list(night.glob("*.html")) and not list(night.glob("*.register.jsonl"))


def test_a_night_that_is_too_long_for_a_page_says_what_it_leaves_out(
    night: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round with a finding is on the page although it comes late, and the tables have every round."""
    monkeypatch.setattr(page_room, "MOST_PLAIN", 3)
    document = report(night, "--table-record", night / "night.jsonl", "--csv", night / "csv")
    (told,) = document["histories"]
    html = (night / "report.html").read_text(encoding="utf-8")
    assert told["on_page"] == html.count('<article class="round"') == 4 < told["rounds"]
    assert f"This page has 4 of {told['rounds']} rounds: all 1 with a finding and the first 3 others." in words(html)
    finding = document["findings"][0]["id"]
    link = re.search(rf'id="finding-{finding}".*?<a href="#([^"]*)">\d+</a>', html, re.S)
    assert link and f'<article class="round" id="{link[1]}"' in html
    for name in ("rounds", "cards", "wagers"):
        with (night / "csv" / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
            assert len({row["round"] for row in csv.DictReader(file)}) == told["rounds"]
    found = run("report", night / "night.shoelog", "--out", night / "page.html")
    assert f"this page has 3 of {told['rounds']} rounds: the first 3; no round has a finding" in words(found.output)


@pytest.mark.parametrize("more", [(), ("--at", "1999-01-01 00:00")])
def test_a_finding_has_its_time_whether_its_round_is_on_the_page_or_not(
    night: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    def times(*more: str) -> list[str]:
        zone = ("--timezone", "UTC")
        report(night, "--table-record", night / "night.jsonl", "--csv", night / "csv", *zone, *more)
        with (night / "csv" / "findings.csv").open(encoding="utf-8-sig", newline="") as file:
            return [row["began"] for row in csv.DictReader(file)]

    whole = times()
    monkeypatch.setattr(page_room, "MOST_FOUND", 0)
    assert times(*more) == whole and all(whole) and len(whole) == 1


def test_what_is_left_out_is_never_called_all_of_them(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_room, "MOST_PLAIN", 3)
    monkeypatch.setattr(page_room, "MOST_FOUND", 1)
    report(night, "--table-record", night / "night.jsonl")
    text = words((night / "report.html").read_text(encoding="utf-8"))
    assert "the first 1 with a finding and the first 3 others" in text


def test_the_tables_are_there_whole_or_not_at_all(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = run("report", night / "night.shoelog", "--csv", night / "csv", "--mark", "ffffffff=closed", "--by", "A")
    assert found.exit_code == 2 and not list((night / "csv").iterdir())


def test_of_very_many_signatures_the_first_are_told_and_the_rest_counted(
    night: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told_night, "_MOST_SIGNATURES", 0)
    report(night)
    text = words((night / "report.html").read_text(encoding="utf-8"))
    assert "And 1 more shoe: 1 not signed. shoetool verify names each." in text


def test_the_command_says_what_each_history_is_worth(night: Path) -> None:
    whole = (night / "night.shoelog").read_bytes()
    part = night / "part.shoelog"
    part.write_bytes(whole[: len(whole) * 2 // 3])
    found = run("report", night / "night.shoelog", "--out", night / "report.html")
    assert "night.shoelog: verified, 0 findings" in words(found.output)
    found = run("report", part, "--out", night / "part.html")
    assert "part.shoelog: verified" not in words(found.output) and "part.shoelog: " in words(found.output)


def test_a_window_without_a_round_is_told(night: Path) -> None:
    out = night / "report.html"
    found = run("report", night / "night.shoelog", "--at", "1999-01-01 00:00", "--timezone", "UTC", "--out", out)
    assert "0 rounds" in found.output and "holds no round of that time" in words(found.output)


def test_a_file_is_hashed_once_however_many_rounds_it_has(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Path] = []
    record, history = gathering.digest_of, ShoelogReader.digest
    monkeypatch.setattr(gathering, "digest_of", lambda path, wanted: (hashed.append(path), record(path, wanted))[1])
    monkeypatch.setattr(ShoelogReader, "digest", lambda self: (hashed.append(self.path), history(self))[1])
    document = report(night, "--table-record", night / "night.jsonl")
    assert document["histories"][0]["rounds"] > 5
    assert sorted(path.name for path in hashed) == ["night.jsonl", "night.shoelog"]
