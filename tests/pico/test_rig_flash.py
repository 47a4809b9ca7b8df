"""The rig's flash chip: what it takes, what goes on meanwhile, and what a power cut leaves, without a firmware."""

from __future__ import annotations

from random import Random

import pytest
from rig import loop
from rig.chip import Chip
from rig.emulated import EmulatedShoe
from rig.flash import ERASE_NS, PAGE, PROGRAM_NS, SECTOR, PowerCutError

ENABLE, ERASE, PROGRAM = 0x06, 0x20, 0x02


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Chip:
    monkeypatch.setenv(loop.SLOW, "1")  # nothing to compile for
    return Chip(b"\x5a" * 2 * SECTOR)


def command(chip: Chip, *sent: int) -> None:
    """What the boot ROM sends over the SSI: chip select down, the bytes, chip select up."""
    for piece in ((ENABLE,), sent):
        for value in piece:
            chip.flash._shift_byte(value)
        chip.flash._apply_command()


def address(at: int) -> tuple[int, int, int]:
    return at >> 16 & 0xFF, at >> 8 & 0xFF, at & 0xFF


def test_an_erase_takes_its_time_in_which_all_else_goes_on(chip: Chip) -> None:
    happened: list[float] = []
    began = chip.now
    for later in (1, 20_000, 44_999, 45_001):
        chip.at(began + later, lambda later=later: happened.append(later))
    command(chip, ERASE, *address(SECTOR))
    assert chip.now - began == ERASE_NS[ERASE] / 1000 == 45_000
    assert happened == [1, 20_000, 44_999]
    assert chip.content(0, 3 * SECTOR) == b"\x5a" * SECTOR + b"\xff" * 2 * SECTOR
    assert (chip.flash.erases, chip.flash.programs) == (1, 0)


def test_who_listens_hears_of_an_operation_before_it_changes_anything(chip: Chip) -> None:
    heard: list[tuple[str, int, int, bytes, float]] = []
    began = chip.now

    def hear(name: str, at: int, size: int) -> None:
        heard.append((name, at, size, chip.content(at, at + 2), chip.now - began))

    chip.flash.on_operation = hear
    command(chip, ERASE, *address(SECTOR + 77))
    command(chip, PROGRAM, *address(SECTOR + 4), 1, 2, 3)
    assert heard == [("erase", SECTOR, SECTOR, b"ZZ", 0.0), ("program", SECTOR + 4, 3, b"\xff\xff", 45_000.0)]
    assert chip.flash.data == b"\1\2\3"
    assert chip.now - began == 45_000 + PROGRAM_NS / 1000
    assert chip.content(SECTOR, SECTOR + 8) == b"\xff" * 4 + b"\1\2\3\xff"


def test_programming_clears_bits_alone_and_goes_on_at_the_front_of_its_page(chip: Chip) -> None:
    command(chip, PROGRAM, *address(PAGE - 1), 0x0F, 0xF0)
    assert (chip.content(PAGE - 1, PAGE + 1), chip.content(0, 2)) == (b"\x0a\x5a", b"\x50\x5a")


@pytest.mark.parametrize("seed", range(8))
def test_a_program_that_is_cut_off_has_cleared_the_first_bytes_and_some_bits_of_the_rest(chip: Chip, seed: int) -> None:
    random = Random(seed)
    meant = random.randbytes(200)
    done = random.uniform(0.1, 0.9)
    command(chip, ERASE, *address(0))
    chip.flash.random.seed(seed)
    chip.flash.fails_at = chip.clock.nanos + done * PROGRAM_NS
    with pytest.raises(PowerCutError, match="middle of a flash program"):
        command(chip, PROGRAM, *address(0), *meant)
    left = chip.content(0, 200)
    whole = int(200 * done)
    assert left[:whole] == meant[:whole] and left != meant
    assert all(now & byte == byte for now, byte in zip(left, meant, strict=True))
    assert any(byte not in (0xFF, want) for byte, want in zip(left[whole:], meant[whole:], strict=True))
    assert chip.content(200, PAGE) == b"\xff" * (PAGE - 200)


def test_a_sector_whose_erase_was_cut_off_may_not_be_programmed_until_it_is_erased(chip: Chip) -> None:
    for share in (0.1, 0.5, 0.99):
        chip.flash.fails_at = chip.clock.nanos + share * ERASE_NS[ERASE]
        with pytest.raises(PowerCutError, match="middle of a flash erase"):
            command(chip, ERASE, *address(SECTOR))
        chip.flash.fails_at = float("inf")
        assert chip.flash.torn_sectors == {1}
        command(chip, PROGRAM, *address(0), 0)
        assert not chip.flash.misused
        command(chip, PROGRAM, *address(SECTOR + 300), 0)
        assert chip.flash.misused == [SECTOR + 300]
        command(chip, ERASE, *address(SECTOR))
        command(chip, PROGRAM, *address(SECTOR + 300), 0)
        assert chip.flash.misused.pop() == SECTOR + 300 and not chip.flash.misused
        assert not chip.flash.torn_sectors


def test_a_sector_is_torn_still_when_the_shoe_is_switched_on_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(loop.SLOW, "1")
    shoe = EmulatedShoe(b"\x5a" * 2 * SECTOR)
    shoe.power_on(wait=False)
    shoe.chip.flash.fails_at = shoe.chip.clock.nanos + 0.9 * ERASE_NS[ERASE]
    with pytest.raises(PowerCutError):
        command(shoe.chip, ERASE, *address(SECTOR))
    shoe.power_off()
    shoe.power_on(wait=False)
    assert shoe.flash[: 2 * SECTOR] == b"\x5a" * SECTOR + b"\xff" * SECTOR
    assert shoe.chip.flash.torn_sectors == {1}
    command(shoe.chip, PROGRAM, *address(SECTOR), 0)
    assert shoe.chip.flash.misused == [SECTOR]


@pytest.mark.parametrize("flashes", [True, False])
def test_what_the_light_does_during_an_erase_is_seen_by_the_pio(chip: Chip, flashes: bool) -> None:
    """The read heads' programs see each edge, also where the line is back before the erase has ended."""
    pio, pads, pin = 0x50200000, 0x4001C004, 3
    chip.mcu.write_uint32(pads + 4 * pin, 1 << 6)  # input enabled
    chip.mcu.write_uint32(pio + 0x48, 0x2080 | pin)  # wait for 1 on the pin
    chip.mcu.write_uint32(pio + 0x4C, 0xC000)  # set flag 0
    chip.mcu.write_uint32(pio, 1)
    chip.drive(pin, False)
    began = chip.now
    if flashes:
        chip.at(began + 20_000, lambda: chip.drive(pin, True))
        chip.at(began + 20_050, lambda: chip.drive(pin, False))
    command(chip, ERASE, *address(SECTOR))
    assert chip.now - began == 45_000
    assert chip.mcu.read_uint32(pio + 0x30) & 1 == flashes
