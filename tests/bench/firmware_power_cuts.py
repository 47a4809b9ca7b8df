"""Power cuts against the whole firmware under MicroPython while a simulated dealer deals, shoe after shoe.

`python tests/bench/firmware_power_cuts.py [--cuts 100] [--seed 1] [--interpreter amd64 i386]`. Each shoe is another
game with planted irregularities; every tenth step is cut after some bytes of programming, and the dealer repeats it
when it did not count. In the end the history is compared card by card with what was dealt, its records must be
numbered without a gap, the verifier must find exactly what was planted, and the firmware's log must be empty. A cut
counts only when it fired. Exit code 1 on any difference, with the seed that shows it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("host_tools", "tests", "tests/e2e", "tests/hil", "tests/host", "firmware", "board")
sys.path[0:0] = [str(ROOT / folder) for folder in FOLDERS]

from deal_table import difference, expected_findings, findings, records_of, report_of, table  # noqa: E402
from shoesim.scenario import run_scenario  # noqa: E402
from shoetool.model.errors import ShoetoolError  # noqa: E402
from test_deal_trouble import ShakyShoe  # noqa: E402
from test_simulate_campaign import mixed  # noqa: E402

ROUNDS = 10
CHANCE = 0.1  # of a step to be cut


def deal(seed: int, interpreter: str, folder: Path) -> tuple[int, str | None]:
    """Deal one shoe; return the cuts that fired and what is wrong, None when nothing is."""
    scenario = replace(mixed(seed), rounds=ROUNDS)
    cuts = 0
    with redirect_stdout(StringIO()), table(scenario, folder, interpreter) as shoe:
        shaky = ShakyShoe(shoe, CHANCE)
        try:
            truth = run_scenario(scenario, shaky)
            path = shoe.pull()
            wrong = difference(truth, records_of(path))
            numbers = [record.number for record in records_of(path)]
            if wrong is None and numbers != list(range(len(numbers))):
                wrong = "records are not numbered without a gap"
            found, expected = findings(report_of(path)), expected_findings(scenario, truth)
            if wrong is None and found != expected:
                wrong = f"found beside the plants {found - expected}, not found {expected - found}"
        except (ShoetoolError, OSError) as error:
            wrong = f"{type(error).__name__}: {error}"
        cuts = shaky.cuts
        log = shoe.rig.log_path.read_text(errors="replace").strip()
    if wrong is None and log:
        wrong = f"the firmware's log says: {log.splitlines()[-1]}"
    return cuts, wrong


def campaign(interpreter: str, wanted: int, first_seed: int) -> bool:
    """Deal shoes until `wanted` cuts have fired."""
    began = time.monotonic()
    cuts = shoes = wrong = 0
    while cuts < wanted:
        seed = first_seed + shoes
        with tempfile.TemporaryDirectory() as folder:
            fired, why = deal(seed, interpreter, Path(folder))
        cuts += fired
        shoes += 1
        if why:
            wrong += 1
            print(f"{interpreter}: seed {seed}, {fired} cuts: {why}", file=sys.stderr)
    print(
        f"{interpreter}: {cuts} power cuts fired in {shoes} shoes from seed {first_seed} on, "
        f"{wrong or 'no'} differences ({time.monotonic() - began:.0f} s)"
    )
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--interpreter", nargs="*", default=["amd64", "i386"])
    options = parser.parse_args()
    right = [campaign(name, options.cuts, options.seed) for name in options.interpreter]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
