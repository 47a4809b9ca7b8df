"""The readings of one start of a device, and the time of day that they give at each of its ticks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Final, NamedTuple

from shoetool.history.chunks import ClockPoint
from shoetool.history.readings import Basis

TICKS_PERIOD: Final = 1 << 30
"""Milliseconds after which ticks wrap: 12.4 days."""
DRIFT_PPM: Final = 100
"""The error of a device's crystal, either way: tolerance, temperature and age together."""
WIDEST_MS: Final = 3_600_000
"""A time that is less certain than this is not given."""
_RESOLUTION_MS: Final = 3  # both clocks are cut off to whole milliseconds
_MILLION: Final = 1_000_000
# True millionths of a millisecond in a device's millisecond; 1 / (1 - d) is a little more than 1 + d.
_LEAST: Final = _MILLION - DRIFT_PPM - 1
_MOST: Final = _MILLION + DRIFT_PPM + 1


class Moment(NamedTuple):
    """A time of day. The true time lies between `low_ms` and `high_ms`, Unix time in ms (UTC), both included.

    `assumed`: this holds only if the record was fetched less than 11.4 days after it was written. The device does not
    tell that. `basis`: the readings that it rests on.
    """

    low_ms: int
    high_ms: int
    assumed: bool = False
    basis: Basis = Basis.FETCHED

    @property
    def middle_ms(self) -> int:
        """The most likely time."""
        return (self.low_ms + self.high_ms) // 2

    @property
    def uncertainty_ms(self) -> int:
        """The largest distance of the true time from the middle."""
        return (self.high_ms - self.low_ms + 1) // 2


class StartClock:
    """The readings of one start of the device, in the order in which they were made, and the lines that bound it.

    Count the ticks on without a wrap (`elapsed`). Then reading i allows at tick t a time between two straight lines.
    Each line has one slope after the reading and another before it. The narrowest bounds are what all readings allow,
    the widest what any one of them allows. Running extremes give both from two places, however many readings there are.
    """

    def __init__(self) -> None:
        self.points: list[ClockPoint] = []
        self.elapsed: list[int] = []
        self.told = False
        """Whether the device tells how often its ticks wrapped. Then `elapsed` counts from its start."""
        self.records: list[int] = []
        """The record of each reading, where the shoe recorded them."""
        self._bounds: tuple[list[int], ...] = ()
        self.apart_ms = 0
        """By how many ms readings contradict each other: a clock was set between them. 0 when they agree."""

    def add(self, point: ClockPoint) -> bool:
        """Add a reading after the others. False when its time is before theirs."""
        elapsed = point.ticks_ms
        if self.points:
            last = self.points[-1]
            least = (point.ticks_ms - last.ticks_ms) % TICKS_PERIOD
            turns = max(0, round((point.wall_ms - last.wall_ms - least) / TICKS_PERIOD))
            elapsed = self.elapsed[-1] + least + turns * TICKS_PERIOD
        if point.turns is not None:
            told = point.ticks_ms + point.turns * TICKS_PERIOD
            if not self.told:  # the earlier ones were counted from an unknown start
                self.elapsed = [one + told - elapsed for one in self.elapsed]
            elif told < self.elapsed[-1]:
                return False
            elapsed, self.told = told, True
        self.elapsed.append(elapsed)
        self.points.append(point)
        self._bounds = ()
        return True

    def moment(self, tick: int) -> Moment | None:
        """Return the time of tick `tick`, counted on. None when the readings do not give it to `WIDEST_MS`."""
        found = self._allowed(tick)
        return found if found.uncertainty_ms <= WIDEST_MS else None

    def _allowed(self, tick: int) -> Moment:
        """Return the time of a tick, however wide it is."""
        if not self._bounds:
            self._bounds = self._lines(max, min)
            self.apart_ms = self._contradiction()
            if self.apart_ms:  # one of them is right, so allow what any of them allows
                self._bounds = self._lines(min, max)
        before, after, before_high, after_high = self._bounds
        index = bisect_right(self.elapsed, tick) - 1
        lows, highs = [], []
        if index >= 0:
            lows.append(before[index] + tick * _LEAST)
            highs.append(before_high[index] + tick * _MOST)
        if index + 1 < len(self.elapsed):
            lows.append(after[index + 1] + tick * _MOST)
            highs.append(after_high[index + 1] + tick * _LEAST)
        low, high = (min(lows), max(highs)) if self.apart_ms else (max(lows), min(highs))
        return Moment(low // _MILLION, -(-high // _MILLION))

    def apart_from(self, point: ClockPoint) -> int:
        """Return by how many ms another reading lies outside of what these allow. 0 when it fits."""
        tick = point.ticks_ms
        if point.turns is not None:
            tick += point.turns * TICKS_PERIOD
        else:  # as often as its time of day makes likely
            tick += max(0, round((point.wall_ms - self.points[-1].wall_ms + self.elapsed[-1] - tick) / TICKS_PERIOD))
        allowed = self._allowed(tick)  # a wide one too: a tick that was moved far away hides nothing
        if self.apart_ms and allowed.uncertainty_ms > WIDEST_MS:
            return 0
        about = point.uncertainty_ms + _RESOLUTION_MS
        return max(0, allowed.low_ms - point.wall_ms - about, point.wall_ms - about - allowed.high_ms)

    def _lines(self, low: Callable[[int, int], int], high: Callable[[int, int], int]) -> tuple[list[int], ...]:
        """Return where the bounding lines meet tick 0: for the readings up to each one, and from each one on."""
        rows: tuple[list[int], ...] = ([], [], [], [])
        for point, tick in zip(self.points, self.elapsed, strict=True):
            about = point.uncertainty_ms + _RESOLUTION_MS
            least, most = (point.wall_ms - about) * _MILLION, (point.wall_ms + about) * _MILLION
            at_zero = (least - tick * _LEAST, least - tick * _MOST, most - tick * _MOST, most - tick * _LEAST)
            for row, value in zip(rows, at_zero, strict=True):
                row.append(value)
        return (
            list(accumulate(rows[0], low)),
            list(accumulate(reversed(rows[1]), low))[::-1],
            list(accumulate(rows[2], high)),
            list(accumulate(reversed(rows[3]), high))[::-1],
        )

    def _contradiction(self) -> int:
        """Return by how many ms, at most, a reading lies outside of what the readings before it allow."""
        before, _, before_high, _ = self._bounds
        most = 0
        for index in range(1, len(self.points)):
            tick, point = self.elapsed[index], self.points[index]
            about = point.uncertainty_ms + _RESOLUTION_MS
            over = before[index - 1] + tick * _LEAST - (point.wall_ms + about) * _MILLION
            under = (point.wall_ms - about) * _MILLION - (before_high[index - 1] + tick * _MOST)
            most = max(most, -(-over // _MILLION), -(-under // _MILLION))
        return most
