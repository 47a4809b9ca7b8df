"""`shoetool odds`: the group of its commands: the dealer's hand, the main wager, and each optional wager by its key."""

from __future__ import annotations

from typing import Final

import click

from shoetool.cli.commands import Entry
from shoetool.cli.endings import loading
from shoetool.cli.examples import examples
from shoetool.cli.loaded_group import LoadedGroup
from shoetool.cli.output import json_option

COMMANDS: Final = (
    Entry("dealer", "odds_dealer", "the dealer's final hand, by his up card"),
    Entry("main", "odds_main", "the main wager under a rules submission, with the best play by count"),
)


class OddsGroup(LoadedGroup):
    """The commands of the table, and one for each optional wager, by its key."""

    noun = "wager or command"

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command of the table, or make that of a wager. None if there is neither."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            return found
        with loading():
            from shoetool.cli.odds_wager import wager_command
            from shoetool.rules.wagers import BONUSES, WAGERS
            from shoetool.rules.wagers.mystery import MYSTERIES
        if (cmd_name in BONUSES or cmd_name in MYSTERIES) and not ctx.resilient_parsing:
            ctx.fail(f"{cmd_name} is a bonus and no wager: it has no odds of its own")
        return wager_command(cmd_name) if cmd_name in WAGERS else None

    def near_names(self) -> list[str]:
        """The names that a mistyped one may be meant for: those of the wagers too."""
        from shoetool.rules.wagers import WAGERS

        return [*super().near_names(), *WAGERS]


@click.group(
    "odds",
    cls=OddsGroup,
    table=COMMANDS,
    invoke_without_command=True,
    subcommand_metavar="dealer|main|WAGER [ARGS]...",
    epilog=examples(
        ("odds dealer --decks 6", "his final hand, by the card up"),
        ("odds main --rules blackjack", "the edge, and the best play"),
        ("odds perfect_pairs --decks 8", "a wager, by its key"),
        ("odds --all", "every wager and paytable"),
    ),
)
@click.option("--all", "every", is_flag=True, help="Every optional wager, paytable and number of decks up to 8.")
@json_option
@click.pass_context
def command(ctx: click.Context, every: bool, as_json: bool) -> None:
    """Compute exact odds. Every deal and every hand of the dealer is counted; nothing is simulated.

    An optional wager is named by its key, which `shoetool paytables` shows. Figures are fractions of whole numbers, and
    decimals that are rounded at their last digit.
    """
    if ctx.invoked_subcommand is not None:
        if every or as_json:
            ctx.fail(f"--all and --json before {ctx.invoked_subcommand} change nothing: write --json behind it")
        return
    if not every:
        ctx.fail("name what to compute: dealer, main, or a wager; or write --all")
    with loading():
        from shoetool.cli.odds_wager import every_wager
    every_wager(as_json)
