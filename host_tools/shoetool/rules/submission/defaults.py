"""What a rules submission has where it does not write a setting: as it would be written, by game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Final

from shoetool.model.money import dollars
from shoetool.rules.games import GAMES
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.submission.settings import SETTINGS, Setting
from shoetool.rules.wagers.catalogue import CHOICES

_MONEY: Final = {"chip_unit", "min_wager", "max_wager", "w2g_from"}
_NEEDED: Final = {"game", "decks"}


def defaults(setting: Setting) -> Mapping[str, str]:
    """The default of a setting in each game, as TOML has it; "" for none. Empty for a setting that must be written."""
    choice = CHOICES.get(setting.key)
    if setting not in SETTINGS or setting.key in _NEEDED or (choice is not None and choice.asked):
        return {}
    return {game: _written(setting, _submission(game).setting(setting.field)) for game in GAMES}


@cache
def _submission(game: str) -> RulesSubmission:
    return RulesSubmission.default(game, 1)


def _written(setting: Setting, value: object) -> str:
    if value is None:
        return ""
    if setting.key in _MONEY:
        return f'"{dollars(int(str(value)))}"'.replace(",", "")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return '"all"' if value == 1 else str(value)
    return f'"{value}"' if isinstance(value, str) else str(value)
