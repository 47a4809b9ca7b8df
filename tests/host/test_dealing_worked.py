"""The dealing machine answers worked examples (dealing_worked.txt) word for word: each event, the phase and the lamps,
and what `verify` finds in the records. Random play is answered and judged as it was when that was frozen
(dealing_random.txt).

After a change on purpose: `python tests/host/test_dealing_worked.py` writes what it says now; read the difference
against the clauses before it is kept. `... test_dealing_worked.py 7` prints the random session of seed 7: compare it
before and after.
"""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path

import pytest
from sampled import some

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "firmware"), str(ROOT / "firmware")]

from dealing_chaos import Chaos, press, settings, with_reader  # noqa: E402
from dealing_history import history  # noqa: E402
from dealing_table import Random, Table, config, difference, double_shoe, folded, snapshot  # noqa: E402
from dealing_worked import answers, findings, inputs_of, told  # noqa: E402
from shoe import wire_table as t  # noqa: E402
from shoetool.table.stream import Stream  # noqa: E402

FILE = Path(__file__).with_suffix(".txt").with_name("dealing_worked.txt")
HEAD, *BLOCKS = FILE.read_text(encoding="utf-8").split("\n## ")
RANDOM = FILE.with_name("dealing_random.txt")
INPUTS = 300
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


def random_play(seed: int) -> tuple[Table, list[str]]:
    """A session of random keys and cards, mostly what a dealer does: the table, and what each input is answered."""
    random = Random(seed)
    chosen = settings(random) if seed & 1 else with_reader(settings(random))
    table = Table(chosen, 1)
    chaos = Chaos(random, chosen, wild=(5, 20)[seed % 4 == 3])
    out = []
    for _ in range(INPUTS):
        press(table, chaos.next(table.dealing))
        out.append(f"{table.accepted} {table.phase} {table.dealing.lamps} {', '.join(told(one) for one in table.step)}")
    return table, out


def judged(table: Table) -> list[str]:
    """What `verify` finds in the table's history; each round as `replay` shows it, and what came out of each side."""
    replay = Stream()
    out = findings(table)
    for state in map(replay.feed, history(table)):
        if state.closed_round is not None:
            sides = [(one.drawn, one.apart, one.counts, one.unknown, one.blanks, one.sealed) for one in state.sides]
            out.append(f"{json.dumps(state.closed_round.to_json())} {sides}")
    return out


def digest(lines: list[str]) -> str:
    return f"{zlib.crc32(chr(10).join(lines).encode()):08x}"


def digests(said: list[str]) -> str:
    """One digest for every 30 inputs, which shows about where two sessions part."""
    return " ".join(digest(said[at : at + 30]) for at in range(0, INPUTS, 30))


FROZEN = dict(line.split(" ", 1) for line in RANDOM.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("seed", some(FROZEN))
def test_random_play_is_answered_and_judged_as_when_it_was_frozen(seed: str) -> None:
    table, said = random_play(int(seed))
    answered, _, found = FROZEN[seed].partition(" | ")
    assert digests(said) == answered
    assert digest(judged(table)) == found


def frozen(seed: str) -> str:
    table, said = random_play(int(seed))
    return f"{seed} {digests(said)} | {digest(judged(table))}\n"


if __name__ == "__main__":
    if sys.argv[1:]:
        played, lines = random_play(int(sys.argv[1]))
        sys.exit("\n".join([*lines, *judged(played)]))
    RANDOM.write_text("".join(map(frozen, FROZEN)), encoding="utf-8")
    told = [HEAD.rstrip("\n"), *(f"\n## {name}\n{play(text)[1]}" for name, text in EXAMPLES.items())]
    FILE.write_text("\n".join(told) + "\n", encoding="utf-8")
