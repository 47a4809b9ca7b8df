"""One card that left the shoe."""

from __future__ import annotations

from typing import Any, Final

from shoetool.model.cards import card_name
from shoetool.model.naming import enum_name, position_name, side_letter
from shoetool.model.protocol_table import Role

FACE_DOWN: Final = -1
"""`DrawnCard.card` while the card lies face down and was not opened: its face is nowhere in the history yet."""


class DrawnCard:
    """One card that left the shoe. `card` is 0..51, UNKNOWN (63) or FACE_DOWN (-1).

    `record` is where it was drawn, `placed` the record that gave it its present place (it differs from `record` when a
    card drawn in error was used later), `opened` the record that turned it (-1: never, or it was never face down).
    """

    __slots__ = ("batch", "box", "card", "hand", "head", "opened", "placed", "record", "role", "sealed")

    def __init__(
        self, record: int, role: int, box: int, hand: int, head: int, card: int, batch: int, sealed: bool
    ) -> None:
        self.record = record
        self.role = role
        self.box = box
        self.hand = hand
        self.head = head
        self.card = card
        self.batch = batch
        self.sealed = sealed
        self.placed = record
        self.opened = -1

    @property
    def face(self) -> int | None:
        """What can be seen of it: None while it lies face down."""
        return None if self.card == FACE_DOWN else self.card

    @property
    def known(self) -> bool:
        """Whether the history tells the face."""
        return 0 <= self.card < 52

    def to_json(self) -> dict[str, Any]:
        """JSON types only; `card` is null while the card lies face down, `unknown` when it could not be read."""
        return {
            "record": self.record,
            "role": enum_name(Role, self.role),
            "position": position_name(self.box),
            "hand": self.hand,
            "side": side_letter(self.head),
            "card": None if self.card == FACE_DOWN else card_name(self.card),
            "face_down": self.card == FACE_DOWN,
            "dealt_face_down": self.sealed,
        }
