"""Times of day as text and as JSON: in a time zone, with their uncertainty."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from shoetool.history.clock import ASSUMED, ClockMap
from shoetool.history.readings import Basis, basis_notes, weakest
from shoetool.history.start_clock import Moment
from shoetool.model.records import Record
from shoetool.model.times import Zone

if TYPE_CHECKING:  # a round takes a while to load, and most that show a time have none
    from shoetool.table.round import Round

UNKNOWN_CLOCK: Final = "--:--:--"
NOT_KNOWN: Final = "time of day not known"
_UNREAD: Final = (
    ". The shoe was switched off or started anew before anybody read its clock; shoetool pull reads it, so fetch a "
    "history before the shoe is switched off"
)
SURE_MS: Final = 500
"""A time that is less certain is shown with its uncertainty. A time without one is right to the second."""
MomentOf = Callable[[Record], Moment | None]
"""A function that tells when a record was written, as `ShoelogReader.moment` does."""
_MINUTE_S: Final = 60


def clock_text(moment: Moment | None, zone: Zone) -> str:
    """Return a time such as `21:14:03`, `21:14:03 ±4 s` when it is less certain than a second, or `--:--:--`."""
    if moment is None:
        return UNKNOWN_CLOCK
    return zone.clock(moment.middle_ms) + _about(moment.uncertainty_ms)


def span_text(began: Moment | None, ended: Moment | None, zone: Zone) -> str:
    """Return when something began and ended, `21:14:03 to 21:15:40`, with the uncertainty of both.

    Day and zone stand near it. The zone of each stands with it where the clocks were set between them.
    """
    known = [one for one in (began, ended) if one is not None]
    if not known:
        return NOT_KNOWN
    labels = [zone.label(one.middle_ms) for one in known]
    parts = [UNKNOWN_CLOCK if one is None else zone.clock(one.middle_ms) for one in (began, ended)]
    if len(set(labels)) > 1:
        parts = [f"{part} {label}" for part, label in zip(parts, labels, strict=True)]
    return f"{parts[0]} to {parts[1]}" + _about(max(one.uncertainty_ms for one in known))


def dated_span_text(began: Moment | None, ended: Moment | None, zone: Zone) -> str:
    """Return both ends with day and zone: `2026-11-23 21:14:03 to 21:15:40 EST (UTC-05:00)`.

    A single time when one is known or both are equal; empty when none is known.
    """
    known = [one for one in (began, ended) if one is not None]
    if not known:
        return ""
    about = _about(max(one.uncertainty_ms for one in known))
    return zone.span(known[0].middle_ms, known[-1].middle_ms, about)


def iso_text(moment: Moment | None, zone: Zone) -> str:
    """Return a time as RFC 3339, `2026-11-23T21:14:03.120-05:00`; empty when it is not known."""
    return "" if moment is None else zone.iso(moment.middle_ms)


def uncertainty_text(*moments: Moment | None) -> str:
    """Return the largest uncertainty of the known times, in ms; empty when none is known."""
    known = [one.uncertainty_ms for one in moments if one is not None]
    return str(max(known)) if known else ""


def moment_json(moment: Moment | None, zone: Zone) -> dict[str, Any] | None:
    """Return `{"time": "2026-11-23T21:14:03.120-05:00", "uncertainty_ms": 34, "basis": "fetched"}`: RFC 3339; None
    when it is not known.

    `"assumed": true` is added when the time depends on an assumption. `basis` says what it rests on.
    """
    if moment is None:
        return None
    assumed = {"assumed": True} if moment.assumed else {}
    return {
        "time": iso_text(moment, zone),
        "uncertainty_ms": moment.uncertainty_ms,
        "basis": moment.basis.word,
        **assumed,
    }


def basis_of(*moments: Moment | None) -> Basis | None:
    """Return what these times rest on together; None when none is known."""
    return weakest(*(one.basis for one in moments if one is not None))


def span_json(began: Moment | None, ended: Moment | None, zone: Zone) -> dict[str, Any]:
    """Return when something began and ended with JSON types only."""
    return {"began_at": moment_json(began, zone), "ended_at": moment_json(ended, zone)}


def _about(uncertainty_ms: int) -> str:
    if uncertainty_ms <= SURE_MS:
        return ""
    seconds = -(-(uncertainty_ms + SURE_MS) // 1000)
    return f" ±{seconds} s" if seconds < 2 * _MINUTE_S else f" ±{-(-seconds // _MINUTE_S)} min"


def round_moments(one: Round, moment: MomentOf) -> tuple[Moment | None, Moment | None]:
    """Return when a round began and when its last record was written. None for an unknown time."""
    if one.opening is None:
        return None, moment(one.latest) if one.latest else None
    return moment(one.opening), moment(one.latest or one.opening)


class TimesOfDay:
    """The times of day of a history's records in one zone, and which of them are not known."""

    def __init__(self, moment: MomentOf, zone: Zone, clock: ClockMap | None = None) -> None:
        """`clock`: the readings that `moment` uses, for the notes."""
        self.zone = zone
        self._moment = moment
        self._clock = clock
        self._day: str | None = None
        self.unknown_starts: set[int] = set()
        """Starts of the device with a wanted time that is not known."""
        self.known = False
        """Whether any wanted time is known."""
        self.assumed = False
        """Whether a wanted time depends on an assumption, see `Moment`."""
        self.bases: dict[int, Basis] = {}
        """What known times rest on, by the start of the device: the weakest where they differ."""

    def of(self, record: Record | None) -> Moment | None:
        """Return when a record was written; None when it is not known."""
        if record is None:
            return None
        found = self._moment(record)
        if found is None:
            self.unknown_starts.add(record.boot)
        else:
            self.known = True
            self.assumed = self.assumed or found.assumed
            self.bases[record.boot] = max(found.basis, self.bases.get(record.boot, found.basis))
        return found

    def of_round(self, one: Round) -> tuple[Moment | None, Moment | None]:
        """Return when a round began and when its last record was written."""
        return round_moments(one, self.of)

    def round_json(self, one: Round) -> dict[str, Any]:
        """Return the times of a round with JSON types only."""
        return span_json(*self.of_round(one), self.zone)

    def clock(self, record: Record) -> str:
        """Return the time of a record as `clock_text` shows it."""
        return clock_text(self.of(record), self.zone)

    def day_line(self, moment: Moment | None) -> str | None:
        """Return a line with day and zone, such as `2026-11-23, Monday, EST (UTC-05:00)`; None without a time."""
        if moment is None:
            return None
        return self.zone.day_line(moment.middle_ms)

    def new_day(self, moment: Moment | None) -> str | None:
        """Return the `day_line` of a time when it differs from the one before; else None."""
        line = self.day_line(moment)
        if line is None or line == self._day:
            return None
        self._day = line
        return line

    def basis(self) -> list[str]:
        """Return a line on what the known times rest on, or one for each basis; empty when none is known."""
        return basis_notes(self.bases)

    def notes(self) -> list[str]:
        """Return a line for records without a known time, and one for doubtful times; empty when all times are good."""
        assumed = [ASSUMED] if self.assumed else []
        if not self.unknown_starts:
            return assumed
        clock = self._clock
        read_later = clock is not None and clock.readings > 0 and not all(map(clock.was_read, self.unknown_starts))
        why = _UNREAD if read_later else ""
        if not self.known:
            return [f"{NOT_KNOWN}: this history holds no clock reading for its records{why}", *assumed]
        starts = ", ".join(str(start) for start in sorted(self.unknown_starts)[:12])
        starts = f"{'starts' if len(self.unknown_starts) > 1 else 'start'} {starts}"
        return [
            f"{NOT_KNOWN} for records of the shoe's {starts} (boot counter): no clock reading fits them{why}",
            *assumed,
        ]
