"""board/pico/flash_log.py over a model of rp2.Flash: the block device of board/README.md, and how it fails."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from flash_memory import MemoryFlash, Power, PowerCut
from pico.flash_log import FlashLog
from rp2_flash import Chip, Flash, Misuse

PAGES = 6
FIRST = 2  # pages of somebody else before the partition, and as many behind


def log(power: Power | None = None) -> tuple[FlashLog, Chip]:
    chip = Chip(PAGES, power or Power())
    return FlashLog(Flash(chip, start=FIRST * 4096, len=2 * 4096), 2), chip


@pytest.mark.parametrize("seed", range(20))
def test_it_does_what_the_virtual_boards_flash_does(seed: int) -> None:
    """The same random operations on both leave the same bytes, and nothing beside the partition is touched."""
    rng = random.Random(seed)
    device, chip = log()
    want = MemoryFlash(2, Power())
    for _ in range(300):
        page = rng.randrange(2)
        offset = rng.randrange(4096)
        size = rng.randrange(min(256 - offset % 256, 4096 - offset) + 1)
        held = bytearray(size)
        want.read(page, offset, held)
        kind = rng.randrange(10)
        if kind == 0:
            device.erase(page)
            want.erase(page)
        elif kind < 7:
            data = bytes(byte & rng.randrange(256) for byte in held)
            device.program(page, offset, memoryview(data))
            want.program(page, offset, data)
        else:
            got = bytearray(size)
            device.read(page, offset, got)
            assert got == held
    assert chip.data[FIRST * 4096 : (FIRST + 2) * 4096] == want.data
    assert chip.data[: FIRST * 4096] == b"\xff" * (FIRST * 4096)
    assert chip.data[(FIRST + 2) * 4096 :] == b"\xff" * ((PAGES - FIRST - 2) * 4096)


@pytest.mark.parametrize(
    ("page", "offset", "size"),
    [(2, 0, 1), (-1, 0, 1), (0, 4095, 2), (0, -1, 1), (1, 250, 10)],
    ids=["page behind", "page before", "end of page", "offset before", "across a block"],
)
def test_what_a_block_device_cannot_do_is_refused_before_the_flash_hears_of_it(
    page: int, offset: int, size: int
) -> None:
    device, chip = log()
    with pytest.raises(ValueError, match="flash"):
        device.program(page, offset, bytes(size))
    if page not in (0, 1):
        with pytest.raises(ValueError, match="flash"):
            device.erase(page)
        with pytest.raises(ValueError, match="flash"):
            device.read(page, offset, bytearray(size))
    assert sum(chip.erased) + sum(chip.programmed) == 0


def test_a_bit_that_does_not_clear_is_an_error() -> None:
    device, chip = log()
    chip.program = lambda at, buf: None  # type: ignore[method-assign]
    device.program(0, 8, b"\xff\xff")
    with pytest.raises(OSError, match="5"):
        device.program(0, 8, b"\xff\xfe")


def test_a_bit_that_another_program_took_along_is_an_error() -> None:
    device, chip = log()
    whole = chip.program

    def disturb(at: int, buf: bytes) -> None:
        whole(at, buf)
        chip.data[at + 200] &= 0xF7

    chip.program = disturb  # type: ignore[method-assign]
    with pytest.raises(OSError, match="5"):
        device.program(0, 8, b"\x00")


def test_a_one_that_is_asked_for_over_a_zero_is_an_error() -> None:
    device, _ = log()
    device.program(0, 0, b"\x00")
    with pytest.raises(OSError, match="5"):
        device.program(0, 0, b"\x01")


@pytest.mark.parametrize("stuck", [0, 255, 256, 4095])
def test_a_page_that_does_not_erase_is_an_error(stuck: int) -> None:
    device, chip = log()
    device.program(1, stuck, b"\x00")
    whole = chip.erase

    def erase(page: int) -> None:
        whole(page)
        chip.data[page * 4096 + stuck] = 0xEF

    chip.erase = erase  # type: ignore[method-assign]
    with pytest.raises(OSError, match="5"):
        device.erase(1)


@pytest.mark.parametrize("seed", range(30))
def test_a_power_cut_leaves_the_rest_of_the_block_alone(seed: int) -> None:
    """Programming in pieces: a piece that is cut off clears none but its own bits."""
    rng = random.Random(seed)
    power = Power(seed + 1)
    device, chip = log(power)
    device.program(0, 256, b"first piece")
    power.arm(rng.randrange(40))
    piece = bytes(rng.randrange(255) for _ in range(40))
    with pytest.raises(PowerCut):
        device.program(0, 300, piece)
    assert power.fired
    at = FIRST * 4096
    assert chip.data[at + 256 : at + 267] == b"first piece"
    for i in range(40):
        assert chip.data[at + 300 + i] & piece[i] == piece[i]
    rest = chip.data[at + 267 : at + 300] + chip.data[at + 340 : at + 512]
    assert set(rest) == {0xFF}


def test_a_cut_erase_goes_through_zero_reads_blank_too_early_and_has_to_be_done_again() -> None:
    """What the campaigns of power cuts stand on: the page loses bits, gains bits, and ends blank and useless."""
    seen = set()
    for budget in range(256):
        power = Power(budget + 1)
        device, chip = log(power)
        old = bytes(range(256))
        device.program(0, 0, old)
        power.arm(budget)
        with pytest.raises(PowerCut):
            device.erase(0)
        left = chip.data[FIRST * 4096 : FIRST * 4096 + 256]
        pairs = list(zip(old, left, strict=True))
        seen |= {"cleared"} if any(was & ~now for was, now in pairs) else set()
        seen |= {"set"} if any(now & ~was for was, now in pairs) else set()
        seen |= {"blank"} if set(left) == {0xFF} else set()
        with pytest.raises(Misuse, match="cut off"):
            device.program(0, 0, b"\0")
        power.arm(None)
        device.erase(0)
        device.program(0, 0, b"\0")
    assert seen == {"cleared", "set", "blank"}


def test_each_operation_is_left_to_the_clock_and_is_over_before_anything_else() -> None:
    """The clock is given the operation itself: nothing that was to be computed comes between the two."""
    chip = Chip(PAGES, Power())
    order: list[object] = []
    chip.busy = lambda operation, page: order.append(operation)

    def on_time(operation: Callable[..., object], *arguments: object) -> None:
        order.append("on time")
        operation(*arguments)
        order.append("over")

    flash = Flash(chip, start=FIRST * 4096, len=2 * 4096)
    device = FlashLog(flash, 2, on_time)
    device.erase(0)
    device.program(0, 0, memoryview(b"abc"))
    assert order == ["on time", "erase", "over", "on time", "program", "over"]
