"""`shoetool odds`: the group of its commands, one for the dealer's hand and one for the main wager."""

from __future__ import annotations

import difflib
import importlib
from typing import Final

import click

from shoetool.cli.commands import Entry
from shoetool.cli.endings import loading
from shoetool.cli.examples import examples

COMMANDS: Final = (
    Entry("dealer", "odds_dealer", "the dealer's final hand, by his up card"),
    Entry("main", "odds_main", "the main wager under a rules submission, with the best play by count"),
)
"""The commands of the group: name, module of `shoetool.cli`, and the line in the help."""

_BY_NAME: Final = {entry.name: entry for entry in COMMANDS}


class OddsGroup(click.Group):
    """`shoetool odds`: each command is loaded when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names."""
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command from its module. None if there is no such command."""
        entry = _BY_NAME.get(cmd_name)
        if entry is None:
            return None
        with loading():
            command: click.Command = importlib.import_module(f"shoetool.cli.{entry.module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names. The usage error suggests one that may be meant."""
        name = args[0]
        if not (name.startswith("-") or ctx.resilient_parsing) and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
            ctx.fail(f"no such command {name[:60]!r}" + (f" (did you mean {near[0]}?)" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.line) for entry in COMMANDS])


@click.group(
    "odds",
    cls=OddsGroup,
    epilog=examples(
        ("odds dealer --decks 6", "his final hand, by the card up"),
        ("odds main --rules t.toml", "the edge, and the best play"),
    ),
)
def command() -> None:
    """Compute exact odds. Every deal and every hand of the dealer is counted; nothing is simulated.

    Figures are fractions of whole numbers, and decimals that are rounded at their last digit.
    """
