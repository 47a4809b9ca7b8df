"""What is dark on a card, in two dimensions: bands across the pull, each with its own paint along it.

Lengths in millimetres. x runs from the card's leading edge towards its trailing edge, y across the pull from the card's
edge inwards. A band is as dark at each place as ink, dirt and scratches make it: 0 is bright, 1 swallows all light.
What no band reaches is bright.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Way = float | tuple[Floats, Floats]
"""Something that changes on the way: one number, or (travels, values there), straight in between."""

_SLICE_MM = 0.1  # how finely a shape is cut across the pull


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch across the pull, `low` to `high`: it is as dark as `values` from each of `steps` on, at the end 0."""

    low: float
    high: float
    steps: Floats
    values: Floats

    def seen(self, spot: float) -> tuple[Floats, Floats]:
        """Return (x, darkness) of the corners of what a sensor sees that looks at `spot` mm of it: straight between."""
        cumulative = np.zeros(len(self.steps))
        np.cumsum(self.values[:-1] * np.diff(self.steps), out=cumulative[1:])
        corners = np.concatenate((self.steps - spot / 2, self.steps + spot / 2))
        corners.sort()
        ahead = np.interp(corners + spot / 2, self.steps, cumulative)
        return corners, (ahead - np.interp(corners - spot / 2, self.steps, cumulative)) / spot

    def changed(self, low: float, high: float, change: Callable[[Floats], Floats]) -> Band:
        """Return the band with other values from x `low` to `high`."""
        first = int(np.searchsorted(self.steps, low))
        last = int(np.searchsorted(self.steps, high, side="right"))
        # What was there before `low` and up to `high`; nothing is dark before the first step.
        before = self.values[first - 1] if first else 0.0
        behind = self.values[last - 1] if last else 0.0
        inner = change(np.concatenate(([before], self.values[first:last])))
        steps = np.concatenate((self.steps[:first], [low], self.steps[first:last], [high], self.steps[last:]))
        values = np.concatenate((self.values[:first], inner, [behind], self.values[last:]))
        return replace(self, steps=steps, values=values)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A card as the head sees it: its paint, how it lies, and what happened to its print.

    offset: by how much its leading edge trails that of the first one. across, turn: its place across the pull and its
    skew (radians) on the way. fade: the contrast of its ink along it.
    """

    length: float
    bands: tuple[Band, ...] = ()
    offset: float = 0.0
    across: Way = 0.0
    turn: Way = 0.0
    fade: Way = 1.0
    lost: int = 0
    flipped: int = 0


def darken(sheet: Sheet, shape: Iterable[Slice], value: float = 1.0) -> Sheet:
    """Return the sheet with something on it that is `value` dark, on top of the ink."""
    return _painted(sheet, shape, lambda old: np.maximum(old, value))


def lighten(sheet: Sheet, shape: Iterable[Slice], value: float = 0.0) -> Sheet:
    """Return the sheet with its ink gone there, but for `value`."""
    return _painted(sheet, shape, lambda old: np.minimum(old, value))


def hidden(sheet: Sheet, low: float, high: float) -> Sheet:
    """Return what is left to see of a sheet when something bright covers it from x `low` to `high`."""
    bands = tuple(band.changed(low, high, np.zeros_like) if len(band.steps) else band for band in sheet.bands)
    return replace(sheet, bands=bands)


Slice = tuple[float, float, float, float]
"""A piece of a shape: low and high x, low and high y."""


def spot(x: float, y: float, along: float, across: float, lean: float = 0.0) -> Iterator[Slice]:
    """Yield the slices of an ellipse around (x, y), `along` and `across` wide; `lean` moves each mm across along."""
    count = max(1, math.ceil(across / _SLICE_MM))
    for number in range(count):
        middle = (number + 0.5) / count - 0.5
        half = along / 2 * math.sqrt(1 - 4 * middle * middle)
        at = x + lean * middle * across
        low = y + (number / count - 0.5) * across
        yield at - half, at + half, low, low + across / count


def stroke(start: tuple[float, float], end: tuple[float, float], width: float) -> Iterator[Slice]:
    """Yield the slices of a straight stroke, such as a scratch, from (x, y) to (x, y)."""
    (x0, y0), (x1, y1) = sorted((start, end), key=lambda place: place[1])
    tall, long = y1 - y0, math.hypot(x1 - x0, y1 - y0)
    if tall < width / 2:  # along the pull
        yield min(x0, x1), max(x0, x1), y0 - width / 2, y0 + width / 2
        return
    count = max(1, math.ceil(tall / _SLICE_MM))
    half = width * long / tall / 2  # as wide along the pull as the stroke is slanted
    for number in range(count):
        middle = x0 + (x1 - x0) * (number + 0.5) / count
        yield middle - half, middle + half, y0 + tall * number / count, y0 + tall * (number + 1) / count


def _painted(sheet: Sheet, shape: Iterable[Slice], change: Callable[[Floats], Floats]) -> Sheet:
    bands = list(sheet.bands)
    for low, high, near, far in shape:
        bands = list(_split(bands, near, far, low, high, change))
    return replace(sheet, bands=tuple(bands))


def _split(
    bands: list[Band], near: float, far: float, low: float, high: float, change: Callable[[Floats], Floats]
) -> Iterator[Band]:
    """Yield the bands with `change` in what lies between `near` and `far`; where no band was, there is one now."""
    free = near
    for band in sorted(bands, key=lambda one: one.low):
        if band.high <= near or band.low >= far:
            yield band
            continue
        if band.low > free:
            yield _bare(free, band.low).changed(low, high, change)
        free = max(free, band.high)
        inside = replace(band, low=max(band.low, near), high=min(band.high, far))
        if band.low < near:
            yield replace(band, high=near)
        yield inside.changed(low, high, change)
        if band.high > far:
            yield replace(band, low=far)
    if free < far:
        yield _bare(free, far).changed(low, high, change)


def _bare(low: float, high: float) -> Band:
    return Band(low, high, np.zeros(0), np.zeros(0))
