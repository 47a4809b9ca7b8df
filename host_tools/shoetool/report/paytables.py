"""Paytables as text, as the regulation prints them. Lettered paytables of one condition stand side by side."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from rich.table import Table
from rich.text import Text

from shoetool.rules.games import GAMES
from shoetool.rules.paytable import Paytable

_WIDE: Final = 80


def paytable_blocks(tables: Iterable[Paytable]) -> Iterator[Text | Table]:
    """Yield, for each wager in the order given, a heading, then the conditions and rows of each paytable."""
    first = True
    for wager, group in groupby(tables, key=lambda one: one.wager):
        of_wager = list(group)
        if not first:
            yield Text()
        first = False
        heading = Text(of_wager[0].title, style="bold")
        paid_as = of_wager[0].paid_as
        heading.append(f"  {wager if paid_as == wager else f'paid as {paid_as}'}", style="dim not bold")
        yield heading
        yield from _conditions(of_wager)


def _conditions(tables: list[Paytable]) -> Iterator[Text | Table]:
    for (clause, games, conditions), group in groupby(
        tables, key=lambda one: (one.clause, one.games, one.conditions())
    ):
        titles = ", ".join(GAMES[name].title for name in games)
        yield Text(f"  {clause} · {conditions} · {titles}", style="dim")
        drawn = list(group)
        yield _drawn(drawn)
        for note in drawn[0].notes:
            for line in textwrap.wrap(f"{note.text} ({note.clause})", _WIDE - 3):
                yield Text(f"   {line}", style="dim")


def _drawn(tables: list[Paytable]) -> Table:
    lettered = bool(tables[0].name)
    drawn = Table(box=None, header_style="dim", padding=(0, 2, 0, 0), show_header=lettered)
    drawn.add_column("")
    drawn.add_column("", max_width=44 if lettered else 52)
    for one in tables:
        drawn.add_column(f"Paytable {one.name}" if lettered else "", no_wrap=True)
    own_clauses = any(row.clause != tables[0].clause for row in tables[0].rows)
    if own_clauses:
        drawn.add_column("", style="dim")
    for row in tables[0].rows:
        mark = " (optional)" if row.optional and "(optional)" not in row.outcome else ""
        odds = [one.row(row.key).odds.text if one.has(row.key) else "" for one in tables]
        drawn.add_row(" ", row.outcome + mark, *odds, *([row.clause] if own_clauses else []))
    return drawn
