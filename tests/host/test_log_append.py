"""`shoetool log append`: what is logged, what is refused and why, and what happens when it is done twice."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from histories import DEVICE
from log_commands import Casino, document, one_line, run
from log_entries import ORIGIN, log_of, made
from shoe_row import Row
from shoetool.model.errors import BadInput
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import LogWrong
from shoetool.transparency.keeper import Keeper, alone
from shoetool.transparency.log_folder import LogFolder
from signed_histories import Key, chained, key, read, sign_pages, write


@pytest.fixture
def casino(tmp_path: Path) -> Casino:
    return Casino(tmp_path, 3)


def text(result: object) -> str:
    return " ".join(str(result).split())


def test_a_night_is_logged_once_however_often_it_is_appended(casino: Casino) -> None:
    first = casino.append(*casino.files[:2])
    assert first.exit_code == 0 and "2 new, 2 in all" in first.output
    before = (casino.log / "checkpoint").read_bytes()
    twice = run("init", casino.folder / "two", "--origin", ORIGIN)
    assert twice.exit_code == 0
    both = document("append", casino.folder / "two", *casino.files[:1] * 2, "--keys", casino.pins)
    assert [one["entry"] for one in both["new"]] == [one["entry"] for one in both["known"]] == [0]
    again = casino.append(*casino.files[:2], casino.files[0])
    assert again.exit_code == 0 and "0 new, 3 known before, 2 in all" in again.output
    assert (casino.log / "checkpoint").read_bytes() == before
    last = document("append", casino.log, *casino.files, "--keys", casino.pins)
    assert [one["shoe"] for one in last["new"]] == [3] and [one["entry"] for one in last["known"]] == [0, 1]
    assert casino.findings(*casino.files) == []
    shown = run("show", casino.log).output
    assert shown.count(DEVICE.hex()) == 3 and casino.vkey in shown
    assert document("show", casino.log)["size"] == 3


def test_an_entry_holds_no_more_than_what_was_signed(casino: Casino) -> None:
    """Not one byte of a record: the entry is the statement, a hash, the key and the signature."""
    casino.append(*casino.files)
    for (_, data), file in zip(LogFolder(casino.log).load(), casino.files, strict=True):
        pages, (signature,) = read(file)
        assert data == b"SHOEENT\x01" + signature.statement + pages[0][28:60] + signature.public + signature.signature


def test_another_head_for_a_logged_shoe_is_refused_as_a_finding(casino: Casino) -> None:
    casino.append(*casino.files)
    before = (casino.log / "checkpoint").read_bytes()
    pages, _ = read(casino.files[1])
    forged = write(casino.folder / casino.files[1].name, pages, [sign_pages(pages, key(), 9)])
    result = casino.append(forged)
    assert result.exit_code == 1
    assert "FINDING fork" in text(result.output) and "stands in entry 1" in text(result.output)
    assert f"shoe 2 of device {DEVICE.hex()}" in text(result.output)
    assert (casino.log / "checkpoint").read_bytes() == before
    found = document("append", casino.log, forged, "--keys", casino.pins, code=1)
    assert [(one["what"], one["shoe"]) for one in found["findings"]] == [("fork", 2)]


def test_two_heads_for_one_shoe_in_one_append_are_both_refused(casino: Casino) -> None:
    pages, _ = read(casino.files[1])
    forged = write(casino.folder / casino.files[1].name, pages, [sign_pages(pages, key(), 9)])
    found = document("append", casino.log, *casino.files, forged, "--keys", casino.pins, code=1)
    assert [(one["what"], one["shoe"]) for one in found["findings"]] == [("fork", 2)] * 2
    assert [one["shoe"] for one in found["new"]] == [1, 3]
    assert "shoe 2 of device" in found["notes"][0]
    files = {one["sentence"].partition(": shoe")[0] for one in found["findings"]}
    assert files == {str(forged), str(casino.files[1])}


def test_an_index_that_signed_another_shoe_is_refused(casino: Casino) -> None:
    casino.append(*casino.files)
    casino.row.index = 1
    found = document("append", casino.log, casino.row.deal(), "--keys", casino.pins, code=1)
    assert [(one["what"], one["shoe"]) for one in found["findings"]] == [("reused index", 4)]


def test_pages_that_go_back_are_refused(casino: Casino) -> None:
    """An old image of the flash was put back: the shoe number goes on, the pages do not."""
    casino.append(*casino.files)
    casino.row.page = casino.row.record = 2
    found = document("append", casino.log, casino.row.deal(), "--keys", casino.pins, code=1)
    assert [(one["what"], one["shoe"]) for one in found["findings"]] == [("contradicted", 4)]
    assert "begins with page 2" in found["findings"][0]["sentence"]


def test_what_no_pinned_key_signed_is_refused_and_named(casino: Casino, tmp_path: Path) -> None:
    unsigned = casino.row.deal(signed=False)
    other = Row(tmp_path / "other", Key("thief")).deal()
    edited = write(tmp_path / "edited.shoelog", chained([page for file in casino.files for page in read(file)[0]]), [])
    signature = read(casino.files[0])[1]
    pages, _ = read(casino.files[0])
    broken = bytearray(pages[0])
    broken[80] ^= 1
    damaged = write(tmp_path / casino.files[0].name, [bytes(broken)], signature)
    found = document(
        "append", casino.log, unsigned, other, edited, damaged, casino.files[0], "--keys", casino.pins, code=1
    )
    by_file = {one["sentence"].partition(": ")[0]: one["what"] for one in found["findings"]}
    assert by_file == {
        str(unsigned): "unsigned",
        str(other): "other key",
        str(edited): "unsigned",
        str(damaged): "edited",
    }
    assert [one["shoe"] for one in found["new"]] == [1], "the good one is logged all the same"


def test_a_shoe_whose_key_nobody_pinned_is_not_logged(casino: Casino, tmp_path: Path) -> None:
    result = run("append", casino.log, *casino.files, "--keys", tmp_path / "no pins")
    assert result.exit_code == 2 and "nobody pinned a key" in result.stderr and "0 new" in result.stdout


def test_a_missing_shoe_is_told_at_once_and_may_be_logged_later(casino: Casino) -> None:
    result = casino.append(casino.files[0], casino.files[2])
    assert result.exit_code == 0 and "shoe 2 of device" in result.output and "not in the log yet" in result.output
    assert casino.findings() == [("missing", 2)]
    assert casino.append(casino.files[1]).exit_code == 0
    assert casino.findings(*casino.files) == []


def test_an_unreadable_history_does_not_stop_the_others(casino: Casino, tmp_path: Path) -> None:
    junk = tmp_path / "junk.shoelog"
    junk.write_bytes(b"no history")
    result = casino.append(junk, tmp_path / "none.shoelog", *casino.files)
    assert result.exit_code == 2 and "3 new" in result.stdout and result.stderr.count("\n") == 2


def test_only_one_process_writes(casino: Casino) -> None:
    with alone(casino.log):
        assert "another shoetool is writing" in one_line(casino.append(*casino.files))
    assert LogFolder(casino.log).size == 0
    assert casino.append(*casino.files).exit_code == 0


def test_a_log_that_was_put_back_signs_nothing_more(casino: Casino, tmp_path: Path) -> None:
    """The keeper restores an old backup of the log: a second checkpoint of the same size would be a split view."""
    casino.append(casino.files[0])
    shutil.copytree(casino.log, tmp_path / "backup")
    casino.append(casino.files[1])
    refused = casino.append(casino.files[2], log=tmp_path / "backup")
    assert refused.exit_code == 1 and "rolled back" in one_line(refused)
    assert LogFolder(tmp_path / "backup").size == 1
    memory = tmp_path / "log.logkey.signed"
    memory.rename(tmp_path / "lost")
    lost = casino.append(casino.files[2])
    assert lost.exit_code == 2 and "log.logkey.signed" in one_line(lost)


def test_the_key_of_another_log_appends_nothing(casino: Casino, tmp_path: Path) -> None:
    run("init", tmp_path / "two", "--origin", "other.example/log")
    result = run("append", casino.log, casino.files[0], "--keys", casino.pins, "--key", tmp_path / "two.logkey")
    assert result.exit_code == 1 and "other log" in one_line(result)
    witness = tmp_path / "w.key"
    run("witness", "--new", "w", "--key", witness)
    result = run("append", casino.log, casino.files[0], "--keys", casino.pins, "--key", witness)
    assert result.exit_code == 2 and "is the key of a witness" in one_line(result)


@pytest.mark.parametrize(
    "name", ["", "two words", "a+b", "a\x1b[2J", "line\nend", "a\u202eb", "a\u00a0b", "x" * 256, "\u200b"]
)
def test_a_hostile_or_impossible_origin_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    result = run("init", tmp_path / "log", "--origin", name)
    assert result.exit_code == 2 and one_line(result).strip().isprintable()
    assert not list(tmp_path.iterdir())


def test_a_log_begins_once_in_a_new_place_and_its_key_is_its_owners_alone(tmp_path: Path) -> None:
    assert run("init", tmp_path / "log", "--origin", ORIGIN).exit_code == 0
    key_file = tmp_path / "log.logkey"
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert "exists" in one_line(run("init", tmp_path / "log", "--origin", ORIGIN))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    assert "is not empty" in one_line(run("init", tmp_path / "full", "--origin", ORIGIN))
    inside = run("init", tmp_path / "in", "--origin", ORIGIN, "--key", tmp_path / "in" / "key")
    assert "lies in the log" in one_line(inside)
    key_file.chmod(0o644)
    with pytest.raises(BadInput, match="is no log"):
        LogFolder(tmp_path)
    assert "is no log" in one_line(run("append", tmp_path / "nowhere", "x"))


def test_an_entry_that_no_bundle_can_hold_is_refused(tmp_path: Path) -> None:
    log, key_file = log_of(tmp_path)
    done = Keeper(log, key_file).append([replace(made(1), signature=bytes(70_000)), made(2)])
    assert [entry.statement.shoe for entry, _ in done.refused] == [1] and done.size == 1


def test_another_log_of_the_same_key_and_length_is_not_appended_to(tmp_path: Path) -> None:
    """Log and key were copied, and both copies were used: the two logs are a split view."""
    log, key_file = log_of(tmp_path / "here", range(1, 3))
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    Keeper(log, key_file).append([made(3)])
    Keeper(tmp_path / "there" / "log", tmp_path / "there" / "log.logkey").append([made(4), made(5)])
    shutil.rmtree(log)
    shutil.copytree(tmp_path / "there" / "log", log)
    with pytest.raises(LogWrong, match="rolled back: its key signed 3 entries"):
        Keeper(log, key_file)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (made(5, 0), "was signed with index 0, the earlier one with index 2"),
        (replace(made(5), statement=replace(made(5).statement, first_record=29)), "begins with record 29, the earlier"),
        (replace(made(5), statement=replace(made(5).statement, first_page=5)), "begins with page 5, the earlier"),
        (made(0, 9), "shoe 1 cannot follow shoe 0"),
    ],
)
def test_a_shoe_that_cannot_follow_the_others_is_refused_by_index_records_or_pages(
    entry: Entry, words: str, tmp_path: Path
) -> None:
    log, key_file = log_of(tmp_path, range(1, 3))
    done = Keeper(log, key_file).append([entry])
    assert not done.new and [one.what for _, one in done.refused] == ["contradicted"]
    assert words in done.refused[0][1].sentence
