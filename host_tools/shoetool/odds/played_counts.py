"""Wagers that look at a player's count and the dealer's, where the player has a choice with more than one count.

He draws or stands by his own cards and the up card, whichever wins more of this wager alone. The worst play takes
whichever wins less. He splits no pair.

Both draw from one shoe. The dealer's Blackjack ends the round before the player draws.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.odds.against import Against
from shoetool.odds.best_play import two_of
from shoetool.odds.deals import Counted, Faces
from shoetool.odds.draws import FINALS, blackjack_hole, dealer_draws, drawn_values
from shoetool.odds.holding import Held, WatchedRules
from shoetool.odds.play_rules import LAMMER, PlayRules, Standing
from shoetool.odds.plays import BEST, nothing_counted
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, Shoe, best_count, plus, without
from shoetool.rules.round import Hand
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import View

_OVER: Final = 22
"""The count of all hands over 21."""

Worth = Callable[[Held], Fraction]
"""What a set of outcomes gains for each unit wagered, with the wager itself; 0 for none."""


class PlayedCounts:
    """The hands of player and dealer for one wager. h17: whether the dealer draws to a soft 17.

    BadInput where an outcome looks at more than both counts, the up card, and who has a Blackjack.
    """

    def __init__(self, rules: RulesSubmission, h17: bool, watched: WatchedRules, held: Callable[[View], Held]) -> None:
        self._rules = rules
        self._h17 = h17
        self._held: dict[tuple[int, int, bool], tuple[Held, ...]] = {}  # by up card, count, natural: for each final
        self._at_blackjack: dict[tuple[int, int, bool], Held] = {}
        for up in range(VALUES):
            kinds = {(_final(dealer), len(dealer)): dealer for dealer in _ends(up, h17)}
            for count, natural in ((21, True), *((count, False) for count in range(4, _OVER + 1))):
                mine = (ACE, TEN) if natural else _hand_of(count)
                hand = (Hand(1, mine, 1),)
                found: dict[int, Held] = {}
                for (final, _), dealer in kinds.items():
                    outcomes = held(View(watched, mine[:2], dealer, hand))
                    if found.setdefault(final, outcomes) != outcomes:
                        raise BadInput("an outcome looks at more than the counts of two hands: it is not computed")
                self._held[up, count, natural] = tuple(found.get(final, ()) for final in FINALS)
                hole = blackjack_hole(up)
                if hole is not None:
                    self._at_blackjack[up, count, natural] = held(View(watched, mine[:2], (up, hole), hand))
        self._against: dict[tuple[Shoe, int], Against] = {}

    def of(self, shoe: Shoe, play: str, worth: Worth) -> Counted:
        """In how many ways, in the order drawn, each set of outcomes comes to hold under this play."""
        counted = nothing_counted()
        counted[0][()] = 1
        for up in filter(shoe.counts.__getitem__, range(VALUES)):
            for cards, held, ways in self._beside(shoe, up, play, worth):
                counted[cards][held] += ways
                counted[cards][()] -= ways
        return counted

    def _beside(self, shoe: Shoe, up: int, play: str, worth: Worth) -> Iterator[tuple[int, Held, int]]:
        """(cards drawn, outcomes that hold, ways) against one up card; what is left is a loss."""
        paid = _Paid(self, up, worth)
        if (shoe, up) not in self._against:
            self._against[shoe, up] = Against(paid, up, without(shoe.counts, (up,)))
        against = self._against[shoe, up].at_odds_of(paid)  # the dealer's chances are those of the other play
        shown = shoe.counts[up]
        for held, ways in _Played(against, play).ends(partial(self.row, up)).items():
            yield 1 + against.size - against.floor, held, shown * ways
        hole = blackjack_hole(up)
        if hole is not None:
            for cards, number in two_of(against.shoe):
                count, _ = best_count(cards)
                at_once = self._at_blackjack[up, count, count == 21]
                if at_once:
                    yield 4, at_once, shown * number * (against.shoe[hole] - cards[hole])

    def row(self, up: int, standing: Standing) -> tuple[Held, ...]:
        """What holds for a hand against each of `FINALS`."""
        return self._held[up, min(standing.total, _OVER), standing.natural]


class _Paid(PlayRules):
    """What a hand is paid against one up card: the worth of what holds."""

    def __init__(self, counts: PlayedCounts, up: int, worth: Worth) -> None:
        super().__init__(counts._rules, counts._h17)
        self._row, self._worth = partial(counts.row, up), worth
        worths = {worth(held) for row in counts._held.values() for held in row if held}
        self._whole = lcm(*(one.denominator for one in worths))
        self._paid: dict[Standing, tuple[int, ...]] = {}

    @property
    def unit(self) -> int:
        """A number by which every worth becomes whole."""
        return self._whole

    def payoffs(self, hand: Standing) -> tuple[int, ...]:
        """For each of `FINALS`; nothing is lost beside the wager."""
        found = self._paid.get(hand)
        if found is None:
            worths = (self._worth(held) if held else Fraction(0) for held in self._row(hand))
            found = self._paid[hand] = tuple(int(one * self._whole) for one in worths)
        return found


class _Played:
    """Hands that stand or draw, by the play that is best, or worst, against one up card."""

    def __init__(self, against: Against, play: str) -> None:
        self._against = against
        self._pick = max if play == BEST else min
        self._kept: dict[Counts, tuple[bool, int]] = {}

    def ends(self, row: Callable[[Standing], tuple[Held, ...]]) -> dict[Held, int]:
        """What holds in the end, and in how many ways, as `Against` counts; without losses."""
        ways: dict[Counts, int] = defaultdict(int, two_of(self._against.shoe))
        waiting = list(ways)
        found: dict[Held, int] = defaultdict(int)
        for cards in waiting:  # grows: a longer hand stands behind all that lead to it
            if self._decided(cards)[0]:
                for value, number in enumerate(self._against.left(cards)):
                    more = plus(cards, value)
                    if number and more not in ways:
                        waiting.append(more)
                    if number:
                        ways[more] += ways[cards] * number
                continue
            outcomes = row(_standing(cards))
            if any(outcomes):
                for weight, held in zip(self._against.dealer(cards), outcomes, strict=True):
                    if held:
                        found[held] += ways[cards] * weight
        return found

    def _decided(self, cards: Counts) -> tuple[bool, int]:
        """Whether he draws, and what the hand is worth then."""
        found = self._kept.get(cards)
        if found is None:
            choices = [(False, self._stood(cards))]
            if best_count(cards)[0] < 21:
                choices.append((True, self._drawn(cards)))
            found = self._kept[cards] = self._pick(choices, key=lambda one: one[1])
        return found

    def _stood(self, cards: Counts) -> int:
        if not any(self._against.rules.payoffs(_standing(cards))):
            return 0
        return self._against.stand(cards, NOTHING, LAMMER, False)

    def _drawn(self, cards: Counts) -> int:
        left = self._against.left(cards)
        return sum(number * self._decided(plus(cards, value))[1] for value, number in enumerate(left) if number)


def _standing(cards: Counts) -> Standing:
    count, number = best_count(cards)[0], sum(cards)
    return Standing(count, number, count == 21 and number == 2)


def _ends(up: int, h17: bool) -> Iterator[Faces]:
    """Every hand that the dealer can finish without a Blackjack; each value is a face of one suit."""
    for drawn in dealer_draws(up, h17).ends:
        yield (up, *drawn_values(up, drawn))


def _final(values: Faces) -> int:
    hard = sum(values) + len(values)
    return hard + 10 * (ACE in values and hard <= 11)


def _hand_of(count: int) -> Faces:
    """A hand of this count without an ace that is no Blackjack; 22 stands for all over 21."""
    if count > 20:
        return (6, 6, count - 15)
    small = max(2, count - 10)
    return (small - 1, count - small - 1)
