"""Show by exhaustion how far every card is from every other one, and how often damage makes a wrong card.

    python tests/bench/card_code_proof.py            print the tables
    python tests/bench/card_code_proof.py --write    and put them into firmware/CARD_CODE.md, and what is refused into
                                                     firmware/shoe/reading/refused_frames.py
    python tests/bench/card_code_proof.py --check    exit code 1 when these have other ones
    python tests/bench/card_code_proof.py --choice   how many of the values for batches fit together, and which

A damage is a clock mark that is lost, joined with its neighbour or added, or a wrong data cell. Nothing here knows of
times, and nothing is drawn at random: all words of all batches, all places. The rule that decides what is accepted is
written down here once more, from CARD_CODE.md; tests/contract/test_card_code_damage.py compares the firmware with it.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "host_tools") not in sys.path:
    sys.path.insert(0, str(ROOT / "host_tools"))

from shoesim.model import HARSH, NOMINAL  # noqa: E402
from shoetool.model import card_code  # noqa: E402

Words = NDArray[np.uint32]
Explained = Callable[[tuple[int, int]], tuple[Words, NDArray[np.int64], NDArray[np.bool_], Words]]
SPECIFICATION = ROOT / "firmware" / "CARD_CODE.md"
REFUSED = ROOT / "firmware" / "shoe" / "reading" / "refused_frames.py"
BEGIN = "<!-- damage: begin, written by tests/bench/card_code_proof.py -->"
END = "<!-- damage: end -->"
CARDS = card_code.LAST_CARD + 1
PLAYED = 52
CELLS = card_code.CELLS
DESIGNS = [(batch, batch + 1) for batch in range(card_code.FIRST_BATCH, card_code.LAST_BATCH, 2)]
FAR = 99
BATCHES = tuple(range(card_code.FIRST_BATCH, card_code.LAST_BATCH + 1))
SPOTS = 6
"""So many spots of ink it takes at least to make a card another one."""


def frames(batch: int, cards: int = CARDS) -> Words:
    """Return the 26 cells of each card of a batch as numbers, the start cell in bit 25. They cannot be written to."""
    return _encoded(card_code.BATCH_CODES, batch, cards)


@cache
def _encoded(codes: tuple[int, ...], batch: int, cards: int) -> Words:
    """The same, once for each assignment of codes to batches."""
    words = np.array([1 << 25 | card_code.encode(card, batch) << 1 for card in range(cards)], dtype=np.uint32)
    words.flags.writeable = False
    return words


def without(words: Words, cell: int, cells: int = CELLS) -> Words:
    """Return words of `cells` cells without number `cell`."""
    low = cells - 1 - cell
    return (words >> (low + 1) << low) | (words & ((1 << low) - 1))


def hidden(words: Words) -> Words:
    """Return what is left when one mark is hidden: shape (words, 26 places), 25 cells each."""
    return np.stack([without(words, cell) for cell in range(CELLS)], axis=1)


def inner(words: Words, added: int, ahead: int, cells: int = CELLS) -> Words:
    """Return words of `cells` cells without the first `ahead` and the last ones, `added` in all."""
    return words >> (added - ahead) & ((1 << (cells - added)) - 1)


def cut(words: Words, *cells: int) -> Words:
    """Return words without these cells."""
    for number, cell in enumerate(sorted(cells, reverse=True)):
        words = without(words, cell, CELLS - number)
    return words


def distances(some: Words, others: Words) -> NDArray[np.uint8]:
    """Return in how many cells each of `some` differs from each of `others`."""
    return np.bitwise_count(some[:, None] ^ others[None, :])


def closest(first: int, second: int) -> int:
    """Return the fewest wrong cells that, with one mark lost and one added, make a card of one batch one of the other.

    Wherever the two marks are.
    """
    a, b = hidden(frames(first)), hidden(frames(second))
    least = FAR
    for card in range(CARDS):
        found = distances(a[card], b.ravel()).min(axis=0).reshape(CARDS, CELLS).min(axis=1).astype(np.int64)
        if first == second:
            found[card] = FAR
        least = min(least, int(found.min()))
    return least


@dataclass
class Rates:
    """Of one design: chance a pass of a wrong card, by the code alone; and the share of frames that stay ambiguous.

    lost: with marks lost and cells wrong alone. added: with a mark added too.
    """

    lost: float = 0.0
    added: float = 0.0
    ambiguous: float = 0.0


@functools.cache
def explained_25(design: tuple[int, int]) -> tuple[Words, NDArray[np.int64], NDArray[np.bool_], Words]:
    """Return all frames of 25 cells that some word explains with one mark hidden and one wrong cell at most.

    With it the number of the word that is nearest, whether it is the only one, and the cells of each word and place: no
    other word may explain the frame with so many damages and one more, CARD_CODE.md.
    """
    words = np.concatenate([frames(batch) for batch in design])
    shown = hidden(words)
    flips = np.concatenate(([0], 1 << np.arange(CELLS - 1, dtype=np.uint32))).astype(np.uint32)
    found = np.unique((shown.ravel()[:, None] ^ flips[None, :]).ravel())
    best = np.empty(len(found), dtype=np.int64)
    good = np.empty(len(found), dtype=np.bool_)
    for start in range(0, len(found), 4096):
        part = found[start : start + 4096]
        wrong = distances(part, shown.ravel()).reshape(len(part), len(words), CELLS).min(axis=2)
        order = np.argsort(wrong, axis=1, kind="stable")
        rows = np.arange(len(part))
        first, second = wrong[rows, order[:, 0]], wrong[rows, order[:, 1]]
        best[start : start + 4096] = order[:, 0]
        good[start : start + 4096] = (first <= 1) & (second >= first + 2)
    return found, best, good, shown


@functools.cache
def accepted_25(design: tuple[int, int]) -> tuple[Words, NDArray[np.int64], NDArray[np.bool_], Words]:
    """Return `explained_25` with what is accepted in the end: not what `refused_25` has."""
    found, best, good, shown = explained_25(design)
    return found, best, good & ~np.isin(found, refused_25(design)), shown


@functools.cache
def refused_25(design: tuple[int, int]) -> Words:
    """Return the frames of 25 cells that are explained and that a card of another word shows too, by the code alone.

    One of another design with a mark hidden and one wrong cell at most; one with a stain of any size (`stained`); one
    with two marks lost and one added in front of the code or behind it.
    """
    found, best, good, _ = explained_25(design)
    frames_25 = found[good]
    sources, _ = every_word()
    named = ours(design)[best[good]]
    numbers = np.arange(len(sources))
    foreign = numbers[~np.isin(numbers, ours(design))]
    wrong: set[int] = set()

    def note(shown: Words, whose: NDArray[np.int64]) -> None:
        at = np.minimum(np.searchsorted(frames_25, shown), len(frames_25) - 1)
        wrong.update(shown[(frames_25[at] == shown) & (named[at] != whose)].tolist())

    for cell in range(CELLS):
        once = without(sources, cell)
        for flip in (0, *(1 << other for other in range(CELLS - 1))):
            note(once[foreign] ^ np.uint32(flip), foreign)
        for other in range(cell, CELLS - 1):
            twice = without(once, other, CELLS - 1)
            for shown in (twice << 1, twice << 1 | 1, twice, twice | 1 << CELLS - 2):
                note(shown, numbers)
    for size in range(1, CELLS + 1):
        for shown in stained(sources, size):
            note(shown, numbers)
    return np.array(sorted(wrong), dtype=np.uint32)


@functools.cache
def refused_26(design: tuple[int, int]) -> tuple[Words, Words]:
    """Return what less than SPOTS spots of ink make of another card, of any batch, in ways that `reading.decode` does
    not search for: frames of 26 cells of which one is wrong; and whole words, as the hidden place << 24 | code.

    They show in an even pull: a place looks as if marks were hidden there. A mark at an end and an inner one hidden,
    two added; three or four marks hidden by one spot, or three by two, as many added.
    """
    sources, _ = every_word()
    words = sources[ours(design)]
    near = words[:, None] ^ (1 << np.arange(1, CELLS - 1)).astype(np.uint32)
    named = ours(design)
    frames_26: set[int] = set()
    places: set[int] = set()

    def nearest(some: Words, whose: NDArray[np.int64], added: int, ahead: int, left: Words) -> NDArray[np.int64]:
        """Return the fewest cells in which each of `some` differs from what is left of any other word."""
        far = distances(inner(some, added, ahead), left)
        far[np.arange(len(some)), whose] = FAR
        return far.min(axis=1).astype(np.int64)

    def note(cells: tuple[int, ...], spots: int, hidden_from: int) -> None:
        added = len(cells)
        left = cut(sources, *cells)
        for ahead in range(added + 1):
            place = hidden_from - sum(cell < hidden_from for cell in cells) + ahead
            least = nearest(words, named, added, ahead, left) + spots + added
            places.update(place << 24 | frame >> 1 & 0xFFFFFF for frame in words[least < SPOTS].tolist())
            close = least - 1 < SPOTS  # a wrong cell makes a word nearer by one at most
            some = near[close].ravel()
            if len(some):
                least = nearest(some, np.repeat(named[close], CELLS - 2), added, ahead, left) + spots + added
                frames_26.update(some[least < SPOTS].tolist())

    for i in range(1, CELLS - 1):
        note((0, i), 2, i)
        note((i, CELLS - 1), 2, i)
        for several in (3, 4):
            if i + several < CELLS:
                note(tuple(range(i, i + several)), 1, i)
        for j in range(1, CELLS - 1):
            if i + 1 < CELLS - 1 and j not in (i, i + 1):
                note((i, i + 1, j), 2, i)
    return np.array(sorted(frames_26), dtype=np.uint32), np.array(sorted(places), dtype=np.uint32)


def every_word() -> tuple[Words, dict[int, int]]:
    """Return the words of all batches, and the number of the first of each batch."""
    return np.concatenate([frames(batch) for batch in BATCHES]), {b: n * CARDS for n, b in enumerate(BATCHES)}


def ours(design: tuple[int, int]) -> NDArray[np.int64]:
    """Return the numbers of a design's words among those of all batches."""
    _, first = every_word()
    return np.concatenate([np.arange(first[batch], first[batch] + CARDS) for batch in design])


def stained(words: Words, size: int) -> list[Words]:
    """Return what words show with one stain over `size` data cells in a row, which hides one clock mark.

    A stain is all dark or all bright, and its mark is one of its cells or one beside them.
    """
    shown = []
    for first, dark in itertools.product(range(CELLS - size + 1), (True, False)):
        mask = np.uint32((1 << size) - 1 << CELLS - first - size)
        cells = words | mask if dark else words & ~mask
        shown += [without(cells, mark) for mark in range(max(first - 1, 0), min(first + size, CELLS - 1) + 1)]
    return shown


def refused_module() -> str:
    """Return the firmware's list of what is refused."""
    whole = [refused_26(design) for design in DESIGNS]
    refused = {int(one) for some in (*map(refused_25, DESIGNS), *(first for first, _ in whole)) for one in some}
    forged = {int(one) for _, second in whole for one in second}
    return (
        '"""Cells that a pass may show of more than one card: tests/bench/card_code_proof.py --write finds them, by '
        "exhaustion.\n\nREFUSED has frames of 25 cells, and those of 26 with a wrong one; FORGED whole codes with the "
        'place of a hidden mark:\nplace << 24 | code. CARD_CODE.md has the rules.\n"""\n\nfrom array import array\n\n'
        "# fmt: off\n"
        f'REFUSED = array("i", (\n{listed(refused)}\n))\nFORGED = array("i", (\n{listed(forged)}\n))\n'
    )


def listed(numbers: set[int]) -> str:
    """Return numbers in lines of 120 characters at most."""
    lines, line = [], "   "
    for number in sorted(numbers):
        if len(line) + len(f" {number},") > 120:
            lines.append(line)
            line = "   "
        line += f" {number},"
    return "\n".join([*lines, line])


@functools.cache
def rates(design: tuple[int, int], damage: float) -> Rates:
    """Return the rates of a design where each mark and each cell is damaged with chance `damage`.

    Each mark may be lost and each cell be wrong; one more mark may be added in front of the code or behind it, which is
    where there is room for one. All numbers of wrong cells are counted.
    """
    result = Rates()
    found, best, good, shown = accepted_25(design)
    words = np.concatenate([frames(batch) for batch in design])
    count = len(words)
    chance = damage ** np.arange(CELLS + 1)
    frames_25 = found[good]
    named = best[good]
    for start in range(0, len(frames_25), 2048):
        part, own = frames_25[start : start + 2048], named[start : start + 2048]
        weight = chance[distances(part, shown.ravel())].reshape(len(part), count, CELLS).sum(axis=2)
        weight[np.arange(len(part)), own] = 0.0
        result.lost += damage * float(weight.sum()) / count
    # Two marks hidden and one added at either end.
    twice = np.stack([without(shown[:, i], j, 25) for i in range(CELLS) for j in range(i, 25)], axis=1)
    places = twice.shape[1]
    ends = np.stack((frames_25 >> 1, frames_25 & 0xFFFFFF))
    for end in ends:
        result.added += damage**3 * coincidences(end, named, twice.reshape(-1), places) / count
    # All 26 cells: a card or one wrong cell, from a mark hidden and one added, and from wrong cells alone.
    flips = np.concatenate(([0], 1 << np.arange(CELLS, dtype=np.uint32))).astype(np.uint32)
    for own, word in enumerate(words):
        near = word ^ flips
        for end in (near >> 1, near & 0x1FFFFFF):
            weight = chance[distances(end, shown.ravel())].reshape(len(near), count, CELLS).sum(axis=2)
            weight[:, own] = 0.0
            result.added += damage**2 * float(weight.sum()) / count
        weight = chance[distances(near, words)]
        weight[:, own] = 0.0
        result.lost += float(weight.sum()) / count
    one_wrong = (shown.ravel()[:, None] ^ flips[None, 1:26]).ravel()
    result.ambiguous = 1 - float(np.isin(one_wrong, frames_25).mean())
    return result


@functools.cache
def stains(design: tuple[int, int], accepted: Explained = accepted_25) -> list[tuple[int, int]]:
    """Return, for one stain (`stained`) over 1 to 26 data cells in a row, (wrong cards, stains), by the code alone.

    A stain is one object, and more than two damages. All cards of all batches, all places. Times are not asked: a stop
    may look like the place that the wrong card needs.
    """
    found, best, good, _ = accepted(design)
    sources, _ = every_word()
    named = ours(design)[best]
    numbers = np.arange(len(sources))
    rows = []
    for size in range(1, CELLS + 1):
        wrong = count = 0
        for cells in stained(sources, size):
            at = np.minimum(np.searchsorted(found, cells), len(found) - 1)
            wrong += np.count_nonzero((found[at] == cells) & good[at] & (named[at] != numbers))
            count += len(sources)
        rows.append((wrong, count))
    return rows


def coincidences(cells: Words, named: NDArray[np.int64], shown: Words, places: int) -> int:
    """Return how many of `shown` (word by word, so many places each) are equal to one of `cells` of another word."""
    order = np.argsort(shown, kind="stable")
    low = np.searchsorted(shown[order], cells, "left")
    high = np.searchsorted(shown[order], cells, "right")
    count = high - low
    equal = np.arange(count.sum()) + np.repeat(low - np.cumsum(count) + count, count)  # those of each cell in turn
    return int(np.count_nonzero(order[equal] // places != np.repeat(named, count)))


@functools.cache
def changes_by_ink(design: tuple[int, int]) -> dict[str, int]:
    """Return, by the way that is taken, the least number of spots of ink that makes any card another one of a design.

    The hand moves evenly: a hidden mark shows as a longer mark or space, however slow the hand is. A spot hides marks
    that lie side by side; adds a mark before or behind the code; or turns one data cell. What the reader refuses is not
    counted: 25 marks with several hidden at one place among it.
    """
    words = np.concatenate([frames(batch, PLAYED) for batch in design])
    sources = np.concatenate([words, *(frames(batch, PLAYED) for pair in DESIGNS if pair != design for batch in pair)])
    other = ~np.eye(len(sources), len(words), dtype=np.bool_)
    least = {
        "data cells alone, one of them put right": int(distances(sources, words)[other].min()) - 1,
        "a mark hidden, its place known": FAR,
        "a mark hidden, one added": FAR,
        "two marks hidden by one spot, two added": FAR,
        "two marks hidden by two spots, two added": FAR,
        "two marks hidden by two spots, one added": FAR,
        "three or four marks hidden by one spot, as many added": FAR,
        "three marks hidden by two spots, three added": FAR,
        "a mark at one end and an inner one hidden, one added": FAR,
        "a mark at one end and an inner one hidden, two added": FAR,
        "the mark at one end hidden, one added at the other": FAR,
        "that, from the card of another design": FAR,
    }

    def note(way: str, spots: int) -> None:
        least[way] = min(least[way], spots)

    for i in range(1, CELLS - 1):
        one = without(sources, i)
        note("a mark hidden, its place known", 1 + int(distances(one, without(words, i))[other].min()) - 1)
        for ahead in range(2):
            wrong = distances(one, inner(words, 1, ahead))[other]
            # Refused: three wrong cells or fewer. One cell more may be wrong and is put right.
            note("a mark hidden, one added", 2 + int(wrong[wrong > 3 + 1].min(initial=FAR)) - 1)
            note("a mark hidden, one added", 2 + int(wrong[wrong > 3].min(initial=FAR)))
        for j in range(i, CELLS - 2):
            two = without(one, j, 25)
            for ahead in range(3):
                wrong = distances(two, inner(words, 2, ahead))[other]
                if i == j:
                    note("two marks hidden by one spot, two added", 3 + int(wrong[wrong > 2].min(initial=FAR)))
                else:
                    note("two marks hidden by two spots, two added", 4 + int(wrong[wrong > 1].min(initial=FAR)))
            for place, ahead in itertools.product((i, j + 1) if i != j else (), range(2)):
                # The accepted word has its hidden mark at one of the two places, as the marks are counted.
                wrong = distances(two, inner(without(words, place + ahead), 1, ahead, 25))[other]
                note("two marks hidden by two spots, one added", 3 + int(wrong[wrong > 2].min(initial=FAR)))
    one_wrong, whole = refused_26(design)
    near = words ^ np.concatenate(([0], 1 << np.arange(1, CELLS - 1))).astype(np.uint32)[:, None]
    may_be = ~np.isin(near, one_wrong)

    def show(way: str, spots: int, hidden_from: int, *cells: int) -> None:
        """26 marks; the card is read with all its cells, or with one wrong, which the forger need not turn."""
        some = cut(sources, *cells)
        for ahead in range(len(cells) + 1):
            base = distances(some, inner(words, len(cells), ahead))
            if spots + len(cells) + int(base[other].min()) - 1 >= least[way]:
                continue  # a wrong cell makes it nearer by one at most, so nothing here is less
            place = hidden_from - sum(cell < hidden_from for cell in cells) + ahead
            may_be[0] = ~np.isin(place << 24 | words >> 1 & 0xFFFFFF, whole)
            for row, allowed in zip(near, may_be, strict=True):
                wrong = np.where(other & allowed, distances(some, inner(row, len(cells), ahead)), FAR)
                note(way, spots + len(cells) + int(wrong.min()))

    for i in range(1, CELLS - 1):
        for several in (3, 4):
            if i + several < CELLS:
                show("three or four marks hidden by one spot, as many added", 1, i, *range(i, i + several))
        for j in range(1, CELLS - 1):
            if i + 1 < CELLS - 1 and j not in (i, i + 1):
                show("three marks hidden by two spots, three added", 2, i, i, i + 1, j)
        for end, ahead, place in ((0, 0, i - 1), (CELLS - 1, 1, i + 1)):
            show("a mark at one end and an inner one hidden, two added", 2, i, end, i)
            if 0 < place < CELLS - 1:
                wrong = distances(cut(sources, end, i), inner(without(words, place), 1, ahead, 25))[other]
                note("a mark at one end and an inner one hidden, one added", 3 + int(wrong.min()) - 1)
    # Nothing looks odd then, so one cell more may be wrong and is put right.
    for gone, ahead in ((0, 0), (CELLS - 1, 1)):
        wrong = np.where(other, distances(without(sources, gone), inner(words, 1, ahead)), FAR)
        note("the mark at one end hidden, one added at the other", 2 + int(wrong[: len(words)].min()) - 1)
        note("that, from the card of another design", 2 + int(wrong[len(words) :].min()) - 1)
    # A shift of two marks is refused: the card's edge comes 4 mm too early or too late.
    return least


def tables() -> str:
    """Return the Markdown tables."""
    lines = [
        "| design | batches | code bits | fewest wrong cells beside a lost and an added mark | unreadable of those "
        "with one lost and one wrong | wrong card a pass, harsh | and added marks | nominal | and added marks |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for number, design in enumerate(DESIGNS, 1):
        near = min(closest(a, b) for a, b in itertools.combinations_with_replacement(design, 2))
        harsh, nominal = rates(design, HARSH.lost), rates(design, NOMINAL.lost)
        bits = ", ".join(str(card_code.BATCH_CODES[batch - 1]) for batch in design)
        lines.append(
            f"| {number} | {design[0]}, {design[1]} | {bits} | {near} | {100 * harsh.ambiguous:.1f} % | "
            f"{harsh.lost:.1e} | {harsh.lost + harsh.added:.1e} | "
            f"{nominal.lost:.1e} | {nominal.lost + nominal.added:.1e} |"
        )
    pairs = list(itertools.combinations_with_replacement(range(1, card_code.LAST_BATCH + 1), 2))
    fewest = min(closest(*pair) for pair in pairs)
    lines += ["", f"Over all {len(pairs)} pairs of batches, foreign ones too, the fewest wrong cells are {fewest}."]
    ways = [changes_by_ink(design) for design in DESIGNS]
    lines += ["", "| spots of ink | " + " | ".join(f"design {n}" for n in range(1, len(DESIGNS) + 1)) + " |"]
    lines.append("|---" * (len(DESIGNS) + 1) + "|")
    for way in ways[0]:
        lines.append(f"| {way} | " + " | ".join(str(least[way]) for least in ways) + " |")
    lines += ["", "| stains of 1 to 26 cells | wrong cards without the list | wrong cards |", "|---|---|---|"]
    for number, design in enumerate(DESIGNS, 1):
        before, after = stains(design, explained_25), stains(design)
        told = [sum(wrong for wrong, _ in rows) for rows in (before, after)]
        lines.append(f"| design {number}: {sum(count for _, count in after):,} | {told[0]:,} | {told[1]} |")
    counts = [len(refused_25(design)) for design in DESIGNS]
    counts += [len(some) for design in DESIGNS for some in refused_26(design)]
    told = (
        f"The list has {counts[0]} and {counts[1]} frames of 25 cells, {counts[2]} and {counts[4]} of 26 cells with a "
        f"wrong one, and {counts[3]} and {counts[5]} whole codes with the place of a hidden mark."
    )
    lines += ["", told]
    return "\n".join(lines)


def choice() -> str:
    """Return how many of the 62 values fit together. In this process each value is a batch from now on."""
    card_code.BATCH_CODES, card_code.LAST_BATCH = tuple(range(1, 63)), 62
    alone = [value for value in range(1, 63) if closest(value, value) >= 2]
    apart = {pair: closest(*pair) >= 2 for pair in itertools.combinations(alone, 2)}

    def shifted(a: int, b: int) -> int:
        """The fewest wrong cells that, with a shift of one cell either way, make a card of `a` another one, of `b`."""
        some, others = frames(a, PLAYED), frames(b, PLAYED)
        other = np.full((PLAYED, PLAYED), a != b) | ~np.eye(PLAYED, dtype=np.bool_)
        ways = (distances(some & (1 << 25) - 1, others >> 1), distances(some >> 1, others & (1 << 25) - 1))
        return min(int(wrong[other].min()) for wrong in ways)

    far = {(a, b): min(shifted(a, b), shifted(b, a)) >= 5 for a, b in itertools.combinations_with_replacement(alone, 2)}
    safe = [value for value in alone if far[value, value]]
    fit = largest(alone, lambda a, b: apart[a, b])
    both = largest(safe, lambda a, b: apart[a, b] and far[a, b])
    return (
        f"{len(alone)} of 62 values stay apart within their batch; at most {len(fit)} of them pairwise; with no card\n"
        f"that a shift of one cell and fewer than five wrong ones make another one, at most {len(both)}: {both}"
    )


def largest(values: list[int], fits: Callable[[int, int], bool]) -> list[int]:
    """Return the largest set of `values` that fit together pairwise, by trying all."""
    best: list[int] = []

    def go(chosen: list[int], rest: list[int]) -> None:
        nonlocal best
        if len(chosen) > len(best):
            best = chosen
        for at, value in enumerate(rest):
            if len(chosen) + len(rest) - at > len(best):
                go([*chosen, value], [other for other in rest[at + 1 :] if fits(value, other)])

    go([], values)
    return best


def specification(text: str) -> str:
    """Return the specification with its tables written anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"


def main() -> int:
    """Print, write or check the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--choice", action="store_true")
    options = parser.parse_args()
    if options.choice:
        print(choice())
        return 0
    if not (options.write or options.check):
        print(tables())
        return 0
    text = SPECIFICATION.read_text(encoding="utf-8")
    new = specification(text)
    if options.check and (new != text or refused_module() != REFUSED.read_text(encoding="utf-8")):
        print("firmware/ has other tables or refuses other frames: run python tests/bench/card_code_proof.py --write")
        return 1
    if options.write:
        SPECIFICATION.write_text(new, encoding="utf-8")
        REFUSED.write_text(refused_module(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
