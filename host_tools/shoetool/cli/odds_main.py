"""`shoetool odds main`: the edge of the main wager under a rules submission, with the best play by count."""

from __future__ import annotations

import click
from rich.text import Text

from shoetool.cli.examples import examples
from shoetool.cli.odds_dealer import h17_option
from shoetool.cli.options import FILE_OR_NAME
from shoetool.cli.output import console, emit, json_option, print_table, progress
from shoetool.odds.main_wager import main_odds
from shoetool.report.odds_main import main_document, main_parts
from shoetool.round_file.tables import Rules


@click.command(
    "main",
    epilog=examples(
        ("odds main --rules blackjack", "the example of a rules submission"),
    ),
)
@click.option(
    "--rules",
    "table",
    type=FILE_OR_NAME,
    required=True,
    metavar="FILE",
    help="The rules submission, or the name of an example.",
)
@h17_option
@json_option
def command(table: str, h17: bool, as_json: bool) -> None:
    """Show what the house keeps of the main wager when the player plays as well as the counts of his hand allow.

    The play looks at the count, whether it is soft, whether the two cards are a pair, and the up card. It takes no
    insurance. Deal, draws and splits are counted exactly, without replacement, from a full shoe. It takes up to a
    minute, for Blackjack Switch, for switch hands (633c.4) and for tucked wagers that come back (590.7(n)(1)) a few.
    """
    rules = Rules(table, None).find(None, "")
    with progress("playing", "up cards") as advance:
        odds = main_odds(rules, h17, advance)
    if as_json:
        emit("odds", {"main": main_document(odds)})
        return
    out = console()
    for part in main_parts(odds):
        if isinstance(part, Text):
            out.print(part)
        else:
            print_table(out, part)
