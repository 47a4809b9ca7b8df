"""The rig's flash cache (RIG_CACHE): 16 KiB, two ways, 8-byte lines, and what a miss costs the processor."""

from __future__ import annotations

from typing import Any

import pytest
from bench import connect
from hands import TWOS, Hands
from rig import loop, uf2
from rig.chip import Chip
from rig.emulated import EmulatedShoe

XIP = 0x10000000
COST = 50
WAY = 8192  # bytes after which the next one falls into the same set


@pytest.fixture
def chip(only_emulated: None, firmware: uf2.Firmware, monkeypatch: pytest.MonkeyPatch) -> Chip:
    """A chip of its own; the firmware only says that there is an emulated bench, for which the loop is compiled."""
    if loop._compiled() is None:
        pytest.skip("the loop of the rig cannot be compiled here")
    monkeypatch.setenv(loop.CACHE, str(COST))
    return Chip(program(0))


def program(nops: int) -> bytes:
    """Thumb: no operation so many times and a jump back to the first one; 32 KiB of them at most."""
    back = (-(2 * nops + 4) // 2) & 0x7FF
    return b"\x00\xbf" * nops + (0xE000 | back).to_bytes(2, "little")


def misses(mcu: Any, addresses: list[int]) -> int:
    before = mcu.missed
    for address in addresses:
        mcu.read_uint32(address)
    return int(mcu.missed - before)


def test_a_line_of_eight_bytes_comes_at_once_and_stays(chip: Chip) -> None:
    mcu = chip.mcu
    assert misses(mcu, [XIP, XIP + 4, XIP, XIP + 8]) == 2
    assert (misses(mcu, [XIP + 4]), mcu.read_uint8(XIP + 9), mcu.read_uint16(XIP + 14)) == (0, 0xFF, 0xFFFF)
    assert mcu.missed == 2


def test_all_sixteen_kibibytes_fit_and_not_a_line_more(chip: Chip) -> None:
    whole = list(range(XIP, XIP + 2 * WAY, 8))
    assert misses(chip.mcu, whole) == len(whole) and misses(chip.mcu, whole) == 0


def test_of_three_lines_of_a_set_the_one_longest_unread_goes(chip: Chip) -> None:
    a, b, c = XIP, XIP + WAY, XIP + 2 * WAY
    assert misses(chip.mcu, [a, b, a, c, a]) == 3
    assert misses(chip.mcu, [b]) == 1


def test_what_is_read_past_the_cache_always_waits(chip: Chip) -> None:
    past = 0x13000000
    assert misses(chip.mcu, [past, past, XIP, past]) == 4


def test_the_cache_is_empty_behind_an_erase(chip: Chip) -> None:
    assert misses(chip.mcu, [XIP, XIP]) == 1
    chip.flash._erase(0x8000, 4096, 1000.0)
    assert misses(chip.mcu, [XIP, XIP]) == 1


def cycles_of(chip: Chip, nops: int, rounds: int) -> int:
    """Cycles that a program takes for so many rounds of its loop."""
    chip.mcu.flash[: 2 * nops + 2] = program(nops)
    chip.mcu.core.pc = XIP
    cycles = 0
    for _ in range(rounds * (nops + 1)):
        chip.mcu.waits = 0
        cycles += chip.mcu.core.execute_instruction() + chip.mcu.waits
    return cycles


def test_a_loop_that_fits_waits_once_and_a_longer_one_each_round(chip: Chip) -> None:
    short = cycles_of(chip, 1023, 1)
    assert short == pytest.approx(1023 + COST * 256, rel=0.01)
    assert cycles_of(chip, 1023, 1) < 1040
    chip.mcu.flush_cache()
    for _ in range(2):
        assert cycles_of(chip, 14_335, 1) == pytest.approx(14_335 + COST * 14_336 / 4, rel=0.01)


def test_the_loop_of_the_rig_lets_the_waits_pass(chip: Chip) -> None:
    """A jump to itself, and one that leads past the cache: the clock shows the difference."""
    chip.mcu.flash[:2] = program(0)
    chip.mcu.core.pc = XIP
    chip.run(100)
    assert chip.mcu.missed == 1
    looked = chip.mcu.looked
    chip.mcu.core.pc = 0x13000000
    chip.run(100)
    fast, slow = looked, chip.mcu.looked - looked
    assert fast > 10 * slow > 100


def test_a_shoe_that_waits_for_its_flash_deals_all_the_same(
    only_emulated: None, blank: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an image most of what runs lies in flash; with slots MicroPython itself does."""
    monkeypatch.setenv(loop.CACHE, str(COST))
    shoe = EmulatedShoe(blank, seed=5)
    shoe.power_on()
    mcu: Any = shoe.chip.mcu
    assert mcu.missed > 10_000
    hands = Hands(shoe, connect(shoe), 5)
    hands.start()
    for card in TWOS:
        hands.draws(card)
