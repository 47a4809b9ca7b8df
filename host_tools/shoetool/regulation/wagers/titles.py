"""What people call a wager: its title in the paytables. Its key stands only where somebody is to write it."""

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
    """The title of a wager or bonus by its key, such as `Lucky Ladies Twenty Point Bonus`; a strange key as it is."""
    declared = WAGERS.get(wager) or BONUSES.get(wager)
    return declared.title if declared is not None else _OF_THE_GAME.get(wager, repr(wager[:_SHOWN]))


def titles_of(wagers: Iterable[str]) -> str:
    """The titles of several, `none` of no wager."""
    return ", ".join(map(title_of, wagers)) or "none"
