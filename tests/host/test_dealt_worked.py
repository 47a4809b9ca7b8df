"""The rounds of the worked examples are settled from their histories as dealt_worked.txt says, to the cent; those of
random play as they were when that was frozen (dealt_random.txt).

After a change on purpose: `python tests/host/test_dealt_worked.py` writes what is said now; read the difference.
`... test_dealt_worked.py 7` prints the rounds of the random session of seed 7: compare them before and after.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from dealing_history import history
from dealt_worked import answers
from sampled import some
from test_dealing_worked import EXAMPLES, digest, play, random_play

FILE = Path(__file__).with_name("dealt_worked.txt")
RANDOM = FILE.with_name("dealt_random.txt")
FROZEN = dict(line.split() for line in RANDOM.read_text(encoding="utf-8").splitlines())


def said(name: str) -> list[str]:
    return list(answers(name, history(play(EXAMPLES[name])[0])))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_dealt_round_is_settled_as_before(name: str) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {name}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert said(name) == lines[begin:end]


def random_rounds(seed: str) -> list[str]:
    return list(answers(seed, history(random_play(int(seed))[0])))


@pytest.mark.parametrize("seed", some(FROZEN))
def test_the_rounds_of_random_play_are_settled_as_when_they_were_frozen(seed: str) -> None:
    assert digest(random_rounds(seed)) == FROZEN[seed]


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit("\n".join(random_rounds(sys.argv[1])))
    RANDOM.write_text("".join(f"{seed} {digest(random_rounds(seed))}\n" for seed in FROZEN), encoding="utf-8")
    FILE.write_text("\n".join(line for name in EXAMPLES for line in said(name)) + "\n", encoding="utf-8")
