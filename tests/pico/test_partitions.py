"""board/pico/partitions.py: what lies where, and that nothing moves or erases a journal that is there."""

from __future__ import annotations

import sys

import pytest
from flash_memory import Power, PowerCut
from rp2_flash import Chip, Module

PAGES = (352, 3840)
NAMES = ("journal", "vault", "store", "keys")


class Storage:
    """A chip on which `rp2.Flash` of the code under test works."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def chip(self, pages: int, power: Power | None = None) -> Chip:
        self.module.chip = Chip(pages, power or Power())
        return self.module.chip


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> Storage:
    module = Module(None)
    monkeypatch.setitem(sys.modules, "rp2", module)
    monkeypatch.setattr(partitions(), "rp2", module)
    return Storage(module)


def partitions():
    from pico import partitions

    return partitions


def fill(devices: tuple, text: bytes) -> None:
    for name, device in zip(NAMES, devices, strict=True):
        for page in (0, device.pages - 1):
            device.program(page, 0, text + name.encode())


@pytest.mark.parametrize("pages", PAGES)
def test_the_partitions_do_not_overlap_and_stay_where_they_are(storage: Storage, pages: int) -> None:
    chip = storage.chip(pages)
    root = partitions().plan(pages)[0]
    opened = partitions().open_all()
    assert [device.pages for device in opened] == [partitions().plan(pages)[i] for i in (4, 1, 2, 3)]
    for number, device in enumerate(opened):
        for page in range(device.pages):
            device.program(page, 0, bytes([number, page & 0xFF, page >> 8]))
    assert chip.programmed[:root] == [0] * root
    for number, device in enumerate(partitions().open_all()):
        for page in range(device.pages):
            held = bytearray(3)
            device.read(page, 0, held)
            assert held == bytes([number, page & 0xFF, page >> 8])
    assert max(chip.programmed) == 1


def test_a_newer_plan_does_not_move_what_is_there(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    storage.chip(3840)
    fill(partitions().open_all(), b"old ")
    monkeypatch.setattr(partitions(), "plan", lambda pages: (300, 2, 12, 150, 800))
    from pico import root

    monkeypatch.setattr(root, "plan", lambda pages: (300, 2, 12, 150, 800))
    for name, device in zip(NAMES, partitions().open_all(), strict=True):
        held = bytearray(4 + len(name))
        device.read(device.pages - 1, 0, held)
        assert held == b"old " + name.encode()
    assert root.share(storage.module.Flash()) == 256


def test_another_micropython_with_another_storage_is_refused(storage: Storage) -> None:
    """The storage ends where the flash ends: with another size of it, every page would have another number."""
    chip = storage.chip(3840)
    fill(partitions().open_all(), b"old ")
    before = bytes(chip.data)
    storage.module.chip = Chip(3584, Power(), data=chip.data[(3840 - 3584) * 4096 :])
    with pytest.raises(OSError, match="laid out for 3840 pages of storage, this MicroPython has 3584"):
        partitions().open_all()
    assert storage.module.chip.data == before[(3840 - 3584) * 4096 :]


@pytest.mark.parametrize("pages", PAGES)
def test_data_that_no_marker_explains_is_not_touched(storage: Storage, pages: int) -> None:
    chip = storage.chip(pages)
    fill(partitions().open_all(), b"old ")
    for page in (pages - 1, pages - 2):
        chip.erase(page)
    before = bytes(chip.data)
    with pytest.raises(OSError, match="holds data, but no marker says whose"):
        partitions().open_all()
    assert chip.data == before
    partitions().lay_out(force=True)
    for device in partitions().open_all():
        held = bytearray(4)
        device.read(0, 0, held)
        assert held == b"\xff\xff\xff\xff"


@pytest.mark.parametrize("kept", [0, 1])
def test_one_marker_is_enough_and_the_other_is_written_anew(storage: Storage, kept: int) -> None:
    chip = storage.chip(352)
    fill(partitions().open_all(), b"old ")
    lost = 351 - kept
    chip.data[lost * 4096 + 8] = 0
    whole = bytes(chip.data[(350 + kept) * 4096 : (351 + kept) * 4096])
    partitions().open_all()
    assert chip.data[lost * 4096 : (lost + 1) * 4096] == whole


def test_two_damaged_markers_are_refused(storage: Storage) -> None:
    chip = storage.chip(352)
    partitions().open_all()
    for page in (350, 351):
        chip.data[page * 4096 + 8] = 0
    with pytest.raises(OSError, match="the layout markers are damaged"):
        partitions().open_all()
    partitions().lay_out(force=True)
    partitions().open_all()


@pytest.mark.parametrize("at", [8, 12, 16, 20, 24, 28, 32])
def test_a_marker_that_cannot_be_is_refused(storage: Storage, at: int) -> None:
    """A right CRC over a layout that runs out of the storage."""
    import binascii
    import struct

    chip = storage.chip(352)
    partitions().open_all()
    for page in (350, 351):
        held = bytearray(chip.data[page * 4096 : page * 4096 + 36])
        struct.pack_into("<I", held, at, 4000)
        chip.data[page * 4096 : page * 4096 + 40] = held + struct.pack("<I", binascii.crc32(held))
    with pytest.raises(OSError, match=r"names a layout that cannot be|laid out for 4000"):
        partitions().open_all()


@pytest.mark.parametrize("force", [False, True])
def test_laying_out_can_be_cut_off_anywhere_and_repeated(storage: Storage, force: bool) -> None:
    """`force` over a chip full of somebody's data; the cut falls into each erase and each byte of the markers."""
    fired = 0
    for budget in [*range(90), *range(90, 40000, 997)]:
        power = Power(budget + 1)
        chip = storage.chip(352, power)
        if force:
            chip.data[208 * 4096 : 350 * 4096] = b"\x5a" * (142 * 4096)
        power.arm(budget)
        try:
            partitions().lay_out(force)
        except PowerCut:
            fired += 1
        power.arm(None)
        if fired and force:
            partitions().lay_out(True)
        for device in partitions().open_all():
            held = bytearray(256)
            device.read(device.pages - 1, 0, held)
            assert held == b"\xff" * 256
    assert fired >= (100 if force else 85)
