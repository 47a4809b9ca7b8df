"""The ground truth of a simulated shoe, and the same cards as a history shows them, to compare one with the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import RecordKind, Role
from shoetool.model.records import Record
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round
from shoetool.table.stream import Stream

from shoesim.piles import Item
from shoesim.plants import Happened

_DRAWN: Final = (RecordKind.CARD, RecordKind.SEALED)


class TrueCard(DrawnCard):
    """A card that was drawn and counts as drawn: what it is and what became of it in the end.

    `shown` is the card id that a truthful history holds: the card itself, or UNKNOWN when it could not be read.
    """

    __slots__ = ("face_down", "round", "shown")

    def __init__(
        self, record: int, place: tuple[Role, int, int], item: Item, head: int, round_: int, face_down: bool = False
    ) -> None:
        super().__init__(record, *place, head, item.card, item.batch, face_down)
        self.round = round_
        self.shown = UNKNOWN if item.damaged else item.card
        self.face_down = face_down


@dataclass(slots=True)
class Truth:
    """All that really happened: every card in the order drawn, cover cards, plants, rounds and shoes."""

    seed: int
    cards: list[TrueCard] = field(default_factory=list)
    cover_after: list[tuple[int, int]] = field(default_factory=list)  # (head, cards drawn before)
    plants: list[Happened] = field(default_factory=list)
    rounds: int = 0
    shoes: int = 0
    blanks: int = 0
    played: list[Round] = field(default_factory=list)  # the rounds, as he played them
    peeks: list[tuple[int, int]] = field(default_factory=list)  # (round, enum.peek) that the reader answered


def first_difference(truth: Truth, records: Iterable[Record]) -> str | None:
    """Return a sentence on the first card in which a history differs from the truth; None when all agree.

    Compared is what became of each card in the end: openings, moves, splits and switches are taken into account.
    """
    machine = Stream()
    shown = [card for record in records if (card := machine.feed(record).card) and record.kind in _DRAWN]
    for index, (real, seen) in enumerate(zip(truth.cards, shown, strict=False)):
        face, meaning = _face(seen.head, seen.card, seen.batch), (seen.role, seen.box, seen.hand)
        where = f"card {index} (round {real.round})"
        if (drawn := _face(real.head, real.shown, real.batch)) != face:
            return f"{where}: drawn {drawn}, shown {face} in record {seen.record}"
        if (real.role, real.box, real.hand) != meaning:
            role = Role(real.role).name.lower()
            return f"{where} is {role} of box {real.box} hand {real.hand}, shown as {meaning} in record {seen.record}"
    if len(truth.cards) != len(shown):
        return f"{len(truth.cards)} cards were drawn, {len(shown)} are shown"
    return None


def _face(head: int, card: int, batch: int) -> tuple[int, int, int]:
    """What a history must show of a card whatever its meaning; the batch of an unknown one counts for nothing."""
    return head, card, batch if card != UNKNOWN else 0
