"""Thousands of seeded power cuts against journal, vault and store together; every run is checked after each restart.

`python tests/bench/power_cut_campaign.py [--cuts 10000] [--first-seed 1] [--flash pico]`. With `--flash pico` under the
RP2040's flash layer, which programs whole blocks, on a model of rp2.Flash. A cut counts only when it fired. What holds
after each: no acknowledged record, opening, mark, fault or configuration is lost; a step is there whole or not at all;
records are numbered without a gap; pages are chained; nothing unfetched was overwritten. Exit code 1 names the seed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0:0] = [str(ROOT / folder) for folder in ("firmware", "board", "tests/firmware", "tests/pico")]

import power_cuts  # noqa: E402
from flash_memory import MemoryFlash, Power  # noqa: E402
from pico.flash_log import FlashLog  # noqa: E402
from rp2_flash import Chip, Flash  # noqa: E402


def pico_flash(pages: int, power: Power, page_size: int) -> FlashLog:
    """The RP2040's flash layer over a partition between two pages of somebody else."""
    chip = Chip(pages + 2, power, page_size)
    return FlashLog(Flash(chip, start=page_size, len=pages * page_size), pages)


FLASHES = {"virtual": MemoryFlash, "pico": pico_flash}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=10000)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--flash", choices=sorted(FLASHES), default="virtual")
    options = parser.parse_args()
    began = time.monotonic()
    cuts = 0
    seed = options.first_seed
    while cuts < options.cuts:
        # One run in ten has pages of the real size; small ones change page and wrap the ring far more often.
        size, pages = (4096, 12) if seed % 10 == 0 else (power_cuts.PAGE, power_cuts.PAGES)
        try:
            cuts += power_cuts.run(seed, page_size=size, pages=pages, flash=FLASHES[options.flash])
        except AssertionError as error:
            print(error, file=sys.stderr)
            return 1
        seed += 1
    seconds = time.monotonic() - began
    seeds = f"seeds {options.first_seed} to {seed - 1}"
    print(f"{options.flash} flash: {cuts} power cuts fired in {seeds}: nothing lost ({seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
