"""`shoetool clause`: what a clause asks, who does it, what checks it, what goes by it, and how it is read."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.table import Table
from rich.text import Text

from shoetool.cli.completion import beginning
from shoetool.cli.examples import examples
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.naming import many
from shoetool.report.clause_list import clause_list
from shoetool.rules.clauses import CHAPTERS, Clause, Found, clauses, look_up, search


@click.command(
    "clause",
    epilog=examples(
        ("clause '633a.9(a)(2)'", "what it asks, what checks it"),
        ("clause 58 Pa. Code § 633a.9", "all clauses of a section"),
        ("clause --list --chapter 633c", "those of a chapter"),
        ("clause --search surrender", ""),
    ),
)
@click.argument(
    "ids",
    nargs=-1,
    metavar="[ID...]",
    shell_complete=lambda *words: beginning(list(clauses()), words[2]),
)
@click.option("--list", "listed", is_flag=True, help="List every clause with what it asks.")
@click.option(
    "--chapter", type=click.Choice(list(CHAPTERS)), metavar="CHAPTER", help=f"Only of this one: {', '.join(CHAPTERS)}."
)
@click.option("--search", "words", metavar="WORD", help="List the clauses that say all of these words.")
@json_option
def command(ids: tuple[str, ...], listed: bool, chapter: str | None, words: str | None, as_json: bool) -> None:
    """Say what a clause of 58 Pa. Code asks, in our own words, and who does or checks that: shoe, reader, host, people.

    Below that stand the checks of `shoetool verify` whose findings name it, and the games, wagers, paytables and
    settings that go by it. "We read it so" tells how the text is read where it is silent. Of a section or chapter all
    clauses are listed. Only clauses that a tool could check are known: no logos, and no boxes for tips. An id may have
    spaces, and may leave out the word that stands behind some of them.
    """
    filtered = listed or chapter is not None or words is not None
    if bool(ids) == filtered:
        raise click.UsageError("name a clause, such as 633a.9(a); or --list, --search WORD or --chapter CHAPTER alone")
    rows = search(words or "", (row for row in clauses().values() if chapter in (None, row.places[0].chapter)))
    if as_json:
        # What reads the declarations is slow to load. A list does without it.
        from shoetool.judge.about_clause import about, about_clauses

        known = about_clauses(" ".join(ids)) if ids else map(about, rows)
        emit("clause", {"clauses": [one.to_json() for one in known]})
    elif ids:
        for number, one in enumerate(look_up(" ".join(ids))):
            if number:
                click.echo()
            _print(one)
    else:
        if rows:
            _print_list(rows)
        console().print(Text(many(len(rows), "clause"), style="dim"))


def _print(found: Found) -> None:
    """Print the clauses that were asked for, and the list of those below them."""
    out = console()
    if found.in_full:
        from shoetool.judge.about_clause import about
        from shoetool.report.about_clause import clause_blocks

        for block in clause_blocks(map(about, found.in_full), out.width):
            if isinstance(block, Table):
                print_table(out, block)
            else:
                out.print(block)
    if found.in_full and found.listed:
        out.print(Text(f"\nbelow {found.name}:", style="dim"))
    if found.listed:
        _print_list(found.listed)


def _print_list(rows: Sequence[Clause]) -> None:
    out = console()
    out.print(clause_list(rows, out.width))
