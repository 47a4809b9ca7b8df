"""Passes with one kind of trouble each, as hard as it comes: what the reading campaign reports class by class.

A class is a function in CLASSES. It draws what goes through the head and how, and says what a perfect head would name.
None of them knows how cards are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import ink_changes
import numpy as np
import trouble_ink as ink
from ambient import Ambient, edges_in
from confusions import confusions
from shoesim import hand, paint, sensors
from shoesim.hand import Motion
from shoesim.model import Model, Profile
from shoesim.paint import Sheet
from shoesim.printing import STRIP_MM
from shoesim.pull import LEAD_MM, blank, extent, joined, mirrored, overlapped, printed
from shoesim.sensors import Edges
from shoetool.model import card_code
from struggle import struggle
from trouble_ink import Draw

_BEYOND = card_code.PRESENT_MM + 1.0  # the card sensor sees a card for certain
_BEFORE = card_code.PRESENT_MM - 1.0  # and no card for certain
_SHORT_STOP = 0.2


class Trial(NamedTuple):
    """One trial: its class, the (card, batch) of every card in it whose code shows, and what a perfect head names.

    expected: "card", "blank", "pull_back" or "double_feed", in order. detail: how hard it was, for the report.
    """

    name: str
    cards: tuple[tuple[int, int], ...]
    expected: tuple[str, ...]
    edges: Edges
    detail: str = ""


class Scene(NamedTuple):
    """What goes through: cards, their movement, the light; what a perfect head would name."""

    sheets: list[Sheet]
    motion: Motion
    expected: tuple[str, ...] = ("card",)
    ambient: Ambient | None = None
    cards: tuple[tuple[int, int], ...] | None = None
    detail: str = ""


# --------------------------------------------------------------------------------------------------- hands


def steady(draw: Draw, sheets: list[Sheet], slowest: float = 0.05) -> Motion:
    """A pull without a stop, at changing speed."""
    profile = replace(draw.model.profile, slowest=slowest)
    motion = Motion(-LEAD_MM, hand.draw_speed(draw.rng, profile))
    hand.pull_through(motion, extent(sheets) + card_code.PRESENT_MM + LEAD_MM, draw.rng, profile)
    return motion


def stopping(draw: Draw, sheets: list[Sheet], stops: int) -> Motion:
    """A pull with so many stops, anywhere."""
    profile = replace(draw.model.profile, longest_stop_s=_SHORT_STOP)
    goal = extent(sheets) + card_code.PRESENT_MM + LEAD_MM
    motion = Motion(-LEAD_MM, hand.draw_speed(draw.rng, profile))
    for place in sorted(draw.rng.uniform(-LEAD_MM + 0.1, goal - LEAD_MM, stops).tolist()):
        if place > motion.travel + 0.01:
            hand.stop_at(motion, place, draw.rng, profile)
            motion.rest(hand.draw_rest(draw.rng, profile))
    hand.go_on(motion, goal, draw.rng, profile)
    return motion


def struggling(draw: Draw, sheets: list[Sheet]) -> Motion:
    """A pull with jerks, stops and reversals over and over, in which the card never leaves the card sensor but once."""
    profile = replace(draw.model.profile, longest_stop_s=_SHORT_STOP)
    length = extent(sheets)
    motion = Motion(-LEAD_MM, hand.draw_speed(draw.rng, profile))
    turns = ((-LEAD_MM, _BEFORE), (_BEYOND, length + _BEFORE))
    struggle(motion, length + card_code.PRESENT_MM + LEAD_MM, turns, draw.rng, profile)
    return motion


# ------------------------------------------------------------------------------------------ ink, dirt and wear


def _inked(change: Callable[[Draw, Sheet, ink_changes.Places], Sheet], stops: int = 0) -> Callable[[Draw], Scene]:
    """Return a class in which the ink was changed, pulled evenly or with up to so many stops."""

    def scene(draw: Draw) -> Scene:
        sheet = draw.printed()
        sheets = [change(draw, sheet, ink_changes.Places(sheet))]
        return Scene(sheets, stopping(draw, sheets, draw.some(stops)) if stops else steady(draw, sheets))

    return scene


def _forged(draw: Draw) -> Scene:
    """At most five separate changes, those that bring the strip nearest to another card."""
    draw.model = replace(draw.model, lost=0.0, flipped=0.0)
    sheet = draw.printed()
    targets = [(card, draw.batch) for card in draw.places(26, 52) if card != draw.card]
    steps, _ = ink_changes.forgery(draw.card, draw.batch, targets)
    if len(steps) > 5:
        steps = [steps[place] for place in sorted(draw.places(5, len(steps)))]
    sheets = [ink_changes.apply(sheet, ink_changes.Places(sheet), steps)]
    return Scene(sheets, steady(draw, sheets))


# --------------------------------------------------------------------------------------- place, skew and light


def _lateral(draw: Draw) -> Scene:
    sheet = draw.printed()
    nodes = np.linspace(0.0, sheet.length + card_code.PRESENT_MM, 4)
    way = draw.rng.uniform(-1.5, 1.5) + draw.rng.uniform(0.0, 1.0) * draw.rng.uniform(-1.0, 1.0, 4)
    sheets = [replace(sheet, across=(nodes, way))]
    return Scene(sheets, steady(draw, sheets))


def _skew(draw: Draw) -> Scene:
    sheet = draw.printed()
    nodes = np.linspace(0.0, sheet.length + card_code.PRESENT_MM, 4)
    turn = draw.rng.uniform(-4.0, 4.0) + draw.rng.uniform(0.0, 1.0) * draw.rng.uniform(-2.0, 2.0, 4)
    sheets = [replace(sheet, turn=(nodes, np.radians(turn)))]
    return Scene(sheets, steady(draw, sheets))


def _lit(duty: bool) -> Callable[[Draw], Scene]:
    def scene(draw: Draw) -> Scene:
        sheets = [draw.printed()]
        deep = draw.rng.uniform(0.05, 0.9)
        a, b, c, d = (deep * draw.rng.uniform(0.5, 1.0, 4)).tolist()
        depth = (a if draw.rng.random() < 0.5 else 0.0, b, c, d)  # a barrier may be well shielded
        hertz = draw.log(100.0, 20_000.0) if duty else float(draw.rng.choice((100.0, 120.0)))
        on = float(draw.rng.uniform(0.1, 0.9)) if duty else 0.0
        slowest = 0.2 if hertz < 2000.0 else 1.0  # so that there are not too many turns to look at
        return Scene(sheets, steady(draw, sheets, slowest), ambient=Ambient(hertz, depth, on, float(draw.rng.random())))

    return scene


# ------------------------------------------------------------------------------------------------ two cards


def _shaded(draw: Draw, sheet: Sheet, x: float) -> Sheet:
    """The edge of a card that lies on this one throws a shadow there, half of the time."""
    if draw.rng.random() < 0.5:
        return sheet
    width = draw.log(0.05, 0.6)
    return paint.darken(sheet, ink_changes.rectangle(x, x + width, 0.0, STRIP_MM), float(draw.rng.uniform(0.3, 1.0)))


def _between(offset: float) -> str:
    """Say how far two cards lay from each other."""
    bounds = (1, 2, 4, 6, 10, 20, 100)
    place = next(place for place, bound in enumerate(bounds) if offset <= bound)
    return f" at {bounds[max(0, place - 1)]} to {bounds[place]} mm"


def _overlap(up: bool) -> Callable[[Draw], Scene]:
    """Two cards at once, one of which lies face up when `up`."""

    def scene(draw: Draw) -> Scene:
        offset = draw.log(1.0, draw.model.length_mm - 1.0)
        other = draw.another()
        own: tuple[tuple[int, int], ...] = ((draw.card, draw.batch), other)
        front, back = draw.printed(), printed(*other, draw.rng, draw.model, draw.rotated)
        front_on_top = bool(draw.rng.random() < 0.5)
        if up:
            if draw.rng.random() < 0.5:
                front, own = blank(draw.rng, draw.model), own[1:]
            else:
                back, own = blank(draw.rng, draw.model), own[:1]
        if front_on_top:
            back = _shaded(draw, back, front.length - offset)
        else:
            front = _shaded(draw, front, offset - 0.3)
        sheets = overlapped(front, back, offset, front_on_top)
        return Scene(sheets, steady(draw, sheets), ("double_feed",), cards=own, detail=_between(offset))

    return scene


def _follower(draw: Draw) -> Scene:
    """A second thing comes under the card sensor within 10 ms after the first one has left it."""
    speed = 1000 * draw.log(0.1, 3.0)
    gap = max(0.8, speed * float(draw.rng.uniform(0.0005, 0.01)))
    things = [draw.printed(), blank(draw.rng, draw.model)]
    other = draw.another()
    kinds = [int(draw.rng.integers(2)), int(draw.rng.integers(2))]
    first = things[kinds[0]]
    second = printed(*other, draw.rng, draw.model) if kinds[1] == 0 else blank(draw.rng, draw.model)
    # Both lie as one skew has them, so that the gap between them is as wide as it is said to be.
    second = replace(second, offset=first.length + gap, turn=first.turn, across=first.across)
    cards = tuple(one for one, kind in zip(((draw.card, draw.batch), other), kinds, strict=True) if kind == 0)
    motion = Motion(-LEAD_MM, speed)
    motion.cruise(second.offset + _BEYOND + LEAD_MM)
    hand.pull_through(motion, extent([second]) + card_code.PRESENT_MM + LEAD_MM, draw.rng, draw.model.profile)
    expected = tuple(("card", "blank")[kind] for kind in kinds)
    return Scene([first, second], motion, expected, cards=cards)


# ------------------------------------------------------------------------------------------ ways to and fro


def _stops(draw: Draw) -> Scene:
    sheets = [draw.printed()]
    return Scene(sheets, stopping(draw, sheets, int(draw.rng.integers(1, 20))))


def _jerk(draw: Draw) -> Scene:
    sheets = [draw.printed()]
    profile = replace(draw.model.profile, acceleration=100.0)
    motion = Motion(-LEAD_MM, hand.draw_speed(draw.rng, profile))
    while motion.travel < extent(sheets) + card_code.PRESENT_MM + LEAD_MM:
        motion.accelerate(hand.draw_speed(draw.rng, profile), 1000 * draw.log(20.0, 100.0))
        motion.cruise(float(draw.rng.exponential(2.0)))
    return Scene(sheets, motion)


def _reversals(draw: Draw) -> Scene:
    sheets = [draw.printed()]
    return Scene(sheets, struggling(draw, sheets))


def _aimed(draw: Draw) -> Scene:
    """A mark is gone where the strip comes near to another card, and the hand hesitates at the mark that would be."""
    draw.model = replace(draw.model, lost=0.0, flipped=0.0)  # two damages in all: so far no card may be wrong
    near = confusions(draw.card, draw.batch, draw.batches)
    # The nearest most of all.
    one = near[min(int(draw.rng.exponential(4.0)), len(near) - 1)]
    sheet = draw.printed()
    at = ink_changes.Places(sheet)
    change = ink_changes.join if one.gone < len(at) - 1 and draw.rng.random() < 0.5 else ink_changes.lose
    sheet = change(sheet, at, min(one.gone, len(at) - 1))
    for cell in one.flips[: int(draw.rng.integers(2))]:
        sheet = ink_changes.set_cell(sheet, at, cell, not card_code.frame_cells(draw.card, draw.batch)[cell])
    hurry, hesitate = (at.start + at.pitch * place for place in (one.gone, one.seems))
    speed = 1000 * draw.log(0.05, 1.0)
    hardest = 1000 * draw.log(5.0, 100.0)
    motion = Motion(-LEAD_MM, speed)
    for place, stops in sorted(((hurry, False), (hesitate, True))):
        motion.cruise(place - float(draw.rng.uniform(0.0, 2.0)) - motion.travel)
        if stops and draw.rng.random() < 0.5:
            motion.accelerate(0.0, hardest)
            motion.rest(draw.log(0.001, 0.1))
        else:
            motion.accelerate(speed * (draw.log(0.1, 0.5) if stops else draw.log(1.5, 4.0)), hardest)
            motion.cruise(float(draw.rng.uniform(0.5, 3.0)))
        motion.accelerate(speed, hardest)
    motion.cruise(extent([sheet]) + card_code.PRESENT_MM + LEAD_MM - motion.travel)
    return Scene([sheet], motion)


def _damage_and_reversals(draw: Draw) -> Scene:
    sheet = draw.printed()
    sheets = [ink.any_mark(draw, sheet, ink_changes.Places(sheet))]
    return Scene(sheets, struggling(draw, sheets))


def _blank_stops(draw: Draw) -> Scene:
    sheets = [blank(draw.rng, draw.model)]
    return Scene(sheets, struggling(draw, sheets) if draw.rng.random() < 0.5 else steady(draw, sheets), ("blank",))


def _profile(draw: Draw) -> Profile:
    return replace(draw.model.profile, longest_stop_s=_SHORT_STOP)


def _go_back(draw: Draw, motion: Motion, deepest: float, back_to: float) -> None:
    """Pull to `deepest`, rest there, and push back to `back_to`."""
    profile = _profile(draw)
    hand.stop_at(motion, deepest, draw.rng, profile)
    motion.rest(hand.draw_rest(draw.rng, profile))
    motion.hop(back_to - motion.travel, hand.draw_acceleration(draw.rng, profile), 1000 * profile.fastest)
    motion.rest(0.02 + hand.draw_rest(draw.rng, profile))


def _pull_backs(draw: Draw) -> Scene:
    """The card is drawn under the card sensor and pushed back, up to three times, and then drawn."""
    sheets = [draw.printed()]
    motion = Motion(-LEAD_MM, 1000 * draw.log(0.05, 3.0))
    times = draw.some(3)
    for _ in range(times):
        deepest = float(draw.rng.uniform(_BEYOND, extent(sheets) - 4.0))
        _go_back(draw, motion, deepest, float(draw.rng.uniform(-LEAD_MM, _BEFORE)))
    hand.go_on(motion, extent(sheets) + card_code.PRESENT_MM + LEAD_MM, draw.rng, _profile(draw))
    return Scene(sheets, motion, ("pull_back",) * times + ("card",))


def _touched(draw: Draw) -> Scene:
    """The card is touched up to three times without coming under the card sensor, and then drawn."""
    sheets = [draw.printed()]
    motion = Motion(-LEAD_MM, 1000 * draw.log(0.05, 3.0))
    for _ in range(draw.some(3)):
        deepest = float(draw.rng.uniform(0.0, _BEFORE))
        _go_back(draw, motion, deepest, float(draw.rng.uniform(-LEAD_MM, deepest - 0.5)))
    hand.go_on(motion, extent(sheets) + card_code.PRESENT_MM + LEAD_MM, draw.rng, _profile(draw))
    return Scene(sheets, motion)


def _out_and_back(draw: Draw) -> Scene:
    """The card leaves the card sensor, is pushed back under it, and drawn again: one card, and nothing else."""
    sheets = [draw.printed()]
    left = extent(sheets) + card_code.PRESENT_MM
    motion = steady(draw, sheets)
    back = Motion(motion.travel, 0.0)
    for _ in range(draw.some(2)):
        inside = left - draw.log(1.0, extent(sheets) - 2.0)
        back.hop(inside - back.travel, hand.draw_acceleration(draw.rng, _profile(draw)), 1000.0)
        back.rest(hand.draw_rest(draw.rng, _profile(draw)))
        back.hop(left + LEAD_MM - back.travel, hand.draw_acceleration(draw.rng, _profile(draw)), 1000.0)
    return Scene(sheets, joined(motion, draw.log(0.001, 0.5), back))


def _pushed_in(draw: Draw) -> Scene:
    """A card is pushed in from outside: nothing was dealt, and no card is to be named."""
    sheets = [draw.printed()]
    goal = extent(sheets) + card_code.PRESENT_MM + LEAD_MM
    return Scene(sheets, mirrored(goal, draw.rng, draw.model.profile), ("unreadable reversed",))


def _mixed(draw: Draw) -> Scene:
    """Several troubles at once."""
    sheet = draw.printed()
    at = ink_changes.Places(sheet)
    for number in sorted(draw.places(draw.some(4), len(ink.ALL))):
        sheet = ink.ALL[number](draw, sheet, at)
    nodes = np.linspace(0.0, sheet.length + card_code.PRESENT_MM, 4)
    sheets = [replace(sheet, across=(nodes, draw.rng.uniform(-0.8, 0.8, 4)))]
    return Scene(sheets, struggling(draw, sheets) if draw.rng.random() < 0.5 else steady(draw, sheets))


CLASSES: dict[str, Callable[[Draw], Scene]] = {
    "lost": _inked(ink.lost),
    "joined": _inked(ink.joined),
    "added": _inked(ink.added),
    "split": _inked(ink.split),
    "lost_and_added": _inked(ink.lost_and_added),
    "damage_and_stops": _inked(ink.any_mark, stops=8),
    "aimed": _aimed,
    "damage_and_reversals": _damage_and_reversals,
    "specks": _inked(ink.specks),
    "scratches": _inked(ink.scratches),
    "correlated": _inked(ink.correlated),
    "lateral": _lateral,
    "skew": _skew,
    "fading": _inked(ink.fading),
    "weak_clock": _inked(ink.weak(1)),
    "weak_data": _inked(ink.weak(0)),
    "flicker": _lit(duty=False),
    "pwm": _lit(duty=True),
    "overlap": _overlap(up=False),
    "overlap_face_up": _overlap(up=True),
    "follower": _follower,
    "stops": _stops,
    "jerk": _jerk,
    "reversals": _reversals,
    "blank": _blank_stops,
    "pull_backs": _pull_backs,
    "touched": _touched,
    "out_and_back": _out_and_back,
    "pushed_in": _pushed_in,
    "forged": _forged,
    "mixed": _mixed,
}


def trials(name: str, seed: int, chunk: int, count: int, model: Model, batches: tuple[int, ...]) -> Iterator[Trial]:
    """Yield `count` trials of class `name` in chunk `chunk`, the same for the same `seed`.

    Half of the cards are of bridge size, half lie rotated.
    """
    rng = np.random.default_rng([seed, chunk, *name.encode()])
    sizes = (replace(model, length_mm=card_code.POKER_MM), replace(model, length_mm=card_code.BRIDGE_MM))
    for _ in range(count):
        number = rng.integers((52, len(batches), 2, 2)).tolist()
        draw = Draw(rng, sizes[number[2]], batches, number[0], batches[number[1]], bool(number[3]))
        scene = CLASSES[name](draw)
        # At any time of the ticks, which wrap.
        start_us = int(rng.integers(1 << 30))
        eyes = sensors.draw_eyes(rng, draw.model)
        edges = edges_in(scene.ambient, scene.sheets, scene.motion, start_us, rng, eyes)
        shows = ((draw.card, draw.batch),) if scene.expected != ("blank",) else ()
        cards = shows if scene.cards is None else scene.cards
        yield Trial(name, cards, scene.expected, edges, scene.detail)
