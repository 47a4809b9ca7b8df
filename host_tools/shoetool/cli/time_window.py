"""Find rounds by the time of day: the options --at, --from, --to and --timezone, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, Final, TypeVar

import click

from shoetool.history.start_clock import Moment
from shoetool.model.errors import BadInput
from shoetool.model.naming import many
from shoetool.model.printable import clean
from shoetool.model.times import Zone
from shoetool.report.time_of_day import span_text

F = TypeVar("F", bound=Callable[..., Any])

_FORM: Final = re.compile(
    r"(?:(?P<date>\d{4}-\d\d-\d\d)(?:[T ]+(?=\d)|$))?"
    r"(?:(?P<hour>\d\d?):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?)?(?P<offset>Z|[+-]\d\d:?\d\d)?"
)
_TIME_LIKE: Final = re.compile(r"\s*\d+[:-]")
_NEAR_MS: Final = 43_200_000
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A time as the user gave it: with or without a day, and with its own offset or in the zone shown.

    `day` None: a time of any day. `clock` None: a whole day. `lasts` is the unit of the time: a day, minute or second.
    """

    text: str
    day: date | None
    clock: time | None
    lasts: timedelta
    offset: timezone | None = None

    def instants(self, day: date, zone: Zone) -> list[int]:
        """Return the Unix ms of this time on a day: two in an hour that came twice, none in one that was left out."""
        wanted = datetime.combine(day, self.clock or time())
        if self.offset is None:
            return zone.instants(wanted)
        return [round(wanted.replace(tzinfo=self.offset).timestamp() * 1000)]

    @property
    def lasts_ms(self) -> int:
        """How long the given time lasts, in ms."""
        return self.lasts // timedelta(milliseconds=1)


class TimeType(click.ParamType[Asked]):
    """`21:14`, `21:14:30`, `2026-11-23`, `2026-11-23 21:14`, or ISO 8601 with an offset."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Asked:
        """Return the given time. A usage error says what is allowed."""
        if isinstance(value, Asked):
            return value
        text = str(value).strip()
        found = _FORM.fullmatch(text)
        day = clock = None
        try:
            if found is None or not (found["date"] or found["hour"]) or (found["offset"] and not found["hour"]):
                raise ValueError
            if found["offset"] and not found["date"]:
                raise ValueError
            if found["date"]:
                day = date.fromisoformat(found["date"])
                if not 1970 < day.year < 9000:
                    raise ValueError
            if found["hour"]:
                clock = time(int(found["hour"]), int(found["minute"]), int(found["second"] or 0))
            offset = _offset(found["offset"])
        except ValueError:
            self.fail(
                f"{clean(text)!r} is not a time of day; write 21:14, 21:14:30, or '2026-11-23 21:14' with its day.",
                param,
                ctx,
            )
        lasts = _DAY if clock is None else timedelta(seconds=1) if found["second"] else timedelta(minutes=1)
        return Asked(clean(text), day, clock, lasts, offset)


class RecordOrTime(click.ParamType[int | Asked]):
    """The number of a record, or a time of day."""

    name = "record or time"

    def __init__(self, least: int, most: int) -> None:
        """Accept record numbers from `least` to `most`."""
        self._numbers = click.IntRange(least, most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | Asked:
        """Return the number or the time. A usage error says what is allowed."""
        if isinstance(value, Asked) or _TIME_LIKE.match(str(value)):
            return TimeType().convert(value, param, ctx)
        return int(self._numbers.convert(value, param, ctx))


def _offset(text: str | None) -> timezone | None:
    if not text:
        return None
    if text == "Z":
        return UTC
    digits = text[1:].replace(":", "")
    if int(digits[2:]) > 59:
        raise ValueError
    shift = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-shift if text[0] == "-" else shift)


def zone_option(command: F) -> F:
    """Add --timezone to a command that shows times of day."""
    return click.option(
        "--timezone",
        "zone",
        metavar="ZONE",
        callback=lambda ctx, param, value: _zone(value, param, ctx),
        help="Show times of day in this zone, such as America/New_York or UTC. By default in this computer's.",
    )(command)


def _zone(value: str | None, param: click.Parameter, ctx: click.Context) -> Zone:
    try:
        return Zone(value)
    except BadInput as error:
        raise click.BadParameter(str(error), ctx, param) from None


def window_options(what: str) -> Callable[[F], F]:
    """Add --at, --from, --to and --timezone. `what` names the things that they choose, such as `rounds`."""

    def add(command: F) -> F:
        kind = TimeType()
        command = zone_option(command)
        for name, variable, text in (
            ("--to", "last", f"Only {what} before this time of day."),
            ("--from", "first", f"Only {what} from this time of day on."),
            ("--at", "at", f"Only {what} at this time of day: 21:14, 21:14:30, or '2026-11-23 21:14'."),
        ):
            command = click.option(name, variable, type=kind, metavar="TIME", help=text)(command)
        return command

    return add


class Window:
    """The times that the user asked for.

    Without a day, a time is that of the history's own span (`span`), --to the one after --from. When it lies there on
    several days, that is a BadInput. --from and --to outside of the span are those nearest to it.
    """

    def __init__(self, zone: Zone, at: Asked | None, first: Asked | None, last: Asked | None) -> None:
        """Take what was asked. A usage error for --at with the others; BadInput for a time that no clock showed."""
        if at is not None and (first is not None or last is not None):
            raise click.UsageError("--at goes without --from and --to")
        self.zone = zone
        self.at = at
        self._first, self._last = first, last
        self._bounds: tuple[int | None, int | None] | None = None
        self.unknown = 0
        """How many rounds or records had no known time."""
        self._before: tuple[int, str] | None = None
        self._after: tuple[int, str] | None = None
        for one in (at, first, last):
            if one is not None and one.day is not None and not one.instants(one.day, zone):
                raise BadInput(f"{one.text}: the clocks were set forward over this time on that day")

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return any(one is not None for one in (self.at, self._first, self._last))

    @property
    def needs_span(self) -> bool:
        """Whether a time was given without its day."""
        return any(one is not None and one.day is None for one in (self.at, self._first, self._last))

    def span(self, low: int, high: int) -> None:
        """Take the first and the last known time of the history, in Unix ms. BadInput: see the class."""
        if self.at is not None:
            self._found("--at", self.at, low, high, None)
        else:
            self._bounds = self._resolved(low, high)

    def fresh(self) -> Window:
        """Return the same window for another history."""
        return Window(self.zone, self.at, self._first, self._last)

    def holds(self, began: Moment | None, ended: Moment | None, number: int) -> bool:
        """Whether a round or record with this beginning and end may have been under way at a time asked for.

        True for everything when nothing is asked for. False when neither time is known.
        """
        if not self:
            return True
        known = [one for one in (began, ended) if one is not None]
        if not known:
            self.unknown += 1
            return False
        low, high = known[0].low_ms, max(one.high_ms for one in known)
        name = f"{number} ({span_text(began, ended, self.zone)})"
        return self._at(low, high, name) if self.at is not None else self._between(low, high)

    def _at(self, low: int, high: int, name: str) -> bool:
        assert self.at is not None
        for begins in self._instants(self.at, low, high):
            if low < begins + self.at.lasts_ms and high >= begins:
                return True
            if 0 < begins - high < (self._before[0] if self._before else _NEAR_MS):
                self._before = (begins - high, name)
            if 0 < low - begins < (self._after[0] if self._after else _NEAR_MS):
                self._after = (low - begins, name)
        return False

    def _instants(self, asked: Asked, low: int, high: int) -> list[int]:
        """Return the instants of the asked time: on its day, else on all days from before `low` to after `high`."""
        if asked.day is not None:
            return asked.instants(asked.day, self.zone)
        day, end = self.zone.local(low).date() - _DAY, self.zone.local(high).date() + 2 * _DAY
        found: list[int] = []
        while day <= end:
            found += asked.instants(day, self.zone)
            day += _DAY
        return found

    def _between(self, low: int, high: int) -> bool:
        self._bounds = self._bounds or self._resolved(low, high)
        first, last = self._bounds
        return (first is None or high >= first) and (last is None or low < last)

    def _resolved(self, low: int, high: int) -> tuple[int | None, int | None]:
        """Return both bounds in Unix ms. `low` and `high`: the span of the history."""
        first = last = None
        if self._first is not None:
            first = min(self._found("--from", self._first, low, high, None))
        if self._last is not None:
            last = max(self._found("--to", self._last, low, high, first))
            last += self._last.lasts_ms if self._last.clock is None else 0
        if first is not None and last is not None and last <= first:
            raise BadInput(f"--to {self._last.text if self._last else ''} is not after --from")
        return first, last

    def _found(self, option: str, asked: Asked, low: int, high: int, after: int | None) -> list[int]:
        """Return the instants that are meant: those of the span `low` to `high` on one day, or the nearest to it."""
        if asked.day is not None:
            return asked.instants(asked.day, self.zone)
        around = self._instants(asked, low, max(high, after or high))
        around = [one for one in around if after is None or one > after]
        inside = [one for one in around if one + asked.lasts_ms > low and one <= high]
        days = sorted({self.zone.local(one).date() for one in inside})
        if len(days) > 1:
            text = f"{asked.text} lies on {len(days)} days of the history"
            raise BadInput(f"{text}: name one, as {option} '{days[0]} {asked.text}'")
        return inside or [min(around, key=lambda one: max(low - one, one - high))]

    def missing(self, what: str, where: str = "") -> str:
        """Return one line on why nothing was found: the nearest before and after, and how many have no known time.

        where: what else was asked for, such as ` in shoe 3`.
        """
        parts = [f"holds no {what} of that time{where}"]
        if self._before is not None:
            parts.append(f"the last one before is {what} {self._before[1]}")
        if self._after is not None:
            parts.append(f"the next one after is {what} {self._after[1]}")
        for option, asked, bound in zip(
            ("--from", "--to"), (self._first, self._last), self._bounds or (None, None), strict=True
        ):
            if asked is not None and asked.day is None and bound is not None:
                day = self.zone.local(bound).date()
                parts.append(f"{option} means '{day} {asked.text}'; add the day if you mean another one")
        if self.unknown:
            parts.append(f"of {many(self.unknown, what)} the time of day is not known")
        return "; ".join(parts)


class RoundsAsked:
    """The rounds of a window; `number`: only the round of this number."""

    def __init__(self, window: Window, number: int | None = None) -> None:
        """Take what was asked."""
        self._window = window
        self._number = number

    def holds(self, began: Moment | None, ended: Moment | None, number: int) -> bool:
        """Whether a round is one of them."""
        return self._number in (None, number) and self._window.holds(began, ended, number)

    def missing(self, where: str = "", there: str = "") -> str:
        """Why there was none: where, and what is there."""
        if self._window:
            return self._window.missing("round", where)
        if self._number is None:
            return f"holds no round{where}"
        return f"holds no round {self._number}{where}" + (f"; {there}" if there else "")
