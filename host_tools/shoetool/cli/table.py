"""`shoetool table`: check a table's rules submission, and print examples of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shoetool.cli.completion import beginning
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.printable import clean
from shoetool.report.submission import layout_table, refusal_lines, submission_document, submission_table
from shoetool.report.text_tables import named_rows
from shoetool.rules.submission.file import example, example_names, judge, read_submission
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.refusal import Refusal


@click.command(
    "table",
    epilog=examples(
        ("table --example spanish-21 > table-7.toml", "begin with an example"),
        ("table table-7.toml", "check it"),
        ("table table-7.toml --layout", "what a layout needs"),
    ),
)
@click.argument("file", required=False, type=FILE, metavar="[FILE.toml]")
@click.option(
    "--example",
    "wanted",
    metavar="NAME",
    help="Print an example of a rules submission, with comments.",
    shell_complete=lambda *words: beginning(example_names(), words[2]),
)
@click.option("--layout", "show_layout", is_flag=True, help="Show the layout, signs, devices and cards that it needs.")
@click.option("--list", "list_all", is_flag=True, help="List the examples.")
@json_option
def command(file: Path | None, wanted: str | None, show_layout: bool, list_all: bool, as_json: bool) -> int:
    """Check a rules submission: what a table deals, which wagers and paytables it offers, and its limits.

    Every error is named with its line, its clause and what to do; then the exit code is 1. A submission that can be
    used is shown; a key that it leaves out has its default. SUBMISSION_FORMAT.md explains the keys.
    """
    if sum([file is not None, wanted is not None, list_all]) != 1:
        raise click.UsageError("name a file, or one of --example NAME and --list")
    if list_all:
        show_list(as_json)
        return FINE
    if wanted is not None:
        click.echo(example(wanted), nl=False)
        return FINE
    assert file is not None
    table, found = judge(read_submission(file), str(file))
    if as_json:
        document = submission_document(table) if table is not None else None
        layout = [need.to_json() for need in needs(table)] if table is not None and not found else []
        body = {"file": str(file), "usable": not found, "refusals": documents(found), "submission": document}
        emit("table", {**body, "layout": layout} if show_layout else body)
        return FINDINGS if found else FINE
    out = console()
    if found:
        for refusal in found:
            for line in refusal_lines(refusal, min(out.width, 110)):
                out.print(line)
        out.print(f"{clean(str(file))}: not usable, {len(found)} refusal{'s' if len(found) > 1 else ''}")
        return FINDINGS
    assert table is not None
    for part in layout_table(needs(table)) if show_layout else submission_table(table):
        print_table(out, part)
        out.print()
    out.print(f"{clean(str(file))}: usable, 0 refusals")
    return FINE


def documents(found: list[Refusal]) -> list[dict[str, Any]]:
    """Return the refusals, with JSON types only."""
    return [
        {"line": one.line, "where": one.where, "what": one.what, "clause": one.clause or None, "do": one.do}
        for one in found
    ]


def show_list(as_json: bool) -> None:
    """Print the names of the examples with their first line."""
    rows = [(name, example(name).splitlines()[0].lstrip("# ")) for name in example_names()]
    if as_json:
        emit("table", {"examples": [{"name": name, "what": what} for name, what in rows]})
        return
    print_table(console(), named_rows(rows))
