"""Drawn strips hold the specification: what a head would see of the drawing is the card's own code."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import pytest
from reportlab.graphics.shapes import Rect
from shoetool.model import card_code
from shoetool.model.errors import BadInput
from shoetool.report import card_strip, strip_sheet

POINTS_PER_MM = 72 / 25.4


def dark_at(svg: str, x_mm: float, y_mm: float) -> bool:
    """Whether the drawing is black at a point, from its left and bottom edge."""
    root = ElementTree.fromstring(svg)
    height = card_code.POKER_LENGTH_MM * POINTS_PER_MM
    assert root.get("height") == "88mm" and root.get("width") == "63mm"
    assert root.get("viewBox") == f"0 0 {card_code.POKER_MM * POINTS_PER_MM:.4f} {height:.4f}"
    assert f"translate(0,-{height:.4f})" in svg
    for node in root.iter("{http://www.w3.org/2000/svg}rect"):
        box = [float(node.get(key, "0")) for key in ("x", "y", "width", "height")]
        if "fill: none" in node.get("style", "") or box[2] * box[3] > 10_000:
            continue
        x, y = x_mm * POINTS_PER_MM, y_mm * POINTS_PER_MM
        if box[0] < x < box[0] + box[2] and box[1] < y < box[1] + box[3]:
            return True
    return False


@pytest.mark.parametrize(("card", "batch"), [(0, 1), (35, 2), (52, 4)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_drawn_card_shows_its_code_on_both_edges(card: int, batch: int, turned: bool) -> None:
    svg = card_strip.strip_svg(card, batch)
    start = (card_code.POKER_MM - card_code.CODE_MM) / 2
    cells = []
    for cell in range(card_code.CELLS):
        x = start + (cell + 0.5) * card_code.CELL_MM
        data, clock = card_code.DATA_TRACK_MM, card_code.CLOCK_TRACK_MM
        edge = start + cell * card_code.CELL_MM + 0.1
        if turned:
            x, edge = card_code.POKER_MM - x, card_code.POKER_MM - edge
            data, clock = card_code.POKER_LENGTH_MM - data, card_code.POKER_LENGTH_MM - clock
        cells.append(int(dark_at(svg, x, data)))
        assert dark_at(svg, x, clock) and not dark_at(svg, edge, clock)
    assert tuple(cells) == card_code.frame_cells(card, batch)


def test_the_quiet_zones_and_the_gap_between_the_tracks_are_bright() -> None:
    for width in (card_code.POKER_MM, card_code.BRIDGE_MM):
        boxes = list(card_strip.bars(7, 1, width))
        margin = (width - card_code.CODE_MM) / 2
        assert min(x for x, _, _, _ in boxes) >= margin
        assert max(x + w for x, _, w, _ in boxes) <= width - margin
    gap = (
        card_code.CLOCK_TRACK_MM - card_code.CLOCK_WIDTH_MM / 2 - card_code.DATA_TRACK_MM - card_code.DATA_WIDTH_MM / 2
    )
    assert gap == pytest.approx(0.5)


def test_a_sheet_of_a_deck_is_a_pdf_with_nine_cards_a_page(tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    assert strip_sheet.print_sheet(path, [(card, 1) for card in range(53)]) == 6
    assert path.read_bytes().startswith(b"%PDF")
    assert path.read_bytes().count(b"/Type /Page\n") == 6


def test_a_drawing_is_named_and_its_lines_stand_in_the_middle() -> None:
    for width in (card_code.POKER_MM, card_code.BRIDGE_MM):
        svg = card_strip.strip_svg(35, 1, width)
        root = ElementTree.fromstring(svg)
        space = "{http://www.w3.org/2000/svg}"
        assert root.findtext(f"{space}title") == "10♥, batch 1" and "..." not in svg
        lines = list(root.iter(f"{space}text"))
        assert [line.text for line in lines] == ["10 of hearts", "batch 1", f"{card_code.encode(35, 1):06x}"]
        for line in lines:
            assert line.get("text-anchor") == "middle"
            assert float(line.get("x", "0")) == pytest.approx(width / 2 * POINTS_PER_MM, abs=0.001)


def test_a_sheet_says_what_made_it(tmp_path: Path) -> None:
    strip_sheet.print_sheet(tmp_path / "deck.pdf", [(0, 1)])
    data = (tmp_path / "deck.pdf").read_bytes()
    assert b"/Author (shoetool)" in data and b"anonymous" not in data


def test_names_on_a_sheet_need_no_symbols() -> None:
    assert [card_strip.plain_name(card) for card in (9, 22, 35, 51)] == [
        "10 of clubs",
        "10 of diamonds",
        "10 of hearts",
        "K of spades",
    ]
    assert all(card_strip.plain_name(card).isascii() for card in range(57))


def test_a_sheet_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        strip_sheet.print_sheet(tmp_path / "file" / "deck.pdf", [(0, 1)])


def lines_of(path: Path) -> list[tuple[float, float, float, float]]:
    """The straight lines on the one page of a PDF of ours, in mm: x1, y1, x2, y2."""
    (content,) = re.findall(rb"stream\r?\n(.*?)~>", path.read_bytes(), re.DOTALL)
    text = zlib.decompress(base64.a85decode(content)).decode("latin-1")
    found = re.findall(r"n ([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", text)
    return [tuple(float(value) / POINTS_PER_MM for value in line) for line in found]  # type: ignore[misc]


@pytest.mark.parametrize("width", [card_code.POKER_MM, card_code.BRIDGE_MM])
def test_a_sheet_has_cut_marks_at_each_cards_corners_and_a_ruler_of_100_mm(tmp_path: Path, width: float) -> None:
    strip_sheet.print_sheet(tmp_path / "one.pdf", [(0, 1)], width)
    lines = lines_of(tmp_path / "one.pdf")
    level = [line for line in lines if line[1] == pytest.approx(line[3])]
    upright = [line for line in lines if line[0] == pytest.approx(line[2])]
    assert any(line[2] - line[0] == pytest.approx(100, abs=0.01) for line in level)
    cuts = [line for line in upright if abs(line[3] - line[1]) == pytest.approx(1.25, abs=0.01)]
    places = sorted({round(line[0], 2) for line in cuts})
    assert len(cuts) == 4 and places[1] - places[0] == pytest.approx(width, abs=0.01)
    cuts = [line for line in level if abs(line[2] - line[0]) == pytest.approx(1.25, abs=0.01)]
    places = sorted({round(line[1], 2) for line in cuts})
    assert len(cuts) == 4 and places[1] - places[0] == pytest.approx(card_code.POKER_LENGTH_MM, abs=0.01)


def test_no_mark_of_a_full_sheet_lies_on_a_card_or_off_the_page(tmp_path: Path) -> None:
    for width in (card_code.POKER_MM, card_code.BRIDGE_MM):
        strip_sheet.print_sheet(tmp_path / "deck.pdf", [(card, 1) for card in range(9)], width)
        left = (210 - 3 * width - 8) / 2
        for x1, y1, x2, y2 in lines_of(tmp_path / "deck.pdf"):
            for part in range(11):
                x, y = x1 + (x2 - x1) * part / 10, y1 + (y2 - y1) * part / 10
                assert 4 <= x <= 206 and 4 <= y <= 293.5
                column, row = x - left, 297 - 8 - y
                inside = 0 <= column <= 3 * width + 8 and 0 <= row <= 272
                assert not (inside and column % (width + 4) < width and row % (card_code.POKER_LENGTH_MM + 4) < 88)


def test_the_gauge_is_one_card_at_nine_places_that_lie_evenly_to_both_sides(tmp_path: Path) -> None:
    for width in (card_code.POKER_MM, card_code.BRIDGE_MM):
        assert strip_sheet.gauge_sheet(tmp_path / "gauge.pdf", 53, 1, width) == 1
    places = strip_sheet.GAUGE_MM
    assert len(places) == 9 and [-place for place in reversed(places)] == list(places)
    for shift in places:
        drawing = card_strip.card_drawing(53, 1, shift_mm=shift)
        assert drawing.contents[-1].text == (f"{shift:+.1f} mm" if shift else "0 mm")
        boxes = [shape for strip in drawing.contents[1:3] for shape in strip.contents]
        assert all(isinstance(shape, Rect) for shape in boxes)
        clock = [shape for shape in boxes if shape.height == pytest.approx(3 * POINTS_PER_MM)]
        nearest = min(shape.y for shape in clock) / POINTS_PER_MM
        farthest = max(shape.y + shape.height for shape in clock) / POINTS_PER_MM
        assert nearest == pytest.approx(3.5 + shift) and farthest == pytest.approx(88 - 3.5 - shift)
        assert min(shape.y for shape in boxes) >= 0
        assert max(shape.y + shape.height for shape in boxes) <= 88 * POINTS_PER_MM + 1e-6


def test_zones_are_drawn_on_request_and_in_a_colour_that_is_not_the_codes() -> None:
    plain, zones = card_strip.strip_svg(35, 1), card_strip.strip_svg(35, 1, zones=True)
    assert "dasharray: 2" in zones and "dasharray: 2" not in plain
    near = card_strip.BRIGHT_ZONE_MM * POINTS_PER_MM
    assert f"M 0,{near:.6f} L {card_code.POKER_MM * POINTS_PER_MM:.6f},{near:.6f}" in zones
    assert zones.count("rgb(0%,100%,100%)") == 6  # two lines, four corners
    start = (card_code.BRIDGE_MM - card_code.CODE_MM) / 2
    assert card_strip.INDEX_MM[0] > start + card_code.CELL_MM  # the strip crosses them
