"""The pull simulator against closed forms of its physics; equal for equal seeds; its faults do fire."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from ambient import Ambient, edges_in, travel_at
from ink_changes import rectangle
from shoesim import hand, paint, printing, sensors
from shoesim import pull as pulling
from shoesim.course import follow
from shoesim.model import HARSH, IDEAL, NOMINAL, PRESETS, Profile
from shoesim.pull import KINDS, pull
from shoetool.model import card_code
from shoetool.model.errors import BadInput
from struggle import struggle

WRAP = 1 << 30
STEADY = Profile(slowest=0.5, fastest=0.5)
CELLS = card_code.frame_cells(40, 3)


def ticks(edges: list[tuple[int, int]]) -> list[int]:
    """Return running times from wrapped ones."""
    first = edges[0][0]
    return [(time - first + (WRAP >> 1)) % WRAP - (WRAP >> 1) for time, _ in edges]


def of_line(edges: list[tuple[int, int]], bit: int) -> list[int]:
    """Return the times at which one line changes."""
    before, found = 0, []
    for time, lines in edges:
        if (lines ^ before) & bit:
            found.append(time)
        before = lines
    return found


def at_centres(edges: list[tuple[int, int]]) -> tuple[int, ...]:
    """Return the data when the second clock line turned dark beside the first."""
    return tuple(now >> 3 for (_, before), (_, now) in itertools.pairwise(edges) if now & 6 == 6 and before & 6 == 2)


def ideal_places(cells: tuple[int, ...] = CELLS) -> dict[int, list[float]]:
    """Return the travels at which each line of an ideal head changes for an ideal card, straight from CARD_CODE.md."""
    start = (63.0 - 52.0) / 2
    marks = [start + 2 * cell + half for cell in range(26) for half in (0.5, 1.5)]
    padded = (0, *cells, 0)
    data = [start + 2 * cell for cell in range(27) if padded[cell] != padded[cell + 1]]
    return {1: [8.0, 71.0], 2: [x - 0.25 for x in marks], 4: [x + 0.25 for x in marks], 8: data}


def even(speed: float, start: float = -3.0, goal: float = 80.0) -> hand.Motion:
    motion = hand.Motion(start, speed)
    motion.cruise(goal - start)
    return motion


def look(
    sheets: list[paint.Sheet], motion: hand.Motion, ambient: Ambient | None = None, **eyes: object
) -> list[tuple[int, int]]:
    head = dataclasses.replace(sensors.Eyes(), **eyes)
    return edges_in(ambient, sheets, motion, 0, np.random.default_rng(1), head)


def ideal_card() -> paint.Sheet:
    return printing.print_card(CELLS, np.random.default_rng(1), IDEAL)


# --------------------------------------------------------------------------------------------- closed forms


@pytest.mark.parametrize("speed", [30.0, 500.0, 3000.0])
def test_an_even_pull_of_an_ideal_card_gives_each_edge_at_its_place_over_the_speed(speed: float) -> None:
    edges = look([ideal_card()], even(speed))
    for bit, places in ideal_places().items():
        assert of_line(edges, bit) == pytest.approx([(x + 3.0) / speed * 1e6 for x in places], abs=1.01)


@pytest.mark.parametrize("acceleration", [20_000.0, 100_000.0, -2_000.0])
def test_an_accelerated_pull_gives_each_edge_where_the_parabola_says(acceleration: float) -> None:
    motion = hand.Motion(-3.0, 600.0)
    motion.accelerate(math.sqrt(600.0**2 + 2 * acceleration * 83.0), abs(acceleration))
    edges = look([ideal_card()], motion)
    for bit, places in ideal_places().items():
        wanted = [(math.sqrt(600.0**2 + 2 * acceleration * (x + 3)) - 600.0) / acceleration * 1e6 for x in places]
        assert of_line(edges, bit) == pytest.approx(wanted, abs=1.01)


def test_a_rest_delays_what_comes_after_it_and_nothing_before() -> None:
    motion = hand.Motion(-3.0, 500.0)
    motion.cruise(33.0)
    motion.accelerate(0.0, 1e9)
    motion.rest(2.0)
    motion.accelerate(500.0, 1e9)
    motion.cruise(50.0)
    edges = look([ideal_card()], motion)
    for bit, places in ideal_places().items():
        wanted = [(x + 3.0) / 500.0 * 1e6 + (2e6 if x > 30 else 0) for x in places]
        assert of_line(edges, bit) == pytest.approx(wanted, abs=1.5)


def test_backing_up_shows_the_same_places_again_in_turn() -> None:
    motion = hand.Motion(-3.0, 500.0)
    motion.cruise(43.2)
    motion.accelerate(0.0, 1e9)
    motion.hop(-20.0, 1e9, 500.0)
    motion.accelerate(500.0, 1e9)
    motion.cruise(80.0)
    seen = of_line(look([ideal_card()], motion), 2)
    places = ideal_places()[2]
    turned = [x for x in places if 20.2 < x < 40.2]
    way = [x + 3.0 for x in places if x < 40.2] + [43.2 + 40.2 - x for x in reversed(turned)]
    way += [63.2 + x - 20.2 for x in places if x > 20.2]
    assert seen == pytest.approx([x / 500.0 * 1e6 for x in way], abs=2.0)


def test_a_lagging_sensor_turns_when_the_filtered_ramp_crosses() -> None:
    """The level of an edge rises straight while the spot crosses it; behind a low-pass it is t - T + T exp(-t / T)."""
    speed, lag = 2000.0, 40e-6
    ramp = 0.3 / speed

    def level(t: float) -> float:
        whole = (t - lag + lag * math.exp(-t / lag)) / ramp
        past = t - ramp
        return whole if past < 0 else whole - (past - lag + lag * math.exp(-past / lag)) / ramp

    low, high = 0.0, ramp + 10 * lag
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if level(middle) < 0.5 else (low, middle)
    late = (low - ramp / 2) * 1e6
    assert 20 < late < 40
    first = ideal_places()[8][0]
    edges = look([ideal_card()], even(speed), lag_us=(lag * 1e6,) * 4)
    assert of_line(edges, 8)[0] == pytest.approx((first + 3.0) / speed * 1e6 + late, abs=1.5)
    plain = look([ideal_card()], even(speed))
    # Fully dark and fully bright stretches are far longer than the lag: each edge is as late as the first.
    for one, other in zip(of_line(edges, 8), of_line(plain, 8), strict=True):
        assert one - other == pytest.approx(late, abs=2.5)


def test_hysteresis_moves_each_edge_by_its_part_of_the_ramp() -> None:
    edges = look([ideal_card()], even(500.0), high=(0.6,) * 4, low=(0.4,) * 4)
    for bit, places in ideal_places().items():
        assert of_line(edges, bit) == pytest.approx([(x + 3.03) / 500.0 * 1e6 for x in places], abs=1.01)


@pytest.mark.parametrize("shift", [-0.7, -0.8, 0.7, 0.8])
def test_the_two_clock_sensors_see_different_paint(shift: float) -> None:
    """Shifted across the pull, one of them sees past the end of the marks: less dark, so that they look narrower."""
    card = dataclasses.replace(ideal_card(), across=shift)
    edges = look([card], even(500.0))
    part = (1.4 - abs(shift)) / 0.8  # of the slit that is still over the track
    narrower = 0.3 * (0.5 / part - 0.5)
    outer, inner = (2, 4) if shift < 0 else (4, 2)
    places = ideal_places()
    signs = itertools.cycle((1, -1))
    assert of_line(edges, inner) == pytest.approx([(x + 3.0) / 500.0 * 1e6 for x in places[inner]], abs=1.01)
    wanted = [(x + sign * narrower + 3.0) / 500.0 * 1e6 for x, sign in zip(places[outer], signs, strict=False)]
    assert of_line(edges, outer) == pytest.approx(wanted, abs=1.01)


def test_a_card_too_far_aside_loses_one_clock_line_first() -> None:
    edges = look([dataclasses.replace(ideal_card(), across=-1.05)], even(500.0))
    assert of_line(edges, 2) == [] and len(of_line(edges, 4)) == 52


def test_skew_shifts_the_tracks_against_each_other_and_the_card_to_the_side_on_its_way() -> None:
    turn = math.radians(1.0)
    edges = look([dataclasses.replace(ideal_card(), turn=turn)], even(500.0))
    places = ideal_places()
    for bit, across in ((1, 10.0), (2, -0.5), (4, 0.5), (8, -3.0)):
        wanted = [(x - turn * across + 3.0) / 500.0 * 1e6 for x in places[bit]]
        assert of_line(edges, bit) == pytest.approx(wanted, abs=40 if bit in (2, 4) else 1.01)
    y = 5.5 - turn * (places[4][0] - 31.5)
    assert y == pytest.approx(5.95, abs=0.01)  # sensor B looks 0.45 mm farther in when the code begins


def test_weak_ink_makes_marks_narrower_and_then_none() -> None:
    for value in (0.8, 0.55):
        bands = tuple(dataclasses.replace(band, values=band.values * value) for band in ideal_card().bands)
        edges = look([dataclasses.replace(ideal_card(), bands=bands)], even(500.0))
        narrower = 0.3 * (0.5 / value - 0.5)
        wanted = [x + sign * narrower for x, sign in zip(ideal_places()[2], itertools.cycle((1, -1)), strict=False)]
        assert of_line(edges, 2) == pytest.approx([(x + 3.0) / 500.0 * 1e6 for x in wanted], abs=1.01)
    bands = tuple(dataclasses.replace(band, values=band.values * 0.45) for band in ideal_card().bands)
    assert [lines for _, lines in look([dataclasses.replace(ideal_card(), bands=bands)], even(500.0))] == [1, 0]


def test_fading_ink_is_lost_where_it_falls_below_the_threshold() -> None:
    fade = (np.array([0.0, 63.0]), np.array([1.0, 0.0]))
    edges = look([dataclasses.replace(ideal_card(), fade=fade)], even(500.0))
    marks = len(of_line(edges, 2)) // 2
    assert marks == sum(1 for cell in range(26) if 1 - (5.5 + 2 * cell + 1) / 63 > 0.5)


def test_a_speck_on_the_outer_half_of_the_clock_track_is_seen_by_one_sensor_only() -> None:
    quiet = rectangle(1.0, 2.0, 3.8, 4.95)
    edges = look([paint.darken(ideal_card(), quiet)], even(500.0))
    assert (
        len(of_line(edges, 2)) == 54
        and len(of_line(edges, 4)) == 52
        and len(of_line(edges, 8)) == len(ideal_places()[8])
    )
    assert of_line(edges, 2)[:2] == pytest.approx([(x - 0.25 + 3.0) / 500.0 * 1e6 for x in (1.0, 2.0)], abs=1.01)


def test_a_scratch_across_all_tracks_splits_marks_of_both_and_the_cell_beside_them() -> None:
    start = 5.5 + 2 * 10 + 1.0
    card = paint.lighten(ideal_card(), rectangle(start - 0.2, start + 0.2, 0.0, 8.0))
    edges = look([card], even(500.0))
    assert len(of_line(edges, 2)) == len(of_line(edges, 4)) == 54
    assert len(of_line(edges, 8)) == len(ideal_places()[8]) + 2 * CELLS[10]


def test_a_spot_is_as_dark_as_its_area() -> None:
    blank = printing.print_blank(63.0)
    for along, across, lean in ((1.0, 0.6, 0.0), (0.4, 0.4, 1.0)):
        card = paint.darken(blank, paint.spot(30.0, 5.0, along, across, lean))
        travel = np.arange(25.0, 35.0, 0.001)
        eyes = dataclasses.replace(sensors.Eyes(), across=(15.0, 5.0, 5.0, 5.0))
        seen = sensors.darkness([card], 1, travel, eyes)
        area = float(seen.sum()) * 0.001 * 0.8  # what the slit integrates, over its width
        assert area == pytest.approx(math.pi / 4 * along * across, rel=0.05)
        assert float(seen.max()) <= 1.0


def test_a_stroke_is_as_long_and_as_wide_as_it_was_drawn() -> None:
    dark = paint.darken(printing.print_blank(63.0), rectangle(0.0, 63.0, 0.0, 8.0))
    for start, end in (((30.0, 4.5), (32.0, 5.5)), ((30.0, 4.6), (30.0, 5.4)), ((28.0, 5.0), (33.0, 5.0))):
        card = paint.lighten(dark, paint.stroke(start, end, 0.2))
        total = sum(
            (band.high - band.low) * float((band.values[:-1] * np.diff(band.steps)).sum()) for band in card.bands
        )
        assert 63.0 * 8.0 - total == pytest.approx(0.2 * math.dist(start, end), rel=0.05)


def test_specks_do_not_add_up_and_ink_under_them_stays() -> None:
    card = paint.darken(paint.darken(ideal_card(), paint.spot(20, 5, 3, 3)), paint.spot(20.5, 5, 3, 3), 0.7)
    assert max(float(band.values.max(initial=0.0)) for band in card.bands) == 1.0


def test_mains_light_makes_a_dark_place_bright_when_it_is_strong_enough() -> None:
    """A sine of depth 0.8 on black ink crosses half at known times; the card rests on a mark."""
    motion = hand.Motion(-3.0, 500.0)
    motion.cruise(3.0 + 6.5)  # A and B both look at the first mark
    motion.accelerate(0.0, 1e9)
    motion.rest(0.05)
    motion.accelerate(500.0, 1e9)
    motion.cruise(70.0)
    light = Ambient(100.0, (0.0, 0.8, 0.0, 0.0))
    edges = look([ideal_card()], motion, light)
    crossing = math.acos(1 - 2 * 0.5 / 0.8) / (2 * math.pi * 100.0)
    wanted = [turn / 100 + way for turn in range(2, 6) for way in (crossing, 0.01 - crossing)]
    seen = [time / 1e6 for time in of_line(edges, 2) if 0.02 <= time / 1e6 < 0.06]
    assert seen == pytest.approx(wanted, abs=2e-5)
    assert len(of_line(edges, 4)) == 52


def test_pwm_light_switches_at_its_own_rate() -> None:
    motion = hand.Motion(-3.0, 500.0)
    motion.cruise(3.0 + 6.5)
    motion.accelerate(0.0, 1e9)
    motion.rest(0.1)
    light = Ambient(500.0, (0.0, 0.7, 0.0, 0.0), duty=0.25)
    seen = of_line(look([ideal_card()], motion, light), 2)
    assert len([time for time in seen if 30_000 <= time < 90_000]) == pytest.approx(2 * 30, abs=1)


def test_of_two_cards_the_nearer_one_hides_the_other() -> None:
    front, back = (
        printing.print_card(card_code.frame_cells(card, 1), np.random.default_rng(1), IDEAL) for card in (3, 40)
    )
    bright = printing.print_blank(63.0)
    travel = np.arange(-3.0, 140.0, 0.01)
    eyes = sensors.Eyes()
    for offset in (1.0, 7.3, 30.0):
        for line in (1, 2, 3):
            own = sensors.darkness([front], line, travel, eyes)
            late = sensors.darkness([dataclasses.replace(back, offset=offset)], line, travel, eyes)
            under = travel - sensors.ALONG[line]
            both = sensors.darkness(pulling.overlapped(front, back, offset, True), line, travel, eyes)
            inside = (under > 0.2) & (under < 62.8)
            assert np.allclose(both[inside], own[inside]) and np.allclose(both[under > 63.2], late[under > 63.2])
            both = sensors.darkness(pulling.overlapped(front, back, offset, False), line, travel, eyes)
            lies = under > offset + 0.2
            assert np.allclose(both[lies], late[lies]) and np.allclose(
                both[under < offset - 0.2], own[under < offset - 0.2]
            )
        hidden = pulling.overlapped(front, bright, offset, False)
        assert len(of_line(look(hidden, even(500.0, goal=150.0)), 2)) < 52
        present = of_line(look(hidden, even(500.0, goal=150.0)), 1)
        assert present == pytest.approx([22_000, 2000 * (74.0 + offset)], abs=1.01)


def test_a_gap_between_two_cards_shows_when_the_barrier_can_see_it() -> None:
    cards = [printing.print_blank(63.0), dataclasses.replace(printing.print_blank(63.0), offset=64.0)]
    assert len(of_line(look(cards, even(500.0, goal=150.0)), 1)) == 4
    cards[1] = dataclasses.replace(cards[1], offset=63.1)
    assert len(of_line(look(cards, even(500.0, goal=150.0)), 1)) == 2  # a third of the spot is not half of it


def test_samples_of_a_movement_are_its_own_places_and_times() -> None:
    rng = np.random.default_rng(5)
    motion = hand.Motion(-3.0, 300.0)
    struggle(motion, 80.0, ((-3.0, 7.0), (9.0, 70.0)), rng, Profile(acceleration=100.0, longest_stop_s=0.1))
    way = follow(motion, 0.04)
    assert np.all(np.diff(way.time) >= 0) and np.all(np.abs(np.diff(way.travel)) < 0.0401)
    assert np.allclose(travel_at(motion, way.time), way.travel, atol=1e-6)
    ends = [segment[5] for segment in motion.segments]
    assert way.travel.max() == pytest.approx(max(ends)) and way.time[-1] == motion.segments[-1][4]


# ------------------------------------------------------------------------------------------------- the whole


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
    edges, _ = pull(40, 3, 0, 0, np.random.default_rng(1), IDEAL, STEADY)
    assert at_centres(edges) == CELLS


def test_a_reading_of_both_strips_gives_the_same_cells() -> None:
    found = []
    for rotated in (False, True):
        model = dataclasses.replace(IDEAL, skew_deg=2.0, registration_mm=0.3, lateral_mm=0.05)
        edges, _ = pull(40, 3, 0, 0, np.random.default_rng(1), model, STEADY, rotated)
        found.append(at_centres(edges))
    assert found == [CELLS, CELLS]


def test_speeds_and_accelerations_stay_in_range() -> None:
    seen = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        motion = hand.Motion(-3.0, hand.draw_speed(rng, HARSH.profile))
        hand.pull_through(motion, 80.0, rng, HARSH.profile)
        for _, start, speed, acceleration, _, end in motion.segments:
            assert end > start and 49.9 <= speed <= 3000.1 and abs(acceleration) <= 100_000
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
        for place in sorted(rng.uniform(9.0, 70.0, 3)):
            if place > motion.travel:
                kinds.add(hand.hesitate(motion, place, 9.0, rng, HARSH.profile))
        hand.go_on(motion, 74.0, rng, HARSH.profile)
        reached = [segment[5] for segment in motion.segments]
        deepest = [place for place in reached if place > 9.0]
        assert min(deepest) >= 9.0 - 1e-6 and reached[-1] >= 74.0
        for _, _, speed, acceleration, end, _ in motion.segments:
            assert abs(speed) <= 3000.1 and abs(acceleration) <= 100_000.001 and end >= 0
    assert kinds == {"stop", "stutter", "back"}


def test_a_struggling_hand_turns_back_only_where_it_may() -> None:
    stops = backs = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        motion = hand.Motion(-3.0, 500.0)
        struggle(motion, 82.0, ((-3.0, 7.0), (9.0, 70.0)), rng, Profile(acceleration=100.0, longest_stop_s=0.1))
        for before, after in itertools.pairwise(motion.segments):
            stops += after[0] > before[4]
        for _, start, _, acceleration, _, end in motion.segments:
            assert abs(acceleration) <= 100_000.001
            if end < start:
                backs += 1
                assert -3.0 - 1e-6 <= end <= start <= 7.0 or 9.0 - 1e-6 <= end <= start <= 70.0
        assert motion.travel >= 82.0
    assert stops > 100 and backs > 100


def test_the_harsh_rates_are_the_asked_ones() -> None:
    rng = np.random.default_rng(4)
    lost = flipped = 0
    cells = card_code.frame_cells(3, 1)
    for _ in range(8000):
        sheet = printing.print_card(cells, rng, HARSH)
        lost += sheet.lost
        flipped += sheet.flipped
    for count in (lost, flipped):
        assert 140 < count < 280  # 8,000 * 26 * 1e-3 = 208, over four standard deviations either way


def test_harsh_and_nominal_are_the_models_of_the_figures() -> None:
    assert (HARSH.lost, HARSH.flipped, HARSH.pitch, HARSH.skew_deg, HARSH.jitter_us) == (1e-3, 1e-3, 0.03, 2.0, 20.0)
    assert HARSH.profile == Profile(0.05, 3.0, 100.0, 0.05, 10.0)
    assert (NOMINAL.lost, NOMINAL.flipped) == (1e-5, 1e-5)


def test_each_tolerance_moves_edges() -> None:
    plain = pull(3, 1, 0, 0, np.random.default_rng(2), IDEAL, STEADY)[0]
    for field, value in (
        ("pitch", 0.03),
        ("skew_deg", 2.0),
        ("jitter_us", 20.0),
        ("registration_mm", 0.3),
        ("lateral_mm", 3.0),
        ("wander_mm", 1.0),
        ("wander_deg", 3.0),
        ("contrast", (0.6, 0.7)),
        ("mount_mm", 0.1),
        ("noise", 0.1),
        ("lag_us", 50.0),
        ("ink_mm", 0.1),
        ("wear_mm", 0.2),
        ("hysteresis", 0.2),
        ("delay_us", 50.0),
        ("specks", 5.0),
        ("scratches", 5.0),
        ("lost", 0.5),
        ("flipped", 0.5),
        ("length_mm", 57.0),
    ):
        other = pull(3, 1, 0, 0, np.random.default_rng(2), dataclasses.replace(IDEAL, **{field: value}), STEADY)[0]
        assert other != plain, field


def test_a_turn_between_two_thresholds_leaves_the_line_as_it_was() -> None:
    place = ideal_places()[2][10]
    motion = hand.Motion(-3.0, 100.0)
    motion.cruise(place + 0.05 + 3.0)  # beyond the middle of the ramp, before the upper threshold
    motion.accelerate(0.0, 1e9)
    motion.hop(-0.2, 20_000.0, 100.0)
    motion.accelerate(100.0, 1e9)
    motion.cruise(80.0 - motion.travel)
    assert len(of_line(look([ideal_card()], motion, high=(0.8,) * 4, low=(0.2,) * 4), 2)) == 52
    assert len(of_line(look([ideal_card()], motion), 2)) == 54


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(BadInput, match="no such thing to pull"):
        pull(3, 1, 0, 0, np.random.default_rng(1), kind="confetti")
