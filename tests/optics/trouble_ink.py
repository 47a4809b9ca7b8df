"""What can be wrong with the ink of a strip, drawn at random: marks, dirt, scratches, weak print.

Each takes what it draws from, a card and where its marks were printed, and returns the card with that trouble.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import ink_changes
import numpy as np
from shoesim import paint
from shoesim.model import Model
from shoesim.paint import Sheet
from shoesim.printing import STRIP_MM
from shoesim.pull import printed
from shoetool.model import card_code

Change = Callable[["Draw", Sheet, ink_changes.Places], Sheet]


@dataclass(slots=True)
class Draw:
    """What a class draws from: the generator, the tolerances, and one card of the batches in play."""

    rng: np.random.Generator
    model: Model
    batches: tuple[int, ...]
    card: int
    batch: int
    rotated: bool

    def printed(self) -> Sheet:
        """Return the card, with the model's own damage."""
        return printed(self.card, self.batch, self.rng, self.model, self.rotated)

    def another(self) -> tuple[int, int]:
        """Return another card of the same batches."""
        return int(self.rng.integers(52)), int(self.rng.choice(self.batches))

    def log(self, low: float, high: float) -> float:
        """Return a number between both, its logarithm drawn evenly."""
        return math.exp(float(self.rng.uniform(math.log(low), math.log(high))))

    def some(self, most: int) -> int:
        """Return 1 .. `most`, each half as likely as the one before."""
        count = 1
        while count < most and self.rng.random() < 0.5:
            count += 1
        return count

    def places(self, count: int, of: int) -> list[int]:
        """Return `count` different places of `of`."""
        return [int(place) for place in self.rng.choice(of, size=min(count, of), replace=False)]


def lost(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """Up to three marks are gone."""
    for mark in draw.places(draw.some(3), len(at)):
        sheet = ink_changes.lose(sheet, at, mark)
    return sheet


def joined(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """Up to three pairs of marks are one each."""
    for mark in draw.places(draw.some(3), len(at) - 1):
        sheet = ink_changes.join(sheet, at, mark)
    return sheet


def added(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """One or two marks more in the quiet zones."""
    for cell in draw.rng.choice((-2, -1, 26, 27), size=draw.some(2), replace=False).tolist():
        sheet = ink_changes.add(sheet, at, cell)
    return sheet


def split(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """Up to three marks cut in two."""
    for mark in draw.places(draw.some(3), len(at)):
        sheet = ink_changes.split(sheet, at, mark, float(draw.rng.uniform(0.3, 0.6)))
    return sheet


def lost_and_added(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """A mark is gone or joined, one or two are too many, and a cell may be wrong."""
    change = ink_changes.lose if draw.rng.random() < 0.5 else ink_changes.join
    sheet = change(sheet, at, int(draw.rng.integers(len(at) - 1)))
    sheet = added(draw, sheet, at)
    if draw.rng.random() < 0.5:
        sheet = cells(draw, sheet, at, 1)
    return sheet


def cells(draw: Draw, sheet: Sheet, at: ink_changes.Places, count: int) -> Sheet:
    """So many cells are dark or bright, whatever they were."""
    for cell in draw.places(count, card_code.CELLS):
        sheet = ink_changes.set_cell(sheet, at, cell, bool(draw.rng.random() < 0.5))
    return sheet


def any_mark(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """Something is wrong with the marks."""
    return (lost, joined, added, lost_and_added)[int(draw.rng.integers(4))](draw, sheet, at)


def specks(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """Dark specks of any size, anywhere on the strip."""
    for _ in range(draw.some(8)):
        size = draw.log(0.1, 6.0), draw.log(0.1, 6.0)
        x, y = draw.rng.uniform(0, sheet.length), draw.rng.uniform(0, STRIP_MM)
        shape = paint.spot(x, y, *size, lean=float(draw.rng.uniform(-2, 2)))
        sheet = paint.darken(sheet, shape, float(draw.rng.uniform(0.4, 1.0)))
    return sheet


def scratches(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """Bright scratches of any length and width."""
    for _ in range(draw.some(8)):
        start = (float(draw.rng.uniform(0, sheet.length)), float(draw.rng.uniform(0, STRIP_MM)))
        angle, long = draw.rng.uniform(0, 2 * math.pi), draw.log(0.5, 60.0)
        end = (start[0] + long * math.cos(angle), min(STRIP_MM, max(0.0, start[1] + long * math.sin(angle))))
        sheet = paint.lighten(sheet, paint.stroke(start, end, draw.log(0.1, 2.0)), float(draw.rng.uniform(0.0, 0.5)))
    return sheet


def correlated(draw: Draw, sheet: Sheet, at: ink_changes.Places) -> Sheet:
    """Strokes across both tracks, dark or bright."""
    for _ in range(draw.some(4)):
        x, lean = float(draw.rng.uniform(0, sheet.length)), float(draw.rng.uniform(-4, 4))
        shape = paint.stroke((x, 0.0), (x + lean, STRIP_MM), draw.log(0.2, 6.0))
        if draw.rng.random() < 0.5:
            sheet = paint.darken(sheet, shape, float(draw.rng.uniform(0.5, 1.0)))
        else:
            sheet = paint.lighten(sheet, shape, float(draw.rng.uniform(0.0, 0.4)))
    return sheet


def fading(draw: Draw, sheet: Sheet, _: ink_changes.Places) -> Sheet:
    """The ink is weaker here and there along the card."""
    nodes = np.linspace(0.0, sheet.length, 5)
    least = draw.rng.uniform(0.3, 0.9)
    return replace(sheet, fade=(nodes, draw.rng.uniform(least, 1.0, 5)))


def weak(track: int) -> Change:
    """Return a trouble: the ink of track 0 (data) or 1 (clock) is weak."""

    def change(draw: Draw, sheet: Sheet, _: ink_changes.Places) -> Sheet:
        bands = list(sheet.bands)
        bands[track] = replace(bands[track], values=bands[track].values * draw.rng.uniform(0.4, 0.75))
        return replace(sheet, bands=tuple(bands))

    return change


# In this order: weak ink goes by tracks, which specks and scratches cut up.
ALL: tuple[Change, ...] = (weak(0), weak(1), fading, lost, joined, added, split, specks, scratches, correlated)
