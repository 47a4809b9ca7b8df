"""How good cards, heads and hands are: one frozen declaration, with three presets that the reading figures name."""

from __future__ import annotations

from dataclasses import dataclass

from shoetool.model.card_code import POKER_MM


@dataclass(frozen=True, slots=True)
class Profile:
    """How a hand pulls: speeds in m/s, accelerations in m/s2, and how often it stops, stutters or goes back."""

    slowest: float = 0.05
    fastest: float = 3.0
    acceleration: float = 20.0
    hesitation: float = 0.0
    longest_stop_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Model:
    """Tolerances of print and sensors. A length or angle `x` is drawn evenly from -x to +x unless said otherwise.

    lost, flipped: chance of each clock mark to be lost and of each data cell to be flipped. pitch: relative. ink_mm:
    how far ink spread and ambient light move an edge between dark and bright. wear_mm: by how much marks have shrunk.
    hysteresis_mm: a sensor switches so much later in the direction of movement. jitter_us: standard deviation of each
    edge's time. delay_us: a line's own delay, the comparator's and amplifier's bandwidth. specks: mean number of dark
    specks on each track, speck_mm wide. present_offset_mm: distance of card sensor and clock track across the pull.
    """

    lost: float = 0.0
    flipped: float = 0.0
    pitch: float = 0.0
    skew_deg: float = 0.0
    jitter_us: float = 0.0
    registration_mm: float = 0.0
    ink_mm: float = 0.0
    wear_mm: float = 0.0
    hysteresis_mm: float = 0.0
    delay_us: float = 0.0
    specks: float = 0.0
    speck_mm: tuple[float, float] = (0.1, 1.5)
    present_offset_mm: float = 10.0
    length_mm: float = POKER_MM
    profile: Profile = Profile()


IDEAL = Model()
NOMINAL = Model(
    lost=1e-5,
    flipped=1e-5,
    pitch=0.01,
    skew_deg=1.0,
    jitter_us=5.0,
    registration_mm=0.2,
    ink_mm=0.03,
    hysteresis_mm=0.02,
    delay_us=3.0,
    profile=Profile(hesitation=0.01),
)
HARSH = Model(
    lost=1e-3,
    flipped=1e-3,
    pitch=0.03,
    skew_deg=2.0,
    jitter_us=20.0,
    registration_mm=0.3,
    ink_mm=0.05,
    wear_mm=0.05,
    hysteresis_mm=0.04,
    delay_us=8.0,
    profile=Profile(hesitation=0.05),
)
PRESETS = {"ideal": IDEAL, "nominal": NOMINAL, "harsh": HARSH}
