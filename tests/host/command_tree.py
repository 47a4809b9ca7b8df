"""The commands of shoetool and their parameters, for tests that hold for every command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click
from shoetool.cli import build


class Leaf(NamedTuple):
    """A command with the words that call it."""

    words: tuple[str, ...]
    command: click.Command


def leaves() -> list[Leaf]:
    """Every command that is no group."""
    group = build()
    return list(_below(group, click.Context(group), ()))


def _below(group: click.Group, context: click.Context, words: tuple[str, ...]) -> Iterator[Leaf]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _below(command, context, (*words, name))
        else:
            yield Leaf((*words, name), command)
