"""A list of clauses as text: each with what it asks."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.text import Text

from shoetool.rules.clauses import Clause


def clause_list(rows: Sequence[Clause], width: int) -> Text:
    """Return a line or more for each clause, what it asks beside its id. width: of the terminal, in columns."""
    column = max(len(row.id) for row in rows) + 2
    drawn = Text()
    for row in rows:
        first, *others = textwrap.wrap(row.asks, max(20, width - column - 1)) or [""]
        drawn.append(f"{row.id:<{column}}", style="bold").append(first)
        for line in others:
            drawn.append(f"\n{'':<{column}}{line}")
        drawn.append("\n")
    drawn.right_crop(1)
    return drawn
