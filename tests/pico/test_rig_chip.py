"""What the rig's chip does by a way of its own, to be faster, is what the emulator does."""

from __future__ import annotations

import random
from typing import Any

import pytest
from rig import loop
from rig.chip import Chip
from rp2040py.peripherals.spi import SSPCPSR, SSPCR1, SSPDR, SSPSR
from rp2040py.rp2040 import RP2040

NOTHING = b"\x00\xbf" * 64
FLASH = 0x10000000
DIVIDER, QUOTIENT, REMAINDER, STATE = 0xD0000060, 0xD0000070, 0xD0000074, 0xD0000078
UNSIGNED, SIGNED = 0, 8
OPERANDS = (0, 1, 2, 3, 7, 1000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFF9C, 0xFFFFFFFE, 0xFFFFFFFF)
TIME = 0x40054028
SPI, ENABLE = 0x4003C000, 2


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Chip:
    monkeypatch.delenv(loop.SLOW, raising=False)
    if loop._compiled() is None:
        pytest.skip("the loop of the rig cannot be compiled here")
    return Chip(NOTHING)


def emulators(chip: Chip, name: str, *arguments: int) -> Any:
    """What the emulator's own method says."""
    return getattr(RP2040, name)(chip.mcu, *arguments)


@pytest.mark.parametrize("signs", [UNSIGNED, SIGNED])
def test_the_divider_divides_as_the_emulators_does(chip: Chip, signs: int) -> None:
    mcu: Any = chip.mcu
    for dividend in OPERANDS:
        for divisor in OPERANDS[1:]:
            for place, value in ((DIVIDER + signs, dividend), (DIVIDER + signs + 4, divisor)):
                mcu.write_uint32(place, value)
                emulators(chip, "write_uint32", place, value)
            for place in (REMAINDER, STATE, QUOTIENT):
                assert mcu.read_uint32(place) == emulators(chip, "read_uint32", place), (dividend, divisor, hex(place))
            assert mcu.read_uint32(STATE) == 1, "the quotient was read, so no interrupt needs to save it"


def test_an_interrupt_that_divides_can_put_back_what_it_saved(chip: Chip) -> None:
    mcu: Any = chip.mcu
    mcu.write_uint32(DIVIDER, 100)
    mcu.write_uint32(DIVIDER + 4, 7)
    saved = {place: mcu.read_uint32(place) for place in (DIVIDER, DIVIDER + 4, REMAINDER, QUOTIENT)}
    mcu.write_uint32(DIVIDER, 5)
    for place, value in saved.items():
        mcu.write_uint32(place, value)
    assert (mcu.read_uint32(STATE), mcu.read_uint32(REMAINDER), mcu.read_uint32(QUOTIENT)) == (3, 2, 14)


@pytest.mark.parametrize("condition", range(14))
def test_a_conditional_branch_goes_where_the_emulators_goes(chip: Chip, condition: int) -> None:
    core: Any = chip.mcu.core
    gone = set()
    for offset in (0, 3, 0x7F, 0x80, 0xFD):
        chip.mcu.flash[0x200:0x202] = (0xD000 | condition << 8 | offset).to_bytes(2, "little")
        for flags in range(16):
            reached = []
            for step in (lambda: chip.run(0.0), lambda: core.execute_instruction()):  # one instruction
                core.n, core.z, core.c, core.v = (bool(flags >> bit & 1) for bit in range(4))
                core.pc = FLASH + 0x200 | 1  # as a vector may leave it
                before = chip.clock.nanos
                cycles = step()
                reached.append((core.pc & ~1, cycles or (chip.clock.nanos - before) / 8))
            assert reached[0] == reached[1], (offset, flags)
            gone.add(reached[0][1])
    assert gone == {1, 2}, "taken with some flags and not with others"


def test_the_pins_have_the_levels_that_the_emulator_sees(chip: Chip) -> None:
    chance = random.Random(1)
    seen = set()
    for _ in range(200):
        for pin in chip.mcu.gpio:
            pin.pad_value, pin.ctrl = chance.getrandbits(8), chance.getrandbits(32) & ~0x1F | 0x1F
            pin._raw_input_value, pin._driven = chance.random() < 0.5, chance.random() < 0.5
        levels = chip.mcu.gpio_values
        assert levels == RP2040.gpio_values.__get__(chip.mcu)
        seen.add(levels)
    assert len(seen) == 200


def test_the_time_is_the_timers_before_and_after_a_reset_and_while_it_hangs() -> None:
    for starts_at_us in (0.0, 2.0**32 - 40):
        chip = Chip(b"\xfe\xe7" * 64, starts_at_us=starts_at_us)  # jumps to themselves
        for _ in range(3):
            chip.run(50)
            assert chip.mcu.read_uint32(TIME) == chip.mcu.timer.read_uint32(TIME & 0xFFF) == chip.ticks_us % 2**32
        chip.press_reset()
        assert chip.mcu.read_uint32(TIME) == int(starts_at_us)
        chip.hang(300)
        assert chip.mcu.read_uint32(TIME) == (int(starts_at_us) + 300) % 2**32, "the processor stood still"
        assert chip.mcu.read_uint32(TIME) == (int(starts_at_us) + 300) % 2**32


def test_the_spi_tells_its_state_whenever_that_changes(chip: Chip) -> None:
    spi: Any = chip.mcu.spi[0]
    spi.on_transmit = lambda value: None
    told = set()

    def same() -> None:
        told.add(state := chip.mcu.read_uint32(SPI + SSPSR))
        assert state == spi.read_uint32(SSPSR)

    same()
    chip.mcu.write_uint32(SPI + SSPCPSR, 2)
    chip.mcu.write_uint32(SPI + SSPCR1, ENABLE)
    for value in range(12):  # more than it has room for
        chip.mcu.write_uint32(SPI + SSPDR, value)
        same()
    for value in range(9):
        spi.complete_transmit(value)
        same()
    for _ in range(9):
        chip.mcu.read_uint32(SPI + SSPDR)
        same()
    chip.mcu.write_uint32(SPI + SSPDR, 1)
    chip.press_reset()
    same()
    assert len(told) >= 5, "idle, busy, full, with something received"
