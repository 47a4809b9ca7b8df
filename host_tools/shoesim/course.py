"""A movement as a row of samples: at which time the card had come how far, and when a level between two was reached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoesim.hand import Motion
from shoesim.paint import Floats

_SAME_MM = 1e-9


@dataclass(frozen=True, slots=True)
class Course:
    """Samples of a movement in order; `segment` is the number of the one of `segments` that leads to each."""

    time: Floats
    travel: Floats
    segment: NDArray[np.intp]
    segments: Floats

    def time_of(self, samples: NDArray[np.intp], part: Floats) -> Floats:
        """Return when `part` of the way to each of `samples` from the one before had been gone."""
        before = np.maximum(samples - 1, 0)
        moved = self.travel[samples] - self.travel[before]
        t0, s0, v0, a = self.segments[:4, self.segment[samples]]
        way = self.travel[before] + part * moved - s0
        root = np.copysign(np.sqrt(np.maximum(v0 * v0 + 2 * a * way, 0.0)), moved)
        # The form without cancellation: both terms have the sign of the movement.
        both = v0 + root
        still = (np.abs(moved) < _SAME_MM) | (both == 0)
        took = 2 * way / np.where(still, 1.0, both)
        straight = self.time[before] + part * (self.time[samples] - self.time[before])
        return np.where(still, straight, t0 + took)


def follow(motion: Motion, step_mm: float) -> Course:
    """Return the samples of a movement, at most `step_mm` of travel apart."""
    segments = np.array(motion.segments).T
    t0, s0, v0, a, t1, s1 = segments
    count = np.maximum(1, np.ceil(np.abs(s1 - s0) / step_mm)).astype(np.intp)
    # Where it rested before, the sample at which it goes on is not the one at which it came to rest.
    rested = np.ones(len(count), dtype=np.intp)
    rested[1:] = t0[1:] > t1[:-1]
    total = count + rested
    segment = np.repeat(np.arange(len(count)), total)
    place = np.arange(len(segment)) - np.repeat(np.cumsum(total) - total, total) + np.repeat(1 - rested, total)
    way = place * ((s1 - s0) / count)[segment]
    v0, a = v0[segment], a[segment]
    root = np.copysign(np.sqrt(np.maximum(v0 * v0 + 2 * a * way, 0.0)), (s1 - s0)[segment])
    both = v0 + root
    time = t0[segment] + np.where(way == 0, 0.0, 2 * way / np.where(both == 0, 1.0, both))
    last = place == count[segment]
    time[last] = t1[segment[last]]
    travel = s0[segment] + way
    return Course(time, travel, segment, segments)
