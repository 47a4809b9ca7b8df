"""`shoetool odds dealer`: the distribution of the dealer's final hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.text import Text

from shoetool.cli.completion import beginning
from shoetool.cli.examples import examples
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.errors import BadInput
from shoetool.odds.dealer import any_up_card, dealer_by_up_card
from shoetool.odds.shoe import MOST_DECKS, Shoe
from shoetool.report.odds_dealer import dealer_document, dealer_tables
from shoetool.rules.games import GAMES

F = TypeVar("F", bound=Callable[..., Any])

decks_option = click.option(
    "--decks", type=click.IntRange(1, MOST_DECKS), required=True, metavar="N", help="How many decks the shoe holds."
)
h17_option = click.option(
    "--h17", is_flag=True, help="Let the dealer draw to a soft 17, to compare. By the rules he stands on all 17s."
)


def game_option(command: F) -> F:
    """Add --game, whose cards and whose reader count, to a command."""
    return click.option(
        "--game",
        default=next(iter(GAMES)),
        show_default=True,
        metavar="GAME",
        help="Whose deck it is, and whose up cards ask the reader.",
        shell_complete=lambda *words: beginning(GAMES, words[2]),
    )(command)


def known_game(name: str) -> str:
    """Return the name of a game. BadInput when there is none."""
    if name not in GAMES:
        raise BadInput(f"there is no game {name[:60]!r}; there are {', '.join(GAMES)}")
    return name


@click.command(
    "dealer",
    epilog=examples(("odds dealer --decks 6", "a shoe of six decks"), ("odds dealer --decks 2 --h17", "to compare")),
)
@decks_option
@h17_option
@game_option
@json_option
def command(decks: int, h17: bool, game: str, as_json: bool) -> None:
    """Show how the dealer's hand ends, by his up card: 17 to 21, Blackjack, or over 21.

    He draws from a full shoe, without replacement, and no card but his own is known. "After the reader" is the same
    where the reader, or the hole card, has shown that he has no Blackjack.
    """
    shoe = Shoe.of(known_game(game), decks)
    by_up = dealer_by_up_card(shoe.counts, h17)
    whole = any_up_card(shoe.counts, by_up)
    if as_json:
        emit("odds", {"dealer": dealer_document(game, decks, h17, by_up, whole)})
        return
    out = console()
    for part in dealer_tables(game, decks, h17, by_up, whole):
        if isinstance(part, Text):
            out.print(part)
        else:
            print_table(out, part)
