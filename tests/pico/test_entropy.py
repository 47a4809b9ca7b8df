"""Random bytes of the RP2040: the health tests of SP 800-90B to their exact cutoffs, conditioning, and failures."""

from __future__ import annotations

import hashlib
import importlib
import random
import sys
from array import array
from decimal import Decimal, localcontext
from math import ceil, comb
from typing import Any

import pytest
from dma_chip import DmaChip

ENTROPY_A_SAMPLE = Decimal("0.2")
FALSE_ALARM_BITS = 30


class Source:
    """board/pico/entropy.py on a chip."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, ones: float = 0.5, stuck: int | None = None, seed: int = 1):
        self.chip = DmaChip(seed, step_ns=5_000)
        self.chip.oscillator.ones = ones
        self.chip.oscillator.stuck = stuck
        for name, module in self.chip.modules().items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "pico.entropy", raising=False)
        self.module: Any = importlib.import_module("pico.entropy")
        monkeypatch.delitem(sys.modules, "pico.entropy")
        self.chip.install(monkeypatch, self.module)
        monkeypatch.setattr(self.module, "time", self.chip.time())
        self.entropy = self.module.Entropy()


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Source:
    return Source(monkeypatch)


def fresh(module: Any) -> Any:
    state = array("i", [0] * module.STATE)
    state[module.LAST] = 2
    return state


# ------------------------------------------------------------------------------------------------- health tests
def test_the_cutoffs_are_those_of_sp_800_90b(source: Source) -> None:
    module = source.module
    assert 1 + ceil(FALSE_ALARM_BITS / float(ENTROPY_A_SAMPLE)) == module.REPETITION_CUTOFF  # 4.4.1
    with localcontext() as context:  # 4.4.2: 1 + CRITBINOM(W, 2^-H, 1 - 2^-30)
        context.prec = 80
        p = Decimal(2) ** -ENTROPY_A_SAMPLE
        below = Decimal(0)
        for critical in range(module.WINDOW + 1):
            below += comb(module.WINDOW, critical) * p**critical * (1 - p) ** (module.WINDOW - critical)
            if below >= 1 - Decimal(2) ** -FALSE_ALARM_BITS:
                break
    assert 1 + critical == module.PROPORTION_CUTOFF
    assert module.WINDOW == 1024  # for a source of bits
    assert ENTROPY_A_SAMPLE * module.SAMPLES * module.ROUNDS >= 8 * module.BLOCK + 64  # 3.1.5.1.2
    assert module.SAMPLES * module.ROUNDS >= 1024  # 4.3 start-up: nothing comes out of fewer than that, tested


@pytest.mark.parametrize("value", [0, 1])
def test_repetition_fails_at_its_cutoff_and_not_before(source: Source, value: int) -> None:
    module = source.module
    cutoff = module.REPETITION_CUTOFF
    for run, good in ((cutoff - 1, 1), (cutoff, 0)):
        samples = bytes([1 - value] * 3 + [value] * run + [1 - value] * 3)
        assert module.healthy(fresh(module), samples, len(samples)) == good
        state = fresh(module)  # also where two calls share the run
        assert module.healthy(state, samples[:60], 60) == 1
        assert module.healthy(state, samples[60:], len(samples) - 60) == good


@pytest.mark.parametrize("value", [0, 1])
def test_proportion_fails_at_its_cutoff_and_not_before(source: Source, value: int) -> None:
    module = source.module
    rng = random.Random(952)
    for like, good in ((module.PROPORTION_CUTOFF - 1, 1), (module.PROPORTION_CUTOFF, 0)):
        window = [value] * (like - 1) + [1 - value] * (module.WINDOW - like)
        while True:
            rng.shuffle(window)
            samples = bytes([value, *window])
            if (
                max(map(len, bytes(48 + s for s in samples).decode().split("0"))) < module.REPETITION_CUTOFF
                and max(map(len, bytes(48 + s for s in samples).decode().split("1"))) < module.REPETITION_CUTOFF
            ):
                break
        assert module.healthy(fresh(module), samples, len(samples)) == good


def test_a_window_ends_and_the_next_one_has_a_first_sample_of_its_own(source: Source) -> None:
    module = source.module
    state = fresh(module)
    rng = random.Random(3)
    for ones in (0.85, 0.15, 0.85):  # each window alone is within its limit, whatever the one before was
        samples = bytes(int(rng.random() < ones) for _ in range(module.WINDOW))
        assert module.healthy(state, samples, len(samples)) == 1
    assert state[module.LEFT] == 0


def test_only_the_lowest_bit_of_a_sample_counts(source: Source) -> None:
    module = source.module
    rng = random.Random(4)
    samples = bytes(rng.randrange(128) << 1 | 1 for _ in range(module.REPETITION_CUTOFF))
    assert module.healthy(fresh(module), samples, len(samples)) == 0


# ------------------------------------------------------------------------------------------------- conditioning
def test_each_block_is_the_digest_of_the_key_and_ten_samples_a_bit(source: Source) -> None:
    module = source.module
    oscillator = random.Random("oscillator 1")
    key = b""
    expected = []
    for _ in range(3):
        samples = bytes(int(oscillator.random() < 0.5) for _ in range(module.SAMPLES * module.ROUNDS))
        assert len(samples) == 10 * 8 * module.BLOCK
        block = hashlib.sha256(key + samples).digest()
        key = hashlib.sha256(block + b"key").digest()
        expected.append(hashlib.sha256(block + b"out").digest())
    assert [source.entropy.draw(module.BLOCK) for _ in range(3)] == expected


def test_samples_are_taken_at_their_rate_and_only_while_there_is_room(source: Source) -> None:
    module = source.module
    source.chip.run_us(module.SAMPLES * 50 + 100)
    assert source.chip.oscillator.samples == module.SAMPLES
    while source.entropy.work() or not source.entropy._ready >= module.POOL:
        source.chip.run_us(1_000)
    taken = source.chip.oscillator.samples
    assert taken == module.SAMPLES * module.ROUNDS * module.POOL // module.BLOCK
    source.chip.run_us(100_000)
    assert not source.entropy.work() and source.chip.oscillator.samples == taken
    before = source.chip.now_us
    source.entropy.draw(16)
    source.entropy.draw(16)
    assert source.chip.now_us - before < 100, "what is ready is given at once"
    assert source.chip.oscillator.samples == taken, "what is taken in meanwhile would show in the time of a draw"
    assert source.entropy.work() is False
    source.chip.run_us(30_000)
    assert source.chip.oscillator.samples > taken


def test_nothing_is_given_out_twice_or_kept(source: Source) -> None:
    drawn = [source.entropy.draw(n) for n in (1, 2, 16, 5, 48, 33)]
    whole = b"".join(drawn)
    assert len({whole[i : i + 4] for i in range(len(whole) - 3)}) == len(whole) - 3
    assert [len(d) for d in drawn] == [1, 2, 16, 5, 48, 33]
    pool = bytes(source.entropy._pool)
    for i in range(len(whole) - 3):
        assert whole[i : i + 4] not in pool


def test_a_long_draw_waits_for_its_samples(source: Source) -> None:
    before = source.chip.now_us
    source.entropy.draw(128)
    assert source.chip.oscillator.samples >= 10 * 8 * 128
    assert source.chip.now_us - before >= 10 * 8 * 128 * 50


# ------------------------------------------------------------------------------------------------------ failures
@pytest.mark.parametrize("ones, stuck", [(0.5, 0), (0.5, 1), (0.99, None), (0.01, None)])
def test_a_source_that_sticks_or_leans_gives_nothing(
    monkeypatch: pytest.MonkeyPatch, ones: float, stuck: int | None
) -> None:
    source = Source(monkeypatch, ones, stuck)
    for _ in range(3):
        with pytest.raises(OSError):
            source.entropy.draw(2)
    assert source.entropy.failures >= 3


def test_a_source_within_the_claim_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source(monkeypatch, ones=0.8)  # 0.32 bit a sample
    source.entropy.draw(512)
    assert source.entropy.failures == 0


def test_what_was_gathered_before_a_failure_is_thrown_away_and_a_source_that_recovers_is_used_again(
    source: Source,
) -> None:
    module = source.module
    source.entropy.draw(1)  # 31 bytes are left
    assert source.entropy._ready
    source.chip.oscillator.stuck = 1
    while not source.entropy.failures:
        source.chip.run_us(5_000)
        source.entropy.work()
    assert not source.entropy._ready and not any(source.entropy._pool)
    source.chip.oscillator.stuck = None
    while not source.entropy._ready:
        taken = source.chip.oscillator.samples
        try:
            source.entropy.draw(1)
        except OSError:
            continue  # samples from before it recovered
    assert source.chip.oscillator.samples - taken >= module.SAMPLES * (module.ROUNDS - 1)


def test_a_dma_that_does_not_come_to_its_end_is_no_source(source: Source) -> None:
    source.chip.mcu.write_uint32(0x50000424, 0)  # its timer stands still
    source.chip.mcu.peripherals[0x40060] = None
    with pytest.raises(OSError):
        source.entropy.draw(100)


def test_raw_samples_are_those_of_the_oscillator(source: Source) -> None:
    module = source.module
    raw = source.entropy.raw(3 * module.SAMPLES)
    assert len(raw) == 3 * module.SAMPLES and set(raw) == {0, 1}
    ones = sum(raw)
    assert abs(ones - len(raw) / 2) < 6 * len(raw) ** 0.5 / 2
    assert len(source.entropy.draw(16)) == 16


def test_close_forgets_and_gives_back(source: Source) -> None:
    source.entropy.draw(1)
    source.entropy.close()
    assert not source.chip.claimed and not any(source.entropy._pool) and source.entropy._key == b""
    assert not source.chip.busy()
    taken = source.chip.oscillator.samples
    source.chip.run_us(50_000)
    assert source.chip.oscillator.samples == taken


# ------------------------------------------------------------------------------------------------- the start
def test_bytes_gather_while_the_board_starts_and_nobody_asks(source: Source) -> None:
    """Two blocks of 128 ms; then the first draw finds them ready, and the timer is gone."""
    assert len(source.chip.timers) == 1
    for _ in range(11):
        source.chip.run_us(26_000)
        source.chip.timers[0].ring()
    before = source.chip.now_us
    assert len(source.entropy.draw(source.module.POOL)) == source.module.POOL
    assert source.chip.now_us - before < 26_000
    assert not source.chip.timers


def test_the_first_call_from_outside_ends_the_timer(source: Source) -> None:
    source.entropy.work()
    assert not source.chip.timers


def test_closing_ends_the_timer(source: Source) -> None:
    source.entropy.close()
    assert not source.chip.timers
