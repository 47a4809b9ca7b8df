"""The rounds of the worked examples are settled from their histories as dealt_worked.txt says, to the cent.

After a change on purpose: `python tests/host/test_dealt_worked.py` writes what is said now; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from dealing_history import history
from dealt_worked import answers
from test_dealing_worked import EXAMPLES, play

FILE = Path(__file__).with_name("dealt_worked.txt")


def said(name: str) -> list[str]:
    return list(answers(name, history(play(EXAMPLES[name])[0])))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_dealt_round_is_settled_as_before(name: str) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {name}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert said(name) == lines[begin:end]


if __name__ == "__main__":
    FILE.write_text("\n".join(line for name in EXAMPLES for line in said(name)) + "\n", encoding="utf-8")
