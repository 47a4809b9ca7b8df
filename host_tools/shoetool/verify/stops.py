"""Cards that came while a fault stopped the game."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import FAULTS, RecordKind, Role
from shoetool.model.records import Record
from shoetool.verify import registry as reg
from shoetool.verify.context import Context, faces
from shoetool.verify.findings import BREACH, HANDLED

_NO_USE: Final = frozenset((int(Role.STOPPED), int(Role.DISCARDED), int(Role.COUNTED)))
_STOPPING: Final = frozenset(code for code, row in FAULTS.items() if row["stop"])
_DRAWN: Final = (int(RecordKind.CARD), int(RecordKind.SEALED))


class Stops:
    """633a.7(a): the shoe is out of play while a fault stops it."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._said = -1

    def card(self, record: Record) -> None:
        """A card was drawn while a fault was latched; one accepted as unknown is the fault's own."""
        drawn = self.ctx.state.card
        if drawn is None or drawn.role in _NO_USE or drawn.card == UNKNOWN:
            return
        latched = [fault.number for code, fault in self.ctx.state.faults.items() if code in _STOPPING]
        if latched:
            self._said = record.number
            text = "a card was drawn while the game was stopped and was dealt."
            self.ctx.add(reg.STOPPED, BREACH, (*latched, record.number), text, faces((drawn,)))

    def told(self, record: Record) -> None:
        """The shoe's own report, just after the card's record."""
        round_ = self.ctx.state.round
        near = None
        if round_ is not None:
            drawn = [step for step in round_.steps if step[1] is not None and step[0].kind in _DRAWN]
            near = next((step for step in reversed(drawn) if record.number - step[0].number <= 2), None)
        # Only a card that was drawn while a fault was latched can be the one that the shoe means.
        if near is None or near[2] in _NO_USE or not self.ctx.state.faults:
            text = "a card was drawn while the game was stopped; it belongs to no hand."
            self.ctx.add(reg.STOPPED, HANDLED, (record.number,), text)
        elif near[0].number != self._said:
            text = "a card was drawn while the game was stopped and was dealt."
            self.ctx.add(reg.STOPPED, BREACH, (record.number, near[0].number), text)
