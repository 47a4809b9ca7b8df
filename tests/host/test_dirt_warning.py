"""The warning of a head that gets dirty comes before its first unreadable card, and a clean one is not warned of.

The figures are those of tests/bench/dirt_campaign.py, of which this is a small part.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sampled import SOAK

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
from dirt_campaign import KINDS, live

SEED = 4


# `make soak` takes every kind of dirt.
@pytest.mark.parametrize("number", range(len(KINDS)) if SOAK else (2,))
def test_the_warning_comes_before_the_first_unreadable_card(number: int) -> None:
    life = live((SEED, number, 0))
    print(life)
    assert life.unreadable, "the head never failed, so nothing is shown"
    assert 0 < life.warned < life.unreadable


def test_a_head_that_stays_clean_is_not_warned_of() -> None:
    life = live((SEED, 0, 300))
    print(life)
    assert (life.warned, life.unreadable, life.cards) == (0, 0, 300)
    assert life.least >= 90
