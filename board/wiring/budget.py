"""Currents, voltages and time constants, added up from parts.toml and nothing else."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from wiring.data import FIRMWARE, Wiring, constant


@dataclass(frozen=True)
class Draw:
    """A consumer on a rail: mA, of all of them together."""

    rail: str
    what: str
    count: int
    typical: float
    worst: float
    basis: str
    source: str


@dataclass(frozen=True)
class Rail:
    """A rail with its sum in mA, what may be taken, and the figures it is fed on with."""

    name: str
    draws: tuple[Draw, ...]
    typical: float
    worst: float
    limit: float
    limit_from: str
    basis: str


@dataclass(frozen=True)
class Need:
    """A voltage that is there, and one that is needed, in V."""

    what: str
    least: float
    most: float
    need: str
    need_least: float
    need_most: float
    basis: str

    @property
    def met(self) -> bool:
        return self.least >= self.need_least and self.most <= self.need_most


def rails(wiring: Wiring) -> dict[str, Rail]:
    """Every rail, a rail that feeds another one with what that one takes."""
    found: dict[str, Rail] = {}
    for name, entry in wiring.raw["rail"].items():  # in the file each stands behind the one that it carries
        draws = _draws(wiring, name)
        carried = entry.get("carries")
        if carried is not None:
            below = found[carried]
            typical, worst = below.typical, below.worst
            if "efficiency_worst" in entry:
                volts = wiring.raw["rail"][carried]["volts"]
                typical *= volts / (entry["volts"] * entry["efficiency_typical"])
                worst *= volts / (entry["least_volts"] * entry["efficiency_worst"])
            draws.append(Draw(name, f"rail {carried}", 1, typical, worst, "rule", entry.get("ratio_from", "its sum")))
        found[name] = Rail(
            name,
            tuple(draws),
            sum(draw.typical for draw in draws),
            sum(draw.worst for draw in draws),
            entry["limit_ma"],
            entry["limit_from"],
            entry["basis"],
        )
    return found


def _draws(wiring: Wiring, rail: str) -> list[Draw]:
    volts = wiring.raw["rail"][rail]
    together: dict[tuple[str, str], Draw] = {}
    for part in wiring.parts.values():
        for draw in part.entry.get("draws", []):
            if draw["rail"] != rail:
                continue
            typical, worst = _one(wiring, part.ref, draw, volts)
            times = draw.get("count", 1) * part.count
            name = part.number if "each" not in part.entry else f"{part.number} ({part.entry['ref']})"
            key = (name, draw["what"])
            before = together.get(key)
            count = times + (before.count if before else 0)
            together[key] = Draw(
                rail, f"{name}: {draw['what']}", count, typical * count, worst * count, draw["basis"], draw["from"]
            )
    return list(together.values())


def _one(wiring: Wiring, ref: str, draw: dict[str, Any], rail: dict[str, Any]) -> tuple[float, float]:
    """One consumer: mA typical and at worst."""
    if "typical" in draw:
        return draw["typical"], draw["worst"]
    ohms = wiring.amount(ref) if draw.get("own") else draw["ohms"]
    less = draw.get("less", 0.0)
    typical = (rail["volts"] - draw.get("less_typical", less)) / ohms * 1000 * draw["share"]
    return typical, (rail["most_volts"] - less) / ohms * 1000


def needs(wiring: Wiring) -> list[Need]:
    """Every voltage that is compared with one that is needed."""
    sums = rails(wiring)
    found = []
    for level in wiring.raw["level"]:
        least, most = level["least"], level["most"]
        for drop in level.get("drops", []):
            least -= drop["volts"] if "volts" in drop else drop["ohms"] * sums[drop["rail"]].worst / 1000
        for need in level["needs"]:
            found.append(
                Need(level["what"], least, most, need["what"], need["least"], need["most"], need["basis"])
            )  # fmt: skip
    return found


@dataclass(frozen=True)
class Analogue:
    """The heads' time constants and steps."""

    pwm_hz: int
    threshold_hz: float  # corner of the low-pass
    threshold_ripple_mv: float  # peak to peak at half duty
    threshold_settles_ms: float  # five time constants
    hysteresis_mv: float
    quarter_us: float  # that a card at its fastest leaves
    response_us: float
    level_tau_us: float
    level_wait_us: int  # that levels.py leaves
    level_left: float  # part of a step that is left when it converts
    level_loss: float  # part that the converter's input resistance takes

    @property
    def level_fits(self) -> bool:
        """Less than a quarter of a step of 12 bits is left."""
        return self.level_left < 1 / 16384


def analogue(wiring: Wiring) -> Analogue:
    """Computed for the head of side A; the others are its like."""
    design = wiring.raw["design"]
    pwm_hz = constant("levels", "_PWM_HZ")
    wait = constant("levels", "_SETTLE_US")
    volts = wiring.raw["rail"]["3V3"]["volts"]
    load, series = wiring.amount("RL0-A"), wiring.amount("RS0-A")
    tau = wiring.amount("R12-A") * wiring.amount("C12-A")
    source = load + design["mux_ohms"] + wiring.amount("R20-A")
    level_tau = source * wiring.amount("C20-A")
    return Analogue(
        pwm_hz,
        1 / (2 * math.pi * tau),
        1000 * volts / (4 * pwm_hz * tau),
        5000 * tau,
        1000 * volts * (load + series) / (load + series + wiring.amount("RH0-A")),
        constant("card_code", "QUARTER_UM", FIRMWARE) / design["card_speed_m_s"],
        design["response_us"] * load / design["response_ohms"],
        1e6 * level_tau,
        wait,
        math.exp(-wait / (1e6 * level_tau)),
        source / (source + design["adc_input_ohms"]),
    )


def led_milliwatts(wiring: Wiring) -> list[tuple[str, float, float]]:
    """Resistors with a rating: reference, mW at worst, rated mW."""
    found = []
    for part in wiring.parts.values():
        if "rated_mw" in part.entry:
            draw = part.entry["draws"][0]
            worst = _one(wiring, part.ref, draw, wiring.raw["rail"][draw["rail"]])[1]
            found.append((part.ref, worst * worst * wiring.amount(part.ref) / 1000, float(part.entry["rated_mw"])))
    return found
