"""How long an emulated RP2040 signs a closed shoe, and whether a card ever waits for it.

`RP2_UF2=... python tests/bench/rp2040_signing.py [--height 10] [--shoes 12] [--seed 1]`. The key is made beforehand, by
the same modules on this computer, and lies in the flash that the chip starts with. Shoes of a few cards are closed
one after the other: first while nothing moves, then with the next one loaded at once and its cards pulled at random
moments while the shoe before is being signed. As many shoes without a key say what a card takes anyway.
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

from flash_memory import MemoryFlash, Power
from pico import root
from rig import wiring
from rng import Rng
from shoe.trust.signing import Signing
from shoesim.pull import IDEAL, pull
from shoesim.scenario import Scenario
from shoetool.client.client import Client
from shoetool.model.protocol_table import Key, RecordKind, Signature

QUICK = replace(IDEAL.profile, slowest=1.2, fastest=2.5, hesitation=0.0)
SINGLE = Scenario(decks=1, reader=False, options=1 << 4)  # histories that nobody fetches are written over
PRESS_US = 60_000  # as board/pico/PANEL.md promises
CARDS = (RecordKind.CARD, RecordKind.SEALED)
CARDS_A_SHOE = 5
PAUSE_S = (0.105, 0.16)  # the shoe signs on when nothing has moved for 0.1 s
REACH_MS = 500.0
REACH_CARD_MS = 40.0


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
    """Shoes of a few cards, one after the other, while a host listens. The key switch stays turned."""

    def __init__(self, flash: bytes, seed: int) -> None:
        self.shoe = EmulatedShoe(flash, seed=seed)
        self.shoe.power_on()
        self.client: Client = connect(self.shoe, SINGLE)
        self.live = self.client.subscribe()
        self.live.poll(0.0)  # with which it begins
        self.rng = np.random.default_rng(seed)
        self.shoe.panel.press(wiring.KEY_SWITCH, True)
        self.shoe.wait(0.1)
        self.press(Key.LOAD)
        self.card(0.1)

    def press(self, *keys: Key) -> None:
        """Press keys one after the other, each as long as a press must last to count for certain, then let go."""
        places = [wiring.PLACES[key.name.lower()] for key in keys]
        for place in places:
            self.shoe.panel.press(place, True)
            self.shoe.advance(PRESS_US)
        for place in places:
            self.shoe.panel.press(place, False)

    def wait(self, seconds: float) -> None:
        """Let time pass while the host listens."""
        end = self.shoe.now_us + seconds * 1e6
        while self.shoe.now_us < end:
            self.shoe.advance(min(20_000.0, end - self.shoe.now_us))
            self.live.poll(0.0)

    def card(self, pause_s: float) -> float:
        """Pull a card after a pause; return when its last edge came."""
        shoe = self.shoe
        start = int(shoe.now_us + pause_s * 1e6)
        changes, _ = pull(int(self.rng.integers(52)), 1, 0, start, self.rng, IDEAL, QUICK)
        end = start + (changes[-1][0] - start) % (1 << 30)
        shoe.play(0, changes)
        self.wait((end - shoe.now_us) / 1e6)
        return end

    def signed_at(self, first: int) -> float:
        """When the last byte of the event that says so came, of the frames from `first` on; 0 when it has not."""
        for at, record in events(self.shoe, first):
            if record.kind == RecordKind.SIGNED:
                assert record.get("result") == Signature.SIGNED
                return at
        return 0.0

    def quiet(self) -> float:
        """Close the shoe and wait; return the ms from shoe_closed to signed, then load the next and burn."""
        self.wait(1.0)
        first = len(self.shoe.frames)
        self.press(Key.CLOSE_SHOE)
        for _ in range(100):
            if at := self.signed_at(first):
                break
            self.wait(0.05)
        (closed,) = [told for told, record in events(self.shoe, first) if record.kind == RecordKind.SHOE_CLOSED]
        self.press(Key.LOAD)
        self.card(0.1)
        return (at - closed) / 1000

    def busy(self, cards: int, key: bool) -> list[float]:
        """Close the shoe, load the next and pull `cards` one after the other; ms from last edge to event of each.

        With a `key` only those that came before the shoe was signed; and never the first one, the burn card, whose
        vault may have to be erased.
        """
        self.wait(1.0)
        first = len(self.shoe.frames)
        self.press(Key.CLOSE_SHOE, Key.LOAD)
        ends = [self.card(float(self.rng.uniform(*PAUSE_S))) for _ in range(cards)]
        self.wait(1.0)
        told = {record.number: at for at, record in reversed(events(self.shoe, first)) if record.kind in CARDS}
        assert len(told) == cards, f"{len(told)} of {cards} cards were told"
        until = self.signed_at(first) if key else float("inf")
        assert until, "the shoe was not signed"
        pairs = list(zip(sorted(told), ends, strict=True))[1:]
        return [(told[number] - end) / 1000 for number, end in pairs if end < until]


def measure(seed: int, height: int = 10, shoes: int = 12) -> list[Figure]:
    """Return the figures of one run: `shoes` are signed while nothing moves, and as many while cards are pulled."""
    firmware = uf2.find()
    bench = Table(with_key(firmware, height, seed), seed)
    signed = [bench.quiet() for _ in range(shoes)]
    beside = [late for _ in range(shoes) for late in bench.busy(CARDS_A_SHOE, True)]
    bench = Table(files.flash_of(firmware), seed)
    without = [late for _ in range(shoes) for late in bench.busy(CARDS_A_SHOE, False)]
    assert len(beside) >= shoes, f"{len(beside)} cards came while a shoe was signed"
    text = [f"p50 {percentile(some, 0.5):.1f} ms, max {max(some):.1f} ms" for some in (without, beside)]
    return [
        Figure(
            f"a shoe is signed after it closed, tree of height {height}, {shoes} shoes",
            "500 ms",
            f"p50 {percentile(signed, 0.5):.0f} ms, max {max(signed):.0f} ms",
            max(signed) <= REACH_MS,
        ),
        Figure(
            f"last edge to last byte of the event, {len(beside)} cards while the shoe before is signed",
            "20 ms, as without",
            f"{text[1]}; without a key, {len(without)} cards: {text[0]}",
            max(beside) <= REACH_CARD_MS,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--height", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shoes", type=int, default=12)
    options = parser.parse_args()
    print("seed", options.seed, "on", uf2.find().path.name)
    figures = measure(options.seed, options.height, options.shoes)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
