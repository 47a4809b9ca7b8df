"""The time of day of live records. While a shoe is watched, its clock is compared with this computer's clock."""

from __future__ import annotations

import contextlib

from shoetool.client.client import Client
from shoetool.client.host_clock import HostClock
from shoetool.client.requests import NoAnswer, Refused
from shoetool.history.chunks import ClockPoint
from shoetool.history.clock import FETCH_MS, ClockMap
from shoetool.history.start_clock import TICKS_PERIOD, Moment
from shoetool.model.records import Record


class LiveClock(HostClock):
    """Maps the shoe's ticks to the time of day, by this computer's clock."""

    def __init__(self, client: Client) -> None:
        """Prepare. Nothing is read yet."""
        super().__init__(client, self._add)
        self._map = ClockMap()
        self._recent: dict[int, int] = {}
        """For each start of the device: the first record that was written while its clock was watched."""
        self.read_ms: int | None = None
        """The computer's clock at the last reading, in Unix ms."""

    def _add(self, point: ClockPoint) -> None:
        self._map.add(point)
        self.read_ms = point.wall_ms
        self._watch_from(point)

    def _watch_from(self, point: ClockPoint) -> None:
        """Note the first record from now on. Records before it may be too old for the ticks to show their time."""
        ran_ms = (point.turns or 0) * TICKS_PERIOD + point.ticks_ms
        if point.turns is not None and ran_ms + FETCH_MS >= TICKS_PERIOD and point.boot not in self._recent:
            with contextlib.suppress(NoAnswer, Refused):
                self._recent[point.boot] = self._client.status().next_record

    def moment(self, record: Record) -> Moment | None:
        """Return when a record was written; None when it is not known."""
        first = self._recent.get(record.boot)
        recent = first is not None and record.number >= first
        return self._map.moment(record.boot, record.ticks_ms, recent=recent)
