"""`shoetool completion`: the script that completes commands and options in a shell."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from shoetool.cli.examples import examples
from shoetool.cli.group import COMPLETE_VARIABLE
from shoetool.model.errors import BadInput


@click.command("completion", epilog=examples("completion bash"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the shell completion script.

    \b
      bash   eval "$(shoetool completion bash)"      in ~/.bashrc
      zsh    eval "$(shoetool completion zsh)"       in ~/.zshrc
      fish   shoetool completion fish > ~/.config/fish/completions/shoetool.fish
    """
    shells = get_completion_class(shell)
    if shells is None:
        raise BadInput(f"no completion for {shell}")
    writer = shells(ctx.find_root().command, {}, "shoetool", COMPLETE_VARIABLE)
    click.echo(writer.source_template % writer.source_vars())


def beginning(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the words that begin with what was typed, as the answer of a command's `shell_complete`."""
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
