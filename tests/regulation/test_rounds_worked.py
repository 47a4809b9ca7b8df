"""Worked rounds are dealt, settled and refused as rounds_worked.txt says, word for word and to the cent.

After a change on purpose: `python tests/regulation/test_rounds_worked.py` writes what is said now; read the difference
against the clauses before it is kept. The amounts have an oracle of their own in test_naive_agrees.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rounds_worked import answers

FILE = Path(__file__).with_name("rounds_worked.txt")
NAMES = ("blackjack", "free_bet", "spanish_21", "switch", "from_the_hand", "double shoe")


def block(name: str, lines: list[str]) -> list[str]:
    begin = lines.index(f"## {name}")
    return lines[begin : next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))]


@pytest.fixture(scope="module")
def said() -> list[str]:
    return list(answers())


@pytest.mark.parametrize("name", NAMES)
def test_rounds_are_settled_and_refused_as_before(name: str, said: list[str]) -> None:
    assert block(name, said) == block(name, FILE.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    FILE.write_text("\n".join(answers()) + "\n", encoding="utf-8")
