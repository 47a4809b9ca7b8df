"""From the raw edges of a pass to places along the printed code: marks, cells, speed and margins, for a drawing.

The lines of a head are those of firmware/CARD_CODE.md. What the pass was, the shoe has said; nothing here decides that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from shoetool.model.card_code import CELL_MM, QUARTER_MM
from shoetool.wire.answers import TracePass

PRESENT: Final = 1
DATA: Final = 8

_PHASES: Final = (0, 1, 3, 2)  # place within a cell by clock pair, B << 1 | A
_IN_A_CELL: Final = 4  # steps of the clock pair
_SAMPLED_MM: Final = QUARTER_MM / 2  # a bit is taken within this distance of a cell's centre
_EVEN: Final = 3  # the card moves evenly while the longest of four steps takes no more than this times the shortest


class Step(NamedTuple):
    """A change of the clock lines: µs from the first edge, mm along the code, and the place that was reached.

    Places are quarter cells; 4 k + 1 is where CLOCK_A has come to mark k. A step back crosses the same mm as the one
    forward did.
    """

    time_us: int
    mm: float
    place: int


class Cell(NamedTuple):
    """One cell: its number from 0, when its bit was taken, whether it was dark, and whether DATA moved meanwhile."""

    number: int
    time_us: int
    dark: bool
    moved: bool


class At(NamedTuple):
    """A value at a place along the code: mm, and m/s or mm."""

    mm: float
    value: float


@dataclass(frozen=True, slots=True)
class Track:
    """What the clock lines say about a pass. Lengths are mm from where the code begins, times µs from the first edge.

    `marks`: those that went by for good, forwards. `cells`: theirs, in order. `speeds`: m/s over each cell's length,
    below 0 backwards. `data`: for each change of DATA its distance, in mm, from the next place where a bit is taken;
    0.75 as printed, below 0 the bit is in doubt. `clocks`: how far the card moved in each step of the clock pair; 0.5
    as printed, and at 0 both lines change at once. `skips`: how often they did. `present_mm`: where the card's edge
    came under PRESENT, None when it did not, or when there is no mark to measure from.
    """

    times_us: tuple[int, ...]
    steps: tuple[Step, ...]
    marks: int
    cells: tuple[Cell, ...]
    speeds: tuple[At, ...]
    data: tuple[At, ...]
    clocks: tuple[At, ...]
    skips: int
    present_mm: float | None


def track(one: TracePass) -> Track:
    """Return the track of a pass. The lines count as bright before the first edge."""
    times: list[int] = []
    steps: list[Step] = []
    taken: dict[int, Cell] = {}
    moved: list[tuple[int, int]] = []  # time, and which of PRESENT and DATA changed
    place = before = skips = now = 0
    ahead = True
    for index, (waited, lines) in enumerate(one.edges):
        now += waited if index else 0
        times.append(now)
        changed = before ^ lines
        if changed & (PRESENT | DATA):
            moved.append((now, changed))
        step = _PHASES[lines >> 1 & 3] - _PHASES[before >> 1 & 3] & 3
        if step:
            skips += step == 2
            ahead = step == 1 or (step == 2 and ahead)
            for _ in range(2 if step == 2 else 1):
                place += 1 if ahead else -1
                border = place if ahead else place + 1
                steps.append(Step(now, QUARTER_MM * border - QUARTER_MM / 2, place))
                if ahead:
                    _take(taken, place, now, lines, step == 2)
        before = lines
    first = min((0, *(step.place for step in steps))) + _IN_A_CELL - 1 >> 2
    marks = max(0, (place >> 2) - first)
    steps = [Step(at, mm - CELL_MM * first, where - _IN_A_CELL * first) for at, mm, where in steps]
    at_mm = _Places(steps)
    came = next((at for at, which in moved if which & PRESENT), None)
    return Track(
        tuple(times),
        tuple(steps),
        marks,
        tuple(taken[first + k]._replace(number=k) for k in range(marks) if first + k in taken),
        tuple(_speeds(steps)),
        tuple(_data_margins([at for at, which in moved if which & DATA], at_mm)),
        tuple(_clock_margins(steps)),
        skips,
        at_mm.at(came) if came is not None and marks else None,
    )


def _take(taken: dict[int, Cell], place: int, now: int, lines: int, skipped: bool) -> None:
    """Take the bit of a cell where its centre begins, and see whether it is the same where that ends."""
    number, phase = place >> 2, place & 3
    dark = bool(lines & DATA)
    if phase == 2:
        taken[number] = Cell(number, now, dark, False)
    elif phase == 3 and not skipped and number in taken and taken[number].dark != dark:
        taken[number] = taken[number]._replace(moved=True)


class _Places:
    """Where the card was at a time, between the steps of the clock lines and beyond them."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._times = [step.time_us for step in steps]
        self._steps = steps

    def at(self, time_us: int) -> float | None:
        """Return mm along the code, None without two steps. Beyond the marks the card keeps the speed of a cell."""
        steps = self._steps
        if len(steps) < 2:
            return None
        index = bisect_left(self._times, time_us)
        if 0 < index < len(steps):
            early, late = steps[index - 1], steps[index]
        elif index == 0:
            early, late = steps[0], steps[min(_IN_A_CELL, len(steps) - 1)]
        else:
            early, late = steps[max(0, len(steps) - 1 - _IN_A_CELL)], steps[-1]
        took = late.time_us - early.time_us
        if not took:
            return late.mm
        return early.mm + (late.mm - early.mm) * (time_us - early.time_us) / took


def _speeds(steps: Sequence[Step]) -> list[At]:
    """Return the speed over each length of four steps, which is one cell wherever it begins."""
    out = []
    for early, late in zip(steps, steps[_IN_A_CELL:], strict=False):
        if late.time_us > early.time_us:
            speed = (late.mm - early.mm) * 1000 / (late.time_us - early.time_us)
            out.append(At((early.mm + late.mm) / 2, speed))
    return out


def _data_margins(times: Sequence[int], places: _Places) -> list[At]:
    found = (places.at(time_us) for time_us in times)
    return [At(mm, abs(mm % CELL_MM - CELL_MM / 2) - _SAMPLED_MM) for mm in found if mm is not None]


def _clock_margins(steps: Sequence[Step]) -> list[At]:
    """Return how far the card moved in each step, by the time it took beside the two steps before and after it.

    Not where the card turned round or stopped: there the time says nothing about the way.
    """
    out = []
    for index in range(2, len(steps) - 3):
        row = steps[index - 2 : index + 4]
        widths = [late.time_us - early.time_us for early, late in pairwise(row)]
        beside = widths[:2] + widths[3:]
        turned = abs(row[-1].place - row[0].place) < len(widths)
        if not turned and 0 < max(beside) <= _EVEN * min(beside):
            out.append(At((row[2].mm + row[3].mm) / 2, QUARTER_MM * widths[2] / median(beside)))
    return out
