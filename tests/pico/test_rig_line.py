"""The rig's line: two ends with one rate hear each other, and with two rates they hear garbage, as on copper."""

from __future__ import annotations

from random import Random

import pytest
from rig import bits, loop, wiring
from rig.chip import Chip
from rig.emulated import EmulatedShoe
from rig.pl011 import DR, FRAMING
from shoetool.link.serial_port import BAUD
from wiring.data import constant

DIVIDERS, CONTROL, LINE = (0x24, 0x28), 0x30, 0x2C  # of the PL011: whole and fraction, control, character
FIFOS_8N1, ENABLED = 0x70, 0x301


def sampled(data: bytes, sender: float, receiver: float) -> list[tuple[int, bool]]:
    """What a receiver of one rate makes of back-to-back characters of another."""
    ear = bits.Sampler()
    bit = 1e9 / sender
    for i, value in enumerate(data):
        ear.put(1000 + i * bits.BITS * bit, value, bit)
    return list(ear.heard(1e9 / receiver, 1e12))


@pytest.mark.parametrize("off", [-0.03, -0.01, 0.0, 0.01, 0.03])
def test_rates_that_a_uart_tolerates_carry_every_byte(off: float) -> None:
    data = Random(1).randbytes(300)
    assert bits.agree(1e9 / 921_600, 1e9 / (921_600 * (1 + off)))
    assert sampled(data, 921_600, 921_600 * (1 + off)) == [(value, False) for value in data]


@pytest.mark.parametrize("baud", [9_600, 115_200, 460_800, 1_000_000, 1_843_200])
def test_another_rate_is_garbage(baud: int) -> None:
    """Also 1,000,000, as next to 921,600 as a usual rate comes: the fifth bit behind is another one."""
    data = Random(2).randbytes(300)
    heard = sampled(data, baud, 921_600)
    assert not bits.agree(1e9 / baud, 1e9 / 921_600)
    assert heard and bytes(value for value, _ in heard) != data
    assert sum(broken for _, broken in heard) > len(heard) / 20, "no stop bit was missed"


def chip_at(baud: int) -> Chip:
    """A chip without a program, whose UART has this rate as MicroPython sets it."""
    chip = Chip(b"")
    divider = round(chip.mcu.clk_peri * 4 / baud)
    for offset, value in zip(DIVIDERS, divmod(divider, 64), strict=True):
        chip.uart.write_uint32(offset, value)
    chip.uart.write_uint32(LINE, FIFOS_8N1)
    chip.uart.write_uint32(CONTROL, ENABLED)
    return chip


def told_and_heard(chip: Chip, to_it: bytes, from_it: bytes) -> tuple[bytes, list[int]]:
    """What the other end of the line hears, and what the chip finds in its data register."""
    told = bytearray()
    chip.uart.on_byte = told.append
    chip.uart.feed(to_it)
    for value in from_it:
        chip.uart.write_uint32(DR, value)
    for _ in range(400):
        chip.clock.tick(10_000)
    heard = []
    while not chip.uart.read_uint32(0x18) & 1 << 4:
        heard.append(chip.uart.read_uint32(DR))
    return bytes(told), heard


@pytest.mark.parametrize(("rate", "same"), [(wiring.LINK_BAUD, True), (115_200, False)])
def test_the_chips_uart_hears_and_is_heard_at_its_rate_alone(
    rate: int, same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(loop.SLOW, "1")  # nothing to compile for
    chip = chip_at(rate)
    chip.uart.line_baud = wiring.LINK_BAUD
    text = bytes(range(1, 31))
    told, found = told_and_heard(chip, text, text)
    heard = bytes(value & 0xFF for value in found)
    assert (heard == text, told == text) == (same, same)
    assert bool(chip.uart.garbled) is not same
    assert told, "nothing was on the line"


@pytest.mark.parametrize("way", ["to the chip", "from the chip"])
def test_what_was_heard_at_another_rate_is_counted_whichever_way_it_went(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(loop.SLOW, "1")  # nothing to compile for
    chip = chip_at(460_800)
    chip.uart.line_baud = wiring.LINK_BAUD
    data = bytes(range(1, 31))
    told, heard = told_and_heard(chip, data if way == "to the chip" else b"", data if way == "from the chip" else b"")
    assert bool(heard) == (way == "to the chip") and bool(told) == (way == "from the chip")
    assert chip.uart.garbled == len(told) + len(heard)


def test_the_chip_is_told_of_a_stop_bit_that_was_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(loop.SLOW, "1")  # nothing to compile for
    chip = chip_at(wiring.LINK_BAUD)
    chip.uart.line_baud = 115_200
    _, heard = told_and_heard(chip, bytes(2), b"")
    assert [value & FRAMING for value in heard[:1]] == [FRAMING]
    chip.uart.line_baud = wiring.LINK_BAUD
    _, heard = told_and_heard(chip, bytes(2), b"")
    assert heard == [0, 0]


def test_whoever_is_at_the_line_of_an_emulated_shoe_has_the_rate_that_the_rig_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else both ends would have the firmware's, and a wrong one could not be seen."""
    monkeypatch.setenv(loop.SLOW, "1")
    shoe = EmulatedShoe(b"")
    for _ in range(3):
        shoe.power_on(wait=False)
        assert shoe.chip.uart.line_baud == 921_600
    assert EmulatedShoe(b"", baud=115_200).chip.uart.line_baud == 115_200


def test_firmware_tool_and_rig_state_one_rate_each_for_itself() -> None:
    assert wiring.LINK_BAUD == BAUD == constant("uart", "BAUD")
