"""How slowly and how fast a card may be pulled past an emulated RP2040: each speed read right, and where that ends.

`RP2_UF2=... python tests/bench/rp2040_speed.py [--cards 6] [--seed 1]`. Cards go through side A at a constant speed
while the shoe counts; between two the dealer waits until the shoe has told what it saw.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from rp2040_shoe import Figure, run_alone, switched_on, table  # sets the path, so before the others

# isort: split
import numpy as np
from bench import records_since
from shoesim.pull import IDEAL, pull
from shoesim.scenario import Scenario
from shoetool.model.protocol_table import Clear, Key, RecordKind

ASKED = (0.05, 0.1, 0.5, 1.0, 2.0, 3.0)
BEYOND = (4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)
SINGLE = Scenario(decks=8, reader=False)


def measure(seed: int, cards: int = 6) -> list[Figure]:
    """Return the figure of the speeds asked for, and the fastest that was read right."""
    shoe, client = switched_on(seed, SINGLE)
    rng = np.random.default_rng(seed)
    shoe.key(Key.LOAD, 0)
    shoe.key(Key.COUNT, 0)
    right: dict[float, int] = {}
    wrong = 0
    for speed in (*ASKED, *BEYOND):
        profile = replace(IDEAL.profile, slowest=speed, fastest=speed, hesitation=0.0)
        right[speed] = 0
        count = 2 if speed < 0.2 else cards
        for _ in range(count):
            before = client.status().next_record
            card = int(rng.integers(52))
            start = shoe.now_us + 20_000
            changes, end = pull(card, 1, 0, start, rng, IDEAL, profile, rotated=bool(rng.integers(2)))
            shoe.feed(0, changes, end)
            shoe.wait(0.15)
            told = [record.get("card") for record in records_since(client, before) if record.kind == RecordKind.CARD]
            right[speed] += told == [card]
            wrong += bool(told) and told != [card]
            if client.status().fault:
                shoe.key(Key.SUPERVISOR, int(Clear.REREAD))
                if client.status().fault:
                    shoe.key(Key.SUPERVISOR, int(Clear.RESUME))
        print(f"{speed:g} m/s: {right[speed]} of {count} right", flush=True)
        if speed > ASKED[-1] and not right[speed]:
            break
    whole = [speed for speed in ASKED if right[speed] == (2 if speed < 0.2 else cards)]
    limit = max((s for s in right if right[s] == (2 if s < 0.2 else cards)), default=0.0)
    return [
        Figure(
            "pull speed read", "0.05 to 3.0 m/s", f"{', '.join(f'{s:g}' for s in whole)} m/s", len(whole) == len(ASKED)
        ),
        Figure(
            "measured limit of the speed",
            "",
            f"all right up to {limit:g} m/s; {wrong} wrong cards at any speed",
            not wrong,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed)
    figures = measure(options.seed, options.cards)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
