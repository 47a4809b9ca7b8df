"""The reader's end of a head's rings against a DMA made of Python, which may go on between any two of its accesses."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from typing import Any

import pytest
from pico import optics_ring as ring

STATES, STAMPS, STATES_WRITTEN, STAMPS_WRITTEN, STALLS = 0x100000, 0x200000, 0x300000, 0x400000, 0x500000
N = ring.ENTRIES


class Dma:
    """Both rings and the registers; `write` is what DMA does for one change, `left` of them between accesses."""

    def __init__(self, start: int = 0) -> None:
        self.states = bytearray([ring.FREE]) * N
        self.stamps = [0] * N
        self.written = self.stamped = start
        self.stalled = 0
        self.rng: random.Random | None = None
        self.left: list[tuple[int, int]] = []
        self.half: tuple[int, int] | None = None
        self.landed = False
        self.control = array("i", [0] * ring.CONTROL)
        for place, address in (
            (ring.NEXT, start % N),
            (ring.STATES, STATES),
            (ring.STAMPS, STAMPS),
            (ring.STATES_WRITTEN, STATES_WRITTEN),
            (ring.STAMPS_WRITTEN, STAMPS_WRITTEN),
            (ring.STALLS, STALLS),
            (ring.STALLED, 2),
        ):
            self.control[place] = address
        self.times, self.lines = array("i", [0] * 2000), bytearray(2000)

    def write(self, state: int, stamp: int) -> None:
        for _ in range(3):
            self.step([(state, stamp)])

    def step(self, queue: list[tuple[int, int]]) -> None:
        """A third of a change: the address counts on before the state lies there, the time comes last."""
        if self.half is None:
            self.half = queue.pop(0)
            self.written += 1
        elif not self.landed:
            self.states[(self.written - 1) % N] = self.half[0]
            self.landed = True
        else:
            self.stamps[self.stamped % N] = self.half[1]
            self.stamped += 1
            self.half, self.landed = None, False

    def between(self) -> None:
        while self.rng and (self.left or self.half) and self.rng.random() < 0.4:
            self.step(self.left)

    def take(self, room: int = 64) -> list[tuple[int, int]] | int:
        n = ring.take(self.control, self.times, self.lines, room)
        return n if n < 0 else list(zip(self.times[:n], self.lines[:n], strict=True))


class Pointer:
    """What `ptr8` and `ptr32` make of the addresses above."""

    def __init__(self, dma: Dma, address: int):
        self._dma, self._address = dma, address

    def __getitem__(self, index: int) -> int:
        dma = self._dma
        dma.between()
        if self._address == STATES:
            return dma.states[index]
        if self._address == STAMPS:
            return dma.stamps[index] - (dma.stamps[index] >> 31 << 32)  # 32 bits with a sign, as on the chip
        assert index == 0
        if self._address == STATES_WRITTEN:
            return STATES + dma.written % N
        return STAMPS + 4 * (dma.stamped % N) if self._address == STAMPS_WRITTEN else dma.stalled

    def __setitem__(self, index: int, value: int) -> None:
        assert self._address == STATES
        self._dma.between()
        self._dma.states[index] = value


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    def begun(start: int = 0) -> Dma:
        dma = Dma(start)
        for name in ("ptr8", "ptr32"):
            monkeypatch.setattr(ring, name, lambda at: Pointer(dma, at) if isinstance(at, int) else at)
        return dma

    return begun


def changes(count: int, first: int = 0) -> list[tuple[int, int]]:
    """(state, time) of successive changes, no two neighbours alike."""
    return [(1 + (first + i) % 15, 1000 + 7 * (first + i)) for i in range(count)]


def as_edges(written: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(stamp & 0x3FFFFFFF, state) for state, stamp in written]


def test_a_lap_shows_at_every_offset_and_whatever_its_length(begin: Any) -> None:
    every = (0, 1, N - 2, N - 1, N, N + 1, 2 * N - 1, 2 * N, 2 * N + 3)
    for start in range(N):
        for count in every if start % 16 in (0, 1, 15) else (N - 1, N):
            dma = begin(start)
            for state, stamp in changes(count):
                dma.write(state, stamp)
            got = dma.take(2000)
            assert got == (as_edges(changes(count)) if count < N else -1), (start, count)
        if start > 3:  # every length at a few offsets, every offset at the lengths that matter
            continue
        for count in range(0, 3 * N, 7):
            dma = begin(start)
            for state, stamp in changes(count):
                dma.write(state, stamp)
            assert (dma.take(2000) == -1) == (count >= N), (start, count)


def test_batches_of_any_room_are_in_order_over_many_wraps(begin: Any) -> None:
    rng = random.Random(3)
    dma = begin(500)
    sent = changes(20 * N)
    got: list[tuple[int, int]] = []
    at = 0
    while at < len(sent):
        more = min(rng.randrange(N - 1), N - 1 - (at - len(got)), len(sent) - at)
        for state, stamp in sent[at : at + more]:
            dma.write(state, stamp)
        at += more
        for _ in range(rng.randrange(12)):
            got += dma.take(1 + rng.randrange(64))
    while some := dma.take(64):
        got += some
    assert got == as_edges(sent)


def test_times_wrap_as_the_ticks_do(begin: Any) -> None:
    for base in (1 << 30, 1 << 31, 3 << 30, 1 << 32):
        dma = begin()
        stamps = [(base + offset) & 0xFFFFFFFF for offset in (-3, -1, 0, 1, 5)]
        for i, stamp in enumerate(stamps):
            dma.write(1 + i, stamp)
        assert dma.take() == [(stamp & 0x3FFFFFFF, 1 + i) for i, stamp in enumerate(stamps)]
        assert list(dma.times[:5]) == [0x3FFFFFFD, 0x3FFFFFFF, 0, 1, 5]


def test_a_state_that_was_handed_out_last_is_no_change(begin: Any) -> None:
    dma = begin()
    for state, stamp in ((0, 1), (3, 2), (3, 3), (0, 4)):
        dma.write(state, stamp)
    assert dma.take() == [(2, 3), (4, 0)]
    dma.write(0, 5)
    assert dma.take() == []
    assert dma.control[ring.NEXT] == 5


def test_a_stall_of_this_head_alone_counts(begin: Any) -> None:
    dma = begin()
    dma.write(3, 9)
    dma.stalled = 1 | 4 | 8 | 2 << 8 | 2 << 16
    assert dma.take() == [(9, 3)]
    dma.stalled = 2
    assert dma.take() == -1


def test_a_change_under_way_waits_for_its_time(begin: Any) -> None:
    dma = begin()
    dma.write(3, 9)
    for third in range(2):
        dma.step([(5, 10)])
        assert dma.take() == ([(9, 3)] if not third else [])
    dma.step([])
    assert dma.take() == [(10, 5)]


@pytest.mark.parametrize("seed", range(40))
def test_dma_that_goes_on_between_any_two_accesses(seed: int, begin: Any) -> None:
    """Every batch is right or LOST, and LOST comes only when the ring was lapped or DMA was a step from it."""
    rng = random.Random(seed)
    dma = begin(rng.randrange(N))
    sent = changes(3000)
    dma.rng = rng
    got: list[tuple[int, int]] = []
    queued = 0
    fill = rng.choice((20, 200, 480, N - 2, N + 40))
    while len(got) < len(sent):
        if not dma.left:
            more = min(rng.randrange(1, 60), fill - (queued - len(got)), len(sent) - queued)
            dma.left += sent[queued : queued + max(more, 0)]
            queued += max(more, 0)
        batch = dma.take(1 + rng.randrange(64))
        if batch == -1:
            assert queued - len(got) >= N - 1, seed  # the last place counts as lapped while DMA is about to fill it
            break
        assert isinstance(batch, list)
        got += batch
    assert got == as_edges(sent)[: len(got)], seed
    assert len(got) == len(sent) or fill >= N - 1, seed


def test_a_lap_while_it_reads_is_lost(begin: Any) -> None:
    """The reader is slower than DMA for as long as one batch takes."""
    fired = 0
    for seed in range(60):
        dma = begin(seed * 8)
        for state, stamp in changes(N - 30):
            dma.write(state, stamp)
        dma.rng = random.Random(seed)
        dma.left = changes(100, N - 30)
        got = dma.take(64)
        lapped = dma.written - seed * 8 > N
        if got != -1:
            assert got == as_edges(changes(64)), seed
        if lapped:
            fired += 1
            assert got == -1, seed
    assert fired > 20


@pytest.mark.parametrize(("gap_us", "flooded"), [(7, 1), (40, 1), (70, 0), (160, 0), (20000, 0)])
def test_a_lap_says_whether_a_card_can_have_made_it(gap_us: int, flooded: int, begin: Any) -> None:
    """Over the wrap of the times; five changes in 2 mm at 3.3 m/s are 120 us apart, two such cards at once 60 us."""
    for start in (0, 1, 63, 64, 300, N - 1):
        for base in (5, (1 << 30) - 9000, (1 << 32) - 9000):
            for count in (N, N + 1, N + 300, 3 * N):
                dma = begin(start)
                for i in range(count):
                    dma.write(1 + i % 15, base + gap_us * i & 0xFFFFFFFF)
                assert dma.take(2000) == ring.LOST
                assert ring.flooded(dma.control) == flooded


def test_a_stall_is_no_flood(begin: Any) -> None:
    dma = begin()
    for state, stamp in changes(N + 1):
        dma.write(state, stamp)
    assert ring.flooded(dma.control) == 1
    dma.stalled = 2
    assert ring.flooded(dma.control) == 0
