"""Pull one thing through a read head: a printed card, a hand and four sensors, all drawn from one seeded generator.

The generator is a numpy Generator (`numpy.random.default_rng(seed)`); equal seeds and calls give equal edges.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from shoetool.model import card_code
from shoetool.model.errors import BadInput
from shoetool.simulate import hand, printing, sensors
from shoetool.simulate.hand import Motion
from shoetool.simulate.model import HARSH, IDEAL, NOMINAL, PRESETS, Model, Profile
from shoetool.simulate.printing import Strip
from shoetool.simulate.sensors import Edges

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
    strip, motion = prepare(card, batch, rng, model, profile, rotated, kind)
    travel, bits = sensors.places(strip, _DEAD.get(kind, 0))
    edges = sensors.edges(travel, bits, motion, start_us, rng, model)
    return edges, start_us + sensors.duration_us(motion) + math.ceil(10 * model.jitter_us)


def prepare(
    card: int, batch: int, rng: np.random.Generator, model: Model, profile: Profile, rotated: bool, kind: str
) -> tuple[Strip, Motion]:
    """Return what one thing shows and how it moves, both drawn as in `pull`; not for "saturated" and "dirty"."""
    strip = _strip(card_code.COVER_CARD if kind == "cover" else card, batch, rng, model, rotated, kind)
    return strip, _motion(strip, rng, profile, kind)


def _strip(card: int, batch: int, rng: np.random.Generator, model: Model, rotated: bool, kind: str) -> Strip:
    """Print what goes through."""
    if kind == "blank":
        return printing.print_blank(model.length_mm)
    strip = printing.print_card(card_code.frame_cells(card, batch), rng, model, rotated)
    if kind != "double_feed":
        return strip
    other_card = int(rng.integers(52))
    other = printing.print_card(card_code.frame_cells(other_card, batch), rng, model, rotated)
    # The other card trails by so much that at least three of its marks show, and at most with a small gap between.
    return overlapped(strip, other, float(rng.uniform(14.0, model.length_mm + 1.0)), bool(rng.integers(2)))


def overlapped(front: Strip, back: Strip, offset: float, front_on_top: bool) -> Strip:
    """Return what two cards show, `back` trailing by `offset` mm; the head sees the whole of the one on top."""
    length = front.length
    moved = replace(back, clock=back.clock + offset, data=back.data + offset)
    if front_on_top:
        clock = np.concatenate((front.clock, printing.lighten(moved.clock, 0.0, length)))
        data = np.concatenate((front.data, printing.lighten(moved.data, 0.0, length)))
    else:
        clock = np.concatenate((printing.lighten(front.clock, offset, offset + length), moved.clock))
        data = np.concatenate((printing.lighten(front.data, offset, offset + length), moved.data))
    if offset < length:
        present = np.array([front.present[0], front.present[1] + offset])
    else:
        present = np.array([front.present[0], max(front.present[1] + offset, front.present[1])])
    return replace(front, length=length + offset, present=present, clock=np.sort(clock), data=np.sort(data))


def _motion(strip: Strip, rng: np.random.Generator, profile: Profile, kind: str) -> Motion:
    """Draw how the hand moves it."""
    goal = strip.length + card_code.PRESENT_MM + LEAD_MM
    if kind == "reversed":
        return _mirrored(goal, rng, profile)
    if kind in _READER:
        return _slid(strip, goal, rng, profile, kind)
    motion = Motion(-LEAD_MM, hand.draw_speed(rng, profile))
    if kind == "pull_back":
        deepest = strip.length - 4.0
        hand.stop_at(motion, float(rng.uniform(card_code.PRESENT_MM + 1.0, deepest)), rng, profile)
        motion.rest(hand.draw_rest(rng, profile) / 10)
        motion.hop(-LEAD_MM - motion.travel, hand.draw_acceleration(rng, profile), 1000 * profile.fastest)
        return motion
    if rng.random() < profile.hesitation:
        # Beyond the card sensor, so that the card does not leave it again.
        lowest = card_code.PRESENT_MM + 1.0
        hand.hesitate(motion, lowest, strip.length + card_code.PRESENT_MM - 1.0, goal, rng, profile)
    else:
        hand.pull_through(motion, goal, rng, profile)
    return motion


def _mirrored(goal: float, rng: np.random.Generator, profile: Profile) -> Motion:
    """Return a movement that pushes the card in from outside."""
    there = Motion(-goal, hand.draw_speed(rng, profile))
    hand.pull_through(there, LEAD_MM, rng, profile)
    back = Motion(goal, 0.0)
    back.segments = [(t0, -s0, -v0, -a, t1, -s1) for t0, s0, v0, a, t1, s1 in there.segments]
    back.time = there.time
    return back


def _slid(strip: Strip, goal: float, rng: np.random.Generator, profile: Profile, kind: str) -> Motion:
    """Draw how a dealer slides the hole card into the reader's groove and back: in backwards, out forwards."""
    if kind == "peek_short":
        way = Motion(goal, 0.0)
        deepest = float(rng.uniform(14.0, strip.length - 6.0))
        way.hop(deepest - goal, hand.draw_acceleration(rng, profile), 1000 * profile.fastest)
        way.rest(AT_STOP_S)
        way.hop(goal - deepest, hand.draw_acceleration(rng, profile), 1000 * profile.fastest)
        return way
    way = _mirrored(goal, rng, profile)
    out = _motion(strip, rng, profile, "card")
    later = way.time + AT_STOP_S * float(rng.uniform(0.5, 1.5))
    way.segments += [(t0 + later, s0, v0, a, t1 + later, s1) for t0, s0, v0, a, t1, s1 in out.segments]
    way.time = later + out.time
    return way
