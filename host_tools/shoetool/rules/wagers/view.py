"""The facts for the predicates of the optional wagers: the cards of one box and the dealer's cards."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import is_blackjack
from shoetool.rules.round import Box, Hand, TableRound

from .choice import Choices as Choices
from .choice import Offered as Offered
from .hybrid_table import SECOND_CARD
from .switch_hands import given_up

TEN_OR_ACE: Final = frozenset({0, 9, 10, 11, 12})
"""Ranks of up cards with which the dealer's hole card goes to the reader (633a.7(h) eligibility)."""


class View:
    """What a predicate may look at, for one box in one round. Cards are ids 0..51.

    initial: the cards of the deal: two, or in Switch the two of the first hand and the two of the second. first,
    second: the first two of them. dealer: his hand as it ended, or as far as it is known. up: its first card.
    dealer_blackjack: whether his first two cards are a Blackjack (633a.1 Blackjack). hands: the player's hands as they
    ended, from the dealer's left. third: the first card that the player was dealt after his two, None for none.
    magic_card: the card that the table game system picked, if any; is_lucky_player: whether it picked this position.
    rules: the rules submission. given_up: the initial cards are in the rack, as the position plays its switch hands
    cards (633c.4(f)(2)).
    """

    __slots__ = (
        *("dealer", "dealer_blackjack", "first", "given_up", "hands", "initial", "is_lucky_player", "magic_card"),
        *("rules", "second", "third", "up"),
    )

    def __init__(
        self,
        rules: Choices,
        initial: tuple[int, ...],
        dealer: tuple[int, ...],
        hands: tuple[Hand, ...] = (),
        magic_card: int | None = None,
        is_lucky_player: bool = False,
        given_up: bool = False,
        third: int | None = None,
    ) -> None:
        self.rules = rules
        self.initial = initial
        self.first = initial[0]
        self.second = initial[1]
        self.dealer = dealer
        self.up = dealer[0]
        self.dealer_blackjack = is_blackjack(dealer[:2])
        self.hands = hands
        self.magic_card = magic_card
        self.is_lucky_player = is_lucky_player
        self.given_up = given_up
        self.third = third

    def lacking(self, *names: str) -> View:
        """Take these facts out, and return the view: a predicate that looks at one fails, and guesses nothing."""
        for name in names:
            delattr(self, name)
        return self

    @staticmethod
    def of(rules: Choices, table_round: TableRound, box: Box) -> View:
        """Return the view of this box in this round."""
        lucky = table_round.lucky_player == box.position
        gone = box.switched is not None and given_up(rules, box)
        cards = initial_cards(box), _dealer(rules, table_round, box), box.hands
        return View(rules, *cards, table_round.magic_card, lucky, gone, box.third)


def _dealer(rules: Choices, table_round: TableRound, box: Box) -> tuple[int, ...]:
    """The dealer's cards that the position's optional wagers go by; without a hole card they are its own (T53)."""
    if box.dealer and table_round.community and SECOND_CARD.of(rules) == "first":
        return (box.dealer[0], table_round.community[0])
    return table_round.dealer_of(box)


def initial_cards(box: Box) -> tuple[int, ...]:
    """The cards of the deal in the box: two, or in Switch the two of the first hand and the two of the second."""
    return box.initial[0] if len(box.initial) == 1 else tuple(card for hand in box.initial for card in hand)
