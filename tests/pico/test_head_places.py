"""Where a head looks: the table of WIRING.md against strips as they are drawn, and against the head of before."""

from __future__ import annotations

import copy
import math
import re

import pytest
from shoesim.model import HARSH
from shoetool.model import card_code
from shoetool.report import card_strip, strip_sheet
from wiring import checks, head
from wiring.data import HERE, PICO, Wiring, load

STEP = 0.01  # mm between the points at which a slit is sampled


@pytest.fixture(scope="module")
def wiring() -> Wiring:
    return load()


def bars_seen(card: int, width: float, x: float, ends: tuple[float, float]) -> float:
    """Which part of a slit's length lies on ink, at `x` from the leading edge of a drawn card: by counting points."""
    points = [ends[0] + (i + 0.5) * STEP for i in range(round((ends[1] - ends[0]) / STEP))]
    bars = [bar for bar in card_strip.bars(card, 1, width) if bar[0] < x < bar[0] + bar[2]]
    dark = sum(any(low < y < low + height for _, low, _, height in bars) for y in points)
    return dark / len(points)


@pytest.mark.parametrize("width", [card_code.POKER_MM, card_code.BRIDGE_MM])
@pytest.mark.parametrize(("name", "share"), head.SHARES)
def test_a_drawn_card_that_far_beside_its_place_shows_that_much_of_its_marks(
    wiring: Wiring, width: float, name: str, share: float
) -> None:
    sights = head.sights(wiring)
    far = head.tolerance(sights, share)
    cells = card_code.frame_cells(7, 1)
    dark = (width - card_code.CODE_MM) / 2 + (cells.index(1) + 0.5) * card_code.CELL_MM
    bright = (width - card_code.CODE_MM) / 2 + cells.index(0) * card_code.CELL_MM + 0.1
    beyond = [bars_seen(7, width, dark, sight.ends(way * (far + 2 * STEP))) for sight in sights for way in (1, -1)]
    assert min(beyond) < share
    for sight in sights:
        for way in (far, -far):
            assert bars_seen(7, width, dark, sight.ends(way)) >= share - 1e-9, f"{name}: {sight.line}"
            assert bars_seen(7, width, bright, sight.ends(way)) == 0


def test_a_threshold_in_the_middle_reads_every_cell_of_a_drawn_card_up_to_half_a_slit(wiring: Wiring) -> None:
    sights = head.sights(wiring)
    far = head.tolerance(sights, 0.5) - STEP
    start = (card_code.POKER_MM - card_code.CODE_MM) / 2
    for shift in (far, 0.0, -far):
        clock_a, clock_b, data = (sight.ends(shift) for sight in sights)
        for cell, value in enumerate(card_code.frame_cells(35, 1)):
            middle = start + (cell + 0.5) * card_code.CELL_MM
            assert (bars_seen(35, card_code.POKER_MM, middle, data) > 0.5) == bool(value)
            for ends in (clock_a, clock_b):
                assert bars_seen(35, card_code.POKER_MM, middle, ends) > 0.5
                assert bars_seen(35, card_code.POKER_MM, middle - 0.9, ends) < 0.5


def test_the_slits_leave_more_than_half_a_millimetre_to_either_side(wiring: Wiring) -> None:
    """As does the head of today, and did not the one before: sensors at 4.0 and 5.0 mm over a track of 2 mm."""
    sights = head.sights(wiring)
    assert [sight.across for sight in sights] == [4.5, 5.5, 2.0]
    assert head.tolerance(sights, 1.0) == pytest.approx(0.6)
    assert head.tolerance(sights, 0.5) == pytest.approx(1.0)
    assert head.clear(sights) == pytest.approx(1.1)
    slit, track = head.Patch(0.8, 0.0), (3.5, 5.5)
    before = (head.Sight("CLOCK_A", -0.25, 4.0, slit, track), head.Sight("CLOCK_B", 0.25, 5.0, slit, track), sights[2])
    assert head.tolerance(before, 1.0) == pytest.approx(0.1)
    assert head.tolerance(before, 0.5) == pytest.approx(0.5)


def _constants(monkeypatch: pytest.MonkeyPatch, **changed: float) -> None:
    real = head.card_mm
    monkeypatch.setattr(head, "card_mm", lambda name: changed.get(name, real(name)))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"CLOCK_TRACK": 4.5, "CLOCK_WIDTH": 2.0}, "slits leave their tracks 0.10 mm beside the middle"),
        ({"CLOCK_APART": 0.8}, "-0.10 mm between CLOCK_A and CLOCK_B"),
        ({"CLOCK_TRACK": 4.3}, "a sensor sees the other track 0.20 mm"),
        ({"CLOCK_TRACK": 4.9, "CLOCK_APART": 1.6}, "a quarter of the light is lost"),
        ({"CLOCK_WIDTH": 2.8, "CLOCK_APART": 0.8, "QUARTER": 2.0, "MARK": 0.5}, "a sensor sees 0.53 mm along the pull"),
        ({"CLOCK_TRACK": 6.5, "CLOCK_APART": 3.0, "CLOCK_WIDTH": 6.0}, "one sensor gets 54% of another one's light"),
    ],
)
def test_a_head_that_does_not_aim_is_found(
    wiring: Wiring, monkeypatch: pytest.MonkeyPatch, changed: dict[str, float], words: str
) -> None:
    _constants(monkeypatch, **changed)
    assert any(words in line for line in checks.findings(wiring)), checks.findings(wiring)


def test_sensors_that_are_turned_overlap(wiring: Wiring) -> None:
    raw = copy.deepcopy(wiring.raw)
    raw["head"]["sensor_along_mm"], raw["head"]["sensor_across_mm"] = 0.8, 1.6
    assert head.body(Wiring(raw, wiring.parts, wiring.nets, wiring.pins)).free < 0 < head.body(wiring).free


def test_light_falls_off_with_the_fourth_power_of_the_cosine(wiring: Wiring) -> None:
    """By the vectors themselves: strength, angle of incidence and distance, from an LED at a slant of 45 degrees."""
    sights, distance = head.sights(wiring), wiring.raw["head"]["light_mm"]
    along, height = distance / 2**0.5, distance / 2**0.5
    found = {}
    for sight in sights:
        aside = sight.across - head.light_middle(sights)
        way = (along**2 + height**2 + aside**2) ** 0.5
        strength = (along * along + height * height) / (distance * way)  # cosine to where the LED points
        found[sight.line] = strength * (height / way) / way**2
    best = (height / distance) / distance**2
    assert {line: value / best for line, value in found.items()} == pytest.approx(head.light(wiring))


def test_the_notes_give_the_figures_that_are_computed(wiring: Wiring) -> None:
    page = (HERE / "WIRING.md").read_text(encoding="utf-8")
    raw = wiring.raw["head"]
    sights = head.sights(wiring)
    for words in (
        f"{head.light_middle(sights):.2f} mm from the\ncard's edge",
        f"{card_code.CLOCK_APART_MM} mm apart, moved",
        f"than the data track, {card_code.CLOCK_WIDTH_MM} mm",
        f"{head.body(wiring).free:.1f} mm is left between the two bodies",
        f"slit of {raw['slit_along_mm']} mm along the pull and {raw['slit_across_mm']} mm across",
        f"({raw['above_mm']} mm or less), and {raw['sensor_behind_mm']} mm in front",
        f"within ±{raw['throat_play_mm']} mm",
        f"at most {HARSH.present_offset_mm:g} mm farther from the edge",
    ):
        assert words in page, words
    turned = re.search(r"turned by 2°\nthe two ends of its code lie ([\d.]+) mm apart", page)
    assert turned and head.turned(float(turned[1]) / 2) == pytest.approx(2, abs=0.05)


def test_the_specification_gives_the_figures_that_are_computed(wiring: Wiring) -> None:
    text = (PICO.parents[1] / "firmware" / "CARD_CODE.md").read_text(encoding="utf-8")
    clock_a, clock_b, data = sights = head.sights(wiring)
    for sight in (clock_a, clock_b):
        assert f"| {sight.line} | {sight.along:+.2f} mm | {sight.across} mm |" in text
    assert f"| DATA | 0 | {data.across} mm |" in text and data.along == 0
    askew = [
        math.tan(math.radians(2)) * (one.across - other.across) for one, other in ((clock_a, data), (clock_b, data))
    ]
    told = " ".join(text.split())
    moved = re.search(r"2° askew moves A by ([\d.]+) mm and B by ([\d.]+) mm along the pull .*? by ([\d.]+) mm", told)
    assert moved and [float(figure) for figure in moved.groups()] == pytest.approx(
        [*askew, askew[1] - askew[0]], abs=0.005
    )
    beside = re.search(
        r"a slit that is ([\d.]+) mm long .*?up to ([\d.]+) mm .*?to ([\d.]+) mm .*?before ([\d.]+) mm"
        r".*?slits ([\d.]+) mm above .*?([\d.]+) mm for all .*?again ([\d.]+) mm for half",
        told,
    )
    above = head.sights(wiring, wiring.raw["head"]["above_mm"])
    wanted = [data.patch.wide, *(head.tolerance(sights, share) for share in (1.0, 0.5)), head.clear(sights)]
    wanted += [wiring.raw["head"]["above_mm"], *(head.tolerance(above, share) for share in (1.0, 0.5))]
    assert beside and [float(figure) for figure in beside.groups()] == pytest.approx(wanted)


def test_a_head_that_stands_right_reads_all_of_the_gauge_but_its_two_ends(wiring: Wiring) -> None:
    far = head.tolerance(head.sights(wiring), 0.5)
    assert [place for place in strip_sheet.GAUGE_MM if abs(place) > far] == [-1.2, 1.2]


def test_a_slit_above_the_card_is_that_of_its_rays(wiring: Wiring) -> None:
    """Rays from points of the chip through points of the slit to the card, counted on the track."""
    raw = wiring.raw["head"]
    above, behind, chip, slit = (raw[name] for name in ("above_mm", "sensor_behind_mm", "chip_mm", "slit_across_mm"))
    sights = head.sights(wiring, above)
    points = [(i + 0.5) / 200 - 0.5 for i in range(200)]
    for sight in sights:
        for shift in (*sight.reach(0.75), *sight.reach(0.5), *sight.reach(1.0), *sight.reach(0.99)):
            hits = [
                sight.across + shift + through * slit + (through * slit - start * chip) * above / behind
                for start in points
                for through in points
            ]
            share = sum(sight.track[0] <= hit <= sight.track[1] for hit in hits) / len(hits)
            wanted = next(part for part in (0.75, 0.5, 1.0, 0.99) if shift in sight.reach(part))
            assert share == pytest.approx(wanted, abs=0.006), f"{sight.line} {shift:.2f}"
