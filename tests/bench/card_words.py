"""Check what CARD_CODE.md says of the printed words, over all of them; or look for such words by a search of one's own.

    python tests/bench/card_words.py                   recompute all properties; exit code 1 when one does not hold
    python tests/bench/card_words.py --search --seed 1 --seconds 600
                                                       look for words with two designs, and tell how far it came

Nothing here knows the decoder, nor how the words were found: it takes the words that the host prints with. A stroke
is an object that makes cells side by side dark, or bright, whatever they were. A mark is hidden when it is lost or
joined with its neighbour: the cell behind it is not seen.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "host_tools") not in sys.path:
    sys.path.insert(0, str(ROOT / "host_tools"))

from shoetool.model import card_code  # noqa: E402

Words = NDArray[np.uint32]
SOURCE = ROOT / "firmware" / "card_words.toml"
CELLS = card_code.CELLS
CARDS = card_code.LAST_CARD + 1
BATCHES = range(card_code.FIRST_BATCH, card_code.LAST_BATCH + 1)
FAR = 99
GENERATOR = 0b110001110101
"""Of the Golay code [23,12,7]: x^11 + x^10 + x^6 + x^5 + x^4 + x^2 + 1."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the words have: dark cells of each, distances, and the least of each measure."""

    dark: set[int]
    distances: set[int]
    deletion_within: int
    deletion_across: int
    strokes: int
    hidden_dark: tuple[int, int]
    cosets: bool

    def objections(self) -> list[str]:
        """Return what is not as CARD_CODE.md has it."""
        wanted = {
            "a word has other than 12 dark cells": self.dark == {12},
            "two words differ in fewer than 8 or more than 16 cells": min(self.distances) >= 8
            and max(self.distances) <= 16,
            "two words of a design differ in fewer than 4 cells without one of each": self.deletion_within >= 4,
            "two words differ in fewer than 3 cells without one of each": self.deletion_across >= 3,
            "fewer than 4 strokes and a cell put right make a word another one": self.strokes >= 4,
            "dark damage and one hidden mark make a word another one": self.hidden_dark[0] == 0,
            "dark damage and two hidden marks make a word another one": self.hidden_dark[1] == 0,
            "a word is not in the coset of the Golay code": self.cosets,
        }
        return [text for text, holds in wanted.items() if not holds]


def all_words() -> tuple[Words, NDArray[np.int64]]:
    """Return the 24 cells of all words as numbers, batch by batch, and the design of each: 0 or 1."""
    words = [card_code.encode(card, batch) for batch in BATCHES for card in range(CARDS)]
    design = [(batch - card_code.FIRST_BATCH) // 2 for batch in BATCHES for _ in range(CARDS)]
    return np.array(words, dtype=np.uint32), np.array(design)


def framed(words: Words) -> Words:
    """Return all 26 cells."""
    return words << 1 | np.uint32(card_code.START << 25 | card_code.STOP)


def without(words: Words, cell: int, cells: int = CELLS) -> Words:
    """Return words of `cells` cells without number `cell`."""
    low = cells - 1 - cell
    return (words >> (low + 1) << low) | (words & ((1 << low) - 1))


def shortened(frames: Words) -> Words:
    """Return what is left when one mark is hidden: shape (words, 26 places), 25 cells each."""
    return np.stack([without(frames, cell) for cell in range(CELLS)], axis=1)


def deletion_distances(frames: Words) -> NDArray[np.int64]:
    """Return the fewest cells in which each two differ when each is without one of its own; FAR for a word itself."""
    shown = shortened(frames)
    least = np.full((len(frames), len(frames)), FAR)
    for number, own in enumerate(shown):
        least[number] = np.bitwise_count(own[:, None, None] ^ shown[None]).min(axis=(0, 2))
    np.fill_diagonal(least, FAR)
    return least


def strokes(source: int, target: int) -> int:
    """Return the fewest strokes, of any length and colour side by side, that make 26 cells those of `target`."""
    count = 0
    colour = -1  # of the stroke under way
    for cell in range(CELLS - 1, -1, -1):
        wanted = target >> cell & 1
        if wanted != colour:
            colour = -1  # it ends before a cell of the other colour
        if source >> cell & 1 != wanted and colour < 0:
            count += 1
            colour = wanted
    return count


def fewest_strokes(sources: Words, targets: Words) -> NDArray[np.int64]:
    """Return `strokes` of each source to each target, for all of them at once."""
    source, target = sources[:, None], targets[None, :]
    count = np.zeros((len(sources), len(targets)), dtype=np.int64)
    colour = np.full(count.shape, -1, dtype=np.int64)
    for cell in range(CELLS - 1, -1, -1):
        wanted = (target >> cell & 1).astype(np.int64)
        colour = np.where(colour == wanted, colour, -1)
        begins = ((source >> cell & 1) != wanted) & (colour < 0)
        count += begins
        colour = np.where(begins, wanted, colour)
    return count


def linked_by(frames: Words) -> int:
    """Return the fewest strokes that make a word another one, with one cell put right."""
    own = np.arange(len(frames))
    least = FAR
    for flip in (0, *(1 << cell for cell in range(CELLS))):
        found = fewest_strokes(frames, frames ^ np.uint32(flip))
        found[own, own] = FAR
        least = min(least, int(found.min()))
    return least


def dark_ways(frames: Words) -> tuple[int, int]:
    """Return how many pairs of words dark ink links that hides one mark, and how many when it hides two.

    It makes any data cells dark, and adds marks before and behind the code. What is read is exactly the other word, or
    exactly that word without one of its cells.
    """
    full = (1 << CELLS) - 1
    count = len(frames)
    found = []
    for hidden in (1, 2):
        linked = np.zeros((count, count), dtype=np.bool_)
        for cells in itertools.combinations(range(CELLS), hidden):
            kept = frames
            for number, cell in enumerate(sorted(cells, reverse=True)):
                kept = without(kept, cell, CELLS - number)
            for shown in (CELLS, CELLS - 1):
                added = shown - (CELLS - hidden)
                if added < 0:
                    continue
                targets = frames[:, None] if shown == CELLS else shortened(frames)
                for behind in range(added + 1):
                    # Cells that were added may show either colour.
                    free = full & ~(((1 << CELLS - hidden) - 1) << behind)
                    need = (kept << behind)[:, None, None] & ~targets[None] & np.uint32(~free & full)
                    linked |= (need == 0).any(axis=2)
        np.fill_diagonal(linked, False)
        found.append(int(linked.sum()))
    return found[0], found[1]


def golay(message: int) -> int:
    """Return the extended Golay word of a 12-bit message: bits 11..22 message, bit 23 makes the weight even."""
    remainder = message << 11
    for power in range(22, 10, -1):
        if remainder >> power & 1:
            remainder ^= GENERATOR << (power - 11)
    word = message << 11 | remainder
    return word | (word.bit_count() & 1) << 23


def coset() -> set[int]:
    """Return the 4,096 words from which the printed ones are: cell k carries a coordinate, some inverted."""
    source = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    mask = int(source["mask"], 16)
    found = set()
    for message in range(4096):
        word = golay(message)
        cells = 0
        for coordinate in source["permutation"]:
            cells = cells << 1 | word >> coordinate & 1
        found.add(cells ^ mask)
    return found


def measure(words: Words, design: NDArray[np.int64], known: set[int]) -> Found:
    """Return what these words have."""
    frames = framed(words)
    apart = np.bitwise_count(words[:, None] ^ words[None, :])[~np.eye(len(words), dtype=np.bool_)]
    deletion = deletion_distances(frames)
    same = design[:, None] == design[None, :]
    return Found(
        dark=set(np.bitwise_count(words).tolist()),
        distances=set(apart.tolist()),
        deletion_within=int(deletion[same].min()),
        deletion_across=int(deletion.min()),
        strokes=linked_by(frames),
        hidden_dark=dark_ways(frames),
        cosets=set(words.tolist()) <= known,
    )


def search(seed: int, seconds: float) -> str:
    """Look for two sets of words among those of 12 dark cells of the coset, by a search with two labels.

    Words of one label are 4 apart without one cell each, those of two labels 3, and no two are linked by fewer than 4
    strokes. A word is put in, and what it does not fit is taken out and may not come back for some steps.
    """
    rng = random.Random(seed)
    pool = np.array(sorted(word for word in coset() if word.bit_count() == 12), dtype=np.uint32)
    frames = framed(pool)
    deletion = deletion_distances(frames)
    linked = np.zeros(deletion.shape, dtype=np.bool_)
    for flip in (0, *(1 << cell for cell in range(CELLS))):
        linked |= fewest_strokes(frames, frames ^ np.uint32(flip)) < 4
    linked |= linked.T
    np.fill_diagonal(linked, False)
    apart = np.bitwise_count(pool[:, None] ^ pool[None, :])
    bad = linked | (deletion < 3) | (apart > 16)
    np.fill_diagonal(bad, False)
    worse = bad | (deletion < 4)
    label = np.full(len(pool), -1)
    forbidden = np.zeros((2, len(pool)), dtype=np.int64)
    best = 0
    end = time.monotonic() + seconds
    step = 0
    while time.monotonic() < end and best < 2 * 2 * CARDS:
        step += 1
        mine = [(label == one).astype(np.int64) for one in (0, 1)]
        cost = np.stack([worse @ mine[one] + bad @ mine[1 - one] for one in (0, 1)])
        cost[:, label >= 0] = FAR
        cost[forbidden > step] = FAR
        for one in (0, 1):
            if mine[one].sum() >= 2 * CARDS:
                cost[one] = FAR
        if int(cost.min()) >= FAR:
            continue
        one, number = rng.choice(np.argwhere(cost == cost.min()).tolist())
        out = np.flatnonzero((worse[number] & (label == one)) | (bad[number] & (label == 1 - one)))
        label[number] = one
        for other in out:
            forbidden[label[other], other] = step + rng.randint(5, 20)
            label[other] = -1
        best = max(best, int((label >= 0).sum()))
    return f"a pool of {len(pool)} words; the most that fit together in {step} steps: {best} of {4 * CARDS}"


def main() -> int:
    """Check the words, or look for others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    if options.search:
        print(f"seed {options.seed}: {search(options.seed, options.seconds)}")
        return 0
    words, design = all_words()
    found = measure(words, design, coset())
    print(
        f"{len(words)} words; dark cells {sorted(found.dark)}; distances {sorted(found.distances)}; without a "
        f"cell each {found.deletion_within} within a design, {found.deletion_across} across; strokes {found.strokes}; "
        f"dark damage that hides one or two marks links {found.hidden_dark}"
    )
    wrong = found.objections()
    for text in wrong:
        print(f"does not hold: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
