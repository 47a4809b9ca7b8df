"""The command line: one command table, one place that turns errors into exit codes."""

from __future__ import annotations

import sys
from typing import NoReturn

from shoetool.cli.exits import catch_the_rest
from shoetool.cli.group import ShoetoolGroup, build
from shoetool.cli.letters import ERRORS
from shoetool.endings import leave


def run() -> int:
    """Run `shoetool` with this process's arguments. Returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ERRORS)  # a terminal without Unicode shows letters, not a traceback
    catch_the_rest()
    return build().run(sys.argv[1:], "shoetool")


def main() -> NoReturn:
    """Run `shoetool` with this process's arguments and leave with its exit code."""
    leave(run())


__all__ = ["ShoetoolGroup", "build", "main", "run"]
