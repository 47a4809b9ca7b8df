"""Whether anything that leaves an emulated shoe tells which card lies face down: every face, the same pull, in forks.

`RP2_UF2=... python tests/bench/face_transcripts.py [--faces all] [--speeds all] [--scenes shoe reader hand burn]
[--hosts listens polls fetches] [--restarted polls] [--leaves -3] [--jobs 2] [--seed 1]`. For each scene, host and speed
one line: how many different transcripts came of so many faces, how many there may be, and the first difference. The
transcript is everything on the line, USB, lamps, card stop, RS-485 driver and the beginnings of flash operations with
their times; only commitments and the CRCs over them are masked. Exit status 1 when two faces were told apart.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial

from rp2040_shoe import EmulatedShoe, files, run_alone, uf2  # sets the path, so before the others

# isort: split
import faces


def measure(booted: EmulatedShoe, scene: str, host: str, restart: bool, options: argparse.Namespace) -> bool:
    """Deal once, then pull every face at every speed; print a line for each speed, return whether all were silent."""
    ready = faces.dealt(booted, scene, host, restart)
    chosen = faces.FACES if options.faces == "all" else faces.sample(int(options.faces))
    silent = True
    for speed in options.speeds:
        for leaves_us in options.leaves:
            verdict = faces.compare(ready, chosen, speed, leaves_us, options.jobs, options.slack)
            silent &= verdict.silent
            where = f"{scene}{' after a restart' if restart else ''}, host {host}, {speed:g} m/s, leaves at {leaves_us}"
            print(f"{'silent' if verdict.silent else 'LEAK'}: {where}: {verdict}", flush=True)
            if options.inside and verdict.inside:
                print(f"  inside the shoe the panel chain tells {verdict.inside} faces from the first", flush=True)
    return silent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faces", default="all", help="how many, from the fewest edges to the most, or `all`")
    parser.add_argument("--speeds", nargs="+", default=["all"], help="m/s, or `all`: 0.03 to 3.0")
    parser.add_argument("--scenes", nargs="+", choices=faces.SCENES, default=["shoe", "reader", "hand"])
    parser.add_argument("--hosts", nargs="*", choices=faces.HOSTS, default=["listens", "polls", "fetches"])
    parser.add_argument("--restarted", nargs="*", choices=faces.HOSTS, default=["polls"], help="after a restart")
    parser.add_argument("--leaves", nargs="+", type=int, default=[faces.LEAVES_US[1]], help="µs, see faces.LEAVES_US")
    parser.add_argument("--slack", type=int, default=faces.SLACK_NS, help="ns that two times may be apart")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", action="store_true", help="tell of the panel chain's pulses too")
    options = parser.parse_args()
    options.speeds = faces.SPEEDS if options.speeds == ["all"] else [float(speed) for speed in options.speeds]
    print("seed", options.seed, "on", uf2.find().path.name, flush=True)
    booted = EmulatedShoe(files.flash_of(uf2.find()), seed=options.seed)
    booted.power_on()
    deals = [
        partial(measure, booted, scene, host, restart, options)
        for scene in options.scenes
        for restart, hosts in ((False, options.hosts), (True, options.restarted))
        for host in hosts
    ]
    return 0 if all(list(faces.in_forks(deals))) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
