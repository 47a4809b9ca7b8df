"""Changed examples of rules submissions and round files are refused, or settled, as documents_worked.txt says.

After a change on purpose: `python tests/host/test_documents_worked.py` writes what is said now; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from documents_worked import answers
from sampled import some
from shoetool.round_file.examples import round_example_names
from shoetool.rules.submission.file import example_names

FILE = Path(__file__).with_name("documents_worked.txt")
NAMES = [f"submission {name}" for name in example_names()] + [f"round {name}" for name in round_example_names()]


@pytest.fixture(scope="module")
def said() -> dict[str, list[str]]:
    return answers()


@pytest.mark.parametrize("name", some(NAMES))
def test_a_changed_document_is_judged_as_before(name: str, said: dict[str, list[str]]) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {name}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert said[name] == lines[begin:end]


if __name__ == "__main__":
    FILE.write_text("\n".join(line for lines in answers().values() for line in lines) + "\n", encoding="utf-8")
