"""Hands of every kind are settled and refused as hands_worked.txt says, to the cent and word for word.

After a change on purpose: `python tests/regulation/test_hands_worked.py` writes what is said now; read the difference
against the clauses before it is kept. The amounts have an oracle of their own in test_naive_agrees.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hands_worked import TABLES, answers, told

FILE = Path(__file__).with_name("hands_worked.txt")


@pytest.mark.parametrize("table", TABLES)
def test_hands_are_settled_and_refused_as_before(table: str) -> None:
    kept = FILE.read_text(encoding="utf-8").splitlines()
    begin = kept.index(f"## {table}")
    block = kept[begin:]
    end = next((at for at, line in enumerate(block[1:], 1) if line.startswith("## ")), len(block))
    assert list(told(table)) == block[:end]


if __name__ == "__main__":
    FILE.write_text("\n".join(answers()) + "\n", encoding="utf-8")
