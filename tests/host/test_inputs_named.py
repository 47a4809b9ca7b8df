"""What somebody names as an input is a file that can be read, or is rejected in one line: it never hangs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import hostile_inputs
import pytest
from click.testing import CliRunner, Result
from hostile_inputs import HOLE, VECTORS, is_input, words_of
from sampled import some
from shoetool.cli import build
from shoetool.cli.outputs import Output
from shoetool.history import chunks
from shoetool.history.store import ShoelogReader
from shoetool.model.errors import BadInput
from shoetool.model.input_file import (
    LARGEST_EVIDENCE,
    LONGEST_DAMAGE,
    NoFile,
    open_input,
    open_text,
    read_input,
    read_start,
    was_opened,
)  # fmt: skip
from shoetool.verify.table_record import TableFile

PARTS = 8
HISTORY = VECTORS / "clean_single.shoelog"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(build(), list(map(str, words)))


def one_line(result: Result, code: int, said: str) -> None:
    assert result.exit_code == code, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("shoetool: ") and said in line


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach: pytest's own is for its user alone."""
    folder = Path(tempfile.mkdtemp(prefix="shoetool-inputs-"))
    folder.chmod(0o755)
    yield folder / "here"
    shutil.rmtree(folder)


def is_wrong(case: dict[str, Any]) -> bool:
    """Whether a command did anything else with an input than it should."""
    lines = case["stderr"].splitlines()
    if case["trace"] or case["code"] not in (0, 1, 2, 3) or not all(one.startswith("shoetool: ") for one in lines):
        return True
    if case["folder"] and case["kind"] in ("dangling", "long"):
        return False  # a folder that is not there: nothing is pinned in it
    if case["name"] == "lists" and case["kind"] == "pipe":
        return False  # the one input that may be a pipe: without a writer it is empty
    value = case["value"]
    named = "no file is named" if not value else repr(value[:20])[1:-1]
    return case["code"] != 2 or len(lines) != 1 or named not in lines[0]


@pytest.mark.parametrize("part", some(range(PARTS), 8))
def test_no_input_of_any_command_hangs_or_ends_in_more_than_a_line(part: int, open_folder: Path) -> None:
    """The commands and their parameters are those of the command tree; in `make soak` all of them."""
    words = [sys.executable, hostile_inputs.__file__, str(open_folder), str(part), str(PARTS)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    cases = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = {case["kind"] for case in cases}
    assert {"empty name", "pipe", "zero", "socket", "dangling", "NUL", "long", "forbidden"} <= kinds
    assert [case for case in cases if is_wrong(case)] == []


def test_a_parameter_whose_help_names_a_file_says_so_by_its_type() -> None:
    """So no path goes round the types of `options`, which reject an empty name, and the test above tries them all."""
    naming = re.compile(r"\b(FILE|FOLDER|PATH|LIST|HISTORY|KEYFILE|ARCHIVE|LOG|ANSWER|REQUEST|VKEY)\b")
    wrong = []
    for name, command in words_of(build()):
        for one in command.params:
            if isinstance(one.type, click.Path) and not is_input(one) and not isinstance(one.type, Output):
                wrong.append(f"{' '.join(name)}: {one.name} is a plain click.Path")
            if naming.search(one.metavar or "") and not is_input(one) and not isinstance(one.type, Output):
                wrong.append(f"{' '.join(name)}: {one.name} names {one.metavar} and is no path")
    assert wrong == []


# --------------------------------------------------------------------------------------------------------- the opener
def test_the_opener_waits_for_nothing_and_names_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    for path, told in (
        (tmp_path / "pipe", "is a pipe, not a thing: write it into a file first"),
        (Path("/dev/zero"), "is a device, not a thing"),
        (tmp_path, "is a directory, not a thing"),
        (tmp_path / "link", "no such file"),
        (Path("a\0b"), "null"),
        ("", "no file is named where a thing is expected"),
    ):
        for opening in (open_input, open_text):
            with pytest.raises(BadInput, match=told):
                opening(path, "a thing")
    with open_input(tmp_path / "pipe", "a thing", pipe=True) as empty:
        assert empty.read() == b""


def test_a_device_is_not_even_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("it was opened"))
    with pytest.raises(BadInput, match="is a device"):
        open_input("/dev/zero")


def test_what_takes_the_name_while_it_is_opened_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    opened = os.open

    def exchanged(name: str, *rest: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return opened(name, *rest)

    monkeypatch.setattr(os, "open", exchanged)
    with pytest.raises(BadInput, match="is a pipe"):
        open_input(path)


def test_a_link_is_not_followed_where_none_may_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    with open_input(tmp_path / "link") as file:
        assert file.read() == b"x"
    with pytest.raises(BadInput, match="is a link"):
        open_input(tmp_path / "link", links=False)


def test_inputs_are_remembered_and_own_files_are_not(tmp_path: Path) -> None:
    one, own = tmp_path / "one", tmp_path / "own"
    one.write_bytes(b"1")
    own.write_bytes(b"2")
    open_input(one).close()
    open_input(own, own=True).close()
    assert was_opened(one.stat()) and not was_opened(own.stat())


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "hole"
    path.touch()
    os.truncate(path, HOLE)
    with pytest.raises(BadInput, match="longer than 9 bytes: it is not a thing"):
        read_input(path, "a thing", 9)
    assert read_start(path, "a thing", 9) == bytes(9)
    with pytest.raises(NoFile):
        read_input(tmp_path / "none", "a thing", 9)


# ------------------------------------------------------------------------------------------------- a header and holes
def with_hole(path: Path, start: bytes, size: int, end: bytes = b"") -> Path:
    path.write_bytes(start)
    os.truncate(path, size)
    with path.open("ab") as file:
        file.write(end)
    return path


def read_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each window of the search has."""
    counts: list[int] = []
    inner = chunks._places

    def counted(data: bytes, tag: bytes) -> Iterator[int]:
        if tag == chunks.PAGE:
            counts.append(len(data))
        return inner(data, tag)

    monkeypatch.setattr(chunks, "_places", counted)
    return counts


def test_a_history_longer_than_one_can_be_is_rejected_unread(tmp_path: Path) -> None:
    path = with_hole(tmp_path / "a.shoelog", HISTORY.read_bytes(), 40 << 30)
    for words in (["verify", path], ["replay", path], ["keys", path], ["case", path, "--round", "1"], ["report", path]):
        one_line(run(*words), 2, f"has more bytes than a shoe history can have ({LARGEST_EVIDENCE})")
    assert "can have" in run("archive", "add", tmp_path / "vault", path, "--by", "me", "--jobs", "1").stderr


def test_the_search_behind_damage_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = read_bytes(monkeypatch)
    path = with_hole(tmp_path / "a.shoelog", chunks.pack_header(), LARGEST_EVIDENCE)
    with ShoelogReader(path) as reader:
        counts.clear()
        assert list(reader.records()) == [] and reader.scan.given_up
    assert LONGEST_DAMAGE <= sum(counts) < LONGEST_DAMAGE * 1.01
    (note,) = reader.notes()
    assert "was given up after byte 16" in note and f"{LARGEST_EVIDENCE - 16} bytes were left out" in note


def test_a_hole_as_a_disk_leaves_it_costs_what_was_in_it(tmp_path: Path) -> None:
    """Also many of them: only what is looked through counts."""
    whole = HISTORY.read_bytes()
    place = whole.find(b"PAGE")
    path = with_hole(tmp_path / "a.shoelog", whole[:place], place + (32 << 20), whole[place:])
    with ShoelogReader(HISTORY) as sound, ShoelogReader(path) as reader:
        assert list(reader.records()) == list(sound.records()) and not reader.scan.given_up
    many = tmp_path / "many.shoelog"
    chunk = chunks.pack_chunk(chunks.CLOCK, bytes(18))
    many.write_bytes(chunks.pack_header() + (b"\0" * 9 + chunk) * 3000)
    with ShoelogReader(many) as reader:
        list(reader.records())
        assert not reader.scan.given_up and reader.clock.notes(False) is not None
    assert reader.scan.whole_until == many.stat().st_size


def test_a_table_record_that_is_a_hole_from_some_place_on_ends_there(tmp_path: Path) -> None:
    path = with_hole(tmp_path / "a.jsonl", b"{}\n", 40 << 30)
    with TableFile(path) as file:
        lines = list(file.entries())
    assert len(lines) == 2
    assert f"what comes {LONGEST_DAMAGE >> 20} MiB behind it was not read" in str(lines[1].error)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["custody.jsonl", "index.sqlite"])
def test_a_pipe_in_an_archive_is_not_waited_for(name: str, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    assert run("archive", "add", vault, HISTORY, "--by", "me", "--jobs", "1").exit_code == 0
    (vault / name).unlink()
    os.mkfifo(vault / name)
    for words in (["check"], ["list"], ["find", "--round", "1"]):
        result = run("archive", words[0], vault, *words[1:])
        assert result.exit_code in (1, 2) and "is a pipe" in result.output and result.exception.__class__ is SystemExit


@pytest.mark.parametrize("start", [b"", b"{}\n"], ids=["nothing", "a line"])
def test_a_custody_log_that_is_a_hole_is_a_finding(start: bytes, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    assert run("archive", "add", vault, HISTORY, "--by", "me", "--jobs", "1").exit_code == 0
    with_hole(vault / "custody.jsonl", start, 40 << 30)
    result = run("archive", "check", vault)
    assert result.exit_code == 1 and "custody.jsonl" in result.stdout
