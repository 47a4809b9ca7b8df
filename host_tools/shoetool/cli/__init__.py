"""The command line: one command table, one place that turns errors into exit codes."""

from __future__ import annotations

import sys

from shoetool.cli.group import ShoetoolGroup, build
from shoetool.cli.letters import ERRORS


def main() -> None:
    """Run `shoetool` with this process's arguments and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ERRORS)  # a terminal without Unicode shows letters, not a traceback
    build()(prog_name="shoetool")


__all__ = ["ShoetoolGroup", "build", "main"]
