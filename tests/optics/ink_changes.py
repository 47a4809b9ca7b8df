"""Single changes of the ink on a printed strip, by wear, by dirt or by a forger: each takes a card and returns another.

Marks are counted as they were printed, from the leading edge on; cells are 0..25.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from shoesim.paint import Floats, Sheet, Slice, darken, lighten
from shoetool.model import card_code

_CLOCK = 1  # of the bands that print_card makes
_DATA = 0
_OVER_MM = 0.05  # a change reaches so far beyond what it is to cover


class Places:
    """Where the marks and cells of a card are, before anything is changed."""

    def __init__(self, sheet: Sheet) -> None:
        clock, data = sheet.bands[_CLOCK], sheet.bands[_DATA]
        self.clock = (clock.low, clock.high)
        self.data = (data.low, data.high)
        self.marks: Floats = clock.steps.reshape(-1, 2).copy()
        self.pitch = float(np.median(np.diff(self.marks[:, 0])))
        # The first mark may be lost: which one is there is seen by where the strip should begin.
        first = float(self.marks[0].mean())
        number = round((first - (sheet.length - card_code.CODE_MM) / 2) / card_code.CELL_MM - 0.5)
        self.start = first - (number + 0.5) * self.pitch

    def __len__(self) -> int:
        return len(self.marks)


def lose(sheet: Sheet, at: Places, mark: int) -> Sheet:
    """A clock mark is gone: scraped off, or never printed."""
    low, high = at.marks[mark].tolist()
    return lighten(sheet, rectangle(low - _OVER_MM, high + _OVER_MM, *at.clock))


def join(sheet: Sheet, at: Places, mark: int) -> Sheet:
    """A clock mark and the next one are one."""
    return darken(
        sheet, rectangle(float(at.marks[mark, 1]) - _OVER_MM, float(at.marks[mark + 1, 0]) + _OVER_MM, *at.clock)
    )


def split(sheet: Sheet, at: Places, mark: int, width: float = 0.4) -> Sheet:
    """A scratch cuts a clock mark in two, neither of which is as wide as the sensors are apart."""
    middle = float(at.marks[mark].mean())
    return lighten(sheet, rectangle(middle - width / 2, middle + width / 2, *at.clock))


def add(sheet: Sheet, at: Places, cell: int) -> Sheet:
    """A clock mark more, where cell `cell` would be: before 0 or from 26 on."""
    low = at.start + (cell + 0.5) * at.pitch - card_code.MARK_MM / 2
    return darken(sheet, rectangle(low, low + card_code.MARK_MM, *at.clock))


def set_cell(sheet: Sheet, at: Places, cell: int, dark: bool) -> Sheet:
    """A data cell becomes dark or bright; it may lie in a quiet zone."""
    low = at.start + cell * at.pitch
    change = darken if dark else lighten
    return change(sheet, rectangle(low, low + at.pitch, *at.data))


# ------------------------------------------------------------------------------------------------- forgers


Step = tuple[str, int]
"""One change: "lose", "join" or "add" and a mark, "dark" or "bright" and a cell as printed."""


def apply(sheet: Sheet, at: Places, steps: list[Step]) -> Sheet:
    """Return the sheet after all of `steps`."""
    for what, place in steps:
        if what in ("dark", "bright"):
            sheet = set_cell(sheet, at, place, what == "dark")
        else:
            sheet = {"lose": lose, "join": join, "add": add}[what](sheet, at, place)
    return sheet


def _shifted() -> Iterator[tuple[list[Step], list[int]]]:
    """Yield ways to shift cells along the clock with two changes, and which printed cell each of the 26 reads then."""
    cells = list(range(card_code.CELLS))
    for gone in cells:
        rest = cells[:gone] + cells[gone + 1 :]
        for how in ("lose", "join") if gone + 1 < card_code.CELLS else ("lose",):
            yield [(how, gone), ("add", card_code.CELLS)], [*rest, card_code.CELLS]
            yield [(how, gone), ("add", -1)], [-1, *rest]


_SHIFTS = list(_shifted())
_READS = np.array([reads for _, reads in _SHIFTS]) + 1  # place 0: the cell before the first one


def forgery(card: int, batch: int, targets: list[tuple[int, int]]) -> tuple[list[Step], tuple[int, int]]:
    """Return the fewest changes known that make the strip of `card` read as one of `targets`, and which one."""
    own = np.zeros(card_code.CELLS + 2, dtype=np.int8)
    own[1:-1] = card_code.frame_cells(card, batch)
    read = own[_READS]
    best: tuple[int, int, int] | None = None
    wanted = [np.array(card_code.frame_cells(*target), dtype=np.int8) for target in targets]
    for number, cells in enumerate(wanted):
        wrong = (read != cells).sum(axis=1)
        way = int(wrong.argmin())
        if best is None or wrong[way] < best[0]:
            best = (int(wrong[way]), number, way)
    assert best is not None
    _, number, way = best
    steps, reads = _SHIFTS[way]
    changed = {}
    for cell, want in zip(reads, wanted[number].tolist(), strict=True):
        if own[cell + 1] != want:
            changed[cell] = bool(want)
    return [*steps, *(("dark" if dark else "bright", cell) for cell, dark in changed.items())], targets[number]


def rectangle(low: float, high: float, near: float, far: float) -> Iterator[Slice]:
    """Yield what is dark of a straight patch from x `low` to `high` and from y `near` to `far`."""
    yield low, high, near, far
