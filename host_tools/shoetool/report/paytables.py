"""Paytables as text, as the regulation prints them. Lettered paytables of one condition stand side by side."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from shoetool.model.money import money_words
from shoetool.report.submission import percent
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import Paytable
from shoetool.rules.wagers.mystery import MYSTERIES, configurations

_WIDE: Final = 80
_MOST_WITH_METERS: Final = 3


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
        together = list(group)
        for drawn in _side_by_side(together):
            yield _drawn(drawn)
        for note in together[0].notes:
            for line in textwrap.wrap(f"{note.text} ({note.clause})", _WIDE - 3):
                yield Text(f"   {line}", style="dim")


def _side_by_side(tables: list[Paytable]) -> Iterator[list[Paytable]]:
    """Yield the paytables that fit beside each other. Those with meters have further rows below: few fit."""
    found: list[Paytable] = []
    for table in tables:
        if found and (len(found) == _MOST_WITH_METERS and table.meters):
            yield found
            found = []
        found.append(table)
    yield found


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
    every = {row.key: row for one in reversed(tables) for row in one.rows}
    # In the order of the first one; a row that only another has (633c.6(i), paytable 3-1) comes behind its rows.
    for row in {row.key: every[row.key] for one in tables for row in one.rows}.values():
        mark = " (optional)" if row.optional and "(optional)" not in row.outcome else ""
        odds = [one.row(row.key).odds.text if one.has(row.key) else "" for one in tables]
        drawn.add_row(" ", row.outcome + mark, *odds, *([row.clause] if own_clauses else []))
    for label, cells in _figures(tables):
        drawn.add_row(" ", label, *cells, *([""] if own_clauses else []))
    return drawn


def _figures(tables: list[Paytable]) -> Iterator[tuple[str, list[str]]]:
    """Yield what paytables print below their rows: the envy bonus, the wager, and the figures of each meter."""
    for row in tables[0].rows:
        for wager, _ in row.envy:
            of = f"{_money(wager)} wager, " if wager else ""
            most = "max " if tables[0].most_envy else ""
            yield f"{most}envy, {of}{row.outcome}", [_money(one.row(row.key).envy_for(wager)) for one in tables]
    if any(one.stake for one in tables):
        yield "wager", ["" if one.stake is None else _money(one.stake) for one in tables]
    for name in dict.fromkeys(meter.name for one in tables for meter in one.meters):
        meters = [next((meter for meter in one.meters if meter.name == name), None) for one in tables]
        label = f"{name} meter".strip()
        for what, figures in (
            ("seed", [meter and meter.seed for meter in meters]),
            ("reseed", [meter and meter.reseed for meter in meters]),
            ("increment", [meter and meter.primary for meter in meters]),
            ("secondary increment", [meter and meter.secondary for meter in meters]),
            ("total increment", [meter and meter.total for meter in meters]),
        ):
            if any(figures):
                yield f"{label}, {what}", [figure or "" for figure in figures]


def mystery_blocks(keys: Iterable[str]) -> Iterator[Text | Table]:
    """Yield, for each mystery bonus, a heading, the wagers by which it may be won, and its printed configurations."""
    for key in keys:
        mystery, printed = MYSTERIES[key], tuple(configurations(key).values())
        yield Text(mystery.title, style="bold").append(f"  {key}", style="dim not bold")
        yield Text(f"  {printed[0].clause} · won by {' or '.join(mystery.wagers)}", style="dim")
        drawn = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
        for heading in (" ", "configuration", "least wager", "minimum", "maximum", "contribution"):
            drawn.add_column(heading, justify="left" if heading in (" ", "configuration") else "right")
        for one in printed:
            amounts = (_money(one.wager) if one.wager else "", _money(one.minimum), _money(one.maximum))
            drawn.add_row(" ", one.name, *amounts, percent(one.rate))
        yield drawn


def mystery_documents(keys: Iterable[str]) -> list[dict[str, Any]]:
    """Return the mystery bonuses with JSON types only; amounts in cents."""
    return [
        {
            "mystery": key,
            "title": MYSTERIES[key].title,
            "clause": next(iter(configurations(key).values())).clause,
            "wagers": list(MYSTERIES[key].wagers),
            "configurations": [one.to_json() for one in configurations(key).values()],
        }
        for key in keys
    ]


def _money(amount: int) -> str:
    """Return whole dollars as the regulation prints them, such as `$3,000`."""
    return money_words(amount).removesuffix(".00")
