"""A group of commands from a command table: each is loaded from its module when it is needed."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Sequence
from typing import Any

import click

from shoetool.cli.commands import Entry
from shoetool.cli.endings import loading


class LoadedGroup(click.Group):
    """A click group whose commands are the entries of a table."""

    noun = "command"
    """What its commands are called where a word names none of them."""

    def __init__(self, *words: Any, table: Sequence[Entry], **settings: Any) -> None:
        """Keep the table. Everything else is click's own."""
        super().__init__(*words, **settings)
        self._table = {entry.name: entry for entry in table}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of the table."""
        return list(self._table)

    def near_names(self) -> list[str]:
        """The names that a mistyped one may be meant for."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command from its module. None if there is no such command."""
        entry = self._table.get(cmd_name)
        if entry is None:
            return None
        with loading():
            command: click.Command = importlib.import_module(f"shoetool.cli.{entry.module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names. The usage error suggests a command that may be meant."""
        name = args[0]
        if not (name.startswith("-") or ctx.resilient_parsing) and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, self.near_names(), n=1)
            ctx.fail(f"no such {self.noun} {name!r}" + (f" (did you mean {near[0]}?)" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table alone, so that `--help` loads none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.line) for entry in self._table.values()])
