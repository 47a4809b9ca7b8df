"""parts.toml, read and spelled out: one `Part` for every part on the table, one `Net` for every connection."""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pico import panel_keys, pins

from wiring import rp2040

HERE = Path(__file__).resolve().parent
BOARD = HERE.parent
PICO = BOARD / "pico"
FIRMWARE = BOARD.parent / "firmware" / "shoe" / "reading"
HEADS = ("A", "B", "READER")
LINES = ("PRESENT", "CLOCK_A", "CLOCK_B", "DATA")
_UNITS = {"Ω": 1.0, "kΩ": 1e3, "MΩ": 1e6, "pF": 1e-12, "nF": 1e-9, "µF": 1e-6}
_VALUE = re.compile(r"(?:\d+ × )?([\d.]+) (\S+)")


class WiringError(Exception):
    """parts.toml cannot be read as wiring; the message says what and where."""


@dataclass(frozen=True)
class Part:
    """One part. `block`: the function it belongs to. `pads`: the pads of its footprint for each of its pins."""

    ref: str
    entry: dict[str, Any]
    number: str
    pins: tuple[str, ...]
    power: dict[str, str]
    open: tuple[str, ...]
    pads: dict[str, tuple[str, ...]]

    @property
    def block(self) -> str:
        return str(self.entry["block"])

    @property
    def count(self) -> int:
        return int(self.entry.get("count", 1))

    @property
    def value(self) -> str:
        return str(self.entry.get("value", ""))

    @property
    def footprint(self) -> str:
        """Library and name in KiCad's libraries, "" for none."""
        return str(self.entry.get("footprint", ""))


@dataclass
class Net:
    """A connection and its ends, each a part's reference and the name of a pin."""

    name: str
    ends: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Wiring:
    """All of parts.toml. `raw`: as it stands there; `parts` and `nets`: spelled out, power in the nets as well."""

    raw: dict[str, Any]
    parts: dict[str, Part]
    nets: dict[str, Net]
    pins: dict[str, int]

    def amount(self, ref: str) -> float:
        """The value of part `ref` in ohms or farads; of one resistor of a network."""
        found = _VALUE.fullmatch(self.parts[ref].value)
        if found is None or found[2] not in _UNITS:
            raise WiringError(f"parts.toml: {ref}: no value in {', '.join(_UNITS)}; give it one")
        return float(found[1]) * _UNITS[found[2]]


def pins_of_the_board() -> dict[str, int]:
    """The names of pins.py with their GPIO; those of the heads are the first of HEAD_LINES in a row."""
    return {
        name: value
        for name, value in vars(pins).items()
        if name.isupper() and isinstance(value, int) and name != "HEAD_LINES"
    }


def constant(module: str, name: str, folder: Path = PICO) -> int:
    """A constant of a module that is not imported here: `name = const(n)` in `folder`/`module`.py."""
    path = folder / f"{module}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == name
            and isinstance(node.value, ast.Call)
        ):
            return int(ast.literal_eval(node.value.args[0]))
    raise WiringError(f"{folder.name}/{module}.py: no constant {name}; the wiring is checked against it")


def load(path: Path = HERE / "parts.toml") -> Wiring:
    """Read and spell out `path`. WiringError when it is not TOML or a name stands for nothing."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise WiringError(f"{path.name}: {error}; correct it") from error
    return spell_out(raw, pins_of_the_board())


def spell_out(raw: dict[str, Any], gpio: dict[str, int]) -> Wiring:
    """`raw`, the content of parts.toml, for the pins `gpio`."""
    wiring = Wiring(raw, {}, {}, gpio)
    lamps = lamps_of(raw)
    for entry in raw["part"]:
        for names in _each(entry, lamps):
            ref = _fill(entry["ref"], names)
            if ref in wiring.parts:
                raise WiringError(f"parts.toml: {ref} is there twice; rename one")
            number = entry.get("number") or entry.get("numbers", {}).get(names.get("color"), "")
            own = [pin for pin in entry.get("pins", []) if pin != "@"]
            pads = entry.get("pads", [])
            if "@" in entry.get("pins", []):
                own += [f"GP{number_}" for number_ in _header_pins(gpio)]
                pads = rp2040.header()
            power = dict(entry.get("power", {}))
            named = tuple(entry.get("open", []))
            wiring.parts[ref] = Part(ref, entry, number, tuple(own), power, named, _pads(pads, [*own, *power, *named]))
            for pin, net in power.items():
                wiring.nets.setdefault(net, Net(net)).ends.append((ref, pin))
    for entry in raw["net"]:
        for names in _each(entry, lamps):
            name = _fill(entry["name"], names)
            net = wiring.nets.setdefault(name, Net(name))
            net.ends += [_end(_fill(end, names), gpio) for end in entry["ends"]]
    return wiring


def lamps_of(raw: dict[str, Any]) -> list[dict[str, str]]:
    """Each lamp with its shift register, output, driver, channel and connector."""
    lamps = []
    for i, lamp in enumerate(raw["lamp"]):
        register = lamp.get("register", 0)
        channel = i if register == 0 else i - 8
        lamps.append(
            {
                "M": lamp["name"],
                "color": lamp["color"],
                "register": f"U{4 + register}",
                "output": str(lamp.get("output", i)),
                "driver": f"U{6 + register}",
                "channel": str(channel + 1),
                "connector": "J10-READER" if lamp.get("place") == "reader" else "J4",
            }
        )
    return lamps


def _pads(pads: list[str], pins: list[str]) -> dict[str, tuple[str, ...]]:
    """The pads of each pin: its places in `pads`, counted from 1; without `pads` the one that has its name."""
    if not pads:
        return {pin: (pin,) for pin in pins}
    found: dict[str, tuple[str, ...]] = dict.fromkeys(pins, ())
    for number, pin in enumerate(pads, 1):
        found[pin or "NC"] = (*found.get(pin or "NC", ()), str(number))
    return found


def _header_pins(gpio: dict[str, int]) -> list[int]:
    used: list[int] = []
    for name, first in gpio.items():
        if first < 23 or 26 <= first <= 28:
            used += range(first, first + (pins.HEAD_LINES if name.startswith("HEAD_") else 1))
    return sorted(set(used))


def _each(entry: dict[str, Any], lamps: list[dict[str, str]]) -> list[dict[str, str]]:
    kind = entry.get("each", "")
    if kind == "":
        return [{}]
    if kind == "head":
        return [{"H": head} for head in HEADS]
    if kind == "line":
        return [{"H": head, "L": line, "i": str(i), "i1": str(i + 1)} for head in HEADS for i, line in enumerate(LINES)]
    if kind == "register":
        return [{"N": str(n)} for n in range(panel_keys.REGISTERS)]
    if kind in ("key", "pressed"):
        silent = (panel_keys.NOTHING, panel_keys.SWITCH_LOCK)
        return [
            {"K": str(k), "N": str(k // 8), "i": str(k % 8)}
            for k in range(8 * panel_keys.REGISTERS)
            if kind == "key" or panel_keys.MEANINGS[k] not in silent
        ]
    if kind == "lamp":
        return lamps
    raise WiringError(f"parts.toml: each = {kind!r}: no such thing; one of head, line, register, key, pressed, lamp")


def _fill(text: str, names: dict[str, str]) -> str:
    try:
        return text.format(**names)
    except KeyError as error:
        raise WiringError(f"parts.toml: {text}: {error} stands for nothing here; see the file's head") from error


def _end(text: str, gpio: dict[str, int]) -> tuple[str, str]:
    ref, _, pin = text.partition("/")
    if pin.startswith("@"):
        name, _, offset = pin[1:].partition("+")
        if name not in gpio:
            raise WiringError(f"parts.toml: {text}: pins.py has no pin {name}; correct the one or the other")
        pin = f"GP{gpio[name] + int(offset or 0)}"
    return ref, pin
