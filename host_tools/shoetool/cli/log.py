"""`shoetool log`: the group of its commands: a transparency log of signed heads."""

from __future__ import annotations

from typing import Final

import click

from shoetool.cli.commands import Entry
from shoetool.cli.examples import examples
from shoetool.cli.loaded_group import LoadedGroup

COMMANDS: Final = (
    Entry("init", "log_init", "begin a log with a new key"),
    Entry("append", "log_append", "log the signed shoes of histories"),
    Entry("show", "log_show", "show a log's checkpoint, key and entries"),
    Entry("prove", "log_prove", "write a proof that a shoe is in the log, or that it only grew"),
    Entry("witness", "log_witness", "be a witness: cosign a checkpoint that only grew"),
    Entry("cosign", "log_cosign", "ask witnesses, and add their cosignatures to the log"),
    Entry("check", "log_check", "check a log or a proof offline"),
)


@click.group(
    "log",
    cls=LoadedGroup,
    table=COMMANDS,
    subcommand_metavar="COMMAND [ARGS]...",
    epilog=examples(
        ("log init shoes --origin casino.example/shoes", "a new log"),
        ("log append shoes histories/*.shoelog", "log a night"),
        ("log prove shoes a.shoelog > a.proof", "for a third party"),
        ("log check shoes --vkey casino.vkey a.shoelog", "check it"),
    ),
)
def command() -> None:
    """Log what shoes signed, so that anybody can check offline that no shoe was withheld, exchanged or rolled back.

    The log is a folder of files in the formats of c2sp.org (tlog-tiles, checkpoints). Any web server can show it, and
    witnesses that exist can cosign it. An entry holds what a shoe signed when it was closed, and no card.
    """
