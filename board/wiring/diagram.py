"""The wiring diagram: one frame for each function, drawn by schemdraw.

Values, order numbers and nets come from parts.toml, pins from pins.py; only the places are here.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import schemdraw
import schemdraw.elements as elm

from wiring import rp2040
from wiring.data import HEADS, Wiring

_NET = "#0b3d91"
_FRAME = "#8a8f98"
_PITCH = 0.62
_STUB = 0.7
_Align = Literal["left", "center", "right"]


def svg(wiring: Wiring) -> str:
    """The whole diagram; the same for the same parts and pins."""
    schemdraw.use("svg")
    schemdraw.svgconfig.text = "text"
    drawing = schemdraw.Drawing(show=False)
    drawing.config(fontsize=10, font="DejaVu Sans, Arial, sans-serif", lw=1.3, bgcolor="white", margin=0.6)
    sheet = _Sheet(drawing, wiring)
    sheet.title(0, 31.2, "Smart shoe: wiring of the electronics", 20)
    sheet.note(
        0, 30.4, "Written by `make wiring` from board/pico/pins.py and parts.toml. A design: it has not been built."
    )
    sheet.supply(0, 22.2)
    sheet.link(0, 11.5)
    sheet.card_stop(0, 0)
    sheet.pico(18, 8.2)
    sheet.fan_out(18, 0)
    sheet.head(37, 14.6)
    sheet.panel(37, 0)
    text: str = drawing.get_imagedata("svg").decode("utf-8")
    return text.replace("/>", "/>\n").replace("</text>", "</text>\n").rstrip() + "\n"  # lines that a diff can show


class _Sheet:
    """The drawing with the nets at hand."""

    def __init__(self, drawing: schemdraw.Drawing, wiring: Wiring) -> None:
        self.d = drawing
        self.wiring = wiring
        self.net_of = {end: net.name for net in wiring.nets.values() for end in net.ends}

    # ------------------------------------------------------------------------------------------------ pieces
    def title(self, x: float, y: float, text: str, size: float = 14) -> None:
        self.d.add(
            elm.Label().at((x, y)).theta(0).label(text, fontsize=size, halign="left", valign="center", loc="center")
        )

    def note(
        self, x: float, y: float, text: str, align: _Align = "left", color: str = "black", size: float = 11
    ) -> None:
        self.d.add(
            elm.Label().at((x, y)).theta(0).label(
                text, fontsize=size, halign=align, valign="center", loc="center", color=color
            )
        )  # fmt: skip

    def frame(self, x: float, y: float, width: float, height: float, text: str) -> None:
        self.d.add(elm.Rect(corner1=(0, 0), corner2=(width, height)).at((x, y)).theta(0).color(_FRAME))
        self.title(x + 0.3, y + height - 0.55, text)

    def net(self, x: float, y: float, name: str, align: _Align = "left") -> None:
        """The name of a net at the end of a wire."""
        self.note(x + (0.12 if align == "left" else -0.3 if align == "right" else 0), y, name, align, _NET)

    def of(self, ref: str, pin: str) -> str:
        """The net at a pin; an open pin says so."""
        return self.net_of.get((ref, pin), "open")

    def text_of(self, ref: str) -> str:
        part = self.wiring.parts[ref]
        return part.value or part.number

    def chip(self, ref: str, x: float, y: float, left: list[str], right: list[str], width: float = 2.6) -> float:
        """A chip with its lower left corner at (x, y), a stub and the net's name at each pin; returns its top."""
        rows = max(len(left), len(right))
        height = rows * _PITCH + 0.3
        self.d.add(elm.Rect(corner1=(0, 0), corner2=(width, height)).at((x, y)).theta(0).fill("#f6f4ec"))
        for side, names in ((-1, left), (1, right)):
            for row, pin in enumerate(names):
                if not pin:
                    continue
                at = y + height - 0.15 - _PITCH * (row + 0.5)
                edge = x if side < 0 else x + width
                self.d.add(elm.Line().at((edge, at)).to((edge + side * _STUB, at)))
                align: _Align = "left" if side < 0 else "right"
                self.note(edge + (0.12 if side < 0 else -0.3), at, pin, align, size=10)
                self.net(edge + side * _STUB, at, self.of(ref, pin), "right" if side < 0 else "left")
        part = self.wiring.parts[ref]
        self.note(x + width / 2, y + height + 0.3, f"{ref}  {part.number}", "center")
        return y + height

    def wire(self, *points: tuple[float, float]) -> None:
        for start, end in pairwise(points):
            self.d.add(elm.Line().at(start).to(end))

    def two(self, kind: type[elm.Element2Term], start: tuple[float, float], end: tuple[float, float]) -> None:
        self.d.add(kind().at(start).to(end))

    def ground(self, x: float, y: float) -> None:
        self.d.add(elm.Ground().at((x, y)).theta(0))

    def dot(self, x: float, y: float) -> None:
        self.d.add(elm.Dot().at((x, y)))

    # ------------------------------------------------------------------------------------------------ functions
    def supply(self, x: float, y: float) -> None:
        self.frame(x, y, 16.6, 7.4, "Supply")
        top = y + 4.9
        at = x + 1.2
        self.note(at - 0.1, top + 0.4, "J1", "center")
        self.net(at + 0.1, top - 0.45, "12 V ± 5 %", "center")
        self.wire((at, top), (at + 0.6, top))
        self.two(elm.Fuse, (at + 0.6, top), (at + 2.8, top))
        self.note(at + 1.7, top + 0.75, "F1  1.5 A", "center")
        self.two(elm.Schottky, (at + 2.8, top), (at + 5, top))
        self.note(at + 3.9, top + 0.75, "D4  SS34", "center")
        self.wire((at + 5, top), (at + 8.6, top))
        self.dot(at + 5.4, top)
        self.two(elm.Zener, (at + 5.4, top - 2.4), (at + 5.4, top))
        self.ground(at + 5.4, top - 2.4)
        self.note(at + 4.6, top - 0.75, "D5", "right")
        self.note(at + 4.6, top - 1.25, self.text_of("D5"), "right")
        self.dot(at + 7.2, top)
        self.two(elm.Capacitor, (at + 7.2, top), (at + 7.2, top - 2.4))
        self.ground(at + 7.2, top - 2.4)
        self.note(at + 7.6, top - 1.65, "C2  " + self.text_of("C2"))
        self.net(at + 6.3, top + 0.35, "12V", "center")
        self.d.add(elm.Rect(corner1=(0, 0), corner2=(2.4, 1.6)).at((at + 8.6, top - 0.8)).theta(0).fill("#f6f4ec"))
        self.note(at + 9.8, top + 1.15, "U8  " + self.wiring.parts["U8"].number, "center")
        self.note(at + 9.8, top, "12 V to 5 V", "center", size=10)
        self.wire((at + 9.8, top - 0.8), (at + 9.8, top - 2.4))
        self.ground(at + 9.8, top - 2.4)
        self.wire((at + 11, top), (at + 12.2, top))
        self.dot(at + 11.6, top)
        self.two(elm.Capacitor, (at + 11.6, top), (at + 11.6, top - 2.4))
        self.ground(at + 11.6, top - 2.4)
        self.note(at + 12, top - 1.65, "C3  " + self.text_of("C3"))
        self.net(at + 11.6, top + 0.35, "5V", "center")
        self.two(elm.Schottky, (at + 12.2, top), (at + 14.2, top))
        self.note(at + 13.2, top + 0.75, "D6", "center")
        self.net(at + 14.0, top - 0.5, "VSYS", "center")
        self.note(x + 0.4, y + 0.5, "3V3 comes from the Pico's own regulator (pin 36). D6: MBR120VLSFT1G.", size=10)

    def link(self, x: float, y: float) -> None:
        self.frame(x, y, 16.6, 9.4, "Link to the table's computer: RS-485, four wires, full duplex")
        self.chip("U2", x + 3.4, y + 3.7, ["DI", "RO", "DE", "RE#", "VCC", "GND"], ["Y", "Z", "A", "B"])
        self.chip("J2", x + 11.2, y + 3.7, ["TX+", "TX-", "RX+", "RX-", "GND", "SHIELD"], [], 1.6)
        self.note(x + 13.2, y + 5.6, "UART0, 921,600 baud", size=10)
        self.note(x + 13.2, y + 5.1, "far end: 120 Ω", size=10)
        row = y + 2.2
        for i, (ref, first, second) in enumerate((("D1", "1", "2"), ("D2", "1", "2"))):
            at = x + 1.4 + 4.9 * i
            self.wire((at, row), (at + 0.5, row))
            self.two(elm.Zener, (at + 0.5, row), (at + 2.3, row))
            self.wire((at + 2.3, row), (at + 2.8, row))
            self.note(at + 1.4, row + 0.65, f"{ref}  {self.wiring.parts[ref].number}", "center")
            self.net(at, row, self.of(ref, first), "right")
            self.net(at + 2.8, row, self.of(ref, second))
            self.note(at + 1.4, row - 0.6, "and both to GND", "center", size=10)
        at = x + 11.2
        self.two(elm.Resistor, (at, row), (at + 2, row))
        self.note(at + 1, row + 0.6, "R1  " + self.text_of("R1"), "center")
        self.net(at, row, self.of("R1", "1"), "right")
        self.net(at + 2, row, self.of("R1", "2"))
        at = x + 15.4
        self.two(elm.Resistor, (at, row + 0.6), (at, row - 1))
        self.ground(at, row - 1)
        self.net(at + 0.2, row + 0.85, self.of("R2", "1"), "center")
        self.note(at - 0.3, row - 1.0, "R2  " + self.text_of("R2"), "right", size=10)

        self.note(
            x + 0.4,
            y + 0.45,
            'DE is low until the firmware sends (board.json: "rs485": true), so a shoe without program is silent.',
            size=10,
        )

    def card_stop(self, x: float, y: float) -> None:
        self.frame(x, y, 16.6, 10.8, "Card stop: spring holds the cards, current lets them pass")
        self.chip("U3", x + 3.6, y + 4.2, ["IN", "VS", "GND", "OK"], ["OUT", "DELAY", "OSC", "DUTY"])
        self.note(x + 9.2, y + 5.45, "C1 0.1 µF: 110 ms of full current", size=10)
        self.note(x + 9.2, y + 4.85, "R4 205 kΩ: 25 kHz,  R5 137 kΩ: 50 %", size=10)
        at, row = x + 12.4, y + 9
        self.net(at - 0.1, row + 0.25, "12V", "center")
        self.wire((at - 1.6, row), (at + 1.4, row))
        self.two(elm.Inductor2, (at + 1.4, row), (at + 1.4, row - 2.4))
        self.note(at + 1.8, row - 1.0, "L1, at J3", size=10)
        self.note(at + 1.8, row - 1.5, "24 Ω or more", size=10)
        self.two(elm.Schottky, (at - 1.6, row - 2.4), (at - 1.6, row))
        self.note(at - 2.4, row - 1.2, "D3  SS34", "right", size=10)
        self.wire((at - 1.6, row - 2.4), (at + 1.4, row - 2.4))
        self.net(at - 0.1, row - 2.05, self.of("L1", "2"), "center")
        at, row = x + 1.8, y + 3.2
        self.two(elm.Resistor, (at, row), (at, row - 1.6))
        self.ground(at, row - 1.6)
        self.net(at, row + 0.3, self.of("R3", "1"), "center")
        self.note(
            at + 0.4,
            row - 0.8,
            "R3  " + self.text_of("R3") + ":  no program, no plug, no power: low, and the cards are held",
        )
        self.note(x + 3.6, y + 1.4, "C1, R4, R5: from their pin to GND", size=10)
        self.note(
            x + 0.4,
            y + 0.45,
            "High on CARD_STOP draws the stop back; the DRV103 then holds it with half the voltage.",
            size=10,
        )

    def pico(self, x: float, y: float) -> None:
        self.frame(x, y, 17, 21.4, "Controller")
        height = 20 * 0.86 + 0.6
        left, width, low = x + 5.6, 5.6, y + 1.2
        self.d.add(elm.Rect(corner1=(0, 0), corner2=(width, height)).at((left, low)).theta(0).fill("#e9f2e6"))
        number = self.wiring.parts["U1"].number
        self.note(left + width / 2, low + height + 0.75, f"U1  Pimoroni Pico LiPo 16MB ({number})", "center")
        self.note(left + width / 2, low + height + 0.3, "or a Raspberry Pi Pico (development)", "center", size=10)
        gpio_at = {pin: gpio for gpio, pin in rp2040.HEADER.items()}
        for pin in range(1, 41):
            row = pin - 1 if pin <= 20 else 40 - pin
            at = low + height - 0.3 - 0.86 * (row + 0.5)
            side = -1 if pin <= 20 else 1
            edge = left if side < 0 else left + width
            name = f"GP{gpio_at[pin]}" if pin in gpio_at else rp2040.POWER[pin]
            self.d.add(elm.Line().at((edge, at)).to((edge + side * _STUB, at)))
            self.note(
                edge + (0.15 if side < 0 else -0.35),
                at,
                f"{pin}  {name}" if side < 0 else f"{name}  {pin}",
                "left" if side < 0 else "right",
            )
            self.net(edge + side * _STUB, at, self.of("U1", name), "right" if side < 0 else "left")
        self.note(x + 0.4, y + 0.5, "USB: REPL and log, inside the locked case. Open pins are not connected.", size=10)

    def fan_out(self, x: float, y: float) -> None:
        self.frame(x, y, 17, 7.4, "Heads' ends on the controller: J10-A, J10-B, J10-READER")
        low = y + 1.5
        self.chip(
            "J10-A", x + 4.6, low, ["PRESENT", "CLOCK_A", "CLOCK_B", "DATA", "THRESHOLD", "LEVEL"],
            ["SELECT0", "SELECT1", "3V3", "5V", "GND1", "GND2"], 3.6,
        )  # fmt: skip
        at = x + 11.6
        ref = "RN-A"
        self.note(at, y + 5.0, f"{ref}  {self.text_of(ref)}: each line", size=10)
        self.note(at, y + 4.6, "to GND (RP2350-E9)", size=10)
        row = y + 3.4
        self.net(at + 0.3, row + 0.45, self.of("R20-A", "1"), "left")
        self.two(elm.Resistor, (at + 0.3, row), (at + 2.1, row))
        self.wire((at + 2.1, row), (at + 3.4, row))
        self.dot(at + 2.6, row)
        self.two(elm.Capacitor, (at + 2.6, row), (at + 2.6, row - 1.5))
        self.ground(at + 2.6, row - 1.5)
        self.net(at + 3.3, row, self.of("R20-A", "2"))
        self.note(at + 1.2, row - 0.7, "R20  " + self.text_of("R20-A"), "center", size=10)
        self.note(at + 2.95, row - 0.75, "C20  " + self.text_of("C20-A"), size=10)
        self.note(
            x + 0.4,
            y + 0.45,
            "The same with B and READER. J10-READER has the reader's three lamps besides, 16 ways.",
            size=10,
        )

    def head(self, x: float, y: float) -> None:
        self.frame(x, y, 26, 15, f"Read head, one for each of {', '.join(HEADS)}: drawn for CLOCK_A of side A")
        line, i = "CLOCK_A", 1
        # light
        at, row = x + 2.2, y + 12.6
        self.net(at, row + 0.3, "5V", "center")
        self.two(elm.LED, (at, row), (at, row - 2))
        self.two(elm.Resistor, (at, row - 2), (at, row - 4))
        self.two(elm.LED, (at, row - 4), (at, row - 6))
        self.ground(at, row - 6)
        self.note(at + 0.75, row - 0.55, "D10", size=10)
        self.note(at + 0.45, row - 3, "R10 " + self.text_of("R10-A"), size=10)
        self.note(at + 0.75, row - 4.55, "D11", size=10)
        self.note(at, row - 7.2, "light on the card,", "center", size=10)
        self.note(at, row - 7.65, "for three lines", "center", size=10)
        at = x + 5.6
        self.net(at, row + 0.3, "5V", "center")
        self.two(elm.Resistor, (at, row), (at, row - 2))
        self.two(elm.LED, (at, row - 2), (at, row - 4))
        self.ground(at, row - 4)
        self.note(at + 0.45, row - 1, "R11 " + self.text_of("R11-A"), size=10)
        self.note(at + 0.75, row - 2.55, "D12", size=10)
        self.note(at, row - 5.2, "facing PRESENT", "center", size=10)
        self.note(at, row - 5.65, "across the throat", "center", size=10)
        # sensor
        at = x + 9.2
        self.net(at, row + 0.3, "3V3", "center")
        self.two(elm.Resistor, (at, row), (at, row - 2))
        self.note(at + 0.45, row - 1, f"RL{i} " + self.text_of(f"RL{i}-A"), size=10)
        self.dot(at, row - 2.6)
        self.wire((at, row - 2), (at, row - 3))
        transistor = self.d.add(elm.NpnPhoto().at((at, row - 3)).anchor("collector").right())
        self.wire(tuple(transistor.emitter), (at, row - 5))
        self.ground(at, row - 5)
        self.note(at + 0.35, row - 4, f"Q{i}", size=10)
        self.note(at + 0.35, row - 4.5, "dark: high", size=10)
        node = row - 2.6
        self.net(at + 0.25, node + 0.4, self.of(f"Q{i}-A", "C"))
        self.wire((at, node), (at + 3.4, node))
        self.two(elm.Resistor, (at + 3.4, node), (at + 5.6, node))
        self.note(at + 4.7, node + 0.6, f"RS{i} " + self.text_of(f"RS{i}-A"), "center", size=10)
        plus = at + 6.0
        self.wire((at + 5.6, node), (plus + 0.6, node))
        self.dot(plus, node)
        comparator = self.d.add(elm.Opamp(sign=True).flip().at((plus + 0.6, node)).anchor("in2").right())
        out = tuple(comparator.out)
        minus = tuple(comparator.in1)
        self.wire((plus, node), (plus, node + 1.6), (plus + 0.4, node + 1.6))
        self.two(elm.Resistor, (plus + 0.4, node + 1.6), (plus + 2.8, node + 1.6))
        self.note(plus + 1.6, node + 2.15, f"RH{i} " + self.text_of(f"RH{i}-A"), "center", size=10)
        self.wire((plus + 2.8, node + 1.6), (out[0] + 0.3, node + 1.6), (out[0] + 0.3, out[1]), out)
        self.dot(out[0] + 0.3, out[1])
        self.two(elm.Resistor, (out[0] + 0.3, out[1]), (out[0] + 2.5, out[1]))
        self.note(out[0] + 1.6, out[1] + 0.55, f"RO{i} " + self.text_of(f"RO{i}-A"), "center", size=10)
        self.net(out[0] + 2.5, out[1], self.of(f"RO{i}-A", "2"))
        self.note(plus + 1.1, minus[1] - 0.85, "¼ U10  " + self.wiring.parts["U10-A"].number, size=10)
        # threshold
        low = y + 6.2
        self.wire((minus[0], minus[1]), (plus + 0.2, minus[1]), (plus + 0.2, low))
        start = at - 0.4
        self.net(start, low, self.of("R12-A", "1"), "right")
        self.wire((start, low), (start + 0.8, low))
        self.two(elm.Resistor, (start + 0.8, low), (start + 3, low))
        self.note(start + 1.9, low + 0.55, "R12 " + self.text_of("R12-A"), "center", size=10)
        self.wire((start + 3, low), (plus + 0.2, low))
        self.dot(start + 3.6, low)
        self.two(elm.Capacitor, (start + 3.6, low), (start + 3.6, low - 1.7))
        self.ground(start + 3.6, low - 1.7)
        self.note(start + 4.05, low - 0.85, "C12 " + self.text_of("C12-A"), size=10)
        self.net(plus + 0.4, low, self.of("R12-A", "2") + ", to all four")
        # multiplexer
        self.chip("U11-A", x + 19.6, y + 0.9, ["1Y0", "1Y1", "1Y2", "1Y3", "S0", "S1"], ["1Z"], 2.0)
        self.note(
            x + 0.4,
            y + 1.0,
            f"{line} and CLOCK_B lie side by side, 1.0 mm apart across the clock track, each behind a slit,",
            size=10,
        )
        self.note(
            x + 0.4, y + 0.5, "0.5 mm apart along the pull. Lines 0 to 3: PRESENT, CLOCK_A, CLOCK_B, DATA.", size=10
        )

    def panel(self, x: float, y: float) -> None:
        self.frame(x, y, 26, 13.8, "Panel: keys in, lamps and select bits out (SPI0, one latch)")
        outputs = [f"Q{n}" for n in range(8)]
        self.chip("U4", x + 3.7, y + 6.9, ["DS", "SHCP", "STCP", "Q7S", "OE#", "MR#"], outputs, 1.8)
        self.chip("U5", x + 3.7, y + 1.3, ["DS", "SHCP", "STCP", "", "OE#", "MR#"], outputs[:5], 1.8)
        self.chip("U6", x + 11.9, y + 6.9, [], [f"OUT{n}" for n in range(1, 9)], 1.8)
        self.chip("U7", x + 12.8, y + 2.6, ["IN1", "IN2", "IN3"], [f"OUT{n}" for n in range(1, 4)], 1.8)
        self.note(x + 12.4, y + 6.1, "IN1 to IN8 of U6: Q0 to Q7 of U4", size=10)
        at, row = x + 12.6, y + 1.3
        self.net(at - 0.2, row, "LAMP_…", "right")
        self.two(elm.Resistor, (at, row), (at + 1.8, row))
        self.note(at + 0.9, row - 0.55, "R-…  " + self.text_of("R-ready"), "center", size=10)
        self.two(elm.LED, (at + 3.8, row), (at + 1.8, row))
        self.net(at + 3.8, row, "5V")
        self.note(at + 2.8, row + 0.55, "lamp", "center", size=10)
        top = self.chip("U20", x + 22.8, y + 4.4, ["PL#", "CP", "DS", "Q7", "CE#", "D0", "D1", "D7"], [], 1.8)
        self.note(x + 23.7, top + 0.75, "1st of 6", "center", size=10)
        at, row = x + 22.6, y + 2.9
        self.net(at - 1.9, row, "3V3", "right")
        self.two(elm.Resistor, (at - 1.9, row), (at, row))
        self.note(at - 0.95, row - 0.55, "RN20 10 kΩ", "center", size=10)
        self.dot(at, row)
        self.net(at + 0.1, row + 0.5, "KEY_0", "right")
        self.two(elm.Button, (at, row), (at + 1.8, row))
        self.wire((at + 1.8, row), (at + 1.8, row - 0.4))
        self.ground(at + 1.8, row - 0.4)
        self.note(x + 18.0, y + 1.2, "U21 to U25 follow at DS: KEY_8 to KEY_47", size=10)
        self.note(x + 18.0, y + 0.6, "KEY_15: key switch S15", size=10)
