"""`shoetool archive`: histories are kept as they were added, found again, and nothing that happens goes unnoticed."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from dealer_script import Dealer, Table
from histories import DEVICE, Script
from shoe_row import Row
from shoetool.archive import keeper as keeper_module
from shoetool.archive.custody import START, Custody, parse
from shoetool.archive.index import Index, Wanted
from shoetool.cli import build
from signed_histories import flip, signed_file
from stopped_at import stopped_at
from test_cli_files import closed_shoe, validated


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(build(), ["archive", *map(str, words)])


def add(vault: Path, *paths: Path, jobs: int = 1) -> Result:
    return run("add", vault, *paths, "--by", "R. Moss", "--jobs", str(jobs))


def check(vault: Path, *words: str) -> dict[str, Any]:
    return validated("archive_check", run("check", vault, *words, "--json").stdout)


def found(vault: Path, *words: str) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = validated("archive_find", run("find", vault, *words, "--json").stdout)["rounds"]
    return rounds


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A folder with two whole shoes, one that is damaged, one that is unsigned, and a file that is none."""
    folder = tmp_path / "night"
    signed_file(folder, seed=1, shoe=4)
    signed_file(folder, seed=2, shoe=5)
    damaged = signed_file(folder, seed=3, shoe=6)
    damaged.write_bytes(flip(damaged.read_bytes(), 3000))
    closed_shoe().write(folder / "unsigned.shoelog")
    (folder / "none.shoelog").write_bytes(b"PK\x03\x04")
    return folder


@pytest.fixture
def vault(tmp_path: Path, night: Path) -> Path:
    assert add(tmp_path / "vault", night).exit_code == 2
    return tmp_path / "vault"


# ------------------------------------------------------------------------------------------------ added
def test_what_is_added_is_kept_byte_for_byte_with_who_when_and_hash(vault: Path, night: Path) -> None:
    lines = list(Custody(vault).lines())
    assert [line.number for line in lines] == [1, 2, 3, 4] and lines[0].before == START
    for line in lines:
        assert (vault / line.name).read_bytes() == Path(line.origin).read_bytes()
        assert line.who == "R. Moss" and "@" in line.account and line.when.endswith("Z")
    assert check(vault)["found"] == [] and check(vault)["notes"] == []


def test_adding_again_changes_nothing_and_a_bad_file_is_one_line(vault: Path, night: Path) -> None:
    before = (vault / "custody.jsonl").read_bytes()
    result = add(vault, night)
    assert result.exit_code == 2 and result.stderr.count("\n") == 1 and "none.shoelog" in result.stderr
    assert "0 added, 4 there already, 1 not added" in result.output
    assert (vault / "custody.jsonl").read_bytes() == before
    (night / "none.shoelog").unlink()
    shutil.copy(next(night.glob("*-00004.shoelog")), night / "copy.shoelog")
    told = validated("archive_add", run("add", vault, night, "--by", "x", "--jobs", "1", "--json").stdout)
    assert (told["added"], told["there_already"]) == (0, 5), "a file under another name is the same history"


def test_a_history_with_findings_is_kept_as_evidence(tmp_path: Path, night: Path) -> None:
    result = add(tmp_path / "vault", next(night.glob("*-00006.shoelog")))
    assert result.exit_code == 1 and "1 added" in result.output
    (line,) = Custody(tmp_path / "vault").lines()
    assert line.name.startswith(f"histories/{DEVICE.hex()}/{DEVICE.hex()}-00006.")


def test_a_table_record_is_kept_with_its_history(tmp_path: Path, night: Path) -> None:
    path = next(night.glob("*-00004.shoelog"))
    lines = '{"format": "shoetool-round/1", "table": "blackjack"}\n'
    path.with_suffix(".jsonl").write_text(lines)
    run("add", tmp_path / "vault", path, "--by", "x", "--table-records", "--jobs", "1")
    (line,) = Custody(tmp_path / "vault").lines()
    assert (tmp_path / "vault" / line.record).read_text() == lines and line.record_sha256
    (tmp_path / "vault" / line.record).write_text(lines + "\n")
    assert check(tmp_path / "vault")["found"] == [
        f"{line.record}: was changed since it was added (line 1 of the log); bring it back from a copy"
    ]


# ------------------------------------------------------------------------------------------------ found again
def played(folder: Path, name: str, plant: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    return Dealer(Table(decks=6, seats=0b11), 3, plant).play_shoe().write(folder / name)


def test_a_round_is_found_by_time_table_shoe_number_dealer_and_card(tmp_path: Path) -> None:
    path = played(tmp_path / "night", "a.shoelog")
    assert add(tmp_path / "vault", path).exit_code == 0
    every = found(tmp_path / "vault")
    replayed = json.loads(CliRunner().invoke(build(), ["replay", str(path), "--json", "--timezone", "UTC"]).stdout)
    assert [one["round"] for one in every] == [one["round"] for one in replayed["rounds"]] and len(every) > 5
    third = every[2]
    day, minute = third["began_at"][:10], third["began_at"][11:19]
    at = found(tmp_path / "vault", "--at", f"{day} {minute}", "--timezone", "UTC")
    assert third["round"] in [one["round"] for one in at] and len(at) <= 2
    assert found(tmp_path / "vault", "--round", "3") == [third]
    assert found(tmp_path / "vault", "--table", str(third["table"]), "--shoe", str(third["shoe"])) == every
    assert found(tmp_path / "vault", "--table", str(third["table"] + 1)) == []
    assert run("find", tmp_path / "vault", "--dealer", "200").exit_code == 1
    for card in ("7♣", "K♥"):
        with_card = [one["round"] for one in every if card in one["cards"]]
        assert [one["round"] for one in found(tmp_path / "vault", "--card", card)] == with_card
        assert 0 < len(with_card) < len(every)
    text = run("find", tmp_path / "vault", "--round", "3").output
    assert f"shoetool case {tmp_path / 'vault' / at[0]['file'].split('vault/')[1]} --round 3" in text


def test_a_long_name_of_a_file_is_shown_whole(tmp_path: Path) -> None:
    """Its end says which shoe it is."""
    add(tmp_path / "vault", played(tmp_path / "night", f"{'table-7-' * 6}00001.shoelog"))
    rows = run("find", tmp_path / "vault", "--round", "3").output.partition("as a sheet: ")[0]
    (one,) = found(tmp_path / "vault", "--round", "3")
    assert one["file"].split("vault/")[1] in "".join(rows.split())


def test_a_round_is_found_by_its_findings(tmp_path: Path) -> None:
    add(tmp_path / "vault", played(tmp_path / "night", "a.shoelog", "dealer_stops_short"))
    report = json.loads(
        CliRunner().invoke(build(), ["verify", "--json", str(tmp_path / "night" / "a.shoelog")]).stdout
    )["files"][0]["report"]
    finding = next(one for one in report["findings"] if one["round"] is not None)
    for words in (["--finding", finding["check"]], ["--clause", finding["clause"]]):
        (one,) = {row["round"] for row in found(tmp_path / "vault", *words)}
        assert one == finding["round"]
    assert found(tmp_path / "vault", "--clause", "633a.1") == []


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(table=7, first=1, last=2), Wanted(first=1, last=2), Wanted(table=7), Wanted(device="00"),
        Wanted(device="00", shoe=3), Wanted(check="sequence"), Wanted(clause="633a.7(k)", card=3),
    ],
    ids=str,
)  # fmt: skip
def test_a_search_looks_at_no_rounds_but_those_of_the_time_table_device_shoe_or_finding(
    vault: Path, wanted: Wanted
) -> None:
    """So it takes as long in an archive of a casino year as in one of a night."""
    with closing(Index(vault)) as index:
        steps = index.plan(wanted, 100)
    assert any(step.startswith("SEARCH round USING") for step in steps), steps
    assert not any(step.startswith("SCAN") for step in steps), steps


def test_a_round_that_is_open_when_the_history_ends_is_found(tmp_path: Path) -> None:
    """The one in which the power went is the one that a dispute is about."""
    whole = Dealer(Table(decks=6, seats=0b11), 3, "").play_shoe()
    for kept in range(20, 80, 3):
        script = Script()
        script.records, folder = whole.records[:kept], tmp_path / str(kept)
        folder.mkdir()
        add(folder / "vault", script.write(folder / "a.shoelog"))
        report = json.loads(CliRunner().invoke(build(), ["verify", "--json", str(folder / "a.shoelog")]).stdout)
        assert len(found(folder / "vault")) == report["files"][0]["report"]["summary"]["rounds"], kept


def test_what_is_asked_for_must_exist(vault: Path) -> None:
    result = run("find", vault, "--finding", "no such check")
    assert result.exit_code == 2 and "there is no check" in result.stderr
    assert found(vault, "--clause", "") == []


def test_a_card_that_lies_face_down_is_not_in_the_index(tmp_path: Path) -> None:
    """633a.7(h): neither the hole card nor the burn card, whose records hold no face."""
    path = closed_shoe().write(tmp_path / "a.shoelog")
    add(tmp_path / "vault", path)
    (one,) = found(tmp_path / "vault")
    shown = json.loads(CliRunner().invoke(build(), ["replay", str(path), "--json"]).stdout)
    assert set(one["cards"]) == {
        card["card"] for card in _cards(shown["rounds"]) if card["card"] not in (None, "unknown")
    }
    assert "K♠" not in one["cards"] and "Q♠" not in one["cards"]


def _cards(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        own = [value] if "card" in value and "record" in value else []
        return own + [card for one in value.values() for card in _cards(one)]
    return [card for one in value for card in _cards(one)] if isinstance(value, list) else []


def test_a_missing_shoe_is_named(tmp_path: Path) -> None:
    one, _, three = Row(tmp_path / "night").night(3)
    add(tmp_path / "vault", one, three)
    result = run("list", tmp_path / "vault")
    assert result.exit_code == 1 and f"shoe 2 of device {DEVICE.hex()}" in " ".join(result.output.split())
    validated("archive_list", run("list", tmp_path / "vault", "--json").stdout)
    add(tmp_path / "vault", tmp_path / "night")
    assert run("list", tmp_path / "vault").exit_code == 0


# ------------------------------------------------------------------------------------------------ checked
def forged(vault: Path, number: int, change: Callable[[dict[str, Any]], None]) -> None:
    """A line of the custody log changed; its own hash, those behind it, and what the index has of them made to fit."""
    lines = (vault / "custody.jsonl").read_bytes().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines]
    change(rows[number - 1])
    before = START
    written = []
    for row in rows:
        row["before"] = before
        written.append(parse(json.dumps(row, separators=(",", ":")).encode() + b"\n"))
        before = written[-1].digest
    (vault / "custody.jsonl").write_bytes(b"".join(line.line() for line in written))
    sql(vault, *(f"UPDATE log SET digest = '{line.digest}' WHERE number = {line.number}" for line in written))


def sql(vault: Path, *statements: str) -> None:
    """What somebody who can write to the index does."""
    with closing(sqlite3.connect(vault / "index.sqlite")) as database, database:
        for statement in statements:
            database.execute(statement)


def aged(vault: Path) -> None:
    """Make an archive into one of the version before: no digest in the log, and no table of its lines in the index."""
    lines = [json.loads(line) for line in (vault / "custody.jsonl").read_bytes().splitlines()]
    before, out = START, b""
    for row in lines:
        old = {name: value for name, value in row.items() if name not in ("rows", "keys", "rules")} | {"before": before}
        line = json.dumps(old, separators=(",", ":")).encode() + b"\n"
        before = sha256(line).hexdigest()
        out += line
    (vault / "custody.jsonl").write_bytes(out)
    sql(vault, "DROP TABLE log")


def test_a_file_that_was_changed_taken_out_or_put_in_is_found(vault: Path) -> None:
    names = [line.name for line in Custody(vault).lines()]
    (vault / names[0]).write_bytes(flip((vault / names[0]).read_bytes(), 900))
    (vault / names[1]).unlink()
    (vault / "histories" / "mine.shoelog").write_bytes(b"x")
    told = check(vault)
    assert told["found"] == [
        f"{names[0]}: was changed since it was added (line 1 of the log); bring it back from a copy",
        f"{names[1]}: is missing (line 2 of the log); bring it back from a copy",
        "histories/mine.shoelog: is not in the log: somebody put it here; move it away",
    ]
    assert told["notes"] == []
    assert run("check", vault).exit_code == 1


def test_a_line_that_was_changed_taken_out_or_put_in_is_found(vault: Path) -> None:
    path = vault / "custody.jsonl"
    right = path.read_bytes()
    lines = right.splitlines(keepends=True)
    for wrong in (
        right.replace(b"R. Moss", b"R. Mass", 1),
        b"".join(lines[1:]),
        b"".join([lines[0], *lines[2:]]),
        b"".join([lines[0], lines[0], *lines[1:]]),
        b"".join([lines[1], lines[0], *lines[2:]]),
        right[:-40] + b"\n",
        right.replace(b'"number":2', b'"number":"2"'),
    ):
        path.write_bytes(wrong)
        result = run("check", vault)
        assert result.exit_code == 1 and "custody.jsonl" in result.output, wrong
        assert add(vault, vault / "nothing").exit_code == 2
    path.write_bytes(right)
    assert run("check", vault).exit_code == 0


def test_a_log_that_was_written_anew_or_cut_is_found_by_a_noted_hash(vault: Path) -> None:
    noted = check(vault)["last"]
    assert check(vault, "--noted", noted)["found"] == []
    right = (vault / "custody.jsonl").read_bytes()
    forged(vault, 2, lambda row: row.update(who="nobody"))
    assert check(vault)["found"] == [], "the chain fits: only the noted hash tells"
    assert "written anew" in check(vault, "--noted", noted)["found"][0]
    (vault / "custody.jsonl").write_bytes(b"".join(right.splitlines(keepends=True)[:3]))
    told = check(vault, "--noted", noted)["found"]
    assert any("written anew" in line for line in told) and any("not in the log" in line for line in told)


def test_an_index_that_was_changed_is_found_and_one_that_is_gone_is_made_anew(vault: Path) -> None:
    before = found(vault)
    with closing(sqlite3.connect(vault / "index.sqlite")) as database, database:
        database.execute("UPDATE history SET name = 'other' WHERE number = 2")
    assert "another history for line 2" in check(vault)["found"][0]
    (vault / "index.sqlite").write_bytes(b"no database" * 500)
    result = run("find", vault)
    assert result.exit_code == 2 and "is no index" in result.stderr and "Traceback" not in result.output
    for path in vault.glob("index.sqlite*"):
        path.unlink()
    assert check(vault)["caught_up"] == 4 and check(vault)["found"] == []
    assert found(vault) == before


def test_a_log_that_lost_lines_takes_no_more(tmp_path: Path, vault: Path) -> None:
    """Else what was cut off would be written over, and nothing would tell."""
    path = vault / "custody.jsonl"
    whole = path.read_bytes()
    one = played(tmp_path / "more", "a.shoelog")
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    for words in (("find",), ("list",)):
        assert "has 3 lines, 4 were entered into the index" in run(*words, vault).stderr
    result = add(vault, one)
    assert result.exit_code == 2 and "lines were taken out" in result.stderr
    assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:3])
    path.unlink()
    assert "has 0 lines" in run("find", vault).stderr and "has 0 lines" in add(vault, one).stderr
    assert run("check", vault).exit_code == 1
    path.write_bytes(whole)
    assert add(vault, one).exit_code == 0 and run("check", vault).exit_code == 0


def test_an_index_that_lacks_histories_says_so_and_not_that_nothing_fits(vault: Path) -> None:
    for path in vault.glob("index.sqlite*"):
        path.unlink()
    for words in (("find",), ("list",)):
        result = run(*words, vault)
        assert result.exit_code == 2 and "lacks 4 of the log's lines" in result.stderr and not result.stdout


def test_an_index_that_is_made_anew_has_what_a_table_record_showed(tmp_path: Path) -> None:
    path = played(tmp_path / "night", "a.shoelog")
    path.with_suffix(".jsonl").write_text('{"format": "shoetool-round/1", "table": "blackjack"}\n')
    vault = tmp_path / "vault"
    assert run("add", vault, path, "--by", "x", "--table-records", "--jobs", "1").exit_code == 1
    before = run("list", vault, "--json").stdout
    assert json.loads(before)["verdicts"] == {"findings": 1}
    for one in vault.glob("index.sqlite*"):
        one.unlink()
    assert check(vault)["caught_up"] == 1 and run("list", vault, "--json").stdout == before
    (line,) = Custody(vault).lines()
    entry = '{"history": {"round": 1}, "positions": [{"position": 1, "wager": "15.00"}]}'
    (vault / line.record).write_text(f'{{"format": "shoetool-round/1", "table": "gone.toml"}}\n{entry}\n')
    forged(vault, 1, lambda row: row.update(record_sha256=sha256((vault / line.record).read_bytes()).hexdigest()))
    aged(vault)
    for one in vault.glob("index.sqlite*"):
        one.unlink()
    told = check(vault)
    assert told["found"] == [] and "was entered without what its table record shows" in told["notes"][0]


def test_a_table_record_that_comes_later_is_not_taken_for_kept(tmp_path: Path) -> None:
    path = played(tmp_path / "night", "a.shoelog")
    vault = tmp_path / "vault"
    add(vault, path)
    path.with_suffix(".jsonl").write_text('{"format": "shoetool-round/1", "table": "blackjack"}\n')
    result = run("add", vault, path, "--by", "x", "--table-records", "--jobs", "1")
    assert result.exit_code == 2 and "with no table record; the one beside it was not kept" in result.stderr
    assert "0 there already, 1 not added" in result.output


# ------------------------------------------------------------------------------------------------ power cuts, writers
STEPS = [
    (keeper_module, "write_state"),
    (Custody, "append"),
    (Index, "add"),
]


@pytest.mark.parametrize(("owner", "name"), STEPS, ids=[name for _, name in STEPS])
@pytest.mark.parametrize("late", [False, True])
def test_a_power_cut_at_any_step_of_an_add_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, late: bool
) -> None:
    """Two histories are in; the power fails while two more are added, before each step and after it."""
    monkeypatch.setenv("SHOETOOL_CRASH_DIR", str(tmp_path / "crashes"))
    files = Row(tmp_path / "night").night(4)
    add(tmp_path / "before", *files[:2])
    at = cut = 0
    while True:
        at += 1
        vault = tmp_path / f"vault-{at}"
        shutil.copytree(tmp_path / "before", vault)
        with stopped_at(owner, name, at, late) as calls:
            failed = add(vault, *files)
        if len(calls) < at:
            break
        cut += 1
        assert failed.exit_code == 70
        told = check(vault)
        assert told["found"] == [] and told["histories"] == told["entered"] and told["histories"] in (2, 4)
        assert add(vault, *files).exit_code == 0
        told = check(vault)
        assert told["found"] == told["notes"] == [] and told["histories"] == told["entered"] == 4
    assert cut == (1 if name == "append" else 2)


def test_a_line_of_the_log_cut_at_any_byte_is_no_line(tmp_path: Path) -> None:
    files = Row(tmp_path / "night").night(2)
    add(tmp_path / "vault", *files)
    path = tmp_path / "vault" / "custody.jsonl"
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    rows = list(Custody(tmp_path / "vault").lines())
    for end in range(first, len(whole)):
        path.write_bytes(whole[:end])
        custody = Custody(tmp_path / "vault")
        assert list(custody.lines()) == rows[:1] and custody.last() == rows[0]
    custody.append([rows[1]])
    assert path.read_bytes() == whole


def test_two_commands_that_add_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    one, two = Row(tmp_path / "a").night(12), tmp_path / "b"
    for seed in range(1, 4):
        signed_file(two, seed=seed, shoe=20 + seed)
    add(tmp_path / "vault", one[0])
    program = (
        "import sys; from shoetool.archive import keeper; keeper.BATCH = 1; from shoetool.start import main; "
        "sys.argv = ['shoetool', 'archive', 'add', *sys.argv[1:]]; main()"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, tmp_path / "vault", folder, "--by", folder.name, "--jobs", "1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for folder in (tmp_path / "a", two, tmp_path / "a")
    ]
    for process in running:
        _, told = process.communicate(timeout=120)
        assert b"Traceback" not in told and process.returncode in (0, 1), told
    checked = check(tmp_path / "vault")
    assert checked["found"] == checked["notes"] == [] and checked["histories"] == checked["entered"] == 15
    assert {line.who for line in Custody(tmp_path / "vault").lines()} == {"R. Moss", "a", "b"}


def test_a_folder_that_is_no_archive_stays_as_it_is(tmp_path: Path) -> None:
    """A folder that is no archive is said to be none, and a time without its day is refused."""
    for words in (["find"], ["list"], ["check"]):
        result = run(*words, tmp_path)
        assert result.exit_code == 2 and "is no archive" in result.stderr
    assert "name one" in run("find", tmp_path, "--at", "21:14").stderr
    assert not list(tmp_path.iterdir())
