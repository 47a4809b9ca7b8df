"""The exact odds of one optional wager: the chance of each outcome, and what follows for its edge.

Probabilities are fractions of whole numbers, and those of all outcomes make exactly 1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import perm
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.odds.deals import ON_THE_DEAL, Counted, Deals
from shoetool.odds.finished import FinishedHands
from shoetool.odds.holding import WatchedRules, holding
from shoetool.odds.shoe import Shoe
from shoetool.rules.games import GAMES
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Paytable
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS, Outcome, Wager
from shoetool.rules.wagers.payable import joined, paid_outcomes, returning, rows_of

ON_THE_DEALER: Final = "dealer"
"""The subject of a wager on the dealer's finished hand."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely one outcome is. words: the row's own; outcome: None for a loss. envy: cents to each other player."""

    outcome: Outcome | None
    words: str
    odds: Odds | None
    chance: Fraction
    envy: int = 0


@dataclass(frozen=True)
class WagerOdds:
    """The odds of a wager of `stake` cents by one paytable, with so many decks. meters: cents at which each starts.

    set_by_house: whether the house fixes the start of the meter, and the least amount stands here.
    """

    wager: Wager
    table: Paytable
    game: str
    decks: int
    h17: bool
    stake: int
    chances: tuple[Chance, ...]
    meters: Mapping[str, int]
    set_by_house: bool
    returned: frozenset[str]

    @property
    def hit(self) -> Fraction:
        """How often the wager wins anything."""
        return sum((one.chance for one in self.chances if one.outcome is not None), Fraction(0))

    def net(self, odds: Odds | None, meters: Mapping[str, int]) -> Fraction:
        """What a player gains for each unit wagered, with so many cents on each meter."""
        if odds is None:
            return Fraction(-1)
        kept = 0 if odds.kind in self.returned else 1
        paid = odds.paid(self.stake) + (odds.meter_share * meters[odds.meter] if odds.progressive else 0)
        return paid / self.stake - kept

    def edge(self, meters: Mapping[str, int] | None = None) -> Fraction:
        """What the house keeps of each unit wagered, with each meter at its start or at these cents; no envy."""
        at = self.meters if meters is None else meters
        return -sum((one.chance * self.net(one.odds, at) for one in self.chances), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """That of a player's gain for each unit wagered, each meter at its start."""
        mean = -self.edge()
        return sum((one.chance * (self.net(one.odds, self.meters) - mean) ** 2 for one in self.chances), Fraction(0))

    def gives_back(self, meter: str) -> Fraction:
        """The part of a unit wagered that each cent on a meter gives back."""
        won = (one for one in self.chances if one.odds is not None and one.odds.progressive)
        share = sum(
            (one.chance * one.odds.meter_share for one in won if one.odds and one.odds.meter == meter), Fraction(0)
        )
        return share / self.stake

    def break_even(self, meter: str) -> Fraction | None:
        """Cents on a meter at which the house keeps nothing, the others at their starts; None where none is enough."""
        back = self.gives_back(meter)
        return self.edge({**self.meters, meter: 0}) / back if back else None

    @property
    def envy(self) -> Fraction:
        """The part of a unit wagered that the envy bonus for each other player's hand gives back, 0 without one."""
        return sum((one.chance * one.envy for one in self.chances), Fraction(0)) / self.stake


class WagerCounts:
    """Counts the deals or the dealer's hands of wagers, each once for all that it serves."""

    def __init__(self, h17: bool = False) -> None:
        self._h17 = h17
        self._counts: dict[tuple[object, ...], Deals | FinishedHands] = {}

    def odds(self, rules: RulesSubmission, table: Paytable, stake: int, tables: Collection[Paytable]) -> WagerOdds:
        """The odds by this paytable under these rules, which offer the wager.

        stake: cents of the wager. tables: all the paytables for which the counts may serve, this one among them.
        BadInput for a wager whose outcome depends on how a player plays.
        """
        wager = WAGERS[table.wager]
        shoe = Shoe.of(rules.game, rules.decks)
        counted = self._counted(wager, rules, shoe, tables)
        outcomes = paid_outcomes(wager, table)
        chance = dict.fromkeys(outcomes, Fraction(0))
        lost = Fraction(0)
        size = len(shoe.deck) * shoe.decks
        for cards, ways in counted.items():
            for held, number in ways.items():
                part = Fraction(number, perm(size, cards))
                won = next((one for one in map(wager.outcomes.__getitem__, held) if one in chance), None)
                if won is None:
                    lost += part
                else:
                    chance[won] += part
        assert sum(chance.values(), lost) == 1, "the chances of all outcomes make 1"
        chances = [_chance(one, table, chance[one], stake) for one in outcomes]
        rule = wager.meter
        starts = {meter.name: meter.start(stake) for meter in table.meters}
        if not starts and any(one.odds is not None and one.odds.progressive for one in chances):
            assert rule is not None, "a wager that pays a share of a meter has one"
            starts = {"": rule.least}
        return WagerOdds(
            *(wager, table, rules.game, rules.decks, self._h17, stake),
            (*chances, Chance(None, wager.nothing, None, lost)),
            starts,
            not table.meters,
            returning(wager, rules),
        )

    def _counted(self, wager: Wager, rules: RulesSubmission, shoe: Shoe, tables: Collection[Paytable]) -> Counted:
        watched = WatchedRules(rules)
        if wager.subject not in (*ON_THE_DEAL, ON_THE_DEALER):
            raise BadInput(f"the odds of {wager.title} depend on how a hand is played: they are not computed")
        choices = tuple(sorted((key, str(value)) for key, value in rules.choices.items()))
        shared = wager.key, rules.game, choices, tuple(table.name for table in tables)
        own = (*shared, rules.wagers[wager.key].paytable)
        found = self._counts.get(shared) or self._counts.get(own)
        if found is None:
            held = holding(wager, tables)
            if wager.subject == ON_THE_DEALER:
                found = FinishedHands(shoe.deck, self._h17, watched, held)
            else:
                found = Deals(wager.subject, shoe.deck, watched, held)
            self._counts[own if watched.looked_at_offers else shared] = found
        return found.of(shoe.decks)


def _chance(outcome: Outcome, table: Paytable, chance: Fraction, stake: int) -> Chance:
    rows = rows_of(outcome, table)
    words = rows[0].outcome if len(rows) == 1 else f"{rows[0].outcome}, {rows[1].outcome}"
    return Chance(outcome, words, joined(rows), chance, rows[0].envy_for(stake))


def decks_of(game: str) -> tuple[int, ...]:
    """The numbers of decks, up to 8, with which a game may be dealt."""
    return tuple(decks for decks in range(1, 9) if GAMES[game].decks.allows(decks))
