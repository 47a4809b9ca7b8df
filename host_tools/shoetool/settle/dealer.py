"""The dealer's side of a showdown. A dealer's hand that no round can end with is rejected."""

from __future__ import annotations

from dataclasses import dataclass

from shoetool.model.cards import card_name, is_blackjack
from shoetool.rules.games import Game
from shoetool.rules.hands import STANDS_ON, best_total
from shoetool.rules.round import Box, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers.view import TEN_OR_ACE


@dataclass(frozen=True, slots=True)
class DealerHand:
    """The dealer's hand: its count, how many cards, and whether it is a Blackjack.

    high_up: an ace or ten-count card up, with which the reader is used. peeked: the reader told of
    a Blackjack, and so it is one.
    """

    up: int
    total: int
    cards: int
    blackjack: bool
    high_up: bool
    peeked: bool


def dealer_hand(game: Game, table_round: TableRound, box: Box | None = None) -> DealerHand:
    """Return the dealer's hand of this round, or of this position where each has its own (633c.5(bb)). RuleError when
    no round can end with it."""
    cards = table_round.dealer if box is None else table_round.dealer_of(box)
    reader = table_round.reader
    clauses = game.clauses
    if len(cards) < 2:
        raise RuleError(clauses.reveal, "the dealer has fewer than two cards, and the round is not void")
    if len(cards) > 2:
        _verify_drawn(game, cards)
    natural = is_blackjack(cards[:2])
    if natural and len(cards) > 2:
        raise RuleError(clauses.dealer_blackjack, "the dealer drew cards to a Blackjack")
    if reader == "blackjack" and not natural:
        raise RuleError(clauses.reader, "the reader said Blackjack, but the dealer's cards are not Blackjack")
    high_up = cards[0] % 13 in TEN_OR_ACE if game.no_hole else game.asks_reader(cards[0])
    return DealerHand(cards[0], best_total(cards), len(cards), natural, high_up, reader == "blackjack")


def _verify_drawn(game: Game, cards: tuple[int, ...]) -> None:
    """Raise RuleError when the dealer drew on 17 or more, 633a.7(m). A card drawn so by accident is in no hand."""
    for number in range(2, len(cards)):
        count = best_total(cards[:number])
        # Name a Blackjack to which cards were drawn as a Blackjack.
        if count >= STANDS_ON and not (number == 2 and count == 21):
            drawn = " ".join(map(card_name, cards[number:]))
            raise RuleError(game.clauses.dealer_draw, f"the dealer had {count} and drew {drawn}")
