"""One hand while a round is played again."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import VALUES
from shoetool.model.protocol_table import Game, HandEnd
from shoetool.table.round import DrawnCard

DEAD: Final = frozenset(int(end) for end in (HandEnd.SURRENDERED, HandEnd.DEAD, HandEnd.DEALER_BLACKJACK))
_DECIDED: Final = DEAD | {int(HandEnd.BUST), int(HandEnd.BLACKJACK)}


class Seat:
    """One hand while it is played again: hard count, aces, number of cards, how it ended."""

    __slots__ = (
        *("aces", "after_double", "box", "cards", "doubled", "end_record", "ended"),
        *("again", "hand", "hard", "split", "switched", "unknown", "waits"),
    )

    def __init__(self, box: int, hand: int) -> None:
        self.box = box
        self.hand = hand
        self.cards: list[DrawnCard] = []
        self.hard = 0
        self.aces = 0
        self.unknown = 0
        self.ended = -1
        self.end_record = -1
        self.doubled = -1
        self.after_double = 0
        self.split = False
        self.switched = False  # a Blackjack that a switch made is a plain 21, 633a.12(a)(5)(iii)
        self.waits = False
        self.again = False  # an irregularity opened the hand again: it may end once more

    def take(self, card: DrawnCard) -> None:
        """Lay one more card to the hand."""
        self.cards.append(card)
        face = card.card
        if 0 <= face < 52:
            value = VALUES[face]
            self.hard += value
            if value == 1:
                self.aces += 1
        else:
            self.unknown += 1

    def give(self, card: DrawnCard) -> None:
        """Take a card away that turned out to be another's."""
        self.cards.remove(card)
        face = card.card
        if 0 <= face < 52:
            value = VALUES[face]
            self.hard -= value
            if value == 1:
                self.aces -= 1
        else:
            self.unknown -= 1

    def total(self) -> int:
        """Best count of the known cards."""
        hard = self.hard
        return hard + 10 if self.aces and hard <= 11 else hard

    def name(self) -> str:
        """Where the hand lies, in words."""
        return f"position {self.box}, hand {self.hand + 1}" if self.split else f"position {self.box}"

    def live(self, game: int) -> bool:
        """Whether the dealer's total decides the hand: not over, surrendered, dead nor, but in Switch, Blackjack."""
        if self.ended in _DECIDED and not (game == Game.SWITCH and self.ended == HandEnd.BLACKJACK):
            return False
        if not self.cards:
            return False
        return not self.unknown and self.total() <= 21
