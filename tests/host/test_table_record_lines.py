"""A line of a table record that cannot be read: it is named, and the other lines are judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from shoetool.judge import registry_table as reg
from shoetool.report.findings import finding_lines
from shoetool.round_file.file import FORMAT, each_record
from shoetool.verify import CANNOT_TELL, Report, context, verify
from shoetool.verify.table_record import TableFile, TableJudge
from shoetool.verify.table_record import lines as lines_module
from shoetool.verify.table_record.lines import LONGEST_LINE, MOST_UNREAD, Lines
from table_session import recorded, rules_of, session


def texts() -> list[bytes]:
    """The lines of a record that has no finding."""
    _, lines = recorded(session(seed=61), rules_of(), 61)
    return [json.dumps(line).encode() for line in lines]


def judged(path: Path, lines: list[bytes], table_given: bool = True) -> Report:
    path.write_bytes(b"\n".join(lines) + b"\n")
    with TableFile(path, table_given) as file:
        return verify(session(seed=61), TableJudge(file.lines, rules_of()))


def without(line: bytes, key: str) -> bytes:
    """The line without this key, a round with its cards."""
    values: dict[str, Any] = json.loads(line)
    del values[key]
    return json.dumps({**values, "cards": ["AS"]}).encode()


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (lambda line: line[: len(line) // 2], "line 3, column"),
        (lambda line: b"{", "line 3, column 2: not JSON"),
        (lambda line: b"[" * 100_000, "line 3: not a round: nested too deeply"),
        (lambda line: b"\xff" + line, "line 3: not UTF-8 text"),
        (lambda line: b" " * (LONGEST_LINE + 7) + line, f"line 3: longer than {LONGEST_LINE} characters"),
        (lambda line: without(line, "history"), "line 3: a line of a table record needs its round"),
        (lambda line: line.replace(b'"positions"', b'"positoins"'), "line 3, column"),
    ],
    ids=["cut", "brace", "deep", "bytes", "long", "no-round", "misspelt"],
)
def test_a_bad_line_is_named_and_the_others_are_judged(tmp_path: Path, bad: Any, why: str) -> None:
    """A payment of a later line that is not as due is found all the same."""
    lines = texts()
    lines[2] = bad(lines[2])
    later = json.loads(lines[5])
    later["paid"][0]["amount"] = "77777.00"
    lines[5] = json.dumps(later).encode()
    report = judged(tmp_path / "r.jsonl", lines)
    found = {finding.check: finding for finding in report.findings}
    assert found[reg.UNREAD].verdict == CANNOT_TELL and why in found[reg.UNREAD].sentence
    assert found[reg.PAID].round == later["history"]["round"] and len(report.findings) == 3
    (missing,) = [finding for finding in report.findings if finding.check == reg.ROUNDS]
    assert missing.sentence.startswith("Round 3: this round is in the history and not in the table record")


@pytest.mark.parametrize("length", [100, 101, 199, 200, 201, 350])
def test_a_line_of_any_length_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    monkeypatch.setattr(lines_module, "LONGEST_LINE", 100)
    path = tmp_path / "r.jsonl"
    path.write_text("a\n" + "b" * length + "\nc\n" + "d" * length, encoding="utf-8")
    with TableFile(path) as file:
        read = [str(one) for one in file._read()]
    assert len(read) == 4 and (read[0], read[2]) == ("a\n", "c\n")
    for number in (2, 4):
        assert read[number - 1] == f"{path}: line {number}: longer than 100 characters: no line of a table record"


def test_a_line_that_may_have_set_the_table_takes_the_rounds_after_it_with_it(tmp_path: Path) -> None:
    """By which rules they were played is not known, unless they are named with --table."""
    lines = texts()
    lines.insert(1, b"{")
    assert judged(tmp_path / "r.jsonl", lines, True).summary.table_rounds == len(lines) - 1
    report = judged(tmp_path / "r.jsonl", lines, False)
    assert report.summary.table_rounds == 1


def rounds_without_table(path: Path, lines: list[bytes]) -> str:
    """The one sentence about the rounds whose table is not known."""
    report = judged(path, lines, False)
    (told,) = [one for one in report.findings if one.check == reg.UNREAD and "may have set it" in one.sentence]
    assert told.verdict == CANNOT_TELL and told.round is None
    return told.sentence


def test_the_rounds_that_lost_their_table_are_listed_once(tmp_path: Path) -> None:
    lines = texts()
    last = len(lines)
    del lines[5]
    lines.insert(1, b"{")
    assert rounds_without_table(tmp_path / "r.jsonl", lines) == (
        f"The table of {last - 2} rounds of the record is not known, and they are not judged "
        f"(rounds 2 to 5; rounds 7 to {last}): line 2 cannot be read, and may have set it. "
        "Name it with --table."
    )


def test_a_round_that_lost_its_table_is_not_missing(tmp_path: Path) -> None:
    """Only the one whose line is not there is."""
    lines = texts()
    del lines[5]
    lines.insert(1, b"{")
    report = judged(tmp_path / "r.jsonl", lines, False)
    assert [one.round for one in report.findings if "in the table record" in one.sentence] == [6]
    lines.insert(7, lines[7])  # a line that stands twice is told as such, with or without its table
    (twice,) = [one for one in judged(tmp_path / "r.jsonl", lines, False).findings if "both for this" in one.sentence]
    assert twice.check == reg.ROUNDS and twice.verdict == CANNOT_TELL


def test_one_round_that_lost_its_table_is_listed_as_one(tmp_path: Path) -> None:
    lines = texts()
    lines.insert(len(lines) - 1, b"{")
    told = rounds_without_table(tmp_path / "r.jsonl", lines)
    assert told.startswith(
        f"The table of 1 round of the record is not known, and it is not judged (round {len(lines) - 1})"
    )


def test_of_many_lines_that_may_have_set_the_table_a_dozen_is_named(tmp_path: Path) -> None:
    """The same for rows of rounds: what a report says of a record that was cut to pieces stays short."""
    round_ = json.loads(texts()[1])
    lines = [texts()[0]]
    for number in range(3, 63, 2):
        lines += [b"{", json.dumps({**round_, "history": {**round_["history"], "round": number}}).encode()]
    told = rounds_without_table(tmp_path / "r.jsonl", lines)
    assert "lines 2, 4, " in told and "24 and 18 more cannot be read" in told and "and 18 more rows of rounds" in told


def test_of_many_bad_lines_a_dozen_is_named_and_the_rest_counted(tmp_path: Path) -> None:
    lines = texts()
    lines[1:1] = [b"{"] * (MOST_UNREAD + 3000)
    unread = [one.sentence for one in judged(tmp_path / "r.jsonl", lines).findings if one.check == reg.UNREAD]
    assert len(unread) == MOST_UNREAD + 1
    last = f"the last of them line {MOST_UNREAD + 3001}"
    assert unread[-1] == f"3000 more lines of the table record cannot be read, {last}."


def test_bad_lines_between_rounds_are_counted_together(tmp_path: Path) -> None:
    lines = texts()
    lines = [lines[0], *[b"{"] * 5, lines[1], *[b"{"] * 9, *lines[2:]]
    unread = [one for one in judged(tmp_path / "r.jsonl", lines).findings if one.check == reg.UNREAD]
    assert len(unread) == MOST_UNREAD + 1
    assert unread[-1].sentence.startswith("2 more lines of the table record cannot be read, the last of them line 16")
    assert {one.round for one in unread} == {None}  # they are about the file


def test_what_a_bad_line_holds_cannot_forge_a_line_of_the_output(tmp_path: Path) -> None:
    lines = texts()
    lines[2] = lines[2].replace(b'"positions"', json.dumps("\x1b[2J\nr.jsonl: verified, 0 findings").encode())
    report = judged(tmp_path / "r.jsonl", lines)
    shown = [str(line) for finding in report.findings for line in finding_lines(finding, 100)]
    assert not any(line.startswith("r.jsonl") for line in shown)
    assert all(line.isprintable() for line in shown) and any("\\x1b[2J" in line for line in shown)


def test_lines_that_are_only_counted_are_told_when_a_report_holds_no_more_findings_of_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "MOST_FINDINGS", 0)
    lines = texts()
    lines[1:1] = [b"{"] * (MOST_UNREAD + 2)
    told = [one.sentence for one in judged(tmp_path / "r.jsonl", lines).findings]
    assert len(told) == MOST_UNREAD + 1 and told[-1].startswith("2 more lines of the table record cannot be read")


@pytest.mark.parametrize("shoe", [0, 1, 3])
def test_a_line_of_a_later_round_is_passed_over_whatever_number_the_shoe_has(shoe: int) -> None:
    rounds = [1, 5, 2, 3]
    texts = [
        json.dumps(
            {"format": FORMAT, "history": {"shoe": shoe, "round": one}, "positions": [{"position": 1, "wager": 5}]}
        )
        for one in rounds
    ]
    lines = Lines(each_record(texts, "record"))
    taken = [lines.take(shoe, 0, number) for number in (1, 2, 3)]
    assert [one.entry and one.entry.round for one in taken] == [1, 2, 3]
    assert [[skipped.round for skipped in one.skipped] for one in taken] == [[], [5], []]


def test_without_the_shoe_s_number_a_round_that_begins_anew_is_the_next_shoe_s() -> None:
    rounds = [1, 2, 1, 2, 1, 2, 1, 2]
    texts = [
        json.dumps({"format": FORMAT, "history": {"round": one}, "positions": [{"position": 1, "wager": 5}]})
        for one in rounds
    ]
    asked = [(0, 1, 1), (1, 1, 3), (1, 3, None), (2, 1, 5), (2, 2, 6), (2, 3, None), (3, 2, 8)]
    lines = Lines(each_record(texts, "record"))
    taken = [lines.take(None, index, number).entry for index, number, _ in asked]
    assert [one and one.line for one in taken] == [line for *_, line in asked]
