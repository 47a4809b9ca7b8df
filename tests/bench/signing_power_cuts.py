"""Power cuts at any moment of making a signing key and of signing: `signing_power_cuts.py [--cuts 2000] [--seed 1]`.

Every signature that was ever begun is watched: no two with one index of one key. What the host got once stays, and
verifies. Only cuts that fired count, and they are told apart by what they hit. Exit code 1 on any difference, with the
seed that shows it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0:0] = [str(ROOT / folder) for folder in ("firmware", "board", "tests/firmware")]

import signing_cuts  # noqa: E402


def main() -> int:
    """Run until so many cuts fired; print what they hit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    making = signing = other = emitted = 0
    seed = options.seed
    while making + signing + other < options.cuts:
        try:
            found = signing_cuts.run(seed, 24)
        except AssertionError as error:
            print(f"FAILED: {error}")
            return 1
        making, signing, other = making + found[0], signing + found[1], other + found[2]
        emitted += found[3]
        seed += 1
    print(
        f"seeds {options.seed} to {seed - 1}: {making + signing + other} cuts fired, {making} in making a key, "
        f"{signing} in signing, {other} elsewhere; {emitted} signatures emitted, no index twice, none lost; "
        f"{time.monotonic() - begun:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
