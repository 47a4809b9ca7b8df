"""The font of the sheet, which is embedded in it, and which letters can be printed with it.

DejaVu Sans Condensed 2.37 as its authors release it, with its license beside it (`fonts`). The sheet holds the letters
that it uses, so it looks the same on every computer and in fifty years.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final

from reportlab.lib.fonts import addMapping
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont

REGULAR: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"
_MOST_NAMED: Final = 6
_SHAPED: Final = ("R", "AL", "AN")
"""Scripts from right to left: their letters must be joined and put in order, which nothing here does."""


@cache
def _letters() -> frozenset[int]:
    """Make the font known, and return the letters that it has upright and bold."""
    found = []
    for name in (REGULAR, BOLD):
        file = resources.files("shoetool.case").joinpath("fonts", f"{name}.ttf")
        with resources.as_file(file) as path:
            font = TTFont(name, str(path))
        registerFont(font)
        found.append(font.face.charToGlyph.keys())
    for bold in (0, 1):
        addMapping(REGULAR, bold, 0, BOLD if bold else REGULAR)
    return frozenset(found[0] & found[1])


def make_known() -> None:
    """Make the font known to ReportLab, before the first text is laid out."""
    _letters()


def drawable(text: str) -> str:
    """Return a text as it can be printed. A letter that cannot be printed right is written as its number, as `\\u674e`.

    A mark that belongs to the letter before it is joined with it where there is such a letter.
    """
    whole = unicodedata.normalize("NFC", text)
    return "".join(one if _prints(one) else _number(one) for one in whole)


def unprinted(texts: Iterable[str]) -> str:
    """Return a sentence that names the letters of these texts that are written as numbers; "" when there are none."""
    letters = {one for text in texts for one in unicodedata.normalize("NFC", text) if not _prints(one)}
    if not letters:
        return ""
    named = [f"{_number(one)} is {unicodedata.name(one, 'a letter without a name').lower()}" for one in sorted(letters)]
    more = f"; and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    told = "; ".join(named[:_MOST_NAMED]) + more
    return f"Letters that cannot be printed here are written as their numbers ({told}). The HTML page has them."


def _prints(letter: str) -> bool:
    """Whether a letter is in the font, and stands for itself: it is neither joined to another nor put before it."""
    if unicodedata.category(letter)[0] == "M" or unicodedata.bidirectional(letter) in _SHAPED:
        return False
    return ord(letter) in _letters()


def _number(letter: str) -> str:
    return letter.encode("ascii", "backslashreplace").decode("ascii")
