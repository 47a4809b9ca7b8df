"""A night in words: what a report shows of each history, once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shoetool.case.about import sentence
from shoetool.case.facts import Case, Night
from shoetool.case.page_room import left_out
from shoetool.case.register import OPEN, Change, Register, finding_ids
from shoetool.case.told import Told, proof, tell
from shoetool.history.start_clock import Moment
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Finding
from shoetool.model.cards import card_name, is_playing_card
from shoetool.model.naming import many
from shoetool.model.printable import clean
from shoetool.model.times import Zone
from shoetool.report.findings import MARKS
from shoetool.report.sentences import opening_letter
from shoetool.report.time_of_day import basis_of, dated_span_text, iso_text, uncertainty_text
from shoetool.report.trust import signed_lines
from shoetool.rules.games import GAMES
from shoetool.rules.wagers.catalogue import title_of
from shoetool.trust.findings import SignedShoe
from shoetool.verify.followed import Row

_MOST_SIGNATURES: Final = 20
_SEVERITY: Final = (BREACH, CANNOT_TELL, HANDLED)


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding in the list of a night. link: of its round, "" for one of no round. at: when its records began and
    ended, as RFC 3339, and the uncertainty in ms, "" where not known. changes: its register."""

    name: str
    state: str
    mark: str
    clause: str
    round: str
    link: str
    time: str
    at: tuple[str, str, str]
    basis: str
    sentence: str
    proof: str
    reading: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A round with what it can be found by. began, ended: "2026-11-27T21:14:03.120-05:00", "" where not known.
    uncertainty: of both, in ms; basis: what these times rest on, a word of `Basis`."""

    link: str
    told: Told
    began: str
    ended: str
    uncertainty: str
    basis: str
    positions: tuple[int, ...]
    cards: tuple[str, ...]
    wagers: tuple[str, ...]
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShoePart:
    """One history of the night."""

    title: str
    file: str
    digest: str
    verdict: str
    headline: str
    signature: tuple[str, ...]
    notes: tuple[str, ...]
    missing: tuple[str, ...]
    findings: tuple[FindingLine, ...]
    rounds: tuple[RoundPart, ...]


@dataclass(frozen=True, slots=True)
class NightTold:
    """All that a report says. sources: (what, name, SHA-256). between: how the histories follow one another; broken:
    something was found in that. choices: what rounds can be found by. left_out: which rounds are not on the page, ""
    for none."""

    title: str
    subtitle: str
    summary: tuple[tuple[str, str], ...]
    sources: tuple[tuple[str, str, str], ...]
    shoes: tuple[ShoePart, ...]
    between: tuple[str, ...]
    broken: bool
    choices: dict[str, tuple[str, ...]]
    zone: str
    left_out: str


def tell_night(nights: Sequence[Night], registers: Sequence[Register], rows: Sequence[Row]) -> NightTold:
    """Put a night into words. registers: one for each of the `nights`, of which there is one or more. rows: how
    the histories follow one another."""
    shoes = tuple(_shoe(night, register) for night, register in zip(nights, registers, strict=True))
    rounds = [one for shoe in shoes for one in shoe.rounds]
    positions = sorted({position for one in rounds for position in one.positions})
    return NightTold(
        title=f"Report of {_days(rounds) or 'an unknown day'}",
        subtitle="; ".join(shoe.title for shoe in shoes[:3]) + (f" and {len(shoes) - 3} more" if shoes[3:] else ""),
        summary=tuple(_summary(nights, shoes)),
        sources=tuple(("Table record", clean(source.name), source.digest) for source in nights[0].sources),
        shoes=shoes,
        between=tuple(clean(text) for row in rows for text in (*(one.sentence for one in row.findings), *row.notes)),
        broken=any(row.findings for row in rows),
        choices={
            "position": tuple(map(str, positions)),
            "wager": tuple(sorted({wager for one in rounds for wager in one.wagers})),
            "finding": tuple(sorted({found for one in rounds for found in one.found})),
        },
        zone=_zone(nights),
        left_out=left_out(nights),
    )


def _zone(nights: Sequence[Night]) -> str:
    """The zone of all times of the page, with its offsets on these days."""
    zone = nights[0].zone
    ends = [end for night in nights for one in night.cases for end in (one.began, one.ended)]
    ends += [end for night in nights for one in night.found for end in (one.began, one.ended)]
    labels = zone.labels(sorted(one.middle_ms for one in ends if one is not None))
    return labels if zone.name in (None, labels) else f"{zone.name}, {labels}" if labels else zone.name


def _days(rounds: Sequence[RoundPart]) -> str:
    """The days on which the rounds began: one, or the first and the last."""
    days = sorted({one.began[:10] for one in rounds if one.began})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}" if days else ""


def _summary(nights: Sequence[Night], shoes: Sequence[ShoePart]) -> Iterator[tuple[str, str]]:
    lines = [line for shoe in shoes for line in shoe.findings]
    rounds, shown = sum(night.rounds for night in nights), sum(len(night.cases) for night in nights)
    yield "Rounds", str(rounds)
    yield "Cards", str(sum(night.report.summary.cards for night in nights))
    for verdict, label in zip(_SEVERITY, ("Breaches", "Cannot tell", "Irregularities handled"), strict=True):
        yield label, str(sum(line.mark == MARKS[verdict][0] for line in lines))
    yield "Still open", str(sum(line.state == OPEN for line in lines))
    settled = sum(case.settled is not None for night in nights for case in night.cases)
    yield "Rounds settled", f"{settled} of {shown}" + (" on this page" if shown < rounds else "")


def _shoe(night: Night, register: Register) -> ShoePart:
    report, summary = night.report, night.report.summary
    game = GAMES.get(str(summary.game))
    shoe = next((case.shoe for case in night.cases if case.shoe is not None), None)
    parts = [f"Shoe {shoe}" if shoe is not None and summary.shoes < 2 else many(summary.shoes, "shoe")]
    parts += [f"table {summary.table}"] if summary.table else []
    parts += [game.title] if game else []
    prefix = f"{(summary.device or 'device')[:8]}-"
    links = {id(case): f"{prefix}{case.shoe or 0}-{case.number}-{case.round.record}" for case in night.cases}
    notes = list(map(sentence, summary.notes))
    if register.unread:
        notes.append(f"{many(register.unread, 'line')} of the register cannot be read.")
    ids = list(finding_ids(report.findings, summary.device))
    if gone := sum(len(changes) for name, changes in register.changes.items() if name not in ids):
        notes.append(f"{many(gone, 'line')} of the register are of findings that are not found any more.")
    if summary.dropped:
        notes.append(f"{many(summary.dropped, 'more finding')} than a report keeps.")
    return ShoePart(
        title=" · ".join(parts),
        file=clean(night.source.name),
        digest=night.source.digest,
        verdict=report.verdict,
        headline=report.headline(),
        signature=tuple(_signatures(summary.signatures)),
        notes=tuple(map(clean, notes)),
        missing=(*map(clean, night.missing), *(f"The table record has {row.words}." for row in summary.left_out)),
        findings=tuple(_lines(night, ids, register, links)),
        rounds=tuple(round_part(case, links[id(case)]) for case in night.cases),
    )


def _signatures(shoes: Sequence[SignedShoe]) -> Iterator[str]:
    """Who signed each shoe; of very many the first ones, and how many of the others are of which kind."""
    for one in shoes[:_MOST_SIGNATURES]:
        yield opening_letter(" ".join(line.plain.strip() for line in signed_lines([one])))
    kinds = Counter(
        "not signed" if not one.signed else "whose signature does not hold" if not one.good
        else "signed by a pinned key" if one.pinned else "signed by a key that is not pinned"
        for one in shoes[_MOST_SIGNATURES:]
    )  # fmt: skip
    if kinds:
        told = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
        yield f"And {many(sum(kinds.values()), 'more shoe')}: {told}. shoetool verify names each."


def _lines(night: Night, ids: Sequence[str], register: Register, links: dict[int, str]) -> Iterator[FindingLine]:
    """The findings by severity, each in the order in which they were complete."""
    named = list(zip(ids, night.report.findings, strict=True))
    cases = {id(finding): case for case in night.cases for finding in case.findings}
    times = {id(one.finding): (one.began, one.ended) for one in night.found}
    for verdict in _SEVERITY:
        for name, finding in named:
            if finding.verdict == verdict:
                case = cases.get(id(finding))
                link = "" if case is None else links[id(case)]
                yield _line(name, finding, register, link, times.get(id(finding), (None, None)), night.zone)


def _line(
    name: str, finding: Finding, register: Register, link: str, ends: tuple[Moment | None, Moment | None], zone: Zone
) -> FindingLine:
    basis = basis_of(*ends)
    return FindingLine(
        name=name,
        state=register.state(name),
        mark=MARKS[finding.verdict][0],
        clause=finding.clause,
        round="" if finding.round is None else str(finding.round),
        link=link,
        time=dated_span_text(*ends, zone),
        at=(iso_text(ends[0], zone), iso_text(ends[1], zone), uncertainty_text(*ends)),
        basis="" if basis is None else basis.word,
        sentence=clean(finding.sentence),
        proof=proof(finding),
        reading=finding.reading,
        changes=tuple(
            Change(one.finding, one.state, clean(one.by), clean(one.at), clean(one.note))
            for one in register.changes.get(name, ())
        ),
    )


def round_part(case: Case, link: str) -> RoundPart:
    """Put a round into words, with what it can be found by."""
    basis = basis_of(case.began, case.ended)
    lines = () if case.settled is None else case.settled.settlement.lines
    cards = (one.card.card for one in case.round.placed)
    found = [MARKS[one.verdict][0] for one in case.findings] + [one.clause for one in case.findings]
    return RoundPart(
        link=link,
        told=tell(case),
        began=iso_text(case.began, case.zone),
        ended=iso_text(case.ended, case.zone),
        uncertainty=uncertainty_text(case.began, case.ended),
        basis="" if basis is None else basis.word,
        positions=tuple(sorted({*case.round.seat_list(), *case.round.boxes} & set(range(1, 8)))),
        cards=tuple(dict.fromkeys(card_name(card) for card in cards if is_playing_card(card))),
        wagers=tuple(
            dict.fromkeys(opening_letter(title_of(line.wager)) for line in lines if line.position is not None)
        ),
        found=tuple(dict.fromkeys(found)),
    )
