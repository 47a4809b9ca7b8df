"""board/BRINGUP.md: its commands can be typed; each pin and each figure in it is that of the wiring or of the firmware.

tests/host/test_bringup_printed.py types the commands; tests/pico/test_bringup_programs.py runs the page's programs.
"""

from __future__ import annotations

import re
import shlex

import click
import pytest
from bringup_page import PAGE, ROOT, commands, page
from mpremote import main as mpremote_main
from pico import pins
from shoetool.cli import build
from shoetool.cli.calibration import LEAST_DISTANCE, PATIENCE_S, SWING
from shoetool.link.serial_port import BAUD
from shoetool.report.strip_sheet import GAUGE_MM
from shoetool.wire.answers import volts
from wiring import budget, head, rp2040
from wiring.data import Wiring, load

# The text without its outputs and commands, and with one space wherever it breaks a line.
PROSE = re.sub(r"\s+", " ", re.sub(r"^```.*?^```$", "", page(), flags=re.M | re.S))


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load()


# ------------------------------------------------------------------------------------------------ commands

INLINE = [text for text in re.findall(r"`([^`]+)`", PROSE) if re.match(r"(shoetool|make|mpremote) ", text)]
LINES = [*(command.line for command in commands()), *INLINE]


def test_the_page_has_commands() -> None:
    assert len(commands()) > 20 and len(INLINE) > 5
    assert {line.split()[0] for line in LINES} == {"make", ".", "shoetool", "mpremote", "cp"}


@pytest.mark.parametrize("line", dict.fromkeys(line for line in LINES if line.startswith("shoetool ")))
def test_every_shoetool_command_is_understood(
    line: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("typed")
    (folder / "board").symlink_to(ROOT / "board")
    for name in ("table7.shoekey", "one-00001.shoelog"):
        (folder / name).touch()
    monkeypatch.chdir(folder)
    name, *rest = shlex.split(line.replace("histories/*", "one"))[1:]
    command = build().get_command(click.Context(build()), name)
    assert command is not None
    command.make_context(name, list(rest)).close()


def test_every_target_of_make_is_there() -> None:
    targets = re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    for line in LINES:
        if line.startswith("make"):
            assert line.split()[1] in targets, line


def test_mpremote_has_every_command_and_the_files_are_there() -> None:
    for line in LINES:
        if line.startswith("mpremote"):
            for part in line.removeprefix("mpremote ").split(" + "):
                words = part.split()
                if words[0] == "connect":
                    words = words[2:]
                assert not words or words[0] in (*mpremote_main._COMMANDS, "reset"), line
        for path in re.findall(r"board/[\w./-]+", line):
            assert (ROOT / path).is_file(), line


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", page())
    assert links
    for path, place in links:
        target = PAGE.parent / path if path else PAGE
        assert target.exists(), path
        if place:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.M)
            assert place in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}, place


@pytest.mark.parametrize("other", ["README.md", "board/README.md", "board/wiring/notes.md"])
def test_the_page_is_found(other: str) -> None:
    assert "BRINGUP.md)" in (ROOT / other).read_text(encoding="utf-8")


def test_it_says_that_nothing_has_been_built() -> None:
    assert "**The electronics have not been built yet.**" in PROSE


# ------------------------------------------------------------------------------------------------ pins


def rows(first: str) -> list[list[str]]:
    """The rows of the table whose head begins with this cell."""
    (table,) = (found for found in re.findall(r"(?:^\|.*\n)+", page(), re.M) if found.startswith(f"| {first} |"))
    return [[cell.strip(" `") for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:]]


def gpio_of(name: str) -> int:
    """What pins.py says of `NAME` or `NAME + n`."""
    base, _, more = name.partition(" + ")
    return int(getattr(pins, base)) + int(more or 0)


def test_the_line_is_where_the_firmware_has_it() -> None:
    for pin, gpio, name, _ in rows("Pico"):
        if gpio:
            assert (pin, gpio) == (f"pin {rp2040.HEADER[gpio_of(name)]}", f"GP{gpio_of(name)}")
        else:
            assert rp2040.POWER[int(pin.removeprefix("pin "))] == "GND"


@pytest.mark.parametrize("connector", ["J10-A", "J2"])
def test_each_way_of_a_connector_has_its_net(connector: str, wiring: Wiring) -> None:
    net_of = {end: net.name for net in wiring.nets.values() for end in net.ends}
    nets = {f"way {pad}": net_of[connector, pin] for pin, (pad,) in wiring.parts[connector].pads.items()}
    assert {row[0]: row[1] for row in rows(connector)} == nets


def test_the_head_ends_at_these_pins(wiring: Wiring) -> None:
    for _, net, pin, gpio, name in rows("J10-A"):
        if gpio:
            number = gpio_of(name)
            assert gpio == f"GP{number}" and pin.split(",")[0] == f"pin {rp2040.HEADER[number]}"
            there = net.removesuffix("_CABLE") if "behind R20" in pin else net
            assert ("U1", gpio) in wiring.nets[there].ends
        elif "output" in pin:
            chip, output = pin.split(", output ")
            assert (chip, output) in wiring.nets[net].ends
        elif pin:
            assert rp2040.POWER[int(pin.removeprefix("pin "))] == net


def sentences() -> list[str]:
    """What the page says of pins in its text, put together from pins.py and parts.toml."""

    def lines(first: int) -> str:
        return f"GP{first}, GP{first + 1}, GP{first + 2} and GP{first + 3}"

    found = [
        f"Its lines are on {lines(first)}, its threshold on GP{threshold}, its level on GP{level}."
        for first, threshold, level in (
            (pins.HEAD_B, pins.THRESHOLD_B, pins.LEVEL_B),
            (pins.HEAD_READER, pins.THRESHOLD_READER, pins.LEVEL_READER),
        )
    ]
    found += [
        f"PANEL_CLOCK, PANEL_LATCH and PANEL_OUT: GP{pins.PANEL_CLOCK}, GP{pins.PANEL_LATCH}, GP{pins.PANEL_OUT}.",
        f"PANEL_IN (GP{pins.PANEL_IN}, J4 way {load().parts['J4'].pads['IN'][0]})",
        f"5V at J4, way {load().parts['J4'].pads['5V'][0]}.",
        f"CARD_STOP is GP{pins.CARD_STOP}, pin {rp2040.HEADER[pins.CARD_STOP]}.",
        f"LINK_DE (GP{pins.UART_DRIVER_ENABLE}, pin {rp2040.HEADER[pins.UART_DRIVER_ENABLE]})",
        f"off GP{pins.UART_TX} and GP{pins.UART_RX} first",
    ]
    return found


def test_no_pin_is_told_otherwise() -> None:
    rest = PROSE
    for sentence in sentences():
        assert sentence in rest, sentence
        rest = rest.replace(sentence, "")
    for table in re.findall(r"(?:^\|.*\n)+", page(), re.M):
        if table.startswith(("| Pico |", "| J10-A |", "| J2 |")):
            rest = rest.replace(re.sub(r"\s+", " ", table).strip(), "")
    assert re.findall(r"GP\d+", rest) == []


# ------------------------------------------------------------------------------------------------ figures


def figures(wiring: Wiring) -> set[str]:
    """Every figure with a unit that the page may state, computed from where it comes from."""
    rails = budget.rails(wiring)
    raw = wiring.raw["rail"]
    needs = {need.need: need for need in budget.needs(wiring)}
    at_supply, vsys = needs["U8 TSR 1-2450"], needs["Pico, RT6150"]
    five = next(level for level in wiring.raw["level"] if level["what"].startswith("VSYS"))
    supply = next(level for level in wiring.raw["level"] if level["what"].startswith("12 V rail"))
    three = next(level for level in wiring.raw["level"] if level["what"].startswith("an RP2040 output that is high"))
    led = {name: next(draw for draw in rails["5V"].draws if f"({name}-{{H}})" in draw.what) for name in ("R10", "R11")}
    coil = next(draw for draw in rails["12V"].draws if "pull-in" in draw.what)
    found = {
        f"{raw['12V']['volts']:g} V", f"{raw['3V3']['volts']:g} V",
        f"{rails['12V'].typical:.0f} mA", f"{rails['12V'].worst:.0f} mA", f"{coil.worst:.0f} mA",
        f"{supply['least']:.2f} to {supply['most']:.2f} V",
        f"{at_supply.least:.2f} to {at_supply.most:.2f} V",
        f"{five['least']:.2f} to {five['most']:.2f} V",
        f"{vsys.least:.2f} to {vsys.most:.2f} V",
        f"{raw['3V3']['volts']:.2f} V", f"{raw['3V3']['most_volts']:.2f} V", f"{three['least']:.2f} V",
        f"{volts(32768):.2f} V", f"{volts(LEAST_DISTANCE):.1f} V", f"{volts(SWING):.1f} V",
        f"{wiring.amount('RL0-A') / 1000:g} V", f"{wiring.amount('RL0-A') / 1000:g} kΩ",
        f"{wiring.amount('RN-A') / 1000:g} kΩ", f"{wiring.amount('R1'):g} Ω",
        f"{wiring.parts['L1'].entry['draws'][0]['ohms']:g} Ω",
        f"{BAUD:,} baud", f"{PATIENCE_S:g} s",
        f"{head.card_mm('DATA_TRACK'):.1f} mm", f"{head.card_mm('CLOCK_TRACK'):.1f} mm",
        f"{head.card_mm('PRESENT'):.1f} mm", f"{head.card_mm('QUARTER'):g} mm", f"{max(GAUGE_MM):g} mm",
    }  # fmt: skip
    for name, draw in led.items():
        ohms = wiring.amount(f"{name}-A")
        each = draw.typical / draw.count
        found |= {f"{ohms:g} Ω", f"{each:.1f} mA", f"{each * ohms / 1000:.2f} V"}
    return found


# Figures of another document, which says the same with the same words.
ELSEWHERE = {
    "850 nm": ("firmware/CARD_PRINT.md", "at 850 nm"),
    "110 ms": ("board/wiring/parts.toml", "time of full pull-in, 110 ms"),
    "66 mm": ("board/README.md", "The groove is 66 mm deep or more behind the head's reference line"),
    "2 MB": ("board/wiring/notes.md", "2 MB"),
    "16 MB": ("board/wiring/notes.md", "16 MB"),
    "100 %": ("host_tools/CLI.md", "printed at 100 %"),
}
NUMBER = r"\d(?:[\d.,]*\d)?"
FIGURE = re.compile(rf"(?<![\w.])(?:{NUMBER} to )?{NUMBER} (?:V|mA|A|W|kΩ|Ω|µF|mm|nm|ms|s|Hz|baud|MB|%)(?!\w)")


def test_every_figure_is_that_of_the_wiring_or_the_firmware(wiring: Wiring) -> None:
    stated = set(FIGURE.findall(PROSE))
    known = figures(wiring)
    assert stated - known - set(ELSEWHERE) == set(), "invented, or no longer so"
    assert len(stated & known) > 20
    for figure, (path, words) in ELSEWHERE.items():
        assert words in re.sub(r"\s+", " ", (ROOT / path).read_text(encoding="utf-8")), figure


def test_the_rails_are_measured_where_they_are(wiring: Wiring) -> None:
    for _, place, net, _ in rows("fit"):
        ref, where = place.split(", ")
        kind, number = where.split()
        assert kind in ("way", "pad", "pin")
        (pin,) = (pin for pin, pads in wiring.parts[ref].pads.items() if number in pads)
        assert (ref, pin) in wiring.nets[net].ends, place


def test_every_part_that_is_named_is_there(wiring: Wiring) -> None:
    named = set(re.findall(r"(?<![\w-])(?:[URCDFJL]|RN)\d+(?:-[A-Z]+)?(?![\w-])", PROSE))
    heads = {ref.rpartition("-")[0] for ref in wiring.parts if "-" in ref}
    unknown = {ref for ref in named if ref not in wiring.parts and ref not in heads}
    assert unknown == set()


def test_the_first_shoe_is_dealt_with_keys_that_the_panel_has() -> None:
    panel = (ROOT / "board" / "pico" / "PANEL.md").read_text(encoding="utf-8")
    keys = re.findall(r"^\| \d[A-H] \| `?([\w ]+?)`? \|$", panel, re.M)
    step = PROSE.partition("**Do this** at the panel:")[2].partition("**You should see**")[0]
    named = re.findall(r"`([\w ]+)`", step)
    assert [name for name in named if name not in keys] == ["deal_a"], "the lamp"
