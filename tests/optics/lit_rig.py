"""A shoe on the virtual board whose read heads have light: levels that are measured, thresholds that are set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from head_light import HeadLight, sample_times, travel_at
from shoesim import stimulus
from shoesim.piles import Item
from shoesim.pull import NOMINAL, Model, Profile, prepare
from shoesim.rig import Rig

_HEADS = 3
INK = replace(NOMINAL, contrast=(1.0, 1.0))  # a HeadLight says itself how dark ink is
SLOW = Profile(slowest=0.1, fastest=0.3)  # how a technician slides a test card
SAMPLE_S = 0.001


class LitRig(Rig):
    """A Rig with `light`, one HeadLight a head. `paper`: the part of the light that a card sends back, drawn anew for
    each card evenly between both numbers."""

    def __init__(
        self,
        state: Path,
        light: list[HeadLight] | None = None,
        *,
        paper: tuple[float, float] = (0.85, 1.0),
        seed: int = 1,
        **rest: Any,
    ) -> None:
        super().__init__(state, seed=seed, **rest)
        self.light = light or [HeadLight() for _ in range(_HEADS)]
        self.paper = paper
        self._shown = [0] * _HEADS
        self._light_rng = np.random.default_rng([0x11617, seed])

    def start(self) -> None:
        """Power on. Every line that is dark with nothing in the throat is seen at once."""
        self._shown = [0] * _HEADS
        super().start()

    def wait(self, seconds: float) -> None:
        """Let time pass, with nothing in any throat: the firmware can measure it."""
        self._follow()
        super().wait(seconds)

    def sync(self) -> None:
        """Wait until the firmware has worked off everything, with the thresholds that it set on the way."""
        super().sync()
        if self._follow():
            super().sync()

    def _follow(self) -> bool:
        """Take over thresholds, send the levels of the empty throats, and the lines that they make dark or bright."""
        moved = False
        for head, light in enumerate(self.light):
            light.threshold = self.thresholds.get(head, light.threshold)
            self._send(stimulus.levels(head, light.levels(None, 0.0, self._light_rng)))
            dark = light.stuck_dark()
            if dark != self._shown[head]:
                self._shown[head] = dark
                self.now_us += 1000
                self._send(b"".join(stimulus.edges(head, [(self.now_us, dark)])))
                moved = True
        return moved

    def draw(self, head: int, item: Item) -> None:
        """Pull one thing all the way out through a head."""
        kind = "cover" if item.is_cover else "blank" if item.face_up else "card"
        self.slide(head, item.card, item.batch, kind=kind, profile=self.profile, sample_s=0.01)

    def slide(
        self,
        head: int,
        card: int,
        batch: int,
        *,
        kind: str = "card",
        model: Model = INK,
        profile: Profile = SLOW,
        sample_s: float = SAMPLE_S,
    ) -> None:
        """Slide one card past a head, with the levels on its way every `sample_s` of simulated time."""
        self._follow()
        rng = self._light_rng
        light = self.light[head]
        start = self.now_us + self.gap_us
        sheets, motion = prepare(card, batch, rng, model, profile, bool(rng.random() < 0.5), kind)
        paper = float(rng.uniform(*self.paper))
        seen = [((time - start) % stimulus.TICKS_PERIOD, time, lines) for time, lines in light.edges(
            sheets, motion, start, rng, model, paper
        )]  # fmt: skip
        at = 0
        for moment in [*sample_times(motion, sample_s), motion.time + 0.001]:
            part = []
            while at < len(seen) and seen[at][0] <= moment * 1e6:
                part.append(seen[at][1:])
                at += 1
            out = b"".join(stimulus.edges(head, part)) if part else b""
            there = None if moment > motion.time else sheets
            levels = light.levels(there, float(travel_at(motion, moment)), rng, paper)
            self.now_us = start + int(moment * 1e6)
            self._send(out + stimulus.levels(head, levels))
        left = [one[1:] for one in seen[at:]]
        self.now_us = start + int(motion.time * 1e6) + 200
        if left:
            self.feed(head, left, self.now_us)
        else:
            self.wait(0.03)
