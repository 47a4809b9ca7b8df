"""What the shoe refused: cards while a fault stopped the game, keys; and read heads that saw nothing in a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Objection
from shoetool.judge.refused import STOPPING, why_refused
from shoetool.model.cards import UNKNOWN
from shoetool.model.naming import key_name
from shoetool.model.protocol_table import FaultCode, Role
from shoetool.table.actions import DRAWN, Cleared, Faulted, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round
from shoetool.table.table import Table

_NO_USE: Final = frozenset((int(Role.STOPPED), int(Role.DISCARDED), int(Role.COUNTED)))
BLIND: Final[dict[int, str]] = {
    FaultCode.HEAD_DIRTY: "dirty",
    FaultCode.HEAD_STUCK: "stuck",
    FaultCode.HEAD_SATURATED: "flooded",
}


class Stops:
    """633a.7(a): the shoe is out of play while a fault stops it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._said = -1
        self._blind: dict[int, tuple[Faulted, Round]] = {}

    def fault(self, fault: Faulted) -> None:
        """A head went blind in a round."""
        round_ = self.table.round
        if round_ is not None and fault.code in BLIND:
            self._blind[fault.code] = (fault, round_)

    def cleared(self, cleared: Cleared) -> Iterator[Objection]:
        """It sees again in the same round: what went by in between has no record."""
        fault, round_ = self._blind.pop(cleared.code, (None, None))
        if fault is None or round_ is not self.table.round:
            return
        where = self.table.side_name(fault.head)
        text = f"the read head of {where} was {BLIND[fault.code]}; a card that passed meanwhile was not recorded."
        yield Objection(reg.BLIND, text, (fault.record, cleared.record), verdict=CANNOT_TELL)

    def card(self, drawn: DrawnCard, record: int) -> Iterator[Objection]:
        """Record `record` drew a card while a fault was latched; one accepted as unknown is the fault's own."""
        if drawn.role in _NO_USE or drawn.card == UNKNOWN:
            return
        latched = [fault.number for code, fault in self.table.faults.items() if code in STOPPING]
        if latched:
            self._said = record
            text = "a card was drawn while the game was stopped and was dealt."
            yield self._stopped(BREACH, (*latched, record), text, (drawn,))

    def refused_key(self, report: Reported) -> Iterator[Objection]:
        """The shoe refused a key: which one, and what stood in its way."""
        key = report.detail
        why, clause = why_refused(self.table, key)
        text = f'the key "{key_name(key)}" was refused: {why}; nothing changed.'
        yield Objection(reg.KEYS, text, (report.record,), (), clause, HANDLED)

    def told(self, report: Reported) -> Iterator[Objection]:
        """The shoe's own report, just after the card's record."""
        round_ = self.table.round
        near = None
        if round_ is not None:
            drawn = [placed for placed in round_.placed if placed.how == DRAWN]
            near = next((placed for placed in reversed(drawn) if report.record - placed.record <= 2), None)
        # Only a card that was drawn while a fault was latched can be the one that the shoe means.
        if near is None or near.role in _NO_USE or not self.table.faults:
            text = "a card was drawn while the game was stopped; it belongs to no hand."
            yield self._stopped(HANDLED, (report.record,), text)
        elif near.record != self._said:
            text = "a card was drawn while the game was stopped and was dealt."
            yield self._stopped(BREACH, (report.record, near.record), text)

    def _stopped(self, verdict: str, records: tuple[int, ...], text: str, cards: Sequence[DrawnCard] = ()) -> Objection:
        """633a.7(a); while the card reader device has failed 633a.14(k)."""
        failed = FaultCode.READER in self.table.faults
        return Objection(reg.STOPPED, text, records, cards, "633a.14(k)" if failed else None, verdict)
