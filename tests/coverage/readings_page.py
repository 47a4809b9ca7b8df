"""firmware/READINGS.md written from the readings of the package: `python tests/coverage/readings_page.py`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from shoetool.rules.clause_ids import Place, places
from shoetool.rules.readings import Reading, readings

OUTPUT = Path(__file__).resolve().parents[2] / "firmware" / "READINGS.md"

_HEAD = """# How the project reads the regulation where it is silent

58 Pa. Code leaves some points open, and some are not worded clearly. Each reading below has a number. Code, tests and
[DEALING.md](DEALING.md) refer to it by that number ("reading 32"). Longer readings stand below the table. A setting is
one of the rules submission ([SUBMISSION_FORMAT.md](../host_tools/SUBMISSION_FORMAT.md)).
[CHECKS.md](../host_tools/CHECKS.md) says how each check of `shoetool verify` reads its clause. `shoetool clause ID`
shows the readings of a clause.

This page is written by `tests/coverage/readings_page.py` from `host_tools/shoetool/rules/readings.toml`.
"""
_SIDE_WAGERS = """
## Wagers of chapter 633c

Code and tests refer to these by a T and a number ("T13"). A number that is missing here is a choice of the house, and
the setting that names it says how it is read by default and otherwise; or it is one of the readings above.
"""
_TABLE = "| no. | clause | open point | reading |\n|---|---|---|---|"


def readings_document() -> str:
    """The whole of READINGS.md."""
    numbered = [one for one in readings() if one.name.isdigit()]
    others = [one for one in readings() if not one.name.isdigit()]
    lines = [_HEAD, _TABLE, *map(_row, numbered), ""]
    for one in numbered:
        if one.more:
            text = f"- **Reading {one.name}**: {one.more}"
            lines += textwrap.wrap(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, _SIDE_WAGERS, _TABLE, *map(_row, others)]) + "\n"


def _row(one: Reading) -> str:
    below = "; see below" if one.more else ""
    return f"| {one.name} | {', '.join(_short(one))} | {one.point} | {one.short}{below} |"


def _short(one: Reading) -> Iterator[str]:
    """Its clauses, each without the chapter, or the section, that it shares with the one before."""
    before = Place("")
    for name in one.clauses:
        place = places(name)[0]
        if (place.chapter, place.section) == (before.chapter, before.section) and place.steps:
            yield name[len(f"{place.chapter}.{place.section}") :]
        else:
            yield name.removeprefix(place.chapter) if place.chapter == before.chapter else name
        before = place


if __name__ == "__main__":
    OUTPUT.write_text(readings_document())
