"""How a code strip is printed on one card: pitch, registration, ink, wear, lost marks, flipped cells and dirt.

Lengths in millimetres; x runs from the card's leading edge towards its trailing edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoetool.model import card_code
from shoetool.simulate.model import Model

Floats = NDArray[np.float64]

_NO_FLOATS: Floats = np.zeros(0)


@dataclass(frozen=True, slots=True)
class Strip:
    """What one card shows to the three tracks under a head, as sorted x positions of edges: dark, bright, dark, ..."""

    length: float
    present: Floats
    clock: Floats
    data: Floats
    lost: int = 0
    flipped: int = 0
    specks: int = 0


_SPACING = np.arange(card_code.CELLS + 1, dtype=np.float64) * card_code.CELL_MM
_CENTRES = _SPACING[:-1] + card_code.CELL_MM / 2


def print_blank(length: float) -> Strip:
    """Return what the back of a card shows: nothing but that it is there."""
    return Strip(length, np.array([0.0, length]), _NO_FLOATS, _NO_FLOATS)


def print_card(cells: tuple[int, ...], rng: np.random.Generator, model: Model, rotated: bool = False) -> Strip:
    """Print the 26 `cells` as `model` has it. `rotated`: the other of the card's two strips, skewed the other way."""
    size = card_code.CELLS
    draw = rng.random(2 * size + 8)
    spread = 2 * draw[2 * size :] - 1
    pitch = 1 + model.pitch * spread[0]
    skew = math.radians(model.skew_deg * spread[1]) * (-1 if rotated else 1)
    stretch = pitch / math.cos(skew)
    start = (model.length_mm - card_code.CODE_MM * stretch) / 2 + model.registration_mm * spread[2]
    shift = math.tan(skew) * (card_code.CLOCK_TRACK_MM - card_code.DATA_TRACK_MM)

    kept = draw[:size] >= model.lost
    mark = card_code.MARK_MM * stretch / 2 + _ink(model, spread[3])
    centres = (start + _CENTRES * stretch)[kept]
    clock = np.empty(2 * len(centres))
    clock[0::2] = centres - mark
    clock[1::2] = centres + mark

    flips = draw[size : 2 * size] < model.flipped
    shown = np.array(cells, dtype=np.int8) ^ flips
    change = np.diff(shown, prepend=0, append=0)
    places = np.flatnonzero(change)
    data = start + shift + _SPACING[places] * stretch - change[places] * _ink(model, spread[4])

    lean = math.tan(skew) * model.present_offset_mm
    present = np.array([lean, model.length_mm + lean])
    specks = 0
    if model.specks:
        clock, on_clock = _dirty(clock, model, rng)
        data, on_data = _dirty(data, model, rng)
        specks = on_clock + on_data
    return Strip(model.length_mm, present, clock, data, size - len(centres), int(np.count_nonzero(flips)), specks)


def _ink(model: Model, spread: float) -> float:
    """Return by how much each edge of the dark moves outwards: ink and ambient light either way, wear inwards."""
    return float(model.ink_mm * spread - model.wear_mm / 2)


def _dirty(edges: Floats, model: Model, rng: np.random.Generator) -> tuple[Floats, int]:
    """Return the edges of a track under specks of dirt, which are dark, and their number."""
    count = int(rng.poisson(model.specks))
    for _ in range(count):
        low = rng.uniform(0, model.length_mm)
        edges = darken(edges, low, low + rng.uniform(*model.speck_mm))
    return edges, count


def darken(edges: Floats, low: float, high: float) -> Floats:
    """Return sorted edges dark, bright, ... after everything from `low` to `high` was made dark."""
    first = int(np.searchsorted(edges, low))
    last = int(np.searchsorted(edges, high))
    middle = ([low] if first % 2 == 0 else []) + ([high] if last % 2 == 0 else [])
    return np.concatenate((edges[:first], np.array(middle), edges[last:]))


def lighten(edges: Floats, low: float, high: float) -> Floats:
    """Return sorted edges dark, bright, ... after everything from `low` to `high` was covered by something bright."""
    first = int(np.searchsorted(edges, low))
    last = int(np.searchsorted(edges, high))
    middle = ([low] if first % 2 == 1 else []) + ([high] if last % 2 == 1 else [])
    return np.concatenate((edges[:first], np.array(middle), edges[last:]))
