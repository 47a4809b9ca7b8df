"""The examples at the end of a command's help: one a line, not wrapped as the text above is."""

from __future__ import annotations


def examples(*rows: str | tuple[str, str]) -> str:
    """Return an epilog with a line for each row: a command line without `shoetool`, or (command line, meaning)."""
    pairs = [(row, "") if isinstance(row, str) else row for row in rows]
    width = max((len(line) for line, what in pairs if what), default=0)
    lines = [f"  shoetool {line:<{width}}   {what}".rstrip() for line, what in pairs]
    return "\n".join(["\b", "Examples:" if len(lines) > 1 else "Example:", *lines])
