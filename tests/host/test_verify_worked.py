"""`verify` says of each worked example with one record changed what verify_worked.txt says.

After a change on purpose: `python tests/host/test_verify_worked.py` writes what it says now; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_dealing_worked import EXAMPLES, play
from verify_worked import answers

FILE = Path(__file__).with_name("verify_worked.txt")


def said() -> list[str]:
    return list(answers({name: (text.partition("\n")[0], play(text)[0].records) for name, text in EXAMPLES.items()}))


@pytest.fixture(scope="module")
def blocks() -> dict[str, list[str]]:
    name = ""
    found: dict[str, list[str]] = {}
    for line in said():
        name = line.removeprefix("## ") if line.startswith("## ") else name
        found.setdefault(name, []).append(line)
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_changed_record_is_found_as_before(name: str, blocks: dict[str, list[str]]) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {name}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert blocks[name] == lines[begin:end]


if __name__ == "__main__":
    FILE.write_text("\n".join(said()) + "\n", encoding="utf-8")
