"""How a code strip is printed on one card: pitch, registration, ink, wear, lost marks, flipped cells and dirt."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from shoetool.model import card_code

from shoesim.model import Model
from shoesim.paint import Band, Floats, Sheet, Way, darken, lighten, spot, stroke

STRIP_MM = 8.0  # what lies farther from the card's edge no sensor sees but PRESENT
_SPACING = np.arange(card_code.CELLS + 1, dtype=np.float64) * card_code.CELL_MM
_CENTRES = _SPACING[:-1] + card_code.CELL_MM / 2
_CLOCK = (
    card_code.CLOCK_TRACK_MM - card_code.CLOCK_WIDTH_MM / 2,
    card_code.CLOCK_TRACK_MM + card_code.CLOCK_WIDTH_MM / 2,
)
_DATA = (card_code.DATA_TRACK_MM - card_code.DATA_WIDTH_MM / 2, card_code.DATA_TRACK_MM + card_code.DATA_WIDTH_MM / 2)


def print_blank(length: float) -> Sheet:
    """Return what the back of a card shows: nothing but that it is there."""
    return Sheet(length)


def print_card(cells: tuple[int, ...], rng: np.random.Generator, model: Model, rotated: bool = False) -> Sheet:
    """Print the 26 `cells` as `model` has it. `rotated`: the other of the card's two strips leads."""
    size = card_code.CELLS
    draw = rng.random(2 * size + 8)
    spread = 2 * draw[2 * size :] - 1
    way = -1 if rotated else 1
    stretch = 1 + model.pitch * spread[0]
    start = (model.length_mm - card_code.CODE_MM * stretch) / 2 + way * model.registration_mm * spread[1]
    beside = way * model.lateral_mm * spread[2]
    value = model.contrast[0] + (model.contrast[1] - model.contrast[0]) * (spread[3] + 1) / 2

    kept = draw[:size] >= model.lost
    grown = [model.ink_mm * one - model.wear_mm / 2 for one in spread[4:6]]
    mark = card_code.MARK_MM * stretch / 2 + grown[0]
    centres = (start + _CENTRES * stretch)[kept]
    clock = np.empty(2 * len(centres))
    clock[0::2] = centres - mark
    clock[1::2] = centres + mark

    flips = draw[size : 2 * size] < model.flipped
    shown = np.array(cells, dtype=np.int8) ^ flips
    change = np.diff(shown, prepend=0, append=0)
    places = np.flatnonzero(change)
    data = start + _SPACING[places] * stretch - change[places] * grown[1]

    bands = (_band(_DATA, beside, data, value), _band(_CLOCK, beside, clock, value))
    lost, flipped = size - len(centres), int(np.count_nonzero(flips))
    sheet = Sheet(model.length_mm, bands, lost=lost, flipped=flipped)
    return soiled(sheet, rng, model) if model.specks or model.scratches else sheet


def laid(sheet: Sheet, rng: np.random.Generator, model: Model) -> Sheet:
    """Return the sheet as it lies in the guide: askew, and moving across the pull on its way."""
    draw = 2 * rng.random(6) - 1
    turn = math.radians(model.skew_deg) * draw[0]
    across: Way = 0.0
    turns: Way = turn
    if model.wander_mm or model.wander_deg:
        nodes = np.linspace(0.0, sheet.length + card_code.PRESENT_MM, 4)
        across = (nodes, model.wander_mm * np.array([0.0, draw[1], draw[2], draw[3]]))
        turns = (nodes, turn + math.radians(model.wander_deg) * np.array([0.0, 0.0, draw[4], draw[5]]))
    return replace(sheet, across=across, turn=turns)


def soiled(sheet: Sheet, rng: np.random.Generator, model: Model) -> Sheet:
    """Return the sheet with specks, which are dark, and scratches, which are bright, anywhere on the strip."""
    for _ in range(rng.poisson(model.specks)):
        along, across = rng.uniform(*model.speck_mm, 2)
        x, y = rng.uniform(0, sheet.length), rng.uniform(0, STRIP_MM)
        sheet = darken(sheet, spot(x, y, along, across, float(rng.uniform(-1, 1))), float(rng.uniform(0.6, 1.0)))
    for _ in range(rng.poisson(model.scratches)):
        start = (rng.uniform(0, sheet.length), rng.uniform(0, STRIP_MM))
        angle, long = rng.uniform(0, 2 * math.pi), rng.exponential(3.0)
        end = (start[0] + long * math.cos(angle), start[1] + long * math.sin(angle))
        sheet = lighten(sheet, stroke(start, end, float(rng.uniform(*model.scratch_mm))), float(rng.uniform(0.0, 0.4)))
    return sheet


def _band(place: tuple[float, float], beside: float, steps: Floats, value: float) -> Band:
    """Return a track, dark and bright by turns from each of `steps` on."""
    values = np.zeros(len(steps))
    values[0::2] = value
    return Band(place[0] + beside, place[1] + beside, steps, values)
