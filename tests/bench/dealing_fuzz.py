"""Random keys and passes into the dealing machine: `python tests/bench/dealing_fuzz.py [seeds] [steps] [first seed]`.

After every step the invariants hold and another machine that folded the records has the same state. Prints the steps
(also a second) and how often each phase, record and irregularity came; exit code 1 at the first broken invariant.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "firmware"), str(ROOT / "tests" / "firmware")]

from dealing_chaos import Chaos, Invariants, press, settings  # noqa: E402
from dealing_table import Dealing, Random, Table, difference, snapshot  # noqa: E402
from shoe import wire_table as t  # noqa: E402


def names(prefix: str) -> dict[int, str]:
    """Value to name of the constants with this prefix."""
    return {value: name for name, value in vars(t).items() if name.startswith(prefix)}


def run(seed: int, steps: int, came: Counter[str]) -> str:
    """One sequence; what broke, or nothing."""
    kinds, codes, phases = names("REC_"), names("IRR_"), names("PHASE_")
    random = Random(seed * 7919)
    chosen = settings(random, True)
    table, shadow = Table(chosen), Dealing(chosen)
    chaos = Chaos(random, chosen, wild=random.of((2, 10, 40)))
    must = Invariants()
    for index in range(steps):
        step = chaos.next(table.dealing)
        press(table, step)
        must.check(table, step)
        table.forget()
        for number, event in table.records:
            shadow.restore(event, number)
            came[kinds[event[0]]] += 1
            if event[0] == t.REC_IRREGULARITY:
                came[codes[event[1]]] += 1
        came[phases[table.dealing.phase]] += 1
        broken = must.problem or difference(snapshot(table.dealing), snapshot(shadow))
        if broken:
            return f"seed {seed} step {index}: {broken}"
    return ""


def main(arguments: list[str]) -> int:
    """Run; the exit code."""
    seeds, steps, first = [int(a) for a in [*arguments, *["500", "1000", "1"][len(arguments) :]]]
    came: Counter[str] = Counter()
    begin = time.perf_counter()
    for seed in range(first, first + seeds):
        broken = run(seed, steps, came)
        if broken:
            print(broken)
            return 1
    seconds = time.perf_counter() - begin
    print(f"{seeds * steps} steps, {seeds * steps / seconds:.0f} a second, nothing broke")
    for name, count in sorted(came.items()):
        print(f"{count:9} {name}")
    silent = sorted(set(names("IRR_").values()) - set(came))
    print("never came:", ", ".join(silent) or "nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
