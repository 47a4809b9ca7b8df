"""From what a strip shows and how a hand moves it to the edges of a head's four lines."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoetool.model import card_code
from shoetool.simulate.hand import Motion
from shoetool.simulate.model import Model
from shoetool.simulate.printing import Floats, Strip

PRESENT = 1
CLOCK_A = 2
CLOCK_B = 4
DATA = 8
TURNS_DARK = 16
_TURNED = np.uint8(TURNS_DARK)

_HALF = card_code.QUARTER_MM / 2
Edges = list[tuple[int, int]]


def places(strip: Strip, dead: int = 0) -> tuple[Floats, NDArray[np.uint8]]:
    """Return the travel at which each line changes, in order, and its bit (+ 16 where it turns dark on the way out).

    Lines in `dead` never change.
    """
    lines = (
        (PRESENT, strip.present + card_code.PRESENT_MM),
        (CLOCK_A, strip.clock - _HALF),
        (CLOCK_B, strip.clock + _HALF),
        (DATA, strip.data),
    )
    shown = [(bit, travel) for bit, travel in lines if not bit & dead]
    travel = np.concatenate([travel for _, travel in shown])
    bits = np.repeat(np.array([bit for bit, _ in shown], dtype=np.uint8), [len(travel) for _, travel in shown])
    darkens = np.concatenate([np.arange(len(travel)) % 2 == 0 for _, travel in shown])
    bits[darkens] |= TURNS_DARK
    order = np.argsort(travel, kind="stable")
    return travel[order], bits[order]


def edges(
    travel: Floats, bits: NDArray[np.uint8], motion: Motion, start_us: int, rng: np.random.Generator, model: Model
) -> Edges:
    """Return (time in wrapping 30-bit µs, state of the lines) for each edge while `motion` goes on from `start_us`.

    All lines are bright before the first edge.
    """
    times: list[Floats] = []
    lines: list[NDArray[np.uint8]] = []
    hysteresis = model.hysteresis_mm
    for t0, s0, v0, a, _, s1 in motion.segments:
        back = s1 < s0
        late = -hysteresis if back else hysteresis
        low = int(np.searchsorted(travel, min(s0, s1) - late))
        high = int(np.searchsorted(travel, max(s0, s1) - late))
        if low == high:
            continue
        way = travel[low:high] + late - s0
        crossed = bits[low:high]
        if back:
            way = way[::-1]
            crossed = crossed[::-1] ^ _TURNED
        if a:
            root = np.sqrt(np.maximum(v0 * v0 + 2 * a * way, 0.0))
            # The form without cancellation; both terms have the sign of the movement.
            took = 2 * way / (v0 + (-root if back else root))
        else:
            took = way / v0
        times.append(t0 + took)
        lines.append(crossed)
    if not times:
        return []
    turns = np.concatenate(lines)
    time_us = np.concatenate(times) * 1e6
    if hysteresis and any(segment[5] < segment[1] for segment in motion.segments):
        changes = _changes(turns)
        turns, time_us = turns[changes], time_us[changes]
    toggles = turns & 15
    if model.jitter_us:
        time_us = time_us + rng.normal(0.0, model.jitter_us, len(time_us))
    if model.delay_us:
        delays = rng.uniform(0.0, model.delay_us, 9)
        time_us = time_us + delays[toggles]
    whole = time_us.astype(np.int64)
    order = np.argsort(whole, kind="stable")
    state = np.bitwise_xor.accumulate(toggles[order])
    ticks = whole[order] + start_us & 0x3FFFFFFF
    return list(zip(ticks.tolist(), state.tolist(), strict=True))


def _changes(turns: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of the turns change their line: between two thresholds a hand may turn without crossing both."""
    changes = np.ones(len(turns), dtype=np.bool_)
    for bit in (PRESENT, CLOCK_A, CLOCK_B, DATA):
        own = np.flatnonzero(turns & bit)
        dark = turns[own] >= TURNS_DARK
        changes[own] = np.diff(dark, prepend=False)
    return changes


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
        found.append((time & 0x3FFFFFFF, state))
    for line in range(4):
        if state >> line & 1:
            time += 20
            state ^= 1 << line
            found.append((time & 0x3FFFFFFF, state))
    return found


def duration_us(motion: Motion) -> int:
    """Return how long a movement lasts, in whole µs."""
    return math.ceil(motion.time * 1e6)
