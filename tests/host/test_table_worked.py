"""`verify` says of each change of a worked table record what table_worked.txt says, word for word and to the cent.

After a change on purpose: `python tests/host/test_table_worked.py` writes what it says now; read the difference.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sampled import some

sys.path += [str(Path(__file__).resolve().parents[2] / part) for part in ("firmware", "board", "tests/firmware")]

from table_session import judged
from table_worked import TABLES, answers, beginning

FILE = Path(__file__).with_name("table_worked.txt")


@pytest.mark.parametrize("name", some(TABLES))
def test_a_changed_table_record_is_judged_as_before(name: str) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {name}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert list(answers(name)) == lines[begin:end]


def test_one_line_too_early_leaves_the_lines_around_it_in_their_rounds() -> None:
    history, lines, rules = beginning("blackjack", 4)
    report = judged(history, [lines[0], lines[2], lines[1], lines[3]], rules)
    assert [finding.sentence for finding in report.findings] == [
        "Line 2 of the table record is for round 3: the history has no such round, or the line is out of order, or "
        "another line was for this round.",
        "Round 3: this round is in the history and not in the table record.",
    ]
    assert report.summary.table_rounds == 3


if __name__ == "__main__":
    FILE.write_text("\n".join(line for name in TABLES for line in answers(name)) + "\n", encoding="utf-8")
