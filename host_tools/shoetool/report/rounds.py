"""A history as text: one block a round with its cards, and a line for each event between the rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from rich.style import Style
from rich.text import Text

from shoetool.judge.refused import why_refused
from shoetool.model.naming import enum_name
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Key, RecordKind
from shoetool.model.records import Record
from shoetool.report import faces
from shoetool.report.live import PEEKS, count, is_aside
from shoetool.report.sentences import place, sentence, side_name
from shoetool.report.table_view import ENDINGS, TableView
from shoetool.report.time_of_day import NOT_KNOWN, TimesOfDay, span_text
from shoetool.table.card import DrawnCard
from shoetool.table.community import dealer_owes
from shoetool.table.round import Round
from shoetool.table.stream import Stream

IN_BETWEEN: Final = {
    RecordKind.SHOE_OPENED,
    RecordKind.LOADED,
    RecordKind.CARRIED,
    RecordKind.DEALER_CHANGED,
    RecordKind.COVER_CARD,
    RecordKind.FINISHED,
    RecordKind.COUNT_STARTED,
    RecordKind.COUNTED,
    RecordKind.READER_TEST,
    RecordKind.FAULT,
    RecordKind.CLEARED,
    RecordKind.REFILLED,
    RecordKind.SHOE_CLOSED,
    RecordKind.BOOT,
    RecordKind.CARD,
    RecordKind.SEALED,
}
REMARKS: Final = {
    RecordKind.MARGIN,
    RecordKind.IRREGULARITY,
    RecordKind.FAULT,
    RecordKind.CLEARED,
    RecordKind.COVER_CARD,
    RecordKind.REFILLED,
    RecordKind.BOOT,
}
LABEL: Final = 16
CARDS: Final = 30
_ROW: Final = 78
WARNING: Final = Style(color="yellow")
HEADING: Final = Style(bold=True)


@dataclass(slots=True)
class RoundBlock:
    """One round with its records; `lines` draws it. `closed` is False for a round that the file cuts off.

    `span` says when it was dealt. It is empty when times are not wanted, or not known for any record of the history.
    """

    view: TableView
    round: Round
    first: int
    last: int
    closed: bool
    records: list[Record] = field(default_factory=list)
    span: str = ""

    @property
    def number(self) -> int:
        """The number of the round in its shoe."""
        return self.round.number

    def lines(self) -> list[Text]:
        """Return the round as lines of text: heading, determinant, positions, dealer, remarks."""
        view = self.view
        heading = Text(f"Round {self.number}", HEADING)
        round_ = self.round
        if view.table.double and round_.side >= 0:
            heading.append(f" · dealt from {side_name(round_.side)}")
        if not self.closed:
            heading.append(" · not closed", WARNING)
        elif round_.void:
            heading.append(" · void", WARNING)
        if self.span:
            heading.append(f" · {self.span}")
        heading.append(f" · records {self.first} to {self.last}", faces.DIM)
        lines = [heading]
        if round_.determinant is not None:
            card = round_.determinant
            where = "segregated" if is_aside(card) else f"first card of {place(card.box)}"
            row = _row("determinant", Text(" ").join([faces.inked(card.face)]), "")
            lines.append(row.append(f"from {side_name(card.head)}, {where}", faces.DIM))
        for box in view.boxes:
            for index, hand in enumerate(view.hands_of(box)):
                label = f"position {box}" if not index else f"  hand {index + 1}"
                ended = ENDINGS.get(hand.ended, "")
                if hand.ended == HandEnd.TWENTY_ONE:
                    ended = ""  # its count shows it
                if hand.doubled and ended != "doubled":
                    ended = f"doubled, {ended}" if ended else "doubled"
                lines.append(_row(label, _cards(hand.cards), _counted(hand.cards), ended))
        if round_.own:
            lines += self._own_dealers()
            return [*lines, *self._remarks()]
        remarks = [] if round_.dealer_total else ["not played out"]
        if view.peek >= 0:
            remarks.append(f"reader: {PEEKS.get(view.peek, '?')}")
        if round_.hole is not None and round_.hole.opened >= 0 > round_.revealed:
            remarks.append("hole card opened at the end of the round, not turned")
        lines.append(_row("dealer", _cards(view.dealer), _counted(view.dealer), "; ".join(remarks)))
        return [*lines, *self._remarks()]

    def _own_dealers(self) -> Iterator[Text]:
        """Without a hole card: the dealer's hand of each terminal; terminals with the same one share a row."""
        shared: dict[tuple[int, ...], list[int]] = {}
        for box in self.round.own:
            shared.setdefault(tuple(card.record for card in self.round.dealer_of(box)), []).append(box)
        for boxes in shared.values():
            cards = self.round.dealer_of(boxes[0])
            told = [f"against {', '.join(place(box) for box in boxes)}"] if len(shared) > 1 else []
            if any(dealer_owes(self.round, box) for box in boxes):
                told.append("not played out")
            yield _row("dealer", _cards(cards), _counted(cards), "; ".join(told))

    def _remarks(self) -> Iterator[Text]:
        view = self.view
        for label, cards in (("held", view.held), ("set aside", view.set_aside)):
            if cards:
                yield _row(label, _cards(cards), "")
        for record in self.records:
            if record.kind in REMARKS:
                yield Text(f"  ! {view.sentence(record)} (record {record.number})", WARNING)


def blocks(records: Iterable[Record], times: TimesOfDay | None = None) -> Iterator[RoundBlock | Text]:
    """Yield a history in its order: a `RoundBlock` for each round, and a line for each event between the rounds.

    A record that does not fit the records before it gives its own line. With `times`, rounds and lines have their times
    of day, and each new day has a line. The view of a block changes with the next one: draw it before you ask for more.
    """
    view = TableView()
    inside: list[Record] = []
    for record in records:
        if inside and record.kind in (RecordKind.ROUND_OPENED, RecordKind.SHOE_OPENED):
            yield from _block(view, inside, times, closed=False)
            inside = []
        view.feed(record)
        odd = view.table.anomaly
        if odd is not None:
            yield Text(f"  ! {odd.text} (record {odd.record})", WARNING)
        if inside or record.kind == RecordKind.ROUND_OPENED:
            inside.append(record)
            if record.kind == RecordKind.ROUND_CLOSED:
                yield from _block(view, inside, times, closed=True)
                inside = []
        elif record.kind == RecordKind.IRREGULARITY:
            yield Text(f"  ! {view.sentence(record)} (record {record.number})", WARNING)
        elif record.kind in IN_BETWEEN:
            yield from between(record, times)
    if inside:
        yield from _block(view, inside, times, closed=False)


def with_refused_keys(records: Iterable[Record]) -> Iterator[tuple[Round | None, list[dict[str, Any]]]]:
    """Yield each round of a history with the keys that the shoe refused in it, and why, in JSON types.

    Of keys that it refused between two rounds the round is None.
    """
    stream = Stream()
    keys: list[dict[str, Any]] = []
    for record in records:
        table = stream.feed(record)
        if record.kind == RecordKind.IRREGULARITY and record.values[0] == IrregularityCode.WRONG_KEY:
            key = record.values[4]
            refused = {"record": record.number, "key": enum_name(Key, key), **why_refused(table, key)._asdict()}
            if table.round is None:
                yield None, [refused]
            else:
                keys.append(refused)
        if table.closed_round is not None:
            yield table.closed_round, keys
            keys = []
    left = stream.end()
    if left is not None:
        yield left, keys


def between(record: Record, times: TimesOfDay | None = None) -> Iterator[Text]:
    """Yield the line of a record that belongs to no round. On a new day the line of the day comes first."""
    important = record.kind in (RecordKind.FAULT, RecordKind.COVER_CARD)
    clock = ""
    if times is not None:
        yield from _day(times, record)
        clock = f"{times.clock(record)} " if times.known else ""
    yield Text(f"· {clock}{sentence(record)} (record {record.number})", WARNING if important else faces.DIM)


def _day(times: TimesOfDay, record: Record) -> Iterator[Text]:
    day = times.new_day(times.of(record))
    if day is not None:
        yield Text(day, HEADING)


def _block(
    view: TableView, inside: list[Record], times: TimesOfDay | None, closed: bool
) -> Iterator[RoundBlock | Text]:
    assert view.round is not None
    block = RoundBlock(view, view.round, inside[0].number, inside[-1].number, closed, inside)
    if times is not None:
        yield from _day(times, inside[0])
        span = span_text(times.of(inside[0]), times.of(inside[-1]), times.zone)
        block.span = span if times.known or span != NOT_KNOWN else ""
    yield block


def _cards(cards: list[DrawnCard]) -> Text:
    return Text(" ").join(faces.inked(card.face) for card in cards)


def _counted(cards: list[DrawnCard]) -> str:
    dealt = [card.face for card in cards]
    shown = faces.total(dealt)
    if shown is None:
        return ""
    return count(shown) + (" shown" if None in dealt else "")


def _row(label: str, cards: Text, total: str, remark: str = "") -> Text:
    row = Text(f"  {label:<{LABEL}}").append_text(cards)
    row.append(" " * max(1, LABEL + 2 + CARDS - row.cell_len))
    return row.append(f"{total:<9}").append(remark, faces.DIM)


def narrowed(line: Text, width: int) -> Text:
    """Return a line of a round for a terminal of fewer than 78 columns: the space behind the cards gives way."""
    end = LABEL + 2 + CARDS
    cards = line.plain[:end]
    space = len(cards) - len(cards.rstrip()) - 1
    cut = max(0, min(_ROW - width, space)) if len(line) > end else 0
    return line[: end - cut] + line[end:]
