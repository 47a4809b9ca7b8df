"""A settled round beside the same round otherwise: what each wager paid, what it would have paid, the difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.style import Style
from rich.table import Table
from rich.text import Text

from shoetool.model.money import signed
from shoetool.report.text_tables import headed
from shoetool.rules.round import Settlement
from shoetool.rules.wagers.catalogue import title_of

_HEADING = Style(bold=True)
_DIFFERS = Style(color="bright_red", bold=True)


class Compared(NamedTuple):
    """One wager of a position (of a hand): cents won or lost as it was, and as it would have been; None: not placed."""

    position: int | None
    hand: int | None
    wager: str
    actual: int | None
    what_if: int | None

    @property
    def difference(self) -> int:
        """Cents that the player would have had more."""
        return (self.what_if or 0) - (self.actual or 0)


def compare(actual: Settlement, otherwise: Settlement) -> list[Compared]:
    """Every wager of either settlement, in the order of the first of them."""
    sums: dict[tuple[int | None, int | None, str], list[int | None]] = {}
    for side, settlement in enumerate((actual, otherwise)):
        for line in settlement.lines:
            if line.position is None:
                continue
            both = sums.setdefault((line.position, line.hand, line.wager), [None, None])
            both[side] = (both[side] or 0) + line.net
    return [Compared(*key, *both) for key, both in sums.items()]


def comparison(said: Sequence[str], actual: Settlement, otherwise: Settlement) -> tuple[Text, Table]:
    """Return the comparison: a heading, and a table of the wagers and of what the tray would have had."""
    drawn = headed("position", "wager", "as it was", "what if", "difference")
    for column in drawn.columns[2:]:
        column.justify = "right"
    for one in compare(actual, otherwise):
        hand = "" if one.hand is None else f", hand {one.hand}"
        style = _DIFFERS if one.difference else Style()
        drawn.add_row(
            *(str(one.position), f"{title_of(one.wager)}{hand}", _amount(one.actual), _amount(one.what_if)),
            Text(signed(one.difference), style),
        )
    tray = otherwise.tray - actual.tray
    drawn.add_row("", "tray", signed(actual.tray), signed(otherwise.tray), Text(signed(tray), _HEADING))
    return Text(f"what if {', '.join(said)}", _HEADING), drawn


def comparison_document(actual: Settlement, otherwise: Settlement) -> dict[str, Any]:
    """Return the comparison with JSON types only; money in cents."""
    return {
        "wagers": [{**one._asdict(), "difference": one.difference} for one in compare(actual, otherwise)],
        "tray": {"actual": actual.tray, "what_if": otherwise.tray, "difference": otherwise.tray - actual.tray},
    }


def _amount(net: int | None) -> str:
    return "-" if net is None else signed(net)
