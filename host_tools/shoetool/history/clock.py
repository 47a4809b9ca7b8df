"""Device ticks to wall time: the device knows boots and ticks, the host the time of day; the file keeps both."""

from __future__ import annotations

from typing import Final

from shoetool.history.chunks import ClockPoint

TICKS_PERIOD: Final = 1 << 30


def ticks_diff(later: int, earlier: int) -> int:
    """Signed distance of two 30-bit ticks, as MicroPython has it: right while they are less than 6.2 days apart."""
    half = TICKS_PERIOD >> 1
    return ((later - earlier + half) & (TICKS_PERIOD - 1)) - half


class ClockMap:
    """Keeps one reading for each boot: the surest (smallest uncertainty), the latest of equals."""

    def __init__(self) -> None:
        self.points: dict[int, ClockPoint] = {}

    def add(self, point: ClockPoint) -> None:
        """Take one reading of both clocks."""
        held = self.points.get(point.boot)
        if held is None or point.uncertainty_ms <= held.uncertainty_ms:
            self.points[point.boot] = point

    def wall_ms(self, boot: int, ticks_ms: int) -> int | None:
        """Unix time in ms of a device time, or None when no reading of that boot is known."""
        point = self.points.get(boot)
        if point is None:
            return None
        return point.wall_ms + ticks_diff(ticks_ms, point.ticks_ms)
