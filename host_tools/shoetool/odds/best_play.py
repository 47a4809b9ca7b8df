"""The best play that looks only at the hand's count, whether it is soft, and the up card.

A choice is one for all hands of one count: to draw or to stand, and whether to double, to surrender, to take a double
back. It is the one that is best over all of these hands together, each as often as this same play comes to it. A pair
has a choice of its own. So the choices depend on each other: they are made in turn, from the counts that no draw can
leave downwards, until none changes any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations_with_replacement
from typing import Final

from shoetool.odds.against import Against, together
from shoetool.odds.play import Cell, Choices, Pairs, Play, cell_of, doubled, pair_of
from shoetool.odds.play_rules import LAMMER, REAL, Form
from shoetool.odds.shoe import NOTHING, VALUES, Counts, best_count, plus

ROUNDS: Final = 40
# A draw leads from a count only to those before it: a soft hand can become a hard one of any count from 12 on.
_ORDER: Final[tuple[Cell, ...]] = (
    *((False, count) for count in range(20, 10, -1)),
    *((True, count) for count in range(20, 11, -1)),
    *((False, count) for count in range(10, 3, -1)),
)

Hand = tuple[Counts, Counts]
"""The cards of a hand, and what else left the shoe before it was played."""


def best_play(against: Against) -> Play:
    """The best play against one up card. AssertionError when the choices go round in a circle."""
    rules = against.rules
    pairs = Pairs(dict.fromkeys(range(VALUES), rules.max_hands > 1), dict.fromkeys(range(VALUES), False))
    for _ in range(ROUNDS):
        choices = {REAL: Search(against, REAL, _dealt(against, pairs), plain=False).found()}
        lammers = _split_free(against, pairs)
        if lammers:
            choices[LAMMER] = Search(against, LAMMER, lammers, plain=True).found()
        play = Play(against, choices, pairs)
        better = best_pairs(play)
        if better == pairs:
            return play
        pairs = better
    raise AssertionError("the choices for pairs settle")


def best_pairs(play: Play) -> Pairs:
    """The best choice for each pair, its hands played on as in `play`."""
    against, rules = play.against, play.rules
    found = Pairs()
    for value in range(VALUES):
        found.split[value] = found.given_up[value] = False
        if against.shoe[value] < 2:
            continue  # no such pair can come
        cards = plus(NOTHING, value, 2)
        may_split = rules.max_hands > 1
        kept, given_up = play.worth(cards, NOTHING, REAL, False), against.given_up(cards)
        found.split[value] = may_split and play.apart(value) > max(kept, given_up)
        found.given_up[value] = rules.surrender and not found.split[value] and given_up > kept
    return found


def _dealt(against: Against, pairs: Pairs) -> dict[Hand, int]:
    """Every hand of two cards that is neither split nor surrendered as a pair, and in how many ways it can come."""
    found = {}
    for cards, ways in two_of(against.shoe):
        value = pair_of(cards)
        alike = value is not None and (pairs.split[value] or pairs.given_up[value])
        if not alike and best_count(cards)[0] < 21:
            found[cards, NOTHING] = ways
    return found


def _split_free(against: Against, pairs: Pairs) -> dict[Hand, int]:
    """Every hand of two cards that can stand for a lammer after a first split, and in how many ways it can come."""
    found = {}
    for value in range(VALUES):
        if not (against.rules.free_split(value) and pairs.split[value]):
            continue
        one = plus(NOTHING, value)
        for second, left in enumerate(against.left(plus(one, value))):
            ways, cards = ways_of_two(against.shoe, value, value) * left, plus(one, second)
            if ways > 0 and best_count(cards)[0] < 21:
                found[cards, one] = ways
    return found


def ways_of_two(shoe: Counts, first: int, second: int) -> int:
    """In how many ways two cards of these values come out of the shoe, in either order."""
    return shoe[first] * (shoe[first] - 1) if first == second else 2 * shoe[first] * shoe[second]


def two_of(shoe: Counts) -> Iterator[tuple[Counts, int]]:
    """Every two cards that can come out of the shoe, and in how many ways they do."""
    for first, second in combinations_with_replacement(range(VALUES), 2):
        ways = ways_of_two(shoe, first, second)
        if ways > 0:
            yield plus(plus(NOTHING, first), second), ways


class Search:
    """The search for the best choices for hands of one form. begun: those of two cards, and in how many ways each."""

    def __init__(self, against: Against, form: Form, begun: dict[Hand, int], plain: bool) -> None:
        self.against = against
        self.rules = against.rules
        self.form = form
        self.begun = begun
        self.plain = plain
        self.choices = Choices(hit={cell: cell[1] < (18 if cell[0] else 17) for cell in _ORDER})
        self.hands = _reached(against, begun)
        self.by_cell: dict[Cell, list[Hand]] = defaultdict(list)
        for hand in self.hands:
            self.by_cell[cell_of(hand[0])].append(hand)
        self.ways: dict[Hand, int] = {}
        self.worth = {hand: self._stand(hand) for hand in self.by_cell[False, 21] + self.by_cell[True, 21]}

    def found(self) -> Choices:
        """The choices, once none changes any more."""
        for _ in range(ROUNDS):
            before = deepcopy(self.choices)
            self.ways = self._ways()
            if self.rules.game.facts.rescue:
                self.choices.rescue = self._rescues()
            for cell in filter(self.by_cell.get, _ORDER):
                self._choose(cell)
            if self.choices == before:
                return self.choices
        raise AssertionError("the choices settle")

    def _choose(self, cell: Cell) -> None:
        """Make the choices of one cell. A hand that comes there by no play yet counts as one that does."""
        choices, hands = self.choices, self.by_cell[cell]
        drawn, stood = {hand: self._draw(hand) for hand in hands}, {hand: self._stand(hand) for hand in hands}
        decided = [hand for hand in hands if self.ways[hand]] or hands
        weight = {hand: self.ways[hand] or 1 for hand in decided}
        hitting = [hand for hand in decided if not self._doubles(hand)] or decided
        choices.hit[cell] = sum(weight[hand] * (drawn[hand] - stood[hand]) for hand in hitting) > 0
        best = drawn if choices.hit[cell] else stood
        twice = {hand: self._double(hand) for hand in hands if self.rules.may_double(sum(hand[0]))}
        gain = sum(weight[hand] * (twice[hand] - best[hand]) for hand in decided if hand in twice)
        choices.double[cell] = gain > 0
        if self.rules.surrender and not self.plain:
            kept = {**best, **twice} if choices.double[cell] else best
            two = [hand for hand in hands if hand in self.begun and pair_of(hand[0]) is None]
            gain = sum(self.begun[hand] * (self.against.given_up(hand[0]) - kept[hand]) for hand in two)
            choices.surrender[cell] = gain > 0
        self.worth |= best | (twice if choices.double[cell] else {})

    def _draw(self, hand: Hand) -> int:
        return self.against.after_draw(*hand, self.form, lambda more: self.worth[more, hand[1]])

    def _stand(self, hand: Hand) -> int:
        return self.against.stand(*hand, self.form, self.plain)

    def _double(self, hand: Hand) -> int:
        return doubled(self.against, *hand, self.form, self.choices)

    def _doubles(self, hand: Hand) -> bool:
        return self.choices.double.get(cell_of(hand[0]), False) and self.rules.may_double(sum(hand[0]))

    def _gives_up(self, hand: Hand) -> bool:
        asked = hand in self.begun and not self.plain and pair_of(hand[0]) is None
        return asked and self.choices.surrender.get(cell_of(hand[0]), False)

    def _ways(self) -> dict[Hand, int]:
        """In how many ways the play comes to each hand; 0 for one that is surrendered."""
        ways = dict.fromkeys(self.hands, 0) | self.begun
        for hand in self.hands:
            if self._gives_up(hand):
                ways[hand] = 0
            if not ways[hand] or self._doubles(hand) or not self.choices.hit.get(cell_of(hand[0])):
                continue
            for more, left in self._draws(hand):
                ways[more] += ways[hand] * left
        return ways

    def _draws(self, hand: Hand) -> Iterator[tuple[Hand, int]]:
        """Each hand that one more card can make of it within 21, and of how many cards that is one."""
        cards, others = hand
        for value, left in enumerate(self.against.left(together(cards, others))):
            more = plus(cards, value)
            if left > 0 and best_count(more)[0] <= 21:
                yield (more, others), left

    def _rescues(self) -> dict[Cell, bool]:
        """635a.10(d): at which counts of a doubled hand it is better to lose the original wager alone."""
        gain: dict[Cell, int] = defaultdict(int)
        for hand, number in self.ways.items():
            if not number or not self._doubles(hand):
                continue
            count, soft = best_count(hand[0])
            twice = self.rules.doubled(self.form, count, soft, sum(hand[0]))
            for (more, others), left in self._draws(hand):
                kept = self.against.stand(more, others, twice, True)
                lost = self.against.bust(together(more, others), self.form)
                gain[cell_of(more)] += number * left * (lost - kept)
        return {cell: more > 0 for cell, more in gain.items()}


def _reached(against: Against, begun: dict[Hand, int]) -> list[Hand]:
    """Every hand within 21 that can come of these by drawing from the shoe, shorter ones first."""
    found = dict.fromkeys(begun)
    latest = list(found)
    while latest:
        longer: dict[Hand, None] = {}
        for cards, others in latest:
            for value, left in enumerate(against.left(together(cards, others))):
                more = plus(cards, value)
                if left > 0 and best_count(more)[0] <= 21:
                    longer[more, others] = None
        found |= longer
        latest = list(longer)
    return list(found)
