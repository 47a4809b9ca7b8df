"""`shoetool archive check`: whatever was done to files, custody log or index is found, and it says how to repair it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from shoetool.archive.custody import Added, Custody, Derived
from shoetool.archive.index import Index
from shoetool.archive.rows import COLUMNS
from shoetool.cli import build
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import key
from test_archive import add, aged, check, forged, night, played, run, sql, vault

__all__ = ["night", "vault"]

EDITS = {
    "verdicts": ["UPDATE history SET verdict = 'verified', headline = 'verified, 0 findings'"],
    "findings": ["DELETE FROM finding", "UPDATE history SET findings = 0"],
    "one finding": ["DELETE FROM finding WHERE rowid = (SELECT MIN(rowid) FROM finding)"],
    "rounds shifted": ["UPDATE round SET began = began + 25200000, ended = ended + 25200000"],
    "a round taken out": ["DELETE FROM round WHERE rowid = 2"],
    "a round put in": ["INSERT INTO round SELECT * FROM round WHERE rowid = 2"],
    "rows of no history": ["INSERT INTO finding SELECT 99, round_record, clause, name FROM finding"],
    "a history taken out": ["DELETE FROM history WHERE number = 2", "DELETE FROM round WHERE history = 2"],
    "the last history taken out": ["DELETE FROM history WHERE number = 4", "DELETE FROM round WHERE history = 4",
                                   "DELETE FROM log WHERE number = 4", "DELETE FROM round_clock WHERE history = 4"],
    "a history put in": ["INSERT INTO history SELECT 9, name || 'x', sha256 || 'x', size, record, verdict, headline, "
                         "device, shoe, gaming_table, began, ended, rounds, findings FROM history WHERE number = 1"],
    "a page": ["UPDATE held SET last_record = last_record + 1"],
    "a signature": ["UPDATE signed SET good = 0"],
    "lines of the log": ["DELETE FROM log"],
    "a table": ["CREATE TABLE other AS SELECT * FROM finding"],
    "a trigger": ["CREATE TRIGGER quiet AFTER INSERT ON history BEGIN DELETE FROM finding; END"],
}  # fmt: skip


@pytest.mark.parametrize("edits", EDITS.values(), ids=EDITS.keys())
def test_whatever_sql_does_to_the_index_is_found_and_the_index_is_made_anew(vault: Path, edits: list[str]) -> None:
    before = run("list", vault, "--json").stdout
    sql(vault, *edits)
    result = run("check", vault)
    assert result.exit_code == 1 and "FOUND" in result.stdout and "Traceback" not in result.output
    rebuild = "--rebuild" in result.stdout
    if not rebuild:  # the index may be the only witness of a line that was taken out of the log: it is kept
        assert run("check", vault, "--rebuild").exit_code == 1 and "move index.sqlite away" in result.stdout
        (vault / "index.sqlite").rename(vault / "index.old")
    told = run("check", vault, *(["--rebuild"] if rebuild else []), "--jobs", "1")
    assert told.exit_code == 0 and "files, custody log and index agree" in told.stdout, told.stdout
    assert run("list", vault, "--json").stdout == before and run("check", vault).exit_code == 0


def test_a_table_that_became_a_view_is_no_index(vault: Path) -> None:
    """It could show something else each time."""
    sql(vault, "ALTER TABLE finding RENAME TO other", "CREATE VIEW finding AS SELECT * FROM other WHERE random() > 0")
    for words in (("check",), ("find",), ("list",), ("check", "--rebuild")):
        result = run(words[0], vault, *words[1:])
        assert result.exit_code == 2 and "move it away, and shoetool archive check makes it anew" in result.stderr
    (vault / "index.sqlite").unlink()
    assert run("check", vault).exit_code == 0


def test_no_column_of_the_index_is_left_out_of_the_digest(vault: Path) -> None:
    with closing(Index(vault)) as index, closing(sqlite3.connect(vault / "index.sqlite")) as database:
        assert index.linked.devices()
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert tables - {"log"} == set(COLUMNS)
        for table, columns in COLUMNS.items():
            assert tuple(row[1] for row in database.execute(f"PRAGMA table_info({table})")) == columns
            assert database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0], "a table that nothing tests"


def test_an_index_and_its_digests_that_were_changed_together_are_found_by_verifying_again(vault: Path) -> None:
    """Whoever can write to all of it makes log and index agree; what the files show stays as it is."""
    noted = check(vault)["last"]
    sql(vault, EDITS["verdicts"][0], *EDITS["findings"])
    with closing(Index(vault)) as index:
        digests = dict(index.digests())
    for number, digest in digests.items():
        forged(vault, number, lambda row, own=digest: row.update(rows=own))  # type: ignore[misc]
    assert check(vault)["found"] == []
    assert "written anew" in check(vault, "--noted", noted)["found"][0]
    told = check(vault, "--verify", "--jobs", "1")
    assert told["verified_again"] == 4 and len(told["found"]) == 2
    for line in told["found"]:
        assert "verified again it comes out otherwise" in line and "the index was changed" in line
    rebuilt = run("check", vault, "--rebuild", "--jobs", "1")
    assert rebuilt.exit_code == 1 and "its files do not give what line 3 of the log says" in rebuilt.stdout
    assert run("check", vault, "--verify").exit_code == 0, "the log has a line on it, and the index what the files give"


def _last_line(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Path], None]:
    def edit(vault: Path) -> None:
        path = vault / "custody.jsonl"
        path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))

    return edit


LOGS: dict[str, Callable[[Path], None]] = {
    "the last line taken out": _last_line(lambda lines: lines[:-1]),
    "the last line changed": _last_line(lambda lines: [*lines[:-1], lines[-1].replace(b"R. Moss", b"R. Mass")]),
    "a cut end": _last_line(lambda lines: [*lines[:-1], lines[-1][:-30]]),
    "no end of line": _last_line(lambda lines: [*lines[:-1], lines[-1][:-1]]),
    "cut after the second line": _last_line(lambda lines: lines[:2]),
    "nothing left": _last_line(lambda lines: []),
    "gone": lambda vault: (vault / "custody.jsonl").unlink(),
    "a file outside": _last_line(lambda lines: [*lines[:-1], lines[-1].replace(b'"histories/', b'"../istories/')]),
    "deep": _last_line(lambda lines: [*lines, b"[" * 200_000 + b"\n"]),
    "no text": _last_line(lambda lines: [*lines, b"\xff\n"]),
}


@pytest.mark.parametrize("edit", LOGS.values(), ids=LOGS.keys())
def test_the_end_of_the_log_is_found_to_be_changed(vault: Path, edit: Callable[[Path], None]) -> None:
    """Nothing follows it that holds its hash. So the index holds the hash of each line."""
    edit(vault)
    result = run("check", vault)
    assert result.exit_code == 1 and "FOUND" in result.stdout and "Traceback" not in result.output
    assert run("check", vault, "--rebuild").exit_code == 1 or b"\n" in (vault / "custody.jsonl").read_bytes()


def test_a_log_that_was_cut_together_with_the_index_is_found_by_a_noted_hash(vault: Path) -> None:
    noted = check(vault)["last"]
    _last_line(lambda lines: lines[:3])(vault)
    sql(vault, *EDITS["the last history taken out"], "DELETE FROM finding WHERE history = 4")
    last = "path NOT IN (SELECT name FROM history)"
    sql(vault, f"DELETE FROM held WHERE {last}", f"DELETE FROM signed WHERE {last}")
    told = check(vault)
    assert told["found"] == [] and "the end of the log was taken off" in told["notes"][0]
    assert "written anew" in check(vault, "--noted", noted)["found"][0]


def test_the_line_of_a_noted_hash_is_told(vault: Path, tmp_path: Path) -> None:
    noted = check(vault)["last"]
    add(vault, played(tmp_path / "more", "a.shoelog"))
    told = check(vault, "--noted", noted)
    assert (told["line_of_noted"], told["lines"], told["found"]) == (4, 5, [])
    assert "that of line 4; up to it no line was changed" in run("check", vault, "--noted", noted).stdout
    assert check(vault, "--noted", "0" * 64)["line_of_noted"] == 0


def test_a_history_that_is_a_link_is_found_and_a_file_that_nobody_added(vault: Path, tmp_path: Path) -> None:
    (first, second, *_) = [line for line in Custody(vault).lines() if isinstance(line, Added)]
    shutil.move(vault / first.name, tmp_path / "elsewhere")
    (vault / first.name).symlink_to(tmp_path / "elsewhere")
    folder = (vault / second.name).parent
    forged_name = second.name.replace("-00005.", "-00009.")
    (vault / forged_name).write_bytes(b"x")
    (folder / "link").symlink_to(tmp_path)
    (vault / "rules").mkdir()
    (vault / "rules" / "mine.toml").write_bytes(b"")
    told = "\n".join(check(vault)["found"])
    assert f"{first.name}: is a link, not the file that was added (line 1 of the log)" in told
    for name in (forged_name, f"{folder.relative_to(vault)}/link", "rules/mine.toml"):
        assert f"{name}: is not in the log: somebody put it here" in told
    assert len(told.splitlines()) == 4


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes with names")
def test_a_pipe_in_the_place_of_a_history_is_found(vault: Path) -> None:
    """Whoever opens it waits for ever."""
    (first, *_) = [line for line in Custody(vault).lines() if isinstance(line, Added)]
    (vault / first.name).unlink()
    os.mkfifo(vault / first.name)
    os.mkfifo(vault / first.name.replace("-00004.", "-00008."))
    told = check(vault)["found"]
    assert len(told) == 2 and "is a pipe" in told[0] and "somebody put it here" in told[1]


def test_a_folder_that_is_a_link_is_told(vault: Path, tmp_path: Path) -> None:
    """A house may keep its histories on another disk."""
    shutil.move(vault / "histories", tmp_path / "disk")
    (vault / "histories").symlink_to(tmp_path / "disk")
    told = check(vault)
    assert told["found"] == [] and told["notes"] == [
        "histories: is a link to another folder; the archive's files lie there"
    ]


# ------------------------------------------------------------------------------------------------ the signed head
def test_a_signed_head_shows_that_the_log_only_grew(vault: Path, tmp_path: Path) -> None:
    head, own = tmp_path / "vault.head", tmp_path / "shoes.logkey"
    made = CliRunner().invoke(build(), ["log", "init", str(tmp_path / "shoes"), "--origin", "casino.example/shoes"])
    vkey = made.stdout.rpartition("for everybody: ")[2].replace("\n", "").strip()
    assert made.exit_code == 0 and own.exists()
    assert check(vault, "--head", str(head), "--key", str(own))["head"] == str(head)
    first = head.read_text()
    assert first.startswith("shoetool-custody/1\nlines 4\nhash ") and "\n\n\u2014 casino.example/shoes " in first
    add(vault, played(tmp_path / "more", "a.shoelog"))
    told = check(vault, "--head", str(head), "--vkey", vkey)
    assert (told["found"], told["line_of_noted"], told["head"]) == ([], 4, None) and head.read_text() == first
    assert check(vault, "--head", str(head), "--key", str(own))["line_of_noted"] == 4
    assert "\nlines 5\n" in head.read_text()
    _last_line(lambda lines: lines[:4])(vault)
    (vault / "index.sqlite").unlink()
    assert check(vault)["found"] == [], "log and index fit: only the head tells"
    second = head.read_text()
    told = check(vault, "--head", str(head), "--key", str(own))
    assert "written anew" in told["found"][0] and told["head"] is None and head.read_text() == second
    for wrong, said in (
        (first.replace("lines 4", "lines 5"), "does not verify"),
        (first.partition("\n\n")[0], "is no signed note"),
        (first.replace("shoetool-custody/1", "shoetool-custody/2"), "is no signed head"),
    ):
        head.write_text(wrong)
        result = run("check", vault, "--head", head, "--vkey", vkey)
        assert result.exit_code == 2 and said in result.stderr and head.read_text() == wrong
    for words in (["--head", head], ["--key", own], ["--head", head, "--vkey", vkey, "--key", own]):
        assert run("check", vault, *words).exit_code == 2


# ------------------------------------------------------------------------------------------------ older archives
def test_an_archive_of_the_version_before_is_read_and_told_as_what_it_is(vault: Path, tmp_path: Path) -> None:
    rounds = run("find", vault, "--json").stdout
    aged(vault)
    assert run("find", vault, "--json").stdout == rounds
    told = check(vault)
    assert (told["found"], told["not_compared"], told["entered"]) == ([], 4, 4) and "--rebuild" in told["notes"][0]
    shown = run("check", vault).stdout
    assert "what the index holds was not compared for 4 histories" in shown and "index agree" not in shown
    assert run("check", vault, "--verify", "--jobs", "1").exit_code == 0
    sql(vault, *EDITS["verdicts"])
    assert check(vault)["found"] == [] and check(vault, "--verify", "--jobs", "1")["found"] != []
    add(vault, played(tmp_path / "more", "a.shoelog"))
    assert check(vault)["not_compared"] == 4
    told = check(vault, "--rebuild", "--jobs", "1")
    assert (told["found"], told["not_compared"], told["caught_up"], told["lines"]) == ([], 0, 5, 9)
    assert [line.of for line in Custody(vault).lines() if isinstance(line, Derived)] == [1, 2, 3, 4]
    sql(vault, *EDITS["verdicts"])
    assert check(vault)["found"] != []
    assert check(vault, "--rebuild", "--jobs", "1")["lines"] == 9, "what comes out as the log says needs no line"


def test_what_another_version_judges_otherwise_is_told_and_noted(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forged(vault, 1, lambda row: row.update(shoetool="0.0.1", rows="0" * 64))
    assert len(check(vault)["found"]) == 1
    told = check(vault, "--verify", "--jobs", "1")
    assert len(told["found"]) == 1, "the index is what the files give, and the log says otherwise"
    told = check(vault, "--rebuild", "--jobs", "1")
    assert told["found"] == [] and "that was shoetool 0.0.1, this is" in told["notes"][0] and told["lines"] == 5
    assert check(vault)["found"] == []


# ------------------------------------------------------------------------------------------------ verified as it was
def test_a_history_is_verified_again_with_the_keys_rules_and_name_that_it_had(tmp_path: Path) -> None:
    """None of them lies where it lay: another key is pinned, and the rules submission is gone."""
    night, vault, keys = tmp_path / "night", tmp_path / "vault", tmp_path / "keys"
    path = played(night, "5445535453484f45-00009.shoelog")  # of another shoe: a finding, by its name
    run_rules(night / "rules.toml")
    entry = '{"history": {"round": 1}, "positions": [{"position": 1, "wager": "15.00"}]}'
    lines = f'{{"format": "shoetool-round/1", "table": "rules.toml"}}\n{entry}\n'
    path.with_suffix(".jsonl").write_text(lines)
    PinStore(keys).pin(b"TESTSHOE", PublicKey(key().public))
    words = ("--by", "x", "--table-records", "--jobs", "1", "--keys", keys)
    assert run("add", vault, path, *words).exit_code == 1
    (line,) = Custody(vault).lines()
    assert isinstance(line, Added) and line.rules and line.keys == {b"TESTSHOE".hex(): key().public.hex()}
    assert [*line.rules] == ["rules.toml"]
    before = run("list", vault, "--json").stdout
    shutil.rmtree(night)
    PinStore(keys).pin(b"TESTSHOE", PublicKey(key("another").public), replace=True)
    told = check(vault, "--verify", "--jobs", "1", "--keys", str(keys))
    assert (told["found"], told["verified_again"]) == ([], 1)
    (note,) = told["notes"]
    assert "added with a key that is not pinned now: 1; shoetool verify compares" in note
    told = check(vault, "--rebuild", "--jobs", "1")
    assert (told["found"], told["notes"], told["lines"]) == ([], [], 1)
    assert run("list", vault, "--json").stdout == before
    (vault / "rules" / f"{line.rules['rules.toml']}.toml").unlink()
    assert "is missing (line 1 of the log)" in check(vault)["found"][0]


def run_rules(path: Path) -> None:
    from shoetool.rules.submission.file import example

    path.write_text(example("blackjack"))


def test_keys_that_somebody_wrote_into_the_log_are_told(vault: Path, tmp_path: Path) -> None:
    """Whoever signed anew with his own key writes it into the log too; the pinned key is not in his hands."""
    store = PinStore(tmp_path / "pinned")
    store.pin(b"TESTSHOE", PublicKey(key().public))
    notes = check(vault, "--verify", "--jobs", "1", "--keys", str(store.folder))["notes"]
    assert len(notes) == 1 and "added before its key was pinned" in notes[0]
    forged(vault, 1, lambda row: row.update(keys={b"TESTSHOE".hex(): key("thief").public.hex()}))
    notes = check(vault, "--verify", "--jobs", "1", "--keys", str(store.folder))["notes"]
    assert any("added with a key that is not pinned now: 1;" in note for note in notes)


def test_the_rules_of_the_option_are_kept_too(tmp_path: Path) -> None:
    path, vault = played(tmp_path / "night", "a.shoelog"), tmp_path / "vault"
    entry = '{"history": {"round": 1}, "positions": [{"position": 1, "wager": "15.00"}]}'
    path.with_suffix(".jsonl").write_text(f'{{"format": "shoetool-round/1", "table": "gone.toml"}}\n{entry}\n')
    run("add", vault, path, "--by", "x", "--table-records", "--table", "blackjack", "--jobs", "1")
    (line,) = Custody(vault).lines()
    assert isinstance(line, Added) and [*(line.rules or {})] == ["--table"]
    assert check(vault, "--verify", "--jobs", "1")["found"] == []
    told = check(vault, "--rebuild", "--jobs", "1")
    assert (told["found"], told["notes"], told["lines"]) == ([], [], 1)


def test_many_processes_verify_again_what_one_does(vault: Path) -> None:
    assert check(vault, "--verify", "--jobs", "2") == check(vault, "--verify", "--jobs", "1")


def test_a_history_that_is_missing_is_told_and_the_others_are_verified(vault: Path) -> None:
    (first, *_) = [line for line in Custody(vault).lines() if isinstance(line, Added)]
    (vault / first.name).unlink()
    told = check(vault, "--verify", "--jobs", "1")
    assert told["verified_again"] == 3 and [f"{first.name}: is missing" in one for one in told["found"]] == [True]
    result = run("check", vault, "--rebuild", "--jobs", "1")
    assert result.exit_code == 1 and f"{first.name}: is missing" in result.stdout
    assert json.loads(run("list", vault, "--json").stdout)["verdicts"], "the index stays as it was"


ODD = ("NULL", "4611686018427387904", "'x'")


@pytest.mark.parametrize("table", [*COLUMNS, "log"])
def test_a_value_of_any_type_in_any_column_of_the_index_ends_no_command(vault: Path, table: str) -> None:
    """Text that became bytes has the same digits, but SQL does not find it any more."""
    columns = COLUMNS.get(table, ("number", "digest"))
    index = vault / "index.sqlite"
    sound = index.read_bytes()
    changed = 0
    for column in columns:
        for value in (*ODD, as_bytes := f"CAST({column} AS BLOB)", from_digits := f"unhex_text({column})"):
            index.write_bytes(sound)
            with closing(sqlite3.connect(index)) as database:
                database.create_function("unhex_text", 1, _other_type)
                query = f"SELECT {column} FROM {table} ORDER BY 1"
                before = database.execute(query).fetchall()
                try:
                    database.execute(f"UPDATE {table} SET {column} = {value}")
                except sqlite3.IntegrityError:  # no two rows may have the same, or it must be a number
                    continue
                database.commit()
                if database.execute(query).fetchall() == before:
                    continue
            changed += 1
            for words in (("list", vault, "--json"), ("find", vault, "--json")):
                result = run(*words)
                assert result.exit_code in (0, 1, 2), (column, value, words, result.exception)
            if value in (as_bytes, from_digits):
                told = run("check", vault)
                assert told.exit_code in (1, 2) and "agree" not in told.stdout, (column, value)
    assert changed > len(columns)


def _other_type(value: object) -> object:
    """Return bytes for the text of their digits, and that text for bytes. The text of no digits stays."""
    if isinstance(value, bytes):
        return value.hex()
    try:
        return bytes.fromhex(value) if isinstance(value, str) else value
    except ValueError:
        return value


def test_links_in_the_place_of_the_custody_log_and_of_the_index_are_not_followed(vault: Path, tmp_path: Path) -> None:
    """`check --rebuild` takes everything out of the database that it writes."""
    for name in ("index.sqlite", "custody.jsonl"):
        elsewhere = tmp_path / f"other-{name}"
        (vault / name).rename(elsewhere)
        before = elsewhere.read_bytes()
        (vault / name).symlink_to(elsewhere)
        for words in (("check", vault), ("check", vault, "--rebuild"), ("list", vault)):
            result = run(*words)
            assert result.exit_code in (1, 2) and "is a link" in result.output, (name, words, result.output)
        assert elsewhere.read_bytes() == before
        (vault / name).unlink()
        elsewhere.rename(vault / name)
    assert run("check", vault).exit_code == 0


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (Path.unlink, "is missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "was changed"),
        (
            lambda path: path.rename(path.with_suffix(".moved")) and path.symlink_to(path.with_suffix(".moved")),
            "a link",
        ),
    ],
    ids=["missing", "changed", "a link"],
)
def test_a_history_whose_file_in_the_archive_is_gone_is_not_told_as_there(
    vault: Path, tmp_path: Path, harm: Callable[[Path], None], said: str
) -> None:
    """Who is told that the archive holds his history may throw it away."""
    stored = next(vault.glob("histories/*/*.shoelog"))
    own = tmp_path / "own.shoelog"
    shutil.copy(stored, own)
    assert add(vault, own).exit_code == 0
    harm(stored)
    result = add(vault, own)
    assert result.exit_code == 2 and said in result.stderr and "1 not added" in result.stdout, result.output
    stored.unlink(missing_ok=True)
    shutil.copy(own, stored)
    assert add(vault, own).exit_code == 0 and run("check", vault).exit_code in (0, 1)
