"""The shoe's own totals, in `finished` and `shoe_closed`, against what its records add up to."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH
from shoetool.model.naming import many
from shoetool.model.protocol_table import Role
from shoetool.model.records import Record
from shoetool.verify.context import Context

_MOST: Final = 0xFFFF


class Totals:
    """Called for the records that carry a total, after the replay has folded them."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def finished(self, record: Record) -> None:
        """Cards that came out of the side since it was loaded, 10s of Spanish 21 and foreign cards apart."""
        index, _, told = record.values
        table = self.ctx.table
        if index > 1 or not table.shoes or table.gap:
            return
        side = table.sides[index]
        if not side.loaded or side.refilled:
            return
        # Whether a card that passed while the game was stopped is of this batch shows only when it is opened.
        open_ = sum(1 for drawn in table.face_down.values() if drawn.head == index and drawn.role == Role.STOPPED)
        if not side.drawn - open_ <= told <= side.drawn:
            text = f"{table.side_name(index)} was finished with {many(told, 'card')} out; its records have "
            self.ctx.add(reg.TOTALS, BREACH, (side.load_record, record.number), f"{text}{side.drawn}.")

    def shoe_closed(self, record: Record) -> None:
        """Rounds and cards of the whole history."""
        _, rounds, cards = record.values
        table = self.ctx.table
        if not table.shoes or table.gap:
            return
        have = (min(_MOST, table.shoe_rounds), min(_MOST, table.shoe_cards))
        if (rounds, cards) != have:
            text = f"the shoe was closed with {many(rounds, 'round')} and {many(cards, 'card')}; "
            text += f"its records have {many(have[0], 'round')} and {many(have[1], 'card')}."
            self.ctx.add(reg.TOTALS, BREACH, (table.shoe_record, record.number), text)
