"""The light of one read head: levels of its four lines, dirt on its window, and what its comparators make of them.

A line's level is high where it is dark. Dirt swallows part of the light and scatters a little of it back, so what is
bright gets darker and what is dark a little brighter. A sensor sees a spot, not a point: the level goes from bright to
dark over the width of the spot, and where it crosses the threshold depends on the levels. So dirt first makes marks
wider, which the code puts up with for a while, and in the end keeps a line dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from ambient import travel_at
from shoesim import sensors
from shoesim.course import follow
from shoesim.hand import Motion
from shoesim.model import Model
from shoesim.paint import Floats, Sheet
from shoesim.sensors import LINES, Edges, Eyes

__all__ = ["HeadLight", "sample_times", "travel_at"]

_TOP = 65535
MIDDLE = 32768
DARK_ALWAYS, BRIGHT_ALWAYS = -1.0, 2.0
SIGMAS = 4.0  # of noise: nearer to the threshold than that a line flickers, which is as good as dark


@dataclass(slots=True)
class HeadLight:
    """One head. Levels are 0..65535 for 0 to 3.3 V, in the order PRESENT, CLOCK_A, CLOCK_B, DATA.

    bright, dark: levels of the clean head with nothing in the throat and under ink. dirt: the part of a line's light
    that is lost. scatter: the part of the lost light that comes back. ambient: light from elsewhere. spot_mm: width of
    the spot that a sensor sees. noise: standard deviation of a level. hysteresis: of the comparators, from one
    switching level to the other.
    """

    bright: list[float] = field(default_factory=lambda: [12000.0] * 4)
    dark: list[float] = field(default_factory=lambda: [52000.0] * 4)
    dirt: list[float] = field(default_factory=lambda: [0.0] * 4)
    scatter: float = 0.1
    ambient: float = 0.0
    spot_mm: float = 0.5
    noise: float = 120.0
    hysteresis: float = 1000.0
    threshold: int = MIDDLE

    def light(self, line: int, paper: float = 1.0) -> float:
        """Return the level of bright: of the throat's reference, or of a card that sends back so much of its light."""
        if line == 0:
            paper = 1.0  # a barrier: there is no card in it when it is bright
        swing = self.dark[line] - self.bright[line]
        return self.dark[line] - swing * ((1 - self.dirt[line]) * paper + self.ambient)

    def ink(self, line: int) -> float:
        """Return the level of dark."""
        return self.dark[line] - (self.dark[line] - self.bright[line]) * (self.dirt[line] * self.scatter + self.ambient)

    def part(self, line: int, paper: float = 1.0) -> float:
        """Return where the threshold lies between bright 0 and dark 1; DARK_ALWAYS, BRIGHT_ALWAYS beyond."""
        light, dark = self.light(line, paper), self.ink(line)
        spare = self.hysteresis / 2 - SIGMAS * self.noise
        if light >= self.threshold + spare:
            return DARK_ALWAYS  # nothing is bright
        if dark <= self.threshold - spare:
            return BRIGHT_ALWAYS  # nothing is dark
        return (self.threshold - light) / (dark - light)

    def stuck_dark(self) -> int:
        """Return the lines that are dark with nothing in the throat."""
        return sum(bit for line, bit in enumerate(LINES) if self.part(line) == DARK_ALWAYS)

    def edges(
        self,
        sheets: Sequence[Sheet],
        motion: Motion,
        start_us: int,
        rng: np.random.Generator,
        model: Model,
        paper: float = 1.0,
    ) -> Edges:
        """Return what the comparators make of `sheets` that move past the head, as `sensors.edges` does."""
        eyes = replace(
            sensors.draw_eyes(rng, model),
            spot_mm=self.spot_mm,
            high=(self.threshold + self.hysteresis / 2,) * 4,
            low=(self.threshold - self.hysteresis / 2,) * 4,
            noise=self.noise,
        )
        way = follow(motion, sensors.STEP_MM)
        levels = np.stack([self._level(line, sheets, way.travel, eyes, paper) for line in range(4)])
        return sensors.switched(levels, way, start_us, rng, eyes, self.stuck_dark())

    def levels(
        self, sheets: Sequence[Sheet] | None, travel: float, rng: np.random.Generator | None = None, paper: float = 1.0
    ) -> list[int]:
        """Return the four levels while the leading edge of `sheets` has come to `travel`; None for an empty throat."""
        out = []
        eyes = Eyes(spot_mm=self.spot_mm)
        for line in range(4):
            level = float(self._level(line, sheets or (), np.array([travel]), eyes, paper)[0])
            if rng is not None:
                level += float(rng.normal(0.0, self.noise))
            out.append(max(0, min(_TOP, round(level))))
        return out

    def _level(self, line: int, sheets: Sequence[Sheet], travel: Floats, eyes: Eyes, paper: float) -> Floats:
        """Return the level of a line at each travel: of the reference, of a card that covers it, and of its ink."""
        empty, bright = self.light(line), self.light(line, paper)
        dark = sensors.darkness(sheets, line, travel, eyes)
        under = sensors.covered(sheets, line, travel, eyes)
        return empty + (bright - empty) * under + (self.ink(line) - bright) * dark


def sample_times(motion: Motion, every_s: float) -> Sequence[float]:
    """Return the moments of a movement at which levels are to be known."""
    return [float(moment) for moment in np.arange(0.0, motion.time, every_s)]
