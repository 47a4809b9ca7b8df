"""What comes back of tucked wagers where the house reads 590.7(n)(1) so: `tucked_wager = "returned"`, reading 63.

The left hand of a split that goes over 21 keeps its wager until the dealer's hand has ended, unless the other hands of
the split go over 21 as well (590.11(c)). Against his 22 it comes back. So it comes back as often as the left hand is
over 21 and he makes 22, less as often as all hands are over 21 and his cards would make 22.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb
from typing import Final

from shoetool.odds.against import split_ends
from shoetool.odds.best_play import two_of
from shoetool.odds.draws import dealer_draws
from shoetool.odds.jointly import Bounds, Jointly, Sets, packed
from shoetool.odds.play import Play, cell_of, pair_of
from shoetool.odds.play_rules import LAMMER, REAL, Form
from shoetool.odds.shoe import NOTHING, VALUES, Counts, best_count, plus

_PUSHES: Final = 22


def comes_back(play: Play) -> Bounds:
    """How much of each unit of the original wager comes back on average against the up card of this play."""
    least = most = Fraction(0)
    against = play.against
    for cards, ways in two_of(against.shoe):
        value = pair_of(cards)
        if value is not None and play.pairs.split[value]:
            back = Tucked(play, value).comes_back()
            chance = Fraction(ways, against.size * (against.size - 1))
            least, most = least + chance * back.least, most + chance * back.most
    return Bounds(least, most)


def may_be_split(play: Play) -> list[int]:
    """The pairs that this play keeps, or gives up, and that may be worth more apart when a tucked wager comes back.

    They are not if they are worth no more even when it comes back whatever becomes of the other hands.
    """
    against, found = play.against, []
    for cards, _ in two_of(against.shoe):
        value = pair_of(cards)
        if value is None or play.pairs.split[value]:
            continue
        behind = Fraction(play.of_two(cards) - play.apart(value), against.scale(against.size - 2) * play.rules.unit)
        if Tucked(play, value).whatever_the_others() > behind:
            found.append(value)
    return found


class Tucked:
    """A pair of this value that is split. What comes back is told in original wagers, for each such pair."""

    def __init__(self, play: Play, value: int) -> None:
        against = play.against
        draws = dealer_draws(against.up, play.rules.h17)
        pushes = {drawn: orders for drawn, orders in draws.ends.items() if draws.final_of(drawn) == _PUSHES}
        self._value = value
        self._ends = split_ends(play.rules.max_hands)
        self._left = _over_21(play, value, REAL, staked=True)
        self._right = _over_21(play, value, LAMMER if play.rules.free_split(value) else REAL, staked=False)
        self._jointly = Jointly(plus(against.shoe, value, -2), pushes)

    def comes_back(self) -> Bounds:
        """How much comes back on average."""
        every, lost = self.whatever_the_others(), self._all_over()
        return Bounds(every - lost.most, every - lost.least)

    def whatever_the_others(self) -> Fraction:
        """How much would come back if it did against each 22."""
        total = Fraction(0)
        for hands, resolved, paths in self._ends:
            left, unlike = self._left[resolved > 0], max(resolved - 1, 0)
            # The second cards of so many others are no pair cards: for each of them every card, less a pair card.
            for some in range(unlike + 1):
                times = (-1) ** some * comb(unlike, some) * paths
                total += times * self._jointly.exactly([left], self._pair_cards(hands - 2 + some))
        return total

    def _all_over(self) -> Bounds:
        """How much of that does not, since the other hands are over 21 too."""
        least = most = Fraction(0)
        for hands, resolved, paths in self._ends:
            unlike = max(resolved - 1, 0)
            others = [self._right[True]] * unlike + [self._right[False]] * (hands - 1 - unlike)
            lost = self._jointly.within([self._left[resolved > 0], *others], self._pair_cards(hands - 2))
            least, most = least + paths * lost.least, most + paths * lost.most
        return Bounds(least, most)

    def _pair_cards(self, number: int) -> Counts:
        return plus(NOTHING, self._value, number)


def _over_21(play: Play, value: int, form: Form, staked: bool) -> tuple[Sets, Sets]:
    """What a split hand draws to its pair card and is over 21 by: with any second card, and with no other pair card.

    The weight is the number of orders in which the play draws them; `staked`: times what the hand then loses.
    """
    any_second, unlike = defaultdict[int, int](int), defaultdict[int, int](int)
    for second in range(VALUES):
        for drawn, weight in _ways_over_21(play, plus(plus(NOTHING, value), second), form, staked).items():
            key = packed(plus(drawn, value, -1))
            any_second[key] += weight
            if second != value:
                unlike[key] += weight
    return any_second, unlike


def _ways_over_21(play: Play, two: Counts, form: Form, staked: bool) -> dict[Counts, int]:
    """The sets of cards with which the play takes these two cards over 21, each with its weight."""
    choices, rules, found = play.choices[form], play.rules, defaultdict[Counts, int](int)
    latest = {two: 1}
    while latest:
        longer = defaultdict[Counts, int](int)
        for cards, orders in latest.items():
            cell, number = cell_of(cards), sum(cards)
            soft, count = cell
            if count == 21:
                continue
            twice = choices.double.get(cell, False) and rules.may_double(number)
            if not (twice or choices.hit[cell]):
                continue
            lost = rules.doubled(form, count, soft, number).lose if twice else form.lose
            for value in range(VALUES):
                more = plus(cards, value)
                if best_count(more)[0] > 21:
                    found[more] += orders * (lost if staked else 1)
                elif not twice:
                    longer[more] += orders
        latest = longer
    return found
