"""The best play that looks only at the hand's count, whether it is soft, and the up card.

A choice is one for all hands of one count: to draw or to stand, and whether to double, to surrender, to take a double
back. It is the one that is best over all of these hands together, each as often as this same play comes to it. A pair
has a choice of its own. So the choices depend on each other: they are made in turn, from the counts that no draw can
leave downwards, until none changes any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Final

from shoetool.odds.against import Against, together
from shoetool.odds.draws import NOTHING, VALUES, Counts, best_count, plus
from shoetool.odds.play_rules import LAMMER, REAL, Form

Cell = tuple[bool, int]
"""(soft, count): all hands for which there is one choice."""
_ROUNDS: Final = 40
# A draw leads from a count only to those before it: a soft hand can become a hard one of any count from 12 on.
_ORDER: Final[tuple[Cell, ...]] = (
    *((False, count) for count in range(21, 10, -1)),
    *((True, count) for count in range(21, 11, -1)),
    *((False, count) for count in range(10, 3, -1)),
)


@dataclass
class Choices:
    """The choices for hands of one form against one up card."""

    hit: dict[Cell, bool] = field(default_factory=dict)
    double: dict[Cell, bool] = field(default_factory=dict)
    rescue: dict[Cell, bool] = field(default_factory=dict)
    surrender: dict[Cell, bool] = field(default_factory=dict)


@dataclass
class Start:
    """A hand of two cards as it begins: what else left the shoe, and in how many ways it can come."""

    cards: Counts
    others: Counts
    ways: int


class Play:
    """The best play against one up card: `choices` by form, and which pairs are `split` or `pairs_given_up`."""

    def __init__(self, against: Against) -> None:
        self.against = against
        self.rules = against.rules
        self.choices: dict[Form, Choices] = {}
        self.split: dict[int, bool] = {}
        self.pairs_given_up: dict[int, bool] = {}
        self.pair_worth: dict[int, int] = {}
        self._kept: dict[tuple[Counts, Counts, Form, bool], int] = {}
        self._find()

    def worth(self, cards: Counts, others: Counts, form: Form, plain: bool) -> int:
        """The worth of a hand that is played on by the choices; see `Against` for the unit. A pair is not split here.

        plain: the hand comes from a split.
        """
        key = cards, others, form, plain
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._worth(cards, others, form, plain)
        return found

    def of_two(self, cards: Counts) -> int:
        """The worth of a hand as dealt, with every choice that it has."""
        value = pair_of(cards)
        if value is not None and self.split[value]:
            return self.pair_worth[value]
        if value is not None and self.pairs_given_up[value]:
            return self.against.given_up(cards)
        return self.worth(cards, NOTHING, REAL, False)

    def _worth(self, cards: Counts, others: Counts, form: Form, plain: bool) -> int:
        against, choices = self.against, self.choices[form]
        count, soft = best_count(cards)
        cell, number = (soft, count), sum(cards)
        if count == 21:
            return against.stand(cards, others, form, plain)
        if number == 2 and not plain and pair_of(cards) is None and choices.surrender.get(cell):
            return against.given_up(together(cards, others))
        if choices.double.get(cell) and self.rules.may_double(number):
            return self._doubled(cards, others, form, choices)
        if not choices.hit[cell]:
            return against.stand(cards, others, form, plain)
        return against.after_draw(cards, others, form, lambda more: self.worth(more, others, form, plain))

    def _doubled(self, cards: Counts, others: Counts, form: Form, choices: Choices) -> int:
        against = self.against
        count, soft = best_count(cards)
        twice = self.rules.doubled(form, count, soft, sum(cards))

        def then(more: Counts) -> int:
            total, soft_now = best_count(more)
            if choices.rescue.get((soft_now, total)):
                return against.bust(together(more, others), form)  # the double comes back, the original wager is lost
            return against.stand(more, others, twice, True)

        return against.after_draw(cards, others, twice, then)

    def _find(self) -> None:
        self.split = dict.fromkeys(range(VALUES), self.rules.max_hands > 1)
        self.pairs_given_up = dict.fromkeys(range(VALUES), False)
        for _ in range(_ROUNDS):
            self._kept.clear()
            self.choices[REAL] = _best(self, REAL, list(self._dealt()), plain=False)
            if any(map(self.rules.free_split, range(VALUES))):
                starts = list(self._split_free())
                self.choices[LAMMER] = _best(self, LAMMER, starts, plain=True) if starts else Choices()
            before = dict(self.split), dict(self.pairs_given_up)
            self._choose_pairs()
            if before == (self.split, self.pairs_given_up):
                return
        raise AssertionError("the choices for pairs settle")

    def _dealt(self) -> Iterator[Start]:
        """Every hand of two cards that is neither split nor given up as a pair."""
        shoe = self.against.shoe
        for first, second in combinations_with_replacement(range(VALUES), 2):
            cards = plus(plus(NOTHING, first), second)
            ways = shoe[first] * (shoe[first] - 1) if first == second else 2 * shoe[first] * shoe[second]
            alike = first == second and (self.split[first] or self.pairs_given_up[first])
            if ways > 0 and not alike and best_count(cards)[0] < 21:
                yield Start(cards, NOTHING, ways)

    def _split_free(self) -> Iterator[Start]:
        """Every hand of two cards that can stand for a lammer after a first split."""
        shoe = self.against.shoe
        for value in range(VALUES):
            if not self.rules.free_split(value) or not self.split[value]:
                continue
            other = plus(NOTHING, value)
            for second in range(VALUES):
                cards = plus(other, second)
                ways = shoe[value] * (shoe[value] - 1) * self.against.left(plus(other, value))[second]
                if ways > 0 and best_count(cards)[0] < 21:
                    yield Start(cards, other, ways)

    def _choose_pairs(self) -> None:
        against = self.against
        for value in range(VALUES):
            if against.shoe[value] < 2:
                self.split[value] = False
                continue
            apart = self._apart(value) if self.rules.max_hands > 1 else None
            cards = plus(NOTHING, value, 2)
            together_worth = self.worth(cards, NOTHING, REAL, False)
            given_up = against.given_up(cards)
            self.split[value] = apart is not None and apart > max(together_worth, given_up)
            self.pair_worth[value] = apart or 0
            self.pairs_given_up[value] = self.rules.surrender and not self.split[value] and given_up > together_worth

    def _apart(self, value: int) -> int:
        """The worth of this pair when it is split: of one real wager and a lammer, or of two real ones."""
        forms = (REAL, LAMMER if self.rules.free_split(value) else REAL)
        return self.against.split(value, lambda cards, others, form: self.worth(cards, others, form, True), forms)


def pair_of(cards: Counts) -> int | None:
    """The value of a pair; None for other hands."""
    return next((value for value, number in enumerate(cards) if number == 2), None) if sum(cards) == 2 else None


def _best(play: Play, form: Form, starts: list[Start], plain: bool) -> Choices:
    """The best choices for the hands that begin so, each as often as `ways` says."""
    against, rules = play.against, play.rules
    hands = _reached(starts)
    by_cell: dict[Cell, list[tuple[Counts, Counts]]] = defaultdict(list)
    for cards, others in hands:
        count, soft = best_count(cards)
        by_cell[soft, count].append((cards, others))
    begun = {(start.cards, start.others): start.ways for start in starts}
    choices = Choices(hit={cell: cell[1] < (18 if cell[0] else 17) for cell in _ORDER})
    worth: dict[tuple[Counts, Counts], int] = {}

    def draw(hand: tuple[Counts, Counts]) -> int:
        return against.after_draw(*hand, form, lambda more: worth[more, hand[1]])

    for _ in range(_ROUNDS):
        before = (dict(choices.hit), dict(choices.double), dict(choices.rescue), dict(choices.surrender))
        ways = _ways(play, choices, hands, begun, plain)
        if rules.game.facts.rescue:
            choices.rescue = _rescues(play, form, choices, ways)
        for cell in _ORDER:
            found = by_cell.get(cell, [])
            drawn = {hand: draw(hand) for hand in found} if cell[1] < 21 else {}
            stood = {hand: against.stand(*hand, form, plain) for hand in found}
            if cell[1] < 21 and found:
                _choose(play, form, choices, cell, ways, begun, drawn, stood, plain)
            for hand in found:
                worth[hand] = drawn[hand] if choices.hit[cell] and cell[1] < 21 else stood[hand]
                number = sum(hand[0])
                if choices.double.get(cell) and rules.may_double(number):
                    worth[hand] = play._doubled(*hand, form, choices)
        if before == (choices.hit, choices.double, choices.rescue, choices.surrender):
            return choices
    raise AssertionError("the choices settle")


def _choose(
    play: Play,
    form: Form,
    choices: Choices,
    cell: Cell,
    ways: dict[tuple[Counts, Counts], int],
    begun: dict[tuple[Counts, Counts], int],
    drawn: dict[tuple[Counts, Counts], int],
    stood: dict[tuple[Counts, Counts], int],
    plain: bool,
) -> None:
    """Make the choices of one cell. A hand that comes there by no play yet counts as one that does."""
    rules, against = play.rules, play.against
    decided = [hand for hand in drawn if ways.get(hand)] or list(drawn)
    weight = {hand: ways.get(hand) or 1 for hand in decided}
    doubling = choices.double.get(cell, False)
    hitting = [hand for hand in decided if not (doubling and rules.may_double(sum(hand[0])))] or decided
    choices.hit[cell] = sum(weight[hand] * (drawn[hand] - stood[hand]) for hand in hitting) > 0
    best = drawn if choices.hit[cell] else stood
    doubles = [hand for hand in decided if rules.may_double(sum(hand[0]))]
    twice = {hand: play._doubled(*hand, form, choices) for hand in doubles}
    choices.double[cell] = sum(weight[hand] * (twice[hand] - best[hand]) for hand in doubles) > 0
    two = [hand for hand in drawn if hand in begun and pair_of(hand[0]) is None]
    if rules.surrender and not plain:
        kept = twice if choices.double[cell] else best
        choices.surrender[cell] = sum(begun[hand] * (against.given_up(hand[0]) - kept[hand]) for hand in two) > 0


def _reached(starts: list[Start]) -> list[tuple[Counts, Counts]]:
    """Every hand that can come of these by drawing, shorter ones first."""
    found = {(start.cards, start.others): None for start in starts}
    latest = list(found)
    while latest:
        longer: dict[tuple[Counts, Counts], None] = {}
        for cards, others in latest:
            for value in range(VALUES):
                more = plus(cards, value)
                if best_count(more)[0] <= 21:
                    longer[more, others] = None
        found |= longer
        latest = list(longer)
    return list(found)


def _ways(
    play: Play,
    choices: Choices,
    hands: list[tuple[Counts, Counts]],
    begun: dict[tuple[Counts, Counts], int],
    plain: bool,
) -> dict[tuple[Counts, Counts], int]:
    """In how many ways the play comes to each hand, while it still has its choice."""
    ways: dict[tuple[Counts, Counts], int] = defaultdict(int)
    for hand in hands:
        cards, others = hand
        ways[hand] += begun.get(hand, 0)
        count, soft = best_count(cards)
        cell = soft, count
        number = sum(cards)
        gives_up = number == 2 and not plain and pair_of(cards) is None and choices.surrender.get(cell)
        doubles = choices.double.get(cell) and play.rules.may_double(number)
        if gives_up:
            ways[hand] = 0
        if not ways[hand] or count == 21 or doubles or not choices.hit[cell]:
            continue
        for value, left in enumerate(play.against.left(together(cards, others))):
            more = plus(cards, value)
            if left > 0 and best_count(more)[0] <= 21:
                ways[more, others] += ways[hand] * left
    return ways


def _rescues(play: Play, form: Form, choices: Choices, ways: dict[tuple[Counts, Counts], int]) -> dict[Cell, bool]:
    """635a.10(d): at which counts of a doubled hand it is better to lose the original wager alone."""
    against, rules = play.against, play.rules
    gain: dict[Cell, int] = defaultdict(int)
    for (cards, others), number in ways.items():
        count, soft = best_count(cards)
        if not number or count == 21 or not (choices.double.get((soft, count)) and rules.may_double(sum(cards))):
            continue
        twice = rules.doubled(form, count, soft, sum(cards))
        for value, left in enumerate(against.left(together(cards, others))):
            more = plus(cards, value)
            total, soft_now = best_count(more)
            if left > 0 and total <= 21:
                kept = against.stand(more, others, twice, True)
                lost = against.bust(together(more, others), form)
                gain[soft_now, total] += number * left * (lost - kept)
    return {cell: more > 0 for cell, more in gain.items()}
