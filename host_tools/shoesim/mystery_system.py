"""The mystery bonuses of a simulated table: hidden values from a seed, meters, and who takes them past a value.

The system plays by itself, contribution by contribution, with exact meters: nothing here asks the engine of the
regulation who won. The first meter stands near its first hidden value, as at a table that was played at before, so that
a short session has a win. Errors of the system itself are planted here; those of the record are in `mystery_slips`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Final

from shoetool.rules.submission.rules import MysteryOffer, RulesSubmission
from shoetool.rules.wagers.mystery import MAXIMUM, ORDER, PASSED, Configuration, configuration
from shoetool.settle.mystery import Hit
from shoetool.trust.hidden_value import Opening, draw

from shoesim.wagers_draft import Crossing, Draft
from shoesim.wagers_plants import WagerBook

RAN_ON: Final = "mystery_ran_on"
PAST_MAXIMUM: Final = "mystery_past_maximum"
_ROUNDS_TO_A_WIN: Final = 12


@dataclass(slots=True)
class _Bonus:
    """One bonus: its meter in exact cents, the hidden value that governs, and the one that is committed after it."""

    key: str
    offer: MysteryOffer
    printed: Configuration
    meter: Fraction
    values: list[Opening]
    to_commit: list[Opening] = field(default_factory=list)
    drawn: int = 0
    missed: bool = False
    """The system has failed to see its value passed, and does so in the next round."""
    broken: bool = False
    """It never sees a value passed again."""


class MysterySystem:
    """Every mystery bonus of one table, over all its shoes."""

    def __init__(self, rules: RulesSubmission, seed: int, book: WagerBook) -> None:
        self._rules = rules
        self._seed = seed
        self._book = book
        self._rng = Random(f"mysteries {seed}")
        self._bonuses = [self._begin(key, offer) for key, offer in rules.mysteries.items()]

    def _begin(self, key: str, offer: MysteryOffer) -> _Bonus:
        bonus = _Bonus(key, offer, configuration(key, offer.configuration), Fraction(0), [])
        self._draw(bonus)
        self._draw(bonus)
        if any(plant.name == PAST_MAXIMUM for plant in self._book.waiting):
            bonus.values[0] = Opening(bonus.printed.maximum, bonus.values[0].nonce)
            bonus.to_commit[0] = bonus.values[0]
        least = self._rules.wagers[offer.wager].minimum
        near = int(_ROUNDS_TO_A_WIN * bonus.printed.contribution(least) * self._rng.uniform(0.5, 1)) + 1
        bonus.meter = Fraction(max(bonus.printed.minimum, bonus.values[0].value - near))
        return bonus

    def _draw(self, bonus: _Bonus) -> None:
        """Draw the next hidden value, and note that it is to be committed."""
        entropy = hashlib.sha256(f"{self._seed} {bonus.key} {bonus.drawn}".encode()).digest()
        bonus.drawn += 1
        bonus.values.append(draw(bonus.printed.minimum, bonus.printed.maximum, entropy))
        bonus.to_commit.append(bonus.values[-1])

    def play(self, draft: Draft) -> None:
        """Accept the wagers of a round in some order, and fill in what the system shows, opens and pays."""
        for bonus in self._bonuses:
            draft.hidden.committed += [(bonus.key, opening) for opening in bonus.to_commit]
            bonus.to_commit = []
            draft.hidden.shown[bonus.key] = int(bonus.meter)
            draft.hidden.won[bonus.key] = []
            made = [
                (seat.position, bonus.printed.contribution(seat.side[bonus.offer.wager]))
                for seat in draft.seats
                if seat.side.get(bonus.offer.wager)
            ]
            if ORDER.of(self._rules) == "accepted":
                self._rng.shuffle(made)
            draft.hidden.accepted += [(bonus.offer.wager, position) for position, _ in made]
            made = sorted(made) if ORDER.of(self._rules) == "position" else made
            if ORDER.of(self._rules) == "shared":
                together = sum((cents for _, cents in made), Fraction(0))
                self._contribute(bonus, draft, [position for position, _ in made], together)
            else:
                for position, cents in made:
                    self._contribute(bonus, draft, [position], cents)
            bonus.missed = False

    def _contribute(self, bonus: _Bonus, draft: Draft, positions: list[int], cents: Fraction) -> None:
        """Add a contribution to the meter; who takes it past the hidden value wins."""
        if not cents:
            return
        before, bonus.meter = bonus.meter, bonus.meter + cents
        value = bonus.values[0].value
        if not (bonus.meter > value or (PASSED.of(self._rules) == "at_or_above" and bonus.meter == value)):
            return
        if self._fails(bonus, draft):
            return
        opening = bonus.values.pop(0)
        self._draw(bonus)
        paid = int(bonus.meter)
        if MAXIMUM.of(self._rules) == "capped":
            paid = min(paid, bonus.printed.maximum)
        each = paid // len(positions)
        draft.hidden.opened.append((bonus.key, opening))
        draft.hidden.crossings.append(Crossing(before, bonus.meter))
        draft.hidden.won[bonus.key].append(Hit(tuple(sorted(positions)), each))
        bonus.meter += bonus.printed.minimum - each * len(positions)

    def _fails(self, bonus: _Bonus, draft: Draft) -> bool:
        """Whether the system does not see that the value was passed, because that was planted."""
        if not bonus.broken and not bonus.missed:
            bonus.broken = self._book.take(draft, PAST_MAXIMUM)
            bonus.missed = self._book.take(draft, RAN_ON)
        return bonus.broken or bonus.missed
