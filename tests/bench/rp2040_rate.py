"""416 cards at 12 a second through both heads of an emulated RP2040: none lost, latency of each event, free heap.

`RP2_UF2=... python tests/bench/rp2040_rate.py [--cards 416] [--rate 12] [--fetch] [--seed 1] [--seeds 3]`. A double
shoe of eight decks is counted, 208 cards through side A and 208 through side B, while a host listens to the stream.
With `--fetch` the same host fetches the history again and again while the cards of side B go through. One run shows one
order of cards and one course of the heap: a maximum is that of several seeds, and says of which. RIG_CACHE=50 lets
the processor wait for its flash cache, 50 cycles a miss (tests/hil/README.md).
"""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_left
from dataclasses import dataclass, replace

import numpy as np
from rp2040_shoe import EmulatedShoe, Figure, events, form, percentile, run_alone, switched_on, table  # sets the path

# isort: split
from live_records import records
from shoesim.pull import NOMINAL, pull
from shoesim.scenario import Scenario
from shoetool.client.client import Client
from shoetool.client.live import Live
from shoetool.model.protocol_table import FaultCode, Key, RecordKind, ShoeKind

QUICK = replace(NOMINAL.profile, slowest=1.2, fastest=2.5, hesitation=0.0)
DOUBLE = Scenario(shoe_kind=ShoeKind.DOUBLE, decks=8, reader=False)
REACH_MS = {"image": 40.0, "slot": 60.0}  # 99 of 100; the slot is for the workbench
SEEDS = 3
AHEAD_US = 70_000  # a card is on its way so long before: time cannot be stopped in the midst of an erase
REACH_HEAP = {"image": 64_000, "slot": 0}


def fetch_until(shoe: EmulatedShoe, client: Client, live: Live, until_us: float) -> int:
    """Fetch pages one after another and listen meanwhile; return the bytes of history that came."""
    came = 0
    while shoe.now_us < until_us:
        for entry in client.history_list():
            for page in client.pull_shoe(entry):
                came += page.used
                live.poll(0.0)
                if shoe.now_us >= until_us:
                    break
    return came


@dataclass
class Run:
    """What one seed showed.

    `late`: ms to the last byte of the event, for each card of a side, from the last edge that any head had seen by
    then. `own`: likewise from the card's own last edge: more where the next card was in the head already, behind which
    the shoe is silent.
    """

    seed: int
    kept: int
    lost: int
    right: bool
    told: int
    faults: int
    heap: int
    late: tuple[list[float], list[float]]
    own: tuple[list[float], list[float]]
    fetched: float  # bytes of history a second, beside side B
    missed: float  # reads of flash that the cache had not, as a share; 0 without a cache


def run(seed: int, cards: int = 416, rate: float = 12.0, fetch: bool = False) -> Run:
    """Count the shoe once."""
    shoe, client = switched_on(seed, DOUBLE)
    live = client.subscribe()
    live.poll(0.0)  # with which it begins
    rng = np.random.default_rng(seed)
    wanted: list[int] = []
    ends: list[float] = []
    fetched = 0.0
    first = len(shoe.frames)
    batches = DOUBLE.batches
    for side in (0, 1):
        shoe.key(Key.LOAD, side)
    for side in (0, 1):
        shoe.key(Key.COUNT, side)
        order = rng.permutation(np.repeat(np.arange(52), DOUBLE.decks // 2))[: cards // 2].tolist()
        live.poll(0.0)  # after a second without an event the client asks, and time passes until it has its answer
        begin = shoe.now_us + 100_000
        for i, card in enumerate(order):
            start = begin + int(i * 1e6 / rate)
            aside = fetch and side
            if start - AHEAD_US > shoe.now_us and not aside:
                shoe.advance(start - AHEAD_US - shoe.now_us)
            changes, _ = pull(card, batches[side], side, start, rng, NOMINAL, QUICK, rotated=bool(rng.integers(2)))
            wanted.append(card)
            ends.append(start + (changes[-1][0] - start) % (1 << 30))
            shoe.play(side, changes)
            if not aside:
                live.poll(0.0)
        if fetch and side:
            began = shoe.now_us
            fetched = fetch_until(shoe, client, live, ends[-1])
            fetched /= (shoe.now_us - began) / 1e6
        shoe.wait(0.6)
        shoe.key(Key.COUNT, side)
    shoe.wait(0.3)
    while live.poll(0.3):
        pass
    told = [(at, record) for at, record in events(shoe, first) if record.kind == RecordKind.CARD]
    seen = list({record.number: record.get("card") for _, record in told}.values())
    faults = [
        record
        for _, record in events(shoe, first)
        if record.kind == RecordKind.FAULT and record.get("code") != FaultCode.COUNT_WRONG  # of a part of the cards
    ]
    heap = client.status().heap_free
    kept = [record.get("card") for record in records(client, 0, idle_s=2.0) if record.kind == RecordKind.CARD]
    late: list[float] = []
    own: list[float] = []
    if seen == wanted:
        once = {record.number: at for at, record in reversed(told)}
        came = [once[n] for n in sorted(once)]
        late = [(at - ends[bisect_left(ends, at) - 1]) / 1000 for at in came]
        own = [(at - end) / 1000 for at, end in zip(came, ends, strict=True)]
    half = cards // 2
    mcu = shoe.chip.mcu
    missed = mcu.missed / mcu.looked if getattr(mcu, "looked", 0) else 0.0
    return Run(
        seed, len(kept), len(wanted) - len(kept), kept == wanted, len(seen), len(faults), heap,
        (late[:half], late[half:]), (own[:half], own[half:]), fetched, missed,
    )  # fmt: skip


def latency(what: str, runs: list[Run], sides: tuple[int, ...], reach: float) -> list[Figure]:
    """Half and 99 of 100 of all cards of all runs, and the latest of them with its seed and its place in its side.

    `reach`: ms that 99 of 100 are to keep to, from the last edge that any head saw. The second figure counts from the
    card's own last edge, and has no bound: a card that is pulled behind another one holds it up.
    """
    figures = []
    for name, of, bound in (("the last edge", "late", reach), ("its own last edge", "own", None)):
        cards = [
            (one, run.seed, side, place)
            for run in runs
            for side in sides
            for place, one in enumerate(getattr(run, of)[side])
        ]
        every = [one for one, *_ in cards]
        worst, seed, side, place = max(cards)
        p50, p99 = percentile(every, 0.5), percentile(every, 0.99)
        text = (
            f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, max {worst:.1f} ms of {len(every)} (seed {seed}, card {place + 1} of"
            f" side {'AB'[side]})"
        )
        good = None if bound is None else p99 <= bound
        figures.append(
            Figure(f"{name} to the event's last byte, {what}", f"{bound:g} ms p99" if bound else "", text, good)
        )
    return figures


def measure(seed: int, cards: int = 416, rate: float = 12.0, fetch: bool = False, seeds: int = SEEDS) -> list[Figure]:
    """Return the figures of `seeds` runs, from `seed` on. A maximum is that of all of them."""
    runs = []
    for one in range(seed, seed + seeds):
        runs.append(run(one, cards, rate, fetch))
        print(
            f"seed {one}: {runs[-1].kept} cards, latest {max(map(max, filter(None, runs[-1].late)), default=0):.1f} ms",
            flush=True,
        )
    lost = sum(one.lost for one in runs)
    right = all(one.right for one in runs)
    heap = min(one.heap for one in runs)
    room = REACH_HEAP[form()]
    beside = ", half of them beside a fetch" if fetch else ""
    figures = [
        Figure(
            f"{cards} cards at {rate:g} cards/s, both sides{beside}, {seeds} seeds",
            "none lost",
            f"{sum(one.kept for one in runs)} recorded, {'all right' if right else f'{lost} lost or WRONG'},"
            f" {sum(one.told for one in runs)} told as they came, {sum(one.faults for one in runs)} faults",
            right,
        ),
        Figure(
            f"free heap after {cards} cards, collected",
            f"{room // 1000} kB" if room else "",
            f"{heap / 1000:.1f} kB at least",
            heap >= room if room else None,
        ),
    ]
    what = f"{rate:g} cards/s"
    reach = REACH_MS[form()]
    if not all(all(one.late) for one in runs):
        figures.append(Figure(f"the events of {what}", "", "not every card was told", False))
    elif fetch:
        figures += latency(what, runs, (0,), reach)
        rates = min(one.fetched for one in runs) / 1000
        figures += latency(f"{what}, {rates:.1f} kB/s of history beside at least", runs, (1,), reach)
    else:
        figures += latency(what, runs, (0, 1), reach)
    if any(one.missed for one in runs):
        share = max(one.missed for one in runs)
        figures.append(Figure("reads from flash that its cache had not", "", f"{share:.2%}"))
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=416)
    parser.add_argument("--rate", type=float, default=12.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--fetch", action="store_true", help="fetch the history while side B is dealt")
    options = parser.parse_args()
    print("seeds", options.seed, "to", options.seed + options.seeds - 1)
    figures = measure(options.seed, options.cards, options.rate, options.fetch, options.seeds)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
