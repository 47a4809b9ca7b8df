"""Settle random rounds, and hold what each optional wager won on average against its exact odds.

    python tests/bench/odds_campaign.py --rounds 1000000 --seed 1

Every round is dealt from a fresh shuffle to one position with every wager that the game offers, and played at random.
Where the odds of a wager depend on how a hand is played, it lies alone, and is played for it as well and as badly as
they say: Straight Jack, Bad Beat, Blazing 7's, Buzzer Beater. Odds and settlement share the declarations of the wagers
and nothing else: how deals are counted, when a wager is settled, and what its lines add up to are independent. A mean
more than five standard errors off is a failure: exit 1.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "tests" / "regulation"), str(ROOT / "tests" / "bench")]

from random_rounds import random_round, shuffled_shoe  # noqa: E402
from settle_rounds import table_of  # noqa: E402
from shoetool.deal import Decision, Stake  # noqa: E402
from shoetool.deal.dealer import play_dealer  # noqa: E402
from shoetool.deal.engine import decide, open_round, table_round  # noqa: E402
from shoetool.deal.hybrid import choose_all  # noqa: E402
from shoetool.deal.state import HandState, PlayPhase  # noqa: E402
from shoetool.deal.turns import begin_turns  # noqa: E402
from shoetool.model.cards import VALUES as VALUE_OF  # noqa: E402
from shoetool.odds.deals import ON_THE_DEAL  # noqa: E402
from shoetool.odds.holding import Held  # noqa: E402
from shoetool.odds.played_counts import PlayedCounts, _Paid, _Played  # noqa: E402
from shoetool.odds.plays import BEST, WORST  # noqa: E402
from shoetool.odds.shoe import VALUES, Counts, Shoe  # noqa: E402
from shoetool.odds.wager import ON_A_POKER_HAND, ON_THE_DEALER, WagerCounts, WagerOdds  # noqa: E402
from shoetool.rules.games import GAMES  # noqa: E402
from shoetool.rules.hands import best_total  # noqa: E402
from shoetool.rules.paytable import paytable, paytables  # noqa: E402
from shoetool.rules.printed_meter import meter_key  # noqa: E402
from shoetool.rules.round import TableRound  # noqa: E402
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer  # noqa: E402
from shoetool.rules.wagers import WAGERS  # noqa: E402
from shoetool.rules.wagers.wager import DRAWS  # noqa: E402
from shoetool.settle.engine import settle  # noqa: E402

MAIN = 25_00
ENOUGH = 60


Draws = Callable[[Sequence[int], int], bool]
"""(a hand that may draw, the up card): whether it draws."""


@dataclass(slots=True)
class Met:
    """What one wager won in so many rounds. errors: by how many standard errors its mean is off."""

    odds: WagerOdds
    rounds: int
    won: int

    @property
    def errors(self) -> float:
        exact = -self.odds.edge() * self.rounds
        off = Fraction(self.won, self.odds.stake) - exact
        return float(off) / math.sqrt(self.odds.variance * self.rounds)


EXACT = (*ON_THE_DEAL, ON_THE_DEALER, ON_A_POKER_HAND)


def campaign(game: str, rounds: int, seed: int, subjects: tuple[str, ...] = EXACT) -> list[Met]:
    """Settle so many rounds of one table with the wagers of these subjects, whose bonuses are not offered."""
    offered = table_of(game)
    keys = [key for key in offered.wagers if WAGERS[key].cards in subjects]
    offers = {key: offered.wagers[key] for key in keys}
    plain = {key: WagerOffer(offer.paytable, offer.minimum, offer.minimum) for key, offer in offers.items()}
    # The odds of a wager on the dealer's hand are as if he always drew.
    draws = {wager.draw.key: DRAWS for wager in map(WAGERS.__getitem__, keys) if wager.draw is not None}
    rules = replace(offered, wagers=plain, choices={**offered.choices, **draws})
    counts = WagerCounts()
    found = [Met(_odds(counts, rules, key, ""), rounds, 0) for key in keys]
    random = Random(seed)

    def played(stake: Stake, shoe: list[int]) -> TableRound:
        return random_round(rules, random.getrandbits(64), stakes=[stake], shoe=shoe).table_round

    _settle_all(found, rules, random, played)
    return found


def campaign_played(game: str, key: str, play: str, rounds: int, seed: int) -> Met:
    """Settle so many rounds of a wager that lies alone and is played for: `BEST` or `WORST`."""
    offered = table_of(game)
    offer = offered.wagers[key]
    rules = replace(offered, wagers={key: WagerOffer(offer.paytable, offer.minimum, offer.minimum)})
    counts = WagerCounts()
    met = Met(_odds(counts, rules, key, play), rounds, 0)
    draws = PLAYED[key](met.odds, counts, rules)

    def choice(hand: HandState, up: int) -> Decision:
        return Decision(1, hand.number, "hit" if draws(hand.cards, up) else "stand")

    def played(stake: Stake, shoe: list[int]) -> TableRound:
        state = open_round(rules, [stake], shoe)
        begin_turns(state)
        if state.game.facts.community and state.phase == PlayPhase.TURNS:
            choose_all(state, lambda hand: choice(hand, state.dealer[0]))
        while state.turn is not None:
            decide(state, choice(state.turn, state.dealer[0]))
        play_dealer(state)
        return table_round(state, ())

    _settle_all([met], rules, Random(seed), played)
    return met


def _odds(counts: WagerCounts, rules: RulesSubmission, key: str, play: str) -> WagerOdds:
    offer = rules.wagers[key]
    table = paytable(key, offer.paytable, rules.decks, rules.paytable_game(key))
    tables = [one for one in paytables(key) if rules.game in one.games]
    return counts.odds(rules, table, offer.minimum, tables, play)


def _settle_all(
    found: list[Met], rules: RulesSubmission, random: Random, played: Callable[[Stake, list[int]], TableRound]
) -> None:
    """Deal the rounds of these wagers, settle them, and enter what each wager won."""
    meters = {meter_key(met.odds.wager.key, name): at for met in found for name, at in met.odds.meters.items()}
    every = shuffled_shoe(rules, random)
    selected = 1 if rules.game == "hybrid" else None
    side = {met.odds.wager.key: met.odds.stake for met in found}
    stake = Stake(1, MAIN, side, player_position=selected)
    for _ in range(found[0].rounds if found else 0):
        # The first cards of a fresh shuffle: a round that needed more would end with an error.
        table_round = played(stake, random.sample(every, ENOUGH))._replace(meters=meters)
        won = dict.fromkeys(side, 0)
        for line in settle(table_round, rules).lines:
            if line.position is not None and line.wager in won:
                won[line.wager] += line.net
        for met in found:
            met.won += won[met.odds.wager.key]


def _while_it_may_change(odds: WagerOdds, _counts: WagerCounts, _rules: RulesSubmission) -> Draws:
    """More cards only add to such a wager: at best they are drawn, at worst none is."""
    growth = odds.wager.growth
    assert growth is not None
    return lambda cards, _: odds.play == BEST and growth.may_change(tuple(cards))


def _to_20(odds: WagerOdds, _counts: WagerCounts, _rules: RulesSubmission) -> Draws:
    """One count wins: at best the hand draws to it and stands, at worst it never keeps it."""
    return lambda cards, _: (best_total(cards) < 20) if odds.play == BEST else (best_total(cards) == 20)


def counts_of(cards: Sequence[int]) -> Counts:
    """How many of these cards there are of each value."""
    values = [VALUE_OF[card] - 1 for card in cards]
    return tuple(map(values.count, range(VALUES)))


def _by_counts(odds: WagerOdds, counts: WagerCounts, rules: RulesSubmission) -> Draws:
    """As the odds decide it for each hand and up card."""
    (counted,) = counts._counts.values()
    assert isinstance(counted, PlayedCounts)
    worth_of = {one.outcome: 1 + odds.net(one.odds, odds.meters) for one in odds.chances if one.outcome is not None}

    def worth(held: Held) -> Fraction:
        outcomes = (odds.wager.outcomes[place] for place in held)
        return next((worth_of[one] for one in outcomes if one in worth_of), Fraction(0))

    @cache
    def hands(up: int) -> _Played:
        against = counted._against[Shoe.of(rules.game, rules.decks), up]
        # The dealer's chances were found for the odds: to find them again takes longer than 3,000 rounds.
        return _Played(against.at_odds_of(_Paid(counted, up, worth)), odds.play)

    def draws(cards: Sequence[int], up: int) -> bool:
        return hands(VALUE_OF[up] - 1)._decided(counts_of(cards))[0]

    return draws


PLAYED: dict[str, Callable[[WagerOdds, WagerCounts, RulesSubmission], Draws]] = {
    "straight_jack": _while_it_may_change,
    "bad_beat": _to_20,
    "blazing_7s": _while_it_may_change,
    "buzzer_beater": _by_counts,
}
"""How each wager is played for whose odds depend on it."""


def main() -> int:
    """Print how far off each wager is; 1 when one is too far."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", choices=tuple(GAMES), default=list(GAMES))
    parser.add_argument("--played", action="store_true", help="only the wagers that are played for")
    options = parser.parse_args()
    far = False
    for game in options.games:
        keys = [key for key in table_of(game).wagers if key in PLAYED]
        played = (
            campaign_played(game, key, play, options.rounds, options.seed) for key in keys for play in (BEST, WORST)
        )
        for met in chain(() if options.played else campaign(game, options.rounds, options.seed), played):
            won = float(Fraction(met.won, met.odds.stake * met.rounds))
            how = f", {met.odds.play} play" if met.odds.play else ""
            about = f"{game}, {met.odds.wager.key}{how}: {met.rounds:,} rounds, seed {options.seed}"
            exact = -float(met.odds.edge())
            print(
                f"{about}: won {won:+.5f} of the wager, exactly {exact:+.5f}: {met.errors:+.2f} standard errors",
                flush=True,
            )
            far |= abs(met.errors) > 5
    return int(far)


if __name__ == "__main__":
    sys.exit(main())
