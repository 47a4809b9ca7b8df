"""All figures of a shoe on an emulated RP2040, as one table: `RP2_UF2=... make bench-rp2040`.

`python tests/bench/rp2040_figures.py [--seed 1] [--jobs 2] [--only start rate ...]`. The parts are programs of their
own, rp2040_*.py; here they run side by side and their rows come together. `start` is here: time to ready, card stop.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import rp2040_boot
import rp2040_cuts
import rp2040_rate
import rp2040_signing
import rp2040_speed
import rp2040_transfer
from hands import TWOS, Hands
from rp2040_shoe import Figure, connect, form, run_alone, switched_on, table, uf2
from shoetool.model.protocol_table import Clear, FaultCode

REACH_STOP_MS = 10.0


def measure_start(seed: int) -> list[Figure]:
    """Time from power-on to ready, of a shoe that was in play, and from the last edge to the card stop engaged."""
    shoe, client = switched_on(seed)
    hands = Hands(shoe, client, seed)
    hands.start()
    took = []
    for fault, pull in (
        (FaultCode.FOREIGN_BATCH, lambda: hands.pull(card=TWOS[2], batch=3)),
        (FaultCode.DOUBLE_FEED, lambda: hands.pull("double_feed")),
        (FaultCode.HEAD_STUCK, lambda: hands.pull("stuck_a")),
    ):
        before = len(shoe.panel.stops)
        pull()
        shoe.wait(0.4)
        if client.status().fault != fault or len(shoe.panel.stops) == before:
            return [Figure("card stop after the last edge of a fault", "10 ms", f"{fault.name} never came", False)]
        took.append((shoe.panel.stops[before][0] - shoe.last_edge_us[0]) / 1000)
        how = Clear.CARD_REMOVED if fault == FaultCode.FOREIGN_BATCH else Clear.REREAD
        hands.clear(Clear.RESUME if fault == FaultCode.HEAD_STUCK else how)
    shoe.restart()
    connect(shoe)
    ready_ms = rp2040_boot.REACH_MS[form()]
    return [
        Figure("power-on to ready", f"{ready_ms / 1000} s", f"{shoe.boot_ms / 1000:.2f} s", shoe.boot_ms <= ready_ms),
        Figure(
            "card stop engaged after the last edge of a fault",
            "10 ms after it is found",
            ", ".join(f"{ms:.1f}" for ms in took) + " ms (foreign card, double feed, dead line)",
            max(took) <= REACH_STOP_MS,
        ),
    ]


PARTS: dict[str, Callable[[int], list[Figure]]] = {
    "start": measure_start,
    "boot": rp2040_boot.measure,
    "rate": rp2040_rate.measure,
    "fetch": partial(rp2040_rate.measure, fetch=True),
    "speed": rp2040_speed.measure,
    "transfer": rp2040_transfer.measure,
    "signing": rp2040_signing.measure,
    "cuts": rp2040_cuts.measure,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    print("seed", options.seed, "on", uf2.find().path.name, flush=True)
    figures: list[Figure] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        running = {name: pool.submit(PARTS[name], options.seed) for name in options.only}
        for name, part in running.items():
            try:
                figures += part.result()
            except Exception as error:  # one part that breaks must not hide the figures of the others
                figures.append(Figure(name, "", f"broke off: {type(error).__name__}: {error}", False))
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
