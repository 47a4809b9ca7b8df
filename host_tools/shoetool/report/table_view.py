"""The part of a table that is drawn: what lies on it after the last record, its last round, lamps and remarks.

A card that lies face down has no face here, because its record carries none.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from shoetool.judge.refused import why_refused
from shoetool.model.naming import key_name
from shoetool.model.protocol_table import (
    FAULTS,
    IRREGULARITYS,
    Finish,
    HandEnd,
    IrregularityCode,
    Lamp,
    Margin,
    Position,
    RecordKind,
    Role,
)
from shoetool.model.records import Record
from shoetool.report.sentences import hand_end, irregularity_sentence, opening_letter, sentence, side_name
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND, Hand
from shoetool.table.round import Round
from shoetool.table.side import Side
from shoetool.table.stream import Stream

NOTES_KEPT: Final = 4
ENDINGS: Final[dict[int, str]] = {int(end): hand_end(end) for end in HandEnd}
_NO_USE: Final = (Role.STOPPED, Role.DISCARDED)
_PLACED: Final = (RecordKind.CARD, RecordKind.SEALED, RecordKind.OPENED, RecordKind.MOVED)


class TableView:
    """The table as the records so far describe it. Call `feed` with the records in order; it never fails."""

    def __init__(self) -> None:
        """Start with an empty table: no shoe, no round, no fault."""
        self._stream = Stream()
        self.table = self._stream.table
        self.clean_soon: set[int] = set()
        """Read heads that must be cleaned soon."""
        self._clear_shoe()

    def _clear_shoe(self) -> None:
        self.notes: deque[str] = deque(maxlen=NOTES_KEPT)
        self.burned = 0
        self.burn_shown = False
        self.segregated: set[int] = set()
        """Records of the cards that lie in the segregated place of a double shoe."""
        self.set_aside: list[DrawnCard] = []
        """Useless cards since the round was opened: drawn while the game was stopped, of another batch, or 10s in
        Spanish 21."""
        self._refused: dict[int, str] = {}
        """The sentences of the refused keys since the round was opened, by their records."""
        self.round: Round | None = None
        """The open round, else the last one of the shoe."""
        self.peek = -1
        """The card reader device's last answer in the round: enum.peek; -1 for none."""

    # ------------------------------------------------------------------------------------------------ what is drawn
    @property
    def round_open(self) -> bool:
        """Whether a round is under way."""
        return self.table.round is not None

    @property
    def shoe_closed(self) -> bool:
        """Whether the last opened shoe was closed."""
        return bool(self.table.shoes) and not self.table.shoe_open

    @property
    def boxes(self) -> list[int]:
        """The betting positions to draw: those with a wager, and any that holds a card without one."""
        if self.round is None:
            return []
        return sorted({*self.round.seat_list(), *self.round.boxes, *self.round.switch_cards} & set(range(1, 8)))

    def hands_of(self, box: int) -> list[Hand]:
        """Return the hands of a betting position, leftmost first, switch hands cards last. One empty hand if none."""
        if self.round is None:
            return [Hand(box, 0)]
        hands = list(self.round.boxes.get(box, ()))
        aside = Hand(box, SWITCH_HAND)
        aside.cards = [
            card for card in self.round.switch_cards.get(box, ()) if (card.box, card.hand) == (box, SWITCH_HAND)
        ]
        return [*hands, *([aside] if aside.cards else ())] or [Hand(box, 0)]

    @property
    def dealer(self) -> list[DrawnCard]:
        """The dealer's hand."""
        return [] if self.round is None else self.round.dealer

    @property
    def held(self) -> list[DrawnCard]:
        """Cards that were drawn in error and wait for their use."""
        return self.table.held

    @property
    def hand_in_turn(self) -> Hand | None:
        """The hand that plays, once the opening deal is out; None at other times."""
        round_ = self.table.round
        return None if round_ is None or round_.hole is None else round_.in_turn()

    @property
    def sides(self) -> dict[int, Side]:
        """The sides of the shoe about which something is known. For an empty table, side A."""
        return self._known() or {0: self.table.sides[0]}

    def _known(self) -> dict[int, Side]:
        return {index: side for index, side in enumerate(self.table.sides) if side.load_record >= 0 or side.drawn}

    @property
    def stopped(self) -> bool:
        """Whether a latched fault engages the card stop."""
        return any(FAULTS.get(code, {}).get("stop", True) for code in self.table.faults)

    @property
    def last_round(self) -> bool:
        """Whether a cover card is out on a side that is not finished: this round is that side's last, 633a.7(e)."""
        return any(cover_out(side) and side.finished < 0 for side in self.table.sides)

    @property
    def lamps(self) -> set[int]:
        """The lamps that the records imply: enum.lamp."""
        lit: set[int] = set()
        if self.clean_soon:
            lit.add(Lamp.CLEAN)
        if self.stopped:
            lit.add(Lamp.STOP)
        if self.shoe_closed:
            return lit
        if self.last_round:
            lit.add(Lamp.COVER)
        if self.table.round is not None and self.table.round.side >= 0:
            lit.add(Lamp.DEAL_B if self.table.round.side else Lamp.DEAL_A)
        if not self.round_open and not self.stopped and any(side.finished < 0 for side in self._known().values()):
            lit.add(Lamp.READY)
        return lit

    def sentence(self, record: Record) -> str:
        """Return one line for a record that was folded in, a refused key with the rule that refused it."""
        return self._refused.get(record.number) or sentence(record)

    # ------------------------------------------------------------------------------------------------------ the fold
    def feed(self, record: Record) -> None:
        """Fold one record into the table."""
        table = self._stream.feed(record)
        self.round = table.round or table.closed_round or self.round
        if table.card is not None and record.kind in _PLACED:
            self._placed(record, table.card)
        elif record.kind == RecordKind.SHOE_OPENED:
            self._clear_shoe()  # faults stay: they are latched until the supervisor clears them
        elif record.kind == RecordKind.ROUND_OPENED:
            self.burn_shown = False
            self.set_aside.clear()
            self._refused.clear()
            self.peek = -1
            self.notes.clear()
        elif record.kind == RecordKind.PEEK:
            self.peek = record.values[0]
        elif record.kind == RecordKind.COVER_CARD:
            self.notes.append("The cover card is out: this round is the last of its side.")
        elif record.kind == RecordKind.IRREGULARITY:
            self._irregular(record)
        elif record.kind == RecordKind.BOOT:
            self.clean_soon.clear()  # a head that still needs cleaning is reported again
        elif record.kind == RecordKind.CALIBRATED:
            self.clean_soon.discard(record.values[0])
        elif record.kind == RecordKind.MARGIN:
            self._margin(record.get("head", 0), record.get("why", -1))

    def _irregular(self, record: Record) -> None:
        code, box, _, _, detail = record.values
        clause = IRREGULARITYS.get(code, {}).get("clause", "?")
        text = irregularity_sentence(code, box)
        if code == IrregularityCode.WRONG_KEY:
            why, clause = why_refused(self.table, detail)
            text = f'The key "{key_name(detail)}" was refused: {why}'
            self._refused[record.number] = f"{text} ({clause}). Nothing changed."
        self.notes.append(f"{clause} · {opening_letter(text, upper=False)}")

    def _placed(self, record: Record, card: DrawnCard) -> None:
        """Handle a card that came to its place: keep those that lie beside the game."""
        if card in self.set_aside:
            self.set_aside.remove(card)
        if card.role in _NO_USE and card.box == Position.NONE:
            self.set_aside.append(card)
        if card.role == Role.BURN and record.kind != RecordKind.OPENED:
            self.burned += 1
            self.burn_shown = True
        if card.box == Position.SEGREGATED:
            self.segregated.add(card.record)
        else:
            self.segregated.discard(card.record)

    def _margin(self, head: int, why: int) -> None:
        if why == Margin.CLEAN_SOON:
            self.clean_soon.add(head)
            self.notes.append(f"clean {side_name(head)} soon, before it fails")
        elif why == Margin.CLEAN:
            self.clean_soon.discard(head)


def cover_out(side: Side) -> bool:
    """Whether the cover card of a side is out. If the side is finished, the cover card must have finished it."""
    return side.cover_record >= 0 and (side.finished < 0 or side.finish_why == Finish.COVER_CARD)
