"""What the predicates of the optional wagers may look at: the cards of one box and the dealer's, as far as known."""

from __future__ import annotations

from typing import Final, Never

from shoetool.model.cards import is_blackjack
from shoetool.regulation.round import Box, Hand, TableRound
from shoetool.regulation.submission.rules import RulesSubmission

TEN_OR_ACE: Final = frozenset({0, 9, 10, 11, 12})
"""Ranks of up cards with which the dealer's hole card goes to the reader (633a.7(h) eligibility)."""


class NotYetKnown(Exception):
    """A predicate asked for a card that this view does not have: the outcome depends on it."""


def initial_cards(box: Box) -> tuple[int, ...]:
    """The cards of the deal in the box: two, or in Switch the two of the first hand and the two of the second."""
    return box.initial[0] if len(box.initial) == 1 else tuple(card for hand in box.initial for card in hand)


class View:
    """What a predicate may look at, for one box in one round. Cards are ids 0..51.

    initial: the cards of the deal: two, or in Switch the two of the first hand and the two of the second. first,
    second: the first two of them. up: the dealer's first card, which lies face up. dealer: his whole hand as it ended.
    dealer_blackjack: whether his first two cards are a Blackjack (633a.1 Blackjack). hands: the player's hands as they
    ended, from the dealer's left. is_lucky_player: whether the table game system picked this position; magic_card: the
    card it picked, if any. rules: the rules submission.

    What was left out raises `NotYetKnown` when asked for, so that the part of a wager's outcome which the known cards
    decide can be tabled from the predicates themselves. `blackjack` stands for the dealer's other cards where no more
    of them is known than whether he has a Blackjack. A whole round: `View.of`.
    """

    __slots__ = (
        *("dealer", "dealer_blackjack", "first", "hands", "initial", "is_lucky_player", "magic_card", "rules"),
        *("second", "up"),
    )

    dealer: tuple[int, ...]
    dealer_blackjack: bool
    first: int
    hands: tuple[Hand, ...]
    initial: tuple[int, ...]
    is_lucky_player: bool
    magic_card: int | None
    rules: RulesSubmission
    second: int
    up: int

    def __init__(
        self,
        rules: RulesSubmission,
        initial: tuple[int, ...],
        up: int | None = None,
        dealer: tuple[int, ...] | None = None,
        hands: tuple[Hand, ...] | None = None,
        blackjack: bool | None = None,
    ) -> None:
        self.rules = rules
        self.initial = initial
        self.first = initial[0]
        self.second = initial[1]
        if up is not None:
            self.up = up
            if up % 13 not in TEN_OR_ACE:
                self.dealer_blackjack = False
            elif blackjack is not None:
                self.dealer_blackjack = blackjack
            elif dealer is not None:
                self.dealer_blackjack = is_blackjack(dealer[:2])
        if dealer is not None:
            self.dealer = dealer
        if hands is not None:
            self.hands = hands

    def __getattr__(self, name: str) -> Never:
        """Called for what was left out."""
        raise NotYetKnown(name)

    @staticmethod
    def of(rules: RulesSubmission, table_round: TableRound, box: Box) -> View:
        """Everything that a predicate may see of this box in this round."""
        dealer = table_round.dealer
        view = View(rules, initial_cards(box), dealer[0], dealer)
        view.magic_card = table_round.magic_card
        view.turn_to(box, table_round.lucky_player)
        return view

    def turn_to(self, box: Box, lucky_player: int | None) -> None:
        """Look at another box of the same round, in which this position was picked."""
        initial = box.initial
        cards = self.initial = initial[0] if len(initial) == 1 else initial[0] + initial[1]
        self.first = cards[0]
        self.second = cards[1]
        self.hands = box.hands
        self.is_lucky_player = lucky_player == box.position
