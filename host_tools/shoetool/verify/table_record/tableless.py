"""The rounds of a table record whose table is not known, because a line before them cannot be read."""

from __future__ import annotations

from typing import Final

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

    def take(self) -> str:
        """The sentence; empty when there are none. What was told is forgotten."""
        if not self._rounds:
            return ""
        self._close()
        rounds = "; ".join(self._rows) + (f"; and {self._more_rows} more rows of rounds" if self._more_rows else "")
        lines = ", ".join(map(str, self._lines)) + (f" and {self._more_lines} more" if self._more_lines else "")
        cause = f"line {lines}" if len(self._lines) == 1 else f"lines {lines}"
        count = "1 round" if self._rounds == 1 else f"{self._rounds} rounds"
        self.__init__()  # type: ignore[misc]
        return (
            f"the table of {count} of the record is not known, and {'it is' if count == '1 round' else 'they are'} not "
            f"judged ({rounds}): {cause} cannot be read, and may have set it. Name it with --table."
        )
