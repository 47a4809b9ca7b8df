"""The command line: one command table, one place that turns errors into exit codes."""

from __future__ import annotations

from shoetool.cli.group import ShoetoolGroup, build


def main() -> None:
    """Run `shoetool` with this process's arguments and leave with its exit code."""
    build()(prog_name="shoetool")


__all__ = ["ShoetoolGroup", "build", "main"]
