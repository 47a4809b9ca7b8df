"""`shoetool odds`: the group of its commands, one for the dealer's hand and one for the main wager."""

from __future__ import annotations

from typing import Final

import click

from shoetool.cli.commands import Entry
from shoetool.cli.examples import examples
from shoetool.cli.loaded_group import LoadedGroup

COMMANDS: Final = (
    Entry("dealer", "odds_dealer", "the dealer's final hand, by his up card"),
    Entry("main", "odds_main", "the main wager under a rules submission, with the best play by count"),
)


@click.group(
    "odds",
    cls=LoadedGroup,
    table=COMMANDS,
    epilog=examples(
        ("odds dealer --decks 6", "his final hand, by the card up"),
        ("odds main --rules blackjack", "the edge, and the best play"),
    ),
)
def command() -> None:
    """Compute exact odds. Every deal and every hand of the dealer is counted; nothing is simulated.

    Figures are fractions of whole numbers, and decimals that are rounded at their last digit.
    """
