"""The tables of SUBMISSION_FORMAT.md as the settings make them; run as a program it prints them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from shoetool.model.money import dollars
from shoetool.rules.games import GAMES
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.submission.settings import (
    METER_SETTINGS,
    MYSTERY_SETTINGS,
    SETTINGS,
    WAGER_SETTINGS,
    Setting,
    wager_options,
)
from shoetool.rules.wagers.catalogue import CHOICES

_MONEY = {"chip_unit", "min_wager", "max_wager", "w2g_from"}


def default(setting: Setting) -> str:
    """The default of a setting, with the games that have another one."""
    if setting.key in {"game", "decks"}:
        return "needed"
    if setting.key in CHOICES and CHOICES[setting.key].asked:
        return "needed with the wager"
    of_games = {game: written(setting, RulesSubmission.default(game, 1).setting(setting.field)) for game in GAMES}
    usual = of_games["blackjack"]
    others = [f"{value} in `{game}`" for game, value in of_games.items() if value != usual]
    return ", ".join([usual, *others])


def written(setting: Setting, value: object) -> str:
    if value is None:
        return "none"
    if setting.key in _MONEY:
        return f'`"{dollars(int(str(value)))}"`'.replace(",", "")
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, Fraction):
        return '`"all"`' if value == 1 else f"`{value}`"
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


def rows(settings: Sequence[Setting], with_default: bool) -> list[str]:
    """A table's lines, heading included."""
    headings = ["key", "takes", *(["default"] if with_default else []), "clauses", "meaning"]
    lines = [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}"]
    for setting in settings:
        takes = ", ".join(f"`{part}`" if part[:1] == '"' else part for part in setting.takes.split(", "))
        cells = [f"`{setting.key}`", takes, *([default(setting)] if with_default else [])]
        lines.append(f"| {' | '.join([*cells, ', '.join(setting.clauses), setting.meaning])} |")
    return lines


def tables() -> dict[str, list[str]]:
    """Each table by the heading that it stands under."""
    return {
        "The table": rows(SETTINGS, True),
        "An optional wager": rows(WAGER_SETTINGS, False),
        "Optional rows and bonuses": rows(wager_options(), False),
        "A meter": rows(METER_SETTINGS, False),
        "A mystery bonus": rows(MYSTERY_SETTINGS, False),
    }


if __name__ == "__main__":
    for heading, lines in tables().items():
        print(f"## {heading}\n", *lines, "", sep="\n")
