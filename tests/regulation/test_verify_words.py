"""What each case of verify_cases_*.py is told to the reader: clause, round, records, cards and sentence, word for word.

After a change on purpose: `python tests/regulation/test_verify_words.py` writes what is said now; read the difference.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).resolve().parents[2] / part) for part in ("firmware", "tests/firmware")]

from test_verify_cases import PARAMETERS
from verify_case import CASES, Case

FILE = Path(__file__).with_name("verify_words.txt")


def said(make: Case) -> list[str]:
    """A line for each finding, and one for the verdict."""
    report = make().report()
    found = [
        f"{one.clause} | {one.round} | {list(one.records)} {list(one.cards)} | {one.sentence}"
        for one in report.findings
    ]
    return [f"## {make.__name__}", report.headline(), *found]


@pytest.mark.parametrize("make", [pytest.param(make, id=make.__name__) for _, _, make in CASES])
def test_a_finding_says_what_happened_where_and_by_which_records(make: Case) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {make.__name__}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert said(make) == lines[begin:end]


if __name__ == "__main__":
    assert PARAMETERS
    FILE.write_text("\n".join(line for _, _, make in CASES for line in said(make)) + "\n", encoding="utf-8")
