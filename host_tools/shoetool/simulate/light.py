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

from shoetool.model import card_code
from shoetool.simulate import sensors
from shoetool.simulate.hand import Motion
from shoetool.simulate.model import Model
from shoetool.simulate.printing import Floats, Strip
from shoetool.simulate.sensors import Edges

LINES = (sensors.PRESENT, sensors.CLOCK_A, sensors.CLOCK_B, sensors.DATA)
_HALF = card_code.QUARTER_MM / 2
_PLACES = (card_code.PRESENT_MM, -_HALF, _HALF, 0.0)
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
        self, strip: Strip, motion: Motion, start_us: int, rng: np.random.Generator, model: Model, paper: float = 1.0
    ) -> Edges:
        """Return what the comparators make of a strip that moves past the head, as `sensors.edges` does."""
        dark = dead = 0
        empty = self.stuck_dark()
        grown: list[Floats] = []
        for line, (bit, edges) in enumerate(
            zip(LINES, (strip.present, strip.clock, strip.clock, strip.data), strict=True)
        ):
            part = self.part(line, paper)
            if part in (DARK_ALWAYS, BRIGHT_ALWAYS):
                dead |= bit
                dark |= bit if part == DARK_ALWAYS else 0
                grown.append(edges)
            else:
                grown.append(_widened(edges, (0.5 - part) * self.spot_mm))
        if dead == sum(LINES):
            return []
        lit = replace(strip, present=grown[0], clock=grown[1], data=grown[3])
        travel, bits = _places(lit, grown[2], dead)
        swing = min(self.ink(line) - self.light(line, paper) for line in range(4))
        late = replace(model, hysteresis_mm=model.hysteresis_mm + self.spot_mm * self.hysteresis / max(swing, 1.0) / 2)
        found = [(micros, lines | dark) for micros, lines in sensors.edges(travel, bits, motion, start_us, rng, late)]
        if dark & ~empty:  # dark as long as the card is there
            first, last = motion.segments[0][0], motion.segments[-1][4]
            begin = start_us + int(1e6 * first) & 0x3FFFFFFF
            end = start_us + int(1e6 * last) + 1 & 0x3FFFFFFF
            found = [(begin, dark | empty), *found, (end, empty)]
        return found

    def levels(
        self, strip: Strip | None, travel: float, rng: np.random.Generator | None = None, paper: float = 1.0
    ) -> list[int]:
        """Return the four levels while the leading edge of `strip` has come to `travel`; None for an empty throat."""
        out = []
        for line, place in enumerate(_PLACES):
            level = self.light(line)
            if strip is not None:
                x = travel - place
                edges = (strip.present, strip.clock, strip.clock, strip.data)[line]
                under = 0.0 <= x <= strip.length
                bright = self.light(line, paper) if under else level
                level = bright + (self.ink(line) - bright) * _darkness(edges, x, self.spot_mm)
            if rng is not None:
                level += float(rng.normal(0.0, self.noise))
            out.append(max(0, min(_TOP, round(level))))
        return out


def travel_at(motion: Motion, seconds: float) -> float:
    """Return how far a movement has come."""
    travel = motion.segments[0][1]
    for t0, s0, v0, a, t1, _ in motion.segments:
        if seconds < t0:
            break
        passed = min(seconds, t1) - t0
        travel = s0 + v0 * passed + a * passed * passed / 2
    return travel


def sample_times(motion: Motion, every_s: float) -> Sequence[float]:
    """Return the moments of a movement at which levels are to be known."""
    return [float(moment) for moment in np.arange(0.0, motion.time, every_s)]


def _darkness(edges: Floats, x: float, spot: float) -> float:
    """Return how much of a spot at `x` is dark, 0 to 1. Dark and bright are wider than the spot."""
    if len(edges) == 0:
        return 0.0
    nearest = int(np.argmin(np.abs(edges - x)))
    ramp = min(1.0, max(0.0, (x - float(edges[nearest])) / spot + 0.5))
    return ramp if nearest % 2 == 0 else 1.0 - ramp


def _widened(edges: Floats, by: float) -> Floats:
    """Return sorted edges dark, bright, ... with every dark stretch longer by `by` at both ends; what meets is one."""
    out = edges.copy()
    out[0::2] -= by
    out[1::2] += by
    keep = np.ones(len(out), dtype=np.bool_)
    for at in range(1, len(out) - 1, 2):
        if out[at] >= out[at + 1]:
            keep[at] = keep[at + 1] = False
    return out[keep]


def _places(strip: Strip, clock_b: Floats, dead: int) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    """Return the places of `sensors.places`, with other edges for the second clock line."""
    travel, bits = sensors.places(strip, dead | sensors.CLOCK_B)
    if dead & sensors.CLOCK_B or not len(clock_b):
        return travel, bits
    own = np.full(len(clock_b), sensors.CLOCK_B, dtype=np.uint8)
    own[0::2] |= sensors.TURNS_DARK
    travel = np.concatenate((travel, clock_b + _HALF))
    bits = np.concatenate((bits, own))
    order = np.argsort(travel, kind="stable")
    return travel[order], bits[order]
