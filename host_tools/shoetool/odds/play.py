"""Play by the count of a hand, whether it is soft, and the up card: what each hand is worth under such choices."""

from __future__ import annotations

from dataclasses import dataclass, field

from shoetool.odds.against import Against, together
from shoetool.odds.play_rules import ADDED, LAMMER, REAL, Form
from shoetool.odds.shoe import NOTHING, Counts, best_count

Cell = tuple[bool, int]
"""(soft, count): all hands for which there is one choice."""


@dataclass
class Choices:
    """The choices for hands of one form against one up card.

    exchange: which hands of two cards are given up for two others that nobody has seen, 633c.4(f).
    """

    hit: dict[Cell, bool] = field(default_factory=dict)
    double: dict[Cell, bool] = field(default_factory=dict)
    rescue: dict[Cell, bool] = field(default_factory=dict)
    surrender: dict[Cell, bool] = field(default_factory=dict)
    exchange: dict[Cell, bool] = field(default_factory=dict)


@dataclass
class Pairs:
    """The choices for pairs, by value: which are split, surrendered, or given up for two others, 633c.4(f)."""

    split: dict[int, bool] = field(default_factory=dict)
    given_up: dict[int, bool] = field(default_factory=dict)
    exchange: dict[int, bool] = field(default_factory=dict)


class Play:
    """The worth of every hand against one up card, played by these choices; `Against` says in which unit.

    choices: by form. They must not change any more once a hand's worth was asked for: it is kept.
    """

    def __init__(self, against: Against, choices: dict[Form, Choices], pairs: Pairs) -> None:
        self.against = against
        self.rules = against.rules
        self.choices = choices
        self.pairs = pairs
        self._kept: dict[tuple[Counts, Counts, Form, bool], int] = {}

    def worth(self, cards: Counts, others: Counts, form: Form, plain: bool) -> int:
        """The worth of a hand that is played on by the choices; see `Against` for the unit. A pair is not split here.

        plain: the hand comes from a split.
        """
        key = cards, others, form, plain
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._worth(cards, others, form, plain)
        return found

    def of_two(self, cards: Counts, others: Counts = NOTHING, switched: bool = False) -> int:
        """The worth of a hand of two cards with every choice that it has. switched: its second card was switched."""
        value = pair_of(cards)
        if value is not None and self.pairs.split.get(value):
            return self.apart(value, others)
        if value is not None and self.pairs.given_up.get(value):
            return self.against.given_up(together(cards, others))
        if switched and best_count(cards)[0] == 21:
            return self.against.stand(cards, others, REAL, False, switched=True)
        return self.worth(cards, others, REAL, False)

    def _worth(self, cards: Counts, others: Counts, form: Form, plain: bool) -> int:
        # Both hands of a pair that is split without a hole card are played alike.
        against, choices = self.against, self.choices[REAL if form == ADDED else form]
        cell, number = cell_of(cards), sum(cards)
        _, count = cell
        if count == 21:
            return against.stand(cards, others, form, plain)
        if number == 2 and not plain and pair_of(cards) is None and choices.surrender.get(cell):
            return against.given_up(together(cards, others))
        if choices.double.get(cell) and self.rules.may_double(number):
            return doubled(against, cards, others, form, choices)
        if not choices.hit[cell]:
            return against.stand(cards, others, form, plain)
        return against.after_draw(cards, others, form, lambda more: self.worth(more, others, form, plain))

    def apart(self, value: int, others: Counts = NOTHING) -> int:
        """The worth of this pair when it is split: of one real wager and a lammer, or of two real ones."""
        forms = (REAL, LAMMER if self.rules.free_split(value) else REAL)

        def worth(cards: Counts, beside: Counts, form: Form) -> int:
            return self.worth(cards, beside, form, True)

        if self.rules.game.facts.community:
            return self.against.split_alike(value, worth, others)
        return self.against.split(value, worth, forms, others)


def pair_of(cards: Counts) -> int | None:
    """The value of a pair; None for other hands."""
    return next((value for value, number in enumerate(cards) if number == 2), None) if sum(cards) == 2 else None


def cell_of(cards: Counts) -> Cell:
    """The cell of a hand."""
    count, soft = best_count(cards)
    return soft, count


def doubled(against: Against, cards: Counts, others: Counts, form: Form, choices: Choices) -> int:
    """The worth of a hand that is doubled, and taken back where the choices say so (635a.10(d))."""
    count, soft = best_count(cards)
    twice = against.rules.doubled(form, count, soft, sum(cards))

    def then(more: Counts) -> int:
        if choices.rescue.get(cell_of(more)):
            return against.bust(together(more, others), form)  # the double comes back, the original wager is lost
        return against.stand(more, others, twice, True)

    return against.after_draw(cards, others, twice, then)
