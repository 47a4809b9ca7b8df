"""The verdict on all clean faces, at stops at each millimetre; tests/firmware/test_read_head_blind.py has more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "firmware"))
import test_read_head_blind as blind


@pytest.mark.parametrize("speed", [80, 900])
@pytest.mark.parametrize("stop_us", [20_000, 1_000_000])
def test_a_stop_at_any_millimetre_is_taken_for_all_faces(speed: int, stop_us: int) -> None:
    faces = range(52)
    for place in range(1000, 73_000, 1000):
        moves = blind.stop(place, speed, 2000, stop_us)
        read, told = blind.verdicts(moves, faces[place // 1000 % 4 :: 4])
        assert len(told) == 1 and len(read) == 13, place


def test_each_hand_is_taken_for_all_52_faces() -> None:
    refused = 0
    for moves in blind.hands(30_000):
        read, told = blind.verdicts(moves)
        assert len(read) in (0, 52) and len(told) == 1, moves
        refused += not read
    assert refused <= 3  # a hand that is slow just behind the last mark, where another card may lie
