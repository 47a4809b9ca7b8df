"""What a press of a wager's winnings is worth, as text and as a document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from shoetool.odds.figures import decimal
from shoetool.odds.press import Pressed, PressOdds
from shoetool.odds.shoe import ACE, NOTHING, TEN, best_count, plus
from shoetool.report.odds_dealer import exact, up_name
from shoetool.report.text_tables import headed

_UPS: Final = (*range(1, TEN + 1), ACE)
_PLACES: Final = 6
_LETTERS: Final = {"always": "A", "never": "C", "depends": "*"}


def press_parts(press: PressOdds, edge: Fraction) -> Iterator[Text | Table]:
    """Yield the edge with the best press, and for which hands it adds the winnings. edge: that without a press."""
    low, high = (decimal((edge - gain) * 100, _PLACES) for gain in (press.most, press.least))
    if low == high:
        yield Text(f"with the best press, house edge {low} % of the wager")
    else:
        yield Text(f"with the best press, house edge {low} % to {high} % of the wager: as every hand is played for the")
        yield Text("press alone, or for the main wager alone")
    yield Text()
    yield Text("The best press, by the player's two cards and the up card", style="bold")
    cells: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for hand in sorted(press.hands, key=_by_count):
        cells[_name(hand)][hand.up].add(_adds(hand))
    drawn = headed("", *map(up_name, _UPS))
    for name, by_up in cells.items():
        drawn.add_row(name, *(_letter(by_up[up]) for up in _UPS))
    yield drawn
    yield Text("A add all, C collect, * add some hands of this count, or only where they are played for the press;")
    yield Text("blank: no such hand wins")


def press_document(press: PressOdds, edge: Fraction) -> dict[str, Any]:
    """JSON types only. edge: that without a press."""
    return {
        "wins_at_least": exact(press.least),
        "wins_at_most": exact(press.most),
        "edge_at_most": exact(edge - press.least),
        "edge_at_least": exact(edge - press.most),
        "hands": [
            {"cards": [up_name(hand.first), up_name(hand.second)], "up": up_name(hand.up), "add": _adds(hand)}
            for hand in press.hands
        ],
    }


def _adds(hand: Pressed) -> str:
    return "always" if hand.least > 0 else "depends" if hand.most > 0 else "never"


def _letter(found: set[str]) -> str:
    return _LETTERS[next(iter(found)) if len(found) == 1 else "depends"] if found else ""


def _count(hand: Pressed) -> tuple[int, bool]:
    return best_count(plus(plus(NOTHING, hand.first), hand.second))


def _by_count(hand: Pressed) -> tuple[bool, bool, int]:
    """Hard counts, then soft ones, then pairs, each from the highest on."""
    count, soft = _count(hand)
    return hand.first == hand.second, soft, -count


def _name(hand: Pressed) -> str:
    count, soft = _count(hand)
    if hand.first == hand.second:
        return f"{up_name(hand.first)},{up_name(hand.first)}"
    return "Blackjack" if count == 21 else f"soft {count}" if soft else str(count)
