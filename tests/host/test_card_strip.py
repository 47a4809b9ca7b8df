"""Drawn strips hold the specification: what a head would see of the drawing is the card's own code."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from shoetool.model import card_code
from shoetool.model.errors import BadInput
from shoetool.report import card_strip

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


@pytest.mark.parametrize(("card", "batch"), [(0, 1), (35, 2), (52, 62)])
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
    gap = card_code.CLOCK_TRACK_MM - card_code.DATA_TRACK_MM - card_code.TRACK_WIDTH_MM
    assert gap == pytest.approx(0.5)


def test_a_sheet_of_a_deck_is_a_pdf_with_nine_cards_a_page(tmp_path: Path) -> None:
    path = tmp_path / "deck.pdf"
    assert card_strip.print_sheet(path, [(card, 1) for card in range(53)]) == 6
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
    card_strip.print_sheet(tmp_path / "deck.pdf", [(0, 1)])
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
    with pytest.raises(BadInput, match="cannot be written"):
        card_strip.print_sheet(tmp_path / "missing" / "deck.pdf", [(0, 1)])
