"""Power cuts on an emulated RP2040 at random instants of a shoe in play: what was acknowledged is in the journal.

`RP2_UF2=... python tests/bench/rp2040_cuts.py [--cuts 200] [--first 0] [--starts 20] [--seed 1] [--jobs 2]`.
A campaign may be done in parts: cut N of a seed is the same whatever `--first` is. Each cut begins with
the same shoe in play (a fork of it): cards are drawn while a host listens, and the supply fails at a seeded random
instant, every second time in the middle of a flash operation. Then the journal in the flash that is left is read with
the firmware's own code, on this computer; `--starts` of the shoes are switched on again as well, spread evenly, and
asked. A record counts as acknowledged once its event frame was on the wire whole. A cut that never fired counts not.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

from rp2040_shoe import Figure, events, run_alone, switched_on, table  # sets the path, so before the others

# isort: split
import live_records
import numpy as np
from hands import TWOS, Hands
from pico import root
from rig import uf2
from rig.emulated import EmulatedShoe, PowerCutError
from rig.flash import ERASE_NS, PROGRAM_NS
from shoe.journal.cursor import Cursor
from shoe.journal.journal import Journal
from shoesim.pull import NOMINAL, pull
from shoetool.model.records import Record, decode_record

PAGE = root.PAGE
SPAN_US = 900_000
_ERASE_NS = min(ERASE_NS.values())


class Pages:
    """A partition in the flash that a chip left behind, as the firmware reads it."""

    page_size = PAGE

    def __init__(self, flash: bytes, storage: int, pages: int, name: str) -> None:
        plan = root.plan(pages)
        at = root.NAMES.index(name)
        self.pages = plan[at]
        start = storage + PAGE * sum(plan[:at])
        self._content = flash[start : start + PAGE * self.pages]

    def read(self, page: int, offset: int, buf) -> None:
        buf[:] = self._content[page * PAGE + offset :][: len(buf)]


def records_in(flash: bytes, firmware: uf2.Firmware) -> dict[int, tuple[int, bytes]]:
    """Return (kind, payload) by number of every record that the firmware would find."""
    journal = Journal(Pages(flash, firmware.storage, firmware.pages, "journal"), b"EMULATED", lambda *_: False)
    journal.start()
    if journal.damaged:
        raise AssertionError(f"{journal.damaged} pages of the journal cannot be read")
    cursor = Cursor(journal)
    found = {}
    if journal.tail >= 0 and cursor.seek(0):
        while cursor.next():
            found[cursor.number] = (cursor.kind, bytes(cursor.payload))
    return found


def same(told: Record, kind: int, payload: bytes) -> bool:
    """Whether the journal's record, of this kind and payload, is the one that was told, to the last field."""
    return kind == told.kind and decode_record(told.number, told.boot, told.ticks_ms, kind, payload) == told


def cut(shoe: EmulatedShoe, hands: Hands, seed: int, firmware: uf2.Firmware, start: bool) -> tuple[str, str | None]:
    """Play on until the power fails; return where that was ("" if it did not) and what is wrong."""
    rng = Random(f"cut {seed}")
    numbers = np.random.default_rng(seed)
    live = hands.client.subscribe()
    live.poll(0.05)
    flash = shoe.chip.flash
    first = len(shoe.frames)
    if seed % 2:
        skip = [rng.randrange(0, 4)]

        def strike(name: str, address: int, size: int) -> None:
            if skip[0]:
                skip[0] -= 1
                return
            takes = PROGRAM_NS if name == "program" else _ERASE_NS
            flash.fails_at = flash.rp2040.clock.nanos + rng.uniform(0.02, 0.98) * takes

        flash.on_operation = strike
    shoe.cut_power_in(rng.uniform(1_000, SPAN_US) if not seed % 2 else 2.5e6)
    where = ""
    try:
        while True:
            at = shoe.now_us + 20_000
            changes, end = pull(rng.choice(TWOS), 1, 0, at, numbers, NOMINAL)
            shoe.feed(0, changes, end)
            live.poll(0.03)
    except PowerCutError as error:
        where = str(error)
    told = {record.number: record for _, record in events(shoe, first)}
    try:
        found = records_in(shoe.flash, firmware)
    except AssertionError as error:
        return where, str(error)
    if set(found) != set(range(len(found))):
        return where, "the journal's records are not numbered without a gap"
    lost = [number for number, record in told.items() if number not in found or not same(record, *found[number])]
    if lost:
        return where, f"records {lost} were on the wire and are not in the journal, or others are there"
    if start:
        shoe.power_on()
        hands.client.session.identity = None
        hands.client.identify()
        again = {record.number for record in live_records.records(hands.client, 0, idle_s=0.2)}
        if not set(found) <= again:
            return where, f"after the next start records {sorted(set(found) - again)} are gone"
    return where, None


def measure(seed: int, cuts: int = 200, starts: int = 20, jobs: int = 2, first: int = 0) -> list[Figure]:
    """Return the figure of the cuts from number `first` on; every tenth says on stderr how far it is."""
    firmware = uf2.find()
    shoe, client = switched_on(seed)
    hands = Hands(shoe, client, seed)
    hands.start()
    every = max(1, cuts // starts) if starts else cuts + 1

    def one(number: int) -> tuple[str, str | None]:
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            try:
                outcome: tuple[str, str | None] = ("", "the fork died")
                try:
                    outcome = cut(shoe, hands, seed * 1000 + number, firmware, not number % every)
                except BaseException as error:
                    outcome = ("", f"{type(error).__name__}: {error}")
                os.write(writer, pickle.dumps(outcome))
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            told = pipe.read()
        os.waitpid(child, 0)
        return pickle.loads(told) if told else ("", "the fork died")

    numbers = range(first, first + cuts)
    outcomes = []
    wrong = []
    with ThreadPoolExecutor(jobs) as pool:
        for number, (where, why) in zip(numbers, pool.map(one, numbers), strict=True):
            outcomes.append(where)
            if why:
                wrong.append(number)
                print(f"cut {number}: {why}", file=sys.stderr)
            if not len(outcomes) % 10:
                print(f"{len(outcomes)} of {cuts} cuts, {len(wrong)} wrong", file=sys.stderr, flush=True)
    fired = [where for where in outcomes if where]
    torn = sum("middle of a flash" in where for where in fired)
    again = sum(not number % every for number in numbers)
    text = f"{len(fired)} fired ({torn} in a flash operation), {len(wrong)} wrong; {again} switched on again"
    good = not wrong and len(fired) == cuts
    return [Figure(f"{cuts} power cuts on the chip", "no acknowledged record lost", text, good)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print("seed", options.seed)
    figures = measure(options.seed, options.cuts, options.starts, options.jobs, options.first)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
