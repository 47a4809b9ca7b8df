"""How long an emulated RP2040 signs a closed shoe, and whether a card ever waits for it.

`RP2_UF2=... python tests/bench/rp2040_signing.py [--height 10] [--seed 1]`. The key is made beforehand, by
the same modules on this computer, and lies in the flash that the chip starts with. A shoe is counted and closed; then
the next one is loaded and its cards are drawn while the last one is being signed, at moments that fall into the slices.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from rp2040_shoe import (
    ROOT,
    EmulatedShoe,
    Figure,
    connect,
    events,
    files,
    percentile,
    run_alone,
    table,
    uf2,
)  # sets the path

# isort: split
sys.path.insert(0, str(ROOT / "tests" / "firmware"))

from pico import root
from rng import Rng
from shoe.signing import Signing
from shoetool.client import Client
from shoetool.model.protocol_table import Key, RecordKind, Signature
from shoetool.simulate.pull import IDEAL, pull
from shoetool.simulate.scenario import Scenario
from virtual.flash_memory import MemoryFlash, Power

QUICK = replace(IDEAL.profile, slowest=1.2, fastest=2.5, hesitation=0.0)
SINGLE = Scenario(decks=1, reader=False)
REACH_MS = 500.0
REACH_CARD_MS = 20.0


def key_partition(pages: int, height: int, seed: int) -> bytes:
    """Return the partition `keys` of a shoe whose signing key, with a tree of `height`, has just been made."""
    chip = bytearray(pages * root.PAGE)
    flash = MemoryFlash(pages, Power(seed), root.PAGE, chip)
    for page in range(pages):
        flash.erase(page)
    journal = SimpleNamespace(tail=-1, shoe=0, closed=0)
    signing = Signing(flash, bytes(8), journal, Rng(seed).data, lambda shoe, last: True, lambda: 0)
    signing.start()
    signing.begin(height)
    while signing.busy:
        signing.step(1 << 20)
    assert len(signing.public_key()) == 56
    return bytes(chip)


def with_key(firmware: uf2.Firmware, height: int, seed: int) -> bytes:
    """Return flash with a shoe that has a signing key."""
    flash = bytearray(files.flash_of(firmware))
    pages = root.plan(firmware.pages)
    at = root.NAMES.index("keys")
    first = firmware.storage + sum(pages[:at]) * root.PAGE
    flash[first : first + pages[at] * root.PAGE] = key_partition(pages[at], height, seed)
    return bytes(flash)


class Table:
    """A one-deck shoe that is counted again and again, while a host listens."""

    def __init__(self, seed: int, height: int) -> None:
        self.shoe = EmulatedShoe(with_key(uf2.find(), height, seed), seed=seed)
        self.shoe.power_on()
        self.client: Client = connect(self.shoe, SINGLE)
        self.live = self.client.subscribe()
        self.live.poll(0.0)  # with which it begins
        self.rng = np.random.default_rng(seed)
        self.shoe.key(Key.LOAD, 0)

    def count(self, pause_s: tuple[float, float], until: RecordKind | None = None) -> list[float]:
        """Count a deck, with pauses between the cards; return the ms from last edge to last byte of each card's event.

        The rest of the deck follows at once when a record of kind `until` has come; its cards are not in the list.
        """
        shoe, first = self.shoe, len(self.shoe.frames)
        shoe.key(Key.COUNT, 0)
        ends: list[float] = []
        listened = -1
        for card in self.rng.permutation(52).tolist():
            if listened < 0 and until is not None and self.came(until, first):
                listened = len(ends)
            pause = pause_s if listened < 0 else (0.03, 0.03)
            start = int(shoe.now_us + self.rng.uniform(*pause) * 1e6)
            changes, _ = pull(card, 1, 0, start, self.rng, IDEAL, QUICK)
            ends.append(start + (changes[-1][0] - start) % (1 << 30))
            shoe.play(0, changes)
            shoe.advance(max(0.0, ends[-1] - shoe.now_us))
            self.live.poll(0.0)
        shoe.wait(0.5)
        shoe.key(Key.COUNT, 0)
        told = {record.number: at for at, record in reversed(events(shoe, first)) if record.kind == RecordKind.CARD}
        assert len(told) == 52, f"{len(told)} of 52 cards came"
        late = [(told[number] - end) / 1000 for number, end in zip(sorted(told), ends, strict=True)]
        return late if until is None else late[: max(listened, 0)]

    def came(self, kind: RecordKind, first: int) -> bool:
        """True when an event of this kind is among the frames from `first` on."""
        return any(record.kind == kind for _, record in events(self.shoe, first))

    def signed_ms(self) -> float:
        """Close the shoe by loading the next; return the ms from the last byte of shoe_closed to that of signed."""
        first = len(self.shoe.frames)
        self.shoe.key(Key.LOAD, 0)
        for _ in range(100):
            self.shoe.wait(0.1)
            self.live.poll(0.0)
            if self.came(RecordKind.SIGNED, first):
                break
        at = {record.kind: at for at, record in events(self.shoe, first)}
        signed = [record for _, record in events(self.shoe, first) if record.kind == RecordKind.SIGNED]
        assert signed and signed[0].get("result") == Signature.SIGNED, "no signature came"
        return (at[RecordKind.SIGNED] - at[RecordKind.SHOE_CLOSED]) / 1000


def measure(seed: int, height: int = 10) -> list[Figure]:
    """Return the figures of one run."""
    bench = Table(seed, height)
    alone = bench.count((0.05, 0.3))
    quiet = bench.signed_ms()
    bench.count((0.03, 0.03))
    bench.shoe.key(Key.LOAD, 0)
    beside = bench.count((0.13, 0.3), RecordKind.SIGNED)
    assert beside, "no card came while the shoe before it was signed"
    text = [f"p50 {percentile(some, 0.5):.1f} ms, max {max(some):.1f} ms" for some in (alone, beside)]
    return [
        Figure(
            f"a shoe is signed, tree of height {height}", "500 ms", f"{quiet:.0f} ms after it closed", quiet <= REACH_MS
        ),
        Figure(
            f"last edge to last byte of the event, {len(beside)} cards while the shoe before is signed",
            "20 ms, as without",
            f"{text[1]}; without: {text[0]}",
            max(beside) <= REACH_CARD_MS,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--height", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed)
    figures = measure(options.seed, options.height)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
