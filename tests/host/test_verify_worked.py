"""`verify` says of each worked example with one record changed what verify_worked.txt says, and of random play with a
dozen records changed what it said when that was frozen (verify_random.txt).

After a change on purpose: `python tests/host/test_verify_worked.py` writes what it says now; read the difference.
`... test_verify_worked.py 7` prints what it finds in the changed session of seed 7: compare it before and after.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sampled import some
from test_dealing_worked import EXAMPLES, Random, digest, play, random_play
from verify_worked import answers, changes, findings

FILE = Path(__file__).with_name("verify_worked.txt")
RANDOM = FILE.with_name("verify_random.txt")
FROZEN = dict(line.split() for line in RANDOM.read_text(encoding="utf-8").splitlines())
CHANGED = 12


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


@pytest.mark.parametrize("name", some(EXAMPLES))
def test_a_changed_record_is_found_as_before(name: str, blocks: dict[str, list[str]]) -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    begin = lines.index(f"## {name}")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    assert blocks[name] == lines[begin:end]


def changed(seed: str) -> list[str]:
    """What `verify` finds in a random session of which a dozen records are missing, doubled, moved or otherwise."""
    random = Random(int(seed))
    events = random_play(int(seed))[0].records
    for _ in range(CHANGED):
        _, events = random.of(list(changes(events, random.below(len(events)), fields=True)))
    return sorted(findings(events).elements())


@pytest.mark.parametrize("seed", some(FROZEN))
def test_changed_records_of_random_play_are_found_as_when_that_was_frozen(seed: str) -> None:
    assert digest(changed(seed)) == FROZEN[seed]


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit("\n".join(changed(sys.argv[1])))
    RANDOM.write_text("".join(f"{seed} {digest(changed(seed))}\n" for seed in FROZEN), encoding="utf-8")
    FILE.write_text("\n".join(said()) + "\n", encoding="utf-8")
