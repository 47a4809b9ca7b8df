"""The group of all commands: it loads each from the table when it is needed, and ends the program."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping, Sequence
from typing import Any, Final, NoReturn

import click
from click.shell_completion import shell_complete

from shoetool.cli import exits
from shoetool.cli.commands import COMMANDS
from shoetool.cli.endings import tidy_end
from shoetool.cli.loaded_group import LoadedGroup
from shoetool.endings import leave
from shoetool.model.notices import take_notices
from shoetool.model.version import version

COMPLETE_VARIABLE: Final = "_SHOETOOL_COMPLETE"

_ABOUT = """Prove what a dealing shoe dealt: watch it live, fetch its histories, replay and verify them.

\b
Examples:
  shoetool demo                              deal two shoes on the virtual board and verify them
  shoetool monitor                           watch the one shoe that is plugged in
  shoetool pull --all --out histories        fetch every history
  shoetool verify histories/*.shoelog        check them clause by clause
"""


class ShoetoolGroup(LoadedGroup):
    """`shoetool`: its commands are those of the command table. `main` handles every error."""

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
        """Run one command line and leave with its exit code."""
        leave(self.run(list(sys.argv[1:] if args is None else args), prog_name or "shoetool", **extra))

    def run(self, words: list[str], program: str, **extra: Any) -> int:
        """Run one command line. Returns the exit code. This is the one place where errors become exit codes."""
        take_notices()  # of a command before, in the same process
        exits.open_missing_streams()
        try:
            with tidy_end():
                code = _complete(self, program)
                if code is None:
                    with self.make_context(program, words, **extra) as ctx:
                        result = self.invoke(ctx)
                    code = result if isinstance(result, int) else exits.FINE
                sys.stdout.flush()
            for notice in take_notices():
                exits.say(notice)
        except BaseException as error:
            code = exits.report(error)
        return exits.with_threads(code)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Keep the lines of the help short on a wide terminal."""
        settings: MutableMapping[str, Any] = {"max_content_width": 100}
        return super().make_context(info_name, args, parent, **settings, **extra)


def _complete(program: click.Command, name: str) -> int | None:
    """Answer a shell that asks for completions. Returns the exit code; None in every other run."""
    instruction = os.environ.get(COMPLETE_VARIABLE)
    return shell_complete(program, {}, name, COMPLETE_VARIABLE, instruction) if instruction else None


def build() -> ShoetoolGroup:
    """Return the program as a click group. Tests run it in process with click's CliRunner."""
    group = ShoetoolGroup(
        name="shoetool",
        table=COMMANDS,
        help=_ABOUT,
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
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
        ctx.exit()  # leaves: this is click's way to end a command early, and it ends in `run`
