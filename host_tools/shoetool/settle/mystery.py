"""A mystery bonus from round to round: who wins it, what it pays, and whether its hidden value was kept to.

The hidden value was committed before the first contribution that it governs (`trust.hidden_value`), and is opened when
it is hit. Then anybody can check that the opening fits the commitment and the printed range, and that the meter passed
the value at exactly that contribution: 633c.14(c)(3). A commitment that is not opened cannot be checked yet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from shoetool.model.money import dollars
from shoetool.rules.wagers.mystery import MAXIMUM, MYSTERIES, ORDER, PASSED, Configuration
from shoetool.rules.wagers.view import Choices
from shoetool.settle.crossing import Contribution, Contributions, Round, Way, passes, surely_passes, ways
from shoetool.settle.meter_ledger import Break, MeterLedger
from shoetool.trust.hidden_value import Opening

__all__ = ["Contribution", "Hit", "MysteryLedger", "Objection", "in_order"]

Wrong = Literal["uncommitted", "reused", "opening", "range", "not_passed", "ran_on", "unopened"]
"""What is wrong: no commitment before a contribution; one whose value was opened before; an opening of something else;
a value outside the printed range; one that no contribution passed; one that was passed before; none opened though the
meter passed the maximum."""

BY_ORDER: Final = (
    "the order in which the system accepted the wagers decides it, and the record does not have it; "
    'write a "bet_placed" event for each of them, in that order'
)
BY_PART: Final = (
    "a part of a cent that the meter does not show decides it; verify, which follows the meter from round to round, "
    "may know it"
)
BY_METER: Final = 'the record does not tell what its meter showed; write it into "meters"'
_MOST_KEPT: Final = 256
_MOST_WAITING: Final = 1000
"""Commitments that wait to be opened; with more of them it is not known any more which one governs."""


class Hit(NamedTuple):
    """A bonus that was won. Cents of each winner; `missing` says what must be known, "" where all is.

    `winners` is empty where it is not known who won, `paid` is None where it is not known what.
    """

    winners: tuple[int, ...]
    paid: int | None
    missing: str = ""


class _Committed(NamedTuple):
    """A commitment of 32 bytes, and the number of the round in which it was recorded."""

    digest: bytes
    number: int


class Objection(NamedTuple):
    """One thing that is wrong, in words, with its clause. `sure`: it is; else the evidence for it is missing."""

    wrong: Wrong
    sentence: str
    clause: str
    sure: bool


def in_order(contributions: Iterable[Contribution], rules: Choices) -> Contributions:
    """The contributions of a round as the house counts them, 633c.14(c)(2) (T94): as accepted, or by position."""
    found = tuple(one for one in contributions if one.cents)
    return tuple(sorted(found)) if ORDER.of(rules) == "position" else found


class MysteryLedger:
    """The meter of one mystery bonus over all rounds of a table.

    Memory is bounded: a cycle ends at the maximum, and so many commitments may wait.
    """

    def __init__(self, configuration: Configuration, rules: Choices, stands: Fraction | None = None) -> None:
        """`stands`: exact cents on the meter, None when they are not known before its first display."""
        self.configuration = configuration
        self.meter = MeterLedger(stands)
        self._mystery = MYSTERIES[configuration.bonus]
        self._reached = PASSED.of(rules) == "at_or_above"
        self._capped = MAXIMUM.of(rules) == "capped"
        self._shared = ORDER.of(rules) == "shared"
        self._rules = rules
        self._waiting: dict[bytes, _Committed] = {}
        self._governs: _Committed | None = None
        self._opened: deque[bytes] = deque(maxlen=_MOST_KEPT)
        self.checked = 0
        """How many openings were held against their commitment, and fit it."""
        self._lost: deque[_Committed] = deque(maxlen=_MOST_WAITING)
        """Commitments that were opened in rounds that are not known, if they were at all."""
        self._gap = False
        """Rounds in between are not known, and with them which commitment governs."""
        self._bare = False
        self._past = False
        """The meter passed the maximum, which was named."""
        self._fresh = False
        """The meter was set back, and nothing was contributed since."""
        self._cycle: list[tuple[str, tuple[int, ...], Fraction]] = []
        """Each contribution of this cycle: its round, who made it, and the least that the meter then stood at."""

    def commit(self, commitment: bytes, number: int = 0) -> list[Objection]:
        """Take a commitment that was recorded before the next contribution, in the round of this number.

        Each one governs one cycle, in turn. One that is still waiting may be named again. One that was opened hides
        nothing any more.
        """
        wrong: list[Objection] = []
        if commitment in self._opened:
            self._object(wrong, "reused", f"the commitment {_short(commitment)} was opened before: its value is known")
        elif len(self._waiting) >= _MOST_WAITING:
            self._gap = True
        elif self._governs is None or commitment != self._governs.digest:
            self._waiting.setdefault(commitment, _Committed(commitment, number))
        return wrong

    def show(self, cents: int) -> Break | None:
        """Take what the meter shows before a round: see `MeterLedger.show`.

        Where it fell, a win may be missing in the record, and with it an opening.
        """
        found = self.meter.show(cents)
        if found is not None and cents < found.least:
            self._lose_track()
        if cents == self.configuration.minimum:
            self._fresh = True
        return found

    def forget(self) -> None:
        """What came next is not known: rounds without a line, or with lines that contradict each other."""
        self.meter.forget()
        self._lose_track()

    def _lose_track(self) -> None:
        """Which commitment governs is not known any more."""
        self._cycle.clear()
        self._fresh, self._gap, self._past = False, True, False

    @property
    def unopened(self) -> list[int]:
        """The rounds of the commitments that are not opened: nobody can check those, and they are never verified."""
        return [one.number for one in (*self._lost, *self._known())]

    def _known(self) -> list[_Committed]:
        """The commitments that may still be opened, in turn."""
        return [*((self._governs,) if self._governs is not None else ()), *self._waiting.values()]

    def _next(self) -> None:
        """The next commitment governs, if none does and one waits."""
        if self._governs is None and self._waiting:
            self._governs = self._waiting.pop(next(iter(self._waiting)))

    @property
    def unchecked(self) -> int:
        """How many commitments are not opened."""
        return len(self.unopened)

    def play(
        self,
        where: str,
        contributions: Iterable[Contribution],
        openings: Sequence[Opening] = (),
        ordered: bool = True,
    ) -> tuple[list[Hit], list[Objection]]:
        """Take the contributions of a round and what was opened in it. `where` names the round in messages.

        ordered: whether the contributions came in this order. Returns who won what, and what is wrong. A value that
        cannot have been hit pays nothing.
        """
        hits: list[Hit] = []
        wrong: list[Objection] = []
        rest = Round(in_order(contributions, self._rules), ordered, self._shared)
        everybody = _positions(rest.made)
        self._begin(rest, wrong)
        if len(openings) > 1 and not ordered:
            return self._several(openings, wrong), wrong
        for opening in self._not_passed_before(openings, wrong):
            found = self._ways(rest, opening.value)
            self._fresh = True
            if found is not None and not found:
                text = f"no contribution of this round passed {_money(opening.value)}{self._now(rest)}"
                self._object(wrong, "not_passed", text)
                self._open(opening, wrong)
                self.meter.forget()
                continue
            self._open(opening, wrong)
            hits.append(self._hit(rest, opening.value, found))
            rest = rest._replace(made=found[0].after if found else ())
            self._begin(rest, wrong)
        self._run_on(where, rest, everybody if not ordered or any(hit.missing for hit in hits) else ())
        self._past_maximum(wrong)
        return hits, wrong

    def _begin(self, rest: Round, wrong: list[Objection]) -> None:
        """Let the next commitment govern what is contributed, if none does; name it once when there is none."""
        if not rest.made:
            return
        self._next()
        if self._governs is None and not self._bare:
            self._bare = True
            if not self._gap:
                text = f"position {rest.made[0].position} contributed before a hidden value was committed"
                self._object(wrong, "uncommitted", text, sure=False)

    def _not_passed_before(self, openings: Sequence[Opening], wrong: list[Objection]) -> list[Opening]:
        """The openings without a first one that an earlier contribution passed already."""
        if not openings or not self._cycle:
            return list(openings)
        first = openings[0]
        for round_, positions, least in self._cycle:
            if passes(least, first.value, self._reached):
                text = f"{_money(first.value)} was opened in this round; {_who(positions)} passed it in {round_}"
                self._object(wrong, "ran_on", f"{text}, and contributions ran on after it")
                self._open(first, wrong)
                self.meter.forget()
                return list(openings[1:])
        return list(openings)

    def _ways(self, rest: Round, value: int) -> list[Way] | None:
        """How the value may have been passed; None when nothing is known of the meter and somebody contributed."""
        span = self.meter.span
        if span is None:
            return None if rest.made else []
        return ways(span, rest, value, self._reached, self._fresh)

    def _open(self, opening: Opening, wrong: list[Objection]) -> None:
        """Check an opening against its commitment and the printed range. The cycle is over."""
        self._next()
        if self._gap:
            self._open_after_gap(opening, wrong)
        elif self._governs is not None:
            digest = self._governs.digest
            if not opening.opens(digest):
                text = f"{_money(opening.value)} with this nonce does not open the commitment {_short(digest)}"
                self._object(wrong, "opening", text)
            else:
                self.checked += 1
            self._opened.append(digest)
            self._governs = None
        if not self.configuration.in_range(opening.value):
            least, most = _money(self.configuration.minimum), _money(self.configuration.maximum)
            self._object(wrong, "range", f"{_money(opening.value)} does not lie between {least} and {most}")
        self._bare = self._past = False
        self._cycle.clear()

    def _open_after_gap(self, opening: Opening, wrong: list[Objection]) -> None:
        """Rounds are missing: the opening may be for any commitment, also for one of those rounds."""
        known, digest = self._known(), opening.commitment()
        at = next((at for at, one in enumerate(known) if one.digest == digest), None)
        if at is None:
            if known:
                text = f"{_money(opening.value)} opens none of the commitments in the record; rounds are missing in it"
                self._object(wrong, "opening", text, sure=False)
            return
        self._lost += known[:at]
        self.checked += 1
        self._opened.append(digest)
        self._governs, self._waiting, self._gap = None, {one.digest: one for one in known[at + 1 :]}, False

    def _several(self, openings: Sequence[Opening], wrong: list[Objection]) -> list[Hit]:
        """Several values were opened in a round whose order is not known: who won which of them is not either."""
        for opening in openings:
            self._open(opening, wrong)
        self.meter.forget()
        return [Hit((), None, BY_ORDER) for _ in openings]

    def _hit(self, rest: Round, value: int, found: list[Way] | None) -> Hit:
        """Pay all of the meter, 633c.14(c)(7), in whole cents, and set it back to the minimum, 633c.14(c)(5)(iv)."""
        if found is None:
            only = rest.made[0].position if len(rest.made) == 1 else None
            return Hit(() if only is None else (only,), None, BY_METER)
        span = self.meter.span
        assert span is not None, "there are ways to pass it"
        sure = surely_passes(span, rest, value, self._reached)
        who = {way.winners for way in found}
        amounts = {amount for way in found for amount in (self._paid(way.least, way), self._paid(way.most, way))}
        winners = next(iter(who)) if len(who) == 1 and sure else ()
        paid = next(iter(amounts)) if len(amounts) == 1 and sure else None
        if paid is None:
            self.meter.forget()
            if len(found) == 1 and len(winners) == 1 and not self._capped:
                self.meter.show(self.configuration.minimum)
        else:
            used = rest.cents - sum((one.cents for one in found[0].after), Fraction(0))
            self.meter.change(used + self.configuration.minimum - paid * len(found[0].winners))
        if winners and paid is not None:
            return Hit(winners, paid)
        spans = {(way.winners, way.least, way.most) for way in found}
        return Hit(winners, paid, BY_ORDER if len(spans) > 1 and not rest.ordered else BY_PART)

    def _paid(self, shown: int, way: Way) -> int:
        """Cents of each winner of a meter that shows so many."""
        shown = min(shown, self.configuration.maximum) if self._capped else shown
        return shown // len(way.winners)

    def _run_on(self, where: str, rest: Round, among: tuple[int, ...]) -> None:
        """Take contributions that passed nothing that was opened. `among`: whose they may be, () where it is known."""
        apart = rest.ordered and not rest.shared and not among
        steps = [(one,) for one in rest.made] if apart else [rest.made] if rest.made else []
        for step in steps:
            self._fresh = False
            self.meter.change(sum((one.cents for one in step), Fraction(0)))
            span = self.meter.span
            if span is not None and not self._past:  # past the maximum every value was passed by then
                self._cycle.append((where, among or _positions(step), span.least))

    def _past_maximum(self, wrong: list[Objection]) -> None:
        """Name a meter that stands past the maximum and was not won: every hidden value was passed."""
        span = self.meter.span
        maximum = self.configuration.maximum
        past = bool(self._cycle) and span is not None and passes(span.least, maximum, self._reached)
        if past and not self._past:
            text = f"the meter passed the maximum of {_money(maximum)}, and no hidden value was opened"
            self._object(wrong, "unopened", text)
        self._past = past

    def _now(self, rest: Round) -> str:
        span = self.meter.span
        return "" if span is None else f"; the meter stands at {_money(span.raised(rest.cents).shown[0])}"

    def _object(self, wrong: list[Objection], kind: Wrong, sentence: str, sure: bool = True) -> None:
        wrong.append(Objection(kind, f"{self._mystery.title}: {sentence}.", self._mystery.hidden, sure))


def _money(cents: int) -> str:
    return f"${dollars(cents)}"


def _short(commitment: bytes) -> str:
    return f"{commitment.hex()[:16]}..."


def _positions(made: Contributions) -> tuple[int, ...]:
    return tuple(sorted({one.position for one in made}))


def _who(positions: tuple[int, ...]) -> str:
    if len(positions) == 1:
        return f"position {positions[0]}"
    return f"positions {', '.join(map(str, positions[:-1]))} and {positions[-1]}"
