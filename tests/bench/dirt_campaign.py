"""Let read heads get dirty, fade or be flooded while cards are dealt: is there a warning before the first unreadable?

    python tests/bench/dirt_campaign.py --heads 300 --seed 1 --jobs 2
    python tests/bench/dirt_campaign.py --clean 20 --cards 5000 --seed 1     heads that stay clean: no warning

Each head is one of its own (levels, spot, noise, hysteresis, which lines suffer, how fast and how unevenly),
calibrated as `shoetool calibrate` does and read by the firmware's own ReadHead and Margins. A lump of dirt that falls
onto a sensor between two cards is no growth: nothing can warn of it. Exit code 0: every warning came first, or none
came when clean.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
for folder in ("firmware", "board", "host_tools", "tests/firmware", "tests/optics"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

from flash_memory import MemoryFlash, Power  # noqa: E402
from head_light import HeadLight, travel_at  # noqa: E402
from shoe import wire_table as t  # noqa: E402
from shoe.journal.durable_notes import Notes  # noqa: E402
from shoe.reading.head_margins import UNKNOWN_MARGIN, Margins  # noqa: E402
from shoe.reading.read_head import ReadHead  # noqa: E402
from shoesim.pull import NOMINAL, Profile, prepare  # noqa: E402

KINDS = ("dirt", "one line", "fading", "flooded")
HAND = Profile(slowest=0.3, fastest=2.5, hesitation=0.01, longest_stop_s=1.0)
PAPER = (0.80, 1.0)
MOST_CARDS = 4000
WORST_GROWTH = (0.0002, 0.002)  # of the light, a card: a whole shoe to ten of them until nothing is read


class Board:
    """What Margins needs of a board: the levels of a head whose light the campaign moves on."""

    heads = 1

    def __init__(self, light: HeadLight, rng: np.random.Generator) -> None:
        self.light = light
        self.rng = rng
        self.store = MemoryFlash(12, Power())
        self.now: tuple[Any, float, float] = (None, 0.0, 1.0)  # sheets, travel, paper

    def levels(self, head: int, into: array[int], lines: int = 15) -> None:
        sheets, travel, paper = self.now
        for line, level in enumerate(self.light.levels(sheets, travel, self.rng, paper)):
            if lines >> line & 1:
                into[line] = level

    def threshold(self, head: int, value: int) -> None:
        self.light.threshold = value


class Steps:
    """Takes the records of Margins."""

    def __init__(self) -> None:
        self.events: list[tuple[int, ...]] = []

    def room(self) -> bool:
        return True

    def commit(self, events: Any) -> None:
        self.events += events


@dataclass(frozen=True, slots=True)
class Life:
    """How one head fared: cards until the warning and until the first unreadable one (0: not seen), margin there."""

    seed: int
    kind: str
    cards: int
    warned: int
    unreadable: int
    margin: int
    least: int


def new_head(rng: np.random.Generator) -> HeadLight:
    """A clean head as it may come from the workshop."""
    return HeadLight(
        bright=rng.uniform(9000, 15000, 4).tolist(),
        dark=rng.uniform(48000, 55000, 4).tolist(),
        scatter=float(rng.uniform(0.0, 0.3)),
        spot_mm=float(rng.uniform(0.3, 0.6)),
        noise=float(rng.uniform(60, 200)),
        hysteresis=float(rng.uniform(1600, 2600)),
    )


def worsen(light: HeadLight, kind: str, step: float) -> None:
    """One card's worth of trouble."""
    if kind == "flooded":
        light.ambient += step
    else:
        for line in (int(1e6 * light.spot_mm) % 4,) if kind == "one line" else range(4):
            light.dirt[line] = min(1.0, light.dirt[line] + step)


def live(task: tuple[int, int, int]) -> Life:
    """Deal cards past one head until it fails, or `clean` cards past one that stays clean."""
    seed, number, clean = task
    rng = np.random.default_rng([seed, number])
    light = new_head(rng)
    kind = "clean" if clean else KINDS[number % len(KINDS)]
    growth = float(np.exp(rng.uniform(*np.log(WORST_GROWTH))))
    if kind == "fading":
        light.scatter = 0.0
    board = Board(light, rng)
    margins = Margins(board, Notes)
    margins.start()
    bright = light.levels(None, 0.0, rng)
    dark = [round(light.ink(line)) for line in range(4)]
    margins.keep_threshold(0, (max(bright) + min(dark)) // 2, bright, dark)
    head = ReadHead(0, (1, 2))
    steps = Steps()
    now_us = 1 << 20
    warned = 0
    least = 100
    for card in range(1, (clean or MOST_CARDS) + 1):
        if not clean:
            worsen(light, kind, growth * float(rng.exponential()))
        for _ in range(2):  # a card every two seconds or so; at one head of two or three a measurement each 1.5 s
            now_us += 1_000_000
            board.now = (None, 0.0, 1.0)
            margins.empty(now_us // 1000 & 0x3FFFFFFF, [head], steps)
        least = min(least, margins.margin(0)) if margins.margin(0) != UNKNOWN_MARGIN else least
        if steps.events and not warned:
            warned = card
            assert steps.events[0][:3] == (t.REC_MARGIN, 0, t.MARGIN_CLEAN_SOON)
        if light.stuck_dark():
            return Life(seed, kind, card, warned, card, margins.margin(0), least)
        paper = float(rng.uniform(*PAPER))
        sheets, motion = prepare(int(rng.integers(52)), 1, rng, NOMINAL, HAND, bool(rng.integers(2)), "card")
        result = None
        due = 0
        for ticks, lines in light.edges(sheets, motion, now_us, rng, NOMINAL, paper):
            passed_us = (ticks - now_us) & 0x3FFFFFFF
            if lines & 1 and passed_us >= due:  # the tasks go round once in some ms, and measure a little later
                due = passed_us + int(rng.uniform(2000, 10000))
                late = passed_us / 1e6 + float(rng.uniform(0.0005, 0.008))
                board.now = (sheets, float(travel_at(motion, late)), paper)
                margins.passing(0, lines)
            done = head.feed(ticks, lines)
            if done is not None:
                result = done.kind
                margins.passed(0, result == t.PASS_CARD and bool(rng.random() < 0.75))  # the others lie face down
        now_us += int(motion.time * 1e6)
        if result != t.PASS_CARD:
            return Life(seed, kind, card, warned, card, margins.margin(0), least)
    return Life(seed, kind, clean or MOST_CARDS, warned, 0, margins.margin(0), least)


def main() -> int:
    """Run the campaign; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heads", type=int, default=0, help="heads that get worse")
    parser.add_argument("--clean", type=int, default=0, help="heads that stay clean")
    parser.add_argument("--cards", type=int, default=5000, help="cards past each clean head")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    tasks = [(options.seed, number, 0) for number in range(options.heads)]
    tasks += [(options.seed, number, options.cards) for number in range(options.clean)]
    with multiprocessing.Pool(options.jobs) as pool:
        lives = pool.map(live, tasks, chunksize=1)
    wrong = 0
    for kind in (*KINDS, "clean"):
        mine = [life for life in lives if life.kind == kind]
        if not mine:
            continue
        cards = sum(life.cards for life in mine)
        if kind == "clean":
            false = sum(life.warned > 0 for life in mine)
            wrong += false
            lowest = min(life.least for life in mine)
            print(f"seed {options.seed}: clean: {len(mine)} heads, {cards} cards, {false} warnings, margin >= {lowest}")
            continue
        failed = [life for life in mine if life.unreadable]
        late = [life for life in failed if not 0 < life.warned < life.unreadable]
        wrong += len(late) + (len(failed) < len(mine) // 2)
        leads = [life.unreadable - life.warned for life in failed if life.warned] or [0]
        print(
            f"seed {options.seed}: {kind}: {len(mine)} heads, {cards} cards, {len(failed)} failed, {len(late)} of them "
            f"without a warning before; warned {min(leads)} to {max(leads)} cards before, margin at the first "
            f"unreadable {max((life.margin for life in failed), default=0)} or less"
        )
    return 1 if wrong or not lives else 0


if __name__ == "__main__":
    sys.exit(main())
