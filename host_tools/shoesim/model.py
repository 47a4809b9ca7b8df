"""How good cards, heads and hands are: one frozen declaration, with three presets that the reading figures name."""

from __future__ import annotations

from dataclasses import dataclass

from shoetool.model.card_code import POKER_MM


@dataclass(frozen=True, slots=True)
class Profile:
    """How a hand pulls: speeds in m/s, accelerations in m/s2, and how often it stops, stutters or goes back.

    hesitation: the chance that it does so once more, so that a hand may hesitate any number of times.
    """

    slowest: float = 0.05
    fastest: float = 3.0
    acceleration: float = 20.0
    hesitation: float = 0.0
    longest_stop_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Model:
    """Tolerances of print, head and guide. A length or angle `x` is drawn evenly from -x to +x unless said otherwise.

    Print. lost, flipped: chance of each clock mark to be lost and of each data cell to be flipped. pitch: relative.
    registration_mm, lateral_mm: of the strip along and across the pull. ink_mm: how far ink spreads beyond its edge.
    wear_mm: by how much marks have shrunk. contrast: the part of the light that ink swallows, drawn evenly between both
    numbers. specks, scratches: mean number of each on the strip, all over its width, of so many mm.

    Guide. skew_deg: the card lies askew. wander_mm, wander_deg: how far place across and skew change on the way.

    Head. spot_mm: what a sensor sees along the pull. mount_mm: each sensor's own place, both ways. hysteresis, noise:
    in parts of the swing between bright and dark. lag_us: time constant of a sensor, between half and the whole of it.
    delay_us: a comparator's own delay, 0 to x. jitter_us: standard deviation of the time of each edge.
    present_offset_mm: distance of card sensor and clock track across the pull.
    """

    lost: float = 0.0
    flipped: float = 0.0
    pitch: float = 0.0
    registration_mm: float = 0.0
    lateral_mm: float = 0.0
    ink_mm: float = 0.0
    wear_mm: float = 0.0
    contrast: tuple[float, float] = (1.0, 1.0)
    specks: float = 0.0
    speck_mm: tuple[float, float] = (0.1, 1.5)
    scratches: float = 0.0
    scratch_mm: tuple[float, float] = (0.05, 0.5)
    skew_deg: float = 0.0
    wander_mm: float = 0.0
    wander_deg: float = 0.0
    spot_mm: float = 0.3
    mount_mm: float = 0.0
    hysteresis: float = 0.0
    noise: float = 0.0
    lag_us: float = 0.0
    delay_us: float = 0.0
    jitter_us: float = 0.0
    present_offset_mm: float = 10.0
    length_mm: float = POKER_MM
    profile: Profile = Profile()


IDEAL = Model()
NOMINAL = Model(
    lost=1e-5,
    flipped=1e-5,
    pitch=0.01,
    registration_mm=0.2,
    lateral_mm=0.2,
    ink_mm=0.03,
    contrast=(0.9, 1.0),
    skew_deg=1.0,
    wander_mm=0.05,
    wander_deg=0.1,
    mount_mm=0.02,
    hysteresis=0.03,
    noise=0.003,
    lag_us=15.0,
    delay_us=3.0,
    jitter_us=5.0,
    profile=Profile(hesitation=0.01),
)
# A skew of 2 degrees alone takes the ends of the strip 0.87 mm to the side, which is nearly all that the tracks bear.
HARSH = Model(
    lost=1e-3,
    flipped=1e-3,
    pitch=0.03,
    registration_mm=0.3,
    lateral_mm=0.05,
    ink_mm=0.05,
    wear_mm=0.05,
    contrast=(0.85, 1.0),
    skew_deg=2.0,
    wander_mm=0.03,
    wander_deg=0.05,
    mount_mm=0.02,
    hysteresis=0.06,
    noise=0.006,
    lag_us=30.0,
    delay_us=8.0,
    jitter_us=20.0,
    profile=Profile(acceleration=100.0, hesitation=0.05),
)
PRESETS = {"ideal": IDEAL, "nominal": NOMINAL, "harsh": HARSH}
