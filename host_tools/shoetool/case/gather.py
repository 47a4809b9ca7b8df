"""Gather what is known about one round: from its history, from `verify`, and from its line of a table record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from shoetool.case.facts import Case, Event, Source
from shoetool.case.settled import Dealt, Settled, settle_at
from shoetool.history.clock import Moment
from shoetool.history.store import ShoelogReader
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

_NO_RECORD: Final = "No table record was given: wagers, decisions on money and payments are not known."


class Wanted(Protocol):
    """The round that is asked for."""

    def holds(self, began: Moment | None, ended: Moment | None, number: int) -> bool:
        """Whether it is this one."""

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


@dataclass(slots=True)
class _Found:
    """A round of the history that is asked for."""

    dealt: Dealt
    events: tuple[Event, ...]
    setup: dict[str, object]


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
    zone = zone or Zone()
    sources = [_source(history)]
    with ShoelogReader(history) as reader:
        times = TimesOfDay(reader.moment, zone, reader.clock)
        found = _one(history, list(_rounds(reader, times, wanted)), wanted)
        missing = times.notes()
    dealt = found.dealt
    settled, unsettled = None, _NO_RECORD
    if record is not None:
        sources.append(_source(record.path))
        settled, unsettled = _settle(dealt, record)
    report = _verified(history, record, trust)
    missing += _missing(dealt, report)
    return Case(
        sources=tuple(sources),
        device=report.summary.device,
        shoe=dealt.shoe,
        setup=found.setup,
        round=dealt.round,
        events=found.events,
        began=dealt.began,
        ended=dealt.ended,
        zone=zone,
        settled=settled,
        unsettled=unsettled,
        headline=report.headline(),
        verdict=report.verdict,
        findings=tuple(one for one in report.findings if one.round == dealt.round.number),
        history_findings=tuple(one for one in report.findings if one.round is None),
        others=sum(one.round not in (None, dealt.round.number) for one in report.findings) + report.summary.dropped,
        signatures=tuple(one for one in report.summary.signatures if one.shoe == dealt.shoe),
        missing=tuple(dict.fromkeys(map(_sentence, missing))),
        notes=tuple(map(_sentence, report.summary.notes)),
    )


def _source(path: Path) -> Source:
    try:
        with path.open("rb") as file:
            return Source(str(path), hashlib.file_digest(file, "sha256").hexdigest())
    except OSError as error:
        raise BadInput(f"{path}: cannot be opened: {error.strerror}") from None


def _rounds(reader: ShoelogReader, times: TimesOfDay, wanted: Wanted) -> Iterator[_Found]:
    for block in blocks(reader.records()):
        if not isinstance(block, RoundBlock):
            continue
        began, ended = round_moments(block.round, times.of)
        if wanted.holds(began, ended, block.number):
            table = block.view.table
            dealt = Dealt.at(table, block.round, reader.chain.shoe, began, ended)
            yield _Found(dealt, tuple(_events(block, times)), shoe_json(table))


def _events(block: RoundBlock, times: TimesOfDay) -> Iterator[Event]:
    drawn = {one.record: one for one in block.round.placed if one.how == DRAWN}
    for record in block.records:
        opens = record.get("sealed", -1) if record.kind == RecordKind.OPENED else -1
        sentence = block.view.sentence(record)
        yield Event(record.number, record.kind, times.of(record), sentence, drawn.get(record.number), opens)


def _one(history: Path, found: list[_Found], wanted: Wanted) -> _Found:
    if not found:
        raise BadInput(f"{history}: {wanted.missing()}")
    if len(found) > 1:
        told = ", ".join(
            f"{one.dealt.round.number}" + ("" if one.dealt.shoe is None else f" of shoe {one.dealt.shoe}")
            for one in found[:12]
        )
        more = ", ..." if len(found) > 12 else ""
        raise BadInput(f"{history}: these are {len(found)} rounds ({told}{more}); name one with --round, --at or both")
    return found[0]


def _settle(dealt: Dealt, record: TableRecord) -> tuple[Settled | None, str]:
    """The settlement with the wagers of the record, or why there is none."""
    entry, why = _entry(dealt, record)
    if entry is None:
        return None, why
    where = f"{record.path}: line {entry.line}"
    try:
        return settle_at(entry, record.rules(entry, where), lambda _: dealt, where), ""
    except BadInput as error:
        return None, f"The round is not settled: {error}."


def _entry(dealt: Dealt, record: TableRecord) -> tuple[Entry | None, str]:
    """The line of this round. Without one, or with several, the second says so."""
    found: list[Entry] = []
    unread = 0
    with TableFile(record.path, record.given) as file:
        for one in file.entries():
            if isinstance(one, BadLine) and one.entry is None:
                unread += 1
                continue
            entry = one.entry if isinstance(one, BadLine) else one
            assert entry is not None
            if entry.round == dealt.round.number and entry.shoe in (None, dealt.shoe):
                found.append(entry)
    if len(found) == 1:
        return found[0], ""
    more = f"; {unread} of its lines cannot be read" if unread else ""
    if not found:
        return None, f"The table record has no line for this round{more}: wagers and payments are not known."
    lines = ", ".join(str(one.line) for one in found)
    return None, f"The table record has {len(found)} lines for this round (lines {lines}): it is not settled."


def _verified(history: Path, record: TableRecord | None, trust: Trust | None) -> Report:
    if record is None:
        with ShoelogReader(history) as reader:
            return verify(reader, None, trust)
    with TableFile(record.path, record.given) as file, ShoelogReader(history) as reader:
        rules = record.rules
        judge = TableJudge(file.lines, lambda entry: rules(entry, f"{record.path}: line {entry.line}"), False)
        return verify(reader, judge, trust)


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


def _sentence(text: str) -> str:
    return opening_letter(text) + ("" if text.endswith(".") else ".")


def _cards(round_: Round) -> list[DrawnCard]:
    return list({one.card.record: one.card for one in round_.placed}.values())


def _listed(cards: list[DrawnCard]) -> str:
    return ", ".join(str(card.record) for card in cards)
