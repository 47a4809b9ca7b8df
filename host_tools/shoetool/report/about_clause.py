"""A clause as text: what it asks, who does it, what checks it, what names it, how it is read."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from shoetool.judge.about_clause import AboutClause
from shoetool.model.naming import many
from shoetool.rules.clauses import BY
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import Paytable
from shoetool.rules.submission.defaults import defaults
from shoetool.rules.submission.settings import Setting

_LETTERS: Final = 6
"""So many paytables of a wager are named; of more, the first and the last."""
_NO_CHECK: Final = "no finding of shoetool verify names this clause by itself"
_NEEDED: Final = "shoetool table lists what a table must have or show by it"


def clause_blocks(rows: Iterable[AboutClause], width: int) -> Iterator[Text | Table]:
    """Yield what each of these clauses asks, and after those of which the same is known, a table of that.

    width: of the terminal, in columns.
    """
    for number, (_, group) in enumerate(groupby(rows, key=_known)):
        if number:
            yield Text()
        together = list(group)
        for one in together:
            who = ", ".join(BY[by] for by in one.clause.by)
            heading = Text(one.clause.id, style="bold")
            yield heading.append(f"  {one.clause.kind}; done or checked by {who}", style="dim not bold")
            yield Text(textwrap.fill(one.clause.asks, width - 1, initial_indent="  ", subsequent_indent="  "))
        yield _facts(together[0])


def _known(one: AboutClause) -> tuple[object, ...]:
    return one.checks, one.reported, one.cited, one.readings, one.unproved


def _facts(one: AboutClause) -> Table:
    """Everything that is known of a clause beside what it asks."""
    drawn = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    drawn.add_column(no_wrap=True, style="dim")
    drawn.add_column()
    last = ""
    for label, texts in _parts(one):
        for text in texts:
            drawn.add_row("" if label == last else label, text)
            last = label
    return drawn


def _parts(one: AboutClause) -> Iterator[tuple[str, Sequence[RenderableType]]]:
    checks = [_named(f"{check.name} ({', '.join(check.verdicts)})", check.reading) for check in one.checks]
    yield "checked by", checks or [one.unproved or _NO_CHECK]
    yield "shoe reports", [_named(name, means) for name, means in one.reported]
    yield "games", [", ".join(game.title for game in one.cited.games)] if one.cited.games else []
    yield (
        "wagers",
        [", ".join(f"{wager.title} ({wager.key})" for wager in one.cited.wagers)] if one.cited.wagers else [],
    )
    yield "paytables", list(_paytables(one.cited.paytables))
    yield "table", [_NEEDED] if one.cited.needed else []
    for setting in one.cited.settings:
        yield "settings", [_named(f"{setting.key} = {setting.takes}", setting.meaning, _default(setting))]
    yield "we read it so", [_named(f"{read.point} (reading {read.name})", read.text) for read in one.readings]


def _named(name: str, *texts: str) -> RenderableType:
    """A name, and below it what there is to say of it, indented."""
    return Group(name, *(Padding(Text(text, style="dim"), (0, 0, 0, 2)) for text in texts if text))


def _paytables(tables: Sequence[Paytable]) -> Iterator[str]:
    for (wager, title), group in groupby(tables, key=lambda table: (table.wager, table.title)):
        together = list(group)
        names = list(dict.fromkeys(table.name for table in together if table.name))
        if len(names) > _LETTERS:
            which = f"{many(len(names), 'paytable')}, {names[0]} to {names[-1]}"
        else:
            which = (
                f"paytable {', '.join(names)}" if names else ", ".join(dict.fromkeys(t.conditions() for t in together))
            )
        yield f"{title}: {which} (shoetool paytables --wager {wager})"


def _default(setting: Setting) -> str:
    """What a setting is by default, with the games that have another default; "" where there is none."""
    games: dict[str, list[str]] = {}
    for game, value in defaults(setting).items():
        games.setdefault(value or "none", []).append(GAMES[game].title)
    if not games:
        return ""
    usual, *others = games
    return "; ".join([f"by default {usual}", *(f"{value} in {' and '.join(games[value])}" for value in others)])
