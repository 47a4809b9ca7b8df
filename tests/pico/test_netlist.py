"""shoe.net, read by a parser of its own: the connections of WIRING.md, the pinouts of the parts, the wiring of the rig.

Pinouts, and what a Pico's header is, are stated here once more by hand. The rig's wiring is tests/hil/rig/wiring.py.
Where KiCad is installed, it loads the footprint of every part. test_netlist_in_kicad.py has it import the whole.
"""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from kicad_netlist import Netlist, of
from shoetool.model.protocol_table import Lamp
from wiring.data import HERE, Wiring, load

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def netlist() -> Netlist:
    return Netlist.read((HERE / "shoe.net").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load()


@pytest.fixture(scope="module")
def rig() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(ROOT / "tests" / "hil" / "rig" / "wiring.py")))


# ------------------------------------------------------------------------------------------------ the same connections


def ends(netlist: Netlist, name: str) -> set[tuple[str, str]]:
    return {(ref, netlist.pins[ref, pad]) for ref, pad in netlist.nets[name]}


def test_kicad_knows_the_file_by_its_first_line() -> None:
    """With a line break after `export` KiCad 6.0.11 said that it cannot open the file."""
    assert (HERE / "shoe.net").read_text(encoding="utf-8").startswith('(export (version "E")\n')


def test_nets_are_those_of_the_parts_table(netlist: Netlist, wiring: Wiring) -> None:
    connected = {name for name in netlist.nets if not name.startswith("unconnected-")}
    assert connected == set(wiring.nets)
    for net in wiring.nets.values():
        assert ends(netlist, net.name) == set(net.ends), net.name
    assert {name: part.value or part.number for name, part in wiring.parts.items() if part.pins or part.power} == {
        name: of(comp, "value")[0] for name, comp in netlist.parts.items()
    }


def test_nets_are_those_of_the_page(netlist: Netlist) -> None:
    page = (HERE / "WIRING.md").read_text(encoding="utf-8")
    table = page.partition("\n## Nets\n")[2].partition("\n</details>")[0]
    rows = [row.strip("| ").split(" | ") for row in table.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 100
    for name, listed in rows:
        assert ends(netlist, name) == {tuple(end.split("/")) for end in listed.split(", ")}, name


def test_ways_of_connectors_are_those_of_the_page(netlist: Netlist) -> None:
    """Whoever crimps a cable reads the page, whoever lays the board out takes the netlist."""
    page = (HERE / "WIRING.md").read_text(encoding="utf-8")
    table = page.partition("\n## Connectors\n")[2].partition("\n## ")[0]
    head, _, *rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines() if row[:1] == "|"]
    seen = {(ref, row[0]): net for row in rows for ref, net in zip(head[1:], row[1:], strict=True) if net}
    assert seen == {pad: netlist.net(*pad) for pad in netlist.pins if pad[0].startswith("J")}
    assert len(seen) == 2 + 2 + 6 + 16 + 12 + 12 + 16


def test_open_pads_are_said_to_be_open_and_lead_nowhere(netlist: Netlist, wiring: Wiring) -> None:
    for name, pads in netlist.nets.items():
        if name.startswith("unconnected-"):
            ((ref, pad),) = pads
            pin = netlist.pins[ref, pad]
            assert name == f"unconnected-({ref}-{pin}-Pad{pad})"
            assert pin in (*wiring.parts[ref].open, "NC")


def test_each_part_lies_on_its_board(netlist: Netlist) -> None:
    sheets: dict[str, set[str]] = {}
    for ref, comp in netlist.parts.items():
        sheets.setdefault(of(of(comp, "sheetpath"), "names")[0], set()).add(ref)
    assert set(sheets) == {"/controller/", "/head A/", "/head B/", "/head READER/", "/panel/", "/in the case/"}
    assert {ref[:-2] for ref in sheets["/head A/"]} == {ref[:-2] for ref in sheets["/head B/"]}
    assert {"U1", "U4", "J10-A", "RN-READER", "R-ready", "C8"} <= sheets["/controller/"]
    assert {"LED-reader_again", "U11-READER"} <= sheets["/head READER/"]
    assert {"LED-ready", "S0", "S15", "U25", "C55"} <= sheets["/panel/"]


def test_every_part_has_its_own_identifier_and_a_later_netlist_the_same(netlist: Netlist) -> None:
    found = {ref: of(comp, "tstamps")[0] for ref, comp in netlist.parts.items()}
    assert len(set(found.values())) == len(found)
    # Whoever has begun a board with this netlist must find the parts again.
    assert found["U1"] == "9d53ab6b-9c47-5576-a308-afd814252e4e"


# ------------------------------------------------------------------------------------------------ pinouts by hand

SO16_595 = "Q1 Q2 Q3 Q4 Q5 Q6 Q7 GND Q7S MR# SHCP STCP OE# DS Q0 VCC"
SO16_165 = "PL# CP D4 D5 D6 D7 Q7# GND Q7 DS D0 D1 D2 D3 CE# VCC"
ULN2803 = "IN1 IN2 IN3 IN4 IN5 IN6 IN7 IN8 GND COM OUT8 OUT7 OUT6 OUT5 OUT4 OUT3 OUT2 OUT1"
PICO = (
    "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15 "
    "GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 ADC_VREF 3V3 3V3_EN GND VSYS VBUS"
)
PINOUTS = {
    "U1": PICO,
    "U2": "NC RO RE# DE DI GND GND NC Y Z B A NC VCC",
    "U3": "DUTY DELAY OSC GND OUT VS OK IN",
    "U4": SO16_595,
    "U5": SO16_595,
    "U6": ULN2803,
    "U7": ULN2803,
    "U8": "IN GND OUT",
    "U10-B": "OUT0 -0 +0 VDD +1 -1 OUT1 OUT2 -2 +2 VSS +3 -3 OUT3",
    "U11-B": "2Y0 2Y2 2Z 2Y3 2Y1 E# VEE GND S1 S0 1Y3 1Y0 1Z 1Y1 1Y2 VCC",
    "U23": SO16_165,
    "RN23": "C 0 1 2 3 4 5 6 7",
    "D1": "1 2 GND",
    **dict.fromkeys(("D3", "D4", "D5", "D6", "D10-A", "D11-A", "D12-A", "LED-stop"), "K A"),
}


@pytest.mark.parametrize("ref", PINOUTS)
def test_pins_are_where_the_datasheet_has_them(ref: str, netlist: Netlist) -> None:
    """Most were read in KiCad's symbols of the part or its family, the DRV103's in its datasheet."""
    found = {int(pad): pin for (name, pad), pin in netlist.pins.items() if name == ref}
    assert found == dict(enumerate(PINOUTS[ref].split(), 1))


# ------------------------------------------------------------------------------------------------ the wiring of the rig


def header(gpio: int) -> str:
    """The pin of a Pico's header that brings this GPIO out."""
    return str(PICO.split().index(f"GP{gpio}") + 1)


HEADS = ("A", "B", "READER")
OUTPUTS, PLUS, MINUS = (1, 7, 8, 14), (3, 5, 10, 12), (2, 6, 9, 13)  # the four comparators of a MCP6564
CHANNELS = (12, 14, 15, 11)  # 1Y0 to 1Y3 of a 74LV4052


def test_lines_of_the_heads_are_on_the_pins_of_the_rig(netlist: Netlist, rig: SimpleNamespace) -> None:
    for head, gpios in zip(HEADS, rig.HEADS, strict=True):
        for line, gpio in enumerate(gpios):
            comparator = f"U10-{head}"
            output = (comparator, str(OUTPUTS[line]))
            assert output in netlist.behind("U1", header(gpio), r"RO\d-\w+"), f"head {head}, line {line}"
            light = netlist.behind(comparator, str(PLUS[line]), r"RS\d-\w+")
            assert {(f"Q{line}-{head}", "C"), (f"U11-{head}", str(CHANNELS[line]))} <= light
            assert output in netlist.behind(comparator, str(PLUS[line]), r"RH\d-\w+"), "hysteresis"
            assert (f"RN-{head}", str(line + 1)) in netlist.linked("U1", header(gpio))
            assert netlist.net(f"RN-{head}", str(8 - line)) == "GND"


def test_thresholds_and_levels_are_on_the_pins_of_the_rig(netlist: Netlist, rig: SimpleNamespace) -> None:
    for head, threshold, level in zip(HEADS, rig.THRESHOLDS, rig.LEVELS, strict=True):
        behind = netlist.behind("U1", header(threshold), r"R12-\w+")
        assert {(f"U10-{head}", str(pad)) for pad in MINUS} <= behind
        assert (f"U11-{head}", "13") in netlist.behind("U1", header(level), r"R20-\w+"), "1Z"
        # The rig: bits 1 and 2 of the second register say which line the multiplexers pick.
        assert (f"U11-{head}", "10") in netlist.linked("U5", "1"), "S0 at Q1"
        assert (f"U11-{head}", "9") in netlist.linked("U5", "2"), "S1 at Q2"


def test_keys_are_at_the_places_of_the_rig(netlist: Netlist, rig: SimpleNamespace) -> None:
    inputs = (11, 12, 13, 14, 3, 4, 5, 6)  # D0 to D7 of a 74HC165; D7 leaves first
    data = ("U1", header(rig.PANEL_IN))
    for register in range(rig.REGISTERS):
        chip = f"U2{register}"
        assert data in netlist.linked(chip, "9"), f"Q7 of {chip}"
        assert ("U1", header(rig.PANEL_CLOCK)) in netlist.linked(chip, "2")
        assert ("U1", header(rig.PANEL_LATCH)) in netlist.linked(chip, "1")
        data = (chip, "10")
    assert netlist.net(*data) == "3V3", "the last one takes in keys that nobody presses"
    names = {place: name for name, place in rig.PLACES.items()}
    for place in range(8 * rig.REGISTERS):
        others = {ref for ref, _ in netlist.linked(f"U2{place // 8}", str(inputs[place % 8]))}
        keys = {ref for ref in others if ref.startswith("S")}
        assert keys == ({f"S{place}"} if place in names else set()), f"place {place}"
        assert others - keys == {f"RN2{place // 8}"}
        for key in keys:
            assert netlist.net(key, "C" if names[place] == "key-switch" else "2") == "GND"
    assert netlist.pins["S15", "NO"] and names[15] == "key-switch"


def lamp_chain(netlist: Netlist, chip: str, output: str) -> str:
    """The name of the LED that an output of a 74HC595 lights, through its driver and its resistor."""
    ((driver, pad),) = netlist.linked(chip, output)
    ((resistor, end),) = netlist.linked(driver, {str(n): str(19 - n) for n in range(1, 9)}[pad])
    (led,) = (at for at in netlist.linked(resistor, {"1": "2", "2": "1"}[end]) if at[0].startswith("LED-"))
    assert led[1] == "1" and netlist.net(led[0], "2") == "5V", "cathode to the resistor, anode to 5 V"
    return led[0].removeprefix("LED-")


def test_lamps_are_the_bits_that_the_rig_shows(netlist: Netlist, rig: SimpleNamespace) -> None:
    outputs = (15, 1, 2, 3, 4, 5, 6, 7)  # Q0 to Q7 of a 74HC595
    assert ("U4", "14") in netlist.linked("U1", header(rig.PANEL_OUT))
    assert netlist.linked("U4", "9") == {("U5", "14")}, "what is shifted first ends up in the second one"
    for chip in ("U4", "U5"):
        assert ("U1", header(rig.PANEL_CLOCK)) in netlist.linked(chip, "11")
        assert ("U1", header(rig.PANEL_LATCH)) in netlist.linked(chip, "12")
    lit = [lamp_chain(netlist, "U4", str(pad)) for pad in outputs] + [lamp_chain(netlist, "U5", "15")]
    assert lit == [Lamp(bit).name.lower() for bit in range(9)]
    assert [lamp_chain(netlist, "U5", str(outputs[bit])) for bit in (3, 4)] == ["entered", "unlocked"]


def test_line_and_card_stop_are_on_the_pins_of_the_rig(netlist: Netlist, rig: SimpleNamespace) -> None:
    assert netlist.linked("U1", header(rig.LINK_TX)) == {("U2", "5")}, "DI"
    assert netlist.linked("U1", header(rig.LINK_RX)) == {("U2", "2")}, "RO"
    assert netlist.linked("U1", header(rig.LINK_DRIVER_ENABLE)) == {("U2", "4"), ("R2", "1")}, "DE"
    assert netlist.linked("U1", header(rig.CARD_STOP)) == {("U3", "8"), ("R3", "1")}, "IN"
    assert netlist.net("R2", "2") == netlist.net("R3", "2") == "GND"


# ------------------------------------------------------------------------------------------------ KiCad itself

LOAD = """
import glob, json, os, sys
import pcbnew
folders = [value for name, value in os.environ.items() if name.startswith("KICAD") and "FOOTPRINT_DIR" in name]
folders += ["/usr/share/kicad/footprints", "/usr/local/share/kicad/footprints"]
pads = {}
for name in json.load(sys.stdin):
    library, _, footprint = name.partition(":")
    for folder in folders:
        if os.path.exists(f"{folder}/{library}.pretty/{footprint}.kicad_mod"):
            loaded = pcbnew.FootprintLoad(f"{folder}/{library}.pretty", footprint)
            pads[name] = sorted({pad.GetNumber() for pad in loaded.Pads()} - {""})
            break
print(json.dumps([pcbnew.GetBuildVersion(), pads]))
"""


@pytest.fixture(scope="module")
def kicad(netlist: Netlist) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """KiCad's major version, and the pads of each footprint of the netlist that its libraries have."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if python is None or subprocess.run([python, "-c", "import pcbnew"], capture_output=True).returncode:
        pytest.skip("no KiCad here: no python3 of the system imports pcbnew (Debian: apt-get install kicad)")
    names = json.dumps(sorted(set(netlist.footprints().values())))
    done = subprocess.run([python, "-c", LOAD], input=names, capture_output=True, text=True, check=True)
    version, pads = json.loads(done.stdout.splitlines()[-1])
    if not pads:
        pytest.skip("KiCad is here without its footprints (Debian: apt-get install kicad-footprints)")
    yield int(version.partition(".")[0]), pads


def test_kicad_has_every_footprint_and_each_pad_is_in_a_net(
    netlist: Netlist, kicad: tuple[int, dict[str, list[str]]]
) -> None:
    version, pads = kicad
    since_9 = {"Module:RaspberryPi_Pico_Common_THT"}
    for ref, name in netlist.footprints().items():
        if version < 9 and name in since_9:
            continue
        assert name in pads, f"KiCad {version} has no footprint {name}"
        assert set(pads[name]) == {pad for other, pad in netlist.pins if other == ref}, f"{ref}, {name}"
