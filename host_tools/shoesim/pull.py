"""Pull one thing through a read head: a printed card, a hand and four sensors, all drawn from one seeded generator.

The generator is a numpy Generator (`numpy.random.default_rng(seed)`); equal seeds and calls give equal edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from shoetool.model import card_code
from shoetool.model.errors import BadInput

from shoesim import hand, paint, printing, sensors
from shoesim.hand import Motion
from shoesim.model import HARSH, IDEAL, NOMINAL, PRESETS, Model, Profile
from shoesim.paint import Sheet
from shoesim.sensors import Edges

__all__ = ["HARSH", "IDEAL", "KINDS", "NOMINAL", "PRESETS", "Model", "Profile", "pull"]

LEAD_MM = 3.0  # a pull begins and ends so far from everything that a head can see
STORM_EDGES = 4000
DIRTY_US = 20_000_000
AT_STOP_S = 0.3  # how long a card rests at the stop of the reader

_DEAD = {
    "stuck_present": sensors.PRESENT,
    "stuck_a": sensors.CLOCK_A,
    "stuck_b": sensors.CLOCK_B,
    "stuck_data": sensors.DATA,
}
_READER = ("peek", "peek_short")
KINDS = ("card", "cover", "blank", "pull_back", "double_feed", "reversed", *_READER, *_DEAD, "dirty", "saturated")


def pull(
    card: int,
    batch: int,
    head: int,
    start_us: int,
    rng: np.random.Generator,
    model: Model = NOMINAL,
    profile: Profile | None = None,
    rotated: bool = False,
    kind: str = "card",
) -> tuple[Edges, int]:
    """Return the edges (time in wrapping 30-bit µs, lines) of one thing at head `head`, and when it is over.

    `start_us` and the returned end are running µs that do not wrap. The lines are bright before and after.
    `profile` overrides the model's. kind: "card", "cover" (the cover card of `batch`), "blank" (a face-up card),
    "pull_back", "double_feed", "reversed" (pushed in from outside), "peek" (into the card reader device to the stop and
    out again), "peek_short" (in, not to the stop, and out), "stuck_present", "stuck_a", "stuck_b", "stuck_data" (a card
    past a dead line), "dirty" (a clock line goes dark and stays), "saturated" (a storm of edges). BadInput for another
    one.
    """
    if kind not in KINDS:
        raise BadInput(f"no such thing to pull: {kind!r}; one of {', '.join(KINDS)}")
    profile = profile or model.profile
    if kind == "saturated":
        edges = sensors.storm(STORM_EDGES, start_us, rng)
        return edges, start_us + STORM_EDGES * 40 + 100
    if kind == "dirty":
        return [(start_us & 0x3FFFFFFF, sensors.CLOCK_A)], start_us + DIRTY_US
    sheets, motion = prepare(card, batch, rng, model, profile, rotated, kind)
    edges = sensors.edges(sheets, motion, start_us, rng, sensors.draw_eyes(rng, model, _DEAD.get(kind, 0)))
    return edges, over_us(start_us, motion, model)


def over_us(start_us: int, motion: Motion, model: Model) -> int:
    """Return when no edge of a movement from `start_us` on comes any more."""
    return start_us + sensors.duration_us(motion) + math.ceil(10 * (model.jitter_us + model.lag_us) + model.delay_us)


def prepare(
    card: int, batch: int, rng: np.random.Generator, model: Model, profile: Profile, rotated: bool, kind: str
) -> tuple[list[Sheet], Motion]:
    """Return what one thing shows and how it moves, both drawn as in `pull`; not for "saturated" and "dirty"."""
    sheets = _sheets(card_code.COVER_CARD if kind == "cover" else card, batch, rng, model, rotated, kind)
    return sheets, _motion(extent(sheets), rng, profile, kind)


def extent(sheets: Sequence[Sheet]) -> float:
    """Return how far it is from the first leading edge to the last trailing edge."""
    return max(sheet.offset + sheet.length for sheet in sheets)


def printed(card: int, batch: int, rng: np.random.Generator, model: Model, rotated: bool = False) -> Sheet:
    """Return one card as it is printed and lies in the guide."""
    return printing.laid(printing.print_card(card_code.frame_cells(card, batch), rng, model, rotated), rng, model)


def blank(rng: np.random.Generator, model: Model) -> Sheet:
    """Return one card that lies face up, as it lies in the guide."""
    return printing.laid(printing.print_blank(model.length_mm), rng, model)


def _sheets(card: int, batch: int, rng: np.random.Generator, model: Model, rotated: bool, kind: str) -> list[Sheet]:
    """Print what goes through."""
    if kind == "blank":
        return [blank(rng, model)]
    sheet = printed(card, batch, rng, model, rotated)
    if kind != "double_feed":
        return [sheet]
    other = printed(int(rng.integers(52)), batch, rng, model, rotated)
    # The other card trails by so much that at least three of its marks show, and the card sensor sees no gap.
    return overlapped(sheet, other, float(rng.uniform(14.0, model.length_mm - 1.0)), bool(rng.integers(2)))


def overlapped(front: Sheet, back: Sheet, offset: float, front_on_top: bool) -> list[Sheet]:
    """Return what two cards show, `back` trailing by `offset` mm; the head sees the whole of the one on top."""
    if front_on_top:
        return [front, paint.hidden(replace(back, offset=offset), -offset, front.length - offset)]
    return [paint.hidden(front, offset, offset + back.length), replace(back, offset=offset)]


def _motion(length: float, rng: np.random.Generator, profile: Profile, kind: str) -> Motion:
    """Draw how the hand moves what is `length` long."""
    goal = length + card_code.PRESENT_MM + LEAD_MM
    if kind == "reversed":
        return mirrored(goal, rng, profile)
    if kind in _READER:
        return _slid(length, goal, rng, profile, kind)
    motion = Motion(-LEAD_MM, hand.draw_speed(rng, profile))
    if kind == "pull_back":
        deepest = length - 4.0
        hand.stop_at(motion, float(rng.uniform(card_code.PRESENT_MM + 1.0, deepest)), rng, profile)
        motion.rest(hand.draw_rest(rng, profile) / 10)
        motion.hop(-LEAD_MM - motion.travel, hand.draw_acceleration(rng, profile), 1000 * profile.fastest)
        return motion
    # Beyond the card sensor, so that the card does not leave it again.
    lowest, highest = card_code.PRESENT_MM + 1.0, length + card_code.PRESENT_MM - 1.0
    places = []
    while rng.random() < profile.hesitation:
        places.append(float(rng.uniform(lowest, highest)))
    for place in sorted(places):
        if place > motion.travel:
            hand.hesitate(motion, place, lowest, rng, profile)
    if places:
        hand.go_on(motion, goal, rng, profile)
    else:
        hand.pull_through(motion, goal, rng, profile)
    return motion


def mirrored(goal: float, rng: np.random.Generator, profile: Profile) -> Motion:
    """Return a movement that pushes the card in from outside."""
    there = Motion(-goal, hand.draw_speed(rng, profile))
    hand.pull_through(there, LEAD_MM, rng, profile)
    back = Motion(goal, 0.0)
    back.segments = [(t0, -s0, -v0, -a, t1, -s1) for t0, s0, v0, a, t1, s1 in there.segments]
    back.time = there.time
    back.travel = -there.travel
    return back


def joined(first: Motion, pause_s: float, second: Motion) -> Motion:
    """Return one movement and, `pause_s` later, another."""
    later = first.time + pause_s
    both = Motion(second.travel, second.speed)
    moved = [(t0 + later, s0, v0, a, t1 + later, s1) for t0, s0, v0, a, t1, s1 in second.segments]
    both.segments = first.segments + moved
    both.time = later + second.time
    return both


def _slid(length: float, goal: float, rng: np.random.Generator, profile: Profile, kind: str) -> Motion:
    """Draw how a dealer slides the hole card into the reader's groove and back: in backwards, out forwards."""
    if kind == "peek_short":
        way = Motion(goal, 0.0)
        deepest = float(rng.uniform(14.0, length - 6.0))
        way.hop(deepest - goal, hand.draw_acceleration(rng, profile), 1000 * profile.fastest)
        way.rest(AT_STOP_S)
        way.hop(goal - deepest, hand.draw_acceleration(rng, profile), 1000 * profile.fastest)
        return way
    way = mirrored(goal, rng, profile)
    return joined(way, AT_STOP_S * float(rng.uniform(0.5, 1.5)), _motion(length, rng, profile, "card"))
