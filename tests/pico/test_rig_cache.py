"""The rig's flash cache (RIG_CACHE) without a firmware: what it keeps, and that a miss takes the processor's time.

tests/hil/test_cache.py has each rule by itself, and a shoe that waits for its flash. This one needs no MicroPython for
the RP2040. The loop that the cache is compiled into takes seconds to build, so it runs in `make soak`.
"""

from __future__ import annotations

from typing import Any

import pytest
from rig import loop
from rig.chip import Chip
from sampled import SOAK

XIP, PAST = 0x10000000, 0x13000000  # through the cache, and past it
FLUSH = 0x14000004  # of the cache's registers
COST = 50
WAY = 8192  # bytes after which the next one falls into the same set
LINE = 8


def misses(mcu: Any, *addresses: int) -> int:
    before = mcu.missed
    for address in addresses:
        mcu.read_uint32(address)
    return int(mcu.missed - before)


def cycles(mcu: Any, instructions: int) -> int:
    """What so many instructions take from the beginning of flash on, of a cycle each but for their waits."""
    mcu.core.pc = XIP
    taken = 0
    for _ in range(instructions):
        mcu.waits = 0
        taken += mcu.core.execute_instruction() + mcu.waits
    return taken


@pytest.mark.skipif(not SOAK, reason="it takes 7 s: `make soak` builds the loop with a cache")
def test_the_cache_keeps_sixteen_kibibytes_in_two_ways_and_each_miss_takes_its_cycles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(loop.SLOW, raising=False)
    if loop._compiled() is None:
        pytest.skip("the loop of the rig cannot be compiled here")
    monkeypatch.setenv(loop.CACHE, str(COST))
    chip = Chip(b"\x00\xbf" * 64)  # of no effect
    mcu: Any = chip.mcu

    assert misses(mcu, XIP, XIP + LINE - 4, XIP + LINE, XIP) == 2, "a line of eight bytes comes at once and stays"
    whole = range(XIP, XIP + 2 * WAY, LINE)
    mcu.flush_cache()
    assert misses(mcu, *whole) == len(whole) and misses(mcu, *whole) == 0, "16 KiB fit"
    one, other, third = XIP, XIP + WAY, XIP + 2 * WAY
    mcu.flush_cache()
    assert misses(mcu, one, other, one, third, one) == 3, "the third of a set takes the place of the one longest unread"
    assert misses(mcu, other) == 1
    mcu.flush_cache()
    assert misses(mcu, PAST, PAST, XIP, PAST) == 4, "what is read past the cache always waits, and does not fill it"
    chip.flash._erase(0x8000, 4096, 1000.0)
    assert misses(mcu, XIP) == 1, "the cache is empty behind an erase"
    mcu.write_uint32(FLUSH, 1)
    assert misses(mcu, XIP) == 1, "and when the program asks for that"

    mcu.flush_cache()
    assert cycles(mcu, 64) == 64 + COST * 128 // LINE
    assert cycles(mcu, 64) == 64
    chip.mcu.flash[:2] = (0xE7FE).to_bytes(2, "little")  # a jump to itself
    looked = []
    for place in (XIP, PAST):
        mcu.core.pc, before = place, mcu.looked
        chip.run(100)
        looked.append(mcu.looked - before)
    assert looked[0] > 10 * looked[1] > 100, "the clock of the loop goes on by the waits"

    monkeypatch.setenv(loop.CACHE, "")
    plain: Any = Chip(b"\x00\xbf" * 64).mcu
    assert cycles(plain, 64) == 64 and not plain.missed, "without RIG_CACHE flash is as fast as RAM"
    monkeypatch.setenv(loop.CACHE, str(COST))
    monkeypatch.setenv(loop.SLOW, "1")
    with pytest.raises(RuntimeError, match="needs the compiled loop"):
        Chip(b"")
