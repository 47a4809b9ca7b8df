"""Cards drawn in error: each becomes the next card that is used, 633a.14(b) and (c)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED
from shoetool.model.cards import is_ten
from shoetool.model.protocol_table import IrregularityCode, RecordKind, Role
from shoetool.model.records import Record
from shoetool.table.card import DrawnCard
from shoetool.table.hand import place
from shoetool.table.round import Round
from shoetool.verify.context import Context, faces

HELD: Final = int(Role.HELD)
HELD_CODES: Final = (IrregularityCode.DRAWN_IN_ERROR, IrregularityCode.DRAWN_IN_ERROR_EXPOSED)
_UNUSED: Final = frozenset((int(Role.HELD), int(Role.DISCARDED), int(Role.STOPPED), int(Role.COUNTED)))


@dataclass(slots=True)
class Waiting:
    """A card drawn in error until it is used."""

    card: DrawnCard
    records: list[int] = field(default_factory=list)
    exposed: bool = False
    early: bool = False
    """Seen before the opening deal was over: the clause has no rule for it."""
    passed_over: int = -1
    before_round: bool = False
    """Drawn while no round was open: nobody had pressed the deal key."""


class HeldCards:
    """Follows each held card to its use. `waiting` is empty nearly always, so the engine asks only for that."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.waiting: list[Waiting] = []
        self.told: list[Record] = []
        self.done: set[int] = set()
        """Records of the cards that a finding of this round tells of."""
        self._undealt: list[tuple[DrawnCard, list[int], Round | None]] = []
        """Cards that were drawn before their round was opened and became of use in it, until the last one has."""

    def irregularity(self, record: Record) -> None:
        """The shoe's report belongs to the held card that was drawn last and has none yet, else to the next one."""
        exposed = record.values[0] == IrregularityCode.DRAWN_IN_ERROR_EXPOSED
        for item in reversed(self.waiting):
            if exposed and not item.exposed:
                item.records.append(record.number)
                self._expose(item)
                return
            if not item.records and not exposed:
                item.records.append(record.number)
                return
        self.told.append(record)

    def _expose(self, item: Waiting) -> None:
        item.exposed = True
        round_ = self.ctx.table.round
        item.early = round_ is None or round_.hole is None

    def card(self, record: Record) -> None:
        """A card was drawn, opened or moved while one is held, or became held by this record."""
        drawn = self.ctx.table.card
        if drawn is None:
            return
        item = next((item for item in self.waiting if item.card is drawn), None)
        if item is None:
            if drawn.role == HELD:
                item = Waiting(drawn, before_round=self.ctx.table.round is None)
                self.waiting.append(item)
                told, self.told = self.told, []
                for report in told:
                    item.records.append(report.number)
                    if report.values[0] == IrregularityCode.DRAWN_IN_ERROR_EXPOSED:
                        self._expose(item)
            elif record.kind in (RecordKind.CARD, RecordKind.SEALED) and drawn.role not in _UNUSED:
                for other in self.waiting:
                    if other.passed_over < 0:
                        other.passed_over = record.number
            return
        if drawn.role == HELD:
            return  # opened where it lies: shown, or its shoe is closed
        self.waiting.remove(item)
        self._used(item, record)

    def _used(self, item: Waiting, record: Record) -> None:
        drawn = item.card
        self.done.add(drawn.record)
        records = [drawn.record, *item.records, record.number]
        check = reg.EXPOSED if item.exposed else reg.DRAWN_IN_ERROR
        if drawn.role == Role.DISCARDED and self.ctx.table.spanish and is_ten(drawn.card):
            text = "a card was drawn in error; it was a 10 and was taken out."
            self.ctx.add(check, HANDLED, records, text, faces((drawn,)))
        elif drawn.role == Role.DISCARDED and item.exposed:
            text = "a card was drawn in error and seen; no player took it, nobody could use it, and it was discarded."
            self.ctx.add(reg.DISCARDED, HANDLED, records, text, faces((drawn,)))
        elif drawn.role == Role.DISCARDED:
            text = "a card drawn in error that nobody had seen was discarded and not used as the next card."
            self.ctx.add(check, BREACH, records, text, faces((drawn,)))
        elif item.passed_over >= 0:
            text = "another card was dealt before the one that had been drawn in error."
            self.ctx.add(check, BREACH, [*records, item.passed_over], text, faces((drawn,)))
        elif item.early:
            text = (
                f"a card drawn in error was seen before the opening deal was over and went to {place(drawn.box)}; "
                "the clause has no rule for that: the floorperson decides."
            )
            self.ctx.add(check, CANNOT_TELL, records, text, faces((drawn,)))
        elif item.exposed:
            text = f"a card was drawn in error and seen; it {_went(drawn)} as the next card."
            self.ctx.add(check, HANDLED, records, text, faces((drawn,)))
        else:
            if not item.before_round:
                self.tell()
            self._undealt.append((drawn, records, self.ctx.table.round))
            if not (item.before_round and any(other.before_round for other in self.waiting)):
                self.tell()

    def tell(self) -> None:
        """Cards in a row that were drawn before the round was opened are one slip: the deal key came late."""
        undealt, self._undealt = self._undealt, []
        if not undealt:
            return
        drawn = [card for card, _, _ in undealt]
        records = [number for _, numbers, _ in undealt for number in numbers]
        text = f"a card was drawn in error and not seen; it {_went(drawn[0])} as the next card."
        if len(undealt) > 1:
            went = ", ".join(f"one {_went(card)}" for card in drawn)
            text = f"{len(undealt)} cards were drawn before the deal key was pressed, unseen; as the next cards {went}."
        self.ctx.add(reg.DRAWN_IN_ERROR, HANDLED, records, text, faces(drawn), undealt[0][2])

    def round_closed(self, round_: Round) -> None:
        """An exposed card cannot wait for another round: nobody could use it and it was not discarded."""
        for item in [item for item in self.waiting if item.exposed and not item.early]:
            self.waiting.remove(item)
            text = "a card drawn in error and seen was neither used nor discarded in its round."
            self.ctx.add(reg.DISCARDED, BREACH, [item.card.record, *item.records], text, faces((item.card,)), round_)

    def lost(self) -> None:
        """Records are missing: what became of the cards that wait is not known."""
        self.tell()
        self.waiting.clear()

    def end(self, over: bool) -> None:
        """The shoe is closed or the history ends; `over`: no round is left in which a card could still be used."""
        self.tell()
        if not over:
            return
        for item in self.waiting:
            text = "a card was drawn in error; this history does not show where it went."
            check = reg.EXPOSED if item.exposed else reg.DRAWN_IN_ERROR
            self.ctx.add(check, CANNOT_TELL, [item.card.record, *item.records], text, faces((item.card,)))
        for record in self.told:
            text = "the shoe reported a card drawn in error; its records show none."
            self.ctx.add(reg.UNEXPLAINED, CANNOT_TELL, (record.number,), text)
        self.waiting.clear()
        self.told.clear()


def _went(drawn: DrawnCard) -> str:
    """What became of a card, in words."""
    if drawn.role == Role.DETERMINANT_ASIDE:
        return "became the determinant card"
    return "was burned" if drawn.role == Role.BURN else f"went to {place(drawn.box)}"
