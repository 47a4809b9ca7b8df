"""A small seeded sample of tests/bench/audit_power.py: defects of a size that is always found, and honest shoes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

from audit_power import Plant, failed


@pytest.mark.parametrize("seed", [1, 2])
def test_honest_shoes_give_no_alarm(seed: int) -> None:
    assert failed(seed, Plant(), 2, 10) == []


@pytest.mark.parametrize(
    ("plant", "devices", "each", "deals", "by"),
    [
        (Plant("segment", 10), 2, 4, False, "longest run forward"),
        (Plant("sorted", 26), 2, 4, False, "ascending in a shoe"),
        (Plant("sorted", 8), 2, 4, False, "longest ascending sequence"),
        (Plant("missing ten"), 1, 200, False, "faces by batch"),
        (Plant("stacked dealer", 0.2), 1, 30, True, "up card aces"),
        (Plant("weak head", 20), 6, 10, False, "unreadable by head"),
    ],
    ids=lambda value: value.kind if isinstance(value, Plant) else None,
)
def test_a_planted_defect_is_found(plant: Plant, devices: int, each: int, deals: bool, by: str) -> None:
    assert by in failed(1, plant, devices, each, deals)
