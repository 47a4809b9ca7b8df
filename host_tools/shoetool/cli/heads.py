"""`shoetool keys --heads`: the heads of the histories seen so far, and how they compare with another side's list."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.output import console, emit
from shoetool.report.sentences import many
from shoetool.trust.heads import compare_heads, heads_text, read_heads, seen_heads
from shoetool.trust.pins import PinStore


def show_heads(store: PinStore, theirs: Path | None, as_json: bool) -> int:
    """Print the heads seen so far, or compare them with the other side's list. Returns the exit code."""
    heads = seen_heads(store)
    compared = None if theirs is None else compare_heads(heads, read_heads(theirs))
    if as_json:
        emit(
            "keys",
            {
                "folder": str(store.folder),
                "keys": [],
                "heads": [head.to_json() for head in heads],
                "compared": None if compared is None else compared.to_json(),
            },
        )
    elif compared is None:
        click.echo(heads_text(heads), nl=False)
    else:
        out = console()
        for found in compared.found:
            out.print(f"DIFFERS  {found}")
        for note in compared.notes:
            out.print(f"  note: {note}")
        out.print(f"{theirs}: {many(compared.same, 'head')} the same, {many(len(compared.found), 'difference')}")
    return FINDINGS if compared is not None and compared.found else FINE
