"""Device ticks to time of day: a pure function of the readings of both clocks in a history.

A shoe knows its starts (boots) and ticks. The host knows the time of day. A reading holds both at the same moment. It
gives the time of every tick of the same start, with less certainty for ticks farther away: a crystal may be wrong by
`DRIFT_PPM`. Several readings narrow the result. The result is an interval that holds the true time, or None: never a
guess. That is the time of the computer's clock. When it was set by so little that readings and drift allow it, nothing
shows that, and the true time may lie outside by as much.

A reading lies in the journal, where the shoe chains and signs it with the rest, or beside the pages, where the computer
that fetched them put it (`Basis`). The strongest readings of a start that give a time give it alone.

Ticks wrap after 12.4 days. Since protocol 1.2 the device tells how often they wrapped (`turns`), with each reading and
for each page of records. For an older device, a record is assumed to be less than 11.4 days old when it was fetched,
and the time is marked as `assumed`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from shoetool.history.chunks import ClockPoint
from shoetool.history.readings import Basis, RecordedReading
from shoetool.history.start_clock import TICKS_PERIOD, Moment, StartClock

FETCH_MS: Final = 86_400_000
"""A record written during the fetch of its history is at most this much younger than the reading of that fetch."""
CLOCKS_APART_MS: Final = 2_000
"""Clocks of two computers that differ by this much beyond what is uncertain do not contradict each other."""
MOST_READINGS: Final = 10_000
"""The most readings in one file. A shoe is fetched only a few times."""
ASSUMED: Final = (
    "the shoe did not report how long it had run (its firmware, or the shoetool that fetched it, is older than "
    "protocol 1.2): times of day hold for records that were fetched within 11.4 days; for older ones they are not known"
)
"""Stands with times that depend on that assumption."""

_SIMULATED: Final = "A virtual shoe has the time of its simulation, which may fall behind"
_LOST_BEFORE: Final = "what it lost before the first reading is not known"
_FIRST_MS: Final = 946_684_800_000  # 2000-01-01
_LAST_MS: Final = 4_102_444_800_000  # 2100-01-01


class Contradiction(NamedTuple):
    """A reading that lies outside of what stronger ones of its start allow, by `apart_ms`. Of a start the worst one.

    `records`: those of the stronger readings, and of the weaker one where it has one.
    """

    boot: int
    apart_ms: int
    weaker: Basis
    stronger: Basis
    records: tuple[int, ...]


class ClockMap:
    """The readings of a history. `add` all of them, in the order of the file, before the first `moment`."""

    def __init__(self) -> None:
        self._fetched: dict[int, StartClock] = {}
        self._places: dict[ClockPoint, int] = {}
        self._recorded: dict[int, RecordedReading] = {}
        self._covers: Callable[[int], bool] = _covers_nothing
        self.vouched = False
        """Whether `vouch` was called."""
        self._by_basis: dict[Basis, dict[int, StartClock]] | None = None
        self._refused: dict[Basis, set[int]] | None = None
        self._left_out: dict[str, None] = {}
        self.readings = 0

    def add(self, point: ClockPoint) -> None:
        """Add one reading of the computer that fetched the history. The same one again changes nothing; an impossible
        one gives a note."""
        if point in self._places or not self._possible(point):
            return
        start = self._fetched.setdefault(point.boot, StartClock())
        if not start.add(point):
            self._left_out["the shoe's clock went back"] = None
            return
        self._places[point] = len(start.points) - 1
        self.readings += 1
        self._refused = None

    def add_recorded(self, reading: RecordedReading) -> None:
        """Add one reading that the shoe recorded. The same record again changes nothing."""
        if reading.record in self._recorded or not self._possible(reading.point):
            return
        self._recorded[reading.record] = reading
        self.readings += 1
        self._by_basis = self._refused = None

    def _possible(self, point: ClockPoint) -> bool:
        why = ""
        if not _FIRST_MS <= point.wall_ms < _LAST_MS:
            why = "the computer's clock was not set"
        elif point.ticks_ms >= TICKS_PERIOD:
            why = "no shoe counts so many ticks"
        elif self.readings >= MOST_READINGS:
            why = f"there are more than {MOST_READINGS}"
        if why:
            self._left_out[why] = None
        return not why

    def vouch(self, covers: Callable[[int], bool]) -> None:
        """Take in which records a valid signature covers: `covers(number)`. Before that none is."""
        self._covers = covers
        self.vouched = True
        self._by_basis = self._refused = None

    @property
    def has_recorded(self) -> bool:
        """Whether the shoe recorded a reading."""
        return bool(self._recorded)

    def _starts(self) -> dict[Basis, dict[int, StartClock]]:
        """Return the readings by what they are worth, and by their start of the device."""
        if self._by_basis is None:
            self._by_basis = {basis: {} for basis in Basis} | {Basis.FETCHED: self._fetched}
            for record, reading in sorted(self._recorded.items()):
                start = self._by_basis[self._basis_of(reading)].setdefault(reading.point.boot, StartClock())
                if not start.add(reading.point):
                    self._left_out["the shoe's clock went back"] = None
                    continue
                start.records.append(record)
        return self._by_basis

    def _basis_of(self, reading: RecordedReading) -> Basis:
        if not self._covers(reading.record):
            return Basis.RECORDED
        return Basis.SIGNED_WITH_KEY if reading.authenticated else Basis.SIGNED

    def bases(self) -> dict[int, Basis]:
        """Return what times of day rest on, for each start of the device with readings that give one."""
        found: dict[int, Basis] = {}
        undecided: set[int] = set()
        for basis, starts in self._starts().items():
            for boot, start in starts.items():
                if boot in found or boot in undecided or boot in self._contradicted()[basis]:
                    continue
                if start.moment(start.elapsed[-1]) is not None:
                    found[boot] = basis
                elif start.apart_ms:
                    undecided.add(boot)
        return found

    def was_read(self, boot: int) -> bool:
        """Whether there is a reading of this start."""
        return any(boot in starts for starts in self._starts().values())

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
        if self._recorded and turns is not None:
            for basis, starts in self._starts().items():
                start = starts.get(boot)
                if basis == Basis.FETCHED or start is None or boot in self._contradicted()[basis]:
                    continue
                if (found := start.moment(ticks_ms + turns * TICKS_PERIOD)) is not None:
                    return found._replace(basis=basis)
                if start.apart_ms:  # they contradict each other: then no weaker one decides
                    return None
        return self._when_fetched(boot, ticks_ms, fetched, turns, recent)

    def _when_fetched(
        self, boot: int, ticks_ms: int, fetched: ClockPoint | None, turns: int | None, recent: bool
    ) -> Moment | None:
        """Return the moment by the readings of the computers that fetched the history."""
        start = self._fetched.get(boot)
        if start is None or boot in self._contradicted()[Basis.FETCHED]:
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

    def _contradicted(self) -> dict[Basis, set[int]]:
        """Return starts with readings later than those of a later start: the host's clock was set between them.

        Where one of two such starts has stronger readings, those of the other one do not count.
        """
        if self._refused is None:
            self._refused = {}
            accepted: dict[int, StartClock] = {}
            for basis, starts in self._starts().items():
                refused = _out_of_order(starts | accepted) - accepted.keys()
                self._refused[basis] = refused
                accepted = {boot: one for boot, one in (starts | accepted).items() if boot not in refused}
        return self._refused

    def contradictions(self) -> list[Contradiction]:
        """Return for each start the weaker reading that is farthest from what its strongest readings allow, if any is.

        Clocks of two computers are never quite alike: `CLOCKS_APART_MS` between them is none.
        """
        worst: dict[int, Contradiction] = {}
        strongest: dict[int, tuple[Basis, StartClock]] = {}
        for basis, starts in self._starts().items():
            for boot, start in starts.items():
                if boot not in strongest:
                    strongest[boot] = basis, start
                    continue
                stronger, best = strongest[boot]
                for index, point in enumerate(start.points):
                    apart = best.apart_from(point)
                    if apart > max(CLOCKS_APART_MS, worst[boot].apart_ms if boot in worst else 0):
                        own = start.records[index : index + 1]
                        worst[boot] = Contradiction(boot, apart, basis, stronger, (*best.records[:1], *own))
        return [one for _, one in sorted(worst.items())]

    def notes(self, simulated: bool = False) -> list[str]:
        """Return one line for each start whose readings do not agree, and one for each reason to leave readings out.

        `simulated`: the history names the virtual board. Its clock need not keep pace with the computer's. The interval
        covers what it lost between two readings, never what it lost before the first one.
        """
        refused = self._contradicted()
        out = [f"readings of the computer's clock were left out: {why}" for why in self._left_out]
        rows = [(boot, basis, start) for basis, starts in self._starts().items() for boot, start in starts.items()]
        stronger: set[int] = set()
        for boot, basis, start in sorted(rows, key=lambda row: row[:2]):
            which = "clock readings" if basis == Basis.FETCHED else "clock readings in the journal"
            if boot in refused[basis]:
                out.append(
                    f"{which} of the shoe's start {boot} contradict those of another start, as when the "
                    "computer's clock was set back between them: its times of day are not known"
                )
                continue
            weaker = boot in stronger
            stronger.add(boot)
            told = start.moment(start.elapsed[-1]) is not None
            if not start.apart_ms or (weaker and simulated):  # one line says that a simulation lost time
                continue
            note = (
                f"{which} of the shoe's start {boot} contradict each other by "
                f"{start.apart_ms / 1000:.1f} s, as when the computer's clock was set between them: "
            )
            if weaker:
                note += "times of day do not rest on them"
            else:
                note += "times of day allow for both" if told else "its times of day are not known"
            if simulated:
                note += f". {_SIMULATED}" + (f": {_LOST_BEFORE}" if told else "")
            out.append(note)
        return out


def _covers_nothing(record: int) -> bool:
    """No signature was looked at."""
    return False


def _out_of_order(starts: dict[int, StartClock]) -> set[int]:
    """Return the starts with a reading later than one of a later start, and those later ones."""
    found: set[int] = set()
    for sign in (1, -1):
        reached: int | None = None
        for boot in sorted(starts, reverse=sign < 0):
            walls = [(sign * point.wall_ms, point.uncertainty_ms) for point in starts[boot].points]
            if reached is not None and min(wall + about for wall, about in walls) < reached:
                found.add(boot)
            most = max(wall - about for wall, about in walls)
            reached = most if reached is None else max(reached, most)
    return found
