"""`replay` and `verify` on history files: what they print, and what they say about files that are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from histories import Script
from jsonschema import Draft202012Validator
from pty_shoe import short_shoe
from shoetool.cli import build
from shoetool.model.naming import numbers_there
from shoetool.model.protocol_table import FaultCode, IrregularityCode, Key, RoundEnd


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def validated(name: str, text: str) -> dict[str, Any]:
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    document: dict[str, Any] = json.loads(text)
    Draft202012Validator(schema).validate(document)
    return document


def closed_shoe() -> Script:
    script = short_shoe()
    script.add("shoe_closed", 0, 1, 6)
    return script


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A closed shoe with one round that was never closed: its hole card and the burn card were never opened."""
    return closed_shoe().write(tmp_path / "night.shoelog")


def test_replay_prints_rounds_as_cards_and_a_face_down_card_as_a_back(history: Path) -> None:
    result = run("replay", history)
    assert result.exit_code == 0
    assert "Round 1" in result.output and "9♣ 5♥" in result.output and "10♣ ░░" in result.output
    assert "K♠" not in result.output and "Q♠" not in result.output


def test_replay_of_one_round_draws_it_and_lists_its_records(history: Path) -> None:
    result = run("replay", history, "--round", "1")
    assert result.exit_code == 0
    assert "│10♣│░░░│" in result.output and "hole card" in result.output
    lines = result.stdout.splitlines()
    lamps = next(at for at, line in enumerate(lines) if line.startswith(("○ ready", "● ready")))
    assert lines[lamps + 1] == "" and "Round 1 opens" in lines[lamps + 2], lines[lamps : lamps + 6]


def test_replay_of_one_round_has_its_faults_right_behind_the_lamps(tmp_path: Path) -> None:
    script = short_shoe()
    script.add("fault", FaultCode.HEAD_DIRTY, 0, 0)
    lines = run("replay", script.write(tmp_path / "night.shoelog"), "--round", "1").stdout.splitlines()
    lamps = next(at for at, line in enumerate(lines) if "ready" in line and "STOP" in line)
    assert lines[lamps + 1].startswith("!! ")
    behind = lines[lamps + 1 : lines.index("", lamps)]
    assert 1 <= len(behind) <= 4 and lines[lamps + 1 + len(behind) + 1].strip(), "one empty line"


def test_replay_of_every_record_is_a_line_each_behind_that_of_its_day(history: Path) -> None:
    day, *lines = run("replay", history, "--records", "--timezone", "UTC").stdout.splitlines()
    assert day == "2025-10-09, Thursday, UTC" and len(lines) == len(closed_shoe().records) + 1


def test_replay_as_json(history: Path) -> None:
    document = validated("replay", run("replay", history, "--json").stdout)
    (only,) = document["rounds"]
    assert only["round"] == 1
    assert [card["card"] for card in only["dealer"]["cards"]] == ["10♣", None]


def test_replay_as_json_has_the_keys_that_were_refused_between_rounds_behind_all_rounds(tmp_path: Path) -> None:
    script = short_shoe()
    script.add("round_closed", 1, RoundEnd.VOID, 0)
    number = script.add("irregularity", IrregularityCode.WRONG_KEY, 0, 0, 0, Key.REFILL)
    history = script.write(tmp_path / "night.shoelog")
    document = validated("replay", run("replay", history, "--json").stdout)
    (refused,) = document["refused_keys"]
    assert (refused["record"], refused["key"], refused["clause"]) == (number, "refill", "633a.14(f) reshuffle")
    assert [one["round"] for one in document["rounds"]] == [1]
    assert "refused_keys" not in validated("replay", run("replay", history, "--json", "--round", "1").stdout)


def test_a_round_that_is_not_there_is_bad_input(history: Path) -> None:
    for more in ([], ["--json"]):
        result = run("replay", history, "--round", "77", *more)
        assert result.exit_code == 2 and "holds no round 77; it has round 1\n" in result.stderr


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([], "it has no round"),
        ([3], "it has round 3"),
        ([2, 1, 3, 2], "it has rounds 1 to 3"),
        ([1, 2, 4, 6, 7], "it has rounds 1 to 2, 4, 6 to 7"),
        (range(1, 17, 2), "it has rounds 1, 3, 5, 7, 9, 11, 13, 15"),
        (range(1, 100, 2), "it has rounds 1, 3, 5, 7, 9, 11, 13, ... up to 99"),
    ],
)
def test_the_rounds_that_there_are_are_named_in_short(numbers: Iterable[int], said: str) -> None:
    assert numbers_there("round", numbers) == said


def test_verify_prints_findings_with_clause_and_records_and_leaves_with_1(history: Path) -> None:
    result = run("verify", history, "--readings")
    assert result.exit_code == 1, result.output
    for part in ("CANNOT TELL", "633a.", "records", "reading taken", "finding"):
        assert part in result.output


def test_verify_as_json(history: Path) -> None:
    document = validated("verify", run("verify", history, history, "--json").output)
    assert len(document["files"]) == 2
    assert document["files"][0]["report"]["findings"] and document["files"][0]["error"] is None


def test_verify_of_a_cut_file_is_incomplete_and_leaves_with_1(history: Path) -> None:
    whole = history.read_bytes()
    for length in (20, len(whole) - 100):
        history.write_bytes(whole[:length])
        result = run("verify", history)
        assert result.exit_code == 1 and "file ends within a chunk" in result.stdout
        assert (
            "incomplete: 0 findings in the records that are here" in result.stdout and "verified" not in result.stdout
        )
        assert validated("verify", run("verify", history, "--json").output)["files"][0]["report"]["summary"]["cut"]


def test_verify_of_a_part_or_of_no_shoe_is_not_called_verified_and_leaves_with_0(tmp_path: Path) -> None:
    part = short_shoe().write(tmp_path / "part.shoelog")
    start = Script(first_record=0)
    start.add("boot", 0, b"\0\1\0", 0, 1)
    none = start.write(tmp_path / "none.shoelog")
    result = run("verify", part, none)
    assert result.exit_code == 0 and "verified" not in result.stdout
    assert "0 findings in a part of a shoe (1 round, 7 cards, " in result.stdout
    assert "nothing to verify" in result.stdout
    documents = validated("verify", run("verify", part, none, "--json").output)["files"]
    assert [one["report"]["verdict"] for one in documents] == ["part", "no shoe"]


def test_verify_needs_a_file() -> None:
    result = run("verify")
    assert result.exit_code == 2 and "FILE" in result.stderr and result.stderr.count("\n") == 1


def foreign(path: Path, whole: bytes) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(5000))


def empty(path: Path, whole: bytes) -> None:
    path.write_bytes(b"")


def beheaded(path: Path, whole: bytes) -> None:
    path.write_bytes(whole[:9])


def newer(path: Path, whole: bytes) -> None:
    from binascii import crc32

    start = whole[:8] + b"\x63\0" + whole[10:12]
    path.write_bytes(start + crc32(start).to_bytes(4, "little") + whole[16:])


def folder(path: Path, whole: bytes) -> None:
    path.mkdir()


def missing(path: Path, whole: bytes) -> None:
    pass


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize("spoil", [foreign, empty, beheaded, newer, folder, missing])
def test_a_file_that_is_no_history_is_one_line_and_exit_code_2(
    history: Path, tmp_path: Path, command: str, spoil: Callable[[Path, bytes], None]
) -> None:
    path = tmp_path / "bad.shoelog"
    spoil(path, history.read_bytes())
    result = run(command, path)
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1 and "bad.shoelog" in result.stderr and result.stdout == ""


def test_one_bad_file_among_good_ones_spoils_none_of_them(history: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.shoelog"
    bad.write_bytes(b"")
    result = run("verify", bad, history)
    assert result.exit_code == 2 and "CANNOT TELL" in result.stdout and "bad.shoelog" in result.stderr
    document = validated("verify", run("verify", bad, history, "--json").stdout)
    assert document["files"][0]["error"] and document["files"][1]["report"]


@pytest.mark.parametrize("cut", [1, 100, 2000])
def test_a_half_written_file_is_read_as_far_as_it_goes_and_that_is_said(history: Path, cut: int) -> None:
    history.write_bytes(history.read_bytes()[:-cut])
    result = run("replay", history)
    assert result.exit_code == 0 and "half-written" in result.stderr


@pytest.mark.parametrize("seed", range(20))
def test_flipped_bytes_give_findings_or_bad_input_and_never_a_traceback(history: Path, seed: int) -> None:
    from random import Random

    chance = Random(seed)
    data = bytearray(history.read_bytes())
    for _ in range(chance.randint(1, 12)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    history.write_bytes(data)
    for command in ("replay", "verify"):
        result = run(command, history)
        assert result.exit_code in (0, 1, 2), (seed, command, result.output)


def test_a_huge_file_of_nothing_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "huge.shoelog"
    with path.open("wb") as file:
        file.truncate(50_000_000_000)  # sparse: takes no room
    result = run("verify", path)
    assert result.exit_code == 2 and "huge.shoelog" in result.stderr


def test_a_name_with_control_characters_is_printed_harmlessly(tmp_path: Path) -> None:
    result = run("verify", tmp_path / "a\x1b[2J\nb.shoelog")
    assert result.exit_code == 2 and "\x1b" not in result.stderr and result.stderr.count("\n") == 1


def test_real_processes_leave_with_the_codes(history: Path, tmp_path: Path) -> None:
    program = [sys.executable, "-m", "shoetool"]
    environment = dict(os.environ, NO_COLOR="1")
    for arguments, code in ((["verify", history], 1), (["verify", tmp_path / "none"], 2), (["replay", history], 0)):
        done = subprocess.run(
            [*program, *map(str, arguments)], capture_output=True, text=True, env=environment, check=False
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr + done.stdout


def test_one_of_a_thing_is_told_in_the_singular(tmp_path: Path) -> None:
    script = Script(first_record=1)
    script.add("boot", 0, b"\0\1\0", 0, 1)
    script.add("shoe_opened", 0, 0, 1, 1, 2, 0, 7, 0, 12)
    script.add("shoe_closed", 0, 1, 1)
    history = script.write(tmp_path / "one.shoelog")
    assert "1 deck, single shoe" in run("replay", history, "--records").output
    (file,) = validated("verify", run("verify", history, "--json").output)["files"]
    told = [one["sentence"] for one in file["report"]["findings"] if "was closed with" in one["sentence"]]
    assert told == ["The shoe was closed with 1 round and 1 card; its records have 0 rounds and 0 cards."]
