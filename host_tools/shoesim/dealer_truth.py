"""The ground truth of a simulated shoe, and the same cards as a history shows them, to compare one with the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import RecordKind, Role

from shoesim.plants import Happened


@dataclass(slots=True)
class TrueCard:
    """A card that was drawn and counts as drawn: what it is and what became of it in the end.

    `shown` is the card id that a truthful history holds: the card itself, or UNKNOWN when it could not be read.
    """

    head: int
    card: int
    batch: int
    role: Role
    box: int
    hand: int
    round: int
    shown: int
    face_down: bool = False

    @property
    def face(self) -> tuple[int, int, int]:
        """What a history must show of it whatever its meaning: (head, card id, batch)."""
        return self.head, self.shown, self.batch if self.shown != UNKNOWN else 0

    @property
    def meaning(self) -> tuple[int, int, int]:
        """What became of it: (role, box, hand)."""
        return int(self.role), self.box, self.hand


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
    peeks: list[tuple[int, int]] = field(default_factory=list)  # (round, enum.peek) that the reader answered


@dataclass(slots=True)
class ShownCard:
    """A card as a history shows it; a sealed card has no face until it is opened."""

    number: int
    head: int
    card: int | None
    batch: int | None
    role: int
    box: int
    hand: int

    @property
    def face(self) -> tuple[int, int | None, int | None]:
        """(head, card id, batch): the batch of an unknown card counts for nothing."""
        return self.head, self.card, self.batch if self.card != UNKNOWN else 0

    @property
    def meaning(self) -> tuple[int, int, int]:
        """(role, box, hand) after all later records about this card."""
        return self.role, self.box, self.hand


def shown_cards(records: Iterable[tuple[int, int, Sequence[int | bytes]]]) -> list[ShownCard]:
    """Collect the cards of a history from (record number, kind, values), in the order they were drawn.

    `values` are in the field order of the protocol source. Openings and moves are applied to the card they name, a
    split takes the later card of its hand along. Raises KeyError when one names a card that is not there.
    """
    found: dict[int, ShownCard] = {}
    for number, kind, values in records:
        numbers = [value if isinstance(value, int) else -1 for value in values]
        if kind == RecordKind.CARD:
            role, box, hand, head, card, batch = numbers[:6]
            found[number] = ShownCard(number, head, card, batch, role, box, hand)
        elif kind == RecordKind.SEALED:
            role, box, hand, head = numbers[:4]
            found[number] = ShownCard(number, head, None, None, role, box, hand)
        elif kind == RecordKind.OPENED:
            sealed, role, box, hand, card, batch = numbers[:6]
            shown = found[sealed]
            shown.role, shown.box, shown.hand, shown.card, shown.batch = role, box, hand, card, batch
        elif kind == RecordKind.MOVED:
            reference, role, box, hand = numbers[:4]
            shown = found[reference]
            shown.role, shown.box, shown.hand = role, box, hand
        elif kind == RecordKind.SPLIT:
            box, hand, new_hand = numbers[:3]
            _second(found.values(), box, hand).hand = new_hand
        elif kind == RecordKind.SWITCHED:
            first, other = (_second(found.values(), numbers[0], hand) for hand in (0, 1))
            first.hand, other.hand = 1, 0
    return list(found.values())


def _second(cards: Iterable[ShownCard], box: int, hand: int) -> ShownCard:
    """The card that came last to a hand of two."""
    return max((card for card in cards if (card.box, card.hand) == (box, hand)), key=_number)


def _number(card: ShownCard) -> int:
    return card.number


def first_difference(truth: Truth, shown: Sequence[ShownCard]) -> str | None:
    """Return a sentence on the first card in which a history differs from the truth; None when all agree."""
    for index, (real, seen) in enumerate(zip(truth.cards, shown, strict=False)):
        if real.face != seen.face:
            return f"card {index} (round {real.round}): drawn {real.face}, shown {seen.face} in record {seen.number}"
        if real.meaning != seen.meaning:
            return (
                f"card {index} (round {real.round}) is {real.role.name.lower()} of box {real.box} hand {real.hand}, "
                f"shown as {seen.meaning} in record {seen.number}"
            )
    if len(truth.cards) != len(shown):
        return f"{len(truth.cards)} cards were drawn, {len(shown)} are shown"
    return None
