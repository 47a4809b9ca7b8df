"""Tables of text, without lines around them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table


def headed(*headings: str) -> Table:
    """Return a table with these headings and no rows yet."""
    return Table(*headings, box=None, header_style="dim", padding=(0, 2, 0, 0))


def named_rows(rows: Sequence[tuple[str, str]]) -> Table:
    """Return a table of names with their meanings."""
    drawn = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    drawn.add_column(no_wrap=True)
    drawn.add_column()
    for name, what in rows:
        drawn.add_row(name, what)
    return drawn
