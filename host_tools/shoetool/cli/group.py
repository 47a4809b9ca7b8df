"""The group of all commands: it loads each from the table when it is needed, and ends the program."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import MutableMapping, Sequence
from typing import Any, Final, NoReturn

import click
from click.shell_completion import shell_complete

from shoetool.cli import exits
from shoetool.cli.commands import COMMANDS
from shoetool.cli.endings import loading, tidy_end
from shoetool.cli.version import version

COMPLETE_VARIABLE: Final = "_SHOETOOL_COMPLETE"
_BY_NAME = {entry.name: entry for entry in COMMANDS}

_ABOUT = """Prove what a dealing shoe dealt: watch it live, fetch its histories, replay and verify them.

\b
Examples:
  shoetool demo                              deal two shoes on the virtual board and verify them
  shoetool monitor                           watch the one shoe that is plugged in
  shoetool pull --all --out histories        fetch every history
  shoetool verify histories/*.shoelog        check them clause by clause
"""


class ShoetoolGroup(click.Group):
    """`shoetool`: commands come from the command table and are loaded when needed. `main` handles every error."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of the table."""
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
        """Find the command that the first word names. The usage error suggests a command that may be meant."""
        name = args[0]
        if not (name.startswith("-") or ctx.resilient_parsing) and self.get_command(ctx, name) is None:
            near = difflib.get_close_matches(name, _BY_NAME, n=1)
            ctx.fail(f"no such command {name!r}" + (f" (did you mean {near[0]}?)" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table alone, so that `--help` loads none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.line) for entry in COMMANDS])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the exit codes, from the same table that the program uses."""
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in exits.MEANINGS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run one command line and exit with its code. This is the one place where errors become exit codes."""
        words = list(sys.argv[1:] if args is None else args)
        program = prog_name or "shoetool"
        exits.open_missing_streams()
        try:
            with tidy_end():
                _complete(self, program)
                with self.make_context(program, words, **extra) as ctx:
                    result = self.invoke(ctx)
                sys.stdout.flush()
            code = result if isinstance(result, int) else exits.FINE
        except SystemExit:
            raise
        except BaseException as error:
            code = exits.report(error)
        sys.exit(code)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Keep the lines of the help short on a wide terminal."""
        settings: MutableMapping[str, Any] = {"max_content_width": 100}
        return super().make_context(info_name, args, parent, **settings, **extra)


def _complete(program: click.Command, name: str) -> None:
    """Answer a shell that asks for completions, and exit. Do nothing in every other run."""
    instruction = os.environ.get(COMPLETE_VARIABLE)
    if instruction:
        sys.exit(shell_complete(program, {}, name, COMPLETE_VARIABLE, instruction))


def build() -> ShoetoolGroup:
    """Return the program as a click group. Tests run it in process with click's CliRunner."""
    group = ShoetoolGroup(
        name="shoetool", help=_ABOUT, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True
    )
    return click.option(
        "--version",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_version,
        help="Show the version and exit.",
    )(group)


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"shoetool, version {version()}")
        ctx.exit()
