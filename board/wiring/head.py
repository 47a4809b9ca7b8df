"""Where the three sensors of a head look, how far a card may run beside its place, and how evenly they are lit.

Lengths in mm; across the pull they count from the card's edge, along it from the head's reference line. A sensor sees a
patch of the card. With the slit on the card itself that is the slit; with the slit above it the patch is wider, and has
soft borders, as the sensor's chip is no point: over their length the light falls from all to nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from wiring.data import FIRMWARE, Wiring, constant

SHARES = (("all", 1.0), ("three quarters", 0.75), ("half", 0.5))


@dataclass(frozen=True)
class Patch:
    """What a sensor sees in one direction: `wide` from half of the light to half of the light, and the soft borders."""

    wide: float
    soft: float

    @property
    def all(self) -> float:
        """From no light to no light."""
        return self.wide + self.soft

    def beyond(self, share: float) -> float:
        """How far its end of half light may lie beyond a track's border with at least `share` of its light from there.

        The light that is lost is at first that of a triangle, the outer part of a soft border.
        """
        lost = (1 - share) * self.wide
        return lost if lost >= self.soft / 2 else math.sqrt(2 * lost * self.soft) - self.soft / 2


@dataclass(frozen=True)
class Sight:
    """One sensor: its place along and across the pull, its patch across, and the two borders of its track."""

    line: str
    along: float
    across: float
    patch: Patch
    track: tuple[float, float]

    def ends(self, shift: float = 0.0) -> tuple[float, float]:
        """The ends of half light on a card that runs `shift` beside its place: + is too far from its edge."""
        return self.across + shift - self.patch.wide / 2, self.across + shift + self.patch.wide / 2

    def reach(self, share: float) -> tuple[float, float]:
        """The shifts between which at least `share` of the light comes from its track."""
        near, far = self.ends()
        beyond = self.patch.beyond(share)
        return self.track[0] - beyond - near, self.track[1] + beyond - far


@dataclass(frozen=True)
class Body:
    """What is left between the bodies of CLOCK_A and CLOCK_B, along and across: less than 0 where they overlap."""

    along: float
    across: float

    @property
    def free(self) -> float:
        return max(self.along, self.across)


def card_mm(name: str) -> float:
    """A length of the firmware's card_code.py, in mm."""
    return constant("card_code", f"{name}_UM", FIRMWARE) / 1000


def patch(wiring: Wiring, direction: str, above: float) -> Patch:
    """What is seen `along` or `across` through a slit so far above the card: its and the chip's shadow."""
    figures = wiring.raw["head"]
    far = above / figures["sensor_behind_mm"]
    return Patch(figures[f"slit_{direction}_mm"] * (1 + far), figures["chip_mm"] * far)


def sights(wiring: Wiring, above: float = 0.0) -> tuple[Sight, Sight, Sight]:
    """CLOCK_A, CLOCK_B and DATA, from the geometry of the printed code and slits so far above the card."""
    slit = patch(wiring, "across", above)
    clock, data = _track("CLOCK"), _track("DATA")
    middle, apart, quarter = card_mm("CLOCK_TRACK"), card_mm("CLOCK_APART"), card_mm("QUARTER")
    return (
        Sight("CLOCK_A", -quarter / 2, middle - apart / 2, slit, clock),
        Sight("CLOCK_B", quarter / 2, middle + apart / 2, slit, clock),
        Sight("DATA", 0.0, card_mm("DATA_TRACK"), slit, data),
    )


def _track(name: str) -> tuple[float, float]:
    middle, width = card_mm(f"{name}_TRACK"), card_mm(f"{name}_WIDTH")
    return middle - width / 2, middle + width / 2


def tolerance(sights: tuple[Sight, ...], share: float) -> float:
    """How far a card may run to either side with at least `share` of every sensor's light from its own track."""
    return min(min(-low, high) for low, high in (sight.reach(share) for sight in sights))


def clear(sights: tuple[Sight, ...]) -> float:
    """How far a card may run to either side before a patch reaches the other track."""
    found = []
    for sight in sights:
        near, far = sight.ends()
        for other in sights:
            if other.track[0] > sight.track[0]:
                found.append(other.track[0] - far)
            elif other.track[0] < sight.track[0]:
                found.append(near - other.track[1])
    return min(found) - sights[0].patch.soft / 2


def turned(shift: float) -> float:
    """By how many degrees a card may lie askew, in its place else, when an end of its code may run `shift` beside."""
    return math.degrees(math.atan(shift / (card_mm("CODE") / 2)))


def turned_in_rails(wiring: Wiring) -> float:
    """By how many degrees a card can lie askew between the throat's rails: the narrower card, by all of their play."""
    return math.degrees(math.atan(2 * wiring.raw["head"]["throat_play_mm"] / card_mm("BRIDGE")))


def body(wiring: Wiring) -> Body:
    """The two bodies at the largest that their tolerance allows."""
    head = wiring.raw["head"]
    more = head["sensor_more_mm"]
    return Body(
        card_mm("QUARTER") - head["sensor_along_mm"] - more, card_mm("CLOCK_APART") - head["sensor_across_mm"] - more
    )


def light(wiring: Wiring) -> dict[str, float]:
    """How much light falls onto the card under each slit: 1 where an LED points, in the middle of the three.

    An LED that shines half as strong at 60 degrees as straight ahead shines like a matt face, by the cosine; so does
    light fall onto the card. With the square of the distance that makes the fourth power of distance over way.
    """
    found = sights(wiring)
    middle = light_middle(found)
    distance = wiring.raw["head"]["light_mm"]
    return {sight.line: (distance**2 / (distance**2 + (sight.across - middle) ** 2)) ** 2 for sight in found}


def light_middle(sights: tuple[Sight, ...]) -> float:
    """Where the LEDs stand across the pull: in the middle of the outermost slits."""
    places = [sight.across for sight in sights]
    return (min(places) + max(places)) / 2
