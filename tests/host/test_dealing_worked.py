"""The dealing machine answers worked examples (dealing_worked.txt) word for word: each event, the phase and the lamps,
and what `verify` finds in the records.

After a change on purpose: `python tests/host/test_dealing_worked.py` writes what it says now; read the difference
against the clauses before it is kept.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "firmware"), str(ROOT / "firmware")]

from dealing_table import config, difference, double_shoe, folded, snapshot  # noqa: E402
from dealing_worked import answers, inputs_of  # noqa: E402
from shoe import wire_table as t  # noqa: E402

FILE = Path(__file__).with_suffix(".txt").with_name("dealing_worked.txt")
HEAD, *BLOCKS = FILE.read_text(encoding="utf-8").split("\n## ")
EXAMPLES = {name: text.rstrip("\n") for name, _, text in (block.partition("\n") for block in BLOCKS)}


def play(text: str):
    settings, _, rest = text.partition("\n")
    table, out = answers(eval(settings, {"config": config, "double_shoe": double_shoe, "t": t}), inputs_of(rest))
    return table, "\n".join([settings, *out])


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_input_is_answered_as_the_example_says(name: str) -> None:
    table, said = play(EXAMPLES[name])
    assert said.splitlines() == EXAMPLES[name].splitlines()
    again = folded(table.config, table.records)
    assert not difference(snapshot(table.dealing), snapshot(again)), "the records do not rebuild the table"
    assert (again.phase, again.lamps) == (table.dealing.phase, table.dealing.lamps)


if __name__ == "__main__":
    told = [HEAD.rstrip("\n"), *(f"\n## {name}\n{play(text)[1]}" for name, text in EXAMPLES.items())]
    FILE.write_text("\n".join(told) + "\n", encoding="utf-8")
