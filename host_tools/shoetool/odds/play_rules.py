"""What a rules submission says about the play of a main wager, as the odds need it: shoe, payoffs, choices."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

from shoetool.odds.draws import FINALS
from shoetool.odds.shoe import ACE, TEN, VALUES, Counts, Shoe
from shoetool.rules.games import GAMES, Game
from shoetool.rules.games.settling import MainOutcome, Showdown
from shoetool.rules.paytable import Paytable, paytable
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.hybrid_table import DOUBLE_BACK


class Form(NamedTuple):
    """What a hand wins and loses, in original wagers: a lammer is paid when it wins and costs nothing when it loses.

    to_blackjack: what it loses within 21 to the dealer's Blackjack, where that is found out after it was played.
    """

    win: int
    lose: int
    to_blackjack: int = 1


REAL: Final = Form(1, 1)
LAMMER: Final = Form(1, 0, 0)
ADDED: Final = Form(1, 1, 0)
"""The second hand of a pair that is split without a hole card: 633c.5(bb)(1) gives its wager back within 21."""


class Standing(NamedTuple):
    """What decides the payoff of a hand: its count, how many cards, whether a Blackjack as dealt or switched to.

    high_up: whether it waits, against an ace or a ten-count card, for the dealer's hand to end.
    """

    total: int
    cards: int
    natural: bool = False
    switched: bool = False
    high_up: bool = False


class PlayRules:
    """The play of one table.

    submission: its rules submission. h17: whether the dealer draws to a soft 17. shoe: how many cards of each value a
    round is dealt from, those of one side of a double shoe.
    """

    def __init__(self, submission: RulesSubmission, h17: bool = False) -> None:
        self.submission = submission
        self.h17 = h17
        self.game: Game = GAMES[submission.game]
        self.shoe = Shoe(submission.copies, self.game.deck).counts
        self._main = paytable("main", "", submission.decks, submission.game)
        self._payoffs: dict[Standing, tuple[int, ...]] = {}

    @property
    def max_hands(self) -> int:
        """How many hands a pair may become, 633a.11(c) resplits, 590.11(d) limit, 635a.11(c) resplits."""
        return self.submission.max_hands

    @property
    def surrender(self) -> bool:
        """Whether a hand of two cards may be given up for half its wager."""
        return self.game.facts.surrender and self.submission.surrender != "none"

    def may_double(self, cards: int) -> bool:
        """633a.10(a), 590.10(a), 635a.10(a) cards: on how many cards a hand may double."""
        return cards == self.game.facts.double_cards if self.game.facts.double_cards else cards >= 2

    def doubled(self, form: Form, count: int, soft: bool, cards: int) -> Form:
        """What the doubled hand wins and loses: a free double costs nothing, 590.10(a)(1).

        Without a hole card the dealer's Blackjack takes the double where the house reads 633c.5(bb)(1) so.
        """
        free = not soft and cards == 2 and count in self.game.free_double_totals
        taken = self.game.no_hole and DOUBLE_BACK.of(self.submission) == "both"
        return Form(form.win + 1, form.lose + (not free), form.to_blackjack + taken)

    def free_split(self, value: int) -> bool:
        """590.11(b)(2): whether a pair of this value is split without a wager."""
        return self.game.free_split and value != TEN

    def payoffs(self, hand: Standing) -> tuple[int, ...]:
        """What a wager of `unit` wins against each count of `FINALS`: 0 for a push, -unit for a loss.

        Also for a hand over 21, which may push where the house reads 633c.5(t)(2) so (T36).
        """
        found = self._payoffs.get(hand)
        if found is None:
            ratios = (self._ratio(hand, final, 3, False) for final in FINALS)
            found = self._payoffs[hand] = tuple(map(self._in_units, ratios))
        return found

    def _in_units(self, ratio: Fraction) -> int:
        whole = ratio * self.unit
        assert whole.denominator == 1
        return whole.numerator

    def at_blackjack(self, natural: bool, count: int) -> Fraction:
        """What a hand of two cards wins against the dealer's Blackjack."""
        return self._ratio(Standing(count, 2, natural), 21, 2, True)

    def _ratio(self, hand: Standing, final: int, cards: int, blackjack: bool) -> Fraction:
        show = Showdown(hand.total, hand.cards, hand.natural, hand.switched, final, cards, blackjack)
        return self._wins(show._replace(high_up=hand.high_up))

    def _wins(self, show: Showdown) -> Fraction:
        """What a unit wins where the hands ended so."""
        outcome = next(one for one in self._outcomes if one.predicate(show))
        if outcome.result != "win":
            return Fraction(0 if outcome.result == "push" else -1)
        return self._main.row(outcome.row).odds.ratio

    def bonus(self, cards: Counts) -> int | None:
        """What a wager of `unit` wins with a 21 of these cards where they have better odds, 635a.12(b)."""
        odds = self._bonus_odds(cards)
        return None if odds is None else self._in_units(odds)

    def _bonus_odds(self, cards: Counts) -> Fraction | None:
        """The mean of these odds over the suits: each is as likely as another, whatever other values are known."""
        if not self.game.settling.bonuses or sum(cards) < 3:
            return None
        ranks = tuple(value for value, number in enumerate(cards) for _ in range(number))
        total, ways = Fraction(0), 0
        if len(ranks) > 3:
            suits: Iterator[tuple[tuple[int, ...], int]] = iter([(tuple(ranks), 1)])
        else:
            suits = self._suited(ranks)
        for hand, weight in suits:
            key = next((one.key for one in self.game.settling.bonuses if one.predicate(hand)), None)
            odds = self._bonus.row(key).odds.ratio if key else self._main.row("win").odds.ratio
            total, ways = total + weight * odds, ways + weight
        return total / ways

    def _suited(self, ranks: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Each way of suits for these ranks, with the number of ways in which the cards of the shoe can show it."""
        copies = self.submission.copies
        for suits in product(range(4), repeat=len(ranks)):
            hand = tuple(suit * 13 + rank for suit, rank in zip(suits, ranks, strict=True))
            yield hand, math.prod(copies - hand[:at].count(card) for at, card in enumerate(hand))

    @cached_property
    def unit(self) -> int:
        """A number by which every payoff becomes whole."""
        found = {row.odds.ratio.denominator for row in self._main.rows} | {2}
        if self.game.settling.bonuses:
            for cards in self._all_21s():
                odds = self._bonus_odds(cards)
                found.add(1 if odds is None else odds.denominator)
        return math.lcm(*found)

    def _all_21s(self) -> Iterator[Counts]:
        for size in (3, 4, 5, 6, 7):
            for values in combinations_with_replacement(range(VALUES), size):
                hard = sum(values) + size
                if hard == 21 or (hard == 11 and ACE in values):
                    yield tuple(values.count(value) for value in range(VALUES))

    @cached_property
    def _bonus(self) -> Paytable:
        return paytable("card_bonus", "", self.submission.decks, self.submission.game)

    @cached_property
    def _outcomes(self) -> tuple[MainOutcome, ...]:
        settling = self.game.settling
        if settling.outcomes_exempt and not self.submission.switch_hold_blackjack:
            return settling.outcomes_exempt
        chosen = (one for key, word, one in settling.otherwise if self.submission.setting(key) == word)
        return (*chosen, *settling.outcomes)
