"""Draw the code strips of cards: one drawing per card, written as SVG or laid out on PDF print sheets.

All lengths come from the constants of the specification (model.card_code); print at 100 %.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics.shapes import Drawing, Group, Rect, String
from reportlab.lib.colors import black, grey
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from shoetool.model import card_code
from shoetool.model.cards import card_name
from shoetool.model.errors import BadInput

SUIT_WORDS: Final = {"♣": " of clubs", "♦": " of diamonds", "♥": " of hearts", "♠": " of spades"}
GAP_MM: Final = 4.0
RULER_MM: Final = 100.0
TEXT_LINES: Final = 3
DESCRIPTION: Final = "Printed code of playing cards for a dealing shoe; print at 100 %."


def bars(card: int, batch: int, width_mm: float = card_code.POKER_MM) -> Iterator[tuple[float, float, float, float]]:
    """Yield the dark rectangles of one strip in mm: from the leading edge and from the card's long side, width, height.

    First the clock marks, then the dark data cells, next to each other where several follow.
    """
    half = card_code.TRACK_WIDTH_MM / 2
    start = (width_mm - card_code.CODE_MM) / 2
    for cell in range(card_code.CELLS):
        middle = start + (cell + 0.5) * card_code.CELL_MM
        low = middle - card_code.MARK_MM / 2
        yield low, card_code.CLOCK_TRACK_MM - half, card_code.MARK_MM, card_code.TRACK_WIDTH_MM
    run = 0
    for cell, dark in enumerate((*card_code.frame_cells(card, batch), 0)):
        if dark:
            run += 1
        elif run:
            low = start + (cell - run) * card_code.CELL_MM
            yield low, card_code.DATA_TRACK_MM - half, run * card_code.CELL_MM, card_code.TRACK_WIDTH_MM
            run = 0


def card_drawing(
    card: int, batch: int, width_mm: float = card_code.POKER_MM, length_mm: float = card_code.POKER_LENGTH_MM
) -> Drawing:
    """Return the drawing of a whole card face: its outline, both strips, and its name in the middle.

    The second strip is the first one turned by 180 degrees about the card's middle.
    """
    drawing = Drawing(width_mm * mm, length_mm * mm)
    drawing.add(Rect(0, 0, width_mm * mm, length_mm * mm, fillColor=None, strokeColor=grey, strokeWidth=0.25))
    for turned in (False, True):
        strip = Group()
        for x, y, width, height in bars(card, batch, width_mm):
            left = width_mm - x - width if turned else x
            bottom = length_mm - y - height if turned else y
            strip.add(
                Rect(left * mm, bottom * mm, width * mm, height * mm, fillColor=black, strokeColor=None, strokeWidth=0)
            )
        drawing.add(strip)
    for line, text in enumerate((plain_name(card), f"batch {batch}", f"{card_code.encode(card, batch):06x}")):
        drawing.add(
            String(
                width_mm / 2 * mm,
                (length_mm / 2 - 5 * line) * mm,
                text,
                fontName="Helvetica",
                fontSize=9,
                textAnchor="middle",
            )
        )
    return drawing


def plain_name(card: int) -> str:
    """Return a card's name in letters that every printer has."""
    name = card_name(card)
    return name[:-1] + SUIT_WORDS[name[-1]] if name[-1] in SUIT_WORDS else name


def strip_svg(card: int, batch: int, width_mm: float = card_code.POKER_MM) -> str:
    """Return one card's drawing as the text of an SVG file, in millimetres."""
    length_mm = card_code.POKER_LENGTH_MM
    middle = width_mm / 2 * mm
    drawn: Any = renderSVG.drawToString(card_drawing(card, batch, width_mm))
    text = drawn.decode("utf-8") if isinstance(drawn, bytes) else str(drawn)
    # reportlab gives whole points without a unit: say the true size, or a print is 0.3 % off and scaled.
    wide, high = width_mm * mm, length_mm * mm
    text, sized = re.subn(
        r'<svg width="[^"]*" height="[^"]*"', f'<svg width="{width_mm:g}mm" height="{length_mm:g}mm"', text
    )
    text, boxed = re.subn(r'viewBox="[^"]*"', f'viewBox="0 0 {wide:.4f} {high:.4f}"', text)
    text, moved = re.subn(r"translate\(0, ?-[\d.]+\)", f"translate(0,-{high:.4f})", text, count=1)
    # Where a line of text begins was computed with the widths of one font; say where its middle is instead.
    text, centred = re.subn(r'<text x="[^"]*"', f'<text text-anchor="middle" x="{middle:.4f}"', text)
    title = f"{card_name(card)}, batch {batch}"
    text, named = re.subn(r"<title>[^<]*</title>", f"<title>{title}</title>", text)
    text, told = re.subn(r"<desc>[^<]*</desc>", f"<desc>{DESCRIPTION}</desc>", text)
    if (sized, boxed, moved, centred, named, told) != (1, 1, 1, TEXT_LINES, 1, 1):
        raise BadInput("this version of reportlab writes SVG in a form that cannot be given its true size")
    return text


def print_sheet(path: Path, cards: Sequence[tuple[int, int]], width_mm: float = card_code.POKER_MM) -> int:
    """Write (card, batch) pairs to a PDF for A4 paper; return its number of pages. BadInput when it cannot be written.

    Each page has a ruler: when it does not measure 100 mm the sheet was not printed at 100 %.
    """
    across = int((A4[0] / mm + GAP_MM) // (width_mm + GAP_MM))
    down = int((A4[1] / mm - 14 + GAP_MM) // (card_code.POKER_LENGTH_MM + GAP_MM))
    left = (A4[0] / mm - across * (width_mm + GAP_MM) + GAP_MM) / 2
    pages = [cards[first : first + across * down] for first in range(0, len(cards), across * down)]
    try:
        canvas = Canvas(str(path), pagesize=A4, invariant=1)
        canvas.setTitle("Code strips")
        canvas.setAuthor("shoetool")
        canvas.setSubject(DESCRIPTION)
        canvas.setCreator("shoetool strip")
        for page in pages:
            _ruler(canvas)
            for place, (card, batch) in enumerate(page):
                x = left + place % across * (width_mm + GAP_MM)
                y = A4[1] / mm - 4 - card_code.POKER_LENGTH_MM - place // across * (card_code.POKER_LENGTH_MM + GAP_MM)
                renderPDF.draw(card_drawing(card, batch, width_mm), canvas, x * mm, y * mm)
            canvas.showPage()
        canvas.save()
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    return len(pages)


def _ruler(canvas: Canvas) -> None:
    """Draw 100 mm at the foot of a page."""
    x = (A4[0] / mm - RULER_MM) / 2
    canvas.setLineWidth(0.5)
    canvas.line(x * mm, 6 * mm, (x + RULER_MM) * mm, 6 * mm)
    for tick in range(11):
        at = (x + tick * RULER_MM / 10) * mm
        canvas.line(at, 6 * mm, at, 8 * mm)
    canvas.setFont("Helvetica", 7)
    canvas.drawCentredString(A4[0] / 2, 3 * mm, "This line measures 100 mm when the sheet is printed at 100 %.")
