"""The rounds of a table record whose table is not known, because a line before them cannot be read."""

from __future__ import annotations

from typing import Final

from shoetool.model.naming import many
from shoetool.round_file.file import Entry

_MOST_NAMED: Final = 12
"""Lines, and rows of rounds, that are named; more are counted."""


class Tableless:
    """Gathers them for one sentence. Memory does not grow with the record."""

    def __init__(self) -> None:
        self._rounds = 0
        self._lines: list[int] = []
        """The lines that may have set the table."""
        self._lost = self._more_lines = self._more_rows = 0
        self._rows: list[str] = []
        self._row: tuple[int | None, int, int] = (None, 0, 0)
        """Shoe, first and last round of the row under way."""

    def add(self, entry: Entry, lost: int) -> None:
        """Take a round whose table line `lost` may have set."""
        self._rounds += 1
        if lost != self._lost:
            self._lost = lost
            self._more_lines += len(self._lines) == _MOST_NAMED
            self._lines = [*self._lines, lost][:_MOST_NAMED]
        shoe, first, last = self._row
        number = entry.round or 0
        if (entry.shoe, number) != (shoe, last + 1):
            self._close()
            first = number
        self._row = entry.shoe, first, number

    def _close(self) -> None:
        shoe, first, last = self._row
        if first:
            rounds = f"round {first}" if first == last else f"rounds {first} to {last}"
            self._more_rows += len(self._rows) == _MOST_NAMED
            self._rows = [*self._rows, rounds + (f" of shoe {shoe}" if shoe is not None else "")][:_MOST_NAMED]

    def sentence(self) -> str:
        """What they have in common, said once; empty when there are none."""
        if not self._rounds:
            return ""
        self._close()
        rounds = "; ".join(self._rows) + (f"; and {self._more_rows} more rows of rounds" if self._more_rows else "")
        lines = ", ".join(map(str, self._lines)) + (f" and {self._more_lines} more" if self._more_lines else "")
        cause = f"line {lines}" if len(self._lines) == 1 else f"lines {lines}"
        they = "it is" if self._rounds == 1 else "they are"
        return (
            f"the table of {many(self._rounds, 'round')} of the record is not known, and {they} not judged ({rounds}): "
            f"{cause} cannot be read, and may have set it. Name it with --table."
        )
