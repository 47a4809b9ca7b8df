"""CARD_PRINT.md says what code, head and simulator say, and its limits hold by counting points under a slit."""

from __future__ import annotations

import importlib.util
import math
from array import array
from pathlib import Path
from types import ModuleType

import pytest
from flash_memory import MemoryFlash, Power
from shoe.journal.durable_notes import Notes
from shoe.reading.head_margins import CLEAR, LIMIT, Margins
from shoesim.model import HARSH, NOMINAL, Model
from shoetool.model import card_code
from shoetool.report.card_strip import BRIGHT_ZONE_MM
from wiring import head
from wiring.data import load

ROOT = Path(__file__).resolve().parents[2]
TEXT = " ".join((ROOT / "firmware" / "CARD_PRINT.md").read_text(encoding="utf-8").split())
STEP = 0.01


def _program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_card_print", ROOT / "tests" / "vectors" / "make_card_print.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


P = _program()
KINDS = [(CLEAR / 100, NOMINAL), (LIMIT / 100, HARSH)]


def test_the_tables_are_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = P.DOCUMENT.read_text(encoding="utf-8")
    assert P.document(text) == text, "run python tests/vectors/make_card_print.py"
    stale = tmp_path / "CARD_PRINT.md"
    stale.write_text(text.replace("±1.56", "±1.55"), encoding="utf-8")
    monkeypatch.setattr(P, "DOCUMENT", stale)
    assert P.document(stale.read_text(encoding="utf-8")) != stale.read_text(encoding="utf-8")
    assert P.main() == 0 and stale.read_text(encoding="utf-8") == text


def test_the_figures_in_the_text_are_those_of_the_code() -> None:
    sights = head.sights(load())
    clock = card_code.CLOCK_TRACK_MM + card_code.CLOCK_WIDTH_MM / 2
    half = round(head.tolerance(sights, 0.5), 9)
    assert clock + half == BRIGHT_ZONE_MM
    quiet = [(width - card_code.CODE_MM) / 2 for width in (card_code.BRIDGE_MM, card_code.POKER_MM)]
    for words in (
        f"reaches {BRIGHT_ZONE_MM} mm from each short edge",
        f"(up to {clock} mm) and {half} mm more",
        f"anywhere within its ±{P.ACROSS} mm, for print",
        f"slit, {P.SLIT[0]} mm along by {P.SLIT[1]} mm across",
        f"to {CLEAR} when new, and to {LIMIT} when worn. At {CLEAR} the warning `clean` ends, and at {LIMIT} it begins",
        f"It is {2 * quiet[0]:g} mm shorter than the card instead of {2 * quiet[1]:g}",
        f"is {quiet[0]} mm instead of {quiet[1]}",
        f"A card has {P.PLACES} places",
        f"a margin of {CLEAR} or more",
    ):
        assert words in TEXT, words
    assert P.HEAD["throat_play_mm"] == P.ACROSS  # "the same amount again"


class Board:
    """What Margins needs of a board."""

    heads = 1

    def __init__(self) -> None:
        self.store = MemoryFlash(12, Power())

    def threshold(self, head: int, value: int) -> None:
        pass


@pytest.mark.parametrize(("margin", "wanted"), [(CLEAR / 100, CLEAR), (LIMIT / 100, LIMIT)])
def test_a_print_at_the_limit_takes_the_firmwares_margin_down_to_what_the_page_says(margin: float, wanted: int) -> None:
    def level(share: float) -> int:
        return round(52000 - 40000 * share)

    margins = Margins(Board(), Notes)
    margins.start()
    margins.keep_threshold(0, level(0.5), [level(1)] * 4, [level(0)] * 4)
    assert margins.margin(0) == 100
    margins.dark = array("H", [level(P.darkest(margin))] * 4)
    assert margins.margin(0) == wanted
    margins.dark = array("H", [level(0)] * 4)
    margins.light = array("H", [level(P.brightest(margin))] * 4)
    assert margins.margin(0) == wanted
    assert 1 - P.darkest(margin) / P.brightest(margin) == pytest.approx(P.contrast(margin))


def _points() -> list[tuple[float, float]]:
    along, across = (round(side / STEP) for side in P.SLIT)
    return [((i + 0.5) * STEP, (j + 0.5) * STEP) for i in range(along) for j in range(across)]


def _hidden(diameter: float, x: float) -> float:
    """The part of a slit, of points at `x` to `x` + its width, that a disc about (0, middle) hides."""
    points = _points()
    hit = sum(math.hypot(px + x, py - P.SLIT[1] / 2) < diameter / 2 for px, py in points)
    return hit / len(points)


@pytest.mark.parametrize(("margin", "model"), KINDS)
def test_a_speck_or_void_of_the_size_on_the_page_crosses_no_threshold_and_a_larger_one_does(
    margin: float, model: Model
) -> None:
    paper, ink = P.brightest(margin), P.darkest(margin)
    places = [-P.SLIT[0] / 2 + i * STEP for i in range(-20, 21)]
    for diameter, crosses in ((P.least_disc(margin), False), (P.least_disc(margin) + 2 * STEP, True)):
        most = max(_hidden(diameter, x) for x in places)
        assert (paper * (1 - most) < 0.5) == crosses  # a black speck on white
        assert (ink * (1 - most) + most > 0.5) == crosses  # a white void in a mark
    for width, crosses in ((P.least_line(margin), False), (P.least_line(margin) + STEP, True)):
        most = width / P.SLIT[0]
        assert (paper * (1 - most) < 0.5) == crosses and (ink * (1 - most) + most > 0.5) == crosses


@pytest.mark.parametrize(("margin", "model"), KINDS)
def test_an_allowed_speck_moves_no_border_farther_than_ink_may(margin: float, model: Model) -> None:
    """A black mark of the poorest ink, a slit that comes from white paper, and a disc anywhere before the border."""
    paper, ink = P.brightest(margin), P.darkest(margin)
    allowed = P.allowed_disc(margin, model)
    fine = 0.002

    def border(diameter: float, gap: float) -> float:
        """Where the slit's leading end is when its line turns dark. The mark begins at 0, a disc ends `gap` before."""
        for step in range(100):
            lead = 0.05 + step * fine
            mark = min(max(lead, 0.0), P.SLIT[0]) / P.SLIT[0]
            speck = _hidden(diameter, lead - P.SLIT[0] + gap + diameter / 2) if diameter else 0.0
            if paper * (1 - mark - speck) + ink * mark < 0.5:
                return lead
        raise AssertionError("never dark")

    clean = border(0.0, 0.0)
    moved = max(clean - border(allowed, gap) for gap in (0.0, 0.05, 0.1, 0.2))
    assert 0.01 < moved <= model.ink_mm + fine
    assert P.moved_border(allowed + 0.01, margin) > model.ink_mm


@pytest.mark.parametrize("model", [NOMINAL, HARSH])
def test_a_sample_without_a_damaged_place_seldom_comes_from_a_print_that_is_worse(model: Model) -> None:
    cards = P.sample(model.lost)
    assert (1 - model.lost) ** (cards * P.PLACES) <= 0.05 < (1 - model.lost) ** ((cards - 1) * P.PLACES)
