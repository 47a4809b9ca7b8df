"""What the shoe refused: cards while a fault stopped the game, keys; and read heads that saw nothing in a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED
from shoetool.judge.refused import STOPPING, why_refused
from shoetool.model.cards import UNKNOWN
from shoetool.model.naming import key_name
from shoetool.model.protocol_table import FaultCode, Role
from shoetool.model.records import Record
from shoetool.table.actions import DRAWN
from shoetool.table.round import Round
from shoetool.verify.context import Context, faces

_NO_USE: Final = frozenset((int(Role.STOPPED), int(Role.DISCARDED), int(Role.COUNTED)))
BLIND: Final = {FaultCode.HEAD_DIRTY: "dirty", FaultCode.HEAD_STUCK: "stuck", FaultCode.HEAD_SATURATED: "flooded"}


class Stops:
    """633a.7(a): the shoe is out of play while a fault stops it."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._said = -1
        self._blind: dict[int, tuple[Record, Round]] = {}

    def fault(self, record: Record) -> None:
        """A head went blind in a round."""
        round_ = self.ctx.table.round
        if round_ is not None and record.values[0] in BLIND:
            self._blind[record.values[0]] = (record, round_)

    def cleared(self, record: Record) -> None:
        """It sees again in the same round: what went by in between has no record."""
        fault, round_ = self._blind.pop(record.values[0], (None, None))
        if fault is None or round_ is not self.ctx.table.round:
            return
        code, head, _ = fault.values
        where = self.ctx.table.side_name(head & 1)
        text = f"the read head of {where} was {BLIND[code]}; a card that passed meanwhile was not recorded."
        self.ctx.add(reg.BLIND, CANNOT_TELL, (fault.number, record.number), text)

    def card(self, record: Record) -> None:
        """A card was drawn while a fault was latched; one accepted as unknown is the fault's own."""
        drawn = self.ctx.table.card
        if drawn is None or drawn.role in _NO_USE or drawn.card == UNKNOWN:
            return
        latched = [fault.number for code, fault in self.ctx.table.faults.items() if code in STOPPING]
        if latched:
            self._said = record.number
            text = "a card was drawn while the game was stopped and was dealt."
            self._add(BREACH, (*latched, record.number), text, faces((drawn,)))

    def refused_key(self, record: Record) -> None:
        """The shoe refused a key: which one, and what stood in its way."""
        key = record.values[4]
        why, clause = why_refused(self.ctx.table, key)
        text = f'the key "{key_name(key)}" was refused: {why}; nothing changed.'
        self.ctx.add(reg.KEYS, HANDLED, (record.number,), text, clause=clause)

    def told(self, record: Record) -> None:
        """The shoe's own report, just after the card's record."""
        round_ = self.ctx.table.round
        near = None
        if round_ is not None:
            drawn = [placed for placed in round_.placed if placed.how == DRAWN]
            near = next((placed for placed in reversed(drawn) if record.number - placed.record <= 2), None)
        # Only a card that was drawn while a fault was latched can be the one that the shoe means.
        if near is None or near.role in _NO_USE or not self.ctx.table.faults:
            text = "a card was drawn while the game was stopped; it belongs to no hand."
            self._add(HANDLED, (record.number,), text)
        elif near.record != self._said:
            text = "a card was drawn while the game was stopped and was dealt."
            self._add(BREACH, (record.number, near.record), text)

    def _add(self, verdict: str, records: tuple[int, ...], text: str, cards: Sequence[int] = ()) -> None:
        """633a.7(a); while the card reader device has failed 633a.14(k)."""
        failed = FaultCode.READER in self.ctx.table.faults
        self.ctx.add(reg.STOPPED, verdict, records, text, cards, clause="633a.14(k)" if failed else None)
