"""Gather what is known about rounds: from their histories, from `verify`, and from their lines of a table record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from shoetool.case.about import About, sentence
from shoetool.case.facts import Case, Event, Found, Night, Source
from shoetool.case.settled import Dealt, Settled, settle_at
from shoetool.history.start_clock import Moment
from shoetool.history.store import ShoelogReader
from shoetool.model.errors import BadInput
from shoetool.model.input_file import digest_of
from shoetool.model.naming import numbers_there
from shoetool.model.protocol_table import RecordKind
from shoetool.model.times import Zone
from shoetool.report.rounds import RoundBlock, blocks
from shoetool.report.time_of_day import TimesOfDay, round_moments
from shoetool.round_file.file import BadLine, Entry
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.actions import DRAWN
from shoetool.table.card import DrawnCard
from shoetool.table.replay import shoe_json
from shoetool.table.round import Round
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify
from shoetool.verify.table_record import TableFile, TableJudge
from shoetool.verify.timed_reader import TimedReader

MOST_NAMED: Final = 12
"""So many rounds are named when one was asked for and several fit."""
_NO_RECORD: Final = "No table record was given: wagers, decisions on money and payments are not known."


class Wanted(Protocol):
    """The rounds that are asked for."""

    def holds(self, began: Moment | None, ended: Moment | None, number: int) -> bool:
        """Whether this one is asked for."""

    def missing(self, where: str = "", there: str = "") -> str:
        """Why there was none, as in `holds no round 12 in shoe 3; it has rounds 1 to 9`: where, and what is there."""


class Room(Protocol):
    """How many cases are kept."""

    def takes(self, found: bool) -> bool:
        """Whether the next case is kept. found: it has a finding."""


Reading = Callable[[Path], AbstractContextManager[TimedReader]]
"""Opens a history. BadInput when it is none."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A table record on disk. rules: finds the rules submission of an entry; `where` names it in messages.

    given: the rules do not come from the record.
    """

    path: Path
    rules: Callable[[Entry, str], RulesSubmission]
    given: bool = False

    def at(self, entry: Entry) -> str:
        """Where it stands, for messages."""
        return f"{self.path}: line {entry.line}"


Dealing = tuple[Dealt, tuple[Event, ...], dict[str, object]]
"""A round, its records, and what its shoe was opened with."""


@dataclass(frozen=True, slots=True)
class _Timed:
    """A round, with when it began and ended."""

    block: RoundBlock
    began: Moment | None
    ended: Moment | None

    def holds(self, wanted: Wanted) -> bool:
        """Whether it is asked for."""
        return wanted.holds(self.began, self.ended, self.block.number)


Lines = dict[int, list[Entry]]
"""The lines of the table record that belong to a round, by the record that opened it."""


def gather(
    history: Path,
    wanted: Wanted,
    record: TableRecord | None = None,
    trust: Trust | None = None,
    zone: Zone | None = None,
    reading: Reading = TimedReader,
    shoe: int | None = None,
) -> Case:
    """Return the case of the one round that is wanted. A line of the table record must name its round, and its shoe
    where another line has that round too. shoe: look only in the shoe of this number.

    BadInput when the file is no history, when it holds no such round or several, or for a table record that cannot be
    read.
    """
    zone = zone or Zone()
    extra = () if record is None else (_source(record.path),)
    with reading(history) as reader:
        reader.pins = None if trust is None else trust.pins
        times = TimesOfDay(reader.moment, zone, reader.clock)
        rounds_there: set[tuple[int | None, int]] = set()  # shoe and number, up to the last that is wanted
        rounds = (
            _dealing(one, reader, times)
            for one in _noted(_timed(reader, times), reader, rounds_there)
            if shoe in (None, reader.chain.shoe) and one.holds(wanted)
        )
        dealings = list(islice(rounds, MOST_NAMED + 1))
        notes = tuple(times.notes())
        sources = (Source(str(history), reader.digest()), *extra)
        shoes_there = {fact.shoe for fact in reader.chain.facts}
    if not dealings:
        raise BadInput(f"{history}: {_missing_round(wanted, shoe, rounds_there, shoes_there)}")
    if len(dealings) > 1:
        named = [
            one.round.number if one.shoe is None else f"{one.round.number} of shoe {one.shoe}" for one, _, _ in dealings
        ]
        many_ = len(dealings) > MOST_NAMED
        told = ", ".join(map(str, named[:MOST_NAMED])) + (", ..." if many_ else "")
        count = f"more than {MOST_NAMED}" if many_ else len(dealings)
        raise BadInput(f"{history}: these are {count} rounds ({told}); name one with --round, --at or --shoe")
    ((_, report, _),) = _verified([history], record, trust, False, reading)
    lines = {} if record is None else _by_number(record, [dealt for dealt, _, _ in dealings])
    return _case(dealings[0], About(report), record, lines, sources, notes, zone)


def gather_nights(
    histories: Sequence[Path],
    wanted: Wanted,
    record: TableRecord | None = None,
    trust: Trust | None = None,
    zone: Zone | None = None,
    *,
    room: Room | None = None,
    each: Callable[[Case], None] | None = None,
    reading: Reading = TimedReader,
) -> list[Night]:
    """Return each history with the cases of its wanted rounds. The table record is that of these histories alone, in
    their order: a line that belongs to none of their rounds is a finding.

    room: keeps only the cases for which it has room; None: all of them. each: is given every case, kept or not, before
    what is known of the history's clock. reading: opens a history. BadInput: see `gather`.
    """
    zone = zone or Zone()
    extra = () if record is None else (_source(record.path),)
    nights = []
    for path, report, lines in _verified(histories, record, trust, True, reading):
        about = About(report)
        cases: list[Case] = []
        found: list[Found] = []
        count = 0
        with reading(path) as reader:
            report.vouch(reader)
            source = Source(str(path), reader.digest())
            times = TimesOfDay(reader.moment, zone, reader.clock)
            for one in _timed(reader, times):
                findings = about.findings(one.block.round)
                found += (Found(finding, one.began, one.ended) for finding in findings)
                if not one.holds(wanted):
                    continue
                count += 1
                kept = room is None or room.takes(bool(findings))
                if not kept and each is None:
                    continue
                case = _case(_dealing(one, reader, times), about, record, lines, (source, *extra), (), zone)
                if each is not None:
                    each(case)
                if kept:
                    cases.append(case)
            notes = tuple(map(sentence, times.notes()))
        told = tuple(replace(case, missing=tuple(dict.fromkeys((*notes, *case.missing)))) for case in cases)
        nights.append(Night(source, extra, report, told, notes, zone, count, tuple(found)))
    return nights


def _source(path: Path) -> Source:
    return Source(str(path), digest_of(path, "a table record"))


def _verified(
    histories: Sequence[Path], record: TableRecord | None, trust: Trust | None, session: bool, reading: Reading
) -> Iterator[tuple[Path, Report, Lines]]:
    """What `verify` says of each history, one after the other with one table record, and the lines that it matched."""
    if record is None:
        for path in histories:
            with reading(path) as reader:
                yield path, verify(reader, None, trust), {}
        return
    rules = record.rules
    with TableFile(record.path, record.given) as file:
        judge = TableJudge(file.lines, lambda entry: rules(entry, record.at(entry)), False)
        for path in histories:
            lines: Lines = {}
            judge.on_lines = partial(_keep, lines)
            judge.last = session and path is histories[-1]
            with reading(path) as reader:
                yield path, verify(reader, judge, trust), lines


def _keep(lines: Lines, round_: Round, entries: list[Entry]) -> None:
    lines.setdefault(round_.record, []).extend(entries)


def _by_number(record: TableRecord, wanted: Sequence[Dealt]) -> Lines:
    """The lines of these rounds by the numbers of round and shoe alone."""
    found: Lines = defaultdict(list)
    with TableFile(record.path, record.given) as file:
        for one in file.entries():
            entry = one.entry if isinstance(one, BadLine) else one
            if entry is None:
                continue
            for dealt in wanted:
                if entry.round == dealt.round.number and entry.shoe in (None, dealt.shoe):
                    found[dealt.round.record].append(entry)
    return found


def _timed(reader: ShoelogReader, times: TimesOfDay) -> Iterator[_Timed]:
    for block in blocks(reader.records()):
        if isinstance(block, RoundBlock):
            yield _Timed(block, *round_moments(block.round, times.of))


def _noted(rounds: Iterable[_Timed], reader: ShoelogReader, there: set[tuple[int | None, int]]) -> Iterator[_Timed]:
    for one in rounds:
        there.add((reader.chain.shoe, one.block.number))
        yield one


def _missing_round(wanted: Wanted, shoe: int | None, rounds: set[tuple[int | None, int]], shoes: set[int]) -> str:
    """Why there is no round that is wanted, after all were read. A shoe of `shoes` may have none of the `rounds`."""
    if shoe is None:
        return wanted.missing("", numbers_there("round", (number for _, number in rounds)))
    if shoe not in shoes:
        return wanted.missing(f" in shoe {shoe}", numbers_there("shoe", shoes))
    return wanted.missing(f" in shoe {shoe}", numbers_there("round", (number for of, number in rounds if of == shoe)))


def _dealing(one: _Timed, reader: ShoelogReader, times: TimesOfDay) -> Dealing:
    """The round as it stands: its table and its shoe go on behind it."""
    table = one.block.view.table
    dealt = Dealt.at(table, one.block.round, reader.chain.shoe, one.began, one.ended)
    return dealt, tuple(_events(one.block, times)), shoe_json(table)


def _events(block: RoundBlock, times: TimesOfDay) -> Iterator[Event]:
    drawn = {one.record: one for one in block.round.placed if one.how == DRAWN}
    for record in block.records:
        opens = record.get("sealed", -1) if record.kind == RecordKind.OPENED else -1
        said = block.view.sentence(record)
        yield Event(record.number, record.kind, times.of(record), said, drawn.get(record.number), opens)


def _case(
    dealing: Dealing,
    about: About,
    record: TableRecord | None,
    lines: Lines,
    sources: tuple[Source, ...],
    notes: Sequence[str],
    zone: Zone,
) -> Case:
    dealt, events, setup = dealing
    round_, report = dealt.round, about.report
    settled, unsettled = (None, _NO_RECORD) if record is None else _settle(dealt, record, lines.get(round_.record, []))
    findings = about.findings(round_)
    return Case(
        sources=sources,
        device=report.summary.device,
        shoe=dealt.shoe,
        setup=setup,
        round=round_,
        events=events,
        began=dealt.began,
        ended=dealt.ended,
        zone=zone,
        settled=settled,
        unsettled=unsettled,
        headline=report.headline(),
        verdict=report.verdict,
        findings=findings,
        history_findings=about.of_history,
        others=about.of_rounds - len(findings) + report.summary.dropped,
        signatures=about.signatures(dealt.shoe),
        missing=tuple(dict.fromkeys(map(sentence, (*notes, *_missing(dealt, about))))),
        notes=about.notes,
    )


def _settle(dealt: Dealt, record: TableRecord, found: Sequence[Entry]) -> tuple[Settled | None, str]:
    """The settlement with the wagers of the record, or why there is none."""
    if not found:
        return None, "The table record has no line for this round: wagers and payments are not known."
    if len(found) > 1:
        lines = ", ".join(str(one.line) for one in found)
        return None, f"The table record has {len(found)} lines for this round (lines {lines}): it is not settled."
    where = record.at(found[0])
    try:
        return settle_at(found[0], record.rules(found[0], where), lambda _: dealt, where), ""
    except BadInput as error:
        return None, f"The round is not settled: {error}."


def _missing(dealt: Dealt, about: About) -> Iterator[str]:
    """What is not known about the round, a sentence each."""
    round_ = dealt.round
    if round_.closed < 0:
        yield "The history does not show that the round was closed."
    down = [card for card in _cards(round_) if card.face is None]
    if down:
        yield f"{len(down)} of its cards still lie face down in this history (records {_listed(down)})."
    unread = [card for card in _cards(round_) if card.face is not None and not card.known]
    if unread:
        yield f"{len(unread)} of its cards could not be read (records {_listed(unread)})."
    yield from about.left_out(round_)
    if not about.report.summary.complete:
        yield "The history is not that of a whole shoe."


def _cards(round_: Round) -> list[DrawnCard]:
    return list({one.card.record: one.card for one in round_.placed}.values())


def _listed(cards: list[DrawnCard]) -> str:
    return ", ".join(str(card.record) for card in cards)
