"""Change the edges of perfect cards as an adversary would, and count what the firmware's read head names wrong.

    python tests/bench/edge_adversary.py --streams 200000 --seed 1 --jobs 2
    python tests/bench/edge_adversary.py --streams 20000 --damages 2 --save build/wrong

He knows nothing of light, ink or hands, so that he shares no model with the simulator: he takes the places of the edges
from CARD_CODE.md, does some damage (a mark lost, joined or too many, on both clock lines or on one of them; a data cell
wrong, or a part of it), and then chooses the time of every edge freely: any speed, stops anywhere, and ways back that
unwind. In half of the streams he aims: he looks for the other card that the strip comes nearest to without one mark,
and makes the times say that another mark is missing than the one that is. Damage is counted, times cost nothing.
Up to two damages, of which one is a data cell, no card may ever be wrong; beyond that the rate is told.
Exit code 0: so it is; 1: it is not.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
for folder in ("firmware", "host_tools", "tests/optics"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

from confusions import confusions  # noqa: E402
from shoe.reading.read_head import ReadHead  # noqa: E402
from shoetool.model import card_code, protocol_table  # noqa: E402

BATCHES = (1, 2)
CHUNK = 2000
LAWFUL = 2  # so much damage may cost the reading, but never name another card
PRESENT, CLOCK_A, CLOCK_B, DATA = 1, 2, 4, 8
_NAMES = ("CARD", "COVER_CARD", "TEST_CARD", "FOREIGN_BATCH")
CODED = {kind.value for kind in protocol_table.Pass if kind.name in _NAMES}
Wrong = list[tuple[int, int, int]]
"""What was named that is another card: (kind, card, batch)."""
Spans = list[tuple[float, float]]


class Stream(NamedTuple):
    """One card: what was done to it, the damages, and its edges."""

    card: int
    batch: int
    done: tuple[str, ...]
    edges: list[tuple[int, int]]


class Strip:
    """A card as spans of travel (mm) in which each line is dark."""

    def __init__(self, card: int, batch: int, length: float, rng: Random) -> None:
        self.rng = rng
        self.cells = list(card_code.frame_cells(card, batch))
        self.start = (length - 52.0) / 2
        self.length = length
        centres = [self.start + 2.0 * cell + 1.0 for cell in range(26)]
        self.a: Spans = [(x - 0.75, x + 0.25) for x in centres]
        self.b: Spans = [(x - 0.25, x + 0.75) for x in centres]
        self.glitches: Spans = []
        self.hurried: Spans = []  # passed in a third of the time or so
        self.slow: Spans = []  # and in three times as much

    def lose(self, mark: int = -1) -> str:
        """A mark is lost, on both lines or on one."""
        aimed = mark >= 0
        mark = mark if aimed else self.rng.randrange(min(len(self.a), len(self.b)))
        which = "both" if aimed else self.rng.choice(("both", "both", "a", "b"))
        for name, spans in (("a", self.a), ("b", self.b)):
            if which in ("both", name):
                del spans[mark]
        return f"mark {mark} lost on {which}"

    def join(self) -> str:
        """Two marks are one, on both lines or on one."""
        mark = self.rng.randrange(min(len(self.a), len(self.b)) - 1)
        which = self.rng.choice(("both", "both", "a", "b"))
        for name, spans in (("a", self.a), ("b", self.b)):
            if which in ("both", name):
                spans[mark : mark + 2] = [(spans[mark][0], spans[mark + 1][1])]
        return f"marks {mark} and {mark + 1} joined on {which}"

    def add(self) -> str:
        """A mark too many before or behind the code, of any width that the sensors see as one, on both lines or one."""
        room = self.start
        width = self.rng.uniform(0.55, 1.0)
        low = self.rng.uniform(0.0, room - width)
        if self.rng.random() < 0.5:
            low = self.length - low - width
        which = self.rng.choice(("both", "both", "both", "a", "b"))
        for name, spans, by in (("a", self.a, -0.25), ("b", self.b, 0.25)):
            if which in ("both", name):
                spans.append((low + by, low + width + by))
                spans.sort()
        return f"a mark too many at {low:.1f} mm on {which}"

    def flip(self, cell: int = -1) -> str:
        """A cell is wrong."""
        cell = cell if cell >= 0 else self.rng.randrange(26)
        self.cells[cell] ^= 1
        return f"cell {cell} wrong"

    def part(self) -> str:
        """A part of a cell is wrong."""
        cell = self.rng.randrange(26)
        low = self.start + 2.0 * cell + self.rng.uniform(0.0, 1.5)
        self.glitches.append((low, self.rng.uniform(low, self.start + 2.0 * cell + 2.0)))
        return f"part of cell {cell} wrong"

    def aim(self, card: int, batch: int, damages: int) -> list[str]:
        """Lose the mark without which the strip comes near to another card, and make another one look lost instead."""
        gone, seems, flips, _, _ = self.rng.choice(confusions(card, batch, BATCHES))
        done = [self.lose(gone)]
        if seems == 25 and damages > 1:
            done.append(self.add())
        done += [self.flip(cell) for cell in flips[: damages - len(done)]]
        x, y = self.start + 2.0 * gone, self.start + 2.0 * seems
        self.hurried.append((x - 0.3, x + 2.3))
        self.slow.append((y - 0.45, y + 0.25))
        return [*done, f"aimed: mark {gone} to look like {seems}"]

    def places(self) -> list[tuple[float, int]]:
        """Return (travel, line) of each turn in order, each a little beside its place."""
        edge = self.rng.choice((0.0, 0.02, 0.1, 0.2))
        data: list[float] = [x for span in self.glitches for x in span]
        shown = (0, *self.cells, 0)
        data += [self.start + 2.0 * cell for cell in range(27) if shown[cell] != shown[cell + 1]]
        found = [
            (8.0 + self.rng.uniform(-0.3, 0.3), PRESENT),
            (self.length + 8.0 + self.rng.uniform(-0.3, 0.3), PRESENT),
        ]
        found += [(x + self.rng.uniform(-edge, edge), DATA) for x in data]
        for bit, spans in ((CLOCK_A, self.a), (CLOCK_B, self.b)):
            found += [(x + self.rng.uniform(-edge, edge), bit) for span in spans for x in span]
        return sorted(found)


_CLOCK_DAMAGE = ("lose", "join", "add")
_DATA_DAMAGE = ("flip", "part")


def paces(count: int, rng: Random) -> list[float]:
    """Return s/mm before each of `count` edges: even, changing, wild, or even but for a few stops or leaps."""
    style = rng.randrange(5)
    pace = 1 / (1000 * math.exp(rng.uniform(math.log(0.05), math.log(3.0))))
    if style == 0:
        return [pace] * count
    if style == 1:
        found = []
        for _ in range(count):
            pace = min(0.02, max(0.0003, pace * math.exp(rng.uniform(-0.2, 0.2))))
            found.append(pace)
        return found
    if style == 2:
        return [1 / (1000 * math.exp(rng.uniform(math.log(0.05), math.log(3.0)))) for _ in range(count)]
    found = [pace] * count
    for _ in range(rng.randint(1, 4)):
        # One edge, or all those between two marks, take longer or shorter than their neighbours.
        at, length = rng.randrange(count), rng.randint(1, 3)
        factor = math.exp(rng.uniform(-2.0, 5.0)) if style == 3 else rng.choice((0.2, 1 / 3, 3.0, 5.0))
        for place in range(at, min(count, at + length)):
            found[place] *= factor
    return found


def timed(strip: Strip, start_us: int, rng: Random) -> list[tuple[int, int]]:
    """Return the edges at times of the adversary's choice, now and then with ways back."""
    found: list[tuple[int, int]] = []
    places = strip.places()
    pace = paces(len(places), rng)
    for spans, least, most in ((strip.hurried, 0.2, 0.5), (strip.slow, 2.5, 5.0)):
        factor = rng.uniform(least, most)
        for number in range(1, len(places)):
            middle = (places[number - 1][0] + places[number][0]) / 2
            if any(low < middle < high for low, high in spans):
                pace[number] *= factor
    # A way back that leads over the card sensor's edge is a pull-back: not what is asked here.
    entered = next(place for place, (_, bit) in enumerate(places) if bit == PRESENT)
    left = max(place for place, (_, bit) in enumerate(places) if bit == PRESENT)
    backs = rng.choice((0, 0, 0, 1, 3))
    turns = sorted(rng.sample(range(entered + 2, left - 1), backs))
    time, state, at = start_us / 1e6, 0, 0
    before = places[0][0]

    def step(number: int) -> None:
        nonlocal time, state, before
        travel, bit = places[number]
        time += abs(travel - before) * pace[number] + 1e-6
        before = travel
        state ^= bit
        found.append((int(time * 1e6) & 0x3FFFFFFF, state))

    for at in range(len(places)):
        step(at)
        while turns and turns[0] == at:
            turns.pop(0)
            way = rng.randint(1, at - entered)
            for number in range(at, at - way, -1):
                step(number)
            for number in range(at - way + 1, at + 1):
                step(number)
    return found


def stream(rng: Random, damages: int) -> Stream:
    """Return one card with so many damages, at most one of them in the data as long as that is lawful."""
    card, batch = rng.randrange(52), rng.choice(BATCHES)
    strip = Strip(card, batch, rng.choice((63.0, 57.0)), rng)
    kinds = [rng.choice(_CLOCK_DAMAGE) for _ in range(damages)]
    if damages and rng.random() < 0.5:
        kinds[-1] = rng.choice(_DATA_DAMAGE)
    if damages > LAWFUL:
        kinds = [rng.choice((*_CLOCK_DAMAGE, *_DATA_DAMAGE)) for _ in range(damages)]
    aimed = damages and rng.random() < 0.5
    done = strip.aim(card, batch, damages) if aimed else [getattr(strip, kind)() for kind in kinds]
    return Stream(card, batch, tuple(done), timed(strip, rng.randrange(1 << 30), rng))


def wrong_names(one: Stream) -> tuple[bool, Wrong]:
    """Return whether the card was read, and what was named that is another one."""
    head = ReadHead(0, BATCHES)
    read = False
    wrong: Wrong = []
    for ticks, lines in one.edges:
        result = head.feed(ticks, lines)
        if result is not None and result.kind in CODED:
            if (result.card, result.batch) == (one.card, one.batch):
                read = True
            else:
                wrong.append((result.kind, result.card, result.batch))
    return read, wrong


def run_chunk(task: tuple[int, int, int, int]) -> tuple[int, Counter[str], list[tuple[int, Stream, Wrong]]]:
    """Return the damages of a chunk, its counts, and each wrong card with the number of its stream."""
    seed, damages, chunk, count = task
    rng = Random(f"{seed} {damages} {chunk}")
    counts: Counter[str] = Counter()
    bad = []
    for number in range(count):
        one = stream(rng, damages)
        read, wrong = wrong_names(one)
        counts["wrong" if wrong else "read" if read else "refused"] += 1
        if wrong:
            bad.append((chunk * CHUNK + number, one, wrong))
    return damages, counts, bad


def begin_worker(batches: tuple[int, ...]) -> None:
    """Take the batches in play."""
    global BATCHES
    BATCHES = batches


def save(folder: Path, damages: int, number: int, one: Stream, wrong: Wrong) -> None:
    """Write the edges of a wrong card, one a line: µs and lines."""
    folder.mkdir(parents=True, exist_ok=True)
    head = f"# card {one.card} batch {one.batch}: {'; '.join(one.done)}; named (kind, card, batch) {wrong}\n"
    lines = "".join(f"{ticks} {state}\n" for ticks, state in one.edges)
    (folder / f"damages-{damages}-{number}.txt").write_text(head + lines)


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=20_000, help="for each number of damages")
    parser.add_argument("--damages", type=int, nargs="*", default=[0, 1, 2, 3, 4, 6])
    parser.add_argument("--batches", type=int, nargs="+", default=list(BATCHES), help="batches in play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--save", type=Path, help="folder for the edges of each wrong card")
    options = parser.parse_args()
    chunks = range(-(-options.streams // CHUNK))
    tasks = [
        (options.seed, damages, chunk, min(CHUNK, options.streams - chunk * CHUNK))
        for damages in options.damages
        for chunk in chunks
    ]
    counts: dict[int, Counter[str]] = {damages: Counter() for damages in options.damages}
    unlawful = 0
    with multiprocessing.Pool(options.jobs, begin_worker, (tuple(options.batches),)) as pool:
        for damages, found, bad in pool.imap(run_chunk, tasks):
            counts[damages].update(found)
            unlawful += len(bad) * (damages <= LAWFUL)
            for number, one, wrong in bad:
                if options.save:
                    save(options.save, damages, number, one, wrong)
    print(f"seed {options.seed}: {'damages':>8}{'streams':>10}{'read':>10}{'refused':>10}{'wrong':>8}")
    for damages, found in counts.items():
        row = (found.total(), found["read"], found["refused"], found["wrong"])
        print(f"{'':{len(str(options.seed)) + 6}}{damages:>8}{row[0]:>10,}{row[1]:>10,}{row[2]:>10,}{row[3]:>8,}")
    return 1 if unlawful else 0


if __name__ == "__main__":
    sys.exit(main())
