"""A progressive meter from round to round: what it must show, and which display is named as a break."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shoetool.settle.meter_ledger import Break, MeterLedger

PARTS = 400
"""Fractions of a cent in the random histories: 0.25 % of 25 cents and the like are whole numbers of them."""


class NaiveMeter:
    """The second opinion: every fraction of a cent that the meter may have begun with, each followed by itself."""

    def __init__(self) -> None:
        self.parts: list[int] = []
        self.before_break: list[int] = []

    def show(self, cents: int) -> bool:
        """Whether no meter that is still possible shows this."""
        fresh = [cents * PARTS + part for part in range(PARTS)]
        fitting = [value for value in self.parts if value // PARTS == cents]
        earlier = [value for value in self.before_break if value // PARTS == cents]
        known = bool(self.parts)
        if fitting or earlier or not known:
            self.parts, self.before_break = fitting or earlier or fresh, []
            return False
        self.parts, self.before_break = fresh, self.parts
        return True

    def change(self, parts: int) -> None:
        self.parts = [value + parts for value in self.parts]
        self.before_break = [value + parts for value in self.before_break]


def history(rng: random.Random, rounds: int) -> tuple[list[int], list[int]]:
    """Displays before each round in cents, and the change of each round in parts of a cent: wagers, wins, resets."""
    stands = rng.randrange(1_000_00 * PARTS, 9_000_00 * PARTS)
    shown, changes = [], []
    for _ in range(rounds):
        shown.append(stands // PARTS)
        change = rng.choice((0, *(rng.randrange(1, 2_000) for _ in range(4)))) * rng.randint(1, 7)
        if rng.random() < 0.1:  # all of it is won, in whole cents, and the house resets it
            change += (1_000_00 - (stands + change) // PARTS) * PARTS
        elif rng.random() < 0.1:  # a tenth
            change -= stands // PARTS // 10 * PARTS
        changes.append(change)
        stands += change
    return shown, changes


def breaks(shown: list[int], changes: list[int], ledger: MeterLedger) -> list[tuple[int, Break]]:
    found = []
    for at, (cents, change) in enumerate(zip(shown, changes, strict=True)):
        wrong = ledger.show(cents)
        if wrong is not None:
            found.append((at, wrong))
        ledger.change(Fraction(change, PARTS))
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_true_history_has_no_break_whatever_fraction_it_began_with(seed: int) -> None:
    assert breaks(*history(random.Random(seed), 40), MeterLedger()) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_one_display_that_was_changed_is_the_only_break(seed: int) -> None:
    """What it must show is told; the rounds behind it go on from what the meter really stood at."""
    rng = random.Random(seed)
    shown, changes = history(rng, 30)
    at = rng.randrange(1, 30)
    true = shown[at]
    shown[at] += rng.choice((-1, 1)) * rng.randrange(2, 500_00)
    ((where, found),) = breaks(shown, changes, MeterLedger())
    assert (where, found.showed) == (at, shown[at])
    assert found.most is not None and found.least <= true <= found.most <= found.least + 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_one_amount_that_was_changed_is_the_only_break_and_the_replay_goes_on_from_there(seed: int) -> None:
    """A contribution or a win that the record has wrong: every later display is off by as much, and named once."""
    rng = random.Random(seed)
    shown, changes = history(rng, 30)
    at = rng.randrange(29)
    changes[at] += rng.choice((-1, 1)) * rng.randrange(2 * PARTS, 500_00 * PARTS)
    ((where, _),) = breaks(shown, changes, MeterLedger())
    assert where == at + 1


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_a_naive_ledger_of_all_possible_fractions_finds_the_same_breaks(seed: int) -> None:
    """Several displays and amounts are wrong, many of them by a cent."""
    rng = random.Random(seed)
    shown, changes = history(rng, 25)
    for _ in range(6):
        shown[rng.randrange(25)] += rng.choice((-300, -2, -1, 1, 2, 300))
        changes[rng.randrange(25)] += rng.choice((-PARTS, -7, 7, PARTS))
    naive = NaiveMeter()
    expected = []
    for at, (cents, change) in enumerate(zip(shown, changes, strict=True)):
        if naive.show(cents):
            expected.append(at)
        naive.change(change)
    assert [at for at, _ in breaks(shown, changes, MeterLedger())] == expected


@pytest.mark.parametrize("off", [-1, 1])
def test_a_cent_too_much_or_too_little_is_a_break_when_the_fraction_is_known(off: int) -> None:
    """Ten wagers of $1 at 4.25% are 42.5 cents (reading T7 of 633c), of which the display shows 42."""
    ledger = MeterLedger(Fraction(500_00))
    for _ in range(10):
        ledger.change(Fraction(425, 100))
    assert ledger.exact == Fraction(500_42) + Fraction(1, 2)
    assert ledger.show(500_42 + off) == Break(500_42 + off, 500_42, 500_42)
    assert ledger.show(500_42) is None


def test_each_display_narrows_what_the_fraction_of_a_cent_may_be() -> None:
    """0.6 cents a round: shown 10, 11 rules out fractions under 0.4; then 11 at the next leaves less than 0.8 - 0.6."""
    ledger = MeterLedger()
    assert ledger.show(10) is None
    ledger.change(Fraction(6, 10))
    assert ledger.show(11) is None
    span = ledger.span
    assert span is not None and (span.least, span.below) == (11, Fraction(116, 10))
    ledger.change(Fraction(6, 10))
    assert ledger.show(13) == Break(13, 11, 12)
    assert ledger.exact is None


def test_a_meter_that_other_tables_play_for_may_show_more_and_never_less() -> None:
    ledger = MeterLedger(Fraction(100_00), linked=True)
    ledger.change(Fraction(5, 2))
    assert ledger.show(180_00) is None
    ledger.change(Fraction(5, 2))
    assert ledger.show(180_01) == Break(180_01, 180_02, None)
    assert ledger.show(180_01) is None


def test_after_a_round_that_is_not_known_any_display_will_do() -> None:
    ledger = MeterLedger(Fraction(100_00))
    ledger.forget()
    assert ledger.show(7_00) is None
    ledger.change(50)
    assert ledger.show(7_49) == Break(7_49, 7_50, 7_50)


def test_a_break_is_named_again_when_neither_display_nor_ledger_explains_the_next() -> None:
    ledger = MeterLedger(Fraction(100))
    found = [ledger.show(cents) for cents in (100, 90, 80, 80, 90)]
    assert [one.showed if one else None for one in found] == [None, 90, 80, None, 90]
    assert all(later.least == earlier.showed for earlier, later in pairwise(filter(None, found[1:3])))
