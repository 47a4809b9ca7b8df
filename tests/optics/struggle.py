"""A pull with every trouble that a hand can have."""

from __future__ import annotations

import math

import numpy as np
from shoesim.hand import Motion, draw_acceleration, draw_rest, draw_speed
from shoesim.model import Profile


def struggle(
    motion: Motion, goal: float, turns: tuple[tuple[float, float], ...], rng: np.random.Generator, profile: Profile
) -> None:
    """Pull on to travel `goal` with every trouble that a hand can have, over and over: jerks, stops and reversals.

    It turns back only inside one of `turns`, stretches of travel (from, to), and never out of that.
    """
    slowest, fastest, hardest = 1000 * profile.slowest, 1000 * profile.fastest, 1000 * profile.acceleration
    while motion.travel < goal:
        what, factor, cruise = rng.random(3)
        speed = 0.0
        if what < 0.4:
            speed = motion.speed * math.exp(3 * factor - 1.5) if motion.speed else draw_speed(rng, profile)
            speed = min(fastest, max(slowest, speed))
        # Within some millimetres, as far as a hand can do that.
        acceleration = min(hardest, abs(speed**2 - motion.speed**2) / 2 / rng.uniform(0.1, 10.0))
        motion.accelerate(speed, max(500.0, acceleration))
        if speed:
            motion.cruise(-3.0 * math.log(1 - cruise))
            continue
        room = [motion.travel - low for low, high in turns if low <= motion.travel <= high]
        if what < 0.7 or not room:
            motion.rest(draw_rest(rng, profile))
        else:
            way = min(room[0], math.exp(rng.uniform(math.log(0.02), math.log(40.0))))
            if way > 0.01:
                motion.hop(-way, draw_acceleration(rng, profile), fastest)
        # So that a row of stops does not last for ever.
        motion.accelerate(draw_speed(rng, profile), draw_acceleration(rng, profile))
        motion.cruise(0.5)
