"""Switch hands and Blackjack premium, 633c.4: the best play of a hand that may be given up for two cards face down.

A player sees his two cards and the up card, and not the other two. He gives up his own where those are worth more on
average, the dealer's Blackjack included: he chooses before the reader is used. The cards that he gave up stay out of
the shoe. The choice is one for all hands of one count, pairs apart, as all others are.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from shoetool.odds.against import Against, together
from shoetool.odds.beside_ante import ANTE, BesideAnte
from shoetool.odds.best_play import ROUNDS, Hand, Search, best_pairs, best_play, two_of
from shoetool.odds.draws import blackjack_hole
from shoetool.odds.play import Cell, Choices, Pairs, Play, cell_of, pair_of
from shoetool.odds.play_rules import REAL
from shoetool.odds.shoe import NOTHING, Counts, best_count
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import switch_hands

Worths = dict[Counts, int]
"""By two cards."""


class Exchange(NamedTuple):
    """A play against one up card. won: what a unit wagered wins. given_up: how often the two cards are given up."""

    play: Play
    won: Fraction
    given_up: Fraction


class ExchangePlay:
    """The hands of a position beside a switch hands ante against the up card `up`.

    shoe: the cards that the round goes on with, the up card not among them.
    """

    def __init__(self, submission: RulesSubmission, h17: bool, up: int, shoe: Counts) -> None:
        self.kept = Against(BesideAnte(submission, h17), up, shoe)
        self.other = self.kept.at_odds_of(BesideAnte(submission, h17, exchanged=True))
        back = switch_hands.ANTE.of(submission) == "returned"
        self._fee = ANTE * self.kept.rules.unit * self.kept.scale(self.kept.size - 2) * back
        """What giving up two cards costs beside: the ante, where it comes back to the others."""

    def best(self) -> Exchange:
        """The best play. AssertionError when the choices go round in a circle."""
        play = best_play(self.kept)
        for _ in range(ROUNDS):
            better = self._better(play)
            if (better.choices, better.pairs) == (play.choices, play.pairs):
                return self.exchange(play)
            play = better
        raise AssertionError("the choices settle")

    def exchange(self, play: Play) -> Exchange:
        """What comes of a play."""
        kept, other = self._worths(play)
        worth = gone = 0
        for cards, ways in two_of(self.kept.shoe):
            gives_up = exchanged(play, cards)
            worth += ways * (other if gives_up else kept)[cards]
            gone += ways * gives_up
        size = self.kept.size
        won = Fraction(worth, self.kept.scale(size) * self.kept.rules.unit)
        return Exchange(play, won, Fraction(gone, size * (size - 1)))

    def _better(self, play: Play) -> Play:
        """The cards to give up by this play, and the best play of the hands that then come."""
        of_cells, of_pairs = self._to_give_up(*self._worths(play))
        pairs = Pairs(play.pairs.split, play.pairs.given_up, of_pairs)
        begun = self._begun(Play(self.kept, {REAL: Choices(exchange=of_cells)}, pairs))
        choices = Search(self.kept, REAL, begun, plain=False).found()
        choices.exchange = of_cells
        found = best_pairs(Play(self.kept, {REAL: choices}, pairs))
        found.exchange = of_pairs
        return Play(self.kept, {REAL: choices}, found)

    def _to_give_up(self, kept: Worths, other: Worths) -> tuple[dict[Cell, bool], dict[int, bool]]:
        """By count, and by the value of a pair, whether the hands together are worth more when they are given up."""
        cells: dict[Cell, Fraction] = defaultdict(Fraction)
        pairs: dict[int, Fraction] = defaultdict(Fraction)
        for cards, ways in two_of(self.kept.shoe):
            gain = ways * (other[cards] - kept[cards] - self._fee)
            value = pair_of(cards)
            if value is None:
                cells[cell_of(cards)] += gain
            else:
                pairs[value] += gain
        return {cell: gain > 0 for cell, gain in cells.items()}, {value: gain > 0 for value, gain in pairs.items()}

    def _worths(self, play: Play) -> tuple[Worths, Worths]:
        """What each two cards are worth, kept and given up, as `Against` counts, in all rounds."""
        other = Play(self.other, play.choices, play.pairs)
        kept_worth, other_worth = {}, {}
        for cards, _ in two_of(self.kept.shoe):
            kept_worth[cards] = _of_two(play, cards, NOTHING)
            left = self.kept.left(cards)
            other_worth[cards] = sum(ways * _of_two(other, two, cards) for two, ways in two_of(left))
        return kept_worth, other_worth

    def _begun(self, play: Play) -> dict[Hand, int]:
        """Every hand that is played on and can draw, and in how many ways it comes.

        The cards that were given up are not looked at in a choice: that leaves them out of it, never out of a worth.
        """
        size, shoe = self.kept.size, self.kept.shoe
        found: dict[Hand, int] = defaultdict(int)
        for cards, ways in two_of(shoe):
            hands = [(cards, (size - 2) * (size - 3))]
            if exchanged(play, cards):
                hands = list(two_of(self.kept.left(cards)))
            for two, number in hands:
                value = pair_of(two)
                alike = value is not None and (play.pairs.split[value] or play.pairs.given_up[value])
                if not alike and best_count(two)[0] < 21:
                    found[two, NOTHING] += ways * number
        return dict(found)


def exchanged(play: Play, cards: Counts) -> bool:
    """Whether these two cards are given up."""
    value = pair_of(cards)
    if value is not None:
        return play.pairs.exchange.get(value, False)
    return play.choices[REAL].exchange.get(cell_of(cards), False)


def _of_two(play: Play, cards: Counts, others: Counts) -> int:
    """The worth of two cards in all rounds, those with the dealer's Blackjack among them."""
    against = play.against
    worth = play.of_two(cards, others)
    hole = blackjack_hole(against.up)
    if hole is not None:
        left = against.left(together(cards, others))
        count, _ = best_count(cards)
        met = against.rules.at_blackjack(count == 21, count) * against.rules.unit
        assert met.denominator == 1, "every payoff is whole"
        worth += met.numerator * left[hole] * against.scale(sum(left) - 1)
    return worth
