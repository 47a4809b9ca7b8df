"""The title of a wager, from the paytables. Messages show its key only when the reader must write it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .catalogue import BONUSES, WAGERS

_OF_THE_GAME: Final = {
    "main": "main wager",
    "double": "double",
    "lammer": "lammer",
    "insurance": "insurance",
    "bonus": "bonus payout",
}
_SHOWN: Final = 60


def title_of(wager: str) -> str:
    """Return the title of a wager or bonus, such as `Lucky Ladies Twenty Point Bonus`. An unknown key is quoted."""
    declared = WAGERS.get(wager) or BONUSES.get(wager)
    return declared.title if declared is not None else _OF_THE_GAME.get(wager, repr(wager[:_SHOWN]))


def titles_of(wagers: Iterable[str]) -> str:
    """Return the titles of several wagers; `none` when there is no wager."""
    return ", ".join(map(title_of, wagers)) or "none"
