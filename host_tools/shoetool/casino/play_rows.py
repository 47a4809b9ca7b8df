"""What was dealt in one history as rows of the tables `events`, `rounds`, `hands` and `margins`.

The rows are made as the records come, with a fold of their own. So an event has the face of a card only if a record up
to it told the face, and a hand only if the card was turned before its round was closed: what lies face down cannot get
into a row.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pyarrow as pa

from shoetool.casino.tables import PLAY
from shoetool.casino.wager_rows import NO_LINE, NO_RECORD, WagerRows
from shoetool.history.start_clock import Moment
from shoetool.model.cards import card_name, total
from shoetool.model.margin import UNKNOWN_MARGIN
from shoetool.model.naming import (
    enum_name,
    irregularity_name,
    named_fields,
    position_name,
    setting_value,
    side_letter,
)
from shoetool.model.protocol_table import HandEnd, Peek, RecordKind, Role, RoundEnd
from shoetool.model.records import NAMES, Record
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round
from shoetool.table.stream import Stream

_WHAT: Final = ("code", "why", "result", "outcome", "verdict", "how", "cause", "step", "phase")
_OWN_COLUMNS: Final = frozenset(("position", "hand", "side", "round", "batch", "margin"))
_CARD, _SEALED, _OPENED, _MOVED = map(int, (RecordKind.CARD, RecordKind.SEALED, RecordKind.OPENED, RecordKind.MOVED))
_OF_CARDS: Final = frozenset((_CARD, _SEALED, _OPENED, _MOVED))
_SHOE_OPENED, _DEALER, _ROUND_OPENED, _MARGIN, _CALIBRATED = map(
    int,
    (RecordKind.SHOE_OPENED, RecordKind.DEALER_CHANGED, RecordKind.ROUND_OPENED, RecordKind.MARGIN,
     RecordKind.CALIBRATED),
)  # fmt: skip
Row = list[Any]


@dataclass(slots=True)
class Opened:
    """A round under way: what is known since it was opened, and when its latest record was written."""

    shoe: int | None
    table: int
    game: Any
    dealer: int | None
    began: int | None
    latest: int | None
    basis: str | None


@dataclass(slots=True)
class _Read:
    """Readings of one card by one head, or of one head's light. `began`: Unix ms of the first."""

    began: int | None
    count: int = 0
    least: int | None = None
    sum: int = 0
    ms_least: int | None = None
    ms_sum: int | None = None


class PlayRows:
    """Takes the records of one history in order: `feed` each. `wagers` takes what its table record says."""

    def __init__(self, shoe: Callable[[], int | None], moment: Callable[[Record], Moment | None]) -> None:
        """`shoe`: the number of the shoe of the record at hand. `moment`: when that was written."""
        self._shoe = shoe
        self._moment = moment
        self._stream = Stream()
        self._dealer: int | None = None
        self._open: Opened | None = None
        self._events: list[Row] = []
        self._rounds: list[Row] = []
        self._hands: list[Row] = []
        self._reads: dict[tuple[Any, ...], _Read] = {}
        self.wagers = WagerRows()

    def feed(self, record: Record) -> None:
        """Take the next record."""
        moment = self._moment(record)
        time = None if moment is None else moment.middle_ms
        basis = None if moment is None else moment.basis.word
        kind = record.kind
        table = self._stream.feed(record)
        shoe = self._shoe()
        if kind == _SHOE_OPENED:
            self._dealer = 0
        elif kind == _DEALER:
            self._dealer = record.values[0]
        closed = table.closed_round
        inside = table.round
        if closed is not None:
            ends_here = closed.latest is record
            if ends_here and self._open is not None:
                self._open.latest, inside = time, closed
            self._close(closed)
        if kind == _ROUND_OPENED:
            game = setting_value("game", table.game) if table.shoes else None
            self._open = Opened(shoe, table.number, game, self._dealer, time, time, basis)
        elif table.round is not None and table.round.latest is record and self._open is not None:
            self._open.latest = time
        number = None if inside is None else inside.number
        about = None if moment is None else moment.uncertainty_ms
        row = self._card(record, table.card) if kind in _OF_CARDS else self._other(record)
        name = NAMES.get(kind) or record.name
        self._events.append(
            [shoe, table.number, record.number, record.boot, time, about, name, number, self._dealer, *row]
        )
        if kind == _CARD:
            _, _, _, head, card, batch, duration, margin = record.values
            self._read((shoe, table.number, head, "cards", card, batch), time, margin, duration)
        elif kind in (_MARGIN, _CALIBRATED) and (margin := record.get("margin")) != UNKNOWN_MARGIN:
            source = "light" if kind == _MARGIN else "calibration"
            self._read((shoe, table.number, record.get("head"), source, None, None), time, margin, None)

    def end(self) -> None:
        """No record follows: a round that is still open ends here."""
        left = self._stream.end()
        if left is not None:
            self._close(left)

    # ------------------------------------------------------------------------------------------------ rows
    @staticmethod
    def _card(record: Record, drawn: DrawnCard | None) -> Row:
        """An event that draws, turns or moves a card: its face as far as it is turned by then."""
        kind, values = record.kind, record.values
        of = duration = margin = batch = None
        if kind == _CARD:
            role, box, hand, _, _, batch, duration, margin = values
        elif kind == _SEALED:
            role, box, hand, _, _ = values
        elif kind == _OPENED:
            of, role, box, hand, _, batch, _ = values
        else:
            of, role, box, hand = values
        place, position = _place(box)
        if drawn is None:
            head = face = down = None
        else:
            head, face, down = side_letter(drawn.head), _face(drawn), drawn.face is None
        return [place, position, hand, head, _role(role), face, batch, down, of, duration, margin, None, None]

    def _other(self, record: Record) -> Row:
        named = named_fields(record.name, record.fields())
        box, head = record.get("box"), record.get("head", record.get("side"))
        place, position = (None, None) if box is None else _place(box)
        what = next((name for name in _WHAT if isinstance(named.get(name), str)), None)
        more = {name: value for name, value in named.items() if name not in _OWN_COLUMNS and name != what}
        if record.kind == RecordKind.COVER_CARD and head < 2:
            side = self._stream.table.sides[head]
            if side.cover_record == record.number and side.cover_behind >= 0:
                more |= {"loaded": side.loaded, "behind": side.cover_behind}
        return [
            place, position, record.get("hand"), None if head is None else side_letter(head),
            None, None, record.get("batch"), None, None, None, named.get("margin"),
            None if what is None else named[what], json.dumps(more, ensure_ascii=False) if more else None,
        ]  # fmt: skip

    def _read(self, key: tuple[Any, ...], time: int | None, margin: int, duration: int | None) -> None:
        one = self._reads.get(key)
        if one is None:
            one = self._reads[key] = _Read(time)
        one.count += 1
        one.sum += margin
        if one.least is None or margin < one.least:
            one.least = margin
        if duration is not None:
            one.ms_sum = duration + (one.ms_sum or 0)
            if one.ms_least is None or duration < one.ms_least:
                one.ms_least = duration

    def _close(self, one: Round) -> None:
        """A round ended, or was broken off."""
        at = self._open or Opened(self._shoe(), self._stream.table.number, None, self._dealer, None, None, None)
        self._open = None
        start = [at.shoe, at.table, one.number, one.record]
        count = one.dealer_count() if one.dealer else None
        row = [
            *start, one.last, at.began, at.latest, at.basis, at.game, at.dealer, one.seat_list(), len(one.hands),
            len({placed.card.record for placed in one.placed}), side_letter(one.side), list(map(_face, one.dealer)),
            None if count is None else count[0], one.revealed >= 0,
            None if one.peek < 0 else enum_name(Peek, one.peek),
            None if one.insured < 0 else [box for box in range(1, 9) if one.insured >> (box - 1) & 1],
            bool(one.covers), None if one.outcome < 0 else enum_name(RoundEnd, one.outcome),
            [irregularity_name(odd.code) for odd in one.irregularities], NO_RECORD, None,
        ]  # fmt: skip
        self._rounds.append(row)
        own = [*start, at.began, at.dealer]
        for box in sorted(one.boxes):
            for number, hand in enumerate(one.boxes[box], 1):  # as they lie and as a settlement counts them
                self._hand(own, "player", box, (number, hand.hand), hand.cards, hand.doubled, hand.split,
                           hand.switched, None if hand.ended < 0 else enum_name(HandEnd, hand.ended))  # fmt: skip
        for box, cards in sorted(one.switch_cards.items()):
            self._hand(own, "switch hand", box, None, cards, switched=one.chosen.get(box))
        if one.shared:
            self._hand(own, "shared", None, None, one.shared)
        if one.own:
            for box in sorted(one.own):
                self._hand(own, "dealer", box, None, one.dealer_of(box))
        else:
            self._hand(own, "dealer", None, None, one.dealer)
        self.wagers.dealt(one.record, own, row)

    def _hand(
        self,
        start: Row,
        who: str,
        position: int | None,
        number: tuple[int, int] | None,
        cards: list[DrawnCard],
        doubled: bool | None = None,
        split: bool | None = None,
        switched: bool | None = None,
        ended: str | None = None,
    ) -> None:
        down = sum(card.face is None for card in cards)
        unknown = sum(not card.known for card in cards) - down
        count = total([card.card for card in cards]) if cards and not down and not unknown and who != "shared" else None
        self._hands.append([
            *start, who, position, *(number or (None, None)), list(map(_face, cards)), down, unknown,
            *((None, None) if count is None else count), doubled, split, switched, ended,
        ])  # fmt: skip

    # ------------------------------------------------------------------------------------------------ tables
    def batches(self, device: str | None, recorded: bool) -> dict[str, pa.RecordBatch]:
        """Return the rows of each table as Arrow, without the column `path`. `recorded`: there is a table record."""
        for row in self._rounds:
            if recorded and row[-2] == NO_RECORD:
                row[-2] = NO_LINE
        margins = [
            [shoe, table, side_letter(head), source, None if card is None else card_name(card), batch, one.began,
             one.count, one.least, one.sum, one.ms_least, one.ms_sum]
            for (shoe, table, head, source, card, batch), one in self._reads.items()
        ]  # fmt: skip
        rows = {"events": self._events, "rounds": self._rounds, "hands": self._hands,
                "settlements": self.wagers.rows, "margins": margins}  # fmt: skip
        return {name: _batch(name, device, found) for name, found in rows.items() if found}


def _batch(name: str, device: str | None, rows: list[Row]) -> pa.RecordBatch:
    schema = PLAY[name].remove(0)  # the path is added by whoever knows under which name the history was found
    columns = [[device] * len(rows), *map(list, zip(*rows, strict=True))]
    arrays = [pa.array(column, kind) for column, kind in zip(columns, schema.types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _face(card: DrawnCard) -> str | None:
    return None if card.face is None else _name(card.face)


_name = cache(card_name)


@cache
def _role(role: int) -> str:
    return enum_name(Role, role)


@cache
def _place(box: int) -> tuple[str, int | None]:
    """Where a card or a hand lies: a word, and the number of a betting position."""
    named = position_name(box)
    return ("position", named) if isinstance(named, int) else (named, None)
