"""Search, through the decoder that runs, how few objects make a card another one; and how often damage does.

    python tests/bench/card_code_proof.py            print the tables
    python tests/bench/card_code_proof.py --write    and put them into firmware/CARD_CODE.md
    python tests/bench/card_code_proof.py --every 40 only each 40th structure with two hidden marks

An object joins marks that lie side by side (dark), or takes them away (bright); adds a mark before or behind the code;
or is a stroke of any length and colour over data cells side by side. A blot does two of these at once: it joins marks
and makes data cells there dark, or takes marks away and makes cells bright. A structure is what was done to the marks.
For each one the decoder (`shoe.reading.decode`) is asked which cells it takes for which word: all words, each with each
cell wrong, or without each cell. From every other word the fewest strokes that lead to such cells are counted. No rule
is written down here.

The hand moves evenly; or it helps: it makes every cell take the same time, and each hidden mark look hidden.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
for folder in ("firmware", "host_tools", "tests/bench"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

import card_words  # noqa: E402
from card_words import CELLS, FAR, Words, without  # noqa: E402
from shoe.reading import decode  # noqa: E402
from shoe.reading.decode import CellReader  # noqa: E402
from shoe.reading.track import DOWN, MARKS  # noqa: E402
from shoesim.model import HARSH, NOMINAL  # noqa: E402
from shoetool.model import protocol_table  # noqa: E402

SPECIFICATION = ROOT / "firmware" / "CARD_CODE.md"
BEGIN = "<!-- damage: begin, written by tests/bench/card_code_proof.py -->"
END = "<!-- damage: end -->"
KINDS = {kind.value for kind in protocol_table.Pass if kind.name in ("CARD", "COVER_CARD", "TEST_CARD")}
FRONTS = (4, 5, 6)
"""Quarter cells from the first mark of a new poker card to its edge, as CARD_PRINT.md has it."""
QUARTER_US = 500
NAMES = [card << 6 | batch for batch in card_words.BATCHES for card in range(card_words.CARDS)]
NUMBER = {name: number for number, name in enumerate(NAMES)}
EVEN, HELPS = "even", "helps"
DESIGNS = ((1, 2), (3, 4))


@functools.cache
def frames() -> Words:
    """Return the 26 cells of all words; they cannot be written to."""
    found = card_words.framed(card_words.all_words()[0])
    found.flags.writeable = False
    return found


@dataclass(frozen=True, slots=True)
class Structure:
    """Cells whose mark is hidden, whether by joining it; marks that were added; how many objects did all that."""

    way: str
    hidden: tuple[int, ...] = ()
    joined: bool = False
    objects: int = 0
    before: int = 0
    behind: int = 0

    @property
    def count(self) -> int:
        """Marks that go by."""
        return CELLS - len(self.hidden) + self.before + self.behind

    def marks(self) -> list[tuple[int, int]]:
        """Return the dark spans of the clock in quarter cells: from A's edge in to B's edge out."""
        spans = [[4 * cell, 4 * cell + 3] for cell in range(-self.before, CELLS + self.behind)]
        for cell in sorted(self.hidden, reverse=True):
            at = cell + self.before
            if self.joined:
                spans[at - 1][1] = spans[at][1]
            del spans[at]
        return [(low, high) for low, high in spans]

    def times(self, hand: str) -> list[int]:
        """Return the times of the marks as `reading.track` has them."""
        ring = [0] * MARKS
        for number, (low, high) in enumerate(self.marks()):
            if hand == HELPS:
                low, high = 4 * number, 4 * number + 3
            ring[number], ring[DOWN + number] = 1000 + QUARTER_US * low, 1000 + QUARTER_US * high
        return ring

    def fronts(self) -> list[int]:
        """Return where the card's edge may come, from the first mark that goes by."""
        ahead = -self.before
        if not self.before:
            ahead = next(cell for cell in range(CELLS) if cell not in self.hidden)
        return [front - 4 * ahead for front in FRONTS]


def structures() -> Iterator[Structure]:
    """Yield all of up to two hidden marks with as many added as are needed to be read at all."""
    yield Structure("data cells alone")
    for cell in range(CELLS):
        for joined in (False, True)[: 1 + (cell > 0)]:
            yield Structure("a mark hidden", (cell,), joined, 1)
            yield Structure("a mark hidden, one added", (cell,), joined, 2, 1, 0)
            yield Structure("a mark hidden, one added", (cell,), joined, 2, 0, 1)
    for one, two in itertools.combinations(range(CELLS), 2):
        beside = two == one + 1
        for joined in (False, True)[: 1 + (one > 0 and (beside or two > one + 2))]:
            objects = 1 if beside else 2
            for before, behind in ((0, 1), (1, 0)):
                yield Structure("two marks hidden, one added", (one, two), joined, objects + 1, before, behind)
            for before, behind in ((0, 2), (1, 1), (2, 0)):
                yield Structure("two marks hidden, two added", (one, two), joined, objects + 2, before, behind)


@functools.cache
def candidates(count: int, design: int) -> list[int]:
    """Return what may be taken for a word of design 0 or 1: any cell wrong at most, or without each of its cells."""
    words = frames()[card_words.all_words()[1] == design]
    if count == CELLS:
        return [int(word) ^ flip for word in words for flip in (0, *(1 << cell for cell in range(CELLS)))]
    return sorted({int(cells) for cells in card_words.shortened(words).ravel()})


class Decoder:
    """The decoder of the firmware, asked cells by cells; what words.py says of cells is remembered."""

    def __init__(self, design: tuple[int, int]) -> None:
        self.reader = CellReader("poker")
        self.reader.set_batches(design)
        self.design = DESIGNS.index(design)
        self.words = [int(word) for word in frames()[card_words.all_words()[1] == self.design]]

    def taken(self, structure: Structure, hand: str, everything: bool = False) -> tuple[Words, NDArray[np.int64]]:
        """Return all frames that are taken for a word, and the number of each one's word."""
        ring = structure.times(hand)
        kept = self._all_look_hidden(hand)
        found: dict[int, int] = {}
        for front in structure.fronts():
            asked = candidates(structure.count, self.design)
            if structure.count == CELLS:
                # Where no whole word is taken none is with a wrong cell; and what one word may have wrong all may.
                whole = self.words
                if not self._ask(structure, ring, front, whole):
                    continue
                flips = [word ^ 1 << cell for word in whole[:: card_words.CARDS] for cell in range(CELLS)]
                asked = asked if everything or self._ask(structure, ring, front, flips) else whole
            found |= self._ask(structure, ring, front, asked)
        decode.long_space = kept
        return np.array(list(found), dtype=np.uint32), np.array(list(found.values()), dtype=np.int64)

    def _ask(self, structure: Structure, ring: list[int], front: int, asked: list[int]) -> dict[int, int]:
        """Return the number of the word for which each of these frames is taken."""
        count = structure.count
        found = {}
        for frame in asked:
            cells = bytearray(frame >> count - 1 - cell & 1 for cell in range(count)) + bytes(64 - count)
            self.reader.read(ring, cells, 0, count, 0, front)
            if self.reader.kind in KINDS:
                found[frame] = NUMBER[self.reader.card << 6 | self.reader.batch]
        return found

    def _all_look_hidden(self, hand: str) -> Callable[..., int]:
        """A hand that helps makes each space long; return what decides that else."""
        kept = decode.long_space
        if hand == HELPS:
            decode.long_space = lambda *_: 1
        return kept


def strokes_before(sources: Words, targets: Words, order: list[int], free: int = 0) -> list[NDArray[np.int8]]:
    """Return the fewest strokes side by side that make each source each target in the first cells of `order`.

    For none of them, one, and so on to all; a cell is its bit. Cells in `free` show what they must.
    """
    source, target = sources[:, None], targets[None, :]
    count = np.zeros((len(sources), len(targets)), dtype=np.int8)
    colour = np.full(count.shape, -1, dtype=np.int8)
    found = [count]
    for bit in order:
        wanted = (target >> bit & 1).astype(np.int8)
        colour = np.where(colour == wanted, colour, np.int8(-1))
        if not free >> bit & 1:
            begins = ((source >> bit & 1).astype(np.int8) != wanted) & (colour < 0)
            count = count + begins
            colour = np.where(begins, wanted, colour)
        found.append(count)
    return found


def objects_between(structure: Structure, targets: Words) -> NDArray[np.int64]:
    """Return the fewest objects that make each word each of `targets`, with these marks hidden and added.

    Where one object hides the marks it may be a blot, which makes cells there dark (bright) as far as it reaches.
    """
    cells, free = shown(frames(), structure)
    count = structure.count
    bits = list(range(count - 1, -1, -1))
    ahead = strokes_before(cells, targets, bits, free)
    least = ahead[count]
    one = len(structure.hidden) == 1 or (structure.hidden and structure.hidden[1] == structure.hidden[0] + 1)
    if one:
        behind = strokes_before(cells, targets, bits[::-1], free)[::-1]
        place = structure.hidden[0] + structure.before
        dark = targets if structure.joined else ~targets
        for first in range(min(place, count - 1) + 1):
            for end in range(max(place, first + 1), count + 1):
                mask = np.uint32(((1 << end - first) - 1) << count - end)
                fits = dark & mask == mask
                if fits.any():
                    least[:, fits] = np.minimum(least[:, fits], ahead[first][:, fits] + behind[end][:, fits])
    return structure.objects + least.astype(np.int64)


def strokes_over(source: int, target: int) -> int:
    """Return the fewest strokes, which may lie over each other, that make 26 cells those of `target`."""
    least = [0] * (CELLS + 1)
    for first in range(CELLS - 1, -1, -1):
        same = source >> (CELLS - 1 - first) & 1 == target >> (CELLS - 1 - first) & 1
        best = least[first + 1] if same else FAR
        for base in (0, 1):
            blocks, before = 0, base
            for end in range(first, CELLS):
                wanted = target >> (CELLS - 1 - end) & 1
                blocks += wanted != base and before == base
                before = wanted
                best = min(best, 1 + blocks + least[end + 1])
        least[first] = best
    return least[0]


def shown(words: Words, structure: Structure) -> tuple[Words, int]:
    """Return the cells that go by under the marks of a structure, and which of them were added and may be anything."""
    kept = words
    for number, cell in enumerate(sorted(structure.hidden, reverse=True)):
        kept = without(kept, cell, CELLS - number)
    inner = ((1 << CELLS - len(structure.hidden)) - 1) << structure.behind
    return kept << np.uint32(structure.behind), ((1 << structure.count) - 1) & ~inner


@dataclass
class Least:
    """Of one way: the fewest objects, and how many ordered pairs of words they link."""

    objects: int = FAR
    pairs: int = 0

    def note(self, found: NDArray[np.int64]) -> None:
        """Take objects of source and target, FAR for what does not count."""
        least = int(found.min(initial=FAR))
        if least < self.objects:
            self.objects, self.pairs = least, 0
        if least == self.objects < FAR:
            self.pairs += int((found == least).sum())


def search(design: tuple[int, int], hand: str, every: int = 1) -> tuple[dict[str, Least], int]:
    """Return by the way that is taken how few objects make any card another one of a design, and what was asked."""
    decoder = Decoder(design)
    found: dict[str, Least] = {}
    asked = 0
    for number, structure in enumerate(structures()):
        least = found.setdefault(structure.way, Least())
        if number % (every if len(structure.hidden) == 2 else max(1, every // 16)):
            continue
        asked += 1
        targets, named = decoder.taken(structure, hand)
        if not len(targets):
            continue
        pairs = np.full((len(frames()), len(frames())), FAR)
        for at in range(0, len(targets), 1024):
            np.minimum.at(pairs.T, named[at : at + 1024], objects_between(structure, targets[at : at + 1024]).T)
        np.fill_diagonal(pairs, FAR)
        least.note(pairs)
    return found, asked


def overpainted(most: int) -> int:
    """Return how many ordered pairs of words up to `most` strokes over each other link, with all cells right."""
    words = [int(word) for word in frames()]
    return sum(strokes_over(one, other) <= most for one, other in itertools.permutations(words, 2))


def rates(damage: float) -> dict[tuple[int, int], tuple[float, float]]:
    """Return by (marks lost, added) the chance a pass of a wrong card of a design, and of one from another design.

    By the code alone: each mark and each cell is damaged with chance `damage`, any number of cells.
    """
    words = frames()
    design = card_words.all_words()[1]
    chance = damage ** np.arange(CELLS + 1)
    result = {}
    for lost, added in ((0, 0), (1, 0), (1, 1), (2, 1)):
        count = CELLS - lost + added
        if count == CELLS:
            flips = np.array((0, *(1 << cell for cell in range(CELLS))), dtype=np.uint32)
            targets, whose = (words[:, None] ^ flips).ravel(), np.repeat(np.arange(len(words)), len(flips))
        else:
            each = [np.unique(row) for row in card_words.shortened(words)]
            targets, whose = np.concatenate(each), np.repeat(np.arange(len(words)), [len(row) for row in each])
        own = other = 0.0
        for hidden in itertools.combinations(range(CELLS), lost):
            for behind in range(added + 1):
                cells, free = shown(words, Structure("", hidden, False, 0, added - behind, behind))
                mask = np.uint32(((1 << count) - 1) & ~free)
                for number, word in enumerate(cells):
                    weight = chance[np.bitwise_count((word ^ targets) & mask)] * (whose != number)
                    same = design[whose] == design[number]
                    own += float(weight[same].sum())
                    other += float(weight[~same].sum())
        scale = damage ** (lost + added) / len(words)
        result[lost, added] = (own * scale, other * scale)
    return result


def searched(task: tuple[tuple[int, int], str, int]) -> tuple[dict[str, Least], int]:
    """Return `search`, in a process of its own."""
    remember()
    return search(*task)


def tables(every: int = 1, jobs: int = 1) -> str:
    """Return the Markdown tables."""
    lines = [
        "| marks lost, added | harsh | from the other design | nominal | from the other design |",
        "|---|---|---|---|---|",
    ]
    harsh, nominal = rates(HARSH.lost), rates(NOMINAL.lost)
    for lost, added in harsh:
        figures = [f"{figure:.1e}" for table in (harsh, nominal) for figure in table[lost, added]]
        lines.append(f"| {lost}, {added} | " + " | ".join(figures) + " |")
    lines += [
        "",
        "| way | even hand, design 1 | design 2 | hand that helps, design 1 | design 2 |",
        "|---|---|---|---|---|",
    ]
    tasks = [(design, hand, every) for hand in (EVEN, HELPS) for design in DESIGNS]
    with multiprocessing.Pool(jobs) as pool:
        found = pool.map(searched, tasks, 1)
    for way in found[0][0]:
        told = [ways[way] for ways, _ in found]
        lines.append(
            f"| {way} | "
            + " | ".join(f"{one.objects} ({one.pairs})" if one.objects < FAR else "none" for one in told)
            + " |"
        )
    asked = sum(count for _, count in found)
    lines += [
        "",
        f"In brackets: ordered pairs of words. {asked:,} structures were asked, each with all cells near a word.",
        f"Strokes over each other, all cells right: three link {overpainted(3)} ordered pairs, two {overpainted(2)}.",
    ]
    return "\n".join(lines)


def specification(text: str, new: str) -> str:
    """Return the specification with its tables written anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{new}\n\n{END}{after}"


def remember() -> None:
    """Let the decoder ask each frame's word once: the answer depends on nothing else."""
    decode.named = functools.cache(decode.named)
    asked: dict[tuple[bytes, int], tuple[int, int]] = {}
    shortened = decode.shortened

    def once(in_play: bytearray, cells: int) -> int:
        key = bytes(in_play), cells
        if key not in asked:
            name = shortened(in_play, cells)
            asked[key] = name, decode.PLACES[0]
        name, decode.PLACES[0] = asked[key]
        return name

    decode.shortened = once


def main() -> int:
    """Print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    new = tables(options.every, options.jobs)
    print(new)
    if options.write:
        SPECIFICATION.write_text(specification(SPECIFICATION.read_text(encoding="utf-8"), new), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
