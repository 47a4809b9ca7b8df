"""`shoetool paytables`: what each wager pays, in the regulation's own words and figures."""

from __future__ import annotations

import difflib
import re

import click
from rich.table import Table

from shoetool.cli.completion import beginning
from shoetool.cli.examples import examples
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.errors import BadInput
from shoetool.report.paytables import mystery_blocks, mystery_documents, paytable_blocks
from shoetool.rules.games import GAMES
from shoetool.rules.paytable import Paytable, paytables
from shoetool.rules.wagers.catalogue import BONUSES
from shoetool.rules.wagers.mystery import MYSTERIES


@click.command(
    "paytables",
    epilog=examples(("paytables", "every wager of all chapters"), ("paytables --wager royal_match_21", "one wager")),
)
@click.option(
    "--wager",
    metavar="WAGER",
    help="Only the wager or mystery bonus with this key, or the wager that pays this bonus.",
    shell_complete=lambda *words: beginning([*keys(), *BONUSES, *MYSTERIES], words[2]),
)
@json_option
def command(wager: str | None, as_json: bool) -> None:
    """Print the paytables: clause, number of decks and games, and what each outcome pays.

    The word after a title is the wager's key: round files and rules submissions name the wager by it. "paid as" names
    the wager whose payment includes the payout. "N to 1" pays N for each dollar and returns the stake. "N for 1" pays N
    and keeps the stake.
    """
    tables = () if wager in MYSTERIES else chosen(wager)
    mysteries = [key for key in MYSTERIES if wager in (None, key)]
    if as_json:
        found = {"mysteries": mystery_documents(mysteries)} if mysteries else {}
        emit("paytables", {"paytables": [table.to_json() for table in tables], **found})
        return
    out = console()
    for part in (*paytable_blocks(tables), *mystery_blocks(mysteries)):
        if isinstance(part, Table):
            print_table(out, part)
        else:
            out.print(part)


def keys() -> list[str]:
    """Return the key of every wager that has a paytable, in the order of the clauses."""
    return list(dict.fromkeys(table.wager for table in sorted(paytables(), key=lambda table: natural(table.clause))))


def natural(clause: str) -> tuple[tuple[int, str], ...]:
    """Return a clause as a key to sort by: its numbers as numbers, and chapters in the order of their games.

    A chapter of side wagers alone (633c) comes last.
    """
    chapter, _, rest = clause.partition(".")
    parts = re.findall(r"\d+|[a-z]+", rest)
    chapters = list(dict.fromkeys(game.chapter for game in GAMES.values()))
    order = chapters.index(chapter) if chapter in chapters else len(chapters)
    return ((order, ""), *((int(part), "") if part.isdigit() else (0, part) for part in parts))


def chosen(wager: str | None) -> tuple[Paytable, ...]:
    """Return the paytables of one wager, or those with the row of one bonus, or all.

    BadInput, with the nearest key, when there is no such wager.
    """
    known = keys()
    if wager in BONUSES:
        return tuple(table for table in paytables() if table.has(wager))
    together = {table.wager for table in paytables() if wager in (table.wager, table.paid_as)}
    if wager is not None and not together:
        name = wager[:60]
        close = difflib.get_close_matches(name, BONUSES, 1, 0.85) or difflib.get_close_matches(
            name, [*known, *MYSTERIES], 1
        )
        meant = f"did you mean {close[0]}?" if close else f"there are {', '.join([*known, *BONUSES, *MYSTERIES])}"
        raise BadInput(f"there is no wager {wager[:60]!r}; {meant}")
    found = (table for table in paytables() if wager is None or table.wager in together)
    return tuple(sorted(found, key=lambda table: known.index(table.wager)))
