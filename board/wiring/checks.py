"""What must hold of the wiring. Each check returns findings, one line each; none when all is well."""

from __future__ import annotations

import tomllib
from collections import Counter

from pico import pins

from wiring import budget, rp2040
from wiring import head as places
from wiring.data import LINES, PICO, Wiring, constant

BASES = ("maximum", "typical", "rule", "confirm")


def findings(wiring: Wiring) -> list[str]:
    """Everything that is wrong, worst first: pins, nets, parts, lamps, currents, voltages, time constants."""
    return [
        *pins_described(wiring),
        *pins_in_a_row(wiring),
        *pins_functions(wiring),
        *nets_end(wiring),
        *pins_once(wiring),
        *pads_fit(wiring),
        *lines_in_order(wiring),
        *inputs_held(wiring),
        *parts_numbered(wiring),
        *lamps_agree(wiring),
        *rails_hold(wiring),
        *voltages_fit(wiring),
        *heads_follow(wiring),
        *heads_aim(wiring),
    ]


def _taken(wiring: Wiring) -> list[tuple[str, int]]:
    """Every GPIO that pins.py uses, with its name there."""
    return [
        (name, gpio + i)
        for name, gpio in wiring.pins.items()
        for i in range(pins.HEAD_LINES if name.startswith("HEAD_") else 1)
    ]


def pins_described(wiring: Wiring) -> list[str]:
    """pins.py and [[pin]] name the same pins, and no GPIO has two names."""
    described = Counter(entry["name"] for entry in wiring.raw["pin"])
    found = [f"pins.py: {name} is not described in parts.toml" for name in wiring.pins if name not in described]
    found += [f"parts.toml: pins.py has no pin {name}" for name in described if name not in wiring.pins]
    found += [f"parts.toml: pin {name} is described {n} times" for name, n in described.items() if n > 1]
    users: dict[int, list[str]] = {}
    for name, gpio in _taken(wiring):
        users.setdefault(gpio, []).append(name)
    found += [f"pins.py: GPIO {gpio} is {' and '.join(names)}" for gpio, names in users.items() if len(names) > 1]
    for entry in wiring.raw["pin"]:
        gpio = wiring.pins.get(entry["name"], 0)
        if entry.get("on_board", False) != (gpio not in rp2040.HEADER):
            found.append(f"pins.py: {entry['name']}: a Pico's header and GPIO {gpio} do not fit on_board")
    return found


def pins_in_a_row(wiring: Wiring) -> list[str]:
    """A head's lines are on the header, in the order in which one PIO instruction reads them."""
    found = []
    for entry in wiring.raw["pin"]:
        name = entry["name"]
        if not name.startswith("HEAD_"):
            continue
        if tuple(entry.get("lines", ())) != LINES or len(LINES) != pins.HEAD_LINES:
            found.append(f"parts.toml: pin {name}: lines are not {', '.join(LINES)}, one GPIO after the other")
        first = wiring.pins.get(name, 0)
        gone = [gpio for gpio in range(first, first + pins.HEAD_LINES) if gpio not in rp2040.HEADER]
        if gone:
            found.append(f"pins.py: {name}: GPIO {gone[0]} is not brought out, so its lines are not in a row")
    return found


def pins_functions(wiring: Wiring) -> list[str]:
    """Each GPIO can be what it is used for; no PWM channel is used twice."""
    found = []
    channels: dict[str, str] = {}
    for entry in wiring.raw["pin"]:
        name, function = entry["name"], entry["function"]
        gpio = wiring.pins.get(name)
        if gpio is None:
            continue
        for i in range(len(entry.get("lines", "1"))):
            if gpio + i >= rp2040.GPIOS or function not in rp2040.functions(gpio + i):
                found.append(f"pins.py: {name}: GPIO {gpio + i} cannot be {function}")
        if function == "PWM":
            channel = rp2040.pwm(gpio)
            if channel in channels:
                found.append(f"pins.py: {name}: {channel} is that of {channels[channel]}")
            channels[channel] = name
    return found


def nets_end(wiring: Wiring) -> list[str]:
    """Every net has two ends or more, at pins that are there."""
    found = []
    for net in wiring.nets.values():
        if len(net.ends) < 2:
            found.append(f"parts.toml: net {net.name} ends nowhere: only {'/'.join(net.ends[0])}")
        for ref, pin in net.ends:
            part = wiring.parts.get(ref)
            if part is None:
                found.append(f"parts.toml: net {net.name}: no part {ref}")
            elif pin not in part.pins and pin not in part.power:
                found.append(f"parts.toml: net {net.name}: {ref} has no pin {pin}")
    return found


def pins_once(wiring: Wiring) -> list[str]:
    """Every pin of every part is in one net, or said to be open."""
    used = Counter(end for net in wiring.nets.values() for end in net.ends)
    found = [f"parts.toml: {ref}/{pin} is in {n} nets" for (ref, pin), n in used.items() if n > 1]
    for part in wiring.parts.values():
        found += [f"parts.toml: {part.ref}/{pin} ends nowhere" for pin in part.pins if (part.ref, pin) not in used]
        both = [pin for pin in part.open if (part.ref, pin) in used]
        found += [f"parts.toml: {part.ref}/{pin} is open and in a net" for pin in both]
        if not part.pins and not part.power and not part.entry.get("mechanical"):
            found.append(f"parts.toml: {part.ref} has no pins")
    return found


def pads_fit(wiring: Wiring) -> list[str]:
    """A part with a footprint has a pad for every pin that is connected, and no pad for a pin that it does not have."""
    found = []
    for part in wiring.parts.values():
        if not part.footprint:
            continue
        pins = (*part.pins, *part.power)
        found += [f"parts.toml: {part.ref}/{pin} has no pad in `pads`" for pin in pins if not part.pads[pin]]
        strange = [pin for pin in part.pads if pin not in (*pins, *part.open, "NC")]
        found += [f"parts.toml: {part.ref}: `pads` names {pin}, which is none of its pins" for pin in strange]
        unnumbered = [pin for pin in pins if not all(pad.isdigit() for pad in part.pads[pin])]
        found += [f"parts.toml: {part.ref}/{pin} is no number of a pad: add `pads`" for pin in unnumbered]
    return found


def lines_in_order(wiring: Wiring) -> list[str]:
    """Line i of a head: comparator i and channel i of the multiplexer, at GPIO first + i."""
    found = []
    for head in ("A", "B", "READER"):
        first = wiring.pins.get(f"HEAD_{head}", 0)
        for i, line in enumerate(LINES):
            wanted = ((f"{line}_{head}", ("U1", f"GP{first + i}")), (f"{line}_{head}_LIGHT", (f"U11-{head}", f"1Y{i}")))
            for name, end in wanted:
                if name not in wiring.nets or end not in wiring.nets[name].ends:
                    found.append(f"parts.toml: net {name} does not reach {'/'.join(end)}")
    return found


def inputs_held(wiring: Wiring) -> list[str]:
    """Inputs are driven from both sides; pull-downs are strong enough for erratum RP2350-E9."""
    found = []
    for entry in wiring.raw["pin"]:
        if entry["direction"] == "in" and "push-pull" not in entry["drives"]:
            found.append(f"parts.toml: pin {entry['name']}: not driven by a push-pull output")
    for ref in ("RN-A", "RN-B", "RN-READER", "R2", "R3"):
        if wiring.amount(ref) > 8200:
            found.append(f"parts.toml: {ref}: more than 8.2 kΩ does not hold a pin down (RP2350-E9)")
    return found


def parts_numbered(wiring: Wiring) -> list[str]:
    """Each part has a maker and a number; each figure says where it is from."""
    found = []
    for part in wiring.parts.values():
        if not part.number or not part.entry.get("maker"):
            found.append(f"parts.toml: {part.ref} has no maker's number")
        for draw in part.entry.get("draws", []):
            if draw["basis"] not in BASES:
                found.append(f"parts.toml: {part.ref}: basis {draw['basis']!r} is none of {', '.join(BASES)}")
    return found


def lamps_agree(wiring: Wiring) -> list[str]:
    """Lamps are in the order of enum.lamp, and at the outputs to which panel.py shifts them."""
    with (PICO.parents[1] / "firmware" / "protocol.toml").open("rb") as file:
        numbers: dict[str, int] = tomllib.load(file)["enum"]["lamp"]
    bits = {name: (0, number) if number < 8 else (1, number - 8) for name, number in numbers.items()}
    for name, constant_ in (("entered", "_ENTERED"), ("unlocked", "_UNLOCKED")):
        bits[name] = (1, constant("panel", constant_).bit_length() - 1)
    here = {lamp["name"]: (lamp.get("register", 0), lamp.get("output", i)) for i, lamp in enumerate(wiring.raw["lamp"])}
    found = [
        f"parts.toml: lamp {name} is not where the firmware shifts it" for name in bits if here.get(name) != bits[name]
    ]
    found += [f"parts.toml: the firmware has no lamp {name}" for name in here if name not in bits]
    select = constant("panel", "_SELECT")
    for i in (0, 1):
        if ("U5", f"Q{select + i}") not in wiring.nets[f"SELECT{i}"].ends:
            found.append(f"parts.toml: net SELECT{i} is not at U5/Q{select + i}, where panel.py shifts it")
    reader = {lamp["color"] for lamp in wiring.raw["lamp"] if lamp.get("place") == "reader"}
    if len(reader) != 1:
        found.append("parts.toml: the reader's lamps differ, so their light tells them apart from afar")
    return found


def rails_hold(wiring: Wiring) -> list[str]:
    """No rail gives more than it may, no resistor gets hotter than it may."""
    found = [
        f"rail {rail.name}: {rail.worst:.0f} mA at worst, {rail.limit:.0f} mA is the limit"
        for rail in budget.rails(wiring).values()
        if rail.worst > rail.limit
    ]
    found += [
        f"parts.toml: {ref}: {mw:.0f} mW at worst, half of {rated:.0f} mW is the limit"
        for ref, mw, rated in budget.led_milliwatts(wiring)
        if mw > rated / 2
    ]
    return found


def voltages_fit(wiring: Wiring) -> list[str]:
    """Every voltage is what those need who get it."""
    return [
        f"{need.what}: {need.least:.2f} to {need.most:.2f} V, {need.need} needs {need.need_least} to {need.need_most} V"
        for need in budget.needs(wiring)
        if not need.met
    ]


def heads_follow(wiring: Wiring) -> list[str]:
    """The sensors are fast enough, the threshold is still enough, the level has settled when it is converted."""
    figures = budget.analogue(wiring)
    found = []
    if figures.response_us > figures.quarter_us / 2:
        found.append(f"a sensor takes {figures.response_us:.0f} µs, a quarter pitch {figures.quarter_us:.0f} µs")
    if figures.threshold_ripple_mv > figures.hysteresis_mv / 4:
        found.append(
            f"threshold: {figures.threshold_ripple_mv:.1f} mV of ripple, {figures.hysteresis_mv:.0f} mV of hysteresis"
        )
    if not figures.level_fits:
        found.append(
            f"level: {figures.level_left:.1e} of a step is left after the {figures.level_wait_us} µs of levels.py"
        )
    return found


def heads_aim(wiring: Wiring) -> list[str]:
    """The slits stay on their tracks, the sensors fit beside each other, all three are lit alike."""
    figures = wiring.raw["head"]
    above = places.sights(wiring, figures["above_mm"])
    found = []
    needed = figures["print_across_mm"] + figures["throat_play_mm"]
    whole, most = places.tolerance(places.sights(wiring), 1.0), places.tolerance(above, 0.75)
    if whole < needed - 1e-9:
        found.append(f"head: slits leave their tracks {whole:.2f} mm beside the middle, {needed:.2f} mm are needed")
    if most < needed:
        found.append(
            f"head: a quarter of the light is lost {most:.2f} mm beside the middle, {needed:.2f} mm are needed"
        )
    if places.clear(above) < needed:
        found.append(f"head: a sensor sees the other track {places.clear(above):.2f} mm beside the middle")
    seen = places.patch(wiring, "along", figures["above_mm"]).all
    if seen > places.card_mm("MARK"):
        found.append(f"head: a sensor sees {seen:.2f} mm along the pull, more than a mark")
    free = places.body(wiring).free
    if free < figures["sensor_free_mm"] - 1e-9:
        found.append(f"head: {free:.2f} mm between CLOCK_A and CLOCK_B, {figures['sensor_free_mm']:.2f} mm are needed")
    lit = places.light(wiring)
    least = min(lit.values()) / max(lit.values())
    if least < figures["light_least"]:
        found.append(f"head: one sensor gets {least:.0%} of another one's light, {figures['light_least']:.0%} at least")
    return found
