"""Draw the code strips of a card, and write them as SVG; strip_sheet lays drawings out on pages.

All lengths come from the constants of the specification (model.card_code); print at 100 %.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from reportlab.graphics import renderSVG
from reportlab.graphics.shapes import Drawing, Group, Line, Rect, String
from reportlab.lib.colors import CMYKColor, black, grey
from reportlab.lib.units import mm

from shoetool.model import card_code
from shoetool.model.cards import card_name
from shoetool.model.errors import BadInput

SUIT_WORDS: Final = {"♣": " of clubs", "♦": " of diamonds", "♥": " of hearts", "♠": " of spades"}
# Between each short edge and here, only the code may absorb at the sensors' wavelength: CARD_PRINT.md.
BRIGHT_ZONE_MM: Final = 7.5
# The area of an index, from the card's corner: along the short edge and along the long one.
INDEX_MM: Final = (12.0, 22.0)
TEXT_LINES: Final = 3
DESCRIPTION: Final = "Printed code of playing cards for a dealing shoe; print at 100 %."


def bars(card: int, batch: int, width_mm: float = card_code.POKER_MM) -> Iterator[tuple[float, float, float, float]]:
    """Yield the dark rectangles of one strip in mm: from the leading edge, from the card's short edge, width, height.

    First the clock marks, then the dark data cells, next to each other where several follow.
    """
    start = (width_mm - card_code.CODE_MM) / 2
    for cell in range(card_code.CELLS):
        middle = start + (cell + 0.5) * card_code.CELL_MM
        low = middle - card_code.MARK_MM / 2
        near = card_code.CLOCK_TRACK_MM - card_code.CLOCK_WIDTH_MM / 2
        yield low, near, card_code.MARK_MM, card_code.CLOCK_WIDTH_MM
    run = 0
    for cell, dark in enumerate((*card_code.frame_cells(card, batch), 0)):
        if dark:
            run += 1
        elif run:
            low = start + (cell - run) * card_code.CELL_MM
            near = card_code.DATA_TRACK_MM - card_code.DATA_WIDTH_MM / 2
            yield low, near, run * card_code.CELL_MM, card_code.DATA_WIDTH_MM
            run = 0


def card_drawing(
    card: int, batch: int, width_mm: float = card_code.POKER_MM, shift_mm: float | None = None, zones: bool = False
) -> Drawing:
    """Return the drawing of a whole card face: its outline, both strips, and its name in the middle.

    The second strip is the first one turned by 180 degrees about the card's middle. `shift_mm`: the strips lie so much
    too far from the card's edges, for the gauge. `zones`: also draw the zones that must stay free of other dark ink.
    """
    moved = shift_mm or 0.0
    length_mm = card_code.POKER_LENGTH_MM
    drawing = Drawing(width_mm * mm, length_mm * mm)
    drawing.add(Rect(0, 0, width_mm * mm, length_mm * mm, fillColor=None, strokeColor=grey, strokeWidth=0.25))
    for turned in (False, True):
        strip = Group()
        for x, near, width, height in bars(card, batch, width_mm):
            y = max(0.0, near + moved)
            height -= y - near - moved  # what would lie beyond the edge
            left = width_mm - x - width if turned else x
            bottom = length_mm - y - height if turned else y
            strip.add(
                Rect(left * mm, bottom * mm, width * mm, height * mm, fillColor=black, strokeColor=None, strokeWidth=0)
            )
        drawing.add(strip)
    if zones:
        drawing.add(_zones(width_mm, length_mm))
    last = f"{card_code.encode(card, batch):06x}" if shift_mm is None else f"{shift_mm:+.1f} mm".replace("+0.0", "0")
    for line, text in enumerate((plain_name(card), f"batch {batch}", last)):
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


def _zones(width_mm: float, length_mm: float) -> Group:
    """Return broken lines around the bright zones and around the areas of the indices.

    In cyan, which the sensors hardly see: the lines cross the tracks.
    """
    group = Group()
    broken: dict[str, Any] = {"strokeColor": CMYKColor(1, 0, 0, 0), "strokeWidth": 0.4, "strokeDashArray": [2, 2]}
    for y in (BRIGHT_ZONE_MM, length_mm - BRIGHT_ZONE_MM):
        group.add(Line(0, y * mm, width_mm * mm, y * mm, **broken))
    wide, high = INDEX_MM
    for x in (0.0, width_mm - wide):
        for y in (0.0, length_mm - high):
            group.add(Rect(x * mm, y * mm, wide * mm, high * mm, fillColor=None, **broken))
    return group


def plain_name(card: int) -> str:
    """Return a card's name in letters that every printer has."""
    name = card_name(card)
    return name[:-1] + SUIT_WORDS[name[-1]] if name[-1] in SUIT_WORDS else name


def strip_svg(card: int, batch: int, width_mm: float = card_code.POKER_MM, zones: bool = False) -> str:
    """Return one card's drawing as the text of an SVG file, in millimetres."""
    length_mm = card_code.POKER_LENGTH_MM
    middle = width_mm / 2 * mm
    drawn: Any = renderSVG.drawToString(card_drawing(card, batch, width_mm, zones=zones))
    text = drawn.decode("utf-8") if isinstance(drawn, bytes) else str(drawn)
    # reportlab gives whole points without a unit. State the true size, else a print is scaled and 0.3 % off.
    wide, high = width_mm * mm, length_mm * mm
    text, sized = re.subn(
        r'<svg width="[^"]*" height="[^"]*"', f'<svg width="{width_mm:g}mm" height="{length_mm:g}mm"', text
    )
    text, boxed = re.subn(r'viewBox="[^"]*"', f'viewBox="0 0 {wide:.4f} {high:.4f}"', text)
    text, moved = re.subn(r"translate\(0, ?-[\d.]+\)", f"translate(0,-{high:.4f})", text, count=1)
    # The start of a line of text was computed with the widths of one font. State its middle instead.
    text, centred = re.subn(r'<text x="[^"]*"', f'<text text-anchor="middle" x="{middle:.4f}"', text)
    title = f"{card_name(card)}, batch {batch}"
    text, named = re.subn(r"<title>[^<]*</title>", f"<title>{title}</title>", text)
    text, told = re.subn(r"<desc>[^<]*</desc>", f"<desc>{DESCRIPTION}</desc>", text)
    if (sized, boxed, moved, centred, named, told) != (1, 1, 1, TEXT_LINES, 1, 1):
        raise BadInput("this version of reportlab writes SVG in a form that cannot be given its true size")
    return text
