"""What a hand does at a shoe, whatever board it has: cards pulled through a head, hole cards slid into the reader."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from shoetool.model.protocol_table import Head

from shoesim.piles import Item
from shoesim.pull import IDEAL, NOMINAL, Model, Profile, pull

HAND = Profile(slowest=0.4, fastest=2.0, hesitation=0.01, longest_stop_s=1.0)  # a dealer's hand at work
_CLOCK_A, _DATA = 2, 8
_TURNS = 52  # of a clock line while a card goes through, in either direction
ANSWER_S = 0.3  # the reader answers a quarter of a second after the card left it


class Passes(ABC):
    """A hand. `now_us` is the simulated time, in running µs that do not wrap.

    `gap_s` lies between the end of a pass and the next start; `period_s` sets the time from the start of a pass to
    the start of the next, as far as the hand is quick enough. `seed` moves hand, light and dirt of the passes.
    """

    def __init__(
        self,
        *,
        model: Model = NOMINAL,
        seed: int = 1,
        gap_s: float = 0.25,
        period_s: float = 0.0,
        profile: Profile = HAND,
        start_us: int = 0,
    ) -> None:
        self.model = model
        self.profile = profile
        self.gap_us = int(gap_s * 1e6)
        self.period_us = int(period_s * 1e6)
        self.now_us = start_us
        self._last_start = start_us - self.period_us
        self._rng = np.random.default_rng([0x5EED, seed])

    @abstractmethod
    def feed(self, head: int, changes: list[tuple[int, int]], end_us: int) -> None:
        """Play the edges of one pass, (wrapping 30-bit µs, lines), and let the time pass to its end."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Let simulated time pass."""

    def draw(self, head: int, item: Item) -> None:
        """Pull one thing all the way out through a read head, from either end (the code is rotation symmetric)."""
        kind = "cover" if item.is_cover else "blank" if item.face_up else "card"
        rotated = bool(self._rng.random() < 0.5)
        start = max(self.now_us + self.gap_us, self._last_start + self.period_us)
        self._last_start = start
        model, profile = (IDEAL, IDEAL.profile) if item.damaged else (self.model, self.profile)
        changes, end = pull(item.card, item.batch, head, start, self._rng, model, profile, rotated=rotated, kind=kind)
        self.feed(head, _spoil(changes) if item.damaged else changes, end)

    def peek(self, item: Item) -> None:
        """Slide a card into the card reader device to the stop and out again, and wait for the answer."""
        start = max(self.now_us + self.gap_us, self._last_start + self.period_us)
        self._last_start = start
        model, profile = (IDEAL, IDEAL.profile) if item.damaged else (self.model, self.profile)
        rotated = bool(self._rng.random() < 0.5)
        head = int(Head.READER)
        kind = "blank" if item.face_up else "peek"
        changes, end = pull(item.card, item.batch, head, start, self._rng, model, profile, rotated=rotated, kind=kind)
        self.feed(head, _spoil(changes) if item.damaged else changes, end)
        self.wait(ANSWER_S)


def _spoil(changes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the edges of a card whose data track is scratched over four cells: more than the code can repair."""
    spoiled: list[tuple[int, int]] = []
    marks = before = 0
    for micros, lines in changes:
        marks += (lines ^ before) & _CLOCK_A == _CLOCK_A
        before = lines
        spoiled.append((micros, lines ^ _DATA if 16 <= marks % _TURNS < 24 else lines))
    return spoiled
