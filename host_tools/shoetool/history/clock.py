"""Device ticks to time of day: a pure function of the readings of both clocks in a history.

A shoe knows its starts (boots) and ticks. The host knows the time of day. A reading holds both at the same moment. It
gives the time of every tick of the same start, with less certainty for ticks farther away: a crystal may be wrong by
`DRIFT_PPM`. Several readings narrow the result. The result is an interval that holds the true time, or None: never a
guess. That is the time of the computer's clock. When it was set by so little that readings and drift allow it, nothing
shows that, and the true time may lie outside by as much.

Ticks wrap after 12.4 days. Since protocol 1.2 the device tells how often they wrapped (`turns`), with each reading and
for each page of records. For an older device, a record is assumed to be less than 11.4 days old when it was fetched,
and the time is marked as `assumed`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import Final, NamedTuple

from shoetool.history.chunks import ClockPoint

TICKS_PERIOD: Final = 1 << 30
"""Milliseconds after which ticks wrap: 12.4 days."""
DRIFT_PPM: Final = 100
"""The error of a device's crystal, either way: tolerance, temperature and age together."""
FETCH_MS: Final = 86_400_000
"""A record written during the fetch of its history is at most this much younger than the reading of that fetch."""
WIDEST_MS: Final = 3_600_000
"""A time that is less certain than this is not given."""
MOST_READINGS: Final = 10_000
"""The most readings in one file. A shoe is fetched only a few times."""
ASSUMED: Final = (
    "the shoe did not report how long it had run (its firmware, or the shoetool that fetched it, is older than "
    "protocol 1.2): times of day hold for records that were fetched within 11.4 days; for older ones they are not known"
)
"""Stands with times that depend on that assumption."""

_SIMULATED: Final = "A virtual shoe has the time of its simulation, which may fall behind"
_LOST_BEFORE: Final = "what it lost before the first reading is not known"
_RESOLUTION_MS: Final = 3  # both clocks are cut off to whole milliseconds
_MILLION: Final = 1_000_000
# True millionths of a millisecond in a device's millisecond; 1 / (1 - d) is a little more than 1 + d.
_LEAST: Final = _MILLION - DRIFT_PPM - 1
_MOST: Final = _MILLION + DRIFT_PPM + 1
_FIRST_MS: Final = 946_684_800_000  # 2000-01-01
_LAST_MS: Final = 4_102_444_800_000  # 2100-01-01


class Moment(NamedTuple):
    """A time of day. The true time lies between `low_ms` and `high_ms`, Unix time in ms (UTC), both included.

    `assumed`: this holds only if the record was fetched less than 11.4 days after it was written. The device does not
    tell that.
    """

    low_ms: int
    high_ms: int
    assumed: bool = False

    @property
    def middle_ms(self) -> int:
        """The most likely time."""
        return (self.low_ms + self.high_ms) // 2

    @property
    def uncertainty_ms(self) -> int:
        """The largest distance of the true time from the middle."""
        return (self.high_ms - self.low_ms + 1) // 2


class _Start:
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
        found = Moment(low // _MILLION, -(-high // _MILLION))
        return found if found.uncertainty_ms <= WIDEST_MS else None

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


class ClockMap:
    """The readings of a history. `add` all of them, in the order of the file, before the first `moment`."""

    def __init__(self) -> None:
        self._starts: dict[int, _Start] = {}
        self._places: dict[ClockPoint, int] = {}
        self._refused: set[int] | None = None
        self._left_out: dict[str, None] = {}
        self.readings = 0

    def add(self, point: ClockPoint) -> None:
        """Add one reading of both clocks. The same reading again changes nothing; an impossible one gives a note."""
        if point in self._places:
            return
        if not _FIRST_MS <= point.wall_ms < _LAST_MS:
            self._left_out["the computer's clock was not set"] = None
            return
        if point.ticks_ms >= TICKS_PERIOD:
            self._left_out["no shoe counts so many ticks"] = None
            return
        if self.readings >= MOST_READINGS:
            self._left_out[f"there are more than {MOST_READINGS}"] = None
            return
        start = self._starts.setdefault(point.boot, _Start())
        if not start.add(point):
            self._left_out["the shoe's clock went back"] = None
            return
        self._places[point] = len(start.points) - 1
        self.readings += 1
        self._refused = None

    def was_read(self, boot: int) -> bool:
        """Whether there is a reading of this start."""
        return boot in self._starts

    def moment(
        self,
        boot: int,
        ticks_ms: int,
        fetched: ClockPoint | None = None,
        turns: int | None = None,
        recent: bool = False,
    ) -> Moment | None:
        """Return when a device's clock was at `ticks_ms` (30 bits) in its start `boot`. None when it is not known.

        `fetched` is the reading of the fetch that brought the record; None: the last one of its start. `turns` is how
        often the ticks had wrapped when the record was written; None when its page does not tell. `recent`: the record
        came while the device was watched.

        Without `turns`, the time assumes a fetch less than 11.4 days after the record was written. When the readings
        show that the device had run longer by then, this may be false, and the result is None.
        """
        start = self._starts.get(boot)
        if start is None or boot in self._contradicted():
            return None
        latest = start.elapsed[-1]
        if fetched is not None and fetched in self._places:
            if fetched.boot == boot:
                latest = start.elapsed[self._places[fetched]]
            elif fetched.boot > boot:  # it ran on after its last reading, until the next start that was read
                latest += max(0, fetched.wall_ms - start.points[-1].wall_ms)
        latest += FETCH_MS
        if start.told:
            newest = latest - (latest - ticks_ms) % TICKS_PERIOD
            if turns is not None:
                tick = ticks_ms + turns * TICKS_PERIOD
                return start.moment(tick) if tick <= latest else None
            return start.moment(newest) if recent or newest < TICKS_PERIOD else None
        if start.elapsed[0] - FETCH_MS < latest - TICKS_PERIOD:
            return None
        found = start.moment(latest - (latest - ticks_ms) % TICKS_PERIOD)
        return None if found is None else found._replace(assumed=True)

    def _contradicted(self) -> set[int]:
        """Return starts with readings later than those of a later start: the host's clock was set between them."""
        if self._refused is None:
            self._refused = set()
            for order, sign in ((sorted(self._starts), 1), (sorted(self._starts, reverse=True), -1)):
                reached: int | None = None
                for boot in order:
                    walls = [(sign * point.wall_ms, point.uncertainty_ms) for point in self._starts[boot].points]
                    if reached is not None and min(wall + about for wall, about in walls) < reached:
                        self._refused.add(boot)
                    most = max(wall - about for wall, about in walls)
                    reached = most if reached is None else max(reached, most)
        return self._refused

    def notes(self, simulated: bool = False) -> list[str]:
        """Return one line for each start whose readings do not agree, and one for each reason to leave readings out.

        `simulated`: the history names the virtual board. Its clock need not keep pace with the computer's. The interval
        covers what it lost between two readings, never what it lost before the first one.
        """
        out = [f"readings of the computer's clock were left out: {why}" for why in self._left_out]
        for boot, start in sorted(self._starts.items()):
            if boot in self._contradicted():
                out.append(
                    f"clock readings of the shoe's start {boot} contradict those of another start, as when the "
                    "computer's clock was set back between them: its times of day are not known"
                )
                continue
            told = start.moment(start.elapsed[-1]) is not None
            if start.apart_ms:
                note = (
                    f"clock readings of the shoe's start {boot} contradict each other by "
                    f"{start.apart_ms / 1000:.1f} s, as when the computer's clock was set between them: "
                    + ("times of day allow for both" if told else "its times of day are not known")
                )
                if simulated:
                    note += f". {_SIMULATED}" + (f": {_LOST_BEFORE}" if told else "")
                out.append(note)
        return out
