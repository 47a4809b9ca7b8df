"""The round that the simulated dealer plays, and what every part of him does: an action, a card, a plant that is due.

He makes the actions of the one table (`shoetool.table`) as he plays. His cards are the true ones.
"""

from __future__ import annotations

from random import Random
from typing import cast

from shoetool.judge.allowed import Standing, ends_by_cards
from shoetool.model.cards import UNKNOWN, total
from shoetool.model.protocol_table import HandEnd, Key, Position, Role
from shoetool.table.actions import MOVED, NO_RECORD, HandEnded
from shoetool.table.fold import lay, take
from shoetool.table.hand import Hand
from shoetool.table.round import Round

from shoesim.dealer_draw import Drawer
from shoesim.dealer_truth import TrueCard


def true_cards(hand: Hand) -> list[TrueCard]:
    """The cards of a hand, in the order they came."""
    return cast(list[TrueCard], hand.cards)


def known(hand: Hand) -> bool:
    """Whether the shoe knows every card of the hand."""
    return not any(card.face_down or card.shown == UNKNOWN for card in true_cards(hand))


def by_cards(hand: Hand) -> HandEnd | None:
    """Why the shoe itself ends the hand, by the cards that it knows."""
    shown = [UNKNOWN if card.face_down else card.shown for card in true_cards(hand)]
    return ends_by_cards(Standing(shown, hand.split, switched=hand.switched))


class RoundState:
    """A round in play; `due`, `happens` and `next_card` are for whoever plays a part of it."""

    def __init__(self, drawer: Drawer, boxes: list[int], rng: Random) -> None:
        self.drawer = drawer
        self.rules = drawer.rules
        self.shoe = drawer.shoe
        self.book = drawer.book
        self.rng = rng
        self.boxes = sorted(boxes)
        self.number = drawer.rounds + 1
        self.round = Round(self.number, sum(1 << box - 1 for box in boxes), NO_RECORD)
        for box in self.boxes:
            for number in range(self.rules.game.deal.hands):
                self.round.hand(box, number)
        self.head = 0
        self.waiting_error: TrueCard | None = None  # a card drawn in error that is the next card
        self.missed: list[Hand] = []  # hands that asked for a card which was missed

    def end(self, hand: Hand, why: HandEnd) -> None:
        """Play on a hand ends."""
        take(self.round, HandEnded, hand.box, hand.hand, why)

    def end_by_cards(self, hand: Hand) -> bool:
        """End a hand whose cards end it, as far as the shoe knows them; whether they did."""
        why = by_cards(hand)
        if why is not None:
            self.end(hand, why)
        return why is not None

    def end_double(self, hand: Hand) -> None:
        """End a hand that has the card of its double, as far as the shoe knows it."""
        self.end(hand, HandEnd.BUST if by_cards(hand) == HandEnd.BUST else HandEnd.DOUBLED)

    @property
    def dealer(self) -> list[TrueCard]:
        """The dealer's cards."""
        return cast(list[TrueCard], self.round.dealer)

    def all_hands(self) -> list[Hand]:
        """Return the players' hands, split ones side by side."""
        return list(self.round.in_order())

    def dealer_known(self) -> bool:
        """Tell whether the shoe could read every card of the dealer's hand; at each terminal where it has its own."""
        own = (card for cards in self.round.own.values() for card in cast(list[TrueCard], cards))
        return all(card.shown != UNKNOWN for card in (*self.dealer, *own))

    def dealer_count(self) -> int:
        """The count of the dealer's hand, the hole card included."""
        return total([card.card for card in self.dealer])[0]

    def due(self, name: str) -> bool:
        """Tell whether a plant of this name should happen in this round."""
        return self.book.due(name, self.number)

    def happens(self, name: str, *cards: TrueCard) -> None:
        """Note that a plant happened in this round."""
        self.book.happens(name, self.number, [len(self.drawer.truth.cards) - 1] * len(cards))

    def next_card(self, role: Role, box: int, hand: int = 0, *, face_down: bool = False) -> TrueCard:
        """Lay the next card for this purpose: one that waits because it was drawn in error, else out of the shoe."""
        waiting, self.waiting_error = self.waiting_error, None
        if waiting is None:
            card = self.drawer.take(self.head, role, box, hand, face_down=face_down)
            lay(self.round, card)
            return card
        if role == Role.DRAW and box != Position.COMMUNITY:
            self.shoe.key(Key.DEAL)  # the player takes the card that lies there
        waiting.face_down = waiting.face_down and face_down
        self.move([waiting], role, box, hand)
        return waiting

    def move(self, cards: list[TrueCard], role: Role = Role.DISCARDED, box: int = Position.RACK, hand: int = 0) -> None:
        """Cards that lie on the table get another place."""
        for card in cards:
            card.role, card.box, card.hand = role, box, hand
            lay(self.round, card, MOVED)
