"""The wiring fits pins.py; WIRING.md, wiring.svg and shoe.net fit both. Each check is shown to find what it is for."""

from __future__ import annotations

import copy
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from wiring import budget, checks, rp2040
from wiring.__main__ import main, written
from wiring.data import HERE, Wiring, WiringError, constant, load, pins_of_the_board, spell_out

Raw = dict[str, Any]
Pins = dict[str, int]


@pytest.fixture(scope="module")
def raw() -> Raw:
    return tomllib.loads((HERE / "parts.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load()


def test_nothing_is_wrong(wiring: Wiring) -> None:
    assert checks.findings(wiring) == []


def test_files_are_up_to_date(wiring: Wiring) -> None:
    for path, text in written(wiring).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run make wiring"
    assert main(check=True) == 0


@pytest.mark.parametrize("path", [HERE / "notes.md", HERE / "WIRING.md"], ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)", path.read_text(encoding="utf-8"))
    assert links and [link for link in links if not (path.parent / link).exists()] == []


def test_a_file_that_is_behind_is_found(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = {path: text + "more" for path, text in written(wiring).items()}
    monkeypatch.setattr("wiring.__main__.written", lambda wiring: old)
    assert main(check=True) == 1
    assert capsys.readouterr().err.count("run make wiring") == 3


def test_diagram_is_the_same_twice_and_shows_every_signal(wiring: Wiring) -> None:
    text = (HERE / "wiring.svg").read_text(encoding="utf-8")
    assert written(load())[HERE / "wiring.svg"] == text
    root = ElementTree.fromstring(text)
    words = {"".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("text")}
    for name, gpio in pins_of_the_board().items():
        if gpio in rp2040.HEADER:
            net = next(net.name for net in wiring.nets.values() if ("U1", f"GP{gpio}") in net.ends)
            assert net in words, f"{name}: {net} is not drawn"
    for word in words:
        assert "None" not in word and "{" not in word


def test_pin_table_has_every_pin() -> None:
    page = (HERE / "WIRING.md").read_text(encoding="utf-8")
    for name, gpio in pins_of_the_board().items():
        assert f"| GP{gpio} | {rp2040.HEADER.get(gpio, 'on board')} | `{name}" in page
    assert "Nothing on this page has been built" in page


# What may go wrong, and the words with which it is found: a change of parts.toml and of the pins.
def _entry(raw: Raw, table: str, key: str, value: str) -> dict[str, Any]:
    return next(entry for entry in raw[table] if entry[key] == value)


def _forget_pin(raw: Raw, pins: Pins) -> None:
    raw["pin"].remove(_entry(raw, "pin", "name", "CARD_STOP"))


def _unknown_pin(raw: Raw, pins: Pins) -> None:
    raw["pin"].append({"name": "BUZZER", "function": "GPIO", "direction": "out", "drives": ""})


def _same_gpio(raw: Raw, pins: Pins) -> None:
    pins["CARD_STOP"] = pins["PANEL_LATCH"]


def _head_over_the_gap(raw: Raw, pins: Pins) -> None:
    pins["HEAD_READER"] = 20


def _lines_swapped(raw: Raw, pins: Pins) -> None:
    _entry(raw, "pin", "name", "HEAD_B")["lines"] = ["PRESENT", "CLOCK_B", "CLOCK_A", "DATA"]


def _uart_elsewhere(raw: Raw, pins: Pins) -> None:
    pins["UART_TX"], pins["UART_RX"] = pins["UART_RX"], pins["UART_TX"]


def _spi_elsewhere(raw: Raw, pins: Pins) -> None:
    pins["PANEL_CLOCK"], pins["PANEL_OUT"] = pins["PANEL_OUT"], pins["PANEL_CLOCK"]


def _level_not_analogue(raw: Raw, pins: Pins) -> None:
    pins["LEVEL_A"], pins["CARD_STOP"] = pins["CARD_STOP"], pins["LEVEL_A"]


def _pwm_twice(raw: Raw, pins: Pins) -> None:
    pins["THRESHOLD_READER"] = pins["THRESHOLD_B"] - 16  # the slices come round again after 16 GPIOs


def _net_ends_nowhere(raw: Raw, pins: Pins) -> None:
    _entry(raw, "net", "name", "STOP_DELAY")["ends"].pop()


def _pin_in_two_nets(raw: Raw, pins: Pins) -> None:
    _entry(raw, "net", "name", "TX+")["ends"].append("U2/DI")


def _no_such_part(raw: Raw, pins: Pins) -> None:
    _entry(raw, "net", "name", "TX+")["ends"].append("U99/1")


def _no_such_part_pin(raw: Raw, pins: Pins) -> None:
    _entry(raw, "net", "name", "TX+")["ends"].append("D1/7")


def _pad_forgotten(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "U3")["pads"][7] = ""


def _pad_of_nothing(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "U3")["pads"][6] = "FLAG"


def _no_pads(raw: Raw, pins: Pins) -> None:
    del _entry(raw, "part", "ref", "D3")["pads"]


def _lines_shifted(raw: Raw, pins: Pins) -> None:
    _entry(raw, "net", "name", "{L}_{H}")["ends"][0] = "U1/@HEAD_{H}+{i1}"


def _weak_pull(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "RN-{H}")["value"] = "4 × 10 kΩ"


def _no_number(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "U3")["number"] = ""


def _no_basis(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "U3")["draws"][0]["basis"] = "guess"


def _lamp_elsewhere(raw: Raw, pins: Pins) -> None:
    lamps = raw["lamp"]
    lamps[0]["name"], lamps[3]["name"] = lamps[3]["name"], lamps[0]["name"]


def _select_elsewhere(raw: Raw, pins: Pins) -> None:
    _entry(raw, "net", "name", "SELECT0")["ends"][0] = "U5/Q2"
    _entry(raw, "net", "name", "SELECT1")["ends"][0] = "U5/Q1"


def _reader_lamps_differ(raw: Raw, pins: Pins) -> None:
    _entry(raw, "lamp", "name", "reader_again")["color"] = "red"


def _too_much_light(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "R-{M}")["value"] = "47 Ω"


def _hot_resistor(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "R10-{H}")["rated_mw"] = 100


def _weak_adapter(raw: Raw, pins: Pins) -> None:
    raw["level"][0]["least"] = 8.0


def _slow_sensor(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "RL{i}-{H}")["value"] = "10 kΩ"


def _threshold_ripples(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "C12-{H}")["value"] = "0.1 µF"


def _level_late(raw: Raw, pins: Pins) -> None:
    _entry(raw, "part", "ref", "C20-{H}")["value"] = "10 nF"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_forget_pin, "CARD_STOP is not described"),
        (_unknown_pin, "pins.py has no pin BUZZER"),
        (_same_gpio, "GPIO 17 is PANEL_LATCH and CARD_STOP"),
        (_head_over_the_gap, "GPIO 23 is not brought out, so its lines are not in a row"),
        (_lines_swapped, "pin HEAD_B: lines are not PRESENT, CLOCK_A"),
        (_uart_elsewhere, "GPIO 1 cannot be UART0 TX"),
        (_spi_elsewhere, "GPIO 19 cannot be SPI0 SCK"),
        (_level_not_analogue, "GPIO 22 cannot be ADC"),
        (_pwm_twice, "THRESHOLD_READER: PWM2A is that of THRESHOLD_B"),
        (_net_ends_nowhere, "net STOP_DELAY ends nowhere"),
        (_pin_in_two_nets, "U2/DI is in 2 nets"),
        (_no_such_part, "net TX+: no part U99"),
        (_no_such_part_pin, "net TX+: D1 has no pin 7"),
        (_pad_forgotten, "U3/IN has no pad"),
        (_pad_of_nothing, "`pads` names FLAG"),
        (_no_pads, "D3/A is no number of a pad"),
        (_lines_shifted, "net PRESENT_A does not reach U1/GP3"),
        (_weak_pull, "RN-A: more than 8.2 kΩ"),
        (_no_number, "U3 has no maker's number"),
        (_no_basis, "U3: basis 'guess'"),
        (_lamp_elsewhere, "lamp ready is not where the firmware shifts it"),
        (_select_elsewhere, "SELECT0 is not at U5/Q1"),
        (_reader_lamps_differ, "the reader's lamps differ"),
        (_too_much_light, "rail 5V:"),
        (_hot_resistor, "R10-A: 73 mW at worst"),
        (_weak_adapter, "U3 DRV103 needs 8"),
        (_slow_sensor, "a sensor takes 150 µs"),
        (_threshold_ripples, "threshold: 27.5 mV of ripple"),
        (_level_late, "level:"),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
def test_each_mistake_is_found(raw: Raw, change: Callable[[Raw, Pins], None], words: str) -> None:
    raw, pins = copy.deepcopy(raw), pins_of_the_board()
    change(raw, pins)
    found = checks.findings(spell_out(raw, pins))
    assert any(words in line for line in found), found


def test_a_part_pin_that_no_net_reaches_is_found(raw: Raw) -> None:
    raw = copy.deepcopy(raw)
    _entry(raw, "net", "name", "STOP_DUTY")["ends"].remove("R5/1")
    assert "parts.toml: R5/1 ends nowhere" in checks.findings(spell_out(raw, pins_of_the_board()))


def test_names_that_stand_for_nothing_are_refused(raw: Raw) -> None:
    for name, end in (("TX+", "U1/@NOWHERE"), ("TX+", "U1/{Q}")):
        changed = copy.deepcopy(raw)
        _entry(changed, "net", "name", name)["ends"].append(end)
        with pytest.raises(WiringError):
            spell_out(changed, pins_of_the_board())
    with pytest.raises(WiringError):
        constant("panel", "_NO_SUCH_CONSTANT")


@pytest.mark.parametrize(
    ("gpio", "functions"),
    [
        (0, ("UART0 TX", "SPI0 RX", "PWM0A")),
        (1, ("UART0 RX", "SPI0 CSn", "PWM0B")),
        (4, ("UART1 TX", "SPI0 RX", "PWM2A")),
        (8, ("UART1 TX", "SPI1 RX", "PWM4A")),
        (13, ("UART0 RX", "SPI1 CSn", "PWM6B")),
        (15, ("UART0 RTS", "SPI1 TX", "PWM7B")),
        (18, ("UART0 CTS", "SPI0 SCK", "PWM1A")),
        (21, ("UART1 RX", "SPI0 CSn", "PWM2B")),
        (22, ("UART1 CTS", "SPI0 SCK", "PWM3A")),
    ],
)
def test_functions_are_those_of_the_datasheet(gpio: int, functions: tuple[str, ...]) -> None:
    """Rows of the function table of the RP2040's datasheet."""
    assert set(functions) <= set(rp2040.functions(gpio))
    assert "ADC" not in rp2040.functions(gpio)


def test_sums_are_sums(wiring: Wiring) -> None:
    rails = budget.rails(wiring)
    for rail in rails.values():
        assert rail.worst == pytest.approx(sum(draw.worst for draw in rail.draws))
        assert 0 < rail.typical < rail.worst <= rail.limit
    lamps = next(draw for draw in rails["5V"].draws if draw.what.endswith("lamp"))
    assert lamps.count == len(wiring.raw["lamp"])
    assert lamps.worst == pytest.approx(len(wiring.raw["lamp"]) * (5.1 - 1.5) / 470 * 1000)
    coil = next(draw for draw in rails["12V"].draws if "pull-in" in draw.what)
    assert coil.worst == pytest.approx(12.6 / 24 * 1000)
    carried = next(draw for draw in rails["12V"].draws if draw.what == "rail 5V")
    assert carried.worst == pytest.approx(rails["5V"].worst * 5 / (10.8 * 0.84))
