"""The state of a round that the simulated dealer plays, and what every part of it does: a card, a plant that is due."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from shoetool.judge.allowed import Standing, ends_by_cards
from shoetool.model.cards import UNKNOWN, total
from shoetool.model.protocol_table import HandEnd, Key, Role

from shoesim.dealer_draw import Drawer
from shoesim.dealer_truth import TrueCard


@dataclass(slots=True)
class Hand:
    """A player's hand: `index` is its number within its betting position, `end` why it takes no more cards, `root` the
    hand as dealt that it was split off, `queued` its place among those that wait for a late card."""

    box: int
    index: int = 0
    cards: list[TrueCard] = field(default_factory=list)
    end: HandEnd | None = None
    from_split: bool = False
    root: int = 0
    switched: bool = False
    queued: int = 0

    @property
    def ids(self) -> list[int]:
        """The card ids, in the order they came."""
        return [card.card for card in self.cards]

    @property
    def count(self) -> int:
        """The hand's count, as people at the table see it."""
        return total(self.ids)[0]

    @property
    def known(self) -> bool:
        """Whether the shoe knows every card of it."""
        return not any(card.face_down or card.shown == UNKNOWN for card in self.cards)

    @property
    def over(self) -> bool:
        """Whether it takes no more cards."""
        return self.end is not None

    def end_by_cards(self) -> HandEnd | None:
        """Why the shoe itself ends the hand, by the cards that it knows."""
        shown = [UNKNOWN if card.face_down else card.shown for card in self.cards]
        return ends_by_cards(Standing(shown, self.from_split, switched=self.switched))


class RoundState:
    """What lies on the table in one round; `due`, `happens` and `next_card` are for whoever plays a part of it."""

    def __init__(self, drawer: Drawer, boxes: list[int], rng: Random) -> None:
        self.drawer = drawer
        self.rules = drawer.rules
        self.shoe = drawer.shoe
        self.book = drawer.book
        self.rng = rng
        self.boxes = sorted(boxes)
        self.hands = {box: [Hand(box, n, root=n) for n in range(self.rules.game.deal.hands)] for box in self.boxes}
        self.switch_cards: dict[int, list[TrueCard]] = {}  # switch hands cards by betting position
        self.dealer: list[TrueCard] = []
        self.head = 0
        self.number = drawer.rounds + 1
        self.revealed = False
        self.waiting_error: TrueCard | None = None  # a card drawn in error that is the next card

    def all_hands(self) -> list[Hand]:
        """Return the players' hands, split ones side by side."""
        return [hand for hands in self.hands.values() for hand in hands]

    def dealer_known(self) -> bool:
        """Tell whether the shoe could read every card of the dealer's hand."""
        return all(card.shown != UNKNOWN for card in self.dealer)

    def dealer_count(self) -> int:
        """The count of the dealer's hand, the hole card included."""
        return total([card.card for card in self.dealer])[0]

    def due(self, name: str) -> bool:
        """Tell whether a plant of this name should happen in this round."""
        return self.book.due(name, self.number)

    def happens(self, name: str, *cards: TrueCard) -> None:
        """Note that a plant happened in this round."""
        known = self.drawer.truth.cards
        self.book.happens(name, self.number, [len(known) - 1 for _ in cards])

    def next_card(self, role: Role, box: int, hand: int = 0, *, face_down: bool = False) -> TrueCard:
        """Return the next card for this purpose: one that waits because it was drawn in error, else out of the shoe."""
        waiting, self.waiting_error = self.waiting_error, None
        if waiting is None:
            return self.drawer.take(self.head, role, box, hand, face_down=face_down)
        if role == Role.DRAW:
            self.shoe.key(Key.DEAL)  # the player takes the card that lies there
        waiting.role, waiting.box, waiting.hand = role, box, hand
        waiting.face_down = waiting.face_down and face_down
        return waiting
