"""`shoetool archive`: the group of its commands."""

from __future__ import annotations

from typing import Final

import click

from shoetool.cli.commands import Entry
from shoetool.cli.examples import examples
from shoetool.cli.loaded_group import LoadedGroup

COMMANDS: Final = (
    Entry("add", "archive_add", "verify histories and keep them"),
    Entry("list", "archive_list", "the devices, their histories, and which shoes are missing"),
    Entry("find", "archive_find", "rounds by time, table, shoe, card, dealer, finding or clause"),
    Entry("check", "archive_check", "prove that files, custody log and index agree"),
)


@click.group(
    "archive",
    cls=LoadedGroup,
    table=COMMANDS,
    epilog=examples(
        ("archive add vault histories --by 'R. Moss'", "verify, keep"),
        ("archive find vault --table 7 --card 7c", "some rounds"),
        ("archive list vault", "missing shoes"),
        ("archive check vault", "is all as it was?"),
    ),
)
def command() -> None:
    """Keep the histories of a casino in one folder, and find every round again.

    A history is verified when it is added, and copied. The custody log holds who added which file when, with its hash;
    each line holds the hash of the line before. Adding a history again changes nothing.
    """
