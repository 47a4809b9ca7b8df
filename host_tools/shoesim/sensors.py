"""From what a head's sensors see of the cards that move past them to the edges of its four lines.

The way of the light: paint under each sensor's slit, at each place of the way; what the lamp and other light make of it
there and then; the sensor, which lags; the comparator, which switches at two thresholds. An edge is where the lagging
level crosses the threshold. Nothing here knows what a cell, a mark or a card is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shoetool.model import card_code

from shoesim.course import Course, follow
from shoesim.hand import Motion
from shoesim.model import Model
from shoesim.paint import Floats, Sheet, Way

PRESENT = 1
CLOCK_A = 2
CLOCK_B = 4
DATA = 8
LINES = (PRESENT, CLOCK_A, CLOCK_B, DATA)

STEP_MM = 0.04  # how finely the way is looked at
SLIT_ACROSS_MM = 0.8
_HALF = card_code.QUARTER_MM / 2
ALONG = (card_code.PRESENT_MM, -_HALF, _HALF, 0.0)
_APART = card_code.CLOCK_APART_MM / 2
ACROSS = (
    card_code.CLOCK_TRACK_MM + 10.0,
    card_code.CLOCK_TRACK_MM - _APART,
    card_code.CLOCK_TRACK_MM + _APART,
    card_code.DATA_TRACK_MM,
)
TICKS_MASK = 0x3FFFFFFF
_SETTLED = 1e-7  # of a step that is left in a lagging level

Edges = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Eyes:
    """The four sensors of a head, in the order of LINES: where they look, how they lag, when they switch.

    Levels are what the caller makes them: 0 for bright and 1 for dark, or what a converter measures. high, low: where a
    line turns dark, and where bright again. lag_us: time constants. dead: lines that never change.
    """

    along: Sequence[float] = ALONG
    across: Sequence[float] = ACROSS
    spot_mm: float = 0.3
    high: Sequence[float] = (0.5,) * 4
    low: Sequence[float] = (0.5,) * 4
    noise: float = 0.0
    lag_us: Sequence[float] = (0.0,) * 4
    delay_us: Sequence[float] = (0.0,) * 4
    jitter_us: float = 0.0
    dead: int = 0


def draw_eyes(rng: np.random.Generator, model: Model, dead: int = 0) -> Eyes:
    """Return one head as `model` has them."""
    draw = rng.random(16)
    spread = model.mount_mm * (2 * draw[:8] - 1)
    across = (card_code.CLOCK_TRACK_MM + model.present_offset_mm, *ACROSS[1:])
    return Eyes(
        along=[place + by for place, by in zip(ALONG, spread[:4].tolist(), strict=True)],
        across=[place + by for place, by in zip(across, spread[4:].tolist(), strict=True)],
        spot_mm=model.spot_mm,
        high=(0.5 + model.hysteresis / 2,) * 4,
        low=(0.5 - model.hysteresis / 2,) * 4,
        noise=model.noise,
        lag_us=(model.lag_us * (0.5 + draw[8:12] / 2)).tolist(),
        delay_us=(model.delay_us * draw[12:]).tolist(),
        jitter_us=model.jitter_us,
        dead=dead,
    )


# ---------------------------------------------------------------------------------------------- what is seen


def darkness(sheets: Sequence[Sheet], line: int, travel: Floats, eyes: Eyes) -> Floats:
    """Return how much of what sensor `line` sees is dark, 0 to 1, at each `travel` of the first leading edge."""
    if line == 0:
        return covered(sheets, 0, travel, eyes)  # a barrier: a card is dark there, whatever it shows
    total = np.zeros(len(travel))
    for sheet in sheets:
        _add_ink(total, sheet, line, travel, eyes)
    return total


def covered(sheets: Sequence[Sheet], line: int, travel: Floats, eyes: Eyes) -> Floats:
    """Return how much of what sensor `line` sees is card, 0 to 1."""
    total = np.zeros(len(travel))
    half = eyes.spot_mm / 2
    for sheet in sheets:
        x = _along(sheet, line, travel, eyes, _at(sheet.turn, travel))
        ends = (np.minimum(x + half, sheet.length) - np.maximum(x - half, 0.0)) / eyes.spot_mm
        total += np.maximum(ends, 0.0)
    return np.minimum(total, 1.0)


def _add_ink(total: Floats, sheet: Sheet, line: int, travel: Floats, eyes: Eyes) -> None:
    """Add the ink of one sheet that `line` sees. What hides it from the head was taken off it before."""
    turn = _at(sheet.turn, travel)
    x = _along(sheet, line, travel, eyes, turn)
    y = eyes.across[line] + _at(sheet.across, travel) - turn * (x - sheet.length / 2)
    nearest, farthest = float(y.min()), float(y.max())
    half = SLIT_ACROSS_MM / 2
    fade = sheet.fade if isinstance(sheet.fade, float) else np.interp(x, *sheet.fade)
    for band in sheet.bands:
        if band.low >= farthest + half or band.high <= nearest - half or not len(band.steps):
            continue
        ink = np.interp(x, *band.seen(eyes.spot_mm))
        if band.low > nearest - half or band.high < farthest + half:
            part = np.minimum(y + half, band.high) - np.maximum(y - half, band.low)
            ink *= np.maximum(part, 0.0) / SLIT_ACROSS_MM
        if not isinstance(fade, float) or fade != 1.0:
            ink *= fade
        total += ink


def _along(sheet: Sheet, line: int, travel: Floats, eyes: Eyes, turn: float | Floats) -> Floats:
    """Return the x of a sheet that lies under sensor `line`; it turns about its clock track."""
    return travel - (eyes.along[line] + sheet.offset) + turn * (eyes.across[line] - card_code.CLOCK_TRACK_MM)


def _at(way: Way, travel: Floats) -> float | Floats:
    """Return something that changes on the way at each `travel`."""
    return way if isinstance(way, float) else np.interp(travel, *way)


# ------------------------------------------------------------------------------------------- what is made of it


def edges(sheets: Sequence[Sheet], motion: Motion, start_us: int, rng: np.random.Generator, eyes: Eyes) -> Edges:
    """Return (time in wrapping 30-bit µs, state of the lines) for each edge while `motion` goes on from `start_us`.

    All lines are bright before the first edge.
    """
    if not motion.segments:
        return []
    way = follow(motion, STEP_MM)
    levels = np.stack([darkness(sheets, line, way.travel, eyes) for line in range(4)])
    return switched(levels, way, start_us, rng, eyes)


def switched(levels: Floats, way: Course, start_us: int, rng: np.random.Generator, eyes: Eyes, dark: int = 0) -> Edges:
    """Return the edges that the comparators make of `levels` (a row for each line); `dark` lines begin dark."""
    if any(eyes.lag_us):
        levels = lagged(levels, way.time, np.array(eyes.lag_us) * 1e-6)
    samples: list[NDArray[np.intp]] = []
    parts: list[Floats] = []
    toggles: list[NDArray[np.uint8]] = []
    late: list[Floats] = []
    for line, bit in enumerate(LINES):
        if bit & eyes.dead:
            continue
        level = levels[line]
        high, low = eyes.high[line], eyes.low[line]
        if eyes.noise:
            # Farther from the thresholds than six times the noise it changes nothing.
            near = np.flatnonzero(np.abs(level - (high + low) / 2) < (high - low) / 2 + 6 * eyes.noise)
            level[near] += eyes.noise * rng.standard_normal(len(near))
        found, part = _crossings(level, high, low, bool(dark & bit))
        samples.append(found)
        parts.append(part)
        toggles.append(np.full(len(found), bit, dtype=np.uint8))
        late.append(np.full(len(found), eyes.delay_us[line]))
    micros = way.time_of(np.concatenate(samples), np.concatenate(parts)) * 1e6 + np.concatenate(late)
    if eyes.jitter_us:
        micros += eyes.jitter_us * rng.standard_normal(len(micros))
    whole = micros.astype(np.int64)
    order = np.argsort(whole, kind="stable")
    state = np.bitwise_xor.accumulate(np.concatenate(toggles)[order]) ^ np.uint8(dark)
    ticks = whole[order] + start_us & TICKS_MASK
    return list(zip(ticks.tolist(), state.tolist(), strict=True))


def lagged(levels: Floats, time: Floats, lag_s: Floats) -> Floats:
    """Return levels behind a low-pass of time constant `lag_s` (one for each row); straight between their times.

    Each is y' = a y + b of the one before, which is done for all at once by doubling how far back is looked.
    """
    lag = np.maximum(lag_s, 1e-9)[:, None]
    step = np.maximum(np.diff(time), 1e-12)
    keep = np.zeros_like(levels)
    np.exp(-step / lag, out=keep[:, 1:])
    rise = np.diff(levels, axis=1) * (lag / step)
    own = levels.copy()
    own[:, 1:] += keep[:, 1:] * (rise - levels[:, :-1]) - rise
    back = 1
    while back < levels.shape[1] and keep.max() > _SETTLED:
        own[:, back:] += keep[:, back:] * own[:, :-back]
        keep[:, back:] *= keep[:, :-back]  # numpy sees that the two overlap
        back *= 2
    return own


def _crossings(level: Floats, high: float, low: float, dark: bool) -> tuple[NDArray[np.intp], Floats]:
    """Return the samples with which a line switches, and how much of the way from the one before had been gone then."""
    over = level > high
    known = np.flatnonzero(over | (level < low))
    turned = over[known]
    before = np.empty_like(turned)
    before[:1] = dark
    before[1:] = turned[:-1]
    changes = known[turned != before]
    behind = level[changes]
    ahead = level[np.maximum(changes - 1, 0)]
    change = np.where(behind == ahead, 1.0, behind - ahead)
    part = (np.where(over[changes], high, low) - ahead) / change
    return changes, np.where(behind == ahead, 1.0, np.clip(part, 0.0, 1.0))


def storm(count: int, start_us: int, rng: np.random.Generator) -> Edges:
    """Return `count` edges of any line, about 20 µs apart: light or noise that floods a head. It ends all bright."""
    gaps = rng.integers(1, 40, count)
    flips = rng.integers(0, 4, count)
    state = 0
    time = start_us
    found = []
    for gap, line in zip(gaps.tolist(), flips.tolist(), strict=True):
        time += gap
        state ^= 1 << line
        found.append((time & TICKS_MASK, state))
    for line in range(4):
        if state >> line & 1:
            time += 20
            state ^= 1 << line
            found.append((time & TICKS_MASK, state))
    return found


def duration_us(motion: Motion) -> int:
    """Return how long a movement lasts, in whole µs."""
    return math.ceil(motion.time * 1e6)
