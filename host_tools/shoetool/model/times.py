"""The one place where a time becomes text: local time with its offset and zone, rounded to the nearest second.

Everything that shows or writes a time calls this module. `tests/host/test_one_time_format.py` finds what does not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shoetool.model.errors import BadInput

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_HALF_S: Final = 500
_LATEST_MS: Final = 32_503_680_000_000  # the year 3000
_NO_NAME: Final = ("UTC", "+", "-")
"""How a zone's name begins that says no more than its offset."""


class Zone:
    """The time zone for times: a named one (`America/New_York`, `UTC`), or this computer's own."""

    def __init__(self, name: str | None = None) -> None:
        """Find the zone. BadInput when there is no zone of that name."""
        self.name = name
        self._zone: tzinfo | None = None
        if name is not None:
            try:
                self._zone = UTC if name.upper() in ("UTC", "Z") else ZoneInfo(name)
            except (ZoneInfoNotFoundError, ValueError, OSError):
                raise BadInput(
                    f"there is no time zone {name!r}; write one as America/New_York or UTC "
                    "(a computer without a table of time zones needs the package tzdata)"
                ) from None
        try:
            for day in (0, 182):
                self.local(day * 86_400_000)
        except ValueError:  # an offset of a day or more, which TZ may name
            self._zone = UTC

    def local(self, unix_ms: int) -> datetime:
        """Return a time with the offset that the zone had then, in whole minutes: RFC 3339 knows no others."""
        local = (_EPOCH + timedelta(milliseconds=unix_ms)).astimezone(self._zone)
        offset = _whole_minutes(local)
        return local if offset == local.utcoffset() else local.astimezone(timezone(offset, local.tzname() or ""))

    def iso(self, unix_ms: int) -> str:
        """Return a time as RFC 3339, to the millisecond: `2026-11-23T21:14:03.120-05:00`."""
        return self.local(unix_ms).isoformat(timespec="milliseconds")

    def day(self, unix_ms: int) -> str:
        """Return the day of a time: `2026-11-23`."""
        return f"{self._nearest(unix_ms):%Y-%m-%d}"

    def clock(self, unix_ms: int) -> str:
        """Return the time of day: `21:14:03`. Its day and zone must stand near it."""
        return f"{self._nearest(unix_ms):%H:%M:%S}"

    def label(self, unix_ms: int) -> str:
        """Return the zone as it was then: `EST (UTC-05:00)`, or its offset alone where it has no name."""
        local = self._nearest(unix_ms)
        offset = f"{local:%z}"
        shown = "UTC" if offset == "+0000" else f"UTC{offset[:3]}:{offset[3:5]}"
        name = local.tzname() or ""
        return shown if not name or name.startswith(_NO_NAME) else f"{name} ({shown})"

    def labels(self, unix_ms: Sequence[int]) -> str:
        """Return the zone of several times: two labels where the clocks were set between them; empty without a time."""
        return " and ".join(dict.fromkeys(map(self.label, unix_ms)))

    def day_line(self, unix_ms: int) -> str:
        """Return a line for a day: `2026-11-23, Monday, EST (UTC-05:00)`."""
        return f"{self._nearest(unix_ms):%Y-%m-%d, %A}, {self.label(unix_ms)}"

    def stamp(self, unix_ms: int) -> str:
        """Return a time with its day and zone: `2026-11-23 21:14:03 EST (UTC-05:00)`."""
        return f"{self.day(unix_ms)} {self.clock(unix_ms)} {self.label(unix_ms)}"

    def span(self, began_ms: int, ended_ms: int, about: str = "") -> str:
        """Return two times with day and zone: `2026-11-23 21:14:03 to 21:15:40 EST (UTC-05:00)`.

        The day stands twice where it changes, and the zone where the clocks were set between them. One time
        stands where both are the same second. about: their uncertainty, which stands before the zone.
        """
        first, last = self.label(began_ms), self.label(ended_ms)
        begins, ends = (f"{self.day(one)} {self.clock(one)}" for one in (began_ms, ended_ms))
        if (begins, first) == (ends, last):
            return f"{begins}{about} {first}"
        if self.day(began_ms) == self.day(ended_ms):
            ends = self.clock(ended_ms)
        return f"{begins}{'' if first == last else ' ' + first} to {ends}{about} {last}"

    def instants(self, wanted: datetime) -> list[int]:
        """Return the Unix ms of a time without offset: two when clocks were set back over it, none when set forward."""
        found: list[int] = []
        for fold in (0, 1):
            local = wanted.replace(tzinfo=self._zone, fold=fold).astimezone(self._zone)
            unix_ms = (wanted.replace(tzinfo=UTC) - _whole_minutes(local) - _EPOCH) // timedelta(milliseconds=1)
            if self.local(unix_ms).replace(tzinfo=None, fold=0) == wanted and unix_ms not in found:
                found.append(unix_ms)
        return found

    def _nearest(self, unix_ms: int) -> datetime:
        """Return the local time whose whole second is the nearest."""
        return self.local(unix_ms + _HALF_S)


def is_time(unix_ms: int) -> bool:
    """Return whether a time can be shown, in every zone."""
    return 0 <= unix_ms < _LATEST_MS


def _whole_minutes(local: datetime) -> timedelta:
    """Return the offset of a time, to the nearest minute. Old zones, and a `TZ` of one's own, have seconds in it."""
    offset = local.utcoffset() or timedelta()
    return timedelta(minutes=round(offset / timedelta(minutes=1)))


def now_ms() -> int:
    """Return the present time of this computer's clock, in Unix ms."""
    return time.time_ns() // 1_000_000


def clock_now(ago_s: float = 0) -> str:
    """Return this computer's local time of day, so many seconds ago, for a line about this moment: `21:14:03`."""
    return Zone().clock(now_ms() - round(ago_s * 1000))


def utc_stamp(unix_ms: int) -> str:
    """Return a time as RFC 3339 in UTC, to the nearest second: `2026-11-24T02:14:03Z`. For lines that programs read."""
    return (_EPOCH + timedelta(milliseconds=unix_ms + _HALF_S)).isoformat(timespec="seconds")[:19] + "Z"


def utc_iso_us(unix_us: int) -> str:
    """Return a time as RFC 3339 in UTC, to the microsecond."""
    return (_EPOCH + timedelta(microseconds=unix_us)).isoformat()


def utc_day(unix_ms: int) -> str:
    """Return the day in UTC of a time: `2026-11-24`. It is that of the time itself, not of its nearest second."""
    return f"{_EPOCH + timedelta(milliseconds=unix_ms):%Y-%m-%d}"


def file_stamp(unix_ms: int) -> str:
    """Return a time in UTC for the name of a file: `20261124T021403.120Z`."""
    return f"{_EPOCH + timedelta(milliseconds=unix_ms):%Y%m%dT%H%M%S}.{unix_ms % 1000:03}Z"
