"""Gather what is known about rounds: from their histories, from `verify`, and from their lines of a table record."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from shoetool.case.facts import Case, Event, Night, Source
from shoetool.case.settled import Dealt, Settled, settle_at
from shoetool.history.clock import Moment
from shoetool.history.store import ShoelogReader
from shoetool.judge.finding import Finding
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import RecordKind
from shoetool.report.rounds import RoundBlock, blocks
from shoetool.report.sentences import opening_letter
from shoetool.report.time_of_day import TimesOfDay, Zone, round_moments
from shoetool.round_file.file import BadLine, Entry
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.actions import DRAWN
from shoetool.table.card import DrawnCard
from shoetool.table.replay import shoe_json
from shoetool.table.round import Round
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify
from shoetool.verify.table_record import TableFile, TableJudge

MOST_ROUNDS: Final = 5000
"""More rounds are not gathered at once: they must fit into memory, and on a page that somebody reads."""
_NO_RECORD: Final = "No table record was given: wagers, decisions on money and payments are not known."


class Wanted(Protocol):
    """The rounds that are asked for."""

    def holds(self, began: Moment | None, ended: Moment | None, number: int) -> bool:
        """Whether this one is asked for."""

    def missing(self) -> str:
        """Why there was none, as in `holds no round 12`."""


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
Lines = dict[int, list[Entry]]
"""The lines of the table record that belong to a round, by the record that opened it."""


def gather(
    history: Path,
    wanted: Wanted,
    record: TableRecord | None = None,
    trust: Trust | None = None,
    zone: Zone | None = None,
) -> Case:
    """Return the case of the one round that is wanted.

    BadInput when the file is no history, when it holds no such round or several, or for a table record that cannot be
    read.
    """
    (night,) = gather_nights([history], wanted, record, trust, zone, session=False)
    cases = night.cases
    if not cases:
        raise BadInput(f"{history}: {wanted.missing()}")
    if len(cases) > 1:
        told = ", ".join(f"{one.number}" + ("" if one.shoe is None else f" of shoe {one.shoe}") for one in cases[:12])
        more = ", ..." if len(cases) > 12 else ""
        raise BadInput(f"{history}: these are {len(cases)} rounds ({told}{more}); name one with --round, --at or both")
    return cases[0]


def gather_nights(
    histories: Sequence[Path],
    wanted: Wanted,
    record: TableRecord | None = None,
    trust: Trust | None = None,
    zone: Zone | None = None,
    session: bool = True,
) -> list[Night]:
    """Return each history with the cases of its wanted rounds.

    session: the table record is that of these histories alone, in their order. A line that belongs to none of their
    rounds is then a finding. Otherwise a line must name its round, and its shoe where another line has that round too.
    BadInput: see `gather`; for more than MOST_ROUNDS too.
    """
    zone = zone or Zone()
    sources = () if record is None else (_source(record.path),)
    nights, count = [], 0
    for path, report, lines in _verified(histories, record, trust, session):
        source = _source(path)
        with ShoelogReader(path) as reader:
            times = TimesOfDay(reader.moment, zone, reader.clock)
            rounds = []
            for dealing in _rounds(reader, times, wanted):
                rounds.append(dealing)
                count += 1
                if count > MOST_ROUNDS:
                    raise BadInput(f"{path}: more than {MOST_ROUNDS} rounds; choose some with --from and --to")
            notes = times.notes()
        if record is not None and not session:
            lines = _by_number(record, [dealt for dealt, _, _ in rounds])
        cases = (_case(one, report, record, lines, (source, *sources), notes, zone) for one in rounds)
        nights.append(Night(source, sources, report, tuple(cases), tuple(map(sentence, notes)), zone))
    return nights


def _source(path: Path) -> Source:
    try:
        with path.open("rb") as file:
            return Source(str(path), hashlib.file_digest(file, "sha256").hexdigest())
    except OSError as error:
        raise BadInput(f"{path}: cannot be opened: {error.strerror}") from None


def _verified(
    histories: Sequence[Path], record: TableRecord | None, trust: Trust | None, session: bool
) -> Iterator[tuple[Path, Report, Lines]]:
    """What `verify` says of each history, one after the other with one table record, and the lines that it matched."""
    if record is None:
        for path in histories:
            with ShoelogReader(path) as reader:
                yield path, verify(reader, None, trust), {}
        return
    rules = record.rules
    with TableFile(record.path, record.given) as file:
        judge = TableJudge(file.lines, lambda entry: rules(entry, record.at(entry)), False)
        for path in histories:
            lines: Lines = {}
            judge.on_lines = partial(_keep, lines)
            judge.last = session and path is histories[-1]
            with ShoelogReader(path) as reader:
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


def _rounds(reader: ShoelogReader, times: TimesOfDay, wanted: Wanted) -> Iterator[Dealing]:
    for block in blocks(reader.records()):
        if not isinstance(block, RoundBlock):
            continue
        began, ended = round_moments(block.round, times.of)
        if wanted.holds(began, ended, block.number):
            table = block.view.table
            dealt = Dealt.at(table, block.round, reader.chain.shoe, began, ended)
            yield dealt, tuple(_events(block, times)), shoe_json(table)


def _events(block: RoundBlock, times: TimesOfDay) -> Iterator[Event]:
    drawn = {one.record: one for one in block.round.placed if one.how == DRAWN}
    for record in block.records:
        opens = record.get("sealed", -1) if record.kind == RecordKind.OPENED else -1
        said = block.view.sentence(record)
        yield Event(record.number, record.kind, times.of(record), said, drawn.get(record.number), opens)


def _case(
    dealing: Dealing,
    report: Report,
    record: TableRecord | None,
    lines: Lines,
    sources: tuple[Source, ...],
    notes: Sequence[str],
    zone: Zone,
) -> Case:
    dealt, events, setup = dealing
    round_, summary = dealt.round, report.summary
    settled, unsettled = (None, _NO_RECORD) if record is None else _settle(dealt, record, lines.get(round_.record, []))
    findings = tuple(one for one in report.findings if _is_of(one, round_, summary.shoes > 1))
    return Case(
        sources=sources,
        device=summary.device,
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
        history_findings=tuple(one for one in report.findings if one.round is None),
        others=sum(one.round is not None for one in report.findings) - len(findings) + summary.dropped,
        signatures=tuple(one for one in summary.signatures if one.shoe == dealt.shoe),
        missing=tuple(dict.fromkeys(map(sentence, (*notes, *_missing(dealt, report))))),
        notes=tuple(map(sentence, summary.notes)),
    )


def _is_of(finding: Finding, round_: Round, several: bool) -> bool:
    """Whether a finding is of this round. Where a file has several shoes, its records tell which of them."""
    if finding.round != round_.number:
        return False
    return not several or not finding.records or round_.record <= finding.records[0] <= round_.last


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


def _missing(dealt: Dealt, report: Report) -> Iterator[str]:
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
    for row in report.summary.left_out:
        if round_.number in row.missing:
            yield f"The table record does not tell of this round: {row.what}."
        elif row.of - row.count > len(row.missing) and row.missing and round_.number > row.missing[-1]:
            yield f"The table record leaves out of some rounds, perhaps of this one: {row.what}."
    if not report.summary.complete:
        yield "The history is not that of a whole shoe."


def sentence(text: str) -> str:
    """A note as a sentence: a capital letter first, a point last."""
    return opening_letter(text) + ("" if text.endswith(".") else ".")


def _cards(round_: Round) -> list[DrawnCard]:
    return list({one.card.record: one.card for one in round_.placed}.values())


def _listed(cards: list[DrawnCard]) -> str:
    return ", ".join(str(card.record) for card in cards)
