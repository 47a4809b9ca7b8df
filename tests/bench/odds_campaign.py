"""Settle random rounds, and hold what each optional wager won on average against its exact odds.

    python tests/bench/odds_campaign.py --rounds 1000000 --seed 1

Every round is dealt from a fresh shuffle to one position with every wager that the game offers, and played at random.
Odds and settlement share the declarations of the wagers and nothing else: how deals are counted, when a wager is
settled, and what its lines add up to are independent. A mean more than five standard errors off is a failure: exit 1.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "host_tools"), str(ROOT / "tests" / "regulation"), str(ROOT / "tests" / "bench")]

from random_rounds import random_round, shuffled_shoe  # noqa: E402
from settle_rounds import table_of  # noqa: E402
from shoetool.deal import Stake  # noqa: E402
from shoetool.odds.deals import ON_THE_DEAL  # noqa: E402
from shoetool.odds.wager import ON_A_POKER_HAND, ON_THE_DEALER, WagerCounts, WagerOdds  # noqa: E402
from shoetool.rules.games import GAMES  # noqa: E402
from shoetool.rules.paytable import paytable, paytables  # noqa: E402
from shoetool.rules.printed_meter import meter_key  # noqa: E402
from shoetool.rules.submission.rules import WagerOffer  # noqa: E402
from shoetool.rules.wagers import WAGERS  # noqa: E402
from shoetool.rules.wagers.wager import DRAWS  # noqa: E402
from shoetool.settle.engine import settle  # noqa: E402

MAIN = 25_00
ENOUGH = 60


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
    keys = [key for key in offered.wagers if WAGERS[key].subject in subjects]
    offers = {key: offered.wagers[key] for key in keys}
    plain = {key: WagerOffer(offer.paytable, offer.minimum, offer.minimum) for key, offer in offers.items()}
    # The odds of a wager on the dealer's hand are as if he always drew.
    draws = {wager.draw.key: DRAWS for wager in map(WAGERS.__getitem__, keys) if wager.draw is not None}
    rules = replace(offered, wagers=plain, choices={**offered.choices, **draws})
    counts = WagerCounts()
    found = []
    for key in keys:
        table = paytable(key, plain[key].paytable, rules.decks, rules.paytable_game(key))
        odds = counts.odds(rules, table, plain[key].minimum, [one for one in paytables(key) if game in one.games])
        found.append(Met(odds, rounds, 0))
    meters = {meter_key(met.odds.wager.key, name): at for met in found for name, at in met.odds.meters.items()}
    random = Random(seed)
    every = shuffled_shoe(rules, random)
    selected = 1 if game == "hybrid" else None
    stake = Stake(1, MAIN, {key: offer.minimum for key, offer in plain.items()}, player_position=selected)
    for _ in range(rounds):
        # The first cards of a fresh shuffle: a round that needed more would end with an error.
        shoe = random.sample(every, ENOUGH)
        dealt = random_round(rules, random.getrandbits(64), stakes=[stake], shoe=shoe)
        played = dealt.table_round._replace(meters=meters)
        won = dict.fromkeys(keys, 0)
        for line in settle(played, rules).lines:
            if line.position is not None and line.wager in won:
                won[line.wager] += line.net
        for met in found:
            met.won += won[met.odds.wager.key]
    return found


def main() -> int:
    """Print how far off each wager is; 1 when one is too far."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="+", choices=tuple(GAMES), default=list(GAMES))
    options = parser.parse_args()
    far = False
    for game in options.games:
        for met in campaign(game, options.rounds, options.seed):
            won = float(Fraction(met.won, met.odds.stake * met.rounds))
            about = f"{game}, {met.odds.wager.key}: {met.rounds:,} rounds, seed {options.seed}"
            exact = -float(met.odds.edge())
            print(f"{about}: won {won:+.5f} of the wager, exactly {exact:+.5f}: {met.errors:+.2f} standard errors")
            far |= abs(met.errors) > 5
    return int(far)


if __name__ == "__main__":
    sys.exit(main())
