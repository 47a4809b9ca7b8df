"""Blackjack Switch, 633a.12(a): the exchange of second cards."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import HandEnd
from shoetool.model.records import Record
from shoetool.table.round import Round
from shoetool.verify import registry_variations as reg
from shoetool.verify.context import Context, faces
from shoetool.verify.findings import BREACH
from shoetool.verify.seat import Seat

NO_SURRENDER: Final = "633a.12(a)(4)"
_UNDECIDED: Final = (-1, HandEnd.BLACKJACK)


def check_switch(ctx: Context, round_: Round, record: Record, seats: dict[int, Seat], row: list[Seat]) -> None:
    """633a.12(a)(4): in its turn a position exchanges the second cards of its hands before it decides anything else.

    `row`: the hands of the round as they are in turn. Carries the exchange out when there is anything to exchange.
    """
    box = record.values[0]
    hands = [seats[key] for key in (box << 8, box << 8 | 1) if key in seats]
    mine = [card for seat in hands for card in seat.cards]
    wrong = None
    if len(hands) < 2 or any(len(seat.cards) != 2 for seat in hands):
        wrong = "had not two cards in each of two hands"
    elif any(seat.switched for seat in hands):
        wrong = "switched twice"
    elif any(seat.doubled >= 0 or seat.split or seat.ended not in _UNDECIDED for seat in hands):
        wrong = "switched after another decision"
    elif any(seat.box < box and seat.ended < 0 and not seat.waits for seat in row):
        wrong = "switched before its turn"
    if wrong:
        ctx.add(reg.SWITCH, BREACH, (record.number,), f"position {box} {wrong}.", faces(mine), round_)
    if len(hands) == 2 and all(len(seat.cards) > 1 for seat in hands):
        first, second = hands
        _exchange(first, second)
        for seat in hands:
            seat.switched = True
            seat.ended = seat.end_record = -1


def _exchange(first: Seat, second: Seat) -> None:
    kept = [seat.cards[2:] for seat in (first, second)]
    one, two = first.cards[1], second.cards[1]
    for seat, card, rest in ((first, two, kept[0]), (second, one, kept[1])):
        for gone in seat.cards[1:]:
            seat.give(gone)
        for new in (card, *rest):
            seat.take(new)
