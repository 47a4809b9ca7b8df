"""Cards drawn in error: each becomes the next card that is used, 633a.14(b) and (c)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import CANNOT_TELL, HANDLED, Objection
from shoetool.model.cards import is_ten
from shoetool.model.protocol_table import IrregularityCode, Role
from shoetool.table.actions import Reported
from shoetool.table.card import DrawnCard
from shoetool.table.hand import place
from shoetool.table.round import Round
from shoetool.table.table import Table

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
    """Follows each held card to its use. `waiting` is empty nearly always, so the judge looks at that first."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.waiting: list[Waiting] = []
        self.told: list[Reported] = []
        self.done: set[int] = set()
        """Records of the cards that an objection of this round tells of."""
        self._undealt: list[tuple[DrawnCard, list[int], Round | None]] = []
        """Cards that were drawn before their round was opened and became of use in it, until the last one has."""

    def irregularity(self, report: Reported) -> None:
        """The shoe's report belongs to the held card that was drawn last and has none yet, else to the next one."""
        exposed = report.code == IrregularityCode.DRAWN_IN_ERROR_EXPOSED
        for item in reversed(self.waiting):
            if exposed and not item.exposed:
                item.records.append(report.record)
                self._expose(item)
                return
            if not item.records and not exposed:
                item.records.append(report.record)
                return
        self.told.append(report)

    def _expose(self, item: Waiting) -> None:
        item.exposed = True
        round_ = self.table.round
        item.early = round_ is None or round_.hole is None

    def card(self, drawn: DrawnCard, record: int) -> Iterator[Objection]:
        """Record `record` drew, opened or moved a card while one is held, or one became held by it."""
        item = next((item for item in self.waiting if item.card is drawn), None)
        if item is None:
            if drawn.role == HELD:
                item = Waiting(drawn, before_round=self.table.round is None)
                self.waiting.append(item)
                told, self.told = self.told, []
                for report in told:
                    item.records.append(report.record)
                    if report.code == IrregularityCode.DRAWN_IN_ERROR_EXPOSED:
                        self._expose(item)
            elif drawn.record == record and drawn.role not in _UNUSED:
                for other in self.waiting:
                    if other.passed_over < 0:
                        other.passed_over = record
            return
        if drawn.role == HELD:
            return  # opened where it lies: shown, or its shoe is closed
        self.waiting.remove(item)
        yield from self._used(item, record)

    def _used(self, item: Waiting, record: int) -> Iterator[Objection]:
        drawn = item.card
        self.done.add(drawn.record)
        records = [drawn.record, *item.records, record]
        check = reg.EXPOSED if item.exposed else reg.DRAWN_IN_ERROR
        ten = drawn.role == Role.DISCARDED and self.table.spanish and is_ten(drawn.card)
        if drawn.role == Role.DISCARDED and item.exposed and not ten:
            text = "a card was drawn in error and seen; no player took it, nobody could use it, and it was discarded."
            yield Objection(reg.DISCARDED, text, records, (drawn,), verdict=HANDLED)
        elif drawn.role == Role.DISCARDED and not ten:
            text = "a card drawn in error that nobody had seen was discarded and not used as the next card."
            yield Objection(check, text, records, (drawn,))
        elif item.passed_over >= 0 and not ten:
            text = "another card was dealt before the one that had been drawn in error."
            yield Objection(check, text, [*records, item.passed_over], (drawn,))
        elif item.early and not ten:
            text = (
                f"a card drawn in error was seen before the opening deal was over and went to {place(drawn.box)}; "
                "the clause has no rule for that: the floorperson decides."
            )
            yield Objection(check, text, records, (drawn,), verdict=CANNOT_TELL)
        elif item.exposed:
            text = f"a card was drawn in error and seen; it {_alone(drawn)}."
            yield Objection(check, text, records, (drawn,), verdict=HANDLED)
        else:
            if not item.before_round:
                yield from self.tell()
            self._undealt.append((drawn, records, self.table.round))
            if not (item.before_round and any(other.before_round for other in self.waiting)):
                yield from self.tell()

    def tell(self) -> Iterator[Objection]:
        """Cards in a row that were drawn before the round was opened are one slip: the deal key came late."""
        undealt, self._undealt = self._undealt, []
        if not undealt:
            return
        drawn = [card for card, _, _ in undealt]
        records = [number for _, numbers, _ in undealt for number in numbers]
        text = f"a card was drawn in error and not seen; it {_alone(drawn[0])}."
        if len(undealt) > 1:
            went = ", ".join(f"one {_went(card)}" for card in drawn)
            text = f"{len(undealt)} cards were drawn before the deal key was pressed, unseen; as the next cards {went}."
        yield Objection(reg.DRAWN_IN_ERROR, text, records, drawn, None, HANDLED, undealt[0][2])

    def round_closed(self) -> Iterator[Objection]:
        """An exposed card cannot wait for another round: nobody could use it and it was not discarded."""
        for item in [item for item in self.waiting if item.exposed and not item.early]:
            self.waiting.remove(item)
            text = "a card drawn in error and seen was neither used nor discarded in its round."
            yield Objection(reg.DISCARDED, text, [item.card.record, *item.records], (item.card,))
        self.done.clear()

    def lost(self) -> Iterator[Objection]:
        """Records are missing: what became of the cards that wait is not known."""
        yield from self.tell()
        self.waiting.clear()

    def end(self, over: bool) -> Iterator[Objection]:
        """The shoe is closed or the history ends; `over`: no round is left in which a card could still be used."""
        yield from self.tell()
        if not over:
            return
        for item in self.waiting:
            text = "a card was drawn in error; this history does not show where it went."
            check = reg.EXPOSED if item.exposed else reg.DRAWN_IN_ERROR
            yield Objection(check, text, [item.card.record, *item.records], (item.card,), verdict=CANNOT_TELL)
        for report in self.told:
            text = "the shoe reported a card drawn in error; its records show none."
            yield Objection(reg.UNEXPLAINED, text, (report.record,), verdict=CANNOT_TELL)
        self.waiting.clear()
        self.told.clear()


def _alone(drawn: DrawnCard) -> str:
    return _went(drawn) + ("" if drawn.role == Role.DISCARDED else " as the next card")


def _went(drawn: DrawnCard) -> str:
    """What became of a card, in words."""
    if drawn.role == Role.DISCARDED:
        return "was a 10 and was taken out"
    if drawn.role == Role.DETERMINANT_ASIDE:
        return "became the determinant card"
    return "was burned" if drawn.role == Role.BURN else f"went to {place(drawn.box)}"
