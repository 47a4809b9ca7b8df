"""What a press is worth: winnings of an optional wager that a player adds to his main wager where that wins more.

The player sees his two cards and the up card, and the dealer has no Blackjack. Each hand is played by its own cards. He
adds all that he may or nothing, since each cent is worth the same. What becomes part of the main wager is best played
as that is, so its worth is one figure. What lies apart has odds of its own. The player may play for it alone, or for
the main wager alone and let it go along. The best play for both together wins no less of it than the latter, counted
with what the main wager loses by it, and no more than the former: the range between them holds for wagers of any size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.odds.against import Against
from shoetool.odds.by_the_cards import ByTheCards
from shoetool.odds.play_rules import Form, PlayRules, Standing
from shoetool.odds.shoe import NOTHING, VALUES, Shoe, plus, without
from shoetool.rules.paytable import Paytable
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS, View
from shoetool.rules.wagers.wager import WITH_THE_PRESS, PressArea


class _Apart(PlayRules):
    """The play of winnings that lie apart from the main wager, in `area`."""

    def __init__(self, submission: RulesSubmission, h17: bool, area: PressArea) -> None:
        super().__init__(submission, h17)
        self._doubles = area.doubles.of(submission) == WITH_THE_PRESS

    def doubled(self, form: Form, count: int, soft: bool, cards: int) -> Form:
        """A double is for the main wager; it matches the winnings too only where the house lets it."""
        return super().doubled(form, count, soft, cards) if self._doubles else form

    def payoffs(self, hand: Standing) -> tuple[int, ...]:
        """Even money for a win, a Blackjack too."""
        return tuple(min(payoff, self.unit) for payoff in super().payoffs(hand))


@dataclass(frozen=True, slots=True)
class Pressed:
    """Two cards of these values, the lower first, against an up card, where the wager won: all values 0 to 9.

    chance: of these cards with a win. won: what may then be added on average, for each unit of the wager, times this
    chance. most, least: what each unit that is added wins on average when the hand is played for it alone, and when it
    is played for the main wager alone.
    """

    first: int
    second: int
    up: int
    chance: Fraction
    won: Fraction
    most: Fraction
    least: Fraction


@dataclass(frozen=True)
class PressOdds:
    """hands: all that can be dealt where the wager wins. One is added to when a unit that is added wins anything."""

    hands: tuple[Pressed, ...]

    @property
    def most(self) -> Fraction:
        """What the best press wins for each unit of the wager, the hands played for it alone."""
        return sum((one.won * max(one.most, Fraction(0)) for one in self.hands), Fraction(0))

    @property
    def least(self) -> Fraction:
        """The same with the hands played for the main wager alone."""
        return sum((one.won * max(one.least, Fraction(0)) for one in self.hands), Fraction(0))


def press_odds(
    submission: RulesSubmission, table: Paytable, h17: bool = False, ups: Iterable[int] = range(VALUES)
) -> PressOdds:
    """What a press of the winnings by this paytable is worth.

    submission: offers the wager by this paytable, and says how the main wager is played. ups: values of the up card
    that are counted, 0 (ace) to 9 (ten).
    """
    press = WAGERS[table.wager].press
    assert press is not None, "the wager's winnings may be added"
    main = PlayRules(submission, h17)
    apart = None if press.apart is None else _Apart(submission, h17, press.apart)
    won = _won(submission, table)
    return PressOdds(tuple(hand for up in ups for hand in _against(up, main, apart, won)))


_Won = dict[tuple[int, int, int], tuple[Fraction, Fraction]]
"""By the values of two cards and the up card: the chance that they come with a win, and what may be added, times it."""


def _against(up: int, main: PlayRules, apart: PlayRules | None, won: _Won) -> Iterator[Pressed]:
    left = without(main.shoe, (up,))
    along = alone = ByTheCards(Against(main, up, left))
    if apart is not None:
        of_it = along.against.at_odds_of(apart)
        along, alone = ByTheCards(of_it, along), ByTheCards(of_it)
    against = alone.against
    unit = against.scale(against.size - 2) * main.unit
    for (first, second, seen), (chance, added) in won.items():
        if seen == up:
            cards = plus(plus(NOTHING, first), second)
            most, least = (Fraction(play.of_two(cards), unit) for play in (alone, along))
            yield Pressed(first, second, up, chance, added, most, least)


def _won(submission: RulesSubmission, table: Paytable) -> _Won:
    wager, shoe = WAGERS[table.wager], Shoe.of(submission.game, submission.decks)
    portion = wager.press_portion(submission)
    copies = submission.copies
    size = copies * len(shoe.deck)
    orders = size * (size - 1) * (size - 2)
    found: dict[tuple[int, int, int], list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for first, second in combinations_with_replacement(shoe.deck, 2):
        pairs = copies * (copies - 1) if first == second else 2 * copies * copies
        low, high = sorted(VALUE_OF[card] - 1 for card in (first, second))
        for up in shoe.deck:
            outcome = wager.outcome(View(submission, (first, second), (up,)))
            left = copies - (up == first) - (up == second)
            if outcome is not None and pairs and left:
                chance = Fraction(pairs * left, orders)
                of_these = found[low, high, VALUE_OF[up] - 1]
                of_these[0] += chance
                of_these[1] += chance * table.row(outcome.key).odds.ratio * portion
    return {values: (chance, added) for values, (chance, added) in found.items()}
