"""416 cards at 12 cards a second through the virtual board: is anything lost, how long does it take, what heap is left?

`python tests/bench/dealing_rate.py [--seed N] [--interpreter amd64 i386 python] [--real-time]`. Two runs for each
interpreter: an eight-deck batch through one head at exactly 12 cards a second of simulated time, sent without waiting
(a guided count), and an eight-deck shoe dealt by the simulated dealer. Every card is compared with what was pulled.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[0:0] = [str(ROOT / name) for name in ("host_tools", "tests", "tests/e2e", "firmware/tools")]

from deal_table import difference, records_of, table  # noqa: E402
from shoesim.pull import NOMINAL, pull  # noqa: E402
from shoesim.scenario import Scenario  # noqa: E402
from shoesim.stimulus import TICKS_PERIOD, edges  # noqa: E402
from shoetool.model.protocol_table import Key, RecordKind  # noqa: E402

from build import build  # noqa: E402

CARDS_A_SECOND = 12
DECKS = 8


def count_batch(interpreter: str, seed: int, folder: Path, real_time: bool) -> bool:
    """Pull 416 cards in a seeded order at 12 a second; compare with the counted cards of the history."""
    rng = np.random.default_rng(seed)
    order = [int(card) for card in rng.permutation(np.repeat(np.arange(52), DECKS))]
    profile = replace(NOMINAL.profile, slowest=1.2, fastest=2.5, hesitation=0.0)
    with table(Scenario(decks=DECKS, seed=seed), folder, interpreter) as shoe:
        rig, client = shoe.rig, shoe.client
        rig.key(Key.LOAD, 0)
        rig.key(Key.COUNT, 0)
        rig.sync()
        rig.speed = 1.0 if real_time else 0.0
        rig._wall = time.monotonic()
        rig._start_us = start = rig.now_us
        began = time.monotonic()
        least = client.status().heap_free
        for i, card in enumerate(order):
            begin = start + i * 1_000_000 // CARDS_A_SECOND
            changes, _ = pull(card, 1, 0, begin, rng, NOMINAL, profile, rotated=bool(rng.integers(2)))
            end = begin + (changes[-1][0] - begin) % TICKS_PERIOD
            assert end - begin < 1_000_000 // CARDS_A_SECOND, "the hand is too slow for 12 cards a second"
            rig.now_us = end
            rig._pace(end)
            rig._send(b"".join(edges(0, changes)))
            if i % 52 == 51:
                least = min(least, client.status().heap_free)
        rig.wait(1.0)
        rig.sync()
        seconds = time.monotonic() - began
        rig.key(Key.COUNT, 0)
        rig.sync()
        heap = client.status().heap_free
        records = records_of(shoe.pull())
    seen = [r.get("card") for r in records if r.kind == RecordKind.CARD]
    unreadable = [r for r in records if r.kind == RecordKind.FAULT]
    right = seen == order and not unreadable
    print(
        f"{interpreter}: counted {len(seen)} of {len(order)} cards, {'all right' if right else 'WRONG'}; "
        f"{len(order) / seconds:.1f} cards/s of wall time; heap free {least} least seen, {heap} after"
    )
    return right


def deal_shoe(interpreter: str, seed: int, folder: Path) -> bool:
    """Deal an eight-deck shoe to the cover card; compare every card with the dealer's truth."""
    scenario = Scenario(decks=DECKS, seed=seed, players=(7, 7))
    with table(scenario, folder, interpreter) as shoe:
        began = time.monotonic()
        truth = shoe.deal()
        seconds = time.monotonic() - began
        status = shoe.client.status()
        records = records_of(shoe.pull())
    wrong = difference(truth, records)
    cards = sum(r.kind in (RecordKind.CARD, RecordKind.SEALED) for r in records)
    print(
        f"{interpreter}: dealt {cards} cards, {'all right' if wrong is None else wrong}; "
        f"{cards / seconds:.1f} cards/s of wall time with the dealer's thinking; heap free {status.heap_free} after"
    )
    return wrong is None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--interpreter", nargs="*", default=["amd64", "i386"])
    parser.add_argument("--real-time", action="store_true", help="pace the count in real time")
    options = parser.parse_args()
    print("seed", options.seed)
    build()
    right = True
    for interpreter in options.interpreter:
        with tempfile.TemporaryDirectory() as folder:
            right &= count_batch(interpreter, options.seed, Path(folder) / "count", options.real_time)
            right &= deal_shoe(interpreter, options.seed, Path(folder) / "deal")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
