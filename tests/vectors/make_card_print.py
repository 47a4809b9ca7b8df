"""Write the tables of firmware/CARD_PRINT.md from the constants of the code, the head and the simulator.

python tests/vectors/make_card_print.py          write them
python tests/vectors/make_card_print.py --check  exit code 1 when they are stale

What a new card has to be is what the simulator's nominal cards are, and what a worn one may be is what its harsh cards
are: cards between them are what the reading figures of CARD_CODE.md were measured with.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("firmware", "board", "host_tools"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

from shoesim.model import HARSH, NOMINAL, Model  # noqa: E402
from shoetool.model import card_code  # noqa: E402
from shoetool.report.card_strip import BRIGHT_ZONE_MM, INDEX_MM  # noqa: E402
from wiring import head  # noqa: E402
from wiring.data import FIRMWARE, constant, load  # noqa: E402

DOCUMENT = ROOT / "firmware" / "CARD_PRINT.md"
ASKED = "asked of the maker, to be confirmed"
CARD_MORE_MM = 0.5  # how much wider or narrower a card may be along the pull
PLACES = 2 * 2 * card_code.CELLS  # marks and data cells of the two strips of a card
UNSEEN = 0.05  # chance that a sample hides what it was drawn to show

HEAD = load().raw["head"]
ACROSS = HEAD["print_across_mm"]
SLIT = (HEAD["slit_along_mm"], HEAD["slit_across_mm"])
CARDS = (NOMINAL, HARSH)


def least_margins() -> tuple[float, float]:
    """The margins, as parts of a head's own, that the print of new and of worn cards may take it down to."""
    return constant("head_margins", "CLEAR", FIRMWARE) / 100, constant("head_margins", "LIMIT", FIRMWARE) / 100


def darkest(margin: float) -> float:
    """How much light ink may send back, of white's: the threshold lies at a half, black is 0."""
    return (1 - margin) / 2


def brightest(margin: float) -> float:
    """How much light paper has to send back, of the best white's."""
    return 1 - darkest(margin)


def contrast(margin: float) -> float:
    """The print contrast signal of such paper and such ink."""
    return (brightest(margin) - darkest(margin)) / brightest(margin)


def switching_share(margin: float) -> float:
    """The least part of a slit to be hidden, by black on such paper or by white on such ink, to cross the threshold."""
    return (brightest(margin) - 0.5) / brightest(margin)


def disc_share(diameter: float) -> float:
    """The part of a slit that a disc hides whose middle lies over the slit's, none longer than the slit."""
    radius, half = diameter / 2, min(diameter, SLIT[0]) / 2
    area = 2 * (half * math.sqrt(radius**2 - half**2) + radius**2 * math.asin(half / radius))
    return area / (SLIT[0] * SLIT[1])


def least_disc(margin: float) -> float:
    """The diameter, in whole hundredths rounded down, of the least disc that can cross a threshold by itself."""
    hundredths = range(1, round(100 * SLIT[1]) + 1)
    return max(size / 100 for size in hundredths if disc_share(size / 100) < switching_share(margin))


def least_line(margin: float) -> float:
    """The width, in whole hundredths rounded down, of the least line across a slit that crosses a threshold."""
    return math.floor(100 * switching_share(margin) * SLIT[0]) / 100


def moved_border(diameter: float, margin: float) -> float:
    """By how much, at most, a disc moves a border beside it: its part of the slit, on paper and ink as poor as that."""
    return disc_share(diameter) * SLIT[0] * brightest(margin) / (brightest(margin) - darkest(margin))


def allowed_disc(margin: float, model: Model) -> float:
    """The diameter, in whole hundredths rounded down, of a disc that moves no border farther than ink may."""
    hundredths = range(1, round(100 * SLIT[1]) + 1)
    return max(size / 100 for size in hundredths if moved_border(size / 100, margin) <= model.ink_mm)


def sample(rate: float) -> int:
    """Of how many cards none may have a damaged place, so that a print that damages more than `rate` seldom passes."""
    return math.ceil(math.log(UNSEEN) / (PLACES * math.log1p(-rate)))


def borders(model: Model) -> tuple[float, float]:
    """How far a border of the dark may have moved inwards (-) and outwards (+)."""
    return -model.ink_mm - model.wear_mm / 2, model.ink_mm


def quiet(model: Model, width: float) -> float:
    """What is left of a quiet zone when everything goes against it."""
    stretched = card_code.CODE_MM / 2 * (1 + model.pitch)
    return (width - CARD_MORE_MM) / 2 - stretched - model.registration_mm - borders(model)[1]


def _both(text: Callable[[Model], str]) -> tuple[str, str]:
    return text(NOMINAL), text(HARSH)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    heads = list(heads)
    return [
        "| " + " | ".join(heads) + " |",
        "|" + "---|" * len(heads),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]


def dimensions() -> list[str]:
    """Places and lengths in mm."""
    near = card_code.DATA_TRACK_MM - card_code.DATA_WIDTH_MM / 2
    clock = card_code.CLOCK_TRACK_MM - card_code.CLOCK_WIDTH_MM / 2
    far = near + card_code.DATA_WIDTH_MM
    mark, cell = card_code.MARK_MM, card_code.CELL_MM
    rows = [
        (
            "card along the pull",
            f"{card_code.POKER_MM:g} or {card_code.BRIDGE_MM:g}",
            *2 * (f"±{CARD_MORE_MM:g}",),
            f"{ASKED}; 63.5 and 57.15 (2½ and 2¼ inches) fit",
        ),
        (
            "middle of the code from the middle of the edge, along the pull",
            "0",
            *_both(lambda card: f"±{card.registration_mm:g}"),
            "simulator: registration",
        ),
        (
            "any mark from its place across the pull, from the edge as it was cut",
            f"data {near:g} to {far:g}, clock {clock:g} to {clock + card_code.CLOCK_WIDTH_MM:g}",
            f"±{ACROSS:g}",
            f"±{ACROSS:g}",
            "budget of the head (WIRING.md)",
        ),
        ("so the strip is askew to the edge by", "0°", *2 * (f"{head.turned(ACROSS):.2f}° at most",), "computed"),
        (
            "length of the code, start cell to stop cell",
            f"{card_code.CODE_MM:g}",
            *_both(lambda card: f"±{card_code.CODE_MM * card.pitch:.2f}"),
            "simulator: pitch, the same all along",
        ),
        (
            "each border of the dark, from its place (- inwards, + outwards)",
            "0",
            *_both(lambda card: "{:+.3f} to {:+.3f}".format(*borders(card))),
            "simulator: ink, wear",
        ),
        (
            "so a clock mark is wide",
            f"{mark:.2f}",
            *_both(lambda card: f"{mark + 2 * borders(card)[0]:.2f} to {mark + 2 * borders(card)[1]:.2f}"),
            "computed, besides the pitch",
        ),
        (
            "and a dark data cell alone",
            f"{cell:.2f}",
            *_both(lambda card: f"{cell + 2 * borders(card)[0]:.2f} to {cell + 2 * borders(card)[1]:.2f}"),
            "computed, besides the pitch",
        ),
        *(
            (
                f"bright before and behind the code, {width:g} mm card",
                f"{(width - card_code.CODE_MM) / 2:.2f}",
                *_both(lambda card, width=width: f"{quiet(card, width):.2f} at least"),  # type: ignore[misc]
                "computed",
            )
            for width in (card_code.POKER_MM, card_code.BRIDGE_MM)
        ),
        (
            "bright between data track and edge",
            f"{near:.2f}",
            *_both(lambda card: f"{near - ACROSS - borders(card)[1]:.2f} at least"),
            "computed",
        ),
        (
            "bright between the tracks",
            f"{clock - far:.2f}",
            *_both(lambda card: f"{clock - far - 2 * borders(card)[1]:.2f} at least"),
            "computed",
        ),
    ]
    return _table(("what", "place", "new card", "worn card", "from"), rows)


def light() -> list[str]:
    """Reflectance at the sensors' wavelength, of the reference's."""
    new, worn = least_margins()
    most = tuple(f"{darkest(margin):.1%} at most" for margin in (new, worn))
    least = tuple(f"{brightest(margin):.1%} at least" for margin in (new, worn))
    rows = [
        ("white of the card, under its varnish", *least),
        (f"every other ink within {BRIGHT_ZONE_MM:g} mm of a short edge, face and back", *least),
        ("ink of the code, under its varnish", *most),
        (
            "print contrast signal of each strip",
            *(f"{math.ceil(100 * contrast(margin)) / 100:.2f} at least" for margin in (new, worn)),
        ),
        ("light that comes through the card", *most),
    ]
    return _table(("what", "new card", "worn card"), rows)


def defects() -> list[str]:
    """Specks, voids and scratches: what crosses a threshold by itself, and what is allowed."""
    margins = least_margins()
    pairs = list(zip(margins, CARDS, strict=True))
    rows = [
        (
            "a line switches when so much of its slit is hidden",
            *(f"{switching_share(margin):.0%}" for margin in margins),
        ),
        (
            "a speck or void that does it alone, round",
            *(f"more than {least_disc(margin):.2f} mm" for margin in margins),
        ),
        (
            "a line or scratch that does it alone",
            *(f"more than {least_line(margin):.2f} mm wide" for margin in margins),
        ),
        (
            "**allowed**: speck or void that fits into a circle of",
            *(f"{allowed_disc(margin, card):.2f} mm" for margin, card in pairs),
        ),
        (
            f"**allowed**: line or scratch, {SLIT[0]:g} mm or more from any border of the dark",
            *(f"{least_line(margin):.2f} mm wide" for margin in margins),
        ),
    ]
    return _table(("what", "new card", "worn card"), rows)


def sampling() -> list[str]:
    """How many cards have to be without a damaged place."""
    rows = [
        (name, f"1 of {round(1 / card.lost):,}", f"{sample(card.lost):,}")
        for name, card in (("a new print", NOMINAL), ("cards that are worn", HARSH))
    ]
    return _table(("of", "damaged places, at most", "cards without any that show it, both strips"), rows)


def corners() -> list[str]:
    """Where indices stand, and how much of them the strip crosses."""
    rows = []
    for name, width in (("poker", card_code.POKER_MM), ("bridge", card_code.BRIDGE_MM)):
        start = (width - card_code.CODE_MM) / 2
        cells = math.ceil((INDEX_MM[0] - start) / card_code.CELL_MM)
        rows.append((name, f"{start:g} mm", f"{INDEX_MM[0]:g} mm by {INDEX_MM[1]:g} mm", f"{cells} at either end"))
    return _table(("size", "the code begins", "room for an index, from the corner", "cells that cross it"), rows)


TABLES = {"dimensions": dimensions, "light": light, "defects": defects, "sampling": sampling, "corners": corners}


def document(text: str) -> str:
    """Return the document with its tables written anew."""
    for name, table in TABLES.items():
        begin = f"<!-- {name}: begin, written by tests/vectors/make_card_print.py -->"
        end = f"<!-- {name}: end -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise SystemExit(f"{DOCUMENT.name}: no place for the table {name}")
        text = "\n".join((before + begin, "", *table(), "", end + after))
    return text


def main() -> int:
    """Write or check the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    if document(text) == text:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{DOCUMENT.relative_to(ROOT)} is stale: run python tests/vectors/make_card_print.py")
        return 1
    DOCUMENT.write_text(document(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
