"""How a hand moves a card: segments of constant acceleration, any of which may lead backwards.

Lengths in millimetres, times in seconds, speeds in mm/s. `travel` is how far the card's leading edge has come past the
head's reference line.
"""

from __future__ import annotations

import math

import numpy as np

from shoesim.model import Profile


class Motion:
    """A movement put together from segments (start time, start travel, speed, acceleration, end time, end travel)."""

    def __init__(self, travel: float, speed: float) -> None:
        self.segments: list[tuple[float, float, float, float, float, float]] = []
        self.time = 0.0
        self.travel = travel
        self.speed = speed

    def accelerate(self, speed: float, acceleration: float) -> None:
        """Change to `speed` at `acceleration` (a positive number); the movement keeps its direction on the way."""
        change = speed - self.speed
        if change:
            self._add(math.copysign(acceleration, change), abs(change) / acceleration, speed)

    def cruise(self, distance: float) -> None:
        """Keep the speed for `distance` (positive, whatever the direction)."""
        if distance > 0:
            self._add(0.0, distance / abs(self.speed), self.speed)

    def rest(self, seconds: float) -> None:
        """Stand still; the speed must be 0."""
        self.time += seconds

    def hop(self, distance: float, acceleration: float, fastest: float) -> None:
        """From rest, go `distance` (negative: back) and come to rest."""
        sign = math.copysign(1.0, distance)
        peak = min(fastest, math.sqrt(abs(distance) * acceleration))
        self.accelerate(sign * peak, acceleration)
        self.cruise(abs(distance) - peak * peak / acceleration)
        self.accelerate(0.0, acceleration)

    def _add(self, acceleration: float, seconds: float, speed: float) -> None:
        end = self.time + seconds
        travel = self.travel + (self.speed + speed) / 2 * seconds
        self.segments.append((self.time, self.travel, self.speed, acceleration, end, travel))
        self.time, self.travel, self.speed = end, travel, speed


def draw_speed(rng: np.random.Generator, profile: Profile) -> float:
    """Return a speed in mm/s, its logarithm drawn evenly over the profile's range."""
    low, high = math.log(profile.slowest), math.log(profile.fastest)
    return 1000 * math.exp(low + (high - low) * rng.random())


def draw_acceleration(rng: np.random.Generator, profile: Profile) -> float:
    """Return an acceleration in mm/s2 between a twentieth and the whole of the profile's."""
    return 1000 * profile.acceleration * float(rng.uniform(0.05, 1.0))


def pull_through(motion: Motion, goal: float, rng: np.random.Generator, profile: Profile) -> None:
    """Pull on to travel `goal`, changing speed now and then, never below or above the profile's range."""
    low, high = 1000 * profile.slowest, 1000 * profile.fastest
    while motion.travel < goal:
        factor, cruise = rng.random(2)
        speed = min(high, max(low, motion.speed * math.exp(2 * factor - 1)))
        motion.accelerate(speed, draw_acceleration(rng, profile))
        motion.cruise(2 + 38 * float(cruise))


def stop_at(motion: Motion, place: float, rng: np.random.Generator, profile: Profile) -> None:
    """Pull on to `place` and come to rest there, with what speed and deceleration the way allows."""
    acceleration = draw_acceleration(rng, profile)
    way = place - motion.travel
    if motion.speed == 0:
        motion.hop(way, acceleration, draw_speed(rng, profile))
        return
    speed = min(draw_speed(rng, profile), math.sqrt(2 * acceleration * way))
    motion.speed = speed
    motion.cruise(way - speed * speed / (2 * acceleration))
    motion.accelerate(0.0, acceleration)


def draw_rest(rng: np.random.Generator, profile: Profile) -> float:
    """Return seconds of rest, their logarithm drawn evenly from 1 ms to the longest stop."""
    return math.exp(float(rng.uniform(math.log(1e-3), math.log(profile.longest_stop_s))))


def hesitate(motion: Motion, place: float, lowest: float, rng: np.random.Generator, profile: Profile) -> str:
    """Come to rest at travel `place`, and stop, stutter or go back there, never below `lowest`; say which."""
    what = ("stop", "stutter", "back")[int(rng.integers(3))]
    stop_at(motion, place, rng, profile)
    fastest = 1000 * profile.fastest
    if what == "stop":
        motion.rest(draw_rest(rng, profile))
    for _ in range(0 if what == "stop" else 1 if what == "back" else int(rng.integers(2, 9))):
        room = motion.travel - lowest
        distance = min(room, float(rng.uniform(0.05, 25.0 if what == "back" else 2.0)))
        if distance > 0.01:
            motion.hop(-distance, draw_acceleration(rng, profile), fastest)
            motion.rest(draw_rest(rng, profile) / 10)
            if what == "stutter":
                motion.hop(distance * float(rng.uniform(0.2, 1.0)), draw_acceleration(rng, profile), fastest)
    return what


def go_on(motion: Motion, goal: float, rng: np.random.Generator, profile: Profile) -> None:
    """Pull on from rest to travel `goal`."""
    motion.accelerate(draw_speed(rng, profile), draw_acceleration(rng, profile))
    pull_through(motion, goal, rng, profile)
