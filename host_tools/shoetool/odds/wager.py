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
from shoetool.odds.count_and_dealer import CountAndDealer
from shoetool.odds.deals import ON_THE_DEAL, Counted, Deals
from shoetool.odds.finished import FinishedHands
from shoetool.odds.holding import Held, WatchedRules, holding
from shoetool.odds.own_cards import OwnCards
from shoetool.odds.played_counts import PlayedCounts
from shoetool.odds.plays import BEST, WORST, mean, played
from shoetool.odds.poker_hands import PokerHands
from shoetool.odds.press import PressOdds
from shoetool.odds.shoe import Shoe
from shoetool.rules.games import GAMES
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Paytable, paytables
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS, Outcome, Wager
from shoetool.rules.wagers.payable import joined, paid_outcomes, returning, rows_of
from shoetool.rules.wagers.wager import DRAWS

ON_THE_DEALER: Final = "dealer"
"""The subject of a wager on the dealer's finished hand."""

ON_A_POKER_HAND: Final = "dealer_poker"
"""The subject of a wager on the dealer's finished hand as a poker hand."""

BESIDE_A_COUNT: Final = "hands_and_dealer"
"""The subject of a wager on a player's count and the dealer's finished hand."""

BESIDE_COUNTS: Final = "shared_hands_and_dealer"
"""The subject of a wager on some counts of a player and the dealer's finished hand, at a hybrid table."""

ON_OWN_CARDS: Final = ("hands", "two_cards_and_third")
"""The subjects of wagers on the cards that a player draws."""

COMPUTED: Final = (*ON_THE_DEAL, ON_THE_DEALER, ON_A_POKER_HAND, BESIDE_A_COUNT, BESIDE_COUNTS, *ON_OWN_CARDS)
"""The subjects of all wagers whose odds are computed."""

_BACK: Final = Odds("comes back", "for", Fraction(1))
"""The odds of an outcome for which the paytable has no row, and the wager comes back."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely one outcome is. words: the row's own; outcome: None for a loss. envy: cents to each other player.

    times: by what the player's cards multiply its odds.
    """

    outcome: Outcome | None
    words: str
    odds: Odds | None
    chance: Fraction
    envy: int = 0
    times: int = 1


@dataclass(frozen=True)
class WagerOdds:
    """The odds of a wager of `stake` cents by one paytable, with so many decks. meters: cents at which each starts.

    set_by_house: whether the house fixes the start of the meter, and the least amount stands here. play: how the player
    plays, `BEST` or `WORST` for this wager alone, "" where it does not depend on that. bound: an edge that no play goes
    below, where the best play leaves splits out; None where there is none to tell. stops: the clause by which the
    dealer draws only where a hand waits for him, "" where he draws for the wager; the figures are as if he always did.
    options: the optional rows of the paytable that the house offers.
    press: what its winnings win on the main wager, None where that was not asked; the figures are without it.
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
    play: str = ""
    bound: Fraction | None = None
    stops: str = ""
    options: frozenset[str] = frozenset()
    press: PressOdds | None = None

    @property
    def hit(self) -> Fraction:
        """How often the wager wins anything."""
        won = (one.chance for one in self.chances if one.outcome is not None and not one.outcome.unpaid)
        return sum(won, Fraction(0))

    def net(self, odds: Odds | None, meters: Mapping[str, int]) -> Fraction:
        """What a player gains for each unit wagered, with so many cents on each meter."""
        return _net(odds, self.stake, self.returned, meters)

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


_Counts = Deals | FinishedHands | PokerHands | CountAndDealer | PlayedCounts | OwnCards


class WagerCounts:
    """Counts the deals or the hands of wagers, each once for all that it serves."""

    def __init__(self, h17: bool = False) -> None:
        self._h17 = h17
        self._counts: dict[tuple[object, ...], _Counts] = {}

    def odds(
        self, rules: RulesSubmission, table: Paytable, stake: int, tables: Collection[Paytable], play: str = BEST
    ) -> WagerOdds:
        """The odds by this paytable under these rules, which offer the wager.

        stake: cents of the wager. tables: all the paytables for which the counts may serve, this one among them. play:
        one of `plays_of` the wager. BadInput for a wager whose odds are not computed.
        """
        wager = WAGERS[table.wager]
        if wager.cards not in COMPUTED:
            raise BadInput(f"the odds of {wager.title} depend on how a hand is played: they are not computed")
        shoe = Shoe.of(rules.game, rules.decks)
        outcomes = paid_outcomes(wager, table)
        pays = {one: _BACK if one.unpaid else joined(rows_of(one, table)) for one in outcomes}
        starts = {meter.name: meter.start(stake) for meter in table.meters}
        if not starts and any(odds.progressive for odds in pays.values()):
            assert wager.meter is not None, "a wager that pays a share of a meter has one"
            starts = {"": wager.meter.least}
        returned = returning(wager, rules)
        places = {place: one for place, one in enumerate(wager.outcomes) if one in pays}

        def won(held: Held) -> Outcome | None:
            return next((places[place] for place in held if place in places), None)

        def worth(held: Held) -> Fraction:
            outcome = won(held)
            return Fraction(0) if outcome is None else 1 + _net(pays[outcome], stake, returned, starts)

        size = len(shoe.deck) * shoe.decks
        counts = self._counts_of(wager, rules, shoe, tables)
        bound = None
        by_times: dict[int, Counted]
        if isinstance(counts, PokerHands):
            play, by_times = "", counts.of(shoe.decks)
        elif isinstance(counts, Deals | FinishedHands):
            play, by_times = "", {1: counts.of(shoe.decks)}
        elif isinstance(counts, PlayedCounts):
            by_times = {1: counts.of(shoe, play, worth)}
        else:
            by_times = {1: played(counts.of(shoe), play, size, worth)}
            most = counts.at_most(shoe) if play == BEST else None
            bound = None if most is None else 1 - mean(most, size, worth)
        chance = {(one, times): Fraction(0) for one in outcomes for times in by_times}
        lost = Fraction(0)
        for times, counted in by_times.items():
            for cards, ways in counted.items():
                for held, number in ways.items():
                    outcome, part = won(held), Fraction(number, perm(size, cards))
                    if outcome is None:
                        lost += part
                    else:
                        chance[outcome, times] += part
        assert sum(chance.values(), lost) == 1, "the chances of all outcomes make 1"
        chances = [_chance(one, times, table, rules, found, stake) for (one, times), found in chance.items()]
        return WagerOdds(
            *(wager, table, rules.game, rules.decks, self._h17, stake),
            (*chances, Chance(None, _lost_by(table, outcomes), None, lost)),
            starts,
            not table.meters,
            returned,
            play,
            bound,
            stops_by(wager, rules),
            rules.wagers[wager.key].options,
        )

    def _counts_of(self, wager: Wager, rules: RulesSubmission, shoe: Shoe, tables: Collection[Paytable]) -> _Counts:
        choices = tuple(sorted((key, str(value)) for key, value in rules.choices.items()))
        shared = wager.key, rules.game, choices, tuple(table.name for table in tables)
        offer = rules.wagers[wager.key]
        own = (*shared, offer.paytable, offer.options)
        found = self._counts.get(shared) or self._counts.get(own)
        if found is None:
            watched = WatchedRules(rules)
            held = holding(wager, tables)
            if wager.cards == ON_THE_DEALER:
                found = FinishedHands(shoe.deck, self._h17, watched, held)
            elif wager.cards == ON_A_POKER_HAND:
                assert wager.multiplier is not None, "such a wager has one"
                found = PokerHands(wager.multiplier, shoe.deck, self._h17, watched, held)
            elif wager.cards == BESIDE_A_COUNT:
                found = CountAndDealer(self._h17, watched, held)
            elif wager.cards == BESIDE_COUNTS:
                found = PlayedCounts(rules, self._h17, watched, held)
            elif wager.cards in ON_OWN_CARDS:
                found = OwnCards(wager, shoe.deck, watched, held)
            else:
                found = Deals(wager.cards, shoe.deck, watched, held, wager.kind)
            self._counts[own if watched.looked_at_offers else shared] = found
        return found


def _lost_by(table: Paytable, outcomes: Collection[Outcome]) -> str:
    """What loses, in words. A paytable of the user's own may lack rows that every printed one has."""
    wager = WAGERS[table.wager]
    if any(set(paid_outcomes(wager, printed)) <= set(outcomes) for printed in paytables(wager.key)):
        return wager.nothing
    return "nothing that this paytable pays"


def plays_of(wager: Wager) -> tuple[str, ...]:
    """The plays for which the odds of a wager are computed."""
    return (BEST, WORST) if wager.cards in (BESIDE_A_COUNT, BESIDE_COUNTS, *ON_OWN_CARDS) else ("",)


def stops_by(wager: Wager, rules: RulesSubmission) -> str:
    """The clause by which the dealer draws only where a hand waits for him, "" where he draws for the wager."""
    return wager.draw.clause if wager.draw is not None and wager.draw.of(rules) != DRAWS else ""


def _net(odds: Odds | None, stake: int, returned: frozenset[str], meters: Mapping[str, int]) -> Fraction:
    """What a player gains for each unit wagered; `returned` are the kinds of odds that give the wager back."""
    if odds is None:
        return Fraction(-1)
    paid = odds.paid(stake) + (odds.meter_share * meters[odds.meter] if odds.progressive else 0)
    return paid / stake - (0 if odds.kind in returned else 1)


def _chance(
    outcome: Outcome, times: int, table: Paytable, rules: RulesSubmission, chance: Fraction, stake: int
) -> Chance:
    if outcome.unpaid:
        return Chance(outcome, outcome.unpaid, _BACK, chance)
    rows, by = rows_of(outcome, table), WAGERS[table.wager].multiplier
    words = rows[0].outcome if len(rows) == 1 else f"{rows[0].outcome}, {rows[1].outcome}"
    odds = joined(rows)
    if by is not None and times > 1:
        words, odds = f"{words}, times {times}", by.odds(odds, times, rules)
    return Chance(outcome, words, odds, chance, rows[0].envy_for(stake), times)


def decks_of(game: str) -> tuple[int, ...]:
    """The numbers of decks, up to 8, with which a game may be dealt."""
    return tuple(decks for decks in range(1, 9) if GAMES[game].decks.allows(decks))
