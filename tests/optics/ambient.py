"""Light from elsewhere on the sensors of a head, while a card goes by or rests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from shoesim import sensors
from shoesim.course import Course, follow
from shoesim.hand import Motion
from shoesim.paint import Floats, Sheet


@dataclass(frozen=True, slots=True)
class Ambient:
    """Light from elsewhere that comes and goes, in parts of the swing: a sine of mains light, or on and off by PWM.

    depth: for each line. duty: of PWM, the part of each period in which it is on; 0 for a sine.
    """

    hertz: float
    depth: tuple[float, float, float, float]
    duty: float = 0.0
    phase: float = 0.0

    def at(self, seconds: Floats) -> Floats:
        """Return how much of `depth` there is at each time, 0 to 1."""
        turns = seconds * self.hertz + self.phase
        if self.duty:
            return (np.mod(turns, 1.0) < self.duty).astype(np.float64)
        return 0.5 - 0.5 * np.cos(2 * np.pi * turns)

    @property
    def step_s(self) -> float:
        """How often it has to be looked at."""
        return 1 / (24 * self.hertz)


def edges_in(
    light: Ambient | None,
    sheets: Sequence[Sheet],
    motion: Motion,
    start_us: int,
    rng: np.random.Generator,
    eyes: sensors.Eyes,
) -> sensors.Edges:
    """Return the edges as `sensors.edges` does, with this light on all four lines."""
    if light is None or not motion.segments:
        return sensors.edges(sheets, motion, start_us, rng, eyes)
    way = _looked_at_often(motion, light.step_s)
    levels = np.stack([sensors.darkness(sheets, line, way.travel, eyes) for line in range(4)])
    shining = light.at(way.time)
    for line in range(4):
        levels[line] -= light.depth[line] * shining
    return sensors.switched(levels, way, start_us, rng, eyes)


def _looked_at_often(motion: Motion, longest_s: float) -> Course:
    """Return the samples of a movement, also while it rests: at most `longest_s` of time apart."""
    way = follow(motion, sensors.STEP_MM)
    extra = np.arange(way.time[0], motion.time, longest_s)
    where = np.clip(np.searchsorted(way.segments[0], extra, side="right") - 1, 0, None)
    time = np.concatenate((way.time, extra))
    travel = np.concatenate((way.travel, travel_at(motion, extra)))
    order = np.argsort(time, kind="stable")
    return Course(time[order], travel[order], np.concatenate((way.segment, where))[order], way.segments)


def travel_at(motion: Motion, seconds: Floats | float) -> Floats:
    """Return how far a movement has come at each time."""
    t0, s0, v0, a, t1, _ = np.array(motion.segments).T
    at = np.asarray(seconds, dtype=np.float64)
    segment = np.clip(np.searchsorted(t0, at, side="right") - 1, 0, None)
    passed = np.clip(np.minimum(at, t1[segment]) - t0[segment], 0.0, None)
    travel: Floats = s0[segment] + v0[segment] * passed + a[segment] * passed * passed / 2
    return travel
