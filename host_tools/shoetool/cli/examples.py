"""The examples at the end of a command's help: one a line, kept apart from the wrapping of the text above."""

from __future__ import annotations


def examples(*rows: str | tuple[str, str]) -> str:
    """Return an epilog: a line for each example, a command line without `shoetool` or (command line, what it does)."""
    pairs = [(row, "") if isinstance(row, str) else row for row in rows]
    width = max((len(line) for line, what in pairs if what), default=0)
    lines = [f"  shoetool {line:<{width}}   {what}".rstrip() for line, what in pairs]
    return "\n".join(["\b", "Examples:" if len(lines) > 1 else "Example:", *lines])
