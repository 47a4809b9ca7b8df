"""WIRING.md: pin table, parts, budgets and notes."""

from __future__ import annotations

from collections.abc import Iterable

from pico import pins

from wiring import budget, head, rp2040
from wiring.data import HERE, Part, Wiring

_BASIS = {
    "maximum": "datasheet, limits",
    "typical": "datasheet, typical",
    "rule": "computed",
    "confirm": "**to be confirmed from the datasheet**",
}


def page(wiring: Wiring) -> str:
    """The whole page."""
    return "\n".join(
        [
            "# Wiring",
            "",
            "<!-- Written by `make wiring` from pins.py and wiring/: do not edit here. -->",
            "",
            "**This is a design. Nothing on this page has been built or measured in hardware.** The firmware has run",
            "on an emulated RP2040, with its heads, panel and line simulated. Each figure says where it is from; what",
            "could not be looked up says *to be confirmed from the datasheet*, and has to be before a board is made.",
            "",
            "Pins come from [pins.py](../pico/pins.py), everything else from [parts.toml](parts.toml).",
            "`tests/pico/test_wiring.py` fails when this page, the diagram or the netlist is behind them, when a net",
            "ends nowhere, when a GPIO cannot do what it is used for, and when a rail or a voltage is out of its",
            "limits.",
            "",
            "![Wiring diagram](wiring.svg)",
            "",
            *_pins(wiring),
            *_currents(wiring),
            *_voltages(wiring),
            *_analogue(wiring),
            *_aim(wiring),
            *_parts(wiring),
            *_connectors(wiring),
            *_nets(wiring),
            # The page lies one folder above its notes, whose links all lead up.
            (HERE / "notes.md").read_text(encoding="utf-8").rstrip(),
            "",
        ]
    )


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    heads = list(heads)
    return [
        "| " + " | ".join(heads) + " |",
        "|" + "---|" * len(heads),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]


def _pins(wiring: Wiring) -> list[str]:
    rows = []
    for entry in wiring.raw["pin"]:
        for i, line in enumerate(entry.get("lines", [""])):
            gpio = wiring.pins[entry["name"]] + i
            name = entry["name"] if not line else f"{entry['name']}{f' + {i}' if i else ''}: {line}"
            others = _others(wiring, gpio)
            rows.append(
                (
                    gpio,
                    (
                        f"GP{gpio}",
                        str(rp2040.HEADER.get(gpio, "on board")),
                        f"`{name}`",
                        rp2040.named(entry["function"], gpio),
                        entry["direction"],
                        entry["drives"],
                        others,
                    ),
                )
            )
    used = {gpio for gpio, _ in rows}
    free = ", ".join(f"GP{gpio}" for gpio in rp2040.HEADER if gpio not in used) or "none"
    heads = ("GPIO", "Pico pin", "name", "function", "direction", "level", "connects to")
    return [
        "## Pins",
        "",
        *_table(heads, (row for _, row in sorted(rows))),
        f"Free on the header: {free}. A head's {pins.HEAD_LINES} lines are in a row: one PIO instruction reads them.",
        "",
    ]


def _others(wiring: Wiring, gpio: int) -> str:
    """The other ends of a GPIO's net."""
    end = ("U1", f"GP{gpio}")
    for net in wiring.nets.values():
        if end in net.ends:
            return f"{net.name}: " + ", ".join("/".join(other) for other in net.ends if other != end)
    return "nothing outside the board"


def _currents(wiring: Wiring) -> list[str]:
    text = ["## Currents", "", "In mA, of all parts of a row together.", ""]
    for rail in budget.rails(wiring).values():
        text += [f"### Rail {rail.name}", ""]
        rows = [
            (
                draw.what,
                str(draw.count),
                f"{draw.typical:.1f}",
                f"{draw.worst:.1f}",
                f"{_BASIS[draw.basis]}: {draw.source}",
            )
            for draw in rail.draws
        ]
        rows.append(
            ("**sum**", "", f"**{rail.typical:.0f}**", f"**{rail.worst:.0f}**", f"{rail.worst / rail.limit:.0%} of it")
        )
        rows.append(("may be taken", "", "", f"{rail.limit:.0f}", f"{_BASIS[rail.basis]}: {rail.limit_from}"))
        text += _table(("what", "number", "typical", "worst case", "figure from"), rows)
    last = budget.rails(wiring)["12V"]
    least = wiring.raw["rail"]["12V"]["least_volts"]
    text += [
        f"In all {last.typical * 12 / 1000:.1f} W at 12 V in use, and {last.worst / 1000 * least:.1f} W at worst:"
        " every lamp and key, the card stop just drawing in, the supply at its lowest.",
        "",
    ]
    return text


def _voltages(wiring: Wiring) -> list[str]:
    rows = [
        (
            need.what,
            f"{need.least:.2f} to {need.most:.2f}",
            need.need,
            f"{need.need_least:g} to {need.need_most:g}",
            "yes" if need.met else "**no**",
            _BASIS[need.basis],
        )
        for need in budget.needs(wiring)
    ]
    heads = ("what is there", "V", "who needs it", "V", "fits", "need from")
    return ["## Voltages", "", *_table(heads, rows)]


def _analogue(wiring: Wiring) -> list[str]:
    figures = budget.analogue(wiring)
    design = wiring.raw["design"]
    rows = [
        ("threshold, corner of the low-pass", "1 / (2π R12 C12)", f"{figures.threshold_hz:.1f} Hz"),
        (
            "threshold, ripple at half duty",
            f"3.3 V / (4 · {figures.pwm_hz} Hz · R12 C12)",
            f"{figures.threshold_ripple_mv:.2f} mV",
        ),
        ("threshold, settled", "5 R12 C12", f"{figures.threshold_settles_ms:.0f} ms"),
        (
            "hysteresis, besides the comparator's own",
            "3.3 V (RL + RS) / (RL + RS + RH)",
            f"{figures.hysteresis_mv:.0f} mV",
        ),
        (f"quarter pitch at {design['card_speed_m_s']:g} m/s", "0.5 mm / speed", f"{figures.quarter_us:.0f} µs"),
        (
            "sensor, 10 to 90 %",
            f"{design['response_us']:g} µs · RL / 1 kΩ; {design['response_from']}",
            f"{figures.response_us:.0f} µs",
        ),
        ("level, time constant", "(RL + multiplexer + R20) C20", f"{figures.level_tau_us:.2f} µs"),
        (f"level, left of a step after {figures.level_wait_us} µs", "exp(-t / that)", f"{figures.level_left:.1e}"),
        ("level, lost in the converter's 100 kΩ at most", "source / (source + 100 kΩ)", f"{figures.level_loss:.1%}"),
    ]
    rows += [
        (f"{ref}, heat at worst", "I² R", f"{mw:.0f} of {rated:.0f} mW")
        for ref, mw, rated in budget.led_milliwatts(wiring)
        if ref.endswith("-A")
    ]
    return ["## Heads", "", *_table(("what", "formula", "figure"), rows)]


def _aim(wiring: Wiring) -> list[str]:
    raw = wiring.raw["head"]
    sights = head.sights(wiring)
    above = head.sights(wiring, raw["above_mm"])
    along, across = (head.patch(wiring, direction, raw["above_mm"]) for direction in ("along", "across"))
    lit = head.light(wiring)
    best = max(lit.values())
    between = head.body(wiring)
    needed = raw["print_across_mm"] + raw["throat_play_mm"]
    places = [
        (
            sight.line,
            f"{sight.along:+.2f}",
            f"{sight.across:.2f}",
            "{:.2f} to {:.2f}".format(*sight.ends()),
            "{:.2f} to {:.2f}".format(*sight.track),
            f"{lit[sight.line] / best:.0%}",
        )
        for sight in sights
    ]
    shares = [
        (
            name,
            *("{:+.2f} to {:+.2f}".format(*sight.reach(share)) for sight in sights),
            f"**±{head.tolerance(sights, share):.2f}**",
            f"{head.turned(head.tolerance(sights, share)):.2f}°",
            f"**±{head.tolerance(above, share):.2f}**",
        )
        for name, share in head.SHARES
    ]
    return [
        "### Where the sensors look",
        "",
        "Computed in head.py from the geometry of the printed code (firmware/shoe/reading/card_code.py) and the slit",
        f"of {raw['slit_along_mm']:g} mm along the pull and {raw['slit_across_mm']:g} mm across. In mm, across the pull"
        " from the card's edge; light beside the best",
        f"lit sensor's, with the LEDs {head.light_middle(sights):.2f} mm from the edge and {raw['light_mm']:g} mm from"
        " the strip.",
        "",
        *_table(("sensor", "along the pull", "across", "slit across", "its track", "light"), places),
        "How far a card may run beside its place, in mm (+: the slits lie too far from its edge), until less of a",
        "sensor's light than that comes from its track, and how far askew when its middle is in its place: with the",
        f"slits on the card, and in the last column {raw['above_mm']:g} mm above it, where a sensor"
        f" {raw['sensor_behind_mm']:g} mm behind its slit sees a wider",
        f"patch with soft borders. (A chip of {raw['chip_mm']:g} mm is an allowance, to be confirmed.) A threshold in"
        " the middle between",
        "bright and dark reads up to the last row.",
        "",
        *_table(
            ("of the light", *(sight.line for sight in sights), "all three", "askew", "all three, slits above"), shares
        ),
        *_table(
            ("what", "figure"),
            (
                (
                    f"seen {raw['above_mm']:g} mm below a slit",
                    f"{along.all:.2f} mm along and {across.all:.2f} mm across; from half to half of the light"
                    f" {along.wide:.2f} and {across.wide:.2f} mm",
                ),
                (
                    "the other track comes into sight",
                    f"±{head.clear(sights):.2f} mm, slits above ±{head.clear(above):.2f} mm",
                ),
                (
                    f"needed: print and cut ±{raw['print_across_mm']:g} mm, play in the throat"
                    f" ±{raw['throat_play_mm']:g} mm",
                    f"±{needed:.2f} mm, with all of the slit, or three quarters of the light with slits above",
                ),
                ("askew between rails with that play, bridge size", f"{head.turned_in_rails(wiring):.2f}° at most"),
                (
                    "between the bodies of CLOCK_A and CLOCK_B, at their largest",
                    f"{between.across:.2f} mm across the pull; along it they overlap by {-between.along:.2f} mm",
                ),
            ),
        ),
    ]


def _parts(wiring: Wiring) -> list[str]:
    together: dict[tuple[str, str], list[Part]] = {}
    for part in wiring.parts.values():
        together.setdefault((part.entry["maker"], part.number), []).append(part)
        if "mate" in part.entry:
            together.setdefault((part.entry["maker"], part.entry["mate"]), []).append(part)
    rows = []
    notes = []
    for (maker, number), parts in together.items():
        mates = all(part.entry.get("mate") == number for part in parts)
        whats = dict.fromkeys(part.entry["what"] for part in parts)
        what = "receptacle for " + parts[0].number if mates else "; ".join(whats)
        confirm = " *" if parts[0].entry.get("number_confirm") and not mates else ""
        value = "" if mates else parts[0].value
        refs = dict.fromkeys(part.entry["ref"] for part in parts)
        footprint = "" if mates else parts[0].footprint
        footprint += " *" if footprint and parts[0].entry.get("pads_confirm") else ""
        count = str(sum(part.count for part in parts))
        rows.append((count, value, maker, number + confirm, what, footprint, ", ".join(refs)))
        if "note" in parts[0].entry:
            notes.append(f"- {number}: {parts[0].entry['note']}.")
    return [
        "## Parts",
        "",
        "For a shoe with three heads. `{H}` is A, B and READER, `{i}` 0 to 3, `{N}` 0 to 5, `{K}` a key, `{M}` a lamp.",
        "",
        *_table(("number", "value", "maker", "order number", "what", "footprint", "references"), rows),
        "\\* the order number is to be confirmed with the maker, the footprint and its pads from the datasheet.",
        "Connectors, resistors and capacitors: numbers by the scheme of their series.",
        "",
        *notes,
        "",
    ]


def _connectors(wiring: Wiring) -> list[str]:
    """What is on each way of each connector."""
    connectors = [part for part in wiring.parts.values() if part.ref.startswith("J")]
    net_of = {end: net.name for net in wiring.nets.values() for end in net.ends}
    ways = [{int(pad): net_of[part.ref, pin] for pin, (pad,) in part.pads.items()} for part in connectors]
    rows = [(str(way), *(there.get(way, "") for there in ways)) for way in range(1, max(map(max, ways)) + 1)]
    return ["## Connectors", "", "The net on each way.", "", *_table(("way", *(part.ref for part in connectors)), rows)]


def _nets(wiring: Wiring) -> list[str]:
    power = ("GND", "3V3", "5V", "12V", "VSYS")
    rows = [
        (name, ", ".join("/".join(end) for end in net.ends))
        for name, net in wiring.nets.items()
        if name not in power and not name.startswith("KEY_")
    ]
    return [
        "## Nets",
        "",
        "<details><summary>Every net but power and the keys, with its ends</summary>",
        "",
        *_table(("net", "ends"), rows),
        "</details>",
        "",
    ]
