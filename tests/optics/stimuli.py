"""The stimulus of the reading campaign: a long, seeded row of passes through one head, each with what it really was.

The campaign itself, which feeds them to the firmware's read head, is tests/bench/reading_campaign.py. Nothing in this
folder imports the firmware.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from shoesim.model import Model
from shoesim.pull import pull
from shoesim.sensors import Edges
from shoetool.model.card_code import BRIDGE_MM, FIRST_BATCH, LAST_BATCH, POKER_MM

FIRST_START_US = (1 << 30) - 3_000_000  # the ticks wrap within the first passes
PAUSE_US = 350_000  # what shows no print may follow no sooner
_KINDS = ("cover", "foreign", "blank", "pull_back", "double_feed", "reversed")


class Stimulus(NamedTuple):
    """One pass: what it is (a kind of `pull`, or "foreign"), its true card and batch, its edges and when it is over."""

    kind: str
    card: int
    batch: int
    edges: Edges
    end_us: int


def stimuli(
    seed: int, chunk: int, count: int, model: Model, batches: tuple[int, ...], others: float = 0.03
) -> Iterator[Stimulus]:
    """Yield `count` passes of chunk `chunk`, the same for the same `seed`.

    Half of the cards are of bridge size, half lie rotated. `others` of them are no cards of `batches` but cover cards,
    cards of another batch, blanks, pull-backs, double feeds and cards pushed in from outside, all equally often.
    """
    rng = np.random.default_rng([seed, chunk])
    sizes = (replace(model, length_mm=POKER_MM), replace(model, length_mm=BRIDGE_MM))
    foreign = [batch for batch in range(FIRST_BATCH, LAST_BATCH + 1) if batch not in batches]
    time_us = FIRST_START_US
    for _ in range(count):
        draw = rng.random(5).tolist()
        kind = _KINDS[int(draw[0] / others * len(_KINDS))] if draw[0] < others else "card"
        card = int(52 * draw[1])
        own = foreign if kind == "foreign" else batches
        batch = own[int(len(own) * draw[2])]
        edges, end_us = pull(
            card,
            batch,
            0,
            time_us,
            rng,
            sizes[draw[3] < 0.5],
            rotated=draw[4] < 0.5,
            kind="card" if kind == "foreign" else kind,
        )
        yield Stimulus(kind, card, batch, edges, end_us)
        time_us = end_us + PAUSE_US
