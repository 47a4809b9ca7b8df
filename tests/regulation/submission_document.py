"""The tables of SUBMISSION_FORMAT.md as the settings make them; run as a program it prints them."""

from __future__ import annotations

from collections.abc import Sequence

from shoetool.rules.submission.defaults import defaults
from shoetool.rules.submission.settings import (
    METER_SETTINGS,
    MYSTERY_SETTINGS,
    SETTINGS,
    WAGER_SETTINGS,
    Setting,
    wager_options,
)
from shoetool.rules.wagers.catalogue import CHOICES


def default(setting: Setting) -> str:
    """The default of a setting, with the games that have another one."""
    of_games = {game: f"`{value}`" if value else "none" for game, value in defaults(setting).items()}
    if not of_games:
        return "needed with the wager" if setting.key in CHOICES else "needed"
    usual = of_games["blackjack"]
    others = [f"{value} in `{game}`" for game, value in of_games.items() if value != usual]
    return ", ".join([usual, *others])


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
