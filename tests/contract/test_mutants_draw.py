"""`make mutants` draws the same mutants again when code changes elsewhere, and others by another seed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "mutants"))

from draw import Mark, ranks

MARKS: list[Mark] = [("a.py", "f", "Number", f"x = {at}", 4) for at in range(500)]


def first(marks: list[Mark], seed: int = 1, size: int = 50) -> list[Mark]:
    """The first of them by rank."""
    return [mark for _, mark in sorted(zip(ranks(marks, seed), marks, strict=True))][:size]


def test_mutants_that_come_or_go_elsewhere_leave_the_others_in_the_sample() -> None:
    before = first(MARKS)
    more = [("a.py", "g", "Number", f"y = {at}", 4) for at in range(10)]
    assert len(set(first([*more, *MARKS])) & set(before)) >= len(before) - len(more)
    assert first([mark for mark in reversed(MARKS) if mark not in before[:5]], size=45) == before[5:]


def test_another_seed_draws_others() -> None:
    assert len(set(first(MARKS, seed=2)) & set(first(MARKS))) < 25


def test_mutants_of_one_mark_each_have_a_rank_that_stays() -> None:
    one, two = ranks([MARKS[0]] * 2, 1)
    assert one != two and ranks([MARKS[1], MARKS[0]], 1)[1] == one
