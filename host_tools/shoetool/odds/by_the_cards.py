"""The best play that looks at all cards of a hand, and the up card: what each hand is worth under it.

A hand of a split pair looks at its own cards, and at how many cards of the pair the other hands took.
"""

from __future__ import annotations

from collections.abc import Callable

from shoetool.odds.against import Against, together
from shoetool.odds.play import pair_of
from shoetool.odds.play_rules import REAL, Form
from shoetool.odds.shoe import NOTHING, Counts, best_count

_Decision = Callable[[Counts, Counts, bool], int]
"""What a hand is worth with one decision: (its cards, other cards that left the shoe, whether it comes of a split)."""


class ByTheCards:
    """The worth of every hand with a wager against one up card; `Against` says in which unit.

    follows: the play whose decisions are made, at other odds than those of `against`; None: those best at these.
    """

    def __init__(self, against: Against, follows: ByTheCards | None = None) -> None:
        assert not against.rules.game.facts.rescue and not against.rules.game.free_split, "no lammers, no rescue"
        self.against = against
        self._follows = follows
        self._kept: dict[tuple[Counts, Counts, bool], tuple[str, int]] = {}
        self._decisions: dict[str, _Decision] = {
            "stand": lambda cards, others, plain: against.stand(cards, others, REAL, plain),
            "draw": lambda cards, others, plain: against.after_draw(
                cards, others, REAL, lambda more: self._worth(more, others, plain)[1]
            ),
            "double": self._double,
            "surrender": lambda cards, others, plain: against.given_up(together(cards, others)),
            "split": self._split,
        }

    def of_two(self, cards: Counts) -> int:
        """The worth of a hand as dealt."""
        return self._worth(cards, NOTHING, False)[1]

    def _worth(self, cards: Counts, others: Counts, plain: bool) -> tuple[str, int]:
        """The decision for a hand within 21, and its worth. plain: it comes of a split, and is not split again here."""
        key = cards, others, plain
        found = self._kept.get(key)
        if found is None:
            if self._follows is None:
                choices = ((name, self._decisions[name](*key)) for name in self._open(cards, plain))
                found = max(choices, key=lambda one: one[1])
            else:
                name = self._follows._worth(*key)[0]
                found = name, self._decisions[name](*key)
            self._kept[key] = found
        return found

    def _open(self, cards: Counts, plain: bool) -> list[str]:
        """The decisions that the player may make; he stands on 21."""
        rules, number = self.against.rules, sum(cards)
        if best_count(cards)[0] == 21:
            return ["stand"]
        first = number == 2 and not plain
        asked = {
            "stand": True,
            "draw": True,
            "double": rules.may_double(number),
            "surrender": first and rules.surrender,
            "split": first and pair_of(cards) is not None and rules.max_hands > 1,
        }
        return [name for name, may in asked.items() if may]

    def _double(self, cards: Counts, others: Counts, plain: bool) -> int:
        against = self.against
        form = against.rules.doubled(REAL, *best_count(cards), sum(cards))
        return against.after_draw(cards, others, form, lambda more: against.stand(more, others, form, True))

    def _split(self, cards: Counts, others: Counts, plain: bool) -> int:
        value = pair_of(cards)
        assert value is not None, "a pair is split"

        def of_one(own: Counts, beside: Counts, form: Form) -> int:
            return self._worth(own, beside, True)[1]

        return self.against.split(value, of_one, (REAL, REAL))
