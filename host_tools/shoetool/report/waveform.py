"""The raw edges of a pass as four traces, one for each line of a read head, drawn with text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

LINES: Final = ("PRESENT", "CLOCK_A", "CLOCK_B", "DATA")
LABEL: Final = 9
HIGH: Final = "▔"
LOW: Final = "▁"
BOTH: Final = "█"


def waveform(edges: Sequence[tuple[int, int]], width: int) -> list[str]:
    """Draw the edges of a pass, each (µs since the edge before, lines after it), in four rows no wider than `width`.

    A column shows a line high, low, or changing within the column's time. The first edge is at the left end.
    """
    columns = max(10, width - LABEL)
    if not edges:
        return [f"{name:<{LABEL}}" for name in LINES]
    times = [0]
    for step, _ in edges[1:]:
        times.append(times[-1] + step)
    span = max(1, times[-1])
    rows = []
    for bit, name in enumerate(LINES):
        cells: list[set[int]] = [set() for _ in range(columns)]
        for index, (_, lines) in enumerate(edges):
            first = times[index] * (columns - 1) // span
            until = times[index + 1] if index + 1 < len(times) else span
            last = until * (columns - 1) // span
            for column in range(first, last + 1):
                cells[column].add(lines >> bit & 1)
        rows.append(f"{name:<{LABEL}}" + "".join(_cell(cell) for cell in cells))
    return rows


def duration_us(edges: Sequence[tuple[int, int]]) -> int:
    """Return the time from the first edge of a pass to its last, in µs."""
    return sum(step for step, _ in edges[1:])


def _cell(levels: set[int]) -> str:
    if len(levels) > 1:
        return BOTH
    return HIGH if 1 in levels else LOW
