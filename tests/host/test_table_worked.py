"""`verify` says of each change of a worked table record what table_worked.txt says, word for word and to the cent.

After a change on purpose: `python tests/host/test_table_worked.py` writes what it says now; read the difference.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).resolve().parents[2] / part) for part in ("firmware", "board", "tests/firmware")]

from table_worked import TABLES, answers

FILE = Path(__file__).with_name("table_worked.txt")


@pytest.mark.parametrize("name", TABLES)
def test_a_changed_table_record_is_judged_as_before(name: str) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {name}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert list(answers(name)) == lines[begin:end]


if __name__ == "__main__":
    FILE.write_text("\n".join(line for name in TABLES for line in answers(name)) + "\n", encoding="utf-8")
