"""A case in words: every line that its page and its sheet show, once. Card data may be left out here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from shoetool.case.facts import Case, Event
from shoetool.case.settled import Settled
from shoetool.judge.finding import Finding
from shoetool.model.cards import UNKNOWN, card_name, card_words, is_playing_card, is_red
from shoetool.model.money import dollars, signed
from shoetool.model.naming import many
from shoetool.model.printable import clean
from shoetool.model.protocol_table import HandEnd, RecordKind, Role
from shoetool.report import faces
from shoetool.report.findings import MARKS, numbers
from shoetool.report.live import PEEKS
from shoetool.report.sentences import hand_end, opening_letter, place, side_name, words
from shoetool.report.settlement import totals_lines
from shoetool.report.time_of_day import NOT_KNOWN, basis_of, clock_text, dated_span_text, iso_text, uncertainty_text
from shoetool.report.trust import signed_lines
from shoetool.round_file.paid import Difference, compared
from shoetool.rules.games import GAMES
from shoetool.rules.round import Line
from shoetool.rules.wagers.catalogue import title_of
from shoetool.table.actions import CardPlaced
from shoetool.table.card import DrawnCard
from shoetool.table.hand import Hand

LEFT_OUT: Final = "left out"


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it is drawn. rank, suit: "" for a back. spoken: for a screen reader. red: its ink."""

    rank: str
    suit: str
    spoken: str
    red: bool = False


@dataclass(frozen=True, slots=True)
class DealtRow:
    """A card in the order of the deal. time: of the record that drew it; at: the same as RFC 3339, and its uncertainty
    in ms, "" where not known. note: what else is known of it."""

    order: int
    time: str
    at: tuple[str, str]
    face: Face
    where: str
    role: str
    side: str
    record: int
    note: str


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand as it lay at the end. words: its count and how play on it ended, as far as known."""

    who: str
    faces: tuple[Face, ...]
    words: str


@dataclass(frozen=True, slots=True)
class WagerRow:
    """One wager of a position. paid: what the table record has for it alone, "" where it has nothing. reasons:
    (clause, sense) of its outcome and of what else a clause asks for."""

    wager: str
    staked: str
    odds: str
    due: str
    paid: str
    differs: bool
    reasons: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PositionRow:
    """The wagers of a position; paid: payments that cover several of them, in words."""

    who: str
    due: str
    wagers: tuple[WagerRow, ...]
    paid: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding. sentence is "" where card data is left out."""

    mark: str
    clause: str
    sentence: str
    proof: str
    reading: str


@dataclass(frozen=True, slots=True)
class Told:
    """All that a page or a sheet says of a case, in the order in which it says it."""

    title: str
    subtitle: str
    redacted: bool
    identity: tuple[tuple[str, str], ...]
    verdict: str
    headline: str
    dealt: tuple[DealtRow, ...]
    hands: tuple[HandRow, ...]
    decisions: tuple[tuple[str, str, int], ...]
    positions: tuple[PositionRow, ...]
    totals: str
    unsettled: str
    remarks: tuple[str, ...]
    findings: tuple[FindingRow, ...]
    history_findings: tuple[FindingRow, ...]
    others: str
    signature: tuple[str, ...]
    notes: tuple[str, ...]
    missing: tuple[str, ...]
    records: tuple[tuple[int, str, str], ...]


_DECISIONS: Final = (
    *(RecordKind.HAND_ENDED, RecordKind.DOUBLED, RecordKind.SPLIT, RecordKind.SWITCHED, RecordKind.SWITCH_HAND),
    *(RecordKind.INSURANCE, RecordKind.HIT, RecordKind.COUNTDOWN, RecordKind.PEEK, RecordKind.REVEALED),
    *(RecordKind.SELECTED, RecordKind.ANTES, RecordKind.IRREGULARITY),
)


def tell(case: Case, redact: bool = False) -> Told:
    """Put a case into words. redact: leave out faces, counts, ends, and sentences that tell them."""
    game = GAMES.get(str(case.setup.get("game")))
    setup = [game.title if game else "game not known", many(int(str(case.setup.get("decks", 0))), "deck")]
    if case.setup.get("table"):
        setup.insert(0, f"table {case.setup['table']}")
    return Told(
        title=case.title,
        subtitle=" · ".join(setup),
        redacted=redact,
        identity=tuple(_identity(case)),
        verdict=case.verdict,
        headline=case.headline,
        dealt=tuple(_dealt(case, redact)),
        hands=tuple(_hands(case, redact)),
        decisions=tuple(
            (clock_text(one.moment, case.zone), LEFT_OUT if redact else _sentence(one), one.record)
            for one in case.events
            if one.kind in _DECISIONS
        ),
        positions=tuple(_positions(case, redact)),
        totals=_totals(case),
        unsettled=clean(case.unsettled),
        remarks=() if redact or case.settled is None else tuple(_remarks(case.settled)),
        findings=tuple(_finding(one, redact) for one in case.findings),
        history_findings=tuple(_finding(one, redact) for one in case.history_findings),
        others=f"The rest of the history has {many(case.others, 'more finding')}." if case.others else "",
        signature=tuple(_signature(case)),
        notes=tuple(map(clean, case.notes)),
        missing=case.unknown,
        records=()
        if redact
        else tuple((one.record, clock_text(one.moment, case.zone), _sentence(one)) for one in case.events),
    )


def _sentence(event: Event) -> str:
    """Its sentence. Print has no sign for the back of a card."""
    return clean(event.sentence.replace(f"{faces.name(None)} face down", "A card face down"))


def _identity(case: Case) -> Iterator[tuple[str, str]]:
    yield "Time", dated_span_text(case.began, case.ended, case.zone) or NOT_KNOWN
    if (basis := basis_of(case.began, case.ended)) is not None:
        yield "Clock", opening_letter(basis.sentence)
    yield "Device", case.device or "not known"
    yield "Shoe", "not known" if case.shoe is None else str(case.shoe)
    yield "Records", f"{case.round.record} to {case.round.last}"
    for source, what in zip(case.sources, ("History", "Table record"), strict=False):
        yield what, clean(source.name)
        yield f"SHA-256 of the {what.lower()}", source.digest


def _face(card: int | None, redact: bool) -> Face:
    if redact:
        return Face("", "", LEFT_OUT)
    if card is None:
        return Face("", "", "face down")
    if not is_playing_card(card):
        return Face("?" if card == UNKNOWN else card_name(card), "", card_words(card))
    name = card_name(card)
    return Face(name[:-1], name[-1], card_words(card), is_red(card))


def _dealt(case: Case, redact: bool) -> Iterator[DealtRow]:
    """The cards in the order in which they left the shoe."""
    opened = {one.opens: one for one in case.events if one.opens >= 0}
    drawn = [(event, event.placed) for event in case.events if event.placed is not None]
    for order, (event, placed) in enumerate(drawn, 1):
        card = placed.card
        yield DealtRow(
            order,
            clock_text(event.moment, case.zone),
            (iso_text(event.moment, case.zone), uncertainty_text(event.moment)),
            _face(card.face, redact),
            place(placed.box, placed.hand),
            words(Role, placed.role),
            side_name(card.head),
            event.record,
            "; ".join(_card_notes(case, placed, opened.get(event.record))),
        )


def _card_notes(case: Case, placed: CardPlaced, opened: Event | None) -> Iterator[str]:
    card = placed.card
    if card.sealed and opened is not None:
        yield f"dealt face down, opened {clock_text(opened.moment, case.zone)} (record {opened.record})"
    elif card.sealed:
        yield "dealt face down" + ("" if card.opened >= 0 else ", not opened")
    if (card.box, card.hand) != (placed.box, placed.hand):
        yield f"later: {place(card.box, card.hand)}"


def _hands(case: Case, redact: bool) -> Iterator[HandRow]:
    round_ = case.round
    if round_.determinant is not None:
        yield HandRow("Determinant card", (_face(round_.determinant.face, redact),), "")
    if round_.own:
        for box in sorted(round_.own):
            yield _hand_row(f"Dealer against position {box}", round_.dealer_of(box), "", redact)
    else:
        reader = f"reader: {PEEKS[round_.peek]}" if round_.peek in PEEKS else ""
        yield _hand_row("Dealer", round_.dealer, reader, redact)
    if round_.shared:
        yield _hand_row("Shared cards", round_.shared, "", redact)
    for hand in round_.in_order():
        yield _hand_row(opening_letter(hand.name), hand.cards, _end(hand), redact)


def _end(hand: Hand) -> str:
    end = "still plays" if hand.ended < 0 else hand_end(hand.ended)
    if hand.doubled and hand.ended != HandEnd.DOUBLED:
        end = f"doubled, {end}" if end else "doubled"
    return end


def _hand_row(who: str, cards: Iterable[DrawnCard], end: str, redact: bool) -> HandRow:
    lying = list(cards)
    shown = tuple(_face(card.face, redact) for card in lying)
    if redact:
        return HandRow(who, shown, "")
    count = faces.total([card.face for card in lying])
    text = "no cards" if not lying else ""
    if count is not None:
        text = ("soft " if count[1] else "") + str(count[0])
        text += " shown" if any(card.face is None for card in lying) else ""
    return HandRow(who, shown, " · ".join(part for part in (text, end) if part))


def _positions(case: Case, redact: bool) -> Iterator[PositionRow]:
    settled = case.settled
    if settled is None:
        return
    payments = compared(settled.settlement, settled.entry.paid or ())
    for box in settled.round.boxes:
        lines = [line for line in settled.settlement.lines if line.position == box.position]
        here = [one for one in payments if one.position == box.position]
        alone = {one.lines[0]: one for one in here if len(one.lines) == 1}
        several = len(box.hands) > 1
        who = f"Position {box.position}" + (f", {clean(box.player)}" if box.player else "")
        covering = tuple(
            (f"{one.what()}: paid {signed(one.paid)}, due {signed(one.due)}", one.paid != one.due)
            for one in here
            if len(one.lines) != 1
        )
        wagers = tuple(_wager(line, alone.get(line), several, redact) for line in lines)
        yield PositionRow(who, signed(settled.settlement.net(box.position)), wagers, covering)


def _wager(line: Line, payment: Difference | None, several: bool, redact: bool) -> WagerRow:
    title = title_of(line.wager) + (f", hand {line.hand}" if several and line.hand is not None else "")
    reasons = ((line.clause, line.words), *line.notes)
    return WagerRow(
        opening_letter(title),
        dollars(line.staked),
        "" if line.odds is None else line.odds.text,
        signed(line.net),
        "" if payment is None else signed(payment.paid),
        payment is not None and payment.paid != payment.due,
        tuple((clause, "" if redact else sense) for clause, sense in reasons),
    )


def _totals(case: Case) -> str:
    if case.settled is None:
        return ""
    settlement = case.settled.settlement
    return next(iter(totals_lines(settlement.tray, settlement.house, settlement.meters))).plain.replace("   ", " · ")


def _remarks(settled: Settled) -> Iterator[str]:
    """What the settlement needed to say beside its lines: broken rules first."""
    yield from (opening_letter(clean(one)) for one in (*settled.breaches, *settled.notes))


def _finding(finding: Finding, redact: bool) -> FindingRow:
    mark = MARKS.get(finding.verdict, (finding.verdict.upper(), None))[0]
    sentence = "" if redact else clean(finding.sentence)
    return FindingRow(mark, finding.clause, sentence, proof(finding, redact), finding.reading)


def proof(finding: Finding, redact: bool = False) -> str:
    """The records that a finding rests on, and its cards."""
    parts = []
    if finding.records:
        parts.append(f"record{'s' if len(set(finding.records)) > 1 else ''} {numbers(finding.records)}")
    if finding.cards and not redact:
        parts.append(f"card{'s' if len(finding.cards) > 1 else ''} {' '.join(map(card_name, finding.cards))}")
    return " · ".join(parts)


def _signature(case: Case) -> Iterator[str]:
    """Who signed the history of this shoe, and whether that covers the round."""
    if not case.signatures:
        yield "The history of this shoe is not closed, so it is not signed."
        return
    for shoe in case.signatures:
        yield opening_letter(" ".join(line.plain.strip() for line in signed_lines([shoe])))
        if shoe.signed and shoe.good and shoe.records is not None:
            first, last = shoe.records
            within = first <= case.round.record and case.round.last <= last
            yield "It covers every record of this round." if within else "It does not cover all records of this round."
