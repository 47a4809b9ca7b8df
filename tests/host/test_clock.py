"""The time of day of device ticks: the true time always lies in the interval that is told, or none is told."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shoetool.history.chunks import ClockPoint
from shoetool.history.clock import FETCH_MS, ClockMap
from shoetool.history.start_clock import DRIFT_PPM, TICKS_PERIOD, WIDEST_MS, Moment

EVENING = 1_760_000_000_000
HOUR = 3_600_000
DAY = 24 * HOUR
MOST_AGE = 9 * DAY


@dataclass
class DriftingShoe:
    """A device's clock: it began at `began` µs with `first` µs on it, and its rate changes, within the bound."""

    began: int
    first: int
    rates: list[tuple[int, int]]
    """(µs that it lasts, parts per million) one after the other; the last rate goes on."""

    def counted(self, true_us: int) -> int:
        """Milliseconds that the device has counted at a true time, on from those it began with."""
        left = true_us - self.began
        shown = self.first * 1_000_000
        for lasts, ppm in self.rates[:-1]:
            part = min(left, lasts)
            shown += part * (1_000_000 + ppm)
            left -= part
        shown += left * (1_000_000 + self.rates[-1][1])
        return shown // 1_000_000_000

    def ticks(self, true_us: int) -> int:
        """What the device answers, or writes into a record, at a true time."""
        return self.counted(true_us) % TICKS_PERIOD

    def read(self, boot: int, true_us: int, to_us: int, back_us: int) -> ClockPoint:
        """A reading by a host whose clock is right: the device answers at `true_us`, as `pull` computes it."""
        before, after = (true_us - to_us) * 1000, (true_us + back_us) * 1000
        half = (after - before) // 2
        return ClockPoint(boot, self.ticks(true_us), (before + half) // 1_000_000, -(-half // 1_000_000))

    def turns(self, true_us: int) -> int:
        """How often the ticks had begun anew at a true time, as a device of protocol 1.2 tells it."""
        return self.counted(true_us) // TICKS_PERIOD

    def told(self, boot: int, true_us: int) -> ClockPoint:
        """A reading of a device that tells how often its ticks began anew."""
        return self.read(boot, true_us, 1000, 1000)._replace(turns=self.turns(true_us))


RESOLUTION_MS = 3  # HISTORY_FORMAT.md: for the cut-off milliseconds of both clocks
ppm = st.integers(-DRIFT_PPM, DRIFT_PPM)
rates = st.lists(st.tuples(st.integers(1, 3 * DAY * 1000), ppm), min_size=1, max_size=4)
shoes = st.builds(
    DriftingShoe,
    st.integers(EVENING * 1000, (EVENING + DAY) * 1000),
    st.integers(0, TICKS_PERIOD * 1000 - 1),
    rates,
)
delay = st.integers(0, 2_000_000)


def covers(found: Moment | None, true_us: int) -> bool:
    return found is not None and found.low_ms * 1000 <= true_us <= found.high_ms * 1000


@given(shoes, st.data())
def test_the_true_time_lies_in_the_told_interval(shoe: DriftingShoe, data: st.DataObject) -> None:
    """One to five fetches of one start; each record came with one of them, less than 9 days old."""
    clock = ClockMap()
    fetches = sorted(data.draw(st.lists(st.integers(0, MOST_AGE * 1000), min_size=1, max_size=5, unique=True)))
    points = [shoe.read(7, shoe.began + at, data.draw(delay), data.draw(delay)) for at in fetches]
    for point in points:
        clock.add(point)
    assert clock.notes() == []
    for _ in range(10):
        fetch = data.draw(st.integers(0, len(fetches) - 1))
        true_us = shoe.began + data.draw(st.integers(0, fetches[fetch] + FETCH_MS * 500))
        found = clock.moment(7, shoe.ticks(true_us), data.draw(st.sampled_from([points[fetch], None])))
        assert covers(found, true_us)
        assert found is not None and found.uncertainty_ms < 2010 + 2 * DRIFT_PPM * TICKS_PERIOD // 1_000_000


@given(shoes, st.integers(-WIDEST_MS * 3, WIDEST_MS * 3), st.data())
def test_a_clock_that_was_set_between_readings_is_covered_or_the_time_not_told(
    shoe: DriftingShoe, by_ms: int, data: st.DataObject
) -> None:
    """Some of the readings are of a clock that was wrong by `by_ms`; which ones nobody can say.

    Two readings hide a setting that is less than they are uncertain and the shoe's clock may have drifted between them.
    Then there is no note, and the time is off by as much at most.
    """
    clock = ClockMap()
    points: list[ClockPoint] = []
    any_wrong = False
    fetches = sorted(data.draw(st.lists(st.integers(0, 3 * DAY * 1000), min_size=2, max_size=5, unique=True)))
    for at in fetches:
        point = shoe.read(7, shoe.began + at, data.draw(delay), data.draw(delay))
        wrong = bool(points) and data.draw(st.booleans())
        any_wrong |= wrong
        points.append(point._replace(wall_ms=point.wall_ms + by_ms) if wrong else point)
        clock.add(points[-1])
    true_us = shoe.began + data.draw(st.integers(0, fetches[-1] + FETCH_MS * 500))
    found = clock.moment(7, shoe.ticks(true_us))
    if found is None:
        assert clock.notes()
    else:
        drift_ms = 2 * (DRIFT_PPM + 1) * (fetches[-1] - fetches[0]) // 10**9
        most_hidden = 2 * (max(point.uncertainty_ms for point in points) + RESOLUTION_MS) + drift_ms + 1
        may_hide = any_wrong and not clock.notes() and abs(by_ms) <= most_hidden
        hidden_ms = abs(by_ms) if may_hide else 0
        assert covers(Moment(found.low_ms - hidden_ms, found.high_ms + hidden_ms), true_us)


@given(shoes, st.integers(0, 60), st.integers(0, 60), st.data())
def test_a_device_that_ran_for_weeks_gets_no_time_rather_than_a_wrong_one(
    shoe: DriftingShoe, first_day: int, last_day: int, data: st.DataObject
) -> None:
    """Readings weeks apart; the ticks of a record that came with the second fetch may have begun anew since."""
    days = sorted((first_day, last_day))
    points = [shoe.read(7, shoe.began + day * DAY * 1000 + index, 1000, 1000) for index, day in enumerate(days)]
    clock = ClockMap()
    for point in points:
        clock.add(point)
    fetch = data.draw(st.integers(0, 1))
    until = shoe.began + days[fetch] * DAY * 1000
    oldest = days[0] * DAY * 1000 if fetch else days[0] * DAY * 1000 - MOST_AGE * 1000
    true_us = data.draw(st.integers(max(shoe.began, shoe.began + oldest), until))
    found = clock.moment(7, shoe.ticks(true_us), points[fetch])
    assert found is None or covers(found, true_us)
    if fetch == 0 or days[1] - days[0] < 9:
        assert found is not None


@given(shoes, st.integers(0, 400), st.integers(0, 400), st.data())
def test_a_device_that_tells_how_long_it_ran_gets_all_its_times_right(
    shoe: DriftingShoe, fetch_day: int, record_day: int, data: st.DataObject
) -> None:
    """It ran for a year and more; the record lay in it for as long as it may."""
    record_day = min(record_day, fetch_day)
    clock = ClockMap()
    point = shoe.told(7, shoe.began + fetch_day * DAY * 1000)
    clock.add(point)
    true_us = shoe.began + record_day * DAY * 1000
    found = clock.moment(7, shoe.ticks(true_us), point, shoe.turns(true_us))
    assert covers(found, true_us) and found is not None and not found.assumed
    # The ticks of an event alone, as monitor has them: right, or not told when it may be older.
    alone = clock.moment(7, shoe.ticks(true_us))
    assert alone is None or covers(alone, true_us)
    assert alone is not None or shoe.counted(true_us) + 400 * DAY >= TICKS_PERIOD
    if fetch_day - record_day < 11:
        assert covers(clock.moment(7, shoe.ticks(true_us), recent=True), true_us)


@given(shoes, st.lists(st.integers(0, 60 * DAY * 1000), min_size=2, max_size=6, unique=True), st.data())
def test_readings_that_tell_it_and_readings_that_do_not_go_together(
    shoe: DriftingShoe, at: list[int], data: st.DataObject
) -> None:
    """An older shoetool fetched in between: what it read has its place beside what the others read."""
    clock = ClockMap()
    points = []
    for index, after in enumerate(sorted(at)):
        point = shoe.told(7, shoe.began + after)
        points.append(point if index == 1 or data.draw(st.booleans()) else point._replace(turns=None))
        clock.add(points[-1])
    assert clock.notes() == []
    true_us = shoe.began + data.draw(st.integers(0, max(at)))
    assert covers(clock.moment(7, shoe.ticks(true_us), points[-1], shoe.turns(true_us)), true_us)


def test_a_device_that_does_not_tell_how_long_it_ran_gets_times_that_say_so() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 5000, EVENING))
    found = clock.moment(3, 4000)
    assert found is not None and found.assumed
    clock.add(ClockPoint(4, 5000, EVENING + HOUR, 0, 0))
    found = clock.moment(4, 4000, turns=0)
    assert found is not None and not found.assumed


def test_a_clock_that_goes_back_and_a_record_later_than_its_fetch_have_no_times() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 5000, EVENING, 0, 2))
    clock.add(ClockPoint(3, 9000, EVENING + HOUR, 0, 1))
    assert clock.readings == 1 and clock.notes() == [
        "readings of the computer's clock were left out: the shoe's clock went back"
    ]
    assert clock.moment(3, 5000, turns=2) is not None and clock.moment(3, 5000, turns=3) is None


@given(shoes, st.integers(0, 5 * DAY * 1000), st.integers(1, 6 * DAY * 1000), st.data())
def test_a_record_after_the_last_reading_of_its_start_and_before_a_restart_has_its_time(
    shoe: DriftingShoe, read: int, ran_on: int, data: st.DataObject
) -> None:
    clock = ClockMap()
    clock.add(shoe.read(7, shoe.began + read, 1000, 1000))
    again = DriftingShoe(shoe.began + read + ran_on, 0, [(1, 0)])
    later = again.read(8, again.began + data.draw(st.integers(0, 60_000_000)), 1000, 1000)
    clock.add(later)
    true_us = shoe.began + data.draw(st.integers(0, read + ran_on))
    found = clock.moment(7, shoe.ticks(true_us), later)
    assert found is None or covers(found, true_us)
    if ran_on < 9 * DAY * 1000:
        assert found is not None


def test_a_start_without_a_reading_has_no_time_of_day() -> None:
    clock = ClockMap()
    assert clock.moment(3, 100) is None
    clock.add(ClockPoint(3, 100, EVENING, 5))
    assert clock.moment(4, 100) is None and clock.moment(2, 100) is None


def test_two_readings_narrow_what_lies_between_them() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, EVENING, 5))
    alone = clock.moment(3, 9 * HOUR)
    clock.add(ClockPoint(3, 10 * HOUR, EVENING + 10 * HOUR, 5))
    both = clock.moment(3, 9 * HOUR)
    assert alone is not None and both is not None
    assert alone.uncertainty_ms > 3000 and both.uncertainty_ms < 400
    assert alone.low_ms <= both.low_ms <= both.middle_ms <= both.high_ms <= alone.high_ms


def test_ticks_that_begin_anew_are_counted_on() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 100, EVENING, 5))
    found = clock.moment(3, TICKS_PERIOD - 100)
    assert found is not None and found.middle_ms == EVENING - 200
    later = clock.moment(3, 100 + HOUR)
    assert later is not None and later.middle_ms == EVENING + HOUR


def test_a_clock_that_was_set_is_told_and_both_times_are_allowed_for() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, EVENING, 5))
    clock.add(ClockPoint(3, HOUR, EVENING + HOUR + 60_000, 5))
    (note,) = clock.notes()
    assert "contradict each other by 59." in note and "allow for both" in note
    found = clock.moment(3, HOUR // 2)
    assert found is not None
    assert found.low_ms <= EVENING + HOUR // 2 and found.high_ms >= EVENING + HOUR // 2 + 60_000
    assert found.uncertainty_ms >= 30_000


def test_a_clock_that_was_set_by_hours_gives_no_time() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, EVENING, 5))
    clock.add(ClockPoint(3, HOUR, EVENING + 5 * HOUR, 5))
    assert clock.moment(3, HOUR // 2) is None
    (note,) = clock.notes()
    assert "not known" in note


def test_what_a_simulation_lost_before_its_first_reading_no_interval_covers_and_the_note_says_so() -> None:
    """It lost 10 s before the first reading and 10 s between both: only the second loss shows."""
    clock = ClockMap()
    for at, lost in ((HOUR, 10_000), (2 * HOUR, 20_000)):
        clock.add(ClockPoint(3, at - lost, EVENING + at, 5))
    between = clock.moment(3, HOUR + HOUR // 2 - 15_000)
    assert between is not None and between.low_ms <= EVENING + HOUR + HOUR // 2 <= between.high_ms
    first = clock.moment(3, 0)
    assert first is not None and first.low_ms > EVENING
    (note,) = clock.notes(simulated=True)
    assert "allow for both. " in note and note.endswith("what it lost before the first reading is not known")
    assert "simulation" not in clock.notes()[0]


def test_a_simulation_that_lost_hours_has_no_times_and_nothing_is_said_of_them() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, EVENING, 5))
    clock.add(ClockPoint(3, HOUR, EVENING + 6 * HOUR, 5))
    (note,) = clock.notes(simulated=True)
    assert "its times of day are not known. A virtual shoe" in note and note.endswith("fall behind")


def test_a_later_start_that_was_read_earlier_makes_both_unknown() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, EVENING, 5))
    clock.add(ClockPoint(4, 0, EVENING - HOUR, 5))
    clock.add(ClockPoint(5, 0, EVENING + HOUR, 5))
    assert clock.moment(3, 0) is None and clock.moment(4, 0) is None
    assert clock.moment(5, 0) is not None
    assert len(clock.notes()) == 2


@pytest.mark.parametrize("wall", [0, -(1 << 63), (1 << 63) - 1, 1_000_000])
def test_a_computer_whose_clock_was_not_set_gives_no_reading(wall: int) -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, wall, 5))
    assert clock.moment(3, 0) is None
    assert "was not set" in clock.notes()[0]


def test_an_uncertain_reading_tells_nothing() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, EVENING, 0xFFFFFFFF))
    assert clock.moment(3, 0) is None


points = st.builds(
    ClockPoint,
    st.integers(0, 3) | st.integers(0, 0xFFFF),
    st.integers(0, TICKS_PERIOD - 1) | st.integers(0, 0xFFFFFFFF),
    st.integers(EVENING - DAY, EVENING + 30 * DAY) | st.integers(-(1 << 63), (1 << 63) - 1),
    st.integers(0, 10_000) | st.integers(0, 0xFFFFFFFF),
)


@given(st.lists(points, max_size=12), st.integers(0, 0xFFFFFFFF), st.data())
def test_whatever_readings_a_file_holds_the_answer_is_an_interval_of_two_hours_or_none(
    readings: list[ClockPoint], ticks: int, data: st.DataObject
) -> None:
    clock = ClockMap()
    for point in readings:
        clock.add(point)
    for boot in {point.boot for point in readings}:
        fetched = data.draw(st.sampled_from([None, *readings]))
        found = clock.moment(boot, ticks, fetched)
        assert found is None or 0 <= found.high_ms - found.low_ms <= 2 * WIDEST_MS
    assert all("\n" not in note for note in clock.notes())


def test_readings_of_two_starts_that_allow_for_each_other_are_no_contradiction() -> None:
    clock = ClockMap()
    clock.add(ClockPoint(3, 0, EVENING, 5000))
    clock.add(ClockPoint(4, 0, EVENING - 6000, 5000))
    assert clock.moment(3, 0) is not None and clock.moment(4, 0) is not None


def test_a_start_that_ran_on_for_days_after_its_last_reading_keeps_the_times_of_those_days() -> None:
    clock = ClockMap()
    later = ClockPoint(8, 5000, EVENING + 4 * DAY, 5)
    clock.add(ClockPoint(7, DAY, EVENING, 5))
    clock.add(later)
    found = clock.moment(7, 4 * DAY, later)
    assert found is not None and found.middle_ms == EVENING + 3 * DAY
