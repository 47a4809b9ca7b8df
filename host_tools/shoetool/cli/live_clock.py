"""The time of day of live records. While a shoe is watched, its clock is compared with this computer's clock."""

from __future__ import annotations

import contextlib
from typing import Final

from shoetool.cli.pulling import read_clock
from shoetool.client.client import Client
from shoetool.client.requests import NoAnswer, Refused
from shoetool.history.chunks import ClockPoint
from shoetool.history.clock import FETCH_MS, TICKS_PERIOD, ClockMap, Moment
from shoetool.model.records import Record

AGAIN_S: Final = 3600.0
"""How often the clock is read again. A crystal may be wrong by a third of a second in this time."""
SOON_S: Final = 10.0
GOOD_MS: Final = 250
_TRIES: Final = 5


class LiveClock:
    """Maps the shoe's ticks to the time of day. Call `refresh` while the line is watched.

    The clock is read at the start, after each restart or reconnect, and each hour. It is read a few times more while a
    card in a throat makes the shoe answer late.
    """

    def __init__(self, client: Client) -> None:
        """Prepare. Nothing is read yet."""
        self._client = client
        self._map = ClockMap()
        self._recent: dict[int, int] = {}
        """For each start of the device: the first record that was written while its clock was watched."""
        self._generation = -1
        self._due = 0.0
        self._tries = 0
        self.read_ms: int | None = None
        """The computer's clock at the last reading, in Unix ms."""

    def refresh(self) -> None:
        """Read both clocks when it is time. When the shoe does not answer, the old readings stay."""
        session = self._client.session
        now = session.transport.now()
        if session.generation == self._generation and now < self._due:
            return
        if session.generation != self._generation:
            self._tries = 0
        self._tries += 1
        good = False
        try:
            point = read_clock(self._client)
        except (NoAnswer, Refused):
            pass
        else:
            if point is not None:
                self._map.add(point)
                self.read_ms = point.wall_ms
                self._watch_from(point)
            good = point is None or point.uncertainty_ms <= GOOD_MS
        self._generation = session.generation
        self._due = session.transport.now() + (AGAIN_S if good or self._tries >= _TRIES else SOON_S)
        if good or self._tries >= _TRIES:
            self._tries = 0

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
