"""Lay drawn cards out on pages of A4 as a PDF: print sheets of cards, and the gauge for centring a head."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from shoetool.model import card_code
from shoetool.model.file_kinds import PDF
from shoetool.model.output_file import write_whole
from shoetool.report.card_strip import BRIGHT_ZONE_MM, DESCRIPTION, card_drawing

GAP_MM: Final = 4.0
TOP_MM: Final = 8.0
RULER_MM: Final = 100.0
RULER_AT_MM: Final = 10.0  # above the bottom of the page; most printers leave 4 mm white
# A gauge's cards: how much too far from the card's edges their strips lie. A centred head reads as many on one side as
# on the other. It sees less than half of the marks of those at the ends.
GAUGE_MM: Final = (-1.2, -0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9, 1.2)

_PAGE_WIDE_MM, _PAGE_HIGH_MM = (side / mm for side in A4)


def print_sheet(
    path: Path, cards: Sequence[tuple[int, int]], width_mm: float = card_code.POKER_MM, zones: bool = False
) -> int:
    """Write (card, batch) pairs to a PDF for A4 paper; return its number of pages. BadInput when it cannot be written.

    Each page has cut marks, four register marks, and a ruler that shows whether it was printed at 100 %.
    """
    told = [f"Each card measures {width_mm:g} mm by {card_code.POKER_LENGTH_MM:g} mm."]
    if zones:
        told.append(
            f"Within {BRIGHT_ZONE_MM:g} mm of a short edge (broken lines) nothing but the code may absorb at 850 nm,"
            " the indices included."
        )
    drawings = [card_drawing(card, batch, width_mm, zones=zones) for card, batch in cards]
    return _pages(path, "Code strips", drawings, width_mm, " ".join(told))


def gauge_sheet(path: Path, card: int, batch: int, width_mm: float = card_code.POKER_MM) -> int:
    """Write the gauge: `card` once for each place of GAUGE_MM. BadInput when it cannot be written."""
    told = "Slide each card through the head. It stands right when as many are read with + as with -."
    drawings = [card_drawing(card, batch, width_mm, shift_mm) for shift_mm in GAUGE_MM]
    return _pages(path, "Gauge of a read head", drawings, width_mm, told)


def _pages(path: Path, title: str, drawings: Sequence[Drawing], width_mm: float, told: str) -> int:
    length_mm = card_code.POKER_LENGTH_MM
    across = int((_PAGE_WIDE_MM + GAP_MM) // (width_mm + GAP_MM))
    down = int((_PAGE_HIGH_MM - TOP_MM - RULER_AT_MM + GAP_MM) // (length_mm + GAP_MM))
    left = (_PAGE_WIDE_MM - across * (width_mm + GAP_MM) + GAP_MM) / 2
    pages = [drawings[first : first + across * down] for first in range(0, len(drawings), across * down)]
    out = io.BytesIO()
    # past output_file: into memory.
    canvas = Canvas(out, pagesize=A4, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor("shoetool")
    canvas.setSubject(DESCRIPTION)
    canvas.setCreator("shoetool strip")
    for page in pages:
        _ruler(canvas, told)
        _register_marks(canvas)
        for place, drawing in enumerate(page):
            x = left + place % across * (width_mm + GAP_MM)
            y = _PAGE_HIGH_MM - TOP_MM - length_mm - place // across * (length_mm + GAP_MM)
            renderPDF.draw(drawing, canvas, x * mm, y * mm)
            _cut_marks(canvas, x, y, width_mm, length_mm)
        canvas.showPage()
    canvas.save()
    write_whole(path, out.getvalue(), PDF)
    return len(pages)


def _line(canvas: Canvas, x1: float, y1: float, x2: float, y2: float) -> None:
    canvas.line(x1 * mm, y1 * mm, x2 * mm, y2 * mm)


def _cut_marks(canvas: Canvas, x: float, y: float, width_mm: float, length_mm: float) -> None:
    """Draw two short lines outside each corner of a card. They point to where it is cut."""
    canvas.setLineWidth(0.25)
    near, far = GAP_MM / 8, GAP_MM * 7 / 16  # the marks of two neighbours do not meet
    for edge, way in ((x, -1), (x + width_mm, 1)):
        for height in (y, y + length_mm):
            _line(canvas, edge + way * near, height, edge + way * far, height)
    for edge, way in ((y, -1), (y + length_mm, 1)):
        for place in (x, x + width_mm):
            _line(canvas, place, edge + way * near, place, edge + way * far)


def _register_marks(canvas: Canvas) -> None:
    """Draw a cross in a circle near each corner of the page, to align a print in another ink or another pass."""
    canvas.setLineWidth(0.25)
    for x in (12.0, _PAGE_WIDE_MM - 12.0):
        for y in (RULER_AT_MM + 1.0, _PAGE_HIGH_MM - 5.3):
            canvas.circle(x * mm, y * mm, 0.7 * mm)
            _line(canvas, x - 1.2, y, x + 1.2, y)
            _line(canvas, x, y - 1.2, x, y + 1.2)


def _ruler(canvas: Canvas, told: str) -> None:
    """Draw 100 mm at the bottom of a page, with what to measure and what else to know."""
    x = (_PAGE_WIDE_MM - RULER_MM) / 2
    canvas.setLineWidth(0.5)
    _line(canvas, x, RULER_AT_MM, x + RULER_MM, RULER_AT_MM)
    for tick in range(11):
        at = x + tick * RULER_MM / 10
        _line(canvas, at, RULER_AT_MM, at, RULER_AT_MM + 2)
    canvas.setFont("Helvetica", 7)
    scale = f"This line measures {RULER_MM:g} mm when the sheet is printed at 100 %."
    canvas.drawCentredString(A4[0] / 2, (RULER_AT_MM - 3) * mm, scale)
    canvas.drawCentredString(A4[0] / 2, (RULER_AT_MM - 6) * mm, told)
