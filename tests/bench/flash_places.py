"""How long before its place each flash operation of a face-down card is asked for, on an emulated RP2040.

`RP2_UF2=... [RIG_CACHE=50] python tests/bench/flash_places.py [--scenes shoe hand reader burn] [--faces 3] [--seed 1]`.
An operation that is asked for after its place begins a step later (board/pico/point.py). When a face decides whether
that happens, the card can be told. So this is the time that is left, for some faces, clean and with a hidden mark and a
wrong cell, with a host that polls. RIG_CACHE=50 models the flash cache, without which the chip would never be late.
Exit status 1 when less than 0.3 ms is left.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import Any

from rp2040_shoe import EmulatedShoe, files, run_alone, uf2  # sets the path, so before the others

# isort: split
import faces
from rig.transcript import FLASH, Recorder
from rp2040py.peripherals.timer import TIMERAWL, RPTimer

PLACES_US = (2432, 6592, 8320)  # board/pico/point.py; behind the point at which the record is stored
LEAST_US = 300
_GAP_US = 200  # machine code that waits reads the timer again within less, with an empty flash cache too
DAMAGED = faces.Damage(hidden=(20,), wrong=(30,))


def left_us(ready: faces.Dealt, face: int, damage: faces.Damage) -> list[int]:
    """Pull this face; return how long before its place each operation was asked for: negative when that was late."""
    read, note = RPTimer.read_uint32, Recorder._note
    times: list[int] = []
    operations: list[int] = []  # how many times had been read when each began

    def reads(timer: Any, offset: int) -> int:
        value: int = read(timer, offset)
        if offset == TIMERAWL:
            times.append(value)
        return value

    def notes(recorder: Recorder, channel: str, what: str) -> None:
        if channel == FLASH:
            operations.append(len(times))
        note(recorder, channel, what)

    RPTimer.read_uint32, Recorder._note = reads, notes  # type: ignore  # in a fork: nobody has to put them back
    faces.transcript(ready, face, 0.8, faces.LEAVES_US[1], damage)
    found: list[int] = []
    point = 0
    for number, last in enumerate(operations[: len(PLACES_US)]):
        asked = last - 1
        while asked and 0 <= times[asked] - times[asked - 1] < _GAP_US:
            asked -= 1
        if number == 0:
            point = times[last - 1] - PLACES_US[0]  # it began at its place, unless it was late by a step or more
        found.append(point + PLACES_US[number] - times[asked])
    return found


def measure(booted: EmulatedShoe, scene: str, chosen: tuple[int, ...]) -> int:
    """Print the least and the most that is left for each operation of a scene; return the least of all."""
    ready = faces.dealt(booted, scene, "polls")
    pulls = [partial(left_us, ready, face, damage) for face in chosen for damage in (faces.CLEAN, DAMAGED)]
    # A card that is slid into the reader is the clean one: its strip was read on the way there.
    runs = list(faces.in_forks(pulls[:: 2 if ready.scene.reader else 1]))
    for number in range(max(map(len, runs))):
        left = [run[number] for run in runs if len(run) > number]
        print(f"{scene}, operation {number + 1}: {min(left)} to {max(left)} µs left, {len(left)} pulls", flush=True)
    least: int = min(min(run) for run in runs)
    return least


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", nargs="+", choices=faces.SCENES, default=list(faces.SCENES))
    parser.add_argument("--faces", type=int, default=3, help="how many, from the fewest edges to the most")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed, "on", uf2.find().path.name, flush=True)
    booted = EmulatedShoe(files.flash_of(uf2.find()), seed=options.seed)
    booted.power_on()
    chosen = faces.sample(options.faces)
    found = faces.in_forks([partial(measure, booted, scene, chosen) for scene in options.scenes])
    return 0 if min(found) >= LEAST_US else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
