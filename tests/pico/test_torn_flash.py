"""What a cut-off erase leaves of a page of records, in each of the three flash models: first to 0, then up, then blank.

The models are the virtual board's, the one of rp2.Flash and the emulated chip's. A NOR chip programs a page to 0 before
it raises its bits, so bits that were set are lost, front to back or anywhere, before one that was clear is set.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import rp2_flash
from flash_memory import MemoryFlash, Power, PowerCut
from rig import flash as rig_flash
from rig import loop
from rig.chip import Chip
from shoe.journal.journal import Journal
from shoe.wire_table import REC_CARD
from virtual.flash import ERASE_COST

PAGE = 4096
BLOCK = 256
ZEROED = range(1, 64)  # steps in which the page goes to 0; then it rises, and from 192 on it reads blank
Torn = Callable[[bytes, int, int], bytes]  # page, steps of the erase that are done, seed


@pytest.fixture(scope="module")
def records() -> bytes:
    """A page that the journal has filled."""
    flash = MemoryFlash(4, Power(), PAGE)
    journal = Journal(flash, b"testshoe", lambda shoe, record: False)
    journal.start()
    while journal.tail < 1:
        journal.append((REC_CARD, 0, 1, 0, 0, journal.next_record % 52, 1, 120, 200), journal.next_record * 977)
    return bytes(flash.data[:PAGE])


def virtual(page: bytes, done: int, seed: int) -> bytes:
    power = Power(seed)
    flash = MemoryFlash(1, power, PAGE, bytearray(page))
    power.arm(done)
    with pytest.raises(PowerCut):
        flash.erase(0)
    return bytes(flash.data)


def pico(page: bytes, done: int, seed: int) -> bytes:
    power = Power(seed)
    chip = rp2_flash.Chip(1, power, data=bytearray(page))
    power.arm(done)
    with pytest.raises(PowerCut):
        chip.erase(0)
    return bytes(chip.data)


@pytest.fixture(scope="module")
def emulated() -> Chip:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(loop.SLOW, "1")  # nothing to compile for
        return Chip(b"")


@pytest.fixture(params=["virtual", "pico", "rig"])
def torn(request: pytest.FixtureRequest) -> Torn:
    if request.param != "rig":
        return {"virtual": virtual, "pico": pico}[request.param]
    chip: Chip = request.getfixturevalue("emulated")

    def rig(page: bytes, done: int, seed: int) -> bytes:
        chip.mcu.flash[PAGE : 2 * PAGE] = page
        chip.flash.random.seed(seed)
        chip.flash.fails_at = chip.clock.nanos + rig_flash.ERASE_NS[0x20] * (done + 0.5) / ERASE_COST
        with pytest.raises(rig_flash.PowerCutError, match="middle of a flash erase"):
            chip.flash._erase(PAGE, PAGE, rig_flash.ERASE_NS[0x20])
        return chip.content(PAGE, 2 * PAGE)

    return rig


def lost_and_gained(before: bytes, left: bytes) -> tuple[int, int]:
    """Bits that were set and are clear, and the other way round."""
    was, now = int.from_bytes(before, "little"), int.from_bytes(left, "little")
    return (was & ~now).bit_count(), (now & ~was).bit_count()


def test_at_first_a_torn_erase_clears_bits_and_sets_none(torn: Torn, records: bytes) -> None:
    for done in (0, *ZEROED):
        for seed in (1, 2, 3):
            lost, gained = lost_and_gained(records, torn(records, done, seed))
            assert lost and not gained, (done, seed)


def test_bits_go_front_to_back_or_anywhere(torn: Torn, records: bytes) -> None:
    """Block by block: all before a place is 0 and all behind it as it was, but for the few bytes there; or any bit."""
    found = set()
    for done in ZEROED:
        reached = PAGE * done // len([0, *ZEROED])
        for seed in range(1, 7):
            left = torn(records, done, seed)
            for at in range(0, PAGE, BLOCK):
                old, new = records[at : at + BLOCK], left[at : at + BLOCK]
                front = min(max(reached - at, 0), BLOCK)
                in_order = not any(new[:front]) and new[front + 8 :] == old[front + 8 :]
                if not in_order:
                    found.add("anywhere, behind the place" if at > reached else "anywhere, before it")
                    assert 0.2 < lost_and_gained(old, new)[0] / lost_and_gained(old, bytes(BLOCK))[0] < 0.8
                elif front == BLOCK:
                    found.add("a block that is 0")
                elif not front and at > reached and new == old:
                    found.add("a block as it was")
                elif 0 < front < BLOCK - 8 and new[front : front + 8] not in (old[front : front + 8], bytes(8)):
                    found.add("a block that is 0 up to a byte in the middle")
    assert found == {
        "anywhere, behind the place",
        "anywhere, before it",
        "a block that is 0",
        "a block as it was",
        "a block that is 0 up to a byte in the middle",
    }


def test_then_bits_rise_until_the_page_reads_blank(torn: Torn, records: bytes) -> None:
    for done in range(64, ERASE_COST):
        left = torn(records, done, done)
        if done >= 192:
            assert left == b"\xff" * PAGE
            continue
        lost, gained = lost_and_gained(records, left)
        ones = int.from_bytes(left, "little").bit_count() / (8 * PAGE)
        assert lost > 100 and gained > 100
        assert ones < 0.4 if done < 128 else 0.6 < ones < 0.9
