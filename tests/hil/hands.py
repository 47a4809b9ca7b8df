"""A hand at a shoe in play: pulls one thing after the other and looks what the records say of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from bench import records_since
from shoesim.passes import HAND
from shoesim.piles import Item
from shoesim.pull import NOMINAL, Profile, pull
from shoetool.client.client import Client
from shoetool.model.protocol_table import Clear, Key, Lamp, RecordKind, Role
from shoetool.model.records import Record

BATCH = 1
TWOS = (1, 14, 27, 40)  # ids; a hand takes many of them
_NAMED = {RecordKind.IRREGULARITY: "code", RecordKind.FAULT: "code", RecordKind.CLEARED: "code",
          RecordKind.CARD: "card", RecordKind.SEALED: "role"}  # fmt: skip


class Hands:
    """`shoe` is of either bench, and ready; `start` brings it to the first decision of box 1."""

    def __init__(self, shoe: Any, client: Client, seed: int) -> None:
        self.shoe = shoe
        self.client = client
        self.rng = np.random.default_rng(seed)
        self.seen = client.status().next_record

    def start(self) -> None:
        """Load, burn and deal one hand: box 1 has 2 and 3, the dealer a 9 up."""
        self.shoe.key(Key.LOAD, 0)
        self.shoe.draw(0, Item(30, BATCH))
        self.shoe.key(Key.SEATS, 1)
        self.shoe.key(Key.DEAL)
        for card in (1, 8, 2, 12):
            self.shoe.draw(0, Item(card, BATCH))
        self.news()

    def pull(self, kind: str = "card", card: int = TWOS[0], batch: int = BATCH, profile: Profile = HAND) -> None:
        """Pull one thing through head A."""
        start = self.shoe.now_us + self.shoe.gap_us
        changes, end = pull(card, batch, 0, start, self.rng, NOMINAL, profile, kind=kind)
        self.shoe.feed(0, changes, end)

    def news(self) -> list[Record]:
        """Records since the last call, but for those of a head's margin, which are no matter of the cards."""
        self.shoe.lamps()
        found = records_since(self.client, self.seen)
        if found:
            self.seen = found[-1].number + 1
        return [record for record in found if record.kind != RecordKind.MARGIN]

    def stopped(self) -> bool:
        """Whether card stop and stop lamp say that the game is stopped; they always agree."""
        lamps = self.shoe.lamps()
        assert lamps.card_stop == bool(lamps.mask >> Lamp.STOP & 1)
        return lamps.card_stop

    def clear(self, how: Clear) -> list[Record]:
        """The supervisor goes on."""
        self.shoe.key(Key.SUPERVISOR, int(how))
        assert not self.stopped()
        return self.news()

    def draws(self, card: int) -> None:
        """The next readable pass is the card of box 1."""
        self.pull(card=card)
        found = self.news()
        assert brief(found) == [(RecordKind.CARD, card)]
        (record,) = found
        assert (record.get("role"), record.get("box"), record.get("batch")) == (Role.DRAW, 1, BATCH)


def brief(records: list[Record]) -> list[tuple[RecordKind, int]]:
    """(kind, what it says): the code of an irregularity or fault, the card of a card, the role of a sealed one."""
    return [(RecordKind(r.kind), int(r.get(_NAMED.get(RecordKind(r.kind), "")) or 0)) for r in records]
