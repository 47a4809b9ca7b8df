"""The pull simulator: what the lines show of a card, equal for equal seeds, and its faults do fire."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from shoetool.model import card_code
from shoetool.model.errors import BadInput
from shoetool.simulate import hand, printing, sensors
from shoetool.simulate.model import HARSH, IDEAL, NOMINAL, PRESETS, Profile
from shoetool.simulate.pull import KINDS, pull

WRAP = 1 << 30
STEADY = Profile(slowest=0.5, fastest=0.5)


def ticks(edges: list[tuple[int, int]]) -> list[int]:
    """Return running times from wrapped ones."""
    first = edges[0][0]
    return [(time - first + (WRAP >> 1)) % WRAP - (WRAP >> 1) for time, _ in edges]


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("kind", KINDS)
def test_equal_seeds_give_equal_edges(kind: str, preset: str) -> None:
    runs = [pull(17, 3, 0, 5, np.random.default_rng(8), PRESETS[preset], kind=kind) for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "dirty"])
def test_every_line_is_bright_before_and_after_and_one_changes_at_a_time(kind: str) -> None:
    for seed in range(20):
        edges, end = pull(17, 3, 0, WRAP - 1000, np.random.default_rng(seed), HARSH, kind=kind)
        before = 0
        for time, lines in edges:
            assert 0 <= time < WRAP and (lines ^ before).bit_count() == 1
            before = lines
        assert before == 0
        assert ticks(edges) == sorted(ticks(edges))
        assert end - (WRAP - 1000) >= ticks(edges)[-1]


def test_an_ideal_card_shows_its_own_cells() -> None:
    edges, _ = pull(40, 9, 0, 0, np.random.default_rng(1), IDEAL, STEADY)
    both = [lines for _, lines in edges if lines & 6 == 6]
    cells = [lines >> 3 for (_, before), (_, lines) in itertools.pairwise(edges) if lines & 6 == 6 and before & 6 == 2]
    assert both and tuple(cells) == card_code.frame_cells(40, 9)


def test_the_time_under_the_card_sensor_is_the_length_over_the_speed() -> None:
    edges, _ = pull(40, 9, 0, 0, np.random.default_rng(1), IDEAL, STEADY)
    present = [
        time for (time, lines), before in zip(edges, [0] + [s for _, s in edges], strict=False) if (lines ^ before) & 1
    ]
    assert present[1] - present[0] == pytest.approx(63_000 / 0.5, abs=2)


def test_a_reading_of_both_strips_gives_the_same_cells() -> None:
    found = []
    for rotated in (False, True):
        edges, _ = pull(
            40, 9, 0, 0, np.random.default_rng(1), dataclasses.replace(IDEAL, skew_deg=2.0), STEADY, rotated
        )
        found.append([lines for _, lines in edges if lines & 6 == 6])
    assert [lines >> 3 for lines in found[0]] == [lines >> 3 for lines in found[1]]


def test_speeds_and_accelerations_stay_in_range() -> None:
    seen = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        motion = hand.Motion(-3.0, hand.draw_speed(rng, HARSH.profile))
        hand.pull_through(motion, 80.0, rng, HARSH.profile)
        for _, start, speed, acceleration, _, end in motion.segments:
            assert end > start and 49.9 <= speed <= 3000.1 and abs(acceleration) <= 20_000
            seen.append(speed)
    assert min(seen) < 60 and max(seen) > 2900


def test_stops_last_up_to_ten_seconds_and_no_longer() -> None:
    stops = [hand.draw_rest(np.random.default_rng(seed), HARSH.profile) for seed in range(2000)]
    assert 9.0 < max(stops) <= 10.0 and min(stops) < 0.002


def test_a_hand_that_hesitates_does_so_in_each_way_and_keeps_the_card_under_the_sensor() -> None:
    kinds = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        motion = hand.Motion(-3.0, 500.0)
        kinds.add(hand.hesitate(motion, 9.0, 70.0, 74.0, rng, HARSH.profile))
        reached = [segment[5] for segment in motion.segments]
        deepest = [place for place in reached if place > 9.0]
        assert min(deepest) >= 9.0 - 1e-6 and reached[-1] >= 74.0
        for _, _, speed, acceleration, end, _ in motion.segments:
            assert abs(speed) <= 3000.1 and abs(acceleration) <= 20_000.001 and end >= 0
    assert kinds == {"stop", "stutter", "back"}


def test_the_harsh_rates_are_the_asked_ones() -> None:
    rng = np.random.default_rng(4)
    lost = flipped = 0
    cells = card_code.frame_cells(3, 1)
    for _ in range(8000):
        strip = printing.print_card(cells, rng, HARSH)
        lost += strip.lost
        flipped += strip.flipped
    for count in (lost, flipped):
        assert 140 < count < 280  # 8,000 * 26 * 1e-3 = 208, over four standard deviations either way


def test_harsh_and_nominal_are_the_models_of_the_figures() -> None:
    assert (HARSH.lost, HARSH.flipped, HARSH.pitch, HARSH.skew_deg, HARSH.jitter_us) == (1e-3, 1e-3, 0.03, 2.0, 20.0)
    assert HARSH.profile == Profile(0.05, 3.0, 20.0, 0.05, 10.0)
    assert (NOMINAL.lost, NOMINAL.flipped) == (1e-5, 1e-5)


def test_each_tolerance_moves_edges() -> None:
    plain = pull(3, 1, 0, 0, np.random.default_rng(2), IDEAL, STEADY)[0]
    for field, value in (
        ("pitch", 0.03),
        ("skew_deg", 2.0),
        ("jitter_us", 20.0),
        ("registration_mm", 0.3),
        ("ink_mm", 0.1),
        ("wear_mm", 0.2),
        ("hysteresis_mm", 0.05),
        ("delay_us", 50.0),
        ("specks", 5.0),
        ("lost", 0.5),
        ("flipped", 0.5),
        ("length_mm", 57.0),
    ):
        other = pull(3, 1, 0, 0, np.random.default_rng(2), dataclasses.replace(IDEAL, **{field: value}), STEADY)[0]
        assert other != plain, field


def test_a_turn_between_two_thresholds_leaves_the_line_as_it_was() -> None:
    strip = printing.print_card(card_code.frame_cells(3, 1), np.random.default_rng(2), IDEAL)
    travel, bits = sensors.places(strip)
    model = dataclasses.replace(IDEAL, hysteresis_mm=0.2)
    edge = float(travel[40])
    motion = hand.Motion(-3.0, 100.0)
    motion.cruise(edge + 0.1 + 3.0)
    motion.accelerate(0.0, 1e9)
    motion.hop(-1.0, 20_000.0, 100.0)
    motion.accelerate(100.0, 1e9)
    motion.cruise(80.0 - motion.travel)
    before = 0
    for _, lines in sensors.edges(travel, bits, motion, 0, np.random.default_rng(1), model):
        assert lines != before
        before = lines
    assert before == 0


def test_darken_and_lighten() -> None:
    edges = np.array([1.0, 2.0, 5.0, 6.0])
    assert printing.darken(edges, 1.5, 5.5).tolist() == [1.0, 6.0]
    assert printing.darken(edges, 3.0, 4.0).tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert printing.lighten(edges, 1.5, 5.5).tolist() == [1.0, 1.5, 5.5, 6.0]
    assert printing.lighten(edges, 0.0, 7.0).tolist() == []


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(BadInput, match="no such thing to pull"):
        pull(3, 1, 0, 0, np.random.default_rng(1), kind="confetti")
